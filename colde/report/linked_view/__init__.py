"""The linked view as one JavaScript module and one style sheet, for the explorer and for the HTML report.

The sources are ES modules and style sheets in folders by part. `make view` bundles them into `bundle/`, which is
committed, so that Node is needed for development only.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def script() -> str:
    """The ES module that exports `mount` and, by default, the Streamlit component."""
    return _bundled("linked_view.js")


@cache
def style() -> str:
    """The style sheet."""
    return _bundled("linked_view.css")


def _bundled(name: str) -> str:
    return files(__name__).joinpath("bundle", name).read_text(encoding="utf-8")
