"""Edits of sections by the user: any edits leave the text, the sentences and the order of sections right."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.ingest.document_json import to_dict
from colde.ingest.shared.blocks import Block, Fragment, assemble
from colde.text.chunks import chunk_document, default_tokenizer
from colde.text.document import EXCLUDED_ROLE, Box, Document, Section
from colde.text.sections.section_edits import (
    PLURALS,
    Edit,
    apply_edits,
    include,
    merge,
    merge_target,
    rename,
    set_role,
    split,
    split_points,
)
from tests.schemas import validate

BODY = "The tide turns twice. Boats wait 🌊 for it! Does the pilot sleep?"


def _boxed(text: str, role: str | None = None) -> Block:
    words = [Fragment(0, len(text), Box(2, 10.0, 20.0, 90.0, 30.0))]
    return Block(text, role=role, fragments=tuple(words))  # type: ignore[arg-type]


def port() -> Document:
    """Two sections; behind the first a footnote, behind the second references."""
    blocks = [
        Block("Tides", 1),
        _boxed(BODY),
        _boxed("A note at the foot.", "footnote"),
        _boxed("The second paragraph ends here."),
        Block("Ports", 2),
        _boxed("A port lies at a river. Ships load there."),
        Block("References", 1, "references"),
        _boxed("Doodson 1921. Tides.", "references"),
    ]
    return assemble(blocks, source="port.pdf", format="pdf", pages=2, page_sizes=((100.0, 100.0),) * 2)


_block = st.one_of(
    st.builds(Block, st.sampled_from(["Tides", "2.1 Ports", "Näherung"]), st.integers(1, 3)),
    st.builds(Block, st.just("References"), st.just(1), st.just("references")),
    st.builds(_boxed, st.sampled_from([BODY, "One.", "Two\nlines of a table"])),
    st.builds(_boxed, st.just("Fig. 1. A map. Drawn late."), st.sampled_from([*PLURALS])),
)
blocks = st.lists(_block, min_size=1, max_size=12)


def summarise_contribution(blocks: list[Block]) -> Document:
    return assemble(blocks, source="t", format="text", pages=2)


def choices(document: Document, draw: Callable[[st.SearchStrategy], object]) -> Edit:
    """Any edit that this document allows."""
    index = draw(st.integers(0, len(document.sections) - 1))
    can = ["rename", "set_role"]
    can += ["merge"] * (merge_target(document, index) is not None) + ["split"] * bool(
        split_points(document, index)
    )
    do = draw(st.sampled_from(can))
    sentence = draw(st.sampled_from(split_points(document, index))) if do == "split" else 0
    return Edit(
        do,
        index,
        heading=draw(st.sampled_from(["", "New  name", "Tides"])),
        sentence=sentence,
        is_heading=draw(st.booleans()),
        role=draw(st.sampled_from([None, EXCLUDED_ROLE, "table"])),
    )  # type: ignore[arg-type]


def words_of(section: Section, text: str) -> str:
    return "".join(text[section.start : section.end].split())


@given(blocks, st.data())
def test_any_edits_keep_text_order_and_boxes(blocks: list[Block], data: st.DataObject) -> None:
    document = summarise_contribution(blocks)
    edits: list[Edit] = []
    headings: set[tuple[int, int]] = set()
    now = document
    for _ in range(data.draw(st.integers(1, 6))):
        edits.append(choices(now, data.draw))
        now = edits[-1](now)
        for section in now.sections:  # a sentence that was made a heading and merged again has lost its box
            head = now.text[section.start : section.body].rstrip()
            headings.add((section.start, section.start + len(head)))
    assert apply_edits(document, edits) == now
    assert now.text == document.text
    boxes = {(s.start, s.end): s.boxes for section in document.sections for s in section.sentences}
    at = 0
    for section in now.sections:
        assert at <= section.start < section.end <= len(now.text)
        assert section.start <= section.body <= section.end
        own = now.text[section.start : section.end]
        assert own == own.strip()
        inside = section.body
        for paragraph in section.paragraphs:
            assert inside <= paragraph.start < paragraph.end <= section.end
            inside = paragraph.end
        inside = section.body
        for sentence in section.sentences:
            assert inside <= sentence.start < sentence.end <= section.end
            assert any(p.start <= sentence.start and sentence.end <= p.end for p in section.paragraphs)
            span = (sentence.start, sentence.end)
            assert sentence.boxes == boxes.get(span, ()) or (not sentence.boxes and span in headings)
            inside = sentence.end
        said = "".join("".join(now.text[s.start : s.end].split()) for s in section.sentences)
        assert said == "".join(now.text[section.body : section.end].split())
        at = section.end
    everything = [words_of(s, now.text) for s in now.sections]
    assert "".join(everything) == "".join(document.text.split()), "nothing is lost"
    validate("read", json.loads(json.dumps(to_dict(now))))


@given(blocks, st.data())
def test_a_split_is_undone_by_a_merge_where_no_heading_was_made(
    blocks: list[Block], data: st.DataObject
) -> None:
    document = summarise_contribution(blocks)
    able = [i for i, s in enumerate(document.sections) if split_points(document, i) and s.role is None]
    if able:
        index = data.draw(st.sampled_from(able))
        two = split(document, index, data.draw(st.sampled_from(split_points(document, index))))
        assert two.sections[index + 1].heading is None
        again = merge(two, index + 1)
        section, before = again.sections[index], document.sections[index]
        assert (section.start, section.body, section.end) == (before.start, before.body, before.end)
        assert section.sentences == before.sentences


def test_merging_keeps_the_heading_as_a_sentence_and_takes_along_what_lies_between() -> None:
    document = port()
    assert [s.role for s in document.sections] == [None, "footnote", None, "references"]
    assert merge_target(document, 2) == 0
    merged = merge(document, 2)
    assert [s.heading for s in merged.sections] == ["Tides", "References"]
    sentences = [merged.text[s.start : s.end] for s in merged.sections[0].sentences]
    assert sentences[3:] == [
        "The second paragraph ends here.",
        "A note at the foot.",
        "Ports",
        "A port lies at a river.",
        "Ships load there.",
    ]
    with pytest.raises(ValueError, match="before"):
        merge(document, 0)


def test_a_missed_heading_becomes_one() -> None:
    document = split(port(), 0, 1, is_heading=True)
    first, second = document.sections[:2]
    assert document.text[first.start : first.end] == "Tides\n\nThe tide turns twice."
    assert second.heading == "Boats wait 🌊 for it!"
    assert document.text[second.body : second.end].startswith("Does the pilot sleep?")
    assert len(second.paragraphs) == 2 and second.sentences[0].boxes
    with pytest.raises(ValueError, match="cannot be split"):
        split(port(), 0, 99)
    with pytest.raises(ValueError, match="cannot be split"):
        split(port(), 1, 0)


def test_a_name_does_not_change_what_is_read() -> None:
    document = rename(port(), 2, " Harbours \n and quays ")
    assert document.sections[2].heading == "Harbours and quays"
    assert rename(document, 2, "  ").sections[2].heading == "Ports"
    assert rename(document, 1, "").sections[1].heading is None
    plain = [chunk_document(d, default_tokenizer()) for d in (port(), document)]
    assert plain[0].chunks == plain[1].chunks


def test_left_out_is_not_compared_and_never_taken_in() -> None:
    document = set_role(port(), 2, EXCLUDED_ROLE)
    assert [i for i, _ in document.compared()] == [0]
    everything = include(document, PLURALS)
    assert [i for i, _ in everything.compared()] == [0, 1, 3]
    with pytest.raises(ValueError, match="furniture"):
        include(document, ["furniture"])
    assert include(document, []) is document


def test_what_is_taken_in_is_compared_and_nothing_else_changes() -> None:
    document = port()
    taken = include(document, ["references"])
    assert [i for i, _ in taken.compared()] == [0, 2, 3]
    assert replace(taken, sections=document.sections) == document
    assert taken.words() == document.words() + len(["References", "Doodson", "1921.", "Tides."])


def test_a_text_without_headings_is_cut_in_parts_whatever_is_taken_in() -> None:
    blocks = [Block(BODY * 9)] * 6 + [Block("A note.", role="footnote")]
    document = assemble(blocks, source="t", format="text")
    assert len(list(include(document, ["footnote"]).compared())) == 3
