"""Tracked changes turned round: what was inserted is deleted, and the old formatting is the new one."""

from __future__ import annotations

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from lxml import etree

from colde.ingest.docx.names import W
from colde.report.redline.inverted_changes import invert_changes
from tests.ingest.docx_samples import parts_of, saved
from tests.report.redline.accepted import accepted, rejected, words_of

ABOUT = 'w:id="{0}" w:author="x" w:date="2026-01-02T03:04:05Z"'
BODY = f"""<w:p {nsdecls("w")}>
<w:pPr><w:jc w:val="right"/><w:rPr><w:ins {ABOUT.format(1)}/></w:rPr>
<w:pPrChange {ABOUT.format(2)}><w:pPr><w:jc w:val="left"/></w:pPr></w:pPrChange></w:pPr>
<w:r><w:t xml:space="preserve">The gate </w:t></w:r>
<w:ins {ABOUT.format(3)}><w:r><w:rPr><w:b/></w:rPr><w:t>opens</w:t></w:r></w:ins>
<w:del {ABOUT.format(4)}><w:r><w:delText>shuts</w:delText></w:r></w:del>
<w:r><w:rPr><w:i/><w:rPrChange {ABOUT.format(5)}><w:rPr><w:b/></w:rPr></w:rPrChange></w:rPr>
<w:t xml:space="preserve"> at dusk.</w:t></w:r></w:p>"""


def tracked() -> bytes:
    document = docx.Document()
    document.add_paragraph("The first paragraph of the rules.")
    document.paragraphs[0]._p.addnext(parse_xml(BODY))
    document.paragraphs[1]._p.addnext(
        parse_xml(f"<w:p {nsdecls('w')}><w:r><w:t>All boats wait.</w:t></w:r></w:p>")
    )
    return saved(document)


def test_accepting_the_opposite_changes_is_rejecting_the_first_ones() -> None:
    inverted = invert_changes(tracked())
    assert words_of(accepted(inverted)) == words_of(rejected(tracked())) != words_of(accepted(tracked()))
    assert words_of(rejected(inverted)) == words_of(accepted(tracked()))


def test_formatting_is_exchanged_and_a_deletion_stands_before_its_insertion() -> None:
    root = etree.fromstring(parts_of(invert_changes(tracked()))["word/document.xml"])
    paragraph = root.find(f"{W}body")[1]
    properties = paragraph.find(W + "pPr")
    assert [child.tag for child in properties] == [W + "jc", W + "rPr", W + "pPrChange"]
    assert properties.find(W + "jc").get(W + "val") == "left"
    assert properties.find(f"{W}pPrChange/{W}pPr/{W}jc").get(W + "val") == "right"
    assert properties.find(f"{W}rPr/{W}del") is not None
    assert [child.tag for child in paragraph][2:4] == [W + "del", W + "ins"]
    last = paragraph.findall(W + "r")[-1].find(W + "rPr")
    assert [child.tag for child in last] == [W + "b", W + "rPrChange"]
    assert [text.text for text in root.iter(W + "delText")] == ["opens"]


def test_changes_that_are_inverted_twice_are_the_first_ones() -> None:
    twice = parts_of(invert_changes(invert_changes(tracked())))["word/document.xml"]
    root, first = etree.fromstring(twice), etree.fromstring(parts_of(tracked())["word/document.xml"])
    for tag in ("rPrChange", "pPrChange", "delText"):
        texts = [[etree.tostring(e, method="c14n") for e in tree.iter(W + tag)] for tree in (root, first)]
        assert texts[0] == texts[1]
