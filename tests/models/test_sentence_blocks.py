"""Greedy sentence filling (SMITH, 4.1.1)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colde
from colde.models.shared.network_input import document_tokens
from colde.models.smith.sentence_blocks import Blocks, block_tokens, document_blocks, pack_sentences
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Section, Sentence

LENGTHS = st.lists(st.integers(0, 40), max_size=40)
WORDS = st.sampled_from(["tide", "Harbour", "uninterruptedly", "naïve", "灯", "x", "-", "🙂"])
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=12)


def test_fills_as_figure_3_does() -> None:
    # 5 + 4 fit into 10, 3 does not any more; 12 is cut in a block of its own
    assert pack_sentences([5, 4, 3, 12, 10, 1], 10) == [
        range(2),
        range(2, 3),
        range(3, 4),
        range(4, 5),
        range(5, 6),
    ]


@given(LENGTHS, st.integers(1, 30), st.sets(st.integers(0, 39), max_size=4))
def test_every_sentence_is_in_one_block_and_no_block_could_take_the_next(
    lengths: list[int], room: int, begin: set[int]
) -> None:
    blocks = pack_sentences(lengths, room, begin)
    places = [i for block in blocks for i in block]
    assert len(places) == len(set(places)) and places == sorted(places)
    assert set(range(len(lengths))) - set(places) <= {i for i, n in enumerate(lengths) if n == 0}
    taken = [sum(min(lengths[i], room) for i in block) for block in blocks]
    assert all(0 < n <= room for n in taken)
    for (first, second), held in zip(pairwise(blocks), taken, strict=False):
        following = next(i for i in second if lengths[i])
        assert held + lengths[following] > room or begin & set(range(first.start + 1, following + 1))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Sections with and without headings, some of them set aside."""
    text, sections = "", []
    for _ in range(draw(st.integers(1, 4))):
        start = len(text)
        heading = draw(st.one_of(st.none(), WORDS))
        if heading:
            text += heading
        body = len(text)
        found = []
        for sentence in draw(SENTENCES):
            text += " "
            found.append(Sentence(len(text), len(text) + len(sentence)))
            text += sentence
        role = draw(st.sampled_from([None, None, "caption"]))
        sections.append(Section(start, len(text), body, heading, sentences=tuple(found), role=role))
        text += "\n\n"
    return Document(text, tuple(sections))


@settings(max_examples=60)
@given(documents(), st.integers(4, 12), st.integers(1, 6))
def test_tokens_once_in_order_and_sentences_whole(document: Document, size: int, most: int) -> None:
    tokens = document_tokens(document)
    room = size - 3
    held = block_tokens(document, tokens, room, most)
    assert len(held) <= most and all(0 < len(p) <= room for p in held)
    everything = np.concatenate([np.zeros(0, int), *held])
    assert (np.diff(everything) > 0).all()  # each at most once, in reading order
    whole = block_tokens(document, tokens, room, 10_000)
    assert [p.tolist() for p in whole[:most]] == [p.tolist() for p in held]
    for i, p in enumerate(whole):
        for sentence in set(tokens.sentence[p]) - {-1}:
            all_of_it = np.flatnonzero(tokens.sentence == sentence)
            inside = p[tokens.sentence[p] == sentence]
            if len(all_of_it) <= room:
                assert inside.tolist() == all_of_it.tolist(), i
            else:
                assert inside.tolist() == all_of_it[:room].tolist() == p.tolist()


@settings(max_examples=60)
@given(documents())
def test_offsets_name_the_tokens_and_nothing_set_aside(document: Document) -> None:
    tokenizer = default_tokenizer()
    blocks = document_blocks(document, document_tokens(document), 12, 48)
    for i, (start, end) in enumerate(zip(blocks.starts, blocks.ends, strict=True)):
        ids = blocks.ids[blocks.first[i] : blocks.first[i + 1]]
        assert [ids[0], *ids[-2:]] == [tokenizer.first, tokenizer.last, tokenizer.last]
        (read,) = tokenizer([document.text[start:end]])
        assert len(read) >= len(ids) - 3
        assert read.ids[0] == ids[1] and read.ids[-1] == ids[-3]
        span = Section(int(start), int(end))
        assert not any(s.role and s.overlaps(span) for s in document.sections)
    assert (blocks.starts[1:] >= blocks.ends[:-1]).all()


def test_a_text_without_words_has_one_empty_block() -> None:
    blocks = document_blocks(Document("", ()), document_tokens(Document("", ())), 32, 48)
    assert blocks.ids.tolist() == [101, 102, 102] and blocks.first.tolist() == [0, 3]
    assert not len(blocks.starts) and not len(blocks.ends)


def test_goes_through_arrays() -> None:
    document = colde.read_text("One short sentence. And another one, " + "very " * 50 + "long.")
    blocks = document_blocks(document, document_tokens(document), 32, 48)
    again = Blocks.of(blocks.arrays())
    for name, values in blocks.arrays().items():
        np.testing.assert_array_equal(getattr(again, name), values)
    assert again.size == blocks.size <= 2 * 32


@pytest.mark.parametrize("most", [1, 2, 48])
def test_at_most_so_many_blocks(most: int) -> None:
    document = colde.read_text("The tide turned at noon. " * 400)
    blocks = document_blocks(document, document_tokens(document), 32, most)
    assert len(blocks.starts) == most and blocks.size <= 32 * most
