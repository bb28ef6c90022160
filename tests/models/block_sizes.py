"""Results do not depend on the size of the blocks in which a model compares passages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colde.alignment import sentence_similarity
from colde.evaluation.model_contract import (
    Subject,
    contributions_nest,
    map_spans_lie_in_the_texts,
    same_result,
)
from colde.ingest import read_text
from colde.models.base import Matcher
from colde.row_blocks import limit_cells_per_block
from colde.text.document import Document

SIZES = (((4, 9),), ((1, 20), (2, 3), (1, 6), (5, 7)), ((20, 9),), ((2, 8),) * 7)
"""Documents of few and of many sections, chunks and sentences: of each section, its sentences and the words of each."""

_SHIP = ["keel", "mast", "deck", "anchor", "rudder", "pilot", "sail"]
_SEA = ["tide", "bar", "dawn", "wind", "swell", "harbour", "storm", "current", "shoal", "beacon", "channel"]


def sized_document(sections: Sequence[tuple[int, int]]) -> Document:
    """A document with sections of these numbers of (sentences, words of each); equal sizes give equal texts."""
    words = (f"{_SHIP[n % 7]} {_SEA[n % 11]}" if n % 3 else f"{_SEA[n % 5]}{n % 17}" for n in count())
    parts = []
    for number, (sentences, length) in enumerate(sections):
        lines = [" ".join(islice(words, length)).capitalize() + "." for _ in range(sentences)]
        parts.append(f"# Part {number}\n\n{' '.join(lines)}")
    return read_text("\n\n".join(parts))


def any_size_in_any_blocks(model: Matcher, examples: int) -> None:
    """Blocks of any size, with and without maps of sentences, give what one block gives."""
    documents = [sized_document(sizes) for sizes in SIZES]
    encoded = model.encode(documents)
    place = st.integers(0, len(SIZES) - 1)

    @settings(max_examples=examples)
    @given(a=place, b=place, cells=st.integers(1, 800), most_pairs=st.sampled_from([4_000_000, 9]))
    def check(a: int, b: int, cells: int, most_pairs: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sentence_similarity, "MOST_PAIRS", most_pairs)
            expected = model.match(encoded[a], encoded[b])
            with limit_cells_per_block(cells):
                result = model.match(encoded[a], encoded[b])
        same_result(result, expected)
        in_blocks = Subject(model, (documents[a], documents[b]), (encoded[a], encoded[b]), result)
        map_spans_lie_in_the_texts(in_blocks)
        contributions_nest(in_blocks)

    check()
