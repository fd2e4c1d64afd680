"""The notebooks run from top to bottom."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
CHECKOUT = Path(__file__).parents[3]
#: The recordings are not part of the project; they lie beside the checkout.
DATA = Path(os.environ.get("WINGBEAT_DATA") or CHECKOUT.parent / "shared" / "data")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if path.stem[0] == "5" and not (DATA / "zebrafish_100.npy").exists():
        pytest.skip(f"no zebrafish_100.npy in {DATA}: WINGBEAT_DATA names the recordings' folder")
    monkeypatch.setenv("WINGBEAT_DATA", str(DATA))
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call, unused-ignore]
    assert not any(cell.get("outputs") for cell in notebook.cells), (
        "outputs are not kept: they change with every library"
    )
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    # What is shown last is a page.
    last = notebook.cells[-1].outputs
    shown = "".join(output.get("data", {}).get("text/html", "") for output in last)
    if path.stem[0] != "2":
        assert "<iframe" in shown


def test_there_are_five() -> None:
    assert [path.stem[0] for path in NOTEBOOKS] == ["1", "2", "3", "4", "5"]
