"""The sample pairs as cards, on the first screen and in a list later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from colde.corpus.samples import Sample, samples
from colde_explorer_app.inputs import uploads
from colde_explorer_app.page_parts.page_texts import escape_markdown
from colde_explorer_app.page_parts.thumbnails import sample_verdicts, thumbnail
from colde_explorer_app.session.document_source import SIDES, Source
from colde_explorer_app.session.session_documents import included_roles, source_of


def cards(use: Callable[[Sample], None]) -> None:
    """Draw a card for each sample pair, with its map and its verdict; its button calls `use`."""
    verdicts = sample_verdicts()
    for column, sample in zip(st.columns(len(samples()), gap="small"), samples(), strict=True):
        with column, st.container(border=True, height="stretch"):
            words, picture = st.columns([3, 2], vertical_alignment="top")
            words.markdown(f"**{sample.title}**")
            picture.image(
                thumbnail(sample), width="stretch", alt="The map of the passages the two texts share"
            )
            words.button("Use this pair", key=f"sample_{sample.key}", on_click=use, args=(sample,))
            if verdict := verdicts.get(sample.key):
                st.markdown(escape_markdown(" ".join(verdict)))
                if note := error_note(sample, verdict.related):
                    st.caption(f":material/warning: {note}")
            st.caption(sample.description)


def error_note(sample: Sample, related: str) -> str:
    """A note on a sentence on relatedness that is wrong about a sample; empty for one that is right or undecided."""
    label = related.partition(":")[0].lower()
    if "undecided" in label or ("unrelated" not in label) == sample.related:
        return ""
    return f"A known error: the two texts are {'related' if sample.related else 'unrelated'}."


def load(sample: Sample, *, swapped: bool = False) -> None:
    """Put a sample pair in."""
    a, b = (Source(path.name, path.read_bytes(), bundled=True) for path in (sample.a, sample.b))
    uploads.use(*((b, a) if swapped else (a, b)))


@dataclass(frozen=True, slots=True)
class Origin:
    """The sample pair that is in, and whether A and B are swapped."""

    sample: Sample
    swapped: bool


def origin() -> Origin | None:
    """The sample pair that is in without edits; None for other documents."""
    a, b = (source_of(side) for side in SIDES)
    if a is None or b is None or a.edits or b.edits or included_roles():
        return None  # an address cannot name these
    for sample in samples():
        contents = tuple((path.name, path.read_bytes()) for path in (sample.a, sample.b))
        inside = ((a.name, a.data), (b.name, b.data))
        if inside in (contents, contents[::-1]):
            return Origin(sample, swapped=inside != contents)
    return None
