"""Sentences, segments and chunks of a document."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import colde
from colde.corpus.corpus_folder import record_to_document
from colde.encoders.sentence_layout import (
    MOST_SEGMENTS,
    SEGMENT_TOKENS,
    fill_chunks,
    read_sentences,
    split_segments,
)
from colde.errors import ModelError
from colde.text.chunks import default_tokenizer

SHIPS = " ".join(f"The pilot reads tide {i} and the wind before dawn." for i in range(90))
HARBOURS = " ".join(f"A harbour of {i} berths lies behind the bar." for i in range(60))


def test_chunks_are_sentences_of_one_section_and_at_most_512_tokens() -> None:
    document = colde.read_text(f"# Ships\n\n{SHIPS}\n\n# Harbours\n\n{HARBOURS}")
    layout = read_sentences(document, default_tokenizer())
    assert np.bincount(layout.chunk, layout.tokens).max() <= 510
    for c in range(layout.chunks):
        assert len(set(layout.section[layout.chunk == c].tolist())) == 1
    assert list(layout.chunk) == sorted(layout.chunk)
    headings = [
        document.text[s.start : s.end] for s, i in zip(layout.spans, layout.source, strict=True) if i < 0
    ]
    assert headings == ["Ships", "Harbours"]
    assert fill_chunks([300, 300, 100, 5], np.array([0, 0, 0, 1])).tolist() == [0, 1, 1, 2]


def test_a_very_long_sentence_is_cut_and_loses_no_token() -> None:
    text = "word " * 900 + "end."
    layout = read_sentences(colde.read_text(text), default_tokenizer())
    assert len(layout.ids) > 1 and max(len(i) for i in layout.ids) <= 256
    (tokens,) = default_tokenizer()([text])
    assert int(layout.tokens.sum()) == len(tokens)


def test_a_long_document_without_sentences_is_refused() -> None:
    """Each of its sections would count as one sentence, and its scores would be wrong."""
    record = {"id": "x", "title": "", "sections": [{"heading": "Tides", "paragraphs": [SHIPS]}]}
    assert read_sentences(record_to_document(record), default_tokenizer()).ids
    with pytest.raises(ModelError, match="without sentences"):
        read_sentences(record_to_document(record, sentences=False), default_tokenizer())


@given(
    tokens=st.lists(st.integers(0, 254), min_size=1, max_size=60),
    borders=st.sets(st.integers(1, 59)),
    long=st.booleans(),
)
def test_segments_are_runs_of_sentences_of_one_chunk(
    tokens: list[int], borders: set[int], long: bool
) -> None:
    count = np.array(tokens) * (10_000 if long else 1)
    section = np.array([sum(b <= i for b in borders) for i in range(len(tokens))])
    chunk = fill_chunks(tokens, section)
    segment, segment_chunk = split_segments(count, chunk)
    assert (
        np.isin(np.diff(segment), [0, 1]).all() and segment[0] == 0 and len(segment_chunk) == segment[-1] + 1
    )
    assert (segment_chunk[segment] == chunk).all()
    target = max(SEGMENT_TOKENS, count.sum() / MOST_SEGMENTS)
    for c in np.unique(chunk):
        sizes = np.bincount(segment[chunk == c] - segment[chunk == c].min(), count[chunk == c])
        most = max(1, np.round(sizes.sum() / target))
        assert len(sizes) <= most
        assert (sizes <= sizes.sum() / most + count[chunk == c].max()).all()
