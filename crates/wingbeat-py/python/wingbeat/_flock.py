"""A flock that flies."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _arrays, _native, _toml
from ._arrays import Float32Array, UInt32Array, UInt64Array
from ._html import framed
from ._scene import Scene

#: More boids are no page in a notebook, which is one file with all of its pages in it.
LARGE = 100_000

Hook = Callable[["Flock"], object]


class Rows(NamedTuple):
    """All boids by ascending id: copies, which belong to you."""

    #: (n,) whole numbers.
    ids: UInt64Array
    #: (n, dimensions), lengths of the scene.
    positions: Float32Array
    #: (n, dimensions), lengths by time.
    velocities: Float32Array
    #: (n,) places in `Flock.species_names`; empty without species.
    species: UInt32Array


class Events(NamedTuple):
    """What happened in the steps of the last call of `Flock.step`, a row for each event, in the
    order of steps."""

    #: (n,) the step in which it happened; the first of a flock is 1.
    step: UInt64Array
    #: (n,) places in `wingbeat.EVENT_KINDS`: captured, arrived, exited, squeezed, left, entered.
    kind: npt.NDArray[np.uint8]
    #: (n,) ids: to which it happened; of a capture, the captor.
    boid: UInt64Array
    #: (n,) which boids a captor captured; the place of the drive, exit or source; 2⁶⁴ − 1 where
    #: there is none.
    other: UInt64Array

    def of(self, kind: str) -> Events:
        """Those of one kind, by its name.

        Raises `ValueError` for a name that is not in `wingbeat.EVENT_KINDS`.
        """
        if kind not in _native.EVENT_KINDS:
            raise ValueError(f"event {kind!r}: allowed is {', '.join(_native.EVENT_KINDS)}")
        chosen = self.kind == _native.EVENT_KINDS.index(kind)
        return Events(self.step[chosen], self.kind[chosen], self.boid[chosen], self.other[chosen])


class Near(NamedTuple):
    """Boids near points, a row for each."""

    #: (n,) ids.
    ids: UInt64Array
    #: (n,) how far each is from its point.
    distances: Float32Array
    #: (n,) which point, by its place among those that were given.
    points: UInt32Array

    @staticmethod
    def of(columns: tuple[_native.Column, _native.Column, _native.Column]) -> Near:
        points, ids, distances = (np.asarray(column) for column in columns)
        return Near(ids, distances, points)


class Flock:
    """A flock, made of a `Scene`, or of what one is made of: a preset's name, a file's path, a
    text.

    `level` is the SIMD level (`wingbeat.levels()`; None: the best), `threads` how many work on a
    step (None: all cores). Neither changes a bit of any result.

    Columns (`positions`, `velocities`, `ids`, `species`) are in **slot order**: neighbors in space
    are neighbors in memory, and the order changes with every step. Row i of one belongs to row i of
    the others taken between the same two steps; `rows()` has every boid by id.

    Raises `ValueError` in the engine's words where the scene cannot be built, `OSError` where a
    file cannot be read. A flock that steps in one thread refuses all else from other threads
    meanwhile (`RuntimeError`); several flocks step at once. After a fork, a flock with more than
    one thread belongs to the process that made it: pickle it to take it along.
    """

    def __init__(
        self,
        scene: Scene | str | os.PathLike[str],
        *,
        level: str | None = None,
        threads: int | None = None,
    ) -> None:
        scene = scene if isinstance(scene, Scene) else Scene(scene)
        if threads is not None and threads < 1:
            raise ValueError(f"threads = {threads}: allowed is 1 or more")
        self._machine = (level, threads)
        self._native = scene._native._flock(level, threads)
        self._process = os.getpid()
        self._before: list[Hook] = []
        self._after: list[Hook] = []
        #: Events of the last call of `step`, where hooks were called in between.
        self._hooked: tuple[list[int], list[int], list[int], list[int]] | None = None
        self._in_hooks = False

    # Stepping

    def step(self, n: int = 1) -> None:
        """Makes `n` steps. The interpreter is free meanwhile, and Ctrl-C stops between two
        steps."""
        if not 0 <= n < 2**63:
            raise ValueError(f"n = {n}: allowed is 0 or more, and less than 2^63")
        if self._in_hooks:
            raise RuntimeError("step: allowed is outside of hooks, which are part of a step")
        self._check_process()
        if not (self._before or self._after):
            self._hooked = None
            self._native._step(n)
            return
        self._hooked = ([], [], [], [])
        self._in_hooks = True
        try:
            for _ in range(n):
                for hook in tuple(self._before):
                    hook(self)
                self._native._step(1)
                for all_steps, of_step in zip(self._hooked, self._native._events()):
                    all_steps.extend(of_step)
                for hook in tuple(self._after):
                    hook(self)
        finally:
            self._in_hooks = False

    def before(self, hook: Hook) -> Hook:
        """Calls `hook(flock)` before every step from now on; can be used as a decorator.

        A hook works on whole columns (`flock.positions`, `flock.set_velocities(…)`): there is no
        rule of one's own for each boid, which Python would call a hundred thousand times a step.
        What a hook changes is part of the flock's history like any other change. In a hook,
        `events` are those of the last step. `unhook` takes it off.
        """
        self._before.append(hook)
        return hook

    def after(self, hook: Hook) -> Hook:
        """Calls `hook(flock)` after every step from now on; as `before`."""
        self._after.append(hook)
        return hook

    def unhook(self, hook: Hook) -> None:
        """Calls a hook no more, before or after. Raises `ValueError` if it is none."""
        if hook not in self._before and hook not in self._after:
            raise ValueError(f"{hook!r}: allowed is a hook of this flock")
        self._before = [one for one in self._before if one != hook]
        self._after = [one for one in self._after if one != hook]

    def _check_process(self) -> None:
        """Threads do not live on in a forked process, and waiting for them would take for ever."""
        if self._native.threads > 1 and os.getpid() != self._process:
            raise RuntimeError(
                "a flock of another process: allowed is to pickle it there, or one with threads = 1"
            )

    @property
    def steps(self) -> int:
        """Steps made."""
        return self._native.steps

    @property
    def time(self) -> float:
        """Time passed, in the scene's unit."""
        return self._native.time

    @property
    def dt(self) -> float:
        """Time that one step covers."""
        return self._native.dt

    @property
    def events(self) -> Events:
        """What happened in the last call of `step`, in all of its steps; in a hook, in the last
        step."""
        step, kind, boid, other = (
            self._native._events() if self._hooked is None or self._in_hooks else self._hooked
        )
        return Events(
            np.array(step, np.uint64),
            np.array(kind, np.uint8),
            np.array(boid, np.uint64),
            np.array(other, np.uint64),
        )

    # Columns

    @property
    def positions(self) -> Float32Array:
        """Positions, (n, dimensions), in slot order: a view of the engine's own memory, without a
        copy.

        It cannot be written, and is the state of the moment it was taken: a step, a change or the
        end of the flock leave it as it is. A view that you keep across a step costs that step new
        memory (8 or 12 bytes a boid) where the one before is also still kept.
        """
        return np.asarray(self._native._positions())

    @property
    def velocities(self) -> Float32Array:
        """Velocities; as `positions`."""
        return np.asarray(self._native._velocities())

    @property
    def ids(self) -> UInt64Array:
        """Ids, (n,), in slot order. Gathered once after each step, then a view; never written."""
        return np.asarray(self._native._ids())

    @property
    def species(self) -> UInt32Array:
        """Places in `species_names`, (n,), in slot order; empty without species. Copied once after
        each step, then a view."""
        return np.asarray(self._native._species())

    def rows(self) -> Rows:
        """Every boid by ascending id, copied."""
        ids, species = self.ids, self.species
        order = np.argsort(ids)
        return Rows(
            ids[order],
            np.ascontiguousarray(self.positions[order]),
            np.ascontiguousarray(self.velocities[order]),
            species[order] if species.size else species,
        )

    # Questions about places. The first one after a step or a change finds the order of the boids,
    # which the next step then need not find.

    def within(self, point: npt.ArrayLike, radius: float) -> Near:
        """All boids within `radius` of a point, at exactly the radius included: ids and distances,
        in an order that is the same on every machine.

        Of many points, (k, dimensions), in one call: rows of the first point come first, and
        `points` says whose each is. Distances are those of a step: through the nearest image in a
        periodic box, in float32. A radius beyond half a side of the box finds each boid once.

            ids, distances, _ = flock.within([5.0, 5.0], 2.0)

        Raises `ValueError` for NaN, infinite numbers and a radius below 0.
        """
        points = _arrays.rows("points", point, self.dimensions)
        return Near.of(self._native._within(points, radius))

    def nearest(self, point: npt.ArrayLike, count: int = 1) -> Near:
        """The `count` boids nearest to a point, the nearest first, equally near ones by id; fewer
        where the flock has fewer. Of many points in one call as `within`."""
        if not 0 <= count < 2**63:
            raise ValueError(f"count = {count}: allowed is 0 or more")
        points = _arrays.rows("points", point, self.dimensions)
        return Near.of(self._native._nearest(points, count))

    def is_free(self, point: npt.ArrayLike, radius: float) -> npt.NDArray[np.bool_]:
        """Whether a body of this radius has room at each of the points, (k,): in the domain, off
        walls and obstacles by the radius, and overlapping no boid's body; in a flock of points no
        boid may be nearer than the radius. Where it is true, `add` accepts a boid whose body has
        that radius."""
        points = _arrays.rows("points", point, self.dimensions)
        return np.array(self._native._are_free(points, radius), np.bool_)

    # Changes between steps: of the boids named in one call, all are changed or none. An id that is
    # named twice counts once, by its last row.

    def set(self, key: str | Mapping[str, Any], value: Any = None) -> None:
        """Changes a number of the scene from the next step on: `flock.set("cohesion.weight", 0.5)`,
        or a mapping of several.

        Keys are those of scene files (docs/KEYS.md). Raises `ValueError` for a key or value that
        is not accepted, and for keys that a flock is built from (`flock.boids`, `domain.…`): set
        those on the scene. Of a mapping, what comes before the refused one is set.
        """
        for one, written in _toml.changes(key, value):
            self._native._set(one, written)

    def set_positions(self, ids: npt.ArrayLike, positions: npt.ArrayLike) -> None:
        """Moves boids: (k, dimensions), a row for each of k ids, or one row for all. Raises
        `ValueError` for an id that is not there, NaN, and places outside of walls or inside an
        obstacle."""
        ids = _arrays.ids(ids)
        self._native._set_positions(
            ids, _arrays.rows("positions", positions, self.dimensions, len(ids))
        )

    def set_velocities(self, ids: npt.ArrayLike, velocities: npt.ArrayLike) -> None:
        """Changes velocities: (k, dimensions), a row for each of k ids, or one row for all. Raises
        `ValueError` for an id that is not there and for numbers that are not finite."""
        ids = _arrays.ids(ids)
        self._native._set_velocities(
            ids, _arrays.rows("velocities", velocities, self.dimensions, len(ids))
        )

    def set_state(self, positions: npt.ArrayLike, velocities: npt.ArrayLike) -> None:
        """Moves all boids: (n, dimensions) each, rows by ascending id, as `rows()` has them. Raises
        `ValueError` as `set_positions`."""
        count = len(self)
        positions = _arrays.rows("positions", positions, self.dimensions, count)
        self._native._set_state(
            positions, _arrays.rows("velocities", velocities, self.dimensions, count)
        )

    def set_goals(self, ids: npt.ArrayLike, goals: npt.ArrayLike | None) -> None:
        """Gives boids goals of their own, (k, dimensions), a row for each id or one for all; None
        takes them away. The scene needs a drive that seeks goals (`[drive.NAME]` with
        `kind = "goal"`) for them to matter. Raises `ValueError` for an id that is not there and for
        a goal outside the domain."""
        ids = _arrays.ids(ids)
        self._native._set_goals(
            ids, None if goals is None else _arrays.rows("goals", goals, self.dimensions, len(ids))
        )

    def goal(self, id: int) -> tuple[float, ...] | None:
        """A boid's own goal, if it has one. Raises `ValueError` for an id that is not there."""
        goal = self._native.goal(_arrays.one_id(id))
        return None if goal is None else tuple(goal)

    def set_traits(
        self,
        ids: npt.ArrayLike,
        *,
        max_speed: npt.ArrayLike | None = None,
        mass: npt.ArrayLike | None = None,
        radius: npt.ArrayLike | None = None,
        species: Any = None,
    ) -> None:
        """Gives boids limits of their own, or another species (a name or a place): one value for
        all or one for each id. NaN gives back the usual one; what is not named stays."""
        ids = _arrays.ids(ids)
        self._native._set_traits(
            ids,
            _arrays.per_id("max_speed", max_speed, len(ids)),
            _arrays.per_id("mass", mass, len(ids)),
            _arrays.per_id("radius", radius, len(ids)),
            None if species is None else _arrays.places(self.species_names, species, len(ids)),
        )

    def traits(self, id: int) -> dict[str, Any]:
        """What is a boid's own: species, and max_speed, mass, radius (None: the usual)."""
        return self._native.traits(_arrays.one_id(id))

    def set_obstacle(self, name: str, position: npt.ArrayLike, angle: float = 0.0) -> None:
        """Where an obstacle of `motion = "host"` goes in the next step, and its angle in
        radians."""
        self._native._set_obstacle(name, np.asarray(position, np.float32).ravel().tolist(), angle)

    def add(
        self,
        positions: npt.ArrayLike,
        velocities: npt.ArrayLike | None = None,
        *,
        species: Any = None,
    ) -> UInt64Array:
        """Adds boids, a row each, at rest unless told otherwise; tells their new ids, which are
        never used again."""
        where = _arrays.rows("positions", positions, self.dimensions)
        how = (
            np.zeros_like(where)
            if velocities is None
            else _arrays.rows("velocities", velocities, self.dimensions, len(where))
        )
        places = (
            None if species is None else _arrays.places(self.species_names, species, len(where))
        )
        ids = np.arange(*self._native._add(where, how), dtype=np.uint64)
        if places is not None:
            self._native._set_traits(ids, None, None, None, places)
        return ids

    def remove(self, ids: npt.ArrayLike) -> None:
        """Removes boids. Raises `ValueError` for an id that is not there (any more) or is named
        twice."""
        self._native._remove(_arrays.ids(ids))

    # What it is

    def measure(
        self,
        columns: str | list[str] | tuple[str, ...] | None = None,
        *,
        radius: float | None = None,
    ) -> dict[str, float | None]:
        """Observables of the flock as it is, by name; None for a value where there is no answer.
        `columns` of None are the usual ones (all but local_order). Boids within `radius` of each
        other are neighbors for groups and local order (None: the largest radius of perception)."""
        names = _names(columns)
        _arrays.check_radius(radius)
        self._check_process()
        return dict(
            zip(
                [name for name in _native.observables() if name in names],
                self._native._measure(",".join(names), radius),
            )
        )

    def explain(self, id: int) -> dict[str, Any]:
        """Why a boid goes where it goes in the next step: neighbors, terms, weights, limits, number
        by number (docs/COMMANDS.md)."""
        explanation: dict[str, Any] = json.loads(self._native._explain(_arrays.one_id(id)))
        return explanation

    @property
    def state_hash(self) -> str:
        """16 hexadecimal digits of ids, positions and velocities: what `wingbeat run --json` prints
        for the same state."""
        return self._native.state_hash

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return self._native.dimensions

    @property
    def bounds(self) -> tuple[list[float], list[float]] | None:
        """Lowest and highest corner of the domain; None where it is open."""
        return self._native.bounds

    @property
    def periodic(self) -> bool:
        """Whether who leaves on one side enters on the other."""
        return self._native.periodic

    @property
    def species_names(self) -> list[str]:
        """Names of the scene's species, in its order."""
        return self._native.species_names

    @property
    def exits(self) -> list[str]:
        """Names of the scene's exits: what `Events.other` counts for kind exited."""
        return self._native.exits

    @property
    def awaits_others(self) -> bool:
        """Whether any boid is still to come from a source."""
        return self._native.awaits_others

    @property
    def level(self) -> str:
        """The SIMD level in use."""
        return self._native.level

    @property
    def threads(self) -> int:
        """Threads in use."""
        return self._native.threads

    @property
    def name(self) -> str:
        """The scene's name."""
        return self._native.name

    @property
    def toml(self) -> str:
        """The scene with all changes, as a file would have it."""
        return self._native.toml

    @property
    def notes(self) -> list[str]:
        """What was done to the initial state, a sentence each."""
        return self._native.notes

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return (
            f"<wingbeat.Flock {self.name}: {len(self)} boids in {self.dimensions}-D,"
            f" step {self.steps}>"
        )

    # Kept, copied, shown

    def checkpoint(self) -> bytes:
        """Everything that a later step depends on, the scene with what was `set` too, with a
        checksum: `restore` goes on from it in the same bits, on any machine. A file that the scene
        starts from is not in it."""
        return self._native.checkpoint()

    def restore(self, checkpoint: bytes) -> None:
        """Goes on from a checkpoint of a flock of as many dimensions, whatever this one was. Raises
        `ValueError` for bytes that are none, or damaged; nothing is changed then."""
        self._hooked = None
        self._native._restore(bytes(checkpoint))

    def copy(self) -> Flock:
        """A flock that goes on as this one would, without its hooks."""
        other = Flock(
            Scene.from_toml(self.toml, name=self.name),
            level=self._machine[0],
            threads=self._machine[1],
        )
        other.restore(self.checkpoint())
        return other

    def __copy__(self) -> Flock:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Flock:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _revive, (self.toml, self.name, self._machine, self.checkpoint())

    def to_html(self) -> str:
        """A page in which the flock flies on from here: one file with the engine in it, no server.
        Raises `ValueError` where a page cannot run the scene (it needs files)."""
        return self._native._page()

    def _repr_html_(self) -> str:
        if len(self) > LARGE:
            return (
                f"<p>{html.escape(repr(self))}: more than {LARGE} boids are a page of their own,"
                " by <code>to_html()</code></p>"
            )
        return framed(self.to_html())


def _revive(
    toml: str, name: str, machine: tuple[str | None, int | None], checkpoint: bytes
) -> Flock:
    flock = Flock(Scene.from_toml(toml, name=name), level=machine[0], threads=machine[1])
    flock.restore(checkpoint)
    return flock


def _names(columns: str | list[str] | tuple[str, ...] | None) -> list[str]:
    """Names of observables from what a user may give."""
    if columns is None:
        return [name for name in _native.observables() if name != "local_order"]
    names = (
        [name.strip() for name in columns.split(",")] if isinstance(columns, str) else list(columns)
    )
    for name in names:
        if name not in _native.observables():
            raise ValueError(f"observable {name!r}: allowed is {', '.join(_native.observables())}")
    return names
