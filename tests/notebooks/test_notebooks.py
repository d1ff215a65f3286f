"""Every notebook runs from its first cell to its last, in a fresh kernel and an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SECONDS = 900  # of one cell: the first may compile

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_there_are_notebooks() -> None:
    """The folder is not empty, and its files are in the order of their numbers."""
    assert NOTEBOOKS
    assert all(file.name[:2].isdigit() for file in NOTEBOOKS)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook_runs(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No cell raises, and the notebook is stored without output."""
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    notebook = nbformat.read(file, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    )

    client.execute()

    assert all(cell.execution_count for cell in code if cell.source.strip())
    for cell in code:
        last = cell.source.strip().splitlines()[-1]
        if ".draw(" in last or last.startswith("figures."):
            assert any("image/png" in out.get("data", {}) for out in cell.outputs), last
