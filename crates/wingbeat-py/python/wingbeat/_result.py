"""Runs of a scene, and what is left of them."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import check_radius
from ._flock import Flock, _names
from ._progress import Progress
from ._recording import Measures, Recording
from ._scene import Scene


class Result:
    """What a run came to.

    `columns` are what was observed (step, time, individuals, and the observables by name), `flock`
    is as the last step left it, `hash` its `state_hash`, `recording` what was recorded (None if
    nothing was, or in a format that is only written), `interrupted` whether Ctrl-C ended it early.
    """

    def __init__(
        self, flock: Flock, columns: Measures, recording: Recording | None, interrupted: bool
    ) -> None:
        self.flock = flock
        self.columns = columns
        self.recording = recording
        self.interrupted = interrupted

    @property
    def hash(self) -> str:
        """The flock's `state_hash`."""
        return self.flock.state_hash

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    def to_pandas(self) -> Any:
        """The columns as a data frame. Raises `ImportError` without pandas."""
        return self.columns.to_pandas()

    def _repr_html_(self) -> str:
        shown = self.recording if self.recording is not None else self.flock
        return shown._repr_html_()

    def __repr__(self) -> str:
        return (
            f"<wingbeat.Result of {self.flock.steps} steps: {len(self.flock)} boids,"
            f" hash {self.hash}>"
        )


class _Observing:
    """Columns that grow by a row for each moment that is looked at."""

    def __init__(self, names: list[str], radius: float | None) -> None:
        self.radius = radius
        self.names = [name for name in _native.observables() if name in names]
        self.rows: list[tuple[float, ...]] = []

    def look(self, flock: Flock) -> None:
        found = flock._native._measure(",".join(self.names), self.radius) if self.names else []
        values = (np.nan if value is None else value for value in found)
        self.rows.append((flock.steps, flock.time, len(flock), *values))

    def columns(self) -> Measures:
        table = np.array(self.rows, np.float64).reshape(len(self.rows), 3 + len(self.names))
        columns: dict[str, npt.NDArray[Any]] = dict(
            zip(["step", "time", "individuals", *self.names], table.T)
        )
        for whole in ("step", "individuals"):
            columns[whole] = columns[whole].astype(np.int64)
        return Measures(columns)


def run(
    scene: Scene,
    steps: int | None,
    observe: str | Iterable[str],
    every: int,
    record: bool | str | os.PathLike[str],
    machine: tuple[str | None, int | None],
    progress: bool | None,
    stop: threading.Event | None = None,
    radius: float | None = None,
) -> Result:
    """See `Scene.run`; `stop` ends it early from another thread."""
    if not 1 <= every < 2**63:
        raise ValueError(f"every = {every}: allowed is 1 or more, and less than 2^63")
    check_radius(radius)
    observe = [observe] if isinstance(observe, str) and observe == "usual" else observe
    observe = observe.split(",") if isinstance(observe, str) else list(observe)
    steps = scene.steps if steps is None else steps
    if steps < 0:
        raise ValueError(f"steps = {steps}: allowed is 0 or more")
    observing = _Observing(
        _names(None if observe == ["usual"] else [name.strip() for name in observe])
        if observe
        else [],
        radius,
    )
    flock = scene.flock(level=machine[0], threads=machine[1])
    if isinstance(record, str) and not record:
        raise ValueError("record = '': allowed is True or the path of a file")
    folder = (
        tempfile.mkdtemp(prefix="wingbeat-")
        if isinstance(record, (bool, np.bool_)) and record
        else None
    )
    path = (
        os.path.join(folder, "run.wbr")
        if folder
        else os.fspath(record)
        if isinstance(record, (str, os.PathLike))
        else None
    )
    recorder = None if path is None else _native.Recorder(path, flock._native, every)
    interrupted = False

    def look() -> None:
        if flock.steps % every == 0:
            if observe:
                observing.look(flock)
            if recorder is not None:
                recorder.capture(flock._native)

    # Where nothing is looked at, there is no reason to stop between steps but to show how far it
    # is.
    stride = every if observe or recorder is not None else max(1, steps // 200)
    with Progress(steps, progress, "step") as bar:
        try:
            look()
            while flock.steps < steps:
                if stop is not None and stop.is_set():
                    raise KeyboardInterrupt
                made = min(stride, steps - flock.steps)
                flock.step(made)
                look()
                bar.add(made)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            # Whatever ended it, what there is is whole.
            if recorder is not None:
                recorder.finish()
    return Result(flock, observing.columns(), _read_again(path, folder), interrupted)


def _read_again(path: str | None, folder: str | None) -> Recording | None:
    """What was recorded, where it can be read: some formats are for other programs alone, and a
    recording may hold no individual."""
    recording = None
    if path is not None and os.path.splitext(path)[1].lower() in (".wbr", ".npz", ".csv", ".xyz"):
        try:
            recording = Recording(path)
        except ValueError:
            recording = None
    if folder is not None and recording is not None:
        recording._own(folder)
    elif folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    return recording
