"""The page How it works."""

from __future__ import annotations

import streamlit as st

from colde.corpus.samples import sample_named
from colde.report.formatting import sentence_case
from colde.report.maps.map_names import LABELS
from colde_explorer_app.page_parts.page_texts import documentation, page_text
from colde_explorer_app.page_parts.thumbnails import MAPS, MAPS_OF, map_picture

_BEFORE = "\n## Correcting the sections"
"""The heading before which the maps are drawn."""


def page() -> None:
    """Show docs/how_it_works.md, with five maps of one pair in it."""
    first, heading, rest = documentation("how_it_works").partition(_BEFORE)
    _, middle, _ = st.columns([1, 6, 1])
    with middle:
        st.markdown(first)
        _pictures()
        st.markdown(heading + rest)


def _pictures() -> None:
    a, b = ("history of the lighthouse lens", "physics of a lighthouse beam")
    st.markdown(
        f"**One pair, five maps.** The sample *{sample_named(MAPS_OF).title}*: rows are the {a}, columns the {b}."
    )
    for column, (role, model, level) in zip(st.columns(len(MAPS), gap="small"), MAPS, strict=True):
        with column:
            label = LABELS[role]
            st.image(map_picture(role), width="stretch", alt=f"Map of the sample: {label}")
            by = "" if model == MAPS[0][1] else ", by TF-IDF"
            st.caption(f"**{sentence_case(label)}**  \n{level}s{by}")
    st.caption(page_text("maps_differ"))
