"""Executes the notebooks of docs/notebooks and writes them as pages of the documentation's site.

    notebook_pages.py             # writes docs/notebooks/*.md and their figures
    notebook_pages.py --check     # executes them, and fails if a page's text is not what the notebook gives now

Needs the packages jupyter-nbconvert and python3-ipykernel, and the Python package 'busline' on PYTHONPATH. Figures are
not compared: their bytes depend on the version of matplotlib.
"""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path

import nbformat
from nbconvert import MarkdownExporter
from nbconvert.preprocessors import ExecutePreprocessor
from traitlets.config.loader import Config

FOLDER = Path(__file__).resolve().parents[1] / "docs/notebooks"
SECONDS = 120  # for a cell


def page_of(path: Path) -> tuple[str, dict[str, bytes]]:
    """The page's text, and its figures by name."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    execute = ExecutePreprocessor(timeout=SECONDS, kernel_name="python3")
    execute.preprocess(notebook, {"metadata": {"path": str(FOLDER)}})
    settings = Config()  # type: ignore[no-untyped-call]
    # Texts and pictures: a page in HTML inside of a page would not be readable as text.
    settings.NbConvertBase.display_data_priority = ["image/png", "text/plain"]
    settings.ExtractOutputPreprocessor.output_filename_template = "{unique_key}_{cell_index}_{index}{extension}"
    exporter = MarkdownExporter(config=settings)
    text, resources = exporter.from_notebook_node(notebook, {"unique_key": path.stem})
    figures = {name: data for name, data in resources["outputs"].items() if name.endswith(".png")}
    lines = [line.rstrip() for line in text.splitlines()]
    note = f"*This page is the notebook `docs/notebooks/{path.name}`, executed.*"
    return "\n".join([*lines, "", note, ""]), figures


def main() -> int:
    check = sys.argv[1:] == ["--check"]
    wrong = 0
    for path in sorted(FOLDER.glob("*.ipynb")):
        text, figures = page_of(path)
        page = path.with_suffix(".md")
        if not check:
            page.write_text(text, encoding="utf-8")
            for name, data in figures.items():
                (FOLDER / name).write_bytes(data)
            continue
        before = page.read_text(encoding="utf-8") if page.exists() else ""
        difference = list(difflib.unified_diff(before.splitlines(), text.splitlines(), f"{page}", "now", lineterm=""))
        missing = [name for name in figures if not (FOLDER / name).exists()]
        if difference or missing:
            wrong += 1
            print("\n".join([*difference, *(f"{name}: is missing" for name in missing)]))
            print(f"{page}: is not what the notebook gives; python/notebook_pages.py writes it")
    return 1 if wrong else 0


if __name__ == "__main__":
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # the kernel's debugger warns about frozen modules
    sys.exit(main())
