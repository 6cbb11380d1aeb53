"""The guide and the notebook run unchanged, and print the shown output."""

import contextlib
import io
import re

import nbclient
import nbformat
import pytest


def blocks(text):
    """Yields the examples of a Markdown page, each with the number of its first line."""
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield text[: found.start(1)].count("\n") + 1, found.group(1)


def said(code):
    """Yields the expected outputs of an example: the comments after print calls, without their
    explanations."""
    for comment in re.findall(r"^\s*print\(.*\)\s+# (.*)$", code, re.MULTILINE):
        yield re.split(r": |…", comment)[0].strip()


@pytest.mark.parametrize("page", ["docs/python.md", "crates/catena-python/README.md"])
def test_examples_run_as_they_stand(page, root, tmp_path, monkeypatch):
    """Runs all examples in order in one interpreter, in a folder like the root of a checkout."""
    (tmp_path / "scenes").symlink_to(root / "scenes")
    monkeypatch.chdir(tmp_path)
    names, count, claims = {}, 0, 0
    for line, code in blocks((root / page).read_text()):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + code, page, "exec"), names)
        for claim in said(code):
            assert claim in printed.getvalue(), f"{page}: no {claim} in {printed.getvalue()}"
            claims += 1
        count += 1
    assert (count, claims) >= ((9, 7) if "docs" in page else (1, 0))


def test_the_notebook_runs(root):
    notebook = nbformat.read(root / "docs" / "notebook.ipynb", as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    # The notebook is stored without outputs, so that none can be outdated.
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
    client = nbclient.NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": root / "docs"}}
    )
    client.execute()
    kinds = [set(output.get("data", ())) for cell in cells for output in cell.outputs]
    # At least two pictures by catena, and three figures.
    assert sum("image/png" in kind for kind in kinds) >= 5, kinds
