"""Many runs of a scene, for every combination of some of its numbers."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from . import _toml
from ._flock import _names
from ._progress import Progress
from ._result import run
from ._scene import Scene


def sweep(
    scene: Scene | str | os.PathLike[str],
    keys: Mapping[str, Iterable[Any]],
    *,
    steps: int | None = None,
    columns: str | list[str] | tuple[str, ...] | None = None,
    average_from: int = 0,
    every: int = 10,
    workers: int | None = None,
    progress: bool | None = None,
) -> Any:
    """Runs a scene for every combination of the values of `keys`, and averages observables over the
    steps after `average_from`.

        >>> sweep("shoal", {"alignment.weight": [0, 0.5, 1], "flock.seed": range(1, 9)},
        ...       steps=500, average_from=250)

    A row for each run: the keys, `steps`, `state_hash`, and each observable's mean over every
    `every`-th step (NaN where it never had an answer). A data frame if pandas is there, else a
    dictionary of arrays. `columns` as in `Flock.measure`. Each of `workers` threads makes a run at
    a time (None: as many as there are cores); that changes no number. `wingbeat sweep` does the
    same for long sweeps: it goes on where it was broken off, and averages over seeds.
    """
    scene = scene if isinstance(scene, Scene) else Scene(scene)
    values: dict[str, list[Any]] = {}
    for key, given in keys.items():
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise ValueError(f"{key} = {given!r}: allowed is a list of values")
        values[key] = list(given)
    for key, some in values.items():
        if not some:
            raise ValueError(f"{key}: allowed is at least one value")
    names = _names(columns)
    combinations = list(itertools.product(*values.values()))
    made = scene.steps if steps is None else steps
    if not 0 <= average_from < max(made, 1):
        raise ValueError(
            f"average_from = {average_from}: allowed is 0 to {max(made - 1, 0)},"
            " before the last step"
        )
    # Refused before anything runs for long.
    scenes = [_with(scene, dict(zip(values, one))) for one in combinations]

    stop = threading.Event()

    def one_run(place: int) -> tuple[int, list[Any]]:
        result = run(scenes[place], made, names, every, False, (None, 1), False, stop)
        after = result.columns["step"] > average_from
        means = []
        for name in names:
            answers = result.columns[name][after]
            answers = answers[~np.isnan(answers)]
            means.append(answers.mean() if answers.size else np.nan)
        if result.interrupted:
            raise KeyboardInterrupt
        return place, [*combinations[place], made, result.hash, *means]

    table: list[list[Any]] = [[] for _ in combinations]
    with (
        ThreadPoolExecutor(workers or os.cpu_count()) as pool,
        Progress(len(combinations), progress, "run") as bar,
    ):
        runs = [pool.submit(one_run, place) for place in range(len(combinations))]
        try:
            waiting = set(runs)
            while waiting:
                # Not for longer: while it waits, a thread does not hear of Ctrl-C everywhere.
                done, waiting = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
                for finished in done:
                    place, row = finished.result()
                    table[place] = row
                    bar.add(1)
        except BaseException:
            stop.set()
            for one in runs:
                one.cancel()
            raise
    heads = [*values, "steps", "state_hash", *names]
    by_name = {head: [row[i] for row in table] for i, head in enumerate(heads)}
    try:
        import pandas  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return {head: np.array(column) for head, column in by_name.items()}
    return pandas.DataFrame(by_name)


def _with(scene: Scene, settings: Mapping[str, Any]) -> Scene:
    """A copy of a scene with these settings."""
    other = Scene.__new__(Scene)
    other._native = scene._native._with(_toml.changes(settings, None))
    return other
