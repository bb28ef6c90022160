"""How it works: the page of plain words."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

import colde
from colde.corpus.samples import samples
from colde.report.map_names import LABELS
from colde_explorer_app.thumbnails import MAPS, map_picture

_PACKAGE = Path(colde.__file__).resolve().parent
_PLACES = (_PACKAGE.parent / "docs", _PACKAGE / "_docs")
"""In a checkout, and in an installed package."""


_BEFORE = "\n## Putting the sections right"
"""Where the pictures stand in the text: after the way from a file to a map."""


def page() -> None:
    """Show docs/how_it_works.md, with five maps of one pair in it."""
    file = next(path for place in _PLACES if (path := place / "how_it_works.md").is_file())
    first, heading, rest = file.read_text(encoding="utf-8").partition(_BEFORE)
    _, middle, _ = st.columns([1, 6, 1])
    with middle:
        st.markdown(first)
        _pictures()
        st.markdown(heading + rest)


def _pictures() -> None:
    """Five questions to one pair of documents."""
    a, b = ("history of the lighthouse lens", "physics of a lighthouse beam")
    st.markdown(
        f"**One pair, five maps.** The sample *{samples()[0].title}*: rows are the {a}, columns the {b}."
    )
    for column, (role, model, level) in zip(st.columns(len(MAPS), gap="small"), MAPS, strict=True):
        with column:
            label = LABELS[role]
            st.image(map_picture(role), width="stretch", alt=f"Map of the sample: {label}")
            by = "" if model == MAPS[0][1] else ", by TF-IDF"
            st.caption(f"**{label[:1].upper()}{label[1:]}**  \n{level}s{by}")
    st.caption(
        "Each on its own scale. Three passages stand in both texts word for word: the three strong cells of *what is "
        "shared*. The other maps are about more than these passages, and so they look different."
    )
