"""Measures the changes that are listed between documents and edited versions of them.

    python -m studies.quality.measure_versions FOLDER

Every file is read, edited by rules with a fixed seed, and printed as a PDF in two columns with Chromium. The printed
version is read and compared with the original file. So both texts have the errors of their readers, as two real
versions have. An edit counts as listed where a change overlaps its sentence. A listed change is right where it overlaps
an edit.
"""

from __future__ import annotations

import html
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from playwright.sync_api import Browser

import colde
from colde.alignment.document_alignment import align
from colde.alignment.sentence_matches import sentence_matches
from colde.changes.text_changes import find_changes
from colde.passages.find_passages import find_passages
from colde.report.formatting import quote, shorten
from colde.results.change import Change
from colde.text.document import Document, Sentence, Span
from colde.text.tables import is_table
from studies.arguments import command_line
from studies.browser import chromium

PER_KIND = 2
"""Edits of each kind in a document."""
NEW = (
    "The second series was taken at the station of Harwick after the instruments had been set to zero.",
    "A clerk who had not seen the first count repeated it in the afternoon of the same day.",
)
STYLE = (
    "body{columns:2;font:9pt serif;text-align:justify;hyphens:auto} h2{font:bold 11pt serif} "
    "pre{font-size:6pt;white-space:pre-wrap}"
)
FOOTER = '<p style="font-size:7pt;margin-left:9mm">Revised version, page <span class="pageNumber"></span></p>'


@dataclass
class Edit:
    """An edit: the text before and after it, empty where there is none, and its place in the original."""

    kind: str
    old: str
    new: str
    span: Span | None


def _negated(text: str) -> str | None:
    changed = re.sub(r"\b(is|are|was|were|can|has|have|will)\b (?!not)", r"\1 not ", text, count=1)
    return None if changed == text or " no " in text or "n't" in text or "not" in text else changed


def _renumbered(text: str) -> str | None:
    changed = re.sub(r"(?<![\w.(\[,])([1-9]\d+)(?![\w\])])", lambda m: str(int(m[1]) + 37), text, count=1)
    return None if changed == text else changed


def _renamed(text: str) -> str | None:
    changed = re.sub(r"(?<=[a-z] )[A-Z][a-z]{4,}\b", "Harwick", text, count=1)
    return None if changed == text else changed


def _recounted(text: str) -> str | None:
    changed = re.sub(r"(?<=[ |])\d+(?:\.\d+)?(?![\w.])", lambda m: f"{float(m[0]) + 3.7:g}", text, count=1)
    return None if changed == text else changed


EDITS: tuple[tuple[str, Callable[[str], str | None]], ...] = (
    ("table", _recounted),
    ("negation", _negated),
    ("number", _renumbered),
    ("name", _renamed),
    ("only in a", lambda text: ""),
    ("only in b", lambda text: text),
)


def edit(document: Document, seed: int) -> tuple[list[tuple[str, str]], list[Edit]]:
    """The edited document as tags with the texts of its blocks, and what was edited."""
    choose = random.Random(seed)
    changed, edits = _changed_sentences(document, choose)
    paragraphs = [
        [_edited(document, p, s.sentences, changed) for p in s.paragraphs] for s in document.sections
    ]
    edits += _move_paragraph(document, paragraphs, choose)
    blocks = []
    for section, texts in zip(document.sections, paragraphs, strict=True):
        if section.heading:
            blocks.append(("h2", section.heading))
        tag = "figcaption" if section.role == "caption" else "p"
        blocks += [("pre" if "\n" in text else tag, text) for text in texts]
    return blocks, edits


def _changed_sentences(document: Document, choose: random.Random) -> tuple[dict[int, str], list[Edit]]:
    """The new texts of edited sentences, by their first character, and the edits."""
    sentences = [s for _, s in document.sentences() if _is_sentence(quote(document, s))]
    rows = [s for section in document.sections if is_table(section) for s in section.sentences]
    choose.shuffle(sentences)
    choose.shuffle(rows)
    changed: dict[int, str] = {}
    edits: list[Edit] = []
    for kind, make in EDITS:
        free = [s for s in (rows if kind == "table" else sentences) if s.start not in changed]
        for number, (sentence, old, new) in enumerate(islice(_possible(document, free, make), PER_KIND)):
            inserted = kind == "only in b"
            changed[sentence.start] = f"{old} {NEW[number]}" if inserted else new
            edits.append(Edit(kind, "", NEW[number], None) if inserted else Edit(kind, old, new, sentence))
    return changed, edits


def _possible(
    document: Document, sentences: list[Sentence], make: Callable[[str], str | None]
) -> Iterator[tuple[Sentence, str, str]]:
    """Yield the sentences that can be edited in this way, with the text before and after it."""
    for sentence in sentences:
        old = quote(document, sentence)
        new = make(old)
        if new is not None:
            yield sentence, old, new


def _move_paragraph(document: Document, paragraphs: list[list[str]], choose: random.Random) -> list[Edit]:
    """Move a paragraph of three to eight sentences to the end of the last long section, where there is one."""
    sections = document.sections
    long = [k for k, section in enumerate(sections) if section.role is None and len(section.paragraphs) > 1]
    movable = [
        (k, i)
        for k in long[:-2]
        for i, p in enumerate(sections[k].paragraphs)
        if 3 <= sum(s.overlaps(p) and _is_sentence(quote(document, s)) for s in sections[k].sentences) <= 8
    ]
    if not movable:
        return []
    k, i = choose.choice(movable)
    text = paragraphs[k].pop(i)
    paragraphs[long[-1]].append(text)
    span = sections[k].paragraphs[i]
    return [Edit("moved", quote(document, span), text, span)]


def _is_sentence(text: str) -> bool:
    return 8 <= len(text.split()) <= 45 and text[0].isupper() and text[-1] == "."


def _edited(document: Document, span: Span, sentences: tuple[Sentence, ...], changed: dict[int, str]) -> str:
    inside = [s for s in sentences if s.overlaps(span)]
    if not any(s.start in changed for s in inside):
        return document.text[span.start : span.end]
    between = "\n" if "\n" in document.text[span.start : span.end] else " "
    return between.join(changed.get(s.start, quote(document, s)) for s in inside)


def printed(browser: Browser, blocks: list[tuple[str, str]]) -> bytes:
    """A PDF of two columns with a footer."""
    body = "".join(f"<{tag}>{html.escape(text)}</{tag}>" for tag, text in blocks)
    page = browser.new_page()
    page.set_content(f"<!doctype html><html lang=en><style>{STYLE}</style><body>{body}")
    data = page.pdf(
        format="A4", display_header_footer=True, header_template="<p></p>", footer_template=FOOTER,
        margin={"top": "20mm", "bottom": "20mm", "left": "18mm", "right": "18mm"},
    )  # fmt: skip
    page.close()
    return data


def place(document: Document, words: str) -> Span | None:
    """Where these words stand in a document, whatever the spaces and hyphens between them."""
    pattern = r"\W*".join(map(re.escape, re.findall(r"\w+", words)))
    match = re.search(pattern, document.text) if pattern else None
    return match and Span(*match.span())


def overlaps(span: Span | None, other: Span | None) -> bool:
    """Whether two places are known and have a character in common."""
    return span is not None and other is not None and span.overlaps(other)


def listed_changes(a: Document, b: Document) -> tuple[Change, ...]:
    """The changes of two texts, as a comparison lists them."""
    matches = sentence_matches(a, b, lambda progress: None)
    return find_changes(
        align(a, b, matches.corresponding), matches.corresponding, find_passages(a, b, matches)
    )


def measure(a: Document, b: Document, edits: list[Edit], counts: Counter[str]) -> Iterator[str]:
    """Count what was listed and what was right, and yield a line for each error."""
    changes = listed_changes(a, b)
    places = [(e.span, place(b, e.new)) for e in edits]
    right = set()
    for entry, (in_a, in_b) in zip(edits, places, strict=True):
        hits = [k for k, c in enumerate(changes) if overlaps(in_a, c.a) or overlaps(in_b, c.b)]
        right.update(hits)
        counts[f"{entry.kind}: edits"] += 1
        counts[f"{entry.kind}: listed"] += bool(hits)
        counts[f"{entry.kind}: as this kind"] += any(changes[k].kind.startswith(entry.kind) for k in hits)
        if not hits:
            yield f"missed {entry.kind}: {shorten(entry.old, 90)} | {shorten(entry.new, 90)}"
    counts["changes listed"] += len(changes)
    counts["changes right"] += len(right)
    for k, change in enumerate(changes):
        if k not in right:
            sides = [shorten(quote(d, s), 110) if s else "–" for d, s in ((a, change.a), (b, change.b))]
            yield f"false {change.kind}: {sides[0]} | {sides[1]}"


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--suffix", default=".pdf")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    with chromium() as browser:
        for seed, path in enumerate(sorted(options.folder.glob(f"*{options.suffix}"))):
            a = colde.read(path)
            blocks, edits = edit(a, seed)
            b = colde.read(printed(browser, blocks), name=f"{path.stem}-revised.pdf")
            print(f"{path.name}: {a.words():,} and {b.words():,} words, {len(edits)} edits", flush=True)
            for line in measure(a, b, edits, counts):
                print(f"  {line}", flush=True)
    for name, count in sorted(counts.items()):
        print(f"{name:28s} {count:4d}")


if __name__ == "__main__":
    main()
