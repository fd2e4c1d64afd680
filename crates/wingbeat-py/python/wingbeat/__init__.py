"""Wingbeat: flocks and crowds, bit for bit reproducible, as NumPy arrays.

    >>> import wingbeat
    >>> flock = wingbeat.Flock("shoal")
    >>> flock.step(100)
    >>> flock.positions.shape
    (20000, 2)

`Scene` describes a flock (a preset, a TOML file or text), `Flock` is one that flies, `Recording` is
one that flew: a file of Wingbeat's or of an animal tracker's, or an array of positions. `measure`,
`sweep` and `Scene.run` give columns of numbers; `compare` says how far two flocks are from each
other, and `fit` finds the numbers that bring a scene closest to a recording. The same scene and
seed give the same bits here, on the command line, in Rust and in C: compare `state_hash`.
"""

from ._compare import Comparison, compare
from ._fit import Fit, fit
from ._flock import Events, Flock, Rows
from ._native import EVENT_KINDS, __version__, levels
from ._native import observables as _observables
from ._native import presets as _presets
from ._recording import Frame, Measures, Recording, Tracks, measure, read
from ._result import Result
from ._scene import Scene
from ._sweep import sweep

#: Names of the observables that `measure`, `run` and `sweep` can compute; docs/MEASURES.md has
#: their formulas and units.
OBSERVABLES: tuple[str, ...] = tuple(_observables())


def presets() -> dict[str, str]:
    """The scenes that ship: name to one line about it."""
    return dict(_presets())


__all__ = [
    "EVENT_KINDS",
    "OBSERVABLES",
    "Comparison",
    "Events",
    "Fit",
    "Flock",
    "Frame",
    "Measures",
    "Recording",
    "Result",
    "Rows",
    "Scene",
    "Tracks",
    "__version__",
    "compare",
    "fit",
    "levels",
    "measure",
    "presets",
    "read",
    "sweep",
]
