#!/usr/bin/env python3
"""Fills gaps and smooths tracks with SciPy, and compares what `wingbeat measure` says of the same
tracks.

    python3 .ci/check_tracks.py target/release/wingbeat [FILE.npy]

FILE.npy holds positions in the plane [frames, individuals, 2], NaN where no individual is seen;
without one, tracks are made up. Mean speeds and distances to nearest neighbors of each frame have
to agree to 1e-10 of their size. Needs numpy and scipy of .ci/requirements.txt.
"""

import csv
import os
import subprocess
import sys
import tempfile

import numpy
from scipy.interpolate import CubicHermiteSpline, KroghInterpolator
from scipy.signal import savgol_filter
from scipy.spatial import cKDTree

FPS = 32.0
NEAR = 1e-10


def made_up():
    """Noisy ways of 20 individuals, with gaps of all lengths."""
    draw = numpy.random.default_rng(1)
    ways = numpy.cumsum(draw.normal(size=(400, 20, 2)), axis=0) * 3 + draw.uniform(
        0, 500, size=(1, 20, 2)
    )
    for individual in range(20):
        for start in draw.integers(0, 400, 12):
            ways[start : start + draw.integers(1, 15), individual] = numpy.nan
    return ways


def slope(times, places, at):
    """Of the parabola through three positions, or None where there are no three."""
    return None if len(times) < 3 else KroghInterpolator(times, places).derivative(at)


def filled(track, most):
    """One track with gaps of up to `most` positions filled."""
    known = numpy.flatnonzero(~numpy.isnan(track[:, 0]))
    result = track.copy()
    for k in range(len(known) - 1):
        start, end = known[k], known[k + 1]
        if not 1 < end - start <= most + 1:
            continue
        first = slope(known[k - 1 : k + 2], track[known[k - 1 : k + 2]], start) if k > 0 else None
        last = slope(known[k : k + 3], track[known[k : k + 3]], end)
        chord = (track[end] - track[start]) / (end - start)
        if first is None and last is None:
            first = last = chord
        elif first is None:
            first = 2 * chord - last
        elif last is None:
            last = 2 * chord - first
        inside = numpy.arange(start + 1, end)
        result[inside] = CubicHermiteSpline(
            [start, end], [track[start], track[end]], [first, last]
        )(inside)
    return result


def stretches(track):
    """First and last + 1 of what is unbroken."""
    seen = numpy.concatenate([[False], ~numpy.isnan(track[:, 0]), [False]])
    return numpy.flatnonzero(seen[1:] != seen[:-1]).reshape(-1, 2)


def smoothed(track, window, order):
    """Positions and velocities of one track."""
    places, speeds = track.copy(), numpy.full_like(track, numpy.nan)
    for start, end in stretches(track):
        part = track[start:end]
        if window and len(part) >= window:
            places[start:end] = savgol_filter(part, window, order, axis=0, mode="interp")
            speeds[start:end] = savgol_filter(part, window, order, deriv=1, axis=0, mode="interp")
        elif len(part) > 1:
            speeds[start:end] = numpy.gradient(part, axis=0)
    return places, speeds * FPS


def compare(wingbeat, file, folder, most, window, order):
    ways = numpy.load(file).astype(float)
    tracks = [filled(ways[:, i], most) for i in range(ways.shape[1])]
    both = [smoothed(track, window, order) for track in tracks]
    places, speeds = (numpy.stack([pair[k] for pair in both], axis=1) for k in (0, 1))
    out = os.path.join(folder, "observed.csv")
    options = (["--fill-gaps", str(most)] if most else []) + (
        ["--smooth", f"{window},{order}"] if window else []
    )
    command = [wingbeat, "measure", file, "--fps", str(FPS), "--observe", out, *options]
    subprocess.run(
        command + ["--columns", "mean_speed,nearest_neighbor_distance"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    worst = 0.0
    rows = list(csv.DictReader(open(out)))
    for row in rows:
        frame = int(row["frame"])
        here = places[frame][~numpy.isnan(places[frame][:, 0])]
        speed = numpy.nanmean(numpy.linalg.norm(speeds[frame], axis=1))
        distance = cKDTree(here).query(here, k=2)[0][:, 1].mean()
        if int(row["individuals"]) != len(here):
            sys.exit(f"frame {frame}: {row['individuals']} individuals, not {len(here)}")
        for name, wanted in [("mean_speed", speed), ("nearest_neighbor_distance", distance)]:
            worst = max(worst, abs(float(row[name]) - wanted) / wanted)
    said = " ".join(options) or "as they are"
    print(f"  {os.path.basename(file)}, {said}: {len(rows)} frames agree to {worst:.1e}")
    if worst > NEAR:
        sys.exit(f"{said}: differs from SciPy by {worst:.1e}, allowed is {NEAR}")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        file = sys.argv[2] if len(sys.argv) == 3 else os.path.join(folder, "made_up.npy")
        if len(sys.argv) == 2:
            numpy.save(file, made_up())
        for most, window, order in [
            (0, 0, 0),
            (1, 0, 0),
            (15, 0, 0),
            (0, 5, 2),
            (0, 11, 3),
            (5, 7, 3),
            (15, 21, 5),
        ]:
            compare(sys.argv[1], file, folder, most, window, order)


main()
