"""What a flock is made of."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _native, _toml

if TYPE_CHECKING:
    from ._flock import Flock
    from ._result import Result


class Scene:
    """A scene: a preset's name (`wingbeat.presets()`), a TOML file's path, or a TOML text (anything
    of more than one line).

    `settings` are set on top: `Scene("shoal", {"flock.boids": 500})`. Keys are in docs/KEYS.md;
    values are numbers, texts, True, False or lists.

    Raises `ValueError` in one line that says where, which key, what was given and what is allowed;
    `OSError` where a file cannot be read.
    """

    def __init__(
        self, source: str | os.PathLike[str], settings: Mapping[str, Any] | None = None
    ) -> None:
        source = os.fspath(source)
        name = "scene" if "\n" in source else None
        self._native = _native.Scene(source, name, _toml.changes(settings or {}, None))

    @classmethod
    def from_toml(
        cls, text: str, settings: Mapping[str, Any] | None = None, *, name: str = "scene"
    ) -> Scene:
        """A scene of a text, even of one line; `name` is what messages call it."""
        scene = cls.__new__(cls)
        scene._native = _native.Scene(text, name, _toml.changes(settings or {}, None))
        return scene

    def set(self, key: str | Mapping[str, Any], value: Any = None) -> Scene:
        """Sets a key, or several: `scene.set("cohesion.weight", 2).set({"flock.seed": 7})`. All or
        none; returns the scene itself."""
        self._native._set(_toml.changes(key, value))
        return self

    def start(
        self,
        positions: npt.ArrayLike,
        velocities: npt.ArrayLike | None = None,
        *,
        ids: npt.ArrayLike | None = None,
        species: Any = None,
    ) -> Scene:
        """Boids to start with, (n, dimensions) each, in place of those that the scene spawns or
        reads; at rest, counted from 0 and of the first species unless told otherwise. Ids may be up
        to 2^32 - 1. The box stays the one that the scene has without: set `domain.min` and
        `domain.max` before for another. Returns the scene itself.

        Raises `ValueError` for positions outside the box, NaN, ids that are given twice, and what
        is not one for each."""
        where = _arrays.rows("positions", positions, self.dimensions)
        count = len(where)
        how = (
            np.zeros_like(where)
            if velocities is None
            else _arrays.rows("velocities", velocities, self.dimensions, count)
        )
        who = np.arange(count, dtype=np.uint64) if ids is None else _arrays.ids(ids)
        if len(who) != count:
            raise ValueError(f"{len(who)} ids: allowed is one for each of {count} positions")
        kinds = (
            None
            if species is None
            else _arrays.places(self.species, species, count).astype(np.uint8)
        )
        self._native._start(where, how, who, kinds)
        return self

    def __copy__(self) -> Scene:
        other = Scene.__new__(Scene)
        other._native = self._native._with([])
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Scene:
        return self.__copy__()

    def flock(self, *, level: str | None = None, threads: int | None = None) -> Flock:
        """A flock of it; see `Flock`."""
        from ._flock import Flock

        return Flock(self, level=level, threads=threads)

    def run(
        self,
        steps: int | None = None,
        *,
        observe: str | Iterable[str] = (),
        every: int = 1,
        radius: float | None = None,
        record: bool | str | os.PathLike[str] = False,
        level: str | None = None,
        threads: int | None = None,
        progress: bool | None = None,
    ) -> Result:
        """Builds a flock and makes `steps` steps (None: as many as the scene says), as
        `wingbeat run` does.

        `observe` names observables to compute at step 0 and every `every`-th step
        (`wingbeat.OBSERVABLES`; "usual" are all but local_order), groups and local order among
        neighbors within `radius` (None: the largest radius of perception). `record` keeps positions
        and velocities of these steps, in a file of the format that its ending names, or with True
        in a temporary one. `progress` of None shows a bar on terminals and in notebooks.

        Ctrl-C ends the run after the present step with what there is: `result.interrupted` says so.
        """
        from ._result import run

        return run(self, steps, observe, every, record, (level, threads), progress, radius=radius)

    @property
    def name(self) -> str:
        """The preset's name, or the path as given."""
        return self._native.name

    @property
    def about(self) -> str:
        """What it says about itself, in one line."""
        return self._native.about

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return self._native.dimensions

    @property
    def boids(self) -> int | None:
        """How many boids it starts with; None where a file says."""
        return self._native.boids

    @property
    def units(self) -> str | None:
        """What lengths are in, as its key `unit` says: "m", "cm", "mm", "km", "px" or "bl" (body
        lengths); times are seconds then. None where it says none."""
        return self._native.units

    @property
    def dt(self) -> float:
        """Time that one step covers."""
        return self._native.dt

    @property
    def steps(self) -> int:
        """How many steps a run makes."""
        return self._native.steps

    @property
    def seed(self) -> int:
        """Seed of all randomness."""
        return self._native.seed

    @property
    def species(self) -> list[str]:
        """Names of its species."""
        return self._native.species

    @property
    def toml(self) -> str:
        """It as a file, with what was set; the boids of `start` are not in it."""
        return self._native.toml

    @property
    def warnings(self) -> list[str]:
        """What is accepted, but unlikely to be meant: settings that contradict each other."""
        return self._native.warnings

    def to_html(self) -> str:
        """A page that runs the scene by itself; see `Flock.to_html`."""
        return self.flock().to_html()

    def _repr_html_(self) -> str:
        return self.flock()._repr_html_()

    def __repr__(self) -> str:
        return f"<wingbeat.Scene {self.name}: {self.boids} boids in {self.dimensions}-D>"
