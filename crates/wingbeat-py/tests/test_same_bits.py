"""The same scene and seed, the same bits: whatever steps it."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

import wingbeat
from conftest import Command

SCENES = ["shoal", "murmuration", "hunter_prey", "evacuation", "couzin2002", "netlogo"]


@pytest.mark.parametrize("name", SCENES)
def test_python_and_the_command_agree(name: str, command: Command) -> None:
    said = command.json("run", name, "--boids", "400", "--steps", "60")
    flock = wingbeat.Flock(wingbeat.Scene(name, {"flock.boids": 400}))
    flock.step(60)
    assert flock.state_hash == said["state_hash"]
    assert flock.steps == said["steps"] == 60


def test_levels_threads_and_portions_change_nothing() -> None:
    scene = wingbeat.Scene("murmuration", {"flock.boids": 3000})
    hashes = set()
    for level in wingbeat.levels():
        for threads in (1, 2, 3):
            flock = scene.flock(level=level, threads=threads)
            assert (flock.level, flock.threads) == (level, threads)
            for portion in (1, 2, 17):
                flock.step(portion)
            hashes.add(flock.state_hash)
    assert len(hashes) == 1


def test_looking_changes_nothing(shoal: wingbeat.Flock) -> None:
    seen = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 300}))
    kept = []
    for _ in range(30):
        shoal.step()
        seen.step()
        kept.append(
            (
                seen.positions,
                seen.velocities,
                seen.ids,
                seen.rows(),
                seen.measure(),
                seen.explain(3),
            )
        )
    assert shoal.state_hash == seen.state_hash


def test_checkpoints_copies_and_pickles_go_on_in_the_same_bits() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("hunter_prey", {"flock.boids": 300, "flock.seed": 5}))
    flock.step(50)
    flock.set("agent.max_speed", 3.0)
    others = [flock.copy(), copy.deepcopy(flock), pickle.loads(pickle.dumps(flock))]
    saved = flock.checkpoint()
    flock.step(50)
    for other in others:
        other.step(50)
        assert other.state_hash == flock.state_hash
    after = flock.state_hash
    flock.restore(saved)
    assert flock.state_hash != after and flock.steps == 50
    flock.step(50)
    assert flock.state_hash == after
    for broken in (b"", b"no checkpoint", saved[:-1], saved[:100] + b"\0" + saved[101:]):
        with pytest.raises(ValueError):
            flock.restore(broken)
    assert flock.state_hash == after


def test_ramps_and_turns_are_followed(command: Command, tmp_path: Path) -> None:
    # Models that move one after the other, and numbers that change as a flock flies, are the
    # scene's matter and not the host's.
    text = wingbeat.Scene("shoal", {"flock.boids": 200}).toml
    text += (
        '\n[ramp.slower]\nkey = "agent.max_speed"\nfrom = 4.0\nto = 1.0\nstart = 0.5\nover = 2.0\n'
    )
    path = str(tmp_path / "ramped.toml")
    Path(path).write_text(text)
    flock = wingbeat.Flock(path)
    flock.step(80)
    assert flock.state_hash == command.json("run", path, "--steps", "80")["state_hash"]
