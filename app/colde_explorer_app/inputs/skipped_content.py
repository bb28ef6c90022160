"""Text that was not compared, with a button for each kind to compare it; and warnings and grades of the documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from colde.report.formatting import counted, listed, sentence_case, words_not_compared
from colde.results.collection import Collection
from colde.results.comparison import Comparison
from colde.text.document import Role
from colde.text.not_compared.set_aside import SetAside, set_aside
from colde.text.sections.section_edits import PLURALS
from colde_explorer_app.page_parts.page_texts import escape_markdown, without_command
from colde_explorer_app.session.state import INCLUDED_ROLES

OnInclude = Callable[[Role], None]
"""Called with a role of text that is to be compared from now on, although it was set aside."""


def warnings(comparison: Comparison) -> None:
    """Draw the warnings of both documents below the verdict, a line each; one of both stands there once.

    A document that was not read with grade A has a line with its grade.
    """
    sides: dict[str, list[str]] = {}
    for side, of_side in comparison.warnings.items():
        for warning in of_side:
            sides.setdefault(without_command(warning), []).append(side.upper())
    lines = [
        f":material/warning: {listed(letters)}: {escape_markdown(warning)}"
        for warning, letters in sides.items()
    ]
    lines += [
        f":material/fact_check: Reading of {side.upper()}: grade {escape_markdown(str(grade))}"
        for side, grade in comparison.reading.items()
        if grade.grade != "A"
    ]
    if lines:
        with st.container(key="warnings"):
            st.caption("  \n".join(lines))


def not_compared(comparison: Comparison, on_include: OnInclude) -> None:
    """Draw the kinds of text that the models ignored, with their words; nothing if they read all."""
    aside = comparison.set_aside
    if not any(aside.values()):
        return
    title = (
        f"Not scored ({words_not_compared(aside['a']):,} words of A, {words_not_compared(aside['b']):,} of B)"
    )
    _table(title, [(side.upper(), items) for side, items in aside.items()], on_include)


def ignored_by_score(comparison: Comparison) -> str:
    """A sentence on the text that the score ignores; empty where it ignores none."""
    sides = (("A", set_aside(comparison.a)), ("B", set_aside(comparison.b)))
    texts = [f"in {side} {', '.join(map(str, items))}" for side, items in sides if items]
    return f"Not scored: {'; '.join(texts)}." if texts else ""


def collection_not_compared(collection: Collection, on_include: OnInclude) -> None:
    """The same for a collection."""
    named = [n for n in zip(collection.names, collection.set_aside, strict=True) if n[1]]
    if named:
        total = sum(words_not_compared(items) for _, items in named)
        count = counted(len(collection.names), "document")
        _table(f"Not scored ({counted(total, 'word')} in {len(named)} of {count})", named, on_include)


def include_chooser(on_change: Callable[[], None]) -> None:
    """Draw the list of the kinds of text that can be compared although they are set aside."""
    st.multiselect(
        "Include skipped content",
        list(PLURALS),
        key=INCLUDED_ROLES.key,
        format_func=lambda role: sentence_case(PLURALS[role]),
        on_change=on_change,
        persist_state="session",
        placeholder="Nothing",
        help="These parts are recognised when a file is read. They are shown, but the models ignore them. Choose "
        "those to compare as well, in all documents. A comparison on the page then runs again. Page "
        "numbers and running heads are never compared.",
    )


def _table(title: str, documents: Sequence[tuple[str, Sequence[SetAside]]], on_include: OnInclude) -> None:
    """Draw the kinds of text by document, folded, with a button for each kind that can be compared."""
    with st.expander(title, key="not_compared"):
        st.caption(
            "The score ignores this text. Shared passages are still searched in standard sentences and licences."
        )
        st.table([_row(name, item) for name, items in documents for item in items])
        roles = {item.include for _, items in documents for item in items}
        with st.container(horizontal=True, gap="small"):
            for role, name in PLURALS.items():
                if role in roles and st.button(
                    f"Compare {name}", key=f"include_{role}", on_click=on_include, args=(role,)
                ):
                    st.rerun()  # the inputs and the settings lie outside this fragment


def _row(name: str, item: SetAside) -> dict[str, str]:
    return {
        "Document": escape_markdown(name),
        "What": escape_markdown(item.what),
        "Words": f"{item.words:,}",
        "Why": escape_markdown(item.why),
    }
