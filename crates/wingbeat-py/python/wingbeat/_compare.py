"""Two flocks side by side, observable by observable."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _lab, _native
from ._arrays import Float64Array, check_radius
from ._flock import _names
from ._lab import Measure, Sample
from ._progress import Progress
from ._recording import Recording
from ._scene import Scene
from ._sweep import _with

#: Of what observables are, as docs/MEASURES.md has it; those of neighbors within a radius depend on
#: the unit of lengths too.
_UNITS = {
    "angular_momentum": "length²/time",
    "mean_speed": "length/time",
    "nearest_neighbor_distance": "length",
    "correlation_length": "length",
    "largest_group": "boids",
}
_OF_RADIUS = ("groups", "largest_group", "local_order")


#: As many panels as fit one screen.
_MOST_PANELS = 8


class Difference(NamedTuple):
    """How far the second sample lies from the first."""

    #: (mean of B − mean of A) over the root mean square of both standard deviations; A and B change
    #: places with its sign.
    standardized_difference: float
    #: Cliff's delta: how often B is above A less how often below, over all pairs; −1 to 1.
    cliffs_delta: float
    #: The largest gap between the two cumulative distributions (Kolmogorov, Smirnov); 0 to 1.
    ks: float
    #: How far values of A must be moved on average to become those of B (Wasserstein's first
    #: distance), in standard deviations of A, or twentieths of its mean where that is more.
    distance: float


class Row(NamedTuple):
    """One observable of both."""

    #: Empty where there is none.
    unit: str
    #: None of a side without any value.
    a: Sample | None
    b: Sample | None
    difference: Difference | None


class Comparison(Mapping[str, Row]):
    """What `compare` found: a `Row` for each observable, by name.

    `sides` says what was measured of A and of B, `notes` what one should know of the numbers,
    `radius` within which boids are of one group. `samples(name)` are the numbers themselves."""

    def __init__(
        self,
        sides: tuple[str, str],
        columns: tuple[dict[str, list[Float64Array]], dict[str, list[Float64Array]]],
        units: dict[str, str],
        radius: float | None,
        notes: list[str],
    ) -> None:
        self.sides, self.radius, self.notes = sides, radius, notes
        self._columns = columns
        self._rows: dict[str, Row] = {}
        for name, unit in units.items():
            runs = [side.get(name, []) for side in columns]
            a, b = _lab.sample(runs[0]), _lab.sample(runs[1])
            if a is None and b is None:
                radius_helps = "; they take a radius" if name in _OF_RADIUS else ""
                notes.append(f"{name}: no values on either side{radius_helps}")
                continue
            difference = None
            if a is not None and b is not None:
                difference = _difference(a, b, *self.samples(name))
            self._rows[name] = Row(unit, a, b, difference)

    def samples(self, name: str) -> tuple[Float64Array, Float64Array]:
        """All values of an observable, of A and of B, run by run."""
        a, b = (side.get(name, []) for side in self._columns)
        return np.concatenate([np.empty(0), *a]), np.concatenate([np.empty(0), *b])

    def __getitem__(self, name: str) -> Row:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """The same as dictionaries of plain numbers, None where there is none."""

        def plain(what: Any) -> Any:
            if what is None:
                return None
            return {key: None if value != value else value for key, value in what._asdict().items()}

        return {
            name: {
                "unit": row.unit,
                "a": plain(row.a),
                "b": plain(row.b),
                "difference": plain(row.difference),
            }
            for name, row in self.items()
        }

    def to_pandas(self) -> Any:
        """A data frame with a row for each observable: `a_mean`, `b_mean`, … `ks`, `distance`.
        Raises `ImportError` without pandas."""
        import pandas  # type: ignore[import-untyped, unused-ignore]

        def flat(row: Row) -> dict[str, Any]:
            cells: dict[str, Any] = {"unit": row.unit}
            for side, what in (("a", row.a), ("b", row.b)):
                for i, field in enumerate(Sample._fields):
                    cells[f"{side}_{field}"] = np.nan if what is None else what[i]
            for i, field in enumerate(Difference._fields):
                cells[field] = np.nan if row.difference is None else row.difference[i]
            return cells

        table = pandas.DataFrame([flat(row) for row in self.values()], index=list(self))
        table.index.name = "observable"
        return table

    def plot(self, columns: str | list[str] | tuple[str, ...] | None = None) -> Any:
        """Draws histograms of both sides, a panel for each of the first eight observables, or of
        `columns`, eight at most: the part of the moments by value, in the same bins. A figure of
        Matplotlib. Raises `ImportError` without it."""
        import matplotlib.pyplot as plt

        names = list(self)[:_MOST_PANELS] if columns is None else _names(columns)
        unknown = [name for name in names if name not in self._rows]
        if unknown or len(names) > _MOST_PANELS:
            raise ValueError(
                f"columns = {columns!r}: allowed is at most {_MOST_PANELS} of {', '.join(self)}"
            )
        across = min(len(names), 4) or 1
        down = -(-len(names) // across) or 1
        figure, axes = plt.subplots(
            down, across, figsize=(3 * across, 2.6 * down + 0.4), squeeze=False,
            layout="constrained",
        )
        for axis in axes.flat[len(names) :]:
            axis.remove()
        for name, axis in zip(names, axes.flat):
            both = self.samples(name)
            bins = _bins(np.concatenate(both))
            for values, side in zip(both, "AB"):
                if len(values):
                    parts = np.full(len(values), 1 / len(values))
                    axis.hist(values, bins, weights=parts, alpha=0.55, label=side)
            axis.locator_params(axis="x", nbins=5)
            axis.ticklabel_format(axis="x", scilimits=(-3, 5))
            unit = self._rows[name].unit
            axis.set_xlabel(f"{name.replace('_', ' ')}{f' ({unit})' if unit else ''}")
        for axis in axes[:, 0]:
            axis.set_ylabel("part of the moments")
        drawn = {
            side: handle
            for axis in axes.flat[: len(names)]
            for handle, side in zip(*axis.get_legend_handles_labels())
        }
        labels = {side: f"{side}: {label}" for side, label in zip("AB", self.sides)}
        shown = sorted(drawn)
        figure.legend(
            [drawn[side] for side in shown], [labels[side] for side in shown],
            loc="outside upper left", frameon=False, fontsize="small",
        )
        return figure

    _HEAD = ["", "", "mean", "sd", "quarter", "median", "quarter", "indep.", "difference", "delta"]

    def _cells(self) -> list[list[str]]:
        cells = []
        for name, row in self.items():
            for side, what in zip("AB", (row.a, row.b)):
                label = f"{name}, {row.unit}" if row.unit else name
                line = [label if side == "A" else "", side]
                line += (
                    ["-"] * 6
                    if what is None
                    else [
                        *map(_lab.short, (what.mean, what.sd, what.lower_quartile, what.median)),
                        _lab.short(what.upper_quartile),
                        "-" if np.isnan(what.independent) else f"{what.independent:.1f}",
                    ]
                )
                far = row.difference if side == "B" else None
                line += (
                    [""] * 4
                    if far is None
                    else [
                        f"{far.standardized_difference:+.3f}",
                        f"{far.cliffs_delta:+.3f}",
                        f"{far.ks:.3f}",
                        _lab.short(far.distance),
                    ]
                )
                cells.append(line)
        return cells

    def __repr__(self) -> str:
        lines = [f"{side}  {label}" for side, label in zip("AB", self.sides)]
        table = [[*self._HEAD, "KS", "distance"], *self._cells()]
        lines.append("")
        for row in table:
            lines.append(f"{row[0]:<34}{row[1]:<2}" + "".join(f"{cell:>11}" for cell in row[2:]))
        return "\n".join([*lines, *self.notes])

    def _repr_html_(self) -> str:
        about = [f"{side}: {label}" for side, label in zip("AB", self.sides)]
        return _lab.html_table(
            [*self._HEAD, "KS", "distance"], self._cells(), "\n".join([*about, *self.notes])
        )


def _difference(a: Sample, b: Sample, first: Float64Array, second: Float64Array) -> Difference:
    from scipy.stats import ks_2samp  # type: ignore[import-untyped, unused-ignore]

    def over(distance: float, unit: float) -> float:
        return 0.0 if distance == 0 else distance / unit if unit > 0 else np.nan

    # Means of equal values differ by rounding.
    moved = b.mean - a.mean
    moved = moved if abs(moved) > 1e-12 * abs(a.mean) else 0.0
    ordered = np.sort(first)
    below = np.searchsorted(ordered, second, "left").sum()
    above = first.size * second.size - np.searchsorted(ordered, second, "right").sum()
    return Difference(
        over(moved, float(np.sqrt((a.sd**2 + b.sd**2) / 2))),
        float((below - above) / (first.size * second.size)),
        float(ks_2samp(first, second, method="asymp").statistic),
        over(_lab.wasserstein(first, second), a.unit),
    )


def _bins(values: Float64Array) -> Float64Array:
    """Edges of 10 to 40 bins of one width over all values, by Freedman and Diaconis."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        half = abs(low) * 0.05 or 0.5
        return np.linspace(low - half, high + half, 11)
    lower, upper = np.quantile(values, [0.25, 0.75])
    width = 2 * (upper - lower) / len(values) ** (1 / 3)
    count = (high - low) / width if width > 0 else 40.0
    return np.linspace(low, high, int(np.clip(count, 10, 40)) + 1)


def compare(
    a: Recording | Scene | str | os.PathLike[str],
    b: Recording | Scene | str | os.PathLike[str],
    *,
    columns: str | list[str] | tuple[str, ...] | None = None,
    radius: float | None = None,
    runs: int = 1,
    steps: int | None = None,
    average_from: int | tuple[int | None, int | None] = 0,
    every: int | tuple[int | None, int | None] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Puts two flocks side by side: recordings or scenes, in any combination.

        >>> compare(Recording.from_array(fish, fps=32, units="px"), "tank", runs=8)

    Every observable of `columns` (None: the usual ones) is measured at many moments of each side:
    of a recording at every frame, of a scene at every tenth step of each of `runs` runs, with as
    many seeds from its own on. The two distributions of values are compared; docs/MEASURES.md has
    formulas. Scenes make `steps` steps (None: as many as they say) and are measured after step
    `average_from`. A pair, of `average_from` and of `every`, gives each side its own, and then a
    recording is measured after that frame. Groups are those within `radius` (None: the largest
    radius of perception of the scene).

    Two units are refused: a side in pixels has no length in common with one in meters, nor has one
    of no stated unit, unless both are scenes or recordings of scenes, or a `scale` was given as one
    was read. A scene states its unit by its key `unit`. There are no p-values, as they would take
    all moments for independent; `independent` says how many tell as much. It takes SciPy.
    """
    sides = (_side(a), _side(b))
    names = _names(columns)
    check_radius(radius)
    if not 1 <= runs <= 10_000:
        raise ValueError(f"runs = {runs}: allowed is a whole number, 1 to 10000")
    dimensions = [side.dimensions for side in sides]
    if dimensions[0] != dimensions[1]:
        is_scene = [isinstance(side, Scene) for side in sides]
        cure = ""
        if any(is_scene):
            first = is_scene.index(True)
            cure = f" (flock.dimensions = {dimensions[1 - first]} in {'AB'[first]})"
        raise ValueError(
            f"A is in {dimensions[0]}-D, and B is in {dimensions[1]}-D: allowed are two of the"
            f" same{cure}"
        )
    notes = _check_units(sides, names)
    have = [_lab.edges(side) for side in sides]
    names, in_hull, said = _lab.density_of(
        names, [box for box, _ in have], [periodic for _, periodic in have]
    )
    notes += said
    if radius is None:
        radii = {
            side._native._flock(None, 1).perception for side in sides if isinstance(side, Scene)
        } - {None}
        if len(radii) == 1:
            radius = radii.pop()
            if any(name in _OF_RADIUS for name in names):
                unit = next((f" {side.units}" for side in sides if side.units), "")
                notes.append(
                    f"groups are those within {radius:g}{unit}, the largest radius of perception of"
                    " the scene: radius takes another"
                )
        elif radii:
            names = [name for name in names if name not in _OF_RADIUS]
            notes.append(
                "groups are left out, as the radii of perception of the scenes differ: radius"
                " counts them"
            )
    measure = Measure(names, radius, in_hull)
    pair = average_from if isinstance(average_from, tuple) else (None, None)
    general = 0 if isinstance(average_from, tuple) else average_from
    everies = every if isinstance(every, tuple) else (every, every)

    stop = threading.Event()
    columns_of: list[dict[str, list[Float64Array]]] = []
    abouts = []
    # Refused before anything runs for long.
    plans = []
    for side, after, one in zip(sides, pair, everies):
        if isinstance(side, Scene):
            made = side.steps if steps is None else steps
            begin = general if after is None else after
            plans.append((made, begin, _lab.sampling(made, begin, one)))
            continue
        last = side.found["last_frame"]
        if after is not None and after >= last:
            raise ValueError(
                f"average_from = {after}: allowed is a whole number below {last}, the last frame"
            )
        if one is not None and one < 1:
            raise ValueError(f"every = {one}: allowed is 1 or more")
        plans.append((0, after if after is not None else -(2**63), one or 1))
    flown = sum(runs for side in sides if isinstance(side, Scene))
    with Progress(flown, progress, "run") as bar:
        for side, (made, begin, one) in zip(sides, plans):
            if isinstance(side, Recording):
                measured = [measure.recording(side, begin, one)]
                which = "" if one == 1 else f", every {one} frames"
                abouts.append(
                    f"{_name(side)}: {side.found['ids']} individuals, frames"
                    f" {max(side.found['first_frame'], begin + 1)} to"
                    f" {side.found['last_frame']}{which}"
                )
            else:
                scenes = [_with(side, {"flock.seed": side.seed + i}) for i in range(runs)]

                def one_run(
                    scene: Scene, made: int = made, begin: int = begin, one: int = one
                ) -> _lab.Columns:
                    return measure.run(scene, made, begin, one, stop)[0]

                measured = _lab.in_threads(one_run, scenes, workers, stop, lambda: bar.add(1))
                abouts.append(
                    f"{side.name}: {runs} {'run' if runs == 1 else 'runs'}, every {one} steps from"
                    f" {begin + 1} to {made}"
                )
            columns_of.append({name: [run[name] for run in measured] for name in names})
    return Comparison(
        (abouts[0], abouts[1]),
        (columns_of[0], columns_of[1]),
        {name: _unit(name, sides) for name in _native.observables() if name in names},
        radius,
        notes,
    )


def _name(recording: Recording) -> str:
    """The file's name; of what came by way of a temporary one, what that is called."""
    name = os.path.basename(recording._native.path)
    return {"positions.npz": "positions", "frame.csv": "data frame"}.get(name, name)


def _side(what: Recording | Scene | str | os.PathLike[str]) -> Recording | Scene:
    if isinstance(what, (Recording, Scene)):
        return what
    if not isinstance(what, (str, os.PathLike)):
        raise ValueError(
            f"{type(what).__name__}: allowed is a Recording (Recording.from_array makes one of"
            " positions), a Scene, or the path of either"
        )
    ending = os.path.splitext(os.fspath(what))[1][1:].lower()
    return Recording(what) if ending in _native.readable() else Scene(what)


def _unit(name: str, sides: tuple[Recording | Scene, Recording | Scene]) -> str:
    """The unit of an observable, in words of the sides where they state any."""
    dimensions = sides[0].dimensions
    unit = f"boids/length{'²' if dimensions == 2 else '³'}" if name == "density" else ""
    unit = _UNITS.get(name, unit)
    length = next((side.units for side in sides if side.units), "length")
    time = next((time for side in sides if (time := _time_unit(side))), "time")
    return unit.replace("length", length).replace("time", time)


def _time_unit(side: Recording | Scene) -> str | None:
    """What times count; of a scene that does not say, None."""
    if isinstance(side, Recording):
        return side._native.time_unit
    return "s" if side.units else None


def _is_of_scenes(side: Recording | Scene) -> bool:
    """Whether lengths without a unit are those of a scene."""
    return isinstance(side, Scene) or str(side._native.path).endswith(".wbr")


def _lengths_differ(a: Recording | Scene, b: Recording | Scene) -> bool:
    """Whether lengths of two sides have no unit in common, as far as is known."""
    scaled = [isinstance(side, Recording) and side._scaled for side in (a, b)]
    if a.units and b.units:
        return a.units != b.units
    if a.units or b.units:
        return not scaled[0 if b.units else 1]
    return not any(scaled) and not (_is_of_scenes(a) and _is_of_scenes(b))


def _check_units(
    sides: tuple[Recording | Scene, Recording | Scene], names: list[str]
) -> list[str]:
    """Refuses two units, and notes what times count."""

    def refuse(kind: str, one: str, other: str, cures: list[str]) -> None:
        concerned = [
            name
            for name in names
            if kind in _UNITS.get(name, "")
            or (kind == "length" and (name == "density" or name in _OF_RADIUS))
        ]
        if not concerned:
            return
        others = ",".join(name for name in names if name not in concerned)
        others = f", or columns={others!r}" if others else ""
        raise ValueError(
            f"{', '.join(concerned)}: {kind}s are {one} in A and {other} in B, and not comparable:"
            f" allowed are two sides of one unit ({'; '.join(cures)}){others}"
        )

    is_scene = [isinstance(side, Scene) for side in sides]
    if _lengths_differ(*sides):
        stated = [side.units or "of no stated unit" for side in sides]
        # What is known of the one side is what the other has to say.
        unit = next((side.units for side in sides if side.units), "m")
        silent = [scene for scene, side in zip(is_scene, sides) if not side.units]
        cures = []
        if any(silent):
            cures.append(f'the key unit = "{unit}" says it in a scene')
        if not all(silent):
            cures.append(f'units="{unit}" says it where a recording is read')
        if not all(is_scene):
            cures.append("scale makes it where a recording is read")
        refuse("length", stated[0], stated[1], cures)
    times = [_time_unit(side) for side in sides]
    if times[0] and times[1] and times[0] != times[1]:
        refuse("time", times[0], times[1], ["fps makes seconds"])
    return [
        f"times of {name} count frames, as no rate is known: fps makes seconds"
        for name, side in zip("AB", sides)
        if isinstance(side, Recording) and side._native.time_unit == "frame"
    ]
