#!/usr/bin/env python3
"""What a step on many ranks costs: measured on 1 and 2 ranks, fitted, and drawn to a thousand
million boids.

    bench/scale.py measure PROGRAM > bench/measured.csv     a few minutes; nothing else should run
                                                            meanwhile
    bench/scale.py model [PICTURE.svg]                      fits bench/measured.csv, prints tables,
                                                            draws

PROGRAM is wingbeat-mpi in release. Needs Python alone. README.md of the crate explains the terms.
"""

import csv
import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

MEASURED = Path(__file__).with_name("measured.csv")
COLUMNS = ["scene", "boids", "ms_1", "ms_2", "told", "bytes", "writing", "waiting"]
SIZES = [(1_000, 2000), (16_000, 400), (62_500, 150), (250_000, 60), (500_000, 40), (1_000_000, 40)]
REPEATS = 3

# Assumptions about a cluster, where nothing here can be measured.
CORES_A_NODE = 64
NODE_BYTES_A_SECOND = 25e9  # 200 Gbit/s
OFF_NODE = 0.5  # of all messages
LATENCY = 3e-6  # of one hop of a collective call, seconds
CALLS = 5  # collective calls a step
IMBALANCE = 1.1  # the work of the rank that has most, when boundaries stay

# The flock that is drawn: space, filled evenly, with so many neighbors.
NEIGHBOURS = 20


def run(program, ranks, scene, boids, steps):
    mpirun = "mpirun --oversubscribe --allow-run-as-root --bind-to none -n".split()
    command = [
        *mpirun, str(ranks), program, "run", scene, "--boids", str(boids), "--steps", str(steps),
        "--json",
    ]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return report["ns_per_boid_step"] * report["boids"] * 1e-6, report["parts"]


def measure(program):
    out = csv.writer(sys.stdout)
    out.writerow(COLUMNS)
    for scene in ["shoal", "murmuration"]:
        for boids, steps in SIZES:
            ms = {}
            for ranks in (1, 2):
                runs = [run(program, ranks, scene, boids, steps) for _ in range(REPEATS)]
                ms[ranks], parts = statistics.median(time for time, _ in runs), runs[0][1]
            told = [f"{parts[name]:.4f}" for name in ("told", "bytes", "writing", "waiting")]
            out.writerow([scene, boids, f"{ms[1]:.3f}", f"{ms[2]:.3f}", *told])
            sys.stdout.flush()


def read():
    with MEASURED.open() as file:
        return [
            {k: v if k == "scene" else float(v) for k, v in row.items()}
            for row in csv.DictReader(file)
        ]


def fit(rows):
    """Nanoseconds of an own boid (steering and all, largest flock) and of one that is told (least
    squares of what writing takes)."""
    last = rows[-1]
    own = last["ms_2"] * 1e6 * (1 - last["writing"] - last["waiting"]) / (last["boids"] / 2)
    # What writing takes, in parts of itself: a relative fit of a·own + b·told.
    sxx = sxy = syy = sx = sy = 0.0
    for row in rows[1:]:
        took = row["writing"] * row["ms_2"] * 1e6
        x, y = row["boids"] / 2 / took, row["told"] * row["boids"] / 2 / took
        sxx, sxy, syy, sx, sy = sxx + x * x, sxy + x * y, syy + y * y, sx + x, sy + y
    det = sxx * syy - sxy * sxy
    scan, told = (sx * syy - sy * sxy) / det, (sy * sxx - sx * sxy) / det
    if scan < 0:
        scan, told = 0.0, sy / syy
    return own, scan, told


def tiles(ranks):
    """Bands and parts of a band, as square as may be."""
    bands = max(1, round(math.sqrt(ranks)))
    return bands, ranks / bands


def predict(boids, ranks, constants, words=7):
    """Milliseconds of a step, and its parts, one rank a core."""
    own, scan, told = constants
    side = boids ** (1 / 3)
    radius = (3 * NEIGHBOURS / (4 * math.pi)) ** (1 / 3)
    bands, of_band = tiles(ranks)
    z, y = side / bands, side / of_band
    around = 0 if ranks == 1 else side * (2 * radius * (z + y) + 4 * radius * radius)
    # No rank has more ghosts than there are boids.
    around = min(around, boids - boids / ranks)
    n = boids / ranks
    compute = own * n * (IMBALANCE if ranks > 1 else 1)
    surface = (scan * n + (told + 0.15 * own) * around) if ranks > 1 else 0
    node = min(ranks, CORES_A_NODE)
    wire = (
        around * 4 * words * node * (OFF_NODE if ranks > CORES_A_NODE else 0)
        / NODE_BYTES_A_SECOND * 1e9
    )
    latency = CALLS * LATENCY * 1e9 * math.log2(ranks) if ranks > 1 else 0
    return [ns * 1e-6 for ns in (compute, surface, wire, latency)], around / n


def efficiency(boids, ranks, constants):
    return constants[0] * boids * 1e-6 / ranks / sum(predict(boids, ranks, constants)[0])


def draw(constants, path):
    width, height, left, bottom, top = 640, 360, 56, 44, 20
    x = lambda ranks: left + (width - left - 150) * math.log10(ranks) / 4
    y = lambda part: height - bottom - (height - bottom - top) * part
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for power in range(5):
        at = x(10**power)
        parts.append(f'<path d="M{at:.1f} {y(0):.1f}V{y(1):.1f}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{at:.1f}" y="{y(0) + 16:.1f}" text-anchor="middle">{10**power:,}</text>'
        )
    for tenth in range(0, 11, 2):
        parts.append(f'<path d="M{left} {y(tenth / 10):.1f}H{x(1e4):.1f}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{left - 6}" y="{y(tenth / 10) + 4:.1f}" text-anchor="end">'
            f'{tenth * 10} %</text>'
        )
    colors = {6: "#1b6ca8", 7: "#2a9d63", 8: "#c77d0a", 9: "#b3282d"}
    for power, color in colors.items():
        ranks = [10 ** (step / 20) for step in range(81)]
        points = [
            (x(r), y(efficiency(10**power, round(r), constants)))
            for r in ranks
            if 10**power / r >= 2000
        ]
        parts.append(
            f'<polyline fill="none" stroke="{color}" stroke-width="2"'
            f' points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>'
        )
        a, b = points[-1]
        parts.append(
            f'<text x="{a + 6:.1f}" y="{b + 4:.1f}" fill="{color}">'
            f'10{"⁶⁷⁸⁹"[power - 6]} boids</text>'
        )
    parts.append(
        f'<text x="{(left + x(1e4)) / 2:.1f}" y="{height - 8}" text-anchor="middle">'
        'cores, a rank each</text>'
    )
    parts.append(
        f'<text x="{left}" y="{top - 6}">speed a core, in parts of that of one</text></svg>'
    )
    Path(path).write_text("\n".join(parts) + "\n")


def model(picture):
    rows = read()
    for scene, name in [("shoal", "2-D"), ("murmuration", "3-D")]:
        of = [row for row in rows if row["scene"] == scene]
        own, scan, told = fit(of)
        print(
            f"{name}: {own:.0f} ns an own boid, {scan:.2f} ns to look whether it is near others,"
            f" {told:.0f} ns a boid that is told"
        )
        for row in of:
            strong = row["ms_1"] / (2 * row["ms_2"])
            print(
                f"  {row['boids']:>9,.0f} boids  {row['ms_1']:8.3f} ms on 1 rank"
                f"  {row['ms_2']:8.3f} ms on 2  strong {strong:.2f}"
            )
        half, whole = of[-2], of[-1]
        print(f"  weak, 500,000 a rank: {half['ms_1'] / whole['ms_2']:.2f}")
    constants = fit([row for row in rows if row["scene"] == "murmuration"])
    print(
        "\nboids, cores: ghosts per own boid; ms of steering, surfaces, wire, latency; a step;"
        " speed a core"
    )
    for boids in (1e6, 1e7, 1e8, 1e9):
        for ranks in (1, 64, 1000, 10000):
            if boids / ranks < 2000:
                continue
            parts, around = predict(boids, ranks, constants)
            told = " ".join(f"{ms:9.3f}" for ms in parts)
            print(
                f"10^{math.log10(boids):.0f} {ranks:6d}  {around:6.1%}  {told}"
                f"  {sum(parts):10.2f} ms  {efficiency(boids, ranks, constants):4.0%}"
            )
    if picture:
        draw(constants, picture)


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"] and len(sys.argv) == 3:
        measure(sys.argv[2])
    elif sys.argv[1:2] == ["model"] and len(sys.argv) <= 3:
        model(sys.argv[2] if len(sys.argv) == 3 else None)
    else:
        sys.exit(__doc__)
