"""Pages of 'busline report' in a notebook."""

from __future__ import annotations

import html
import json

from busline import _core


def framed(page: str, height: int = 640) -> str:
    """A self-contained page in a frame, whose scripts and styles stay apart from the notebook's."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" loading="lazy" '
        f'style="width: 100%; height: {height}px; border: 1px solid #ccc"></iframe>'
    )


def report_of(document: str, name: str, height: int = 640) -> str:
    """The page of 'busline report' with a document that a function returned; `name` is what the page calls it."""
    whole = json.loads(document)
    # Where a document comes from is for files; readers of documents want the member.
    origin = {"tool": "busline", "version": _core.version, "command": [], "wall_s": 0, "user_s": 0, "inputs": []}
    whole.setdefault("provenance", origin)
    return framed(_core.report_page(json.dumps(whole), name), height)


def preformatted(text: str) -> str:
    """A text as the command line prints it."""
    return f"<pre>{html.escape(text)}</pre>"
