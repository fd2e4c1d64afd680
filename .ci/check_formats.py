#!/usr/bin/env python3
"""Reads recordings with other people's readers and compares them with each other, bit for bit.

    python3 .ci/check_formats.py target/release/wingbeat
    python3 .ci/check_formats.py target/debug/wingbeat tables     the same of .parquet and .arrow alone, which pandas reads by pyarrow

Needs what .ci/requirements.txt lists.
"""

import os
import subprocess
import sys
import tempfile

import ase.io
import numpy
import pandas
import plyfile
import pyvista

AXES = ["x", "y", "z"]
VELOCITIES = ["vx", "vy", "vz"]


def same(name, one, other):
    """Equal to the last bit, NaN included."""
    one, other = numpy.asarray(one, numpy.float32), numpy.asarray(other, numpy.float32)
    if one.shape != other.shape or not numpy.array_equal(one, other, equal_nan=True):
        sys.exit(f"{name}: differs from the .npz")
    print(f"  {name}: {one.shape} equal")


def wide(columns):
    """Two axes as three: files of space hold a plane at z = 0."""
    return numpy.pad(columns, ((0, 0), (0, 3 - columns.shape[1])))


def check(wingbeat, folder, dimensions):
    path = lambda name: os.path.join(folder, name)
    run = lambda *args: subprocess.run([wingbeat, *args], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    scene = ["shoal" if dimensions == 2 else "murmuration", "--boids", "500", "--steps", "20", "--every", "4"]
    for kind in ["npz", "csv", "xyz", "vtp", "ply", "wbr"]:
        run("run", *scene, "--record", f"a.{kind}")
    run("convert", "a.wbr", "b.npz")

    arrays = numpy.load(path("a.npz"))
    position, velocity, ids, time = (arrays[name] for name in ["position", "velocity", "id", "time"])
    assert position.shape == velocity.shape == (6, 500, dimensions), position.shape
    assert position.dtype == velocity.dtype == numpy.float32 and time.dtype == numpy.float64
    assert ids.tolist() == list(range(500)) and numpy.all(numpy.diff(time) > 0)
    assert numpy.isfinite(position).all() and numpy.abs(position[5] - position[0]).max() > 0

    again = numpy.load(path("b.npz"))
    for name in arrays.files:
        same(f".wbr {name}", again[name], arrays[name])

    table = pandas.read_csv(path("a.csv")).sort_values(["frame", "id"])
    of = lambda names: table[names[:dimensions]].to_numpy().astype(numpy.float32).reshape(position.shape)
    same(".csv position", of(AXES), position)
    same(".csv velocity", of(VELOCITIES), velocity)
    assert numpy.array_equal(table["time"].to_numpy().reshape(6, 500)[:, 0], time), "the .csv has other times"

    reader = pyvista.get_reader(path("a.pvd"))
    assert reader.time_values == time.tolist(), reader.time_values
    for k in range(len(time)):
        reader.set_active_time_point(k)
        mesh = reader.read()[0]
        same(f".vtp frame {k} position", mesh.points, wide(position[k]))
        same(f".vtp frame {k} velocity", mesh["velocity"], wide(velocity[k]))
        assert mesh["id"].tolist() == ids.tolist() and mesh.n_verts == 500

    for k in range(len(time)):
        vertices = plyfile.PlyData.read(path(f"a_{k:06}.ply"))["vertex"]
        columns = lambda names: numpy.stack([vertices[name] for name in names], axis=1)
        same(f".ply frame {k} position", columns(AXES), wide(position[k]))
        same(f".ply frame {k} velocity", columns(VELOCITIES), wide(velocity[k]))
        assert vertices["id"].tolist() == ids.tolist()

    frames = ase.io.read(path("a.xyz"), index=":")
    assert len(frames) == len(time)
    for k, atoms in enumerate(frames):
        same(f".xyz frame {k} position", atoms.get_positions(), wide(position[k]))
        same(f".xyz frame {k} velocity", atoms.arrays["velo"], wide(velocity[k]))
        assert atoms.arrays["id"].tolist() == ids.tolist() and atoms.info["Time"] == time[k]


def check_tables(wingbeat, folder, dimensions):
    path = lambda name: os.path.join(folder, name)
    run = lambda *args: subprocess.run([wingbeat, *args], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    scene = ["shoal" if dimensions == 2 else "murmuration", "--boids", "200", "--steps", "8", "--every", "4"]
    run("run", *scene, "--record", "a.npz")
    arrays = numpy.load(path("a.npz"))
    for kind, read in [("parquet", pandas.read_parquet), ("arrow", pandas.read_feather)]:
        run("run", *scene, "--record", f"a.{kind}")
        table = read(path(f"a.{kind}"))
        assert list(table.columns) == ["frame", "time", "id", *AXES[:dimensions], *VELOCITIES[:dimensions]], table.columns
        assert (table[AXES[:dimensions]].dtypes == numpy.float32).all()
        of = lambda names: table[names[:dimensions]].to_numpy().reshape(arrays["position"].shape)
        same(f".{kind} position", of(AXES), arrays["position"])
        same(f".{kind} velocity", of(VELOCITIES), arrays["velocity"])
        assert table["time"].to_numpy()[:: len(arrays["id"])].tolist() == arrays["time"].tolist()
        assert table["id"].to_numpy()[: len(arrays["id"])].tolist() == arrays["id"].tolist()
        # Written by pandas, read by us.
        write = table.to_parquet if kind == "parquet" else table.to_feather
        write(path(f"pandas.{kind}"))
        run("convert", f"pandas.{kind}", "back.npz")
        again = numpy.load(path("back.npz"))
        same(f".{kind} of pandas", again["position"], arrays["position"])


def main():
    wingbeat = os.path.abspath(sys.argv[1])
    only_tables = sys.argv[2:] == ["tables"]
    for dimensions in [2, 3]:
        print(f"{dimensions}-D")
        with tempfile.TemporaryDirectory() as folder:
            (check_tables if only_tables else check)(wingbeat, folder, dimensions)
    print("every format holds the same numbers")


main()
