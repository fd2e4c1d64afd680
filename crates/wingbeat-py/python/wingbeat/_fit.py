"""The numbers with which a scene comes closest to a recording."""

from __future__ import annotations

import json
import math
import os
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from . import _lab
from ._arrays import Float64Array, check_radius
from ._flock import _names
from ._lab import Columns, Measure, short
from ._native import __version__
from ._progress import Progress
from ._recording import Recording
from ._scene import Scene
from ._sweep import _with

#: Points that a search looks at for each key, and keys beyond which no search finds its way.
POINTS, MOST_KEYS = 25, 8
#: Seeds are apart by it, and more of anything is taken for a typing error.
BLOCK = 1000
MOST_SEARCHES = 100
#: Part of the points that are spread before the search begins, how far it looks at first and where
#: it ends, as part of each range: closer, one point is as good as the other as far as some runs can
#: tell.
SPREAD, FIRST_STEP, LAST_STEP = 0.4, 0.15, 0.02
#: How many of the best points are looked at a second time: the very best of many is partly luck.
SECOND_LOOK = 8
#: What a run is away, in standard deviations, where only one of the two has any value.
MISSING = 100.0

Point = tuple[float, ...]


class Estimate(NamedTuple):
    """A mean over runs."""

    mean: float
    #: s/√n; NaN of a single run.
    standard_error: float

    def __str__(self) -> str:
        error = self.standard_error
        return short(self.mean) + ("" if math.isnan(error) else f" ± {short(error)}")


class Judged(NamedTuple):
    """A scene on fresh seeds: how far its runs are away."""

    objective: Estimate
    distances: dict[str, Estimate]


class FittedKey(NamedTuple):
    """What a fit found of a key."""

    low: float
    high: float
    #: As the scene was; None where that depends on other keys.
    before: float | None
    fitted: float
    #: √(Σ(refit − fit)²/n); NaN without refits.
    standard_error: float
    #: Where each search ended, and each search for a run of the fitted scene.
    searches: list[float]
    refits: list[float]


class Fit:
    """What `fit` found.

    `scene` has the values found, `keys` a `FittedKey` for each key, `before` (None where the scene
    has no values of all keys) and `after` how far runs of the scene as it was and as it is now are
    away, `itself` how far runs of the fitted scene are from each other (NaN without refits),
    `runs_made` how many runs were not in the journal, `covers` how long the recording and a run
    are, `notes` what one should know."""

    scene: Scene
    keys: dict[str, FittedKey]
    before: Judged | None
    after: Judged
    itself: float
    runs_made: int
    covers: tuple[float, float]
    notes: list[str]

    def __init__(self, **found: Any) -> None:
        self.__dict__.update(found)

    @property
    def values(self) -> dict[str, float]:
        """The values found, by key."""
        return {name: key.fitted for name, key in self.keys.items()}

    @property
    def toml(self) -> str:
        """The fitted scene as a file, the values and their errors in comments above."""
        lines = [f"# {self.scene.name}, fitted by wingbeat.fit:"]
        for name, key in self.keys.items():
            error = key.standard_error
            error_text = "" if math.isnan(error) else f", standard error {short(error)}"
            lines.append(f"#   {name} = {key.fitted!r}{error_text}")
        return "\n".join([*lines, "", self.scene.toml])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `toml` into a file; into the folder of the scene's, where that names files."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.toml)

    def to_dict(self) -> dict[str, Any]:
        """All numbers as dictionaries."""

        def judged(what: Judged | None) -> Any:
            return what and {
                "objective": what.objective._asdict(),
                "distances": {name: one._asdict() for name, one in what.distances.items()},
            }

        return {
            "keys": {name: key._asdict() for name, key in self.keys.items()},
            "before": judged(self.before),
            "after": judged(self.after),
            "itself": self.itself,
            "covers": self.covers,
        }

    def _lines(self) -> tuple[list[list[str]], list[str]]:
        table = [["key", "before", "fitted", "std. error", "searches ended at"]]
        for name, key in self.keys.items():
            before = math.nan if key.before is None else key.before
            ends = " ".join(map(short, key.searches))
            cells = map(short, (before, key.fitted, key.standard_error))
            table.append([name, *cells, ends])
        table.append(["distance, in sd of the recording", "before", "fitted", "", ""])
        for name, after in self.after.distances.items():
            was = "-" if self.before is None else short(self.before.distances[name].mean)
            table.append([name, was, short(after.mean), "", ""])
        said = [f"objective, over fresh seeds: {self.after.objective}"]
        if self.before is not None:
            said.append(f"of the scene as it was: {self.before.objective}")
        if not math.isnan(self.itself):
            said.append(f"of the fitted scene against runs of itself: {short(self.itself)}")
            said.append(
                f"standard errors are those of recordings as long as a run, {short(self.covers[1])}"
                f" s; this one covers {short(self.covers[0])}"
            )
        return table, [*said, *self.notes]

    def __repr__(self) -> str:
        table, said = self._lines()
        rows = [f"{row[0]:<36}" + "".join(f"{cell:>12}" for cell in row[1:4]) for row in table]
        ends = [f"  {row[4]}".rstrip() for row in table]
        return "\n".join([*(row + end for row, end in zip(rows, ends)), *said])

    def _repr_html_(self) -> str:
        table, said = self._lines()
        return _lab.html_table(table[0], table[1:], "\n".join(said))


class _Varied(NamedTuple):
    """A key, and between which numbers."""

    key: str
    low: float
    high: float
    log: bool

    def value(self, place: float) -> float:
        """The value at a place from 0 to 1, in as many digits as a flock's own numbers have."""
        place = min(max(place, 0.0), 1.0)
        if self.log:
            value = self.low * (self.high / self.low) ** place
        else:
            value = self.low + (self.high - self.low) * place
        return float(f"{value:.7g}")

    def place(self, value: float) -> float:
        """Where a value is, from 0 to 1; NaN outside."""
        if not self.low <= value <= self.high:
            return math.nan
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def _varied(scene: Scene, vary: Mapping[str, Any] | Iterable[str]) -> list[_Varied]:
    given = vary if isinstance(vary, Mapping) else {
        key: None for key in ([vary] if isinstance(vary, str) else vary)
    }
    if not 1 <= len(given) <= MOST_KEYS:
        raise ValueError(f"vary: {len(given)} keys: allowed is 1 to {MOST_KEYS}")
    all_varied = []
    for key, ends in given.items():
        _, slider = scene._native._number(key)
        words = "allowed is (low, high), two finite numbers, low below high"
        if ends is None:
            if slider is None:
                raise ValueError(f"vary: {key} = None: {words}, as the scene has no number of it")
            ends = slider
        ends = tuple(ends) if isinstance(ends, (tuple, list)) else (ends,)
        log = len(ends) == 3 and ends[2] == "log"
        try:
            low, high = (float(end) for end in (ends[:2] if log else ends))
        except (TypeError, ValueError):
            raise ValueError(
                f'vary: {key} = {ends!r}: {words}, and perhaps "log" behind them'
            ) from None
        if not -math.inf < low < high < math.inf or (log and low <= 0):
            above = ', and with "log" above 0' if log else ""
            raise ValueError(f"vary: {key} = {ends!r}: {words}{above}")
        all_varied.append(_Varied(key, low, high, log))
    return all_varied


class _Journal:
    """The runs that are finished, a line each: what a fit that was killed resumes from. A line ends
    in a checksum of what comes before; the last may be torn, and is nothing without its line
    break. Without a path it is in memory only."""

    _MAGIC = b'{"fit": 1, '

    def __init__(
        self, path: str | os.PathLike[str] | None, head: dict[str, Any], fresh: bool
    ) -> None:
        self.known: dict[str, tuple[list[float], str]] = {}
        self._lock, self._file = threading.Lock(), None
        self.made = 0
        if path is None:
            return
        path, where = os.fspath(path), f"journal = {os.fspath(path)!r}"
        content = b""
        if os.path.exists(path):
            with open(path, "rb") as file:
                content = file.read()
        # Whatever else a file holds is not written over; of a head, the kill may have left a part.
        if not content.startswith(self._MAGIC[: len(content)]):
            raise ValueError(f"{where}: is no journal of a fit: allowed is another name")
        lines = [] if fresh else content.split(b"\n")[:-1]
        if lines:
            found = self._unsealed(lines[0])
            if found is None:
                raise ValueError(
                    f"{where}: line 1 is damaged: allowed is fresh=True, which begins anew"
                )
            other = [name for name in head if found.get(name) != head[name]]
            if other:
                raise ValueError(
                    f"{where}: is of another fit, which differs in {', '.join(other)}: allowed is"
                    " another name, or fresh=True, which begins anew"
                )
        for number, line in enumerate(lines[1:], 2):
            run = self._unsealed(line)
            if run is None:
                raise ValueError(
                    f"{where}: line {number} is damaged: allowed is fresh=True, which begins anew"
                )
            self.known[run[0]] = (run[1], run[2])
        if lines:
            os.truncate(path, sum(len(line) + 1 for line in lines))
        else:
            open(path, "wb").close()
        # Every write goes to the end: of two fits with one journal, neither harms the other's.
        self._file = open(path, "ab", buffering=0)
        if not lines:
            self._file.write(self._sealed(head))

    @staticmethod
    def _sealed(what: Any) -> bytes:
        text = json.dumps(what).encode()
        return text + b" %08x\n" % zlib.crc32(text)

    @staticmethod
    def _unsealed(line: bytes) -> Any:
        text, _, seal = line.rpartition(b" ")
        return json.loads(text) if seal == b"%08x" % zlib.crc32(text) else None

    def add(self, name: str, distances: list[float], state_hash: str) -> None:
        """Keeps a run; the line is handed to the system whole."""
        with self._lock:
            self.made += 1
            if name not in self.known:
                self.known[name] = (distances, state_hash)
                if self._file is not None:
                    self._file.write(self._sealed([name, distances, state_hash]))

    def close(self) -> None:
        """No more runs."""
        if self._file is not None:
            self._file.close()


class _Target(NamedTuple):
    """What runs are compared with: a recording, or a run in its place."""

    name: str
    values: Columns
    #: What distances are measured in, of the recording.
    units: dict[str, float]

    def distances(self, run: Columns) -> list[float]:
        """How far a run is away, column by column."""

        def distance(name: str, unit: float) -> float:
            one, other = self.values[name], run[name]
            if one.size and other.size:
                return _lab.wasserstein(one, other) / unit
            return MISSING if one.size or other.size else 0.0

        return [distance(name, unit) for name, unit in self.units.items()]


def _objective(distances: Sequence[float]) -> float:
    return math.sqrt(sum(x * x for x in distances) / len(distances))


def _estimate(values: Sequence[float]) -> Estimate:
    error = np.std(values, ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Estimate(float(np.mean(values)), float(error))


def _spread(keys: int, count: int, shift: int) -> list[Point]:
    """Points of the unit box in which every stretch of the order is spread evenly: xᵢ = frac(shift
    + i·α) with αⱼ = g^−(j+1) and g^(d+1) = g + 1 (Roberts 2018), shifted by a number of the
    search."""
    root = 2.0
    for _ in range(64):
        root = (1 + root) ** (1 / (keys + 1))
    # Of the golden ratio: shifts of neighboring numbers are far apart.
    begin = [shift * 0.6180339887498949 + key * 0.4142135623730951 for key in range(keys)]
    return [
        tuple((begin[key] + (i + 1) * root ** -(key + 1)) % 1.0 for key in range(keys))
        for i in range(count)
    ]


def _search(
    many: Callable[[list[Point]], list[float]],
    again: Callable[[list[Point]], list[float]],
    keys: int,
    points: int,
    shift: int,
    own: Point | None,
) -> Point:
    """Points spread over all ranges, then COBYQA from the best of them until there are no points
    left; of the best of all the best by a second look."""
    from scipy.optimize import minimize  # type: ignore[import-untyped, unused-ignore]

    count = max(1, int(points * SPREAD))
    start = ([own] if own else []) + _spread(keys, count, shift)
    seen = list(zip(start[:count], many(start[:count])))

    def ranked() -> list[Point]:
        return list(dict.fromkeys(point for point, _ in sorted(seen, key=lambda one: one[1])))

    def objective(place: Float64Array) -> float:
        point = tuple(float(min(max(x, 0.0), 1.0)) for x in place)
        value = many([point])[0]
        seen.append((point, value))
        return value

    # Where runs are noise, it may end on a slope: it begins again from the best point. Where that
    # is the one it began from, it halves its steps, as the same would lead to the same points.
    begun, step = None, FIRST_STEP
    while points - len(seen) >= keys + 2:
        best_yet = ranked()[0]
        step = FIRST_STEP if best_yet != begun else step / 2
        if step < LAST_STEP:
            break
        begun = best_yet
        minimize(
            objective,
            best_yet,
            method="COBYQA",
            bounds=[(0.0, 1.0)] * keys,
            options={
                "maxfev": points - len(seen),
                "initial_tr_radius": step,
                "final_tr_radius": LAST_STEP,
            },
        )
    best = ranked()[:SECOND_LOOK]
    values = again(best)
    return best[values.index(min(values))]


def fit(
    scene: Scene | str | os.PathLike[str],
    target: Recording,
    vary: Mapping[str, Any] | Iterable[str],
    *,
    columns: str | list[str] | tuple[str, ...] | None = None,
    radius: float | None = None,
    steps: int | None = None,
    average_from: int = 0,
    every: int | None = None,
    target_from: int | None = None,
    target_every: int = 1,
    searches: int = 4,
    points: int | None = None,
    runs: int = 4,
    fresh_runs: int = 16,
    refits: int = 4,
    seed: int = 1,
    journal: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    workers: int | None = None,
    progress: bool | None = None,
) -> Fit:
    """Looks for the numbers of a scene whose runs come closest to a recording.

        >>> fit("tank.toml", fish, {"cohesion.weight": (0, 5), "separation.weight": (1, 99, "log")},
        ...     columns="polarization,mean_speed", average_from=100, journal="tank.runs")

    `vary` names up to eight keys that take any number, and between which; a key alone, or None, is
    varied over the range of its slider in the live view. The scene is run `steps` steps (None: as
    many as it says) and measured at every tenth (`every`) after `average_from`, the recording at
    every `target_every`-th frame after `target_from`. Made smaller is, in each run, for each of
    `columns` (None: the usual ones that have values), Wasserstein's first distance between the
    values over moments of the run and those of the recording, in standard deviations of the
    recording; of the columns the root mean square; of that the mean over `runs` runs. Groups take
    a `radius`.

    The objective is dear, noisy (a flock is chaotic: common seeds do not make neighboring points
    alike for long) and has many valleys. What docs/decisions/0029 learned of that is kept here.
    Each of `searches` searches has seeds of its own, looks at points spread over all ranges, two
    fifths of `points` (25 for each key), and starts COBYQA from the best, with steps of 15 % of a
    range down to 2 %, again and again while there are points left. Its eight best points are run
    again with other seeds, three times as many: the best of many noisy numbers is partly luck. The
    ends of all searches and their mean are run with `fresh_runs` seeds that no search has had, and
    the best of them is the fit; it is judged on as many others. `refits` runs of the fitted scene
    then take the place of the recording, and are searched for in the same way: how far they come
    out from it is the standard error of a key. The spread of the searches alone would be too small.

    Each finished run is a line of the file `journal`: after Ctrl-C or a kill the same call resumes
    from there, and a journal of another fit is refused (`fresh` begins anew). `seed` is where all
    seeds of the fit begin. Neither interruptions nor `workers` change any number. It takes SciPy.
    """
    scene = _lab.the_scene(scene)
    if not isinstance(target, Recording):
        raise ValueError(
            f"target of type {type(target).__name__}: allowed is a Recording: wingbeat.read or"
            " Recording.from_array makes one"
        )
    varied = _varied(scene, vary)
    keys = len(varied)
    points = POINTS * keys if points is None else points
    for name, number, least, most in (
        ("searches", searches, 1, MOST_SEARCHES),
        ("points", points, keys + 2, 100_000),
        ("runs", runs, 1, BLOCK // 4),
        ("fresh_runs", fresh_runs, 1, BLOCK),
        ("refits", refits, 0, MOST_SEARCHES),
        ("seed", seed, 0, 10**9),
        ("target_every", target_every, 1, 2**63 - 1),
    ):
        if not least <= number <= most:
            raise ValueError(f"{name} = {number}: allowed is a whole number, {least} to {most}")
    if target.dimensions != scene.dimensions:
        raise ValueError(
            f"target: is in {target.dimensions}-D, and the scene in {scene.dimensions}-D: allowed"
            " are two of the same"
        )
    last = target.found["last_frame"]
    if target_from is not None and target_from >= last:
        raise ValueError(
            f"target_from = {target_from}: allowed is a whole number below {last}, the last frame"
        )
    check_radius(radius)
    steps = scene.steps if steps is None else steps
    every = _lab.sampling(steps, average_from, every)
    (box, periodic), (its_box, its_periodic) = _lab.edges(target), _lab.edges(scene)
    names, in_hull, notes = _lab.density_of(
        _names(columns), (box, its_box), (periodic, its_periodic)
    )
    measured = Measure(names, radius, in_hull).recording(target, target_from, target_every)
    units = {}
    for name, values in measured.items():
        found = _lab.sample([values])
        if found is not None and found.unit > 0:
            units[name] = found.unit
    without = [name for name in measured if name not in units]
    if not units or (without and columns is not None):
        raise ValueError(
            f"columns = {','.join(without)!r}: allowed is columns with values in the recording, and"
            " not all 0 (groups take a radius)"
        )
    measure = Measure(list(units), radius, in_hull)
    own_values = [scene._native._number(one.key)[0] for one in varied]
    # Refused before anything runs: the ends of all ranges.
    corners = [tuple(float(side) for _ in varied) for side in (0, 1)]
    corners += [tuple(float(i == one) for i in range(keys)) for one in range(keys)]
    for corner in corners:
        at = {one.key: one.value(place) for one, place in zip(varied, corner)}
        _with(scene, at)._native._flock(None, 1)

    def values_of(point: Point) -> Point:
        return tuple(one.value(place) for one, place in zip(varied, point))

    def with_values(values: Point) -> Scene:
        return _with(scene, {one.key: value for one, value in zip(varied, values)})

    recording = _Target("recording", measured, units)
    digest = zlib.crc32(b"".join(measured[name].tobytes() for name in units))
    head = {
        "fit": 1,
        "version": __version__,
        "scene": scene.toml,
        "start": _with(scene, {"flock.seed": 0})._native._flock(None, 1).state_hash,
        "keys": [one.key for one in varied],
        "columns": list(units),
        "radius": radius,
        "steps": steps,
        "average_from": average_from,
        "every": every,
        "recording": f"{digest:08x}",
    }
    kept = _Journal(journal, head, fresh)
    stop = threading.Event()

    def block(number: int, count: int) -> range:
        first = (seed * BLOCK + number) * BLOCK
        return range(first, first + count)

    choice = block(2 * MOST_SEARCHES, fresh_runs)
    judging = block(2 * MOST_SEARCHES + 1, fresh_runs)
    standing = block(2 * MOST_SEARCHES + 2, refits)

    most = searches * ((points + 3 * SECOND_LOOK) * runs + fresh_runs) + 3 * fresh_runs
    most += refits * ((points + 3 * SECOND_LOOK) * runs + fresh_runs + 1)
    with (
        ThreadPoolExecutor(workers or os.cpu_count()) as pool,
        Progress(most, progress, "run") as bar,
    ):

        def one_run(goal: _Target, values: Point, one_seed: int, name: str) -> None:
            if stop.is_set():
                raise KeyboardInterrupt
            with_seed = _with(with_values(values), {"flock.seed": one_seed})
            found, state_hash = measure.run(with_seed, steps, average_from, every, stop)
            kept.add(name, goal.distances(found), state_hash)

        def distances(
            goal: _Target, points: Sequence[Point], seeds: range
        ) -> list[list[list[float]]]:
            """For each point the distances of its runs, one for each seed."""
            name = {
                (values, one): json.dumps([goal.name, values, one])
                for values in points
                for one in seeds
            }
            new: list[Future[None]] = [
                pool.submit(one_run, goal, *run, run_name)
                for run, run_name in name.items()
                if run_name not in kept.known
            ]
            for made in new:
                made.result()
            bar.add(len(name))
            return [[kept.known[name[values, one]][0] for one in seeds] for values in points]

        def means(goal: _Target, points: Sequence[Point], seeds: range) -> list[float]:
            runs_of = distances(goal, points, seeds)
            return [float(np.mean([_objective(run) for run in all_runs])) for all_runs in runs_of]

        def judged(goal: _Target, values: Point) -> Judged:
            (all_runs,) = distances(goal, [values], judging)
            by_column = [_estimate(column) for column in zip(*all_runs)]
            return Judged(
                _estimate([_objective(run) for run in all_runs]), dict(zip(units, by_column))
            )

        places = [
            math.nan if own is None else one.place(own) for one, own in zip(varied, own_values)
        ]
        own_point = None if any(map(math.isnan, places)) else tuple(places)

        def search(job: tuple[_Target, int]) -> Point:
            goal, number = job
            first = block(number, runs)
            others = range(first.stop, first.stop + 3 * runs)
            return _search(
                lambda some: means(goal, [values_of(point) for point in some], first),
                lambda some: means(goal, [values_of(point) for point in some], others),
                keys,
                points,
                first.start // BLOCK,
                own_point,
            )

        try:
            ends = _lab.in_threads(
                search, [(recording, i) for i in range(searches)], searches, stop
            )
            middle = tuple(float(np.mean(places)) for places in zip(*ends))
            candidates = [values_of(point) for point in [*ends, middle]]
            chosen = means(recording, candidates, choice)
            best = candidates[chosen.index(min(chosen))]
            after = judged(recording, best)
            before = None
            if None not in own_values:
                was = tuple(float(f"{own:.9g}") for own in own_values if own is not None)
                before = judged(recording, was)

            def stand_in(one_seed: int) -> _Target:
                with_seed = _with(with_values(best), {"flock.seed": one_seed})
                found, state_hash = measure.run(with_seed, steps, average_from, every, stop)
                return _Target(state_hash, found, units)

            stands = _lab.in_threads(stand_in, list(standing), workers, stop)
            itself = [judged(stand, best).objective.mean for stand in stands]
            again = [
                values_of(point)
                for point in _lab.in_threads(
                    search,
                    [(stand, MOST_SEARCHES + i) for i, stand in enumerate(stands)],
                    max(refits, 1),
                    stop,
                )
            ]
        except BaseException:
            # Runs that have begun end too.
            stop.set()
            raise
        finally:
            kept.close()

    found_keys = {}
    for i, one in enumerate(varied):
        fitted, ended = best[i], [values_of(point)[i] for point in ends]
        others = [values[i] for values in again]
        squares = [(other - fitted) ** 2 for other in others]
        error = math.sqrt(float(np.mean(squares))) if squares else math.nan
        found_keys[one.key] = FittedKey(
            one.low, one.high, own_values[i], fitted, error, ended, others
        )
    first_frame = target.found["first_frame"] if target_from is None else target_from + 1
    return Fit(
        scene=with_values(best),
        keys=found_keys,
        before=before,
        after=after,
        itself=float(np.mean(itself)) if itself else math.nan,
        runs_made=kept.made,
        covers=((last - first_frame + 1) / target.fps, (steps - average_from) * scene.dt),
        notes=notes,
    )
