"""Text that was not compared, with a button for each kind to compare it; and warnings about the documents."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from colde.results.comparison import Comparison
from colde.results.similarity_map import Letter
from colde.text.document import Role
from colde.text.section_edits import PLURALS
from colde.text.set_aside import SetAside
from colde_explorer_app.markdown_escape import escape_markdown

OnInclude = Callable[[Role], None]


def warnings(comparison: Comparison) -> None:
    """Draw a line for each warning of a document."""
    for side, warnings_of_side in comparison.warnings.items():
        for warning in warnings_of_side:
            st.caption(f":material/warning: {side.upper()}: {escape_markdown(warning)}")


def not_compared(comparison: Comparison, on_include: OnInclude) -> None:
    """Draw the kinds of text that were not compared, with their words; nothing if all was compared.

    Args:
        on_include: called with the role that is to be compared from now on.
    """
    aside = comparison.set_aside
    if not any(aside.values()):
        return
    words = {side: sum(i.words for i in items if i.model is None) for side, items in aside.items()}
    title = f"Not compared ({words['a']:,} words of A, {words['b']:,} of B)"
    with st.expander(title, key="not_compared"):
        st.table([_row(side, item) for side, items in aside.items() for item in items])
        roles = {item.include for items in aside.values() for item in items}
        with st.container(horizontal=True, gap="small"):
            for role, name in PLURALS.items():
                if role in roles and st.button(
                    f"Compare {name}", key=f"include_{role}", on_click=on_include, args=(role,)
                ):
                    st.rerun()  # the inputs and the settings lie outside this fragment


def _row(side: Letter, item: SetAside) -> dict[str, str]:
    return {
        "Document": side.upper(),
        "What": escape_markdown(item.what),
        "Words": f"{item.words:,}",
        "Why": escape_markdown(item.why),
    }
