"""The localisation benchmark: a passage stands where the benchmark says, and nothing else of the document moves."""

from __future__ import annotations

import random
import re

import pytest

from colde.corpus.corpus_folder import record_to_document
from colde.text.document import Document
from colde.text.sentences.sentence_splitter import split_sentences
from studies.explanations import planting


@pytest.fixture
def host() -> Document:
    paragraph = "The mill stood still. Nobody ground any corn that year. Rats lived in the loft."
    sections = [{"heading": h, "paragraphs": [paragraph, paragraph]} for h in ("One", "Two", "Three")]
    return record_to_document({"id": "x", "title": "Mills", "sections": sections})


def test_passages_are_as_long_as_they_should_be() -> None:
    passages = planting.written()
    assert len(passages) >= 40
    assert len({p.subject for p in passages}) == len(passages)
    for p in passages:
        assert 50 <= len(p.original.split()) <= 60, p.subject
        assert 45 <= len(p.paraphrase.split()) <= 65, p.subject
        assert len(split_sentences(p.original)) >= 3, p.subject
        assert p.edited != p.original


def test_a_paraphrase_shares_few_words() -> None:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    for p in planting.written():
        one, two = (
            set(re.findall(r"[a-z]{3,}", t.lower())) - ENGLISH_STOP_WORDS for t in (p.original, p.paraphrase)
        )
        assert len(one & two) <= 5, p.subject


def test_the_halves_share_nothing() -> None:
    chosen, held = planting.written("chosen"), planting.written("held")
    assert len(chosen) + len(held) == len(planting.written())
    assert not {p.subject for p in chosen} & {p.subject for p in held}


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_the_passage_stands_where_it_is_said_to(host: Document, seed: int, across: bool) -> None:
    passage = planting.written()[seed].original
    planted = planting.plant(host, passage, random.Random(seed), across=across)
    text = planted.document.text
    pieces = [text[s.start : s.end] for s in planted.spans]
    assert " ".join(pieces) == passage
    rest = text
    for span in reversed(planted.spans):
        rest = rest[: span.start] + rest[span.end :]
    assert rest.split() == host.text.split()
    sections = {planted.document.section_at(s.start) for s in planted.spans}
    assert len(sections) == (2 if across else 1)
    touched = [s for _, s in planted.document.sentences() if planted.touches(s)]
    assert len(touched) == len(split_sentences(passage))


def test_every_place_is_used(host: Document) -> None:
    passage = planting.written()[0].original
    rng = random.Random(1)
    starts = {planting.plant(host, passage, rng).spans[0].start for _ in range(200)}
    assert len(starts) == sum(1 for _ in host.sentences())


def test_copies_are_taken_out(host: Document) -> None:
    paragraph = "Rats lived in the loft. Owls came later, and the silence was complete."
    sections = [{"heading": "Rats", "paragraphs": [paragraph]}]
    other = record_to_document({"id": "y", "title": "", "sections": sections})
    left = planting.without_shared_sentences(other, host)
    assert left.text == "Rats\n\nOwls came later, and the silence was complete."
