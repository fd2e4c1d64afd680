"""Odd arguments and situations: answered in words, and never silently wrong."""

from __future__ import annotations

import copy
import gc
import os
import signal
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wingbeat


def test_a_start_stays_in_the_box_of_its_scene() -> None:
    rng = np.random.default_rng(1)
    positions = rng.uniform(-60, 60, (300, 2))
    flock = wingbeat.Scene("shoal").start(positions).flock()
    assert flock.bounds == wingbeat.Flock("shoal").bounds
    np.testing.assert_array_equal(flock.rows().positions, positions.astype(np.float32))
    with pytest.raises(ValueError, match="2 of 3 are outside the box"):
        wingbeat.Scene("shoal").start([[0, 0], [100, 0], [0, -100]])
    wide = wingbeat.Scene("shoal", {"domain.min": [-200, -200], "domain.max": [200, 200]})
    assert len(wide.start([[0, 0], [100, 0], [0, -100]]).flock()) == 3
    open_space = wingbeat.Scene(
        "[flock]\nboids = 5\ndimensions = 2\n[cohesion]\nradius = 2.0\n"
    ).start([[0, 0], [1, 1]])
    assert open_space.flock().bounds is None
    with pytest.raises(ValueError, match="flock.dimensions"):
        open_space.set("flock.dimensions", 3)
    with pytest.raises(ValueError, match="species"):
        wingbeat.Scene("hunter_prey").start([[0, 0]], species=256)


def test_events_in_hooks_are_those_of_the_last_step() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("evacuation", {"flock.boids": 60}))
    plain = flock.copy()
    seen: list[int] = []

    def look(flock: wingbeat.Flock) -> None:
        assert (flock.events.step == flock.steps).all()
        seen.extend(flock.events.boid.tolist())

    flock.after(look)
    told: list[int] = []
    for _ in range(3):
        flock.step(300)
        told.extend(flock.events.boid.tolist())
    expected: list[int] = []
    for _ in range(3):
        plain.step(300)
        expected.extend(plain.events.boid.tolist())
    assert expected and seen == told == expected
    flock.unhook(look)
    flock.step(1)
    assert len(seen) == len(expected)
    with pytest.raises(ValueError):
        flock.unhook(look)


def test_a_hook_does_not_step() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 300}))
    flock.after(lambda flock: flock.step())
    with pytest.raises(RuntimeError, match="hooks"):
        flock.step()
    assert flock.steps == 1


def test_a_signal_while_a_recording_is_measured() -> None:
    recording = wingbeat.Scene("shoal", {"flock.boids": 2000}).run(60, record=True).recording
    assert recording is not None
    heard: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(len(recording)))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.02)
        other = threading.Thread(target=lambda: [len(recording) for _ in range(200)])
        other.start()
        recording.measure(["correlation_length", "nearest_neighbor_distance"])
        other.join()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert heard


def test_a_fork_does_not_hang() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 5000}), threads=2)
    alone = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 500}), threads=1)
    flock.step()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            flock.step()
        except RuntimeError:
            alone.step(3)
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_masked_values_are_no_values() -> None:
    rng = np.random.default_rng(2)
    array = rng.normal(0, 5, (10, 6, 2))
    holes = array.copy()
    holes[:, 3] = np.nan
    masked = np.ma.masked_array(array, np.isnan(holes))
    assert wingbeat.measure(masked)["individuals"].tolist() == [5] * 10
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 300}))
    with pytest.raises(ValueError):
        flock.set_positions([1], np.ma.masked_array([[1.0, 2.0]], [[True, False]]))
    with pytest.raises(ValueError, match="masked"):
        flock.remove(np.ma.masked_array([5, 6], [False, True]))
    assert len(flock) == 300


def test_what_is_only_written_is_no_recording(tmp_path: Path) -> None:
    scene = wingbeat.Scene("shoal", {"flock.boids": 300})
    result = scene.run(4, every=2, record=tmp_path / "run.vtp")
    assert result.recording is None and result.flock.steps == 4
    assert len(list(tmp_path.glob("*.vtp"))) == 3
    with pytest.raises(OSError):
        scene.run(4, record=tmp_path / "nowhere" / "run.wbr")
    with pytest.raises(ValueError):
        scene.run(4, record="")
    flock = scene.flock()
    flock.remove(flock.ids)
    assert flock.measure()["mean_speed"] is None


def test_nothing_is_left_in_temporary_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wingbeat.measure(np.zeros((3, 4, 2)))
        result = wingbeat.Scene("shoal", {"flock.boids": 300}).run(4, record=True)
        assert len(list(tmp_path.iterdir())) == 1 and result.recording is not None
        with pytest.raises(ValueError, match="positions"):
            wingbeat.measure(np.full((3, 4, 2), np.nan))
        del result
        gc.collect()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("id", [-1, 2**64])
def test_ids_out_of_range(id: int) -> None:
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 300}))
    asks: list[Any] = [flock.explain, flock.goal, flock.traits]
    for ask in asks:
        with pytest.raises(ValueError, match="id"):
            ask(id)


def test_numbers_out_of_range(tmp_path: Path) -> None:
    scene = wingbeat.Scene("shoal", {"flock.boids": 300})
    result = scene.run(4, observe="usual", record=True)
    recording = result.recording
    assert recording is not None and len(result.columns) == 12
    for refused in (
        lambda: scene.flock(threads=-1),
        lambda: scene.flock().step(2**64),
        lambda: recording.save(tmp_path / "a.csv", every=0),
        lambda: recording.measure(every=10**30),
        lambda: recording.measure(radius=-1.0),
        lambda: recording.measure(radius=float("nan")),
        lambda: wingbeat.measure(recording, fps=3),
        lambda: wingbeat.sweep(scene, {"domain.kind": "open"}),
        lambda: wingbeat.sweep(scene, {"flock.seed": 1}),  # type: ignore[dict-item]
    ):
        with pytest.raises(ValueError):
            refused()
    with pytest.raises(IndexError):
        recording[-100]
    with pytest.raises(TypeError):
        recording[0:2]  # type: ignore[index]


def test_copies_of_scenes_are_their_own() -> None:
    scene = wingbeat.Scene("shoal", {"flock.boids": 300})
    for other in (copy.copy(scene), copy.deepcopy(scene)):
        other.set("flock.boids", 400)
    assert scene.boids == 300


def test_checkpoints_bring_the_scene_along() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 300}))
    flock.set({"flock.dt": 0.01, "cohesion.weight": 0.5})
    flock.step(5)
    other = wingbeat.Flock("hunter_prey")
    other.restore(bytearray(flock.checkpoint()))  # type: ignore[arg-type]
    assert other.dt == flock.dt and "weight = 0.5" in other.toml
    flock.step(20)
    other.step(20)
    assert other.state_hash == flock.state_hash


def test_large_flocks_are_no_page_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 300}))
    monkeypatch.setattr("wingbeat._flock.LARGE", 200)
    assert "<iframe" not in flock._repr_html_() and "to_html" in flock._repr_html_()
