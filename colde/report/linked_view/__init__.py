"""The linked view as one JavaScript module and one style sheet, for the explorer and for the HTML report.

The sources are plain ES modules, one idea a file, checked and run as they are. Where a page needs a single
module (an inline script, a Streamlit component), their lines are joined in the order of their imports.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

SOURCES = (
    "tiles.js",
    "data.js",
    "dom.js",
    "pieces.js",
    "ramp.js",
    "wording.js",
    "cells.js",
    "heatmap.js",
    "multiples.js",
    "finder.js",
    "outline.js",
    "scrollmap.js",
    "leftout.js",
    "leaving.js",
    "aside.js",
    "dress.js",
    "answering.js",
    "sectioning.js",
    "textpane.js",
    "pagecrop.js",
    "pagestrip.js",
    "pageblocks.js",
    "pagepane.js",
    "pagetools.js",
    "review.js",
    "reviewing.js",
    "links.js",
    "redraw.js",
    "counterparts.js",
    "position.js",
    "wanted.js",
    "tip.js",
    "shading.js",
    "toolbar.js",
    "worddiff.js",
    "matchlist.js",
    "reviewlist.js",
    "matches.js",
    "figure.js",
    "scores.js",
    "rivals.js",
    "parts.js",
    "shared.js",
    "whatif.js",
    "why.js",
    "tabs.js",
    "panes.js",
    "help.js",
    "narrow.js",
    "wordcells.js",
    "keys.js",
    "view.js",
    "index.js",
)
"""A module stands after those it imports from; the last one is what the page gets."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./[a-z]+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=class |function |const )", re.MULTILINE)


@cache
def script() -> str:
    """One ES module that exports `mount` and, by default, the Streamlit component."""
    *inner, last = (_IMPORT.sub("", _read(name)) for name in SOURCES)
    return "\n".join([*(_EXPORT.sub("", source) for source in inner), last])


@cache
def style() -> str:
    """The style sheet."""
    return _read("linked_view.css")


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
