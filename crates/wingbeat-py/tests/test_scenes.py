"""Scenes: presets, files, texts, starts, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wingbeat


def test_every_preset_flies() -> None:
    assert len(wingbeat.presets()) > 20
    for name, about in wingbeat.presets().items():
        scene = wingbeat.Scene(name)
        assert scene.about == about and about
        assert scene.dimensions in (2, 3)


def test_files_and_texts(tmp_path: Path) -> None:
    scene = (
        wingbeat.Scene("shoal").set("flock.boids", 100).set({"cohesion.weight": 2, "flock.seed": 9})
    )
    path = tmp_path / "mine.toml"
    path.write_text(scene.toml)
    flocks = [
        wingbeat.Flock(one)
        for one in (scene, path, str(path), scene.toml, wingbeat.Scene.from_toml(scene.toml))
    ]
    for flock in flocks:
        flock.step(20)
    assert len({flock.state_hash for flock in flocks}) == 1
    assert (scene.boids, scene.seed, len(flocks[1])) == (100, 9, 100)


def test_refusals_name_place_key_value_and_range() -> None:
    with pytest.raises(ValueError, match="nearest known key is cohesion.radius"):
        wingbeat.Scene("[flock]\nboids = 10\n[cohesion]\nraduis = 2.0\n")
    with pytest.raises(OSError, match="shoal"):
        wingbeat.Scene("shaol")
    with pytest.raises(OSError):
        wingbeat.Scene("no/such/file.toml")
    scene = wingbeat.Scene("shoal")
    for key, value in [
        ("flock.boids", -1),
        ("cohesion.weight", 1e30),
        ("flock.dimensions", 4),
        ("nothing.here", 1),
    ]:
        before = scene.toml
        with pytest.raises(ValueError, match=key.split(".")[0]):
            scene.set(key, value)
        assert scene.toml == before
    with pytest.raises(ValueError, match="level"):
        scene.flock(level="mmx")
    with pytest.raises(ValueError, match="threads"):
        scene.flock(threads=0)


def test_start_from_arrays() -> None:
    positions = np.random.default_rng(1).uniform(-2, 2, (40, 2))
    scene = wingbeat.Scene("shoal").start(positions, [1.0, 0.0], ids=np.arange(100, 140))
    flock = scene.flock()
    rows = flock.rows()
    assert rows.ids.tolist() == list(range(100, 140)) and scene.boids == 40
    np.testing.assert_array_equal(rows.positions, positions.astype(np.float32))
    assert (rows.velocities == [1, 0]).all()
    starts: list[dict[str, Any]] = [
        {"positions": positions, "ids": [1] * 40},
        {"positions": positions[:, :1]},
        {"positions": np.zeros((3, 3))},
        {"positions": [[np.nan, 1.0]]},
        {"positions": positions, "ids": [1, 2]},
        {"positions": positions, "species": "fish"},
    ]
    for refused in starts:
        with pytest.raises(ValueError):
            scene.start(**refused).flock()


def test_values_become_toml(tmp_path: Path) -> None:
    scene = wingbeat.Scene(
        "shoal",
        {"domain.max": np.array([30.0, 40.0]), "domain.min": [0, 0], "domain.kind": "periodic"},
    )
    assert scene.flock().bounds == ([0, 0], [30, 40])
    assert scene.flock().periodic
    odd = 'a "quoted" name\\ with\ttabs'
    assert wingbeat.Scene("shoal", {"about": odd}).about == odd


def test_pages_of_scenes_and_flocks() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 50}))
    flock.step(30)
    page = flock.to_html()
    assert page.startswith("<!") and 'id="start"' in page
    framed = flock._repr_html_()
    assert framed.startswith("<iframe") and "sandbox" in framed and framed.count("<iframe") == 1
    assert "Wingbeat" in wingbeat.Scene("vision_cone").to_html()
