"""Chunks: offsets, sizes, borders; against the Hugging Face tokenizer."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colde.assets import packaged_encoder
from colde.ingest.shared.blocks import Block, assemble
from colde.text.chunks import CHUNK_TOKENS, chunk_document, default_tokenizer
from colde.text.document import Document

TEXT = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=80)
BLOCKS = st.lists(st.builds(Block, TEXT, st.integers(0, 2)), min_size=1, max_size=8)


def document(blocks: list[Block]) -> Document:
    return assemble(blocks, source="t", format="text")


@settings(max_examples=80, deadline=None)
@given(BLOCKS, st.integers(3, 40))
def test_chunks_lie_in_their_section_in_order_and_are_never_too_long(blocks: list[Block], size: int) -> None:
    d = document(blocks)
    chunked = chunk_document(d, default_tokenizer(), size)
    assert len(chunked.chunks) == len(chunked.ids)
    assert chunked.tokens == sum(len(i) - 2 for i in chunked.ids)
    for chunk, ids in zip(chunked.chunks, chunked.ids, strict=True):
        section = d.sections[chunk.section]
        assert section.start <= chunk.start <= chunk.end <= section.end
        assert len(ids) == chunk.tokens <= size
        assert (ids[0], ids[-1]) == (101, 102)  # [CLS], [SEP] of BERT's vocabulary
    for x, y in pairwise(chunked.chunks):
        # A character that becomes several word pieces may stand on both sides of a border.
        assert x.section < y.section or x.end <= y.start + 1


def test_same_ids_as_hugging_face() -> None:
    from transformers import AutoTokenizer

    text = "Beam-like light, Fresnel’s lens; 1,234 m² of naïve façade.\n\nNext paragraph: e.g. 北京 and ﬁne."
    theirs = AutoTokenizer.from_pretrained(packaged_encoder())
    d = document([Block(text)])
    assert chunk_document(d, default_tokenizer()).ids[0].tolist() == theirs(text)["input_ids"]


def test_a_long_section_is_cut_without_gaps() -> None:
    d = document([Block("Tides", 1), Block("the tide turns at noon . " * 400)])
    chunked = chunk_document(d, default_tokenizer())
    assert [c.tokens for c in chunked.chunks[:-1]] == [CHUNK_TOKENS] * (len(chunked.chunks) - 1)
    for x, y in pairwise(chunked.chunks):
        assert not d.text[x.end : y.start].strip()
    assert chunked.chunks[0].start == 0 and d.text[chunked.chunks[-1].end :].strip() == ""


@pytest.mark.parametrize("role", ["references", "table", "caption"])
def test_what_is_set_aside_gives_no_chunk(role: str) -> None:
    d = document([Block("Words that are compared."), Block("Set aside.", 0, role)])  # type: ignore[arg-type]
    assert {c.section for c in chunk_document(d, default_tokenizer()).chunks} == {0}
