"""Runs, recordings, measures, sweeps: the same numbers as the command's."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import wingbeat
from conftest import Command


def table(path: Path) -> dict[str, npt.NDArray[np.float64]]:
    with open(path) as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}


def same(one: wingbeat.Measures, other: dict[str, npt.NDArray[np.float64]]) -> None:
    for name, values in one.items():
        np.testing.assert_array_equal(np.asarray(values, float), other[name], err_msg=name)


def test_runs_observe_as_the_command_does(command: Command, tmp_path: Path) -> None:
    result = wingbeat.Scene("shoal", {"flock.boids": 300}).run(
        60, observe="usual", every=20, record=tmp_path / "mine.wbr"
    )
    out = tmp_path / "order.csv"
    said = command.json(
        "run", "shoal", "--boids", "300", "--steps", "60", "--observe", str(out), "--every", "20",
        "--record", str(tmp_path / "its.wbr"),
    )
    assert result.hash == said["state_hash"]
    same(result.columns, table(out))
    assert result.recording is not None and len(result.recording) == 4
    mine, its = (
        wingbeat.read(tmp_path / name).positions().values for name in ("mine.wbr", "its.wbr")
    )
    np.testing.assert_array_equal(mine, its)
    last = result.recording[-1]
    np.testing.assert_array_equal(last.positions, result.flock.rows().positions)
    assert list(result.to_pandas().columns) == list(result.columns)


def test_measure_gives_the_numbers_of_the_command(command: Command, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    array = rng.normal(0, 50, (40, 25, 2)).cumsum(axis=0).astype(np.float32)
    array[rng.random((40, 25)) < 0.06] = np.nan
    path, out = tmp_path / "tracks.npy", tmp_path / "order.csv"
    np.save(path, array)
    command.run("measure", str(path), "--fps", "32", "--radius", "60", "--observe", str(out))
    same(wingbeat.measure(array, fps=32, radius=60), table(out))
    same(wingbeat.measure(path, fps=32, radius=60, columns=["polarization", "groups"]), table(out))
    same(wingbeat.measure(array.astype(np.float64), fps=32, radius=60), table(out))


def test_real_fish(command: Command, tmp_path: Path) -> None:
    fish = Path(__file__).parents[4] / "shared" / "data" / "zebrafish_100.npy"
    if not fish.exists():
        pytest.skip("the recordings are not part of the project")
    out = tmp_path / "order.csv"
    command.run("measure", str(fish), "--fps", "32", "--every", "30", "--observe", str(out))
    same(wingbeat.measure(np.load(fish), fps=32, every=30), table(out))
    recording = wingbeat.read(fish, fps=32, fill_gaps=5, smooth=9)
    assert recording.found["gaps_filled"] > 0 and recording.found["ids"] == 100


def test_recordings_are_read_and_written(tmp_path: Path) -> None:
    result = wingbeat.Scene("hunter_prey", {"flock.boids": 60}).run(30, every=10, record=True)
    recording = result.recording
    assert recording is not None and recording.dimensions == result.flock.dimensions
    tracks = recording.positions()
    assert tracks.values.shape == (len(recording), 60, recording.dimensions)
    for ending in ("npz", "csv", "xyz"):
        path = tmp_path / f"copy.{ending}"
        recording.save(path)
        again = wingbeat.read(path, fps=recording.fps).positions().values
        # Text has the digits that bring 32 bits back.
        np.testing.assert_array_equal(again.astype(np.float32), tracks.values.astype(np.float32))
    assert recording.to_html().startswith("<!")
    assert len(recording._repr_html_()) < 12_000_000
    assert "Recording of 4 frames" in repr(recording)
    with pytest.raises(IndexError):
        recording[4]
    assert recording[-1].number == recording[3].number and len(list(recording)) == 4
    with pytest.raises(OSError):
        wingbeat.read(tmp_path / "nothing.wbr")
    (tmp_path / "bad.csv").write_text("frame,id,x,y\n0,1,two,3\n")
    with pytest.raises(ValueError, match="bad.csv"):
        wingbeat.read(tmp_path / "bad.csv")


def test_refusals_of_measure_and_run() -> None:
    flock = wingbeat.Scene("shoal", {"flock.boids": 200})
    for refused in (
        lambda: wingbeat.measure(np.zeros((3, 4))),
        lambda: wingbeat.measure(np.zeros((3, 4, 5))),
        lambda: wingbeat.measure(np.zeros((3, 4, 2)), columns="polarisation"),
        lambda: wingbeat.measure(np.zeros((3, 4, 2)), every=0),
        lambda: wingbeat.measure(np.zeros((3, 4, 2)), fps=-1),
        lambda: flock.run(5, every=0),
        lambda: flock.run(-1),
        lambda: flock.run(5, observe=["nothing"]),
        lambda: flock.run(5, record="out.nothing"),
        lambda: wingbeat.sweep(flock, {"cohesion.weight": []}),
        lambda: wingbeat.sweep(flock, {"cohesion.wait": [1]}),
        lambda: wingbeat.sweep(flock, {"cohesion.weight": [1]}, steps=10, average_from=10),
    ):
        with pytest.raises(ValueError):
            refused()


def test_sweeps_give_the_numbers_of_the_command(command: Command, tmp_path: Path) -> None:
    weights, seeds = [0.0, 1.0, 2.0], [1, 2]
    scene = wingbeat.Scene("shoal", {"flock.boids": 80})
    frame = wingbeat.sweep(
        scene,
        {"alignment.weight": weights, "flock.seed": seeds},
        steps=40,
        average_from=20,
        every=10,
        columns=["milling", "mean_speed", "groups"],
        workers=2,
    )
    assert len(frame) == 6 and list(frame["alignment.weight"]) == [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]
    one = scene.set({"alignment.weight": 1.0, "flock.seed": 2}).run(40)
    assert frame["state_hash"][3] == one.hash
    out = tmp_path / "sweep.csv"
    arguments = [
        "--boids", "80", "--set", "alignment.weight=0,1,2", "--set", "flock.seed=1,2",
        "--steps", "40",
    ]
    command.run(
        "sweep", "shoal", *arguments, "--average-from", "20", "--every", "10",
        "--columns", "mean_speed,groups", "--out", str(out),
    )
    its = table(out)
    for name in ("mean_speed", "groups"):
        mine = frame[name].to_numpy().reshape(3, 2).mean(axis=1)
        np.testing.assert_allclose(mine, its[name], rtol=1e-12)


def test_ctrl_c_leaves_what_there_is() -> None:
    import _thread
    import threading

    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    result = wingbeat.Scene("shoal", {"flock.boids": 3000}).run(
        10**8, observe=["polarization"], every=5, record=True
    )
    timer.join()
    assert result.interrupted and result.flock.steps > 0
    assert len(result["polarization"]) == len(result.recording or [])


def test_ctrl_c_ends_a_sweep() -> None:
    import _thread
    import threading
    import time

    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        wingbeat.sweep(
            wingbeat.Scene("shoal", {"flock.boids": 2000}),
            {"flock.seed": range(8)},
            steps=10**7,
            workers=2,
        )
    timer.join()
    assert time.monotonic() - begun < 20, "runs that had begun ended too"


def test_a_recording_is_measured_in_two_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    recording = wingbeat.Scene("shoal", {"flock.boids": 500}).run(100, record=True).recording
    assert recording is not None
    with ThreadPoolExecutor(3) as pool:
        found = list(
            pool.map(
                lambda _: (
                    recording.measure("polarization")["polarization"],
                    len(recording),
                    recording[3],
                ),
                range(6),
            )
        )
    assert all(np.array_equal(one[0], found[0][0]) for one in found)
