#!/usr/bin/env python3
"""The same job by Wingbeat and by programs that people analyse recordings with: wall time, CPU time
and peak memory of each.

    python3 benches/tools.py target/release/wingbeat FOLDER     FOLDER has zebrafish_100.npy and
                                                                pedestrians_bottleneck.txt

Needs numpy, scipy, trajectorytools, freud-analysis and pedpy; what is missing is left out. Each job
runs in a process of its own, which reads the file, computes and prints means over the frames; its
start and imports count. docs/PERFORMANCE.md has its results.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version

FPS = 32
TIMES = 100
AREA = "-0.4,0.5,0.4,1.3"


def fish_by_numpy(file, distances):
    """Polarization and mean speed by NumPy; who is nearest by `distances` of the positions in a
    frame."""
    import numpy

    places = numpy.load(file).astype(float)
    speeds = numpy.gradient(places, axis=0) * FPS
    sizes = numpy.linalg.norm(speeds, axis=2)
    heads = speeds / sizes[..., None]
    polarization = numpy.linalg.norm(numpy.nanmean(heads, axis=1), axis=1)
    near = [numpy.mean(distances(frame[~numpy.isnan(frame[:, 0])])) for frame in places]
    print(numpy.mean(polarization), numpy.mean(numpy.nanmean(sizes, axis=1)), numpy.mean(near))


def fish_by_scipy(file):
    from scipy.spatial import cKDTree

    fish_by_numpy(file, lambda here: cKDTree(here).query(here, k=2)[0][:, 1])


def fish_by_freud(file):
    import freud
    import numpy

    def distances(here):
        flat = numpy.pad(here.astype(numpy.float32), ((0, 0), (0, 1)))
        # An open plane is a box that is far larger.
        box = freud.box.Box.square(20000)
        found = freud.locality.AABBQuery(box, flat).query(
            flat, dict(num_neighbors=1, exclude_ii=True)
        )
        return found.toNeighborList().distances

    fish_by_numpy(file, distances)


def fish_by_trajectorytools(file):
    import numpy
    import trajectorytools as tt
    import trajectorytools.socialcontext as context

    # It fills what is missing by straight lines; there is no way around that here.
    tracks = tt.Trajectories.from_positions(numpy.load(file).astype(float))
    heads = tt.normalise(tracks.v)
    polarization = tt.norm(heads.mean(axis=1))
    near = []
    for frame in tracks.s:
        neighbor = context.neighbor_indices_in_frame(frame, 1)[:, 1]
        near.append(tt.norm(frame[neighbor] - frame).mean())
    print(polarization.mean(), tt.norm(tracks.v).mean() * FPS, numpy.mean(near))


def door_by_pedpy(file):
    import pedpy

    tracks = pedpy.load_trajectory_from_txt(trajectory_file=pathlib.Path(file))
    walkable = pedpy.WalkableArea([(-9, -9), (9, -9), (9, 9), (-9, 9)])
    x0, y0, x1, y1 = map(float, AREA.split(","))
    area = pedpy.MeasurementArea([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    cells = pedpy.compute_individual_voronoi_polygons(
        traj_data=tracks, walkable_area=walkable, cut_off=pedpy.Cutoff(radius=2, quad_segments=3)
    )
    density, _ = pedpy.compute_voronoi_density(individual_voronoi_data=cells, measurement_area=area)
    print(density.density.mean())


def run(name, command):
    """Runs a command, and tells how long it took, on how much of the CPU, and how much memory it
    had at most."""
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = child.communicate()
    seconds = time.perf_counter() - begun
    if child.returncode != 0:
        print(f"{name:<34} left out: {(err.strip().splitlines() or ['?'])[-1][:90]}", flush=True)
        return
    # What a job printed, and its own peak.
    values, used = out.strip().rsplit("\n", 1)
    cpu, peak = used.split()
    print(
        f"{name:<20} {seconds:8.2f} s {float(cpu):8.2f} CPU s {int(peak) / 1024:8.0f} MiB"
        f"   {values}",
        flush=True,
    )


def alone(arguments):
    """In a process of its own: one job, then its CPU seconds and its peak in KiB."""
    if arguments[0] == "--command":
        said = subprocess.run(arguments[1:], check=True, capture_output=True, text=True).stdout
        means = json.loads(said)["observables"]
        print(" ".join(str(means[name]["mean"]) for name in means))
        of = resource.RUSAGE_CHILDREN
    else:
        globals()[arguments[0]](arguments[1])
        of = resource.RUSAGE_SELF
    used = resource.getrusage(of)
    print(used.ru_utime + used.ru_stime, used.ru_maxrss)


def packages(*names):
    found = []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} (not here)")
    return ", ".join(found)


def main():
    wingbeat, folder = sys.argv[1:]
    own = [sys.executable, __file__, "--alone"]
    said = subprocess.run([wingbeat, "--version"], capture_output=True, text=True).stdout.strip()
    print(
        f"{said}; {packages('numpy', 'scipy', 'trajectorytools', 'freud-analysis', 'pedpy')};"
        f" Python {sys.version.split()[0]}"
    )
    import numpy

    with tempfile.TemporaryDirectory() as work:
        fish = os.path.join(work, "fish.npy")
        once = numpy.load(os.path.join(folder, "zebrafish_100.npy"))
        numpy.save(fish, numpy.concatenate([once] * TIMES))
        frames, individuals, _ = once.shape
        print(
            "\npolarization, mean speed, distance to the nearest:"
            f" {frames * TIMES} frames of {individuals} fish"
        )
        columns = "polarization,mean_speed,nearest_neighbor_distance"
        command = [wingbeat, "measure", fish, "--fps", str(FPS), "--columns", columns, "--json"]
        run("wingbeat measure", [*own, "--command", *command])
        for job in ["scipy", "freud", "trajectorytools"]:
            run(job, [*own, f"fish_by_{job}", fish])
    door = os.path.join(folder, "pedestrians_bottleneck.txt")
    print(f"\nVoronoi density in an area, cells cut at 2 m: {os.path.basename(door)}")
    command = [
        wingbeat, "measure", door, "--area=" + AREA, "--voronoi", "2", "--columns", "mean_speed",
        "--json",
    ]
    run("wingbeat measure", [*own, "--command", *command])
    run("pedpy", [*own, "door_by_pedpy", door])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--alone"]:
        alone(sys.argv[2:])
    elif len(sys.argv) == 3:
        main()
    else:
        sys.exit(__doc__)
