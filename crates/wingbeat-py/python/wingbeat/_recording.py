"""Recordings: read, measured, shown."""

from __future__ import annotations

import html
import operator
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Float64Array, Int64Array, UInt64Array, check_radius, unmasked
from ._arrays import ids as _ids
from ._flock import _names
from ._html import framed

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped, unused-ignore]


#: Units of length, and how many meters one is; pixels stay pixels.
_METERS = {"px": 1.0, "bl": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0}


class Frame(NamedTuple):
    """One moment of a recording, every individual that is seen, by ascending id."""

    #: Its number in the file.
    number: int
    #: number / fps, seconds.
    time: float
    #: (n,) ids.
    ids: UInt64Array
    #: (n, dimensions), in the file's lengths times `scale`.
    positions: Float64Array
    #: (n, dimensions), the file's own or differences of positions; NaN between two gaps.
    velocities: Float64Array


class Tracks(NamedTuple):
    """All of a recording in one array."""

    #: (frames,) numbers of frames in the file.
    numbers: Int64Array
    #: (frames,) seconds.
    times: Float64Array
    #: (ids,) ascending.
    ids: UInt64Array
    #: (frames, ids, dimensions): where each is, NaN where it is not seen.
    values: Float64Array


class Measures(Mapping[str, npt.NDArray[Any]]):
    """Columns of numbers over time, by name; NaN where there is no answer."""

    def __init__(self, columns: dict[str, npt.NDArray[Any]]) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_pandas(self) -> pd.DataFrame:
        """The same as a data frame. Raises `ImportError` without pandas."""
        import pandas

        return pandas.DataFrame(self._columns)

    def _repr_html_(self) -> str:
        try:
            table: str = self.to_pandas()._repr_html_()
        except ImportError:
            return f"<pre>{html.escape(repr(self))}</pre>"
        return table

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()), ()))
        return f"<wingbeat.Measures of {rows} moments: {', '.join(self)}>"


class Recording:
    """A recording that is read: a file of Wingbeat's, of an animal tracker or a pedestrian archive
    (docs/RECORDINGS.md lists formats).

    `fps` is frames a second (None: what the file says, else 1), `scale` multiplies lengths,
    `y_down` turns y round, as pixels have it. `units` says what lengths are in where the file does
    not: "px", "bl" (body lengths), "m", or "cm", "mm" and "km", which become meters. `columns`
    names those of a table whose names are not among the usual ones: {"x": "X1", "y": "Y1", "id":
    "fish"}. `fill_gaps` fills gaps of up to so many positions by a spline, `smooth` is a window of
    frames ("9" or "9,3") for a local polynomial. What was found in the file and done about it is in
    `found`.

    `len(recording)` is the number of frames with at least one position; `recording[k]` and
    iteration give `Frame`s.

    Raises `OSError` where the file cannot be read, `ValueError` at the first row that is no
    recording.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        fps: float | None = None,
        scale: float | None = None,
        y_down: bool = False,
        fill_gaps: int | None = None,
        smooth: str | int | None = None,
        units: str | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        window = None if smooth is None else str(smooth)
        if fill_gaps is not None and fill_gaps < 0:
            raise ValueError(f"fill_gaps = {fill_gaps}: allowed is 1 or more")
        if units is not None and units not in _METERS:
            raise ValueError(f"units = {units!r}: allowed is {', '.join(_METERS)}")
        named = ",".join(f"{role}={name}" for role, name in columns.items()) if columns else None

        #: Whether the user says how long a unit of the file is.
        self._scaled = scale is not None
        if scale is not None and units in ("cm", "mm", "km"):
            scale, units = _METERS[units] * scale, "m"
        # It is read again to be saved or shown, wherever the program is then.
        place = os.path.abspath(path)
        try:
            self._native = _native.Recording(
                place, fps, scale, y_down, fill_gaps, window, named, units
            )
        except ValueError as refusal:
            # Options as they are called here.
            shown = str(refusal).replace("--map-columns", "columns")
            raise ValueError(re.sub(r"^unit = ", "units = ", shown)) from None

    @classmethod
    def from_array(
        cls,
        positions: npt.ArrayLike,
        *,
        fps: float | None = None,
        times: npt.ArrayLike | None = None,
        ids: npt.ArrayLike | None = None,
        velocities: npt.ArrayLike | None = None,
        units: str | None = None,
        scale: float | None = None,
        y_down: bool = False,
        fill_gaps: int | None = None,
        smooth: str | int | None = None,
    ) -> Recording:
        """A recording of positions (frames, individuals, 2 or 3), NaN (or masked) where an
        individual is not seen: what any library reads, `measure`, `compare` and `save` take.

            >>> Recording.from_array(tracks, fps=30, units="px")

        `fps` is frames a second; or `times` has the second of every frame, evenly spaced (a frame
        may be missing). Without either, times count frames. `ids` are whole numbers, one for each
        individual (None: from 0), `velocities` a like array (None: differences of positions).
        Other options as in `Recording`."""
        array = np.asarray(unmasked(positions))
        if array.ndim != 3 or array.shape[2] not in (2, 3) or array.dtype.kind not in "fiu":
            raise ValueError(
                f"positions of type {array.dtype} and shape {array.shape}:"
                " allowed is (frames, individuals, 2 or 3)"
            )
        arrays = {"position": _floats(array)}
        if velocities is not None:
            moves = np.asarray(unmasked(velocities))
            if moves.shape != array.shape or moves.dtype.kind not in "fiu":
                raise ValueError(
                    f"velocities of type {moves.dtype} and shape {moves.shape}: allowed is"
                    f" {array.shape}, that of positions"
                )
            arrays["velocity"] = _floats(moves)
        if ids is not None:
            who = _ids(ids)
            if who.shape != (array.shape[1],):
                raise ValueError(
                    f"{len(who)} ids: allowed is one for each of {array.shape[1]} individuals"
                )
            arrays["id"] = who
        if times is not None:
            when = np.asarray(times, dtype=np.float64)
            if fps is not None:
                raise ValueError(f"fps = {fps} beside times: allowed is one of the two")
            if when.shape != (array.shape[0],):
                raise ValueError(
                    f"times of shape {when.shape}: allowed is one for each of {array.shape[0]}"
                    " frames"
                )
            arrays["time"] = when
        return cls._by_file(
            "positions.npz",
            lambda path: np.savez(path, **arrays),  # type: ignore[arg-type, unused-ignore]
            fps=fps,
            units=units,
            scale=scale,
            y_down=y_down,
            fill_gaps=fill_gaps,
            smooth=smooth,
        )

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        fps: float | None = None,
        columns: Mapping[str, str] | None = None,
        units: str | None = None,
        scale: float | None = None,
        y_down: bool = False,
        fill_gaps: int | None = None,
        smooth: str | int | None = None,
    ) -> Recording:
        """A recording of a data frame with a row for each individual and frame: what pandas reads.

            >>> Recording.from_frame(pandas.read_parquet("fish.parquet"))

        Columns of frame, time, id, species, x, y, z, vx, vy, vz are those of the usual names
        (docs/RECORDINGS.md: `track_id`, `pos_x`, `x (cm)` and so on), in an index too; `columns`
        names others: {"x": "X1", "y": "Y1"}. Options as in `from_array`."""
        is_named = any(name is not None for name in frame.index.names)
        table = frame.reset_index() if is_named else frame.copy(deep=False)
        if not table.columns.is_unique:
            twice = table.columns[table.columns.duplicated()][0]
            raise ValueError(f"column {twice!r} is there twice: allowed is each once")
        for place, name in enumerate(table.columns):
            column = table.iloc[:, place]
            if column.dtype.kind != "f":
                continue
            wide = column.astype(np.float64)
            # Whole numbers with a gap among them are floats to pandas: ids and frames as well.
            whole = wide.dropna()
            if len(whole) and ((whole % 1 == 0) & (abs(whole) < 2**53)).all():
                table[name] = wide.astype("Int64")
            else:
                table[name] = wide
        return cls._by_file(
            "frame.csv",
            lambda path: table.to_csv(path, index=False),
            fps=fps,
            columns=columns,
            units=units,
            scale=scale,
            y_down=y_down,
            fill_gaps=fill_gaps,
            smooth=smooth,
        )

    @classmethod
    def _by_file(cls, name: str, write: Callable[[str], object], **options: Any) -> Recording:
        """A recording by way of a temporary file: what reads files reads it."""
        folder = tempfile.mkdtemp(prefix="wingbeat-")
        path = os.path.join(folder, name)
        try:
            write(path)
            recording = cls(path, **options)
        except ValueError as refusal:
            shutil.rmtree(folder, ignore_errors=True)
            shown = name.partition(".")[0]
            raise ValueError(str(refusal).replace(path, shown)) from None
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        recording._own(folder)
        return recording

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, k: int) -> Frame:
        k = operator.index(k)
        if not -len(self) <= k < len(self):
            raise IndexError(f"frame {k}: allowed is {-len(self)} to {len(self) - 1}")
        return Frame(*self._native._frame(k + len(self) if k < 0 else k))

    def __iter__(self) -> Iterator[Frame]:
        return (self[k] for k in range(len(self)))

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self._native.fps

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return self._native.dimensions

    @property
    def units(self) -> str | None:
        """What lengths are in; None where neither the file nor `units` says it."""
        return self._native.length_unit

    @property
    def found(self) -> dict[str, Any]:
        """What was in the file, and what was done about it: positions, ids, gaps, duplicates, …"""
        return self._native.found

    def positions(self) -> Tracks:
        """Where every individual is in all frames: an array (frames, ids, dimensions) with NaN
        where an individual is not seen."""
        return Tracks(*self._native._tracks(False))

    def velocities(self) -> Tracks:
        """How every individual moves in all frames, likewise."""
        return Tracks(*self._native._tracks(True))

    def measure(
        self,
        columns: str | list[str] | tuple[str, ...] | None = None,
        *,
        every: int = 1,
        radius: float | None = None,
    ) -> Measures:
        """Observables of every `every`-th frame, as `wingbeat measure` computes them: columns
        frame, time, individuals and those named (None: the usual ones), a row for each frame in
        which any individual is seen. Groups and local order need a `radius`, as there are no rules
        that would say which individuals perceive which."""
        if not 1 <= every < 2**63:
            raise ValueError(f"every = {every}: allowed is 1 or more, and less than 2^63")
        check_radius(radius)
        names = _names(columns)
        numbers, times, counts, values = self._native._measure(",".join(names), every, radius)
        table: dict[str, npt.NDArray[Any]] = {
            "frame": np.array(numbers, np.int64),
            "time": np.array(times, np.float64),
            "individuals": np.array(counts, np.int64),
        }
        table.update(
            zip(
                [name for name in _native.observables() if name in names],
                (np.array(one) for one in values),
            )
        )
        return Measures(table)

    def to_pandas(self) -> pd.DataFrame:
        """A data frame with a row for each individual and frame: frame, time, id, species where
        there are any, x, y, z, vx, vy, vz; `from_frame` reads it again. Raises `ImportError`
        without pandas."""
        import pandas

        tracks, moves = self.positions(), self.velocities().values
        k, i = np.nonzero(~np.isnan(tracks.values[:, :, 0]))
        who = tracks.ids[i]
        table: dict[str, Any] = {"frame": tracks.numbers[k], "time": tracks.times[k], "id": who}
        species = self._native._species(tracks.ids.tolist())
        if species is not None:
            table["species"] = np.array(species, object)[i]
        for axis in range(self.dimensions):
            table["xyz"[axis]] = tracks.values[k, i, axis]
        for axis in range(self.dimensions):
            table["v" + "xyz"[axis]] = moves[k, i, axis]
        return pandas.DataFrame(table)

    def save(self, path: str | os.PathLike[str], *, every: int = 1) -> list[str]:
        """Writes it again in the format that the ending names (.wbr, .npz, .csv, .xyz, .vtp, .ply),
        every `every`-th frame. Tells what one should know about that, a sentence each. Raises
        `OSError` where the file cannot be written, `ValueError` for other endings."""
        if every < 1:
            raise ValueError(f"every = {every}: allowed is 1 or more")
        return self._native._save(os.fspath(path), every)

    def to_html(self, megabytes: float = 25) -> str:
        """The page that replays it, as many frames as fit."""
        return self._native._page(megabytes)

    def _repr_html_(self) -> str:
        # A notebook is one file with all of its pages in it.
        return framed(self.to_html(megabytes=6))

    def _own(self, folder: str) -> None:
        """The folder of a temporary file, removed with the last who reads it."""
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def __repr__(self) -> str:
        return (
            f"<wingbeat.Recording of {len(self)} frames in {self.dimensions}-D,"
            f" {self.found['ids']} individuals>"
        )


def read(
    path: str | os.PathLike[str],
    *,
    fps: float | None = None,
    scale: float | None = None,
    y_down: bool = False,
    fill_gaps: int | None = None,
    smooth: str | int | None = None,
    units: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Recording:
    """A recording; options as in `Recording`."""
    return Recording(
        path,
        fps=fps,
        scale=scale,
        y_down=y_down,
        fill_gaps=fill_gaps,
        smooth=smooth,
        units=units,
        columns=columns,
    )


def _floats(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The numbers that files hold: floats of 32 bits as they are, others of 64."""
    return array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)


def measure(
    what: npt.ArrayLike | str | os.PathLike[str] | Recording,
    *,
    columns: str | list[str] | tuple[str, ...] | None = None,
    every: int = 1,
    radius: float | None = None,
    fps: float | None = None,
    scale: float | None = None,
    y_down: bool = False,
    fill_gaps: int | None = None,
    smooth: str | int | None = None,
) -> Measures:
    """Observables of a recording: of a file, of positions as an array (frames, individuals,
    dimensions) with NaN where a boid is not seen (or a masked array), or of one that was read.
    `fps` and other options as in `Recording`, the rest as in `Recording.measure`.

        >>> measure(positions, fps=32)["polarization"]
    """
    options: dict[str, Any] = {
        "fps": fps,
        "scale": scale,
        "y_down": y_down,
        "fill_gaps": fill_gaps,
        "smooth": smooth,
    }
    if isinstance(what, Recording):
        told = [name for name, value in options.items() if value not in (None, False)]
        if told:
            raise ValueError(f"{', '.join(told)}: allowed is where a recording is read")
        recording = what
    elif isinstance(what, (str, os.PathLike)):
        recording = Recording(what, **options)
    else:
        recording = Recording.from_array(what, fps=options.pop("fps"), **options)
    return recording.measure(columns, every=every, radius=radius)
