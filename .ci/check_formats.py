#!/usr/bin/env python3
"""Reads recordings with other people's readers and compares them with each other, bit for bit.

    python3 .ci/check_formats.py target/release/wingbeat

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
    run = lambda *args: subprocess.run(
        [wingbeat, *args], check=True, stdout=subprocess.DEVNULL, cwd=folder
    )
    scene = [
        "shoal" if dimensions == 2 else "murmuration", "--boids", "500", "--steps", "20",
        "--every", "4",
    ]
    for kind in ["npz", "csv", "xyz", "vtp", "ply", "wbr"]:
        run("run", *scene, "--record", f"a.{kind}")
    run("convert", "a.wbr", "b.npz")

    arrays = numpy.load(path("a.npz"))
    position, velocity, ids, time = (
        arrays[name] for name in ["position", "velocity", "id", "time"]
    )
    assert position.shape == velocity.shape == (6, 500, dimensions), position.shape
    assert position.dtype == velocity.dtype == numpy.float32 and time.dtype == numpy.float64
    assert ids.tolist() == list(range(500)) and numpy.all(numpy.diff(time) > 0)
    assert numpy.isfinite(position).all() and numpy.abs(position[5] - position[0]).max() > 0

    again = numpy.load(path("b.npz"))
    for name in arrays.files:
        same(f".wbr {name}", again[name], arrays[name])

    table = pandas.read_csv(path("a.csv")).sort_values(["frame", "id"])
    of = lambda names: (
        table[names[:dimensions]].to_numpy().astype(numpy.float32).reshape(position.shape)
    )
    same(".csv position", of(AXES), position)
    same(".csv velocity", of(VELOCITIES), velocity)
    assert numpy.array_equal(table["time"].to_numpy().reshape(6, 500)[:, 0], time), (
        "the .csv has other times"
    )

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


def check_species(wingbeat, folder):
    """Species of hunters and prey, in every format; some prey are captured on the way."""
    path = lambda name: os.path.join(folder, name)
    run = lambda *args: subprocess.run(
        [wingbeat, *args], check=True, stdout=subprocess.DEVNULL, cwd=folder
    )
    for kind in ["npz", "csv", "xyz", "vtp", "ply", "wbr"]:
        run("run", "hunter_prey", "--steps", "200", "--every", "100", "--record", f"h.{kind}")
    arrays = numpy.load(path("h.npz"))
    ids, species, known = arrays["id"], arrays["species"], arrays["species_names"].tolist()
    assert (
        known == ["prey", "hunter"] and species.dtype == numpy.uint8 and species.shape == ids.shape
    ), (known, species)
    names = dict(zip(ids.tolist(), arrays["species_names"][species].tolist()))
    living = [ids[numpy.isfinite(frame[:, 0])].tolist() for frame in arrays["position"]]
    assert (
        len(living) == 3
        and len(living[2]) < len(living[0])
        and 0 < list(names.values()).count("hunter") < len(names) / 2
    )

    def compare(name, found):
        if found != [[names[i] for i in alive] for alive in living]:
            sys.exit(f"{name} species: differ from those of the .npz")
        print(f"  {name} species: {[len(frame) for frame in found]} equal")

    table = pandas.read_csv(path("h.csv"))
    assert list(table.columns)[:4] == ["frame", "time", "id", "species"], table.columns
    compare(".csv", [part["species"].tolist() for _, part in table.groupby("frame")])
    reader = pyvista.get_reader(path("h.pvd"))
    meshes = []
    for k in range(3):
        reader.set_active_time_point(k)
        meshes.append(reader.read()[0])
    assert all(mesh["species"].dtype == numpy.uint8 for mesh in meshes)
    listed = [mesh.field_data["species_names"] for mesh in meshes]
    compare(".vtp", [[list_[i] for i in mesh["species"]] for mesh, list_ in zip(meshes, listed)])
    files = [plyfile.PlyData.read(path(f"h_{k:06}.ply")) for k in range(3)]
    assert all(
        "species 0 prey" in file.comments and "species 1 hunter" in file.comments for file in files
    )
    compare(".ply", [[known[i] for i in file["vertex"]["species"]] for file in files])
    compare(
        ".xyz", [atoms.arrays["type"].tolist() for atoms in ase.io.read(path("h.xyz"), index=":")]
    )
    for kind in ["wbr", "csv", "xyz"]:
        run("convert", f"h.{kind}", "back.npz")
        again = numpy.load(path("back.npz"))
        assert (
            dict(zip(again["id"].tolist(), again["species_names"][again["species"]].tolist()))
            == names
        ), kind


def main():
    wingbeat = os.path.abspath(sys.argv[1])
    for dimensions in [2, 3]:
        print(f"{dimensions}-D")
        with tempfile.TemporaryDirectory() as folder:
            check(wingbeat, folder, dimensions)
    print("species")
    with tempfile.TemporaryDirectory() as folder:
        check_species(wingbeat, folder)
    print("every format holds the same numbers")


main()
