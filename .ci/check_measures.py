"""Observables and curves of real recordings, against code written for this with NumPy, SciPy and
PedPy.

    check_measures.py WINGBEAT DATA

DATA is the folder of the recordings. Every number has to agree to 1e-10 of the largest in its
column, those of PedPy to 1e-6. The definitions are those of docs/MEASURES.md; nothing of the
program is used but the files that it writes.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull, cKDTree

EXACT = 1e-10
PEDPY = 1e-6
BINS = 64
CELLS = 40


def table(path):
    """Columns of a file by name; empty cells are NaN."""
    with open(path, newline="") as lines:
        rows = list(csv.reader(lines))
    return {
        name: np.array([float(row[i]) if row[i] else np.nan for row in rows[1:]])
        for i, name in enumerate(rows[0])
    }


def agree(what, got, wanted, allowed=EXACT):
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    if got.shape != wanted.shape:
        sys.exit(f"{what}: {got.shape} values, wanted {wanted.shape}")
    if not np.array_equal(np.isnan(got), np.isnan(wanted)):
        sys.exit(f"{what}: other values are missing")
    known = ~np.isnan(wanted)
    scale = np.abs(wanted[known]).max() if known.any() else 1.0
    error = np.abs(got[known] - wanted[known]).max() / (scale or 1.0) if known.any() else 0.0
    print(f"  {what:<34}{known.sum():>8} values, largest difference {error:.1e}")
    if not error <= allowed:
        worst = np.nanargmax(np.abs(got - wanted))
        sys.exit(f"{what}: {got.flat[worst]!r}, wanted {wanted.flat[worst]!r}")
    if not known.any():
        sys.exit(f"{what}: nothing to compare")


def differences(positions, fps):
    """Central differences inside unbroken stretches, one-sided ones at their ends."""
    count = len(positions)
    velocities = np.full(positions.shape, np.nan)
    seen = ~np.isnan(positions[..., 0])
    for t in range(count):
        before = seen[t - 1] if t > 0 else np.zeros(seen.shape[1], bool)
        after = seen[t + 1] if t + 1 < count else np.zeros(seen.shape[1], bool)
        both, only_before, only_after = (
            seen[t] & before & after,
            seen[t] & before & ~after,
            seen[t] & ~before & after,
        )
        if t + 1 < count:
            velocities[t, both] = (positions[t + 1, both] - positions[t - 1, both]) / (2 / fps)
            velocities[t, only_after] = (
                positions[t + 1, only_after] - positions[t, only_after]
            ) * fps
        velocities[t, only_before] = (
            positions[t, only_before] - positions[t - 1, only_before]
        ) * fps
    return velocities


def unit(v):
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.where(length < 1e-15, 0.0, v / np.where(length < 1e-15, 1.0, length))


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def correlation_length(x, v):
    fluctuation = v - v.mean(0)
    first, second = np.triu_indices(len(x), 1)
    distance = np.linalg.norm(x[second] - x[first], axis=1)
    product = (fluctuation[first] * fluctuation[second]).sum(1)
    reach = np.linalg.norm(x.max(0) - x.min(0))
    width = reach / 32
    place = np.minimum((distance / width).astype(int), 31)
    last = (0.0, 1.0)
    for k in range(32):
        inside = place == k
        if not inside.any():
            continue
        here = ((k + 0.5) * width, product[inside].mean() / (fluctuation**2).sum(1).mean())
        if here[1] <= 0:
            return last[0] + (here[0] - last[0]) * last[1] / (last[1] - here[1])
        last = here
    return np.nan


def observables(x, v, radius):
    """Of one moment: the row of --observe, and each individual's own numbers."""
    known = ~np.isnan(v[:, 0])
    xk, vk = x[known], v[known]
    count = len(vk)
    heading, arm = unit(vk), xk - x.mean(0)
    near, _ = cKDTree(x).query(x, 2)
    pairs = cKDTree(x).query_pairs(radius, output_type="ndarray")
    graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(x), len(x)))
    _, label = connected_components(graph, directed=False)
    sizes = np.bincount(label)
    ahead = np.where(known[:, None], unit(np.nan_to_num(v)), 0.0)
    within = (np.linalg.norm(x[:, None] - x[None], axis=2) <= radius) & known
    order = np.linalg.norm(within @ ahead, axis=1) / within.sum(1)
    order[~known] = np.nan
    row = {
        "polarization": np.linalg.norm(heading.sum(0)) / count,
        "milling": abs(cross(unit(arm), heading).sum()) / count,
        "angular_momentum": abs(cross(arm, vk).sum()) / count,
        "mean_speed": np.linalg.norm(vk, axis=1).mean(),
        "nearest_neighbor_distance": near[:, 1].mean(),
        "correlation_length": correlation_length(xk, vk),
        "density": len(x) / ConvexHull(x).volume,
        "groups": len(sizes),
        "largest_group": sizes.max(),
        "local_order": np.nanmean(order),
    }
    each = {
        "speed": np.linalg.norm(v, axis=1),
        "nearest_neighbor_distance": near[:, 1],
        "group_size": sizes[label],
        "local_order": order,
    }
    return row, each


def turns(before, now, interval):
    angle = np.arctan2(cross(before, now), (before * now).sum(-1))
    rests = (np.linalg.norm(before, axis=-1) < 1e-15) | (np.linalg.norm(now, axis=-1) < 1e-15)
    return np.where(rests, np.nan, angle) / interval


def box(x):
    return (x.max(0) - x.min(0)) * (len(x) + 1) / (len(x) - 1)


def pair_correlation(frames):
    """g(r) by definition, the reach by that of the first frame."""
    first = frames[0]
    side = box(first)
    reach = min(8 * np.sqrt(side.prod() / len(first)), side.min() / 2)
    edges = np.linspace(0, reach, BINS + 1)
    sums, moments = np.zeros(BINS), np.zeros(BINS)
    for x in frames:
        side = box(x)
        way = x[None] - x[:, None]
        distance = np.linalg.norm(way, axis=2)
        inside = (distance <= reach) & ~np.eye(len(x), dtype=bool)
        left = (side - np.abs(way[inside])).prod(1)
        weight = np.where(left > 0, 1 / np.where(left > 0, left, 1), 0)
        place = np.minimum((distance[inside] / reach * BINS).astype(int), BINS - 1)
        found = np.bincount(place, weight, BINS)
        area = np.pi * (edges[1:] ** 2 - edges[:-1] ** 2)
        counts = edges[1:] <= side.min()
        sums[counts] += (side.prod() ** 2 * found / (len(x) * (len(x) - 1) * area))[counts]
        moments[counts] += 1
    return reach, sums / moments


def neighbor_map(frames, velocities, reach):
    seen, lookers = np.zeros((CELLS, CELLS)), 0
    for x, v in zip(frames, velocities):
        looks = ~np.isnan(v[:, 0]) & (np.linalg.norm(v, axis=1) >= 1e-15)
        heading = unit(v[looks])
        way = x[None] - x[looks][:, None]
        other = np.arange(len(x))[None] != np.flatnonzero(looks)[:, None]
        ahead, left = (way * heading[:, None]).sum(2), cross(heading[:, None], way)
        row = np.floor((ahead[other] + reach) * CELLS / (2 * reach))
        column = np.floor((left[other] + reach) * CELLS / (2 * reach))
        inside = (row >= 0) & (row < CELLS) & (column >= 0) & (column < CELLS)
        np.add.at(seen, (row[inside].astype(int), column[inside].astype(int)), 1)
        lookers += looks.sum()
    return seen, seen / (lookers * (2 * reach / CELLS) ** 2)


def over_time(positions, velocities, lags):
    """Mean squared displacement and velocity autocorrelation, over all individuals and moments."""
    displacement, correlation = [], []
    for lag in range(lags + 1):
        way = positions[lag:] - positions[: len(positions) - lag]
        displacement.append(np.nanmean((way**2).sum(2)))
        then, now = velocities[: len(velocities) - lag], velocities[lag:]
        product = (then * now).sum(2)
        known = ~np.isnan(product)
        correlation.append(product[known].sum() / (then**2).sum(2)[known].sum())
    return displacement, correlation


def delays(velocities, lags, interval):
    """For every pair: the leader, its delay, and how far headings agree at that delay."""
    heading = np.nan_to_num(unit(velocities))
    there = np.linalg.norm(heading, axis=2) > 0.5
    length = len(heading)
    agreement = []
    for lag in range(lags + 1):
        product = np.einsum("tia,tja->ij", heading[: length - lag], heading[lag:])
        counts = np.einsum(
            "ti,tj->ij", there[: length - lag].astype(float), there[lag:].astype(float)
        )
        agreement.append((product, counts))
    rows = []
    individuals = heading.shape[1]
    for i in range(individuals):
        for j in range(i + 1, individuals):
            most = agreement[0][1][i, j]
            best = None
            for lag, (product, counts) in enumerate(agreement):
                for leader, follower in [(i, j), (j, i)]:
                    if counts[leader, follower] == 0 or counts[leader, follower] < most // 2:
                        continue
                    value = product[leader, follower] / counts[leader, follower]
                    if best is None or value > best[3] + 1e-13:
                        best = (leader, follower, lag * interval, value)
            if best and most > 0:
                rows.append((*best, agreement[0][0][i, j] / most, most))
    return np.array(rows)


def distribution(what, found, values):
    """Bins hold what they say they hold."""
    values = np.sort(values[~np.isnan(values)])
    middle, density, count = found[what], found["probability_density"], found["count"]
    width = np.diff(middle).min()
    if not width == 2.0 ** np.round(np.log2(width)):
        sys.exit(f"{what}: bins of {width}, wanted a power of two")
    below, above = (
        np.searchsorted(values, middle - width / 2),
        np.searchsorted(values, middle + width / 2),
    )
    agree(f"{what}: counts", count, above - below, 0)
    agree(f"{what}: density", density, count / (len(values) * width))
    if count.sum() != len(values):
        sys.exit(f"{what}: {count.sum()} in all, wanted {len(values)}")


def zebrafish(wingbeat, data, folder):
    print("100 zebrafish")
    fps, radius, lags = 32, 150, 40
    names = (
        "pair_correlation mean_squared_displacement velocity_autocorrelation speed turning_rate "
        "neighbor_map delays"
    ).split()
    curves = [part for name in names for part in ("--curve", f"{name}={folder / name}.csv")]
    command = [
        wingbeat, "measure", data / "zebrafish_100.npy", "--fps", str(fps), "--radius", str(radius),
        "--lags", str(lags),
    ]
    columns = (
        "polarization,milling,angular_momentum,mean_speed,nearest_neighbor_distance,"
        "correlation_length,density,groups,largest_group"
    )
    command += [
        *curves, "--columns", f"{columns},local_order", "--observe", folder / "o.csv",
        "--individuals", folder / "i.csv", "--json",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    positions = np.load(data / "zebrafish_100.npy").astype(float)
    velocities = differences(positions, fps)
    seen = ~np.isnan(positions[..., 0])
    frames = [positions[t, seen[t]] for t in range(len(positions))]
    moving = [velocities[t, seen[t]] for t in range(len(positions))]

    rows, each_frame = zip(*(observables(x, v, radius) for x, v in zip(frames, moving)))
    found, each = table(folder / "o.csv"), table(folder / "i.csv")
    for name in rows[0]:
        agree(name, found[name], [row[name] for row in rows])
    for name in each_frame[0]:
        agree(f"of each: {name}", each[name], np.concatenate([one[name] for one in each_frame]))
    turning = np.full(seen.shape, np.nan)
    turning[1:] = turns(velocities[:-1], velocities[1:], 1 / fps)
    agree("of each: turning_rate", each["turning_rate"], turning[seen])

    reach, wanted = pair_correlation(frames)
    found = table(folder / "pair_correlation.csv")
    agree("pair_correlation: distance", found["distance"], (np.arange(BINS) + 0.5) * reach / BINS)
    agree("pair_correlation", found["pair_correlation"], wanted)
    found = table(folder / "neighbor_map.csv")
    counts, density = neighbor_map(frames, moving, reach)
    agree("neighbor_map: counts", found["count"], counts.ravel(), 0)
    agree("neighbor_map: density", found["density"], density.ravel())
    displacement, correlation = over_time(positions, velocities, lags)
    found = table(folder / "mean_squared_displacement.csv")
    agree("mean_squared_displacement", found["mean_squared_displacement"], displacement)
    agree("lags", found["lag"], np.arange(lags + 1) / fps)
    agree(
        "velocity_autocorrelation",
        table(folder / "velocity_autocorrelation.csv")["velocity_autocorrelation"],
        correlation,
    )
    distribution("speed", table(folder / "speed.csv"), np.linalg.norm(velocities[seen], axis=1))
    distribution("turning_rate", table(folder / "turning_rate.csv"), turning)
    found, wanted = table(folder / "delays.csv"), delays(velocities, lags, 1 / fps)
    for column, name in enumerate(
        ["leader", "follower", "delay", "correlation", "correlation_at_once", "samples"]
    ):
        agree(f"delays: {name}", found[name], wanted[:, column])


def bottleneck(wingbeat, data, folder):
    import pedpy

    print("75 people, with PedPy", pedpy.__version__)
    source = data / "pedestrians_bottleneck.txt"
    people = pedpy.load_trajectory(trajectory_file=source)
    command = [
        wingbeat, "measure", source, "--voronoi", "2", "--area=-0.4,0.5,0.4,1.3",
        "--individuals", folder / "p.csv",
    ]
    subprocess.run(
        [*command, "--observe", folder / "d.csv", "--every", "25", "--json"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    each, found = table(folder / "p.csv"), table(folder / "d.csv")
    chosen = people.data[people.data.frame % 25 == 0]
    every = pedpy.TrajectoryData(
        chosen.drop(columns=["point"], errors="ignore"), frame_rate=people.frame_rate
    )
    floor = pedpy.WalkableArea([(-90, -90), (90, -90), (90, 90), (-90, 90)])
    cells = pedpy.compute_individual_voronoi_polygons(
        traj_data=every, walkable_area=floor, cut_off=pedpy.Cutoff(radius=2, quad_segments=3)
    )
    cells["area"] = cells.polygon.apply(lambda polygon: polygon.area)
    cells = cells.sort_values(["frame", "id"])
    agree("voronoi_area of each", each["voronoi_area"], cells.area.to_numpy(), PEDPY)
    means = cells.groupby("frame").area.mean()
    agree("voronoi_area", found["voronoi_area"], means.to_numpy(), PEDPY)
    area = pedpy.MeasurementArea([(-0.4, 0.5), (0.4, 0.5), (0.4, 1.3), (-0.4, 1.3)])
    heads = pedpy.compute_classic_density(traj_data=every, measurement_area=area)
    density, _ = pedpy.compute_voronoi_density(individual_voronoi_data=cells, measurement_area=area)
    for name, by_frame in [("area_density", heads), ("area_voronoi_density", density)]:
        by_frame = (
            by_frame[by_frame.index % 25 == 0]
            if "frame" not in by_frame
            else by_frame[by_frame.frame % 25 == 0]
        )
        agree(name, found[name], by_frame.density.to_numpy(), PEDPY)


def main():
    wingbeat, data = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        zebrafish(wingbeat, data, pathlib.Path(folder))
        bottleneck(wingbeat, data, pathlib.Path(folder))


main()
