"""What comparing and fitting share: observables over moments as distributions, how far two lie
apart, and runs on many threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _native
from ._arrays import Float64Array
from ._recording import Recording
from ._scene import Scene

#: Part of its mean that a deviation counts as at least: distances are not measured in units of what
#: hardly varies.
LEAST_PART = 0.05
#: Steps between two that are measured, if nothing is said: neighboring steps are nearly the same.
EVERY = 10

Columns = dict[str, Float64Array]
T = TypeVar("T")
R = TypeVar("R")


class Sample(NamedTuple):
    """The values of an observable over moments."""

    #: How many.
    moments: int
    mean: float
    #: s with s² = Σ(x − mean)²/(n − 1), 0 of a single value.
    sd: float
    min: float
    lower_quartile: float
    median: float
    upper_quartile: float
    max: float
    #: How many independent values would tell as much about the mean; NaN where nothing varies.
    independent: float

    @property
    def unit(self) -> float:
        """What distances from it are measured in."""
        return max(self.sd, LEAST_PART * abs(self.mean))


def sample(runs: Sequence[Float64Array]) -> Sample | None:
    """The values of some runs, each in order of time; None of nothing."""
    values = np.concatenate(runs) if runs else np.empty(0)
    if not values.size:
        return None
    low, lower, median, upper, high = np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()
    sd = float(values.std(ddof=1)) if values.size > 1 else 0.0
    # What rounding leaves of equal values is no deviation.
    sd = sd if sd > 1e-12 * abs(values.mean()) else 0.0
    count = float(sum(independent(run) for run in runs if run.size))
    return Sample(values.size, float(values.mean()), sd, low, lower, median, upper, high, count)


def independent(run: Float64Array) -> float:
    """n/(1 + 2Σρ(k)), with the correlations ρ between values k moments apart, up to where they
    first are not above 0; NaN where nothing varies."""
    away = run - run.mean()
    variance = away @ away
    # What rounding leaves of equal values is no variance.
    if variance <= 1e-24 * run.mean() ** 2 * run.size:
        return np.nan
    total = 0.0
    for lag in range(1, run.size):
        correlation = away[:-lag] @ away[lag:] / variance
        if correlation <= 0:
            break
        total += correlation
    return float(run.size / (1 + 2 * total))


def wasserstein(a: Float64Array, b: Float64Array) -> float:
    """Wasserstein's first distance, in the unit of the values."""
    from scipy.stats import wasserstein_distance  # type: ignore[import-untyped, unused-ignore]

    return float(wasserstein_distance(a, b))


def the_scene(source: Scene | str | os.PathLike[str]) -> Scene:
    """A scene, or what one is made of."""
    return source if isinstance(source, Scene) else Scene(source)


def sampling(steps: int, average_from: int, every: int | None) -> int:
    """Every which step of a run is measured; refuses what leaves none."""
    if not 0 <= average_from < max(steps, 1):
        raise ValueError(
            f"average_from = {average_from}: allowed is 0 to {max(steps - 1, 0)},"
            " before the last step"
        )
    usual = EVERY if steps - average_from >= EVERY else 1
    every = usual if every is None else every
    if every < 1 or steps // every == average_from // every:
        raise ValueError(
            f"every = {every}: allowed is a whole number with a multiple among the measured steps,"
            f" {average_from + 1} to {steps}"
        )
    return every


class Measure(NamedTuple):
    """How both sides are measured, so that one says the same as the other."""

    names: list[str]
    radius: float | None
    #: Densities are those in the convex hull even where there is a box, as the other side has none.
    in_hull: bool

    def recording(self, recording: Recording, after: int | None, every: int) -> Columns:
        """Of every n-th frame, those after a number; without those that have no answer."""
        names = ",".join(self.names)
        if not names:
            return {}
        found = recording._native._measure(names, every, self.radius, self.in_hull)
        is_meant = np.array(found[0]) > (-(2**63) if after is None else after)
        return self._columns(np.array(found[3]).T[is_meant])

    def run(
        self, scene: Scene, steps: int, after: int, every: int, stop: threading.Event
    ) -> tuple[Columns, str]:
        """Of a run of a scene, at multiples of `every` after a step; and the hash it ends with."""
        names = ",".join(self.names)
        flock = scene.flock(threads=1)
        rows = []
        for step in range((after // every + 1) * every, steps + 1, every):
            if stop.is_set():
                raise KeyboardInterrupt
            flock.step(step - flock.steps)
            rows.append(flock._native._measure(names, self.radius, self.in_hull))
        flock.step(steps - flock.steps)
        return self._columns(np.array(rows, dtype=np.float64)), flock.state_hash

    def _columns(self, rows: Float64Array) -> Columns:
        """By name; the native side has them in the engine's order."""
        ordered = [name for name in _native.observables() if name in self.names]
        table = rows.reshape(-1, len(ordered)).T
        return {name: column[~np.isnan(column)] for name, column in zip(ordered, table)}


def density_of(
    names: list[str], bounded: Sequence[bool], periodic: Iterable[bool]
) -> tuple[list[str], bool, list[str]]:
    """Settles what densities of two sides are of: both of their boxes, or both of hulls. The names
    that are left, whether it is hulls, and what there is to say about it."""
    if "density" not in names or bounded[0] == bounded[1]:
        return names, False, []
    if any(periodic):
        left = [name for name in names if name != "density"]
        return left, False, [
            "density is left out: one side has a periodic box, the other none, and a box is no hull"
        ]
    return names, True, [
        "density is that in the convex hull on both sides, as one of them has no box"
    ]


def edges(side: Scene | Recording) -> tuple[bool, bool]:
    """Whether it has a box, and whether that is periodic."""
    if isinstance(side, Recording):
        return side._native.bounded, side._native.periodic
    flock = side._native._flock(None, 1)
    return flock.bounds is not None, flock.periodic


def in_threads(
    work: Callable[[T], R],
    items: Sequence[T],
    workers: int | None,
    stop: threading.Event,
    each: Callable[[], object] = lambda: None,
) -> list[R]:
    """`work` for all items, in their order; `each` is called as they finish. What ends it ends all
    of them, by `stop`."""
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        jobs: list[Future[R]] = [pool.submit(work, item) for item in items]
        try:
            waiting: set[Future[Any]] = set(jobs)
            while waiting:
                # Not for longer: while it waits, a thread does not hear of Ctrl-C everywhere.
                done, waiting = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
                for finished in done:
                    finished.result()
                    each()
        except BaseException:
            stop.set()
            for job in jobs:
                job.cancel()
            raise
    return [job.result() for job in jobs]


def short(x: float) -> str:
    """A number in four digits; "-" of none."""
    return "-" if np.isnan(x) else f"{x:.4g}"


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table for notebooks."""
    import html

    cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
    lines = "".join(
        f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    about = html.escape(caption).replace("\n", "<br>")
    return f"<table><tr>{cells}</tr>{lines}</table><p>{about}</p>"
