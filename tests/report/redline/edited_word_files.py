"""Edited versions of Word files: words, paragraphs, rows and notes are changed at random places."""

from __future__ import annotations

import copy
import random
from typing import Any

from lxml import etree

from colde.ingest.docx.names import W
from tests.ingest.docx_samples import parts_of, zipped

WORDS = ["lantern", "harbour", "seven", "not", "shall", "ledger", "4.7", "Ostrava", "willow"]
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
NOTES = ("word/footnotes.xml", "word/endnotes.xml")


def edited(data: bytes, seed: int, edits: int) -> bytes:
    """A version of a Word file after some edits."""
    chance = random.Random(seed)
    parts = parts_of(data)
    stories = {
        name: etree.fromstring(part) for name, part in parts.items() if name in NOTES or b"<w:body" in part
    }
    for _ in range(edits):
        edit = chance.choice((_word, _word, _word, _delete, _insert, _move, _divide, _join, _row, _note_mark))
        edit(stories[chance.choice(sorted(stories))], chance)
    written = {
        name: etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
        for name, root in stories.items()
    }
    return zipped({**parts, **written})


def _texts(element: Any) -> list[Any]:
    return [text for text in element.iter(W + "t") if (text.text or "").strip()]


def _paragraphs(root: Any) -> list[Any]:
    """The paragraphs right in the body that hold text and nothing but runs."""
    body = root.find(W + "body")
    return [
        p
        for p in (() if body is None else body.findall(W + "p"))
        if _texts(p)
        and all(child.tag in (W + "pPr", W + "r") for child in p)
        and next(p.iter(W + "sectPr", W + "drawing", W + "fldChar"), None) is None
    ]


def _set(text: Any, words: str) -> None:
    text.text = words
    text.set(_SPACE, "preserve")


def _word(root: Any, chance: random.Random) -> None:
    """Another word, a word more or less, other capitals and a comma."""
    texts = _texts(root)
    if not texts:
        return
    text = chance.choice(texts)
    words = text.text.split(" ")
    at = chance.randrange(len(words))
    words[at : at + 1] = chance.choice(
        ([chance.choice(WORDS)], [words[at], chance.choice(WORDS)], [], [f"{words[at].swapcase()},"])
    )
    _set(text, " ".join(words) or "none")


def _delete(root: Any, chance: random.Random) -> None:
    paragraphs = _paragraphs(root)
    if len(paragraphs) > 4:
        paragraph = chance.choice(paragraphs)
        paragraph.getparent().remove(paragraph)


def _insert(root: Any, chance: random.Random) -> None:
    for model in chance.sample(paragraphs := _paragraphs(root), min(1, len(paragraphs))):
        new = copy.deepcopy(model)
        for run in new.findall(W + "r"):
            new.remove(run)
        _set(
            etree.SubElement(etree.SubElement(new, W + "r"), W + "t"),
            "The " + " ".join(chance.choices(WORDS, k=8)),
        )
        model.addnext(new)


def _move(root: Any, chance: random.Random) -> None:
    paragraphs = _paragraphs(root)
    if len(paragraphs) > 4:
        moved, before = chance.sample(paragraphs, 2)
        before.addnext(moved)


def _divide(root: Any, chance: random.Random) -> None:
    """Begin a new paragraph in the middle of a run."""
    for paragraph in chance.sample(paragraphs := _paragraphs(root), min(1, len(paragraphs))):
        run = chance.choice(_texts(paragraph)).getparent()
        text = run.find(W + "t")
        first, _, rest = text.text.partition(" ")
        if not rest or run.getparent() is not paragraph:
            return
        at = list(paragraph).index(run)
        second = copy.deepcopy(paragraph)
        for child in [c for c in list(second)[:at] if c.tag == W + "r"]:
            second.remove(child)
        for child in list(paragraph)[at + 1 :]:
            paragraph.remove(child)
        _set(text, first)
        _set(second.find(f"{W}r/{W}t"), rest)
        paragraph.addnext(second)


def _join(root: Any, chance: random.Random) -> None:
    paragraphs = _paragraphs(root)
    pairs = [(p, p.getnext()) for p in paragraphs if p.getnext() in paragraphs]
    for first, second in chance.sample(pairs, min(1, len(pairs))):
        first.extend(second.findall(W + "r"))
        second.getparent().remove(second)


def _row(root: Any, chance: random.Random) -> None:
    """A row less, or another one."""
    rows = [row for row in root.iter(W + "tr") if len(row.getparent().findall(W + "tr")) > 2]
    for row in chance.sample(rows, min(1, len(rows))):
        if chance.random() < 0.5:
            row.getparent().remove(row)
        else:
            new = copy.deepcopy(row)
            _word(new, chance)
            row.addnext(new)


def _note_mark(root: Any, chance: random.Random) -> None:
    marks = list(root.iter(W + "footnoteReference"))
    for mark in chance.sample(marks, min(1, len(marks))):
        run = mark.getparent()
        run.getparent().remove(run)
