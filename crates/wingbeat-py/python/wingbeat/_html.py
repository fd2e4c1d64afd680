"""A page inside a notebook."""

from __future__ import annotations

import html


def framed(page: str, height: int = 560) -> str:
    """A whole page in a frame of its own: notebooks show only pieces of HTML, and styles must not
    meet."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts allow-downloads"'
        f' style="width: 100%; height: {height}px; border: 0"'
        ' loading="lazy"></iframe>'
    )
