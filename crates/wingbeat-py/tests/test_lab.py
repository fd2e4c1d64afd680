"""Recordings of arrays and data frames, comparing and fitting."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py  # type: ignore[import-untyped, unused-ignore]
import numpy as np
import numpy.typing as npt
import pandas  # type: ignore[import-untyped, unused-ignore]
import pytest

import wingbeat
from wingbeat import Recording
from wingbeat._fit import _Journal, _search, _spread

Array = npt.NDArray[np.float64]
FISH = Path(
    os.environ.get("WINGBEAT_DATA") or Path(__file__).parents[4] / "shared" / "data",
    "zebrafish_100.npy",
)


def walks(frames: int = 30, individuals: int = 8, dimensions: int = 2) -> Array:
    """Random walks, some of which are lost for a while."""
    rng = np.random.default_rng(5)
    array: Array = rng.normal(0, 1, (frames, individuals, dimensions)).cumsum(axis=0) * 10
    array[rng.random((frames, individuals)) < 0.1] = np.nan
    return array


def test_arrays_come_back_bit_for_bit(tmp_path: Path) -> None:
    for dimensions in (2, 3):
        array = walks(dimensions=dimensions)
        who = np.arange(8) * 3 + 2**31
        fish = Recording.from_array(array, fps=25, ids=who, velocities=-array, units="m")
        assert (fish.fps, fish.dimensions, fish.units, len(fish)) == (25, dimensions, "m", 30)
        tracks = fish.positions()
        np.testing.assert_array_equal(tracks.values, array)
        np.testing.assert_array_equal(tracks.ids, who)
        np.testing.assert_array_equal(tracks.times, np.arange(30) / 25)
        np.testing.assert_array_equal(fish.velocities().values, -array)
        # It is a recording like any other.
        fish.save(tmp_path / "fish.wbr")
        again = wingbeat.read(tmp_path / "fish.wbr")
        np.testing.assert_array_equal(again.positions().values, array.astype(np.float32))
        assert again.fps == 25 and fish.to_html().startswith("<!")
        assert len(fish.measure("polarization", every=10)["polarization"]) == 3
    masked = np.ma.masked_invalid(walks())  # type: ignore[no-untyped-call, unused-ignore]
    np.testing.assert_array_equal(Recording.from_array(masked).positions().values, walks())


def test_times_number_frames() -> None:
    array = walks(4)
    late = Recording.from_array(array, times=[1.0, 1.5, 2.5, 3.0])
    assert late.fps == 2 and late.positions().numbers.tolist() == [2, 3, 5, 6]
    assert Recording.from_array(array).found["last_frame"] == 3


def test_units_of_length(tmp_path: Path) -> None:
    array = walks()
    cm = Recording.from_array(array, units="cm")
    assert cm.units == "m"
    np.testing.assert_allclose(cm.positions().values, array / 100)
    assert Recording.from_array(array).units is None
    table = pandas.DataFrame({"frame": [0, 1], "x (px)": [1.0, 2], "y (px)": [3.0, 4]})
    assert Recording.from_frame(table).units == "px"
    # What is said of it is saved with it.
    Recording.from_array(array, units="bl").save(tmp_path / "saved.npz")
    assert Recording(tmp_path / "saved.npz").units == "bl"
    with pytest.raises(ValueError, match="units = m: allowed is px, as the file says"):
        Recording.from_frame(table, units="m")


def test_data_frames_come_back_bit_for_bit() -> None:
    made = wingbeat.Scene("hunter_prey", {"flock.boids": 30}).run(20, every=10, record=True)
    assert made.recording is not None
    table = made.recording.to_pandas()
    assert len(table) == 3 * 30 and table["species"].nunique() == 2
    again = Recording.from_frame(table)
    for one, other in (
        (made.recording.positions(), again.positions()),
        (made.recording.velocities(), again.velocities()),
    ):
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.ids, other.ids)
    pandas.testing.assert_frame_equal(table, again.to_pandas(), check_exact=True)
    array = walks()
    fish = Recording.from_array(array, fps=32, units="px")
    tall = Recording.from_frame(fish.to_pandas().set_index(["frame", "id"]), units="px")
    np.testing.assert_array_equal(tall.positions().values, array)
    assert tall.units == "px" and tall.fps == 32


def test_columns_of_data_frames_have_names() -> None:
    array = walks(12, 3)
    k, i = np.nonzero(~np.isnan(array[:, :, 0]))
    x, y = array[k, i].T
    usual = {"Frame Number": k, "trackId": i, "pos_x [mm]": x, "pos_y [mm]": y, "comment": "a,b"}
    fish = Recording.from_frame(pandas.DataFrame(usual), fps=10)
    np.testing.assert_allclose(fish.positions().values, array / 1000)
    assert fish.units == "m" and fish.fps == 10
    # Whole numbers beside a missing one are floats to pandas; the row without a position is left
    # out.
    odd = pandas.DataFrame({"n": k, "who": i, "X1": x, "Y1": y}).astype(float)
    odd.loc[len(odd)] = [11.0, np.nan, np.nan, np.nan]
    named = Recording.from_frame(odd, columns={"frame": "n", "id": "who", "x": "X1", "y": "Y1"})
    np.testing.assert_array_equal(named.positions().values, array)
    with pytest.raises(ValueError, match="allowed is columns id=who,x=X1,y=Y1"):
        Recording.from_frame(odd)


def test_refusals_of_recordings() -> None:
    array = walks(5, 4)
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: Recording.from_array(array[0]), r"shape \(4, 2\): allowed is \(frames"),
        (lambda: Recording.from_array(array[:, :, :1]), r"shape \(5, 4, 1\)"),
        (lambda: Recording.from_array(np.full((2, 2, 2), "a")), "of type"),
        (lambda: Recording.from_array(array, fps=0), "fps = 0: allowed is"),
        (lambda: Recording.from_array(array, fps=9, times=range(5)), "one of the two"),
        (lambda: Recording.from_array(array, times=range(4)), "one for each of 5 frames"),
        (lambda: Recording.from_array(array, times=[0, 1, 2, 2.4, 3]), "evenly"),
        (lambda: Recording.from_array(array, ids=[1, 2]), "2 ids: allowed is one for each of 4"),
        (lambda: Recording.from_array(array, ids=[1, 2, 3, -4]), "id -4: allowed is 0 or more"),
        (lambda: Recording.from_array(array, velocities=array[:3]), r"allowed is \(5, 4, 2\)"),
        (lambda: Recording.from_array(array, units="feet"), "units = 'feet': allowed is px, bl"),
        (lambda: Recording.from_array(array * np.inf), "positions"),
        (lambda: Recording.from_array(np.full((3, 2, 2), np.nan)), "positions"),
        (lambda: Recording.from_frame(pandas.DataFrame({"frame": [1], "x": [2.0]})), "y"),
        (lambda: Recording.from_frame(pandas.DataFrame([[1, 2]], columns=["x", "x"])), "twice"),
    ]
    for call, why in refused:
        with pytest.raises(ValueError, match=why) as refusal:
            call()
        assert "/tmp" not in str(refusal.value) and "\n" not in str(refusal.value)


def documented() -> dict[str, list[str]]:
    """The lines of the README that read other programs' files, by the file they name."""
    text = (Path(__file__).parents[1] / "README.md").read_text()
    (block,) = re.findall(r"```python\n(import h5py.*?)```", text, re.DOTALL)
    lines = [line for line in block.splitlines() if line and not line.startswith("#")]
    head, files = lines[:2], {}
    for line in lines[2:]:
        named = re.search(r'"([\w.]+\.(?:parquet|feather|h5|npy|sqlite))"', line)
        if named:
            files[named[1]] = [*head]
        files[list(files)[-1]].append(line)
    return files


DOCUMENTED = documented()


def write(name: str, array: Array) -> None:
    """A small file, as the program that it is of writes it, by the same library."""
    k, i = np.nonzero(~np.isnan(array[:, :, 0]))
    x, y = array[k, i].T
    table = pandas.DataFrame({"frame": k, "time": k / 30, "id": i, "x": x, "y": y})
    match name:
        case "fish.parquet":
            table.to_parquet(name)
        case "fish.feather":
            table.to_feather(name)
        case "sleap.h5":
            with h5py.File(name, "w") as file:
                # Nodes beside the first are elsewhere.
                nodes = np.stack([array, array + 1, array - 1], axis=1)
                file["tracks"] = nodes.transpose(2, 3, 1, 0)
                file["node_names"] = ["head", "body", "tail"]
        case "trajectories.npy":
            found = {
                "trajectories": array,
                "frames_per_second": 30,
                "body_length": 40.0,
                "setup_points": {},
                "version": "5.2.1",
            }
            np.save(name, np.array(found, dtype=object), allow_pickle=True)
        case "trajectories.h5":
            with h5py.File(name, "w") as file:
                file["trajectories"] = array
        case "hall.sqlite":
            hall = sqlite3.connect(name)
            hall.execute("CREATE TABLE metadata(key TEXT NOT NULL UNIQUE, value TEXT NOT NULL)")
            hall.executemany(
                "INSERT INTO metadata VALUES(?, ?)",
                [("version", "2"), ("fps", "30.0"), ("xmin", "0"), ("xmax", "1"), ("ymin", "0")],
            )
            hall.execute(
                "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL,"
                " pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL,"
                " ori_y REAL NOT NULL)"
            )
            rows = zip(*(column.tolist() for column in (k, i, x, y)))
            hall.executemany("INSERT INTO trajectory_data VALUES(?, ?, ?, ?, 1.0, 0.0)", rows)
            hall.commit()
            hall.close()
        case "hall.h5":
            kinds = [("id", "<i8"), ("frame", "<i8"), ("x", "<f8"), ("y", "<f8"), ("z", "<f8")]
            records = np.array(list(zip(i, k, x, y, x * 0 + 1.7)), dtype=kinds)
            with h5py.File(name, "w") as file:
                file.attrs["version"] = "1.0"
                data = file.create_dataset("trajectory", data=records)
                data.attrs["fps"] = 30.0
        case _:
            raise AssertionError(f"the README names {name}, which no test writes")


def test_every_format_has_its_line() -> None:
    assert len(DOCUMENTED) == 7


@pytest.mark.parametrize("name", DOCUMENTED)
def test_other_programs_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    array = walks()
    write(name, array)
    names: dict[str, Any] = {}
    exec("\n".join(DOCUMENTED[name]), names)
    found = names.get("fish") or names["people"]
    np.testing.assert_array_equal(found.positions().values, array)
    assert found.fps == 30
    is_table = name in ("fish.parquet", "fish.feather")
    assert found.units == (None if is_table else "m" if name.startswith("hall") else "px")


@pytest.mark.parametrize("name", ["hall.sqlite", "hall.h5"])
def test_pedpy_reads_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pedpy = pytest.importorskip("pedpy")
    monkeypatch.chdir(tmp_path)
    write(name, walks())
    load = (
        pedpy.load_trajectory_from_jupedsim_sqlite
        if name.endswith("sqlite")
        else pedpy.load_trajectory_from_ped_data_archive_hdf5
    )
    its = load(trajectory_file=Path(name))
    names: dict[str, Any] = {}
    exec("\n".join(DOCUMENTED[name]), names)
    mine = names["people"].to_pandas()
    ordered = its.data.sort_values(["frame", "id"])
    for column in ("frame", "id", "x", "y"):
        np.testing.assert_array_equal(mine[column], ordered[column])
    assert its.frame_rate == names["people"].fps


POND = """[flock]
boids = 60
dimensions = 2
dt = 0.05
steps = 40
[spawn]
speed = 1.0
[domain]
kind = "walled"
min = [0, 0]
max = [9, 9]
[agent]
max_speed = 2.0
[separation]
radius = 0.8
[alignment]
[cohesion]
radius = 1.5
"""


def pond(**settings: Any) -> wingbeat.Scene:
    return wingbeat.Scene(POND, {key.replace("__", "."): value for key, value in settings.items()})


def test_two_seeds_of_a_scene_are_alike_and_two_scenes_are_not() -> None:
    options: dict[str, Any] = {"runs": 12, "steps": 400, "average_from": 100, "workers": 2}
    alike = wingbeat.compare(pond(), pond(flock__seed=100), **options)
    assert len(alike) >= 9
    for name, row in alike.items():
        assert row.difference is not None and row.a is not None and row.b is not None
        assert row.a.moments == row.b.moments == 12 * 30
        # By the means of whole runs, which are independent; density is the same in all moments.
        means = [side.reshape(12, 30).mean(axis=1) for side in alike.samples(name)]
        error = np.sqrt(sum(side.var(ddof=1) / 12 for side in means))
        assert abs(means[1].mean() - means[0].mean()) < 3.5 * error + 1e-12, name
        assert row.difference.distance < 1 and row.difference.ks < 0.4, (name, row)
    slower = pond(agent__max_speed=0.5)
    apart = wingbeat.compare(pond(), slower, columns="mean_speed", runs=3)
    row = apart["mean_speed"]
    assert row.difference is not None and row.a is not None and row.b is not None
    assert (row.difference.cliffs_delta, row.difference.ks) == (-1.0, 1.0)
    # By the definition: how far values move, over the deviation of A or a twentieth of its mean.
    moved = (row.a.mean - row.b.mean) / max(row.a.sd, 0.05 * row.a.mean)
    assert row.difference.distance == pytest.approx(moved, rel=1e-9) and moved > 1


def test_a_and_b_change_places_with_the_sign() -> None:
    one, other = pond(), pond(alignment__weight=0.1, flock__seed=9)
    forth, back = (wingbeat.compare(*pair, runs=3) for pair in ((one, other), (other, one)))
    assert list(forth) == list(back) and len(forth) >= 9
    for name, row in forth.items():
        turned = back[name]
        np.testing.assert_equal((row.a, row.b), (turned.b, turned.a))
        assert row.difference is not None and turned.difference is not None
        for field in ("standardized_difference", "cliffs_delta"):
            assert getattr(row.difference, field) == -getattr(turned.difference, field), name
        assert row.difference.ks == pytest.approx(turned.difference.ks)
    # By brute force, over all pairs.
    a, b = forth.samples("polarization")
    pairs = np.sign(b[None, :] - a[:, None]).mean()
    found = forth["polarization"].difference
    assert found is not None and found.cliffs_delta == pytest.approx(pairs, abs=1e-12)


def test_a_scene_is_measured_as_the_recording_of_its_run() -> None:
    scene = pond(flock__seed=5)
    recording = scene.run(40, record=True).recording
    assert recording is not None
    # The state before the first step is in the recording, and not measured of runs.
    same = wingbeat.compare(recording, scene, every=1, average_from=(0, 0))
    assert len(same) >= 9 and same.radius == 1.5
    for name, row in same.items():
        assert row.a is not None and row.a.moments == 40, name
        np.testing.assert_equal(row.a, row.b)
        assert row.difference is not None and row.difference == (0, 0, 0, 0), name
    # By an array there is no box, and density is that of hulls.
    open_space = Recording.from_array(
        recording.positions().values, fps=20, velocities=recording.velocities().values, units="bl"
    )
    hulls = wingbeat.compare(open_space, scene.set("unit", "bl"), every=1, average_from=(0, 0))
    row = hulls["density"]
    assert row.a is not None and row.b is not None
    assert row.a.mean == pytest.approx(row.b.mean, rel=1e-6) and row.a.mean > 1.01 * 60 / 81
    assert any("in the convex hull on both sides" in note for note in hulls.notes)
    periodic = pond(domain__kind="periodic", unit="bl")
    left_out = wingbeat.compare(open_space, periodic, columns="density,polarization")
    assert list(left_out) == ["polarization"]
    assert any("density is left out" in note for note in left_out.notes)


def test_groups_are_those_within_a_radius() -> None:
    names = ["groups", "largest_group", "local_order"]
    result = pond().run(20, every=10, observe=names, radius=0.4, record=True)
    assert result.recording is not None
    its = result.recording.measure(names, radius=0.4)
    for name in names:
        np.testing.assert_array_equal(result[name], its[name])
        assert result.flock.measure(name, radius=0.4)[name] == its[name][-1]
    # Without one it is that of the scene's perception.
    usual = result.flock.measure("groups")["groups"]
    assert usual == result.flock.measure("groups", radius=1.5)["groups"] != its["groups"][-1]
    for radius in (0.0, -1.0, np.inf):
        with pytest.raises(ValueError, match="radius = .*: allowed is a length above 0"):
            result.flock.measure("groups", radius=radius)
        with pytest.raises(ValueError, match="radius = .*: allowed is a length above 0"):
            pond().run(5, observe="groups", radius=radius)


def test_two_units_are_refused() -> None:
    array = walks()
    px, m, cm, none = (
        Recording.from_array(array, fps=5, units=units) for units in ("px", "m", "cm", None)
    )
    with pytest.raises(ValueError, match="mean_speed.*lengths are px in A and m in B") as refusal:
        wingbeat.compare(px, m)
    # What the refusal allows works.
    named = re.search(r"columns='([^']+)'", str(refusal.value))
    assert named is not None
    assert set(wingbeat.compare(px, m, columns=named[1])) == {"polarization", "milling"}
    with pytest.raises(ValueError, match="of no stated unit in A and m in B"):
        wingbeat.compare(none, m, columns="mean_speed")
    with pytest.raises(ValueError, match="of no stated unit in A and of no stated unit in B"):
        wingbeat.compare(none, none, columns="groups", radius=3)
    # A scene is a side as any other.
    with pytest.raises(ValueError, match='px in A and of no stated unit in B.*unit = "px" says'):
        wingbeat.compare(px, pond(), columns="mean_speed")
    with pytest.raises(ValueError, match="of no stated unit in A and of no stated unit in B"):
        wingbeat.compare(none, pond(), columns="mean_speed")
    with pytest.raises(ValueError, match="px in A and m in B"):
        wingbeat.compare(px, pond(unit="m"), columns="mean_speed")
    in_pixels = wingbeat.compare(px, pond(unit="px"), columns="groups,mean_speed")
    assert (pond(unit="px").units, in_pixels["mean_speed"].unit) == ("px", "px/s")
    assert any("groups are those within 1.5" in note for note in in_pixels.notes)
    told = Recording.from_array(array / 100, fps=5, scale=100)
    assert wingbeat.compare(told, m, columns="mean_speed")["mean_speed"].unit == "m/s"
    in_cm = wingbeat.compare(cm, m, columns="mean_speed")["mean_speed"]
    assert in_cm.difference is not None and in_cm.difference.cliffs_delta == 1
    frames = Recording.from_array(array, units="m")
    with pytest.raises(ValueError, match="times are frame in A and s in B"):
        wingbeat.compare(frames, pond(unit="m"), columns="mean_speed")
    with pytest.raises(ValueError, match="times are frame in A and s in B"):
        wingbeat.compare(frames, m)
    assert "nearest_neighbor_distance" in wingbeat.compare(
        frames, m, columns="nearest_neighbor_distance"
    )


def test_refusals_of_compare() -> None:
    fish = Recording.from_array(walks(), units="m", fps=5)
    here = pond(unit="m")
    space: wingbeat.Scene = wingbeat.Scene("[flock]\nboids = 9\ndimensions = 3\n[cohesion]\n")
    refused: list[tuple[Any, dict[str, Any], str]] = [
        (space, {}, r"A is in 2-D, and B is in 3-D: .*the same \(flock.dimensions = 2 in B\)"),
        (here, {"runs": 0}, "runs = 0: allowed is a whole number, 1 to 10000"),
        (here, {"average_from": 40}, "average_from = 40: allowed is 0 to 39"),
        (here, {"average_from": (29, 0)}, "average_from = 29: .* below 29, the last frame"),
        (here, {"every": (1, 41)}, "every = 41: allowed is"),
        (here, {"radius": -1}, "radius = -1: allowed is a length above 0"),
        (here, {"columns": "order"}, "observable 'order': allowed is polarization"),
        (walks(), {}, "ndarray: allowed is a Recording"),
    ]
    for other, options, why in refused:
        with pytest.raises(ValueError, match=why):
            wingbeat.compare(fish, other, **options)


def test_tables_say_the_same() -> None:
    fish = Recording.from_array(walks(), units="px", fps=5)
    there = pond(unit="px")
    found = wingbeat.compare(fish, there, columns="polarization,mean_speed,groups", runs=2)
    assert list(found) == ["polarization", "mean_speed", "groups"]
    table, plain = found.to_pandas(), json.loads(json.dumps(found.to_dict()))
    row = found["mean_speed"]
    assert row.a is not None and row.unit == "px/s"
    assert table.loc["mean_speed", "a_mean"] == row.a.mean == plain["mean_speed"]["a"]["mean"]
    assert table.loc["mean_speed", "b_moments"] == 8
    shown = found._repr_html_()
    assert "mean_speed, px/s" in shown and shown.count("<tr>") == 7
    assert "2 runs, every 10 steps from 1 to 40" in repr(found)
    import matplotlib

    matplotlib.use("agg")
    figure = found.plot()
    labels = [axis.get_xlabel() for axis in figure.axes]
    assert labels == ["polarization", "mean speed (px/s)", "groups"]
    # All moments of a side are in its bins, and one legend says what the sides are.
    for axis in figure.axes:
        heights = [sum(bar.get_height() for bar in side) for side in axis.containers]
        assert heights == pytest.approx([1, 1])
    assert [len(legend.get_texts()) for legend in figure.legends] == [2]
    with pytest.raises(ValueError, match="columns = 'milling': allowed is at most 8 of polariz"):
        found.plot("milling")


#: A cohesive flock in open water, kept lively by noise.
LIVELY = """[flock]
boids = 40
dimensions = 2
steps = 300
dt = 0.05
[spawn]
spacing = 0.9
speed = 1.5
[domain]
kind = "open"
[agent]
max_speed = 2.5
min_speed = 0.8
max_force = 40.0
[separation]
weight = 8.0
radius = 0.9
[alignment]
weight = 1.2
radius = 2.0
[cohesion]
weight = 0.5
radius = 8.0
[drive.noise]
kind = "noise"
size = 20.0
interval = 0.05
"""
#: A fit of a few runs.
SMALL: dict[str, Any] = {
    "vary": {"alignment.weight": (0, 3), "cohesion.weight": (0.02, 2, "log")},
    "steps": 40,
    "searches": 2,
    "refits": 2,
    "points": 12,
    "runs": 2,
    "fresh_runs": 3,
}


def recorded(steps: int) -> Recording:
    recording = wingbeat.Scene(LIVELY, {"flock.seed": 77}).run(steps, record=True).recording
    assert recording is not None
    return recording


def test_points_are_spread_evenly() -> None:
    for keys, shift in ((1, 0), (2, 5), (3, 1), (3, 2), (6, 40)):
        points = np.array(_spread(keys, 64, shift))
        for key in range(keys):
            counts = np.histogram(points[:, key], bins=8, range=(0, 1))[0]
            assert counts.min() >= 5 and counts.max() <= 11, (keys, shift, key, counts)
    assert _spread(2, 3, 1) != _spread(2, 3, 2)


def test_a_rough_bowl_has_its_bottom_found() -> None:
    seen = []

    def bowl(point: tuple[float, ...]) -> float:
        a, b, c = point
        rough = 0.002 * np.sin(900 * a) * np.cos(700 * b)
        way = (a - 0.3) ** 2 + 4 * (b - 0.81) ** 2 + (c - 0.05) ** 2
        return float(np.sqrt(way) + rough)

    def many(points: list[tuple[float, ...]]) -> list[float]:
        seen.extend(points)
        return [bowl(point) for point in points]

    found = _search(many, lambda points: [bowl(point) for point in points], 3, 75, 1, None)
    assert len(seen) <= 75 and bowl(found) < 0.04
    np.testing.assert_allclose(found, (0.3, 0.81, 0.05), atol=0.03)
    assert all(0 <= place <= 1 for point in seen for place in point)


def test_luck_does_not_win_twice() -> None:
    # One point that is far off looks best at first.
    own = (0.9, 0.9)

    def value(point: tuple[float, ...]) -> float:
        return abs(point[0] - 0.2) + abs(point[1] - 0.3)

    def first(points: list[tuple[float, ...]]) -> list[float]:
        return [-1.0 if point == own else value(point) for point in points]

    def again(points: list[tuple[float, ...]]) -> list[float]:
        return [value(point) for point in points]

    assert _search(first, again, 2, 60, 3, own) != own


def test_a_flock_gives_away_what_made_it() -> None:
    guess = wingbeat.Scene(LIVELY, {"cohesion.weight": 2.0, "alignment.weight": 3.0})
    found = wingbeat.fit(
        guess,
        recorded(300),
        {"cohesion.weight": (0, 3), "alignment.weight": (0, 4)},
        target_from=100,
        average_from=100,
        searches=2,
        refits=2,
        points=24,
        runs=2,
        fresh_runs=8,
    )
    key = found.keys["cohesion.weight"]
    assert abs(key.fitted - 0.5) < 0.25 and key.before == 2.0, found
    assert 0 < key.standard_error < 0.5 * (key.high - key.low)
    # As near as two runs of one scene are to each other, and nearer by far than the guess.
    assert found.before is not None
    assert found.after.objective.mean < 2 * found.itself
    assert found.after.objective.mean < 0.2 * found.before.objective.mean
    # The scene has these values, here and as a file.
    again = wingbeat.Scene(found.toml)
    assert found.scene._native._number("cohesion.weight")[0] == key.fitted
    assert again.run(5).hash == found.scene.run(5).hash
    assert "cohesion.weight = " in found.toml and "standard error" in repr(found)
    assert found._repr_html_().count("<tr>") == 4 + len(found.after.distances)


def test_workers_change_no_number() -> None:
    target = recorded(40)
    one, three = (wingbeat.fit(LIVELY, target, workers=workers, **SMALL) for workers in (1, 3))
    assert one.to_dict() == three.to_dict() and one.runs_made == three.runs_made > 0
    other = wingbeat.fit(LIVELY, target, seed=2, **SMALL)
    assert other.values != one.values


def test_a_killed_fit_resumes(tmp_path: Path) -> None:
    target = recorded(40)
    target.save(tmp_path / "pond.wbr")
    target = wingbeat.read(tmp_path / "pond.wbr")
    (tmp_path / "pond.toml").write_text(LIVELY)
    scene, journal = str(tmp_path / "pond.toml"), tmp_path / "killed.runs"
    whole = wingbeat.fit(scene, target, journal=tmp_path / "whole.runs", **SMALL)
    script = (
        "import wingbeat\n"
        f"wingbeat.fit({scene!r}, wingbeat.read({str(tmp_path / 'pond.wbr')!r}),"
        f" journal={str(journal)!r}, **{SMALL!r})"
    )
    child = subprocess.Popen([sys.executable, "-c", script])
    begun = time.monotonic()

    def lines() -> list[bytes]:
        return journal.read_bytes().split(b"\n")[:-1] if journal.exists() else []

    while len(lines()) < 12 and time.monotonic() - begun < 60:
        time.sleep(0.001)
    child.send_signal(signal.SIGKILL)
    child.wait()
    kept = lines()
    assert 12 <= len(kept) < len((tmp_path / "whole.runs").read_bytes().split(b"\n")) - 1
    # The last line may be torn.
    with open(journal, "ab") as file:
        file.write(b'["torn", [1.0')
    resumed = wingbeat.fit(scene, target, journal=journal, **SMALL)
    assert resumed.to_dict() == whole.to_dict()
    assert resumed.runs_made == whole.runs_made - (len(kept) - 1)
    assert lines()[: len(kept)] == kept, "runs that were finished are not made again"
    assert sorted(lines()) == sorted((tmp_path / "whole.runs").read_bytes().split(b"\n")[:-1])
    # All of it is known now.
    assert wingbeat.fit(scene, target, journal=journal, **SMALL).runs_made == 0


def test_journals_of_anything_else_are_refused(tmp_path: Path) -> None:
    target, journal = recorded(40), tmp_path / "fit.runs"
    small = {**SMALL, "refits": 0, "searches": 1, "points": 4, "fresh_runs": 1, "runs": 1}
    found = wingbeat.fit(LIVELY, target, journal=journal, **small)
    assert np.isnan(found.itself) and np.isnan(found.keys["alignment.weight"].standard_error)
    before = journal.read_bytes()
    seeds = {json.loads(line.rpartition(b" ")[0])[0] for line in before.splitlines()[1:]}
    # A seed for the points, three for the second look, one to choose by and one to judge by.
    assert sorted({json.loads(name)[2] for name in seeds}) == [
        1_000_000, 1_000_001, 1_000_002, 1_000_003, 1_200_000, 1_201_000
    ]  # fmt: skip
    faster = recorded(41)
    for options, why in (
        ({"vary": {"separation.weight": (0, 9)}}, "keys"),
        ({"columns": "polarization"}, "columns"),
        ({"average_from": 20}, "average_from"),
        ({"every": 4}, "every"),
        ({"scene": wingbeat.Scene(LIVELY, {"separation.weight": 2})}, "scene"),
        ({"target": faster}, "recording"),
        ({"target_from": 10}, "recording"),
    ):
        settings = {"scene": LIVELY, "target": target, **small, **options}
        with pytest.raises(ValueError, match=f"another fit, which differs in .*{why}"):
            wingbeat.fit(journal=journal, **settings)
        assert journal.read_bytes() == before
    for other in ("a,b\n1,2\n", "mine", '{"a": 1}'):
        journal.write_text(other)
        for fresh in (False, True):
            with pytest.raises(ValueError, match="is no journal of a fit"):
                wingbeat.fit(LIVELY, target, journal=journal, fresh=fresh, **small)
        assert journal.read_text() == other


def test_no_damage_of_a_journal_goes_unseen(tmp_path: Path) -> None:
    target, path = recorded(40), tmp_path / "fit.runs"
    small = {**SMALL, "refits": 0, "searches": 1, "points": 4, "fresh_runs": 1, "runs": 1}
    found = wingbeat.fit(LIVELY, target, journal=path, **small)
    whole = path.read_bytes()
    head = json.loads(whole.split(b"\n")[0].rpartition(b" ")[0])
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        if place == len(whole) - 1:
            # Without its line break the last line is torn, and its run is made again.
            again = wingbeat.fit(LIVELY, target, journal=path, **small)
            assert again.to_dict() == found.to_dict() and again.runs_made == 1
        else:
            with pytest.raises(ValueError, match="line [0-9]+ is damaged|is no journal of a fit"):
                _Journal(path, head, False)
    path.write_bytes(damaged[:40])
    assert wingbeat.fit(LIVELY, target, journal=path, **small).to_dict() == found.to_dict()
    path.write_bytes(whole.replace(b"recording", b"recordinG"))
    again = wingbeat.fit(LIVELY, target, journal=path, fresh=True, **small)
    assert again.runs_made == found.runs_made and len(path.read_bytes()) == len(whole)


def test_refusals_of_fit() -> None:
    target = recorded(40)
    flat: wingbeat.Scene = wingbeat.Scene("[flock]\nboids = 9\ndimensions = 3\n[cohesion]\n")
    vary = {"cohesion.weight": (0, 2)}
    for options, why in (
        ({"vary": {"cohesion.weight": 2}}, r"two finite numbers, low below high"),
        ({"vary": {"cohesion.weight": (2, 1)}}, "low below high"),
        ({"vary": {"cohesion.weight": (0, np.inf)}}, "finite"),
        ({"vary": {"cohesion.weight": (0, 1, "log")}}, "above 0"),
        ({"vary": {"cohesion.wait": (0, 1)}}, "a key that takes any number between two"),
        ({"vary": {"flock.boids": (10, 20)}}, "a key that takes any number between two"),
        ({"vary": {"flock.dt": (0.1, 0.2)}}, "not flock.dt"),
        ({"vary": {}}, "0 keys: allowed is 1 to 8"),
        ({"vary": {"separation.radius": (-1, 1)}}, "separation.radius"),
        ({"target": pond()}, "target of type Scene: allowed is a Recording"),
        ({"scene": flat}, "in 2-D, and the scene in 3-D"),
        ({"searches": 0}, "searches = 0: allowed is a whole number, 1 to 100"),
        ({"runs": 251}, "runs = 251: allowed is a whole number, 1 to 250"),
        ({"refits": -1}, "refits = -1"),
        ({"points": 2}, "points = 2: allowed is a whole number, 3 to"),
        ({"average_from": 600}, "average_from = 600"),
        ({"every": 601}, "every = 601"),
        ({"target_from": 40}, "target_from = 40: allowed is a whole number below 40"),
        ({"columns": "groups"}, "groups"),
        ({"columns": "groups,milling"}, "columns = 'groups': allowed is columns with values"),
    ):
        settings: dict[str, Any] = {"scene": LIVELY, "target": target, "vary": vary, **options}
        with pytest.raises(ValueError, match=why):
            wingbeat.fit(**settings)


def test_ranges_come_from_the_scene() -> None:
    found = wingbeat.fit(
        LIVELY, recorded(40), ["cohesion.weight", "alignment.field_of_view"], steps=20,
        searches=1, refits=0, points=4, runs=1, fresh_runs=1,
    )  # fmt: skip
    # Four times the value, and the whole of what is allowed where that is not much.
    assert (found.keys["cohesion.weight"].low, found.keys["cohesion.weight"].high) == (0, 2)
    assert found.keys["alignment.field_of_view"].high == 360


def test_ctrl_c_ends_a_fit() -> None:
    import _thread
    import threading

    target = recorded(40)
    timer = threading.Timer(1.0, _thread.interrupt_main)
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        wingbeat.fit(
            wingbeat.Scene(LIVELY), target, {"cohesion.weight": (0, 1)}, steps=10**7, workers=2
        )
    timer.join()
    assert time.monotonic() - begun < 20, "runs that had begun ended too"


def test_real_fish_are_compared() -> None:
    """The recorded side of the table of docs/LITERATURE.md, and the guess."""
    if not FISH.exists():
        pytest.skip(f"{FISH} is not there: the recordings are not part of the project")
    fish = Recording.from_array(np.load(FISH), fps=32, units="px")
    start = str(FISH.with_name("zebrafish_100_start.csv").resolve())
    tank = wingbeat.Scene("round_tank", {"initial.file": start})
    found = wingbeat.compare(fish, tank, radius=150, runs=8, steps=300)
    for name, means, distance in (
        ("polarization", (0.678, 0.743), 1.107),
        ("milling", (0.366, 0.607), 3.329),
        ("mean_speed", (359.8, 399.8), 1.584),
        ("nearest_neighbor_distance", (102.5, 106.5), 0.773),
        ("correlation_length", (847.6, 884.2), 0.585),
        ("density", (3.69e-5, 3.70e-5), 1.994),
        ("groups", (26.65, 5.642), 6.851),
    ):
        row = found[name]
        assert row.a is not None and row.b is not None and row.difference is not None
        assert (row.a.mean, row.b.mean) == pytest.approx(means, rel=2e-3), name
        assert row.difference.distance == pytest.approx(distance, abs=6e-4), name
    assert found["mean_speed"].unit == "px/s"
