"""Values of Python's as TOML, as scene files and `--set` have them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np


def toml(value: Any) -> str:
    """A number, a text, a truth value, or a list of them (a NumPy array is one)."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        # JSON's escapes are among TOML's, but for those of two halves.
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(toml(one) for one in value)}]"
    raise ValueError(f"{value!r}: allowed is a number, a text, True, False or a list of them")


def changes(key: str | Mapping[str, Any], value: Any) -> list[tuple[str, str]]:
    """A key and its value, or a mapping of several."""
    if isinstance(key, str):
        return [(key, toml(value))]
    return [(one, toml(its)) for one, its in key.items()]
