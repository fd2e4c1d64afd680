"""Arrays as the engine wants them: rows of 32-bit floats, ids of 64 bits, contiguous."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

Float32Array = npt.NDArray[np.float32]
Float64Array = npt.NDArray[np.float64]
Int64Array = npt.NDArray[np.int64]
UInt8Array = npt.NDArray[np.uint8]
UInt32Array = npt.NDArray[np.uint32]
UInt64Array = npt.NDArray[np.uint64]


def unmasked(values: npt.ArrayLike) -> npt.ArrayLike:
    """A masked array with NaN where it is masked; anything else as it is."""
    if np.ma.isMaskedArray(values):
        masked: npt.ArrayLike = np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan)
        return masked
    return values


def check_radius(radius: float | None) -> None:
    """Refuses what is no distance between neighbors."""
    if radius is not None and not 0 < radius < np.inf:
        raise ValueError(f"radius = {radius}: allowed is a length above 0")


def one_id(value: Any) -> int:
    """An id by itself."""
    number = operator.index(value)
    if not 0 <= number < 2**64:
        raise ValueError(f"id {number}: allowed is 0 to 2^64 - 1")
    return number


def rows(
    name: str, values: npt.ArrayLike, dimensions: int, count: int | None = None
) -> Float32Array:
    """Rows of `dimensions` numbers, `count` of them; one row alone may come without its outer
    brackets, and stands for all."""
    array = np.asarray(unmasked(values), dtype=np.float32)
    if array.ndim == 1 and array.shape[0] == dimensions:
        array = np.broadcast_to(array, (1 if count is None else count, dimensions))
    if array.size == 0:
        array = array.reshape(0, dimensions)
    if array.ndim != 2 or array.shape[1] != dimensions:
        raise ValueError(f"{name} of shape {array.shape}: allowed is (n, {dimensions})")
    if count is not None and array.shape[0] != count:
        raise ValueError(
            f"{name} of shape {array.shape}: allowed is ({count}, {dimensions}), one row for each"
        )
    return np.ascontiguousarray(array)


def ids(values: npt.ArrayLike) -> UInt64Array:
    """A list of ids; a single one counts as a list."""
    if np.ma.isMaskedArray(values) and np.ma.is_masked(values):
        raise ValueError("ids: allowed is an array without masked values")
    array = np.atleast_1d(np.asarray(values))
    if array.size == 0:
        return np.empty(0, np.uint64)
    if array.dtype.kind not in "ui" or array.ndim != 1:
        raise ValueError(
            f"ids of type {array.dtype} and shape {array.shape}:"
            " allowed are whole numbers in one row"
        )
    if array.dtype.kind == "i" and (array < 0).any():
        raise ValueError(f"id {array[array < 0][0]}: allowed is 0 or more")
    return np.ascontiguousarray(array, dtype=np.uint64)


def per_id(name: str, values: npt.ArrayLike | None, count: int) -> Float32Array | None:
    """A number for each id, or one for all; None in a list is NaN, which means none."""
    if values is None:
        return None
    array = np.asarray(unmasked(values), dtype=np.float32)
    if array.ndim > 1 or (array.ndim == 1 and array.shape[0] != count):
        raise ValueError(
            f"{name} of shape {array.shape}: allowed is one number, or one for each of {count} ids"
        )
    return np.ascontiguousarray(np.broadcast_to(array, (count,)))


def places(names: list[str], wanted: Any, count: int) -> UInt64Array:
    """Places of species, given by name or place, one for each id or one for all."""

    def place(one: Any) -> int:
        if isinstance(one, str):
            if one not in names:
                raise ValueError(
                    f"species {one!r}: allowed is {', '.join(names) or 'a scene with species'}"
                )
            return names.index(one)
        number = operator.index(one)
        if not 0 <= number < max(len(names), 1):
            raise ValueError(f"species {number}: allowed is 0 to {max(len(names), 1) - 1}")
        return number

    several = not isinstance(wanted, (str, int, np.integer))
    array = np.asarray(
        [place(one) for one in wanted] if several else place(wanted), dtype=np.uint64
    )
    if array.ndim == 1 and array.shape[0] != count:
        raise ValueError(
            f"{array.shape[0]} species: allowed is one, or one for each of {count} ids"
        )
    return np.ascontiguousarray(np.broadcast_to(array, (count,)))
