"""How far long work is: tqdm's bar where that is installed, else a line on a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any


class Progress:
    """Counts up to a total. `wanted` of None shows it on a terminal or in a notebook, once it takes
    longer than a moment."""

    #: Seconds for which no progress is shown.
    MOMENT = 0.5

    def __init__(self, total: int, wanted: bool | None, unit: str) -> None:
        self.total, self.unit, self.done = total, unit, 0
        self.shown = (sys.stderr.isatty() or _in_notebook()) if wanted is None else wanted
        self.begun = self.told = time.monotonic()
        self.bar: Any = None
        if self.shown:
            try:
                from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
            except ImportError:
                return
            self.bar = tqdm(total=total, unit=unit, leave=False, delay=self.MOMENT)

    def add(self, count: int) -> None:
        self.done += count
        if self.bar is not None:
            self.bar.update(count)
        elif self.shown and time.monotonic() - self.told > self.MOMENT:
            self.told = time.monotonic()
            left = (self.told - self.begun) / self.done * (self.total - self.done)
            print(
                f"\r{self.done} of {self.total} {self.unit}s, {left:.0f} s left ",
                end="",
                file=sys.stderr,
                flush=True,
            )

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.told > self.begun:
            print(file=sys.stderr)


def _in_notebook() -> bool:
    """Whether this is an IPython with a front end that shows more than text."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return type(shell).__name__ == "ZMQInteractiveShell"
