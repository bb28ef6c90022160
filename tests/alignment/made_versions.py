"""Made versions of a document for property tests."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from colde.ingest.shared.blocks import Block, assemble
from colde.text.document import Document

VARIANTS = [
    ("The dose is 5.0 mg.", "The dose is 50 mg."),
    ("Keep it at -20 °C.", "Keep it at 20 °C."),
    ("Wait 10-15 days.", "Wait 1015 days."),
    ("The Keeper, said the clerk, slept.", "The keeper said the clerk slept."),
    ("☑ Yes.", "☐ Yes."),
    ("Shut the gate at dusk.", "Shut the gate; the dog is out."),
    ("Shut the gate. The dog is out.", "Shut the gate; the dog is out."),
    ("水は青い。", "水は赤い。"),
    ("A well-known data base.", "A well known database."),
    ("1.2 The rent is due.", "1.3 The rent is due."),
    ("The board met.", "The board met."),
]
"""Sentences of one version and of the other."""
ROLES = st.sampled_from([None, None, None, "footnote", "caption", "references"])
BLOCKS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(VARIANTS), min_size=1, max_size=3),
        st.sampled_from([0, 0, 0, 1]),
        ROLES,
        st.sampled_from(["same", "other", "other", "gone", "new"]),
    ),
    min_size=1,
    max_size=7,
)
MADE_BLOCKS = list[tuple[list[tuple[str, str]], int, str | None, str]]


@st.composite
def made_versions(draw: st.DrawFn) -> tuple[Document, Document]:
    """Two versions: blocks stay, differ, go, come and change places."""
    blocks: MADE_BLOCKS = draw(BLOCKS)
    order = draw(st.permutations(range(len(blocks)))) if draw(st.booleans()) else range(len(blocks))

    def version(places: Iterable[int], missing: str, which: int) -> Document:
        made = [
            Block(" ".join(s[which if fate == "other" else 0] for s in some), level=level, role=role)  # type: ignore[arg-type]
            for some, level, role, fate in (blocks[k] for k in places)
            if fate != missing
        ]
        return assemble(made or [Block("The board met.")], source="a", format="text")

    return version(range(len(blocks)), "new", 0), version(order, "gone", 1)
