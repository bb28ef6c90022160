"""Passages written for the studies, and documents of the corpora that they are planted in."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from colde.corpus.corpus_folder import DOCUMENTS, read_pairs
from colde.ingest.shared.blocks import Block, assemble
from colde.judge.profiles import corpora as shipped_corpora
from colde.text.document import Document, Span
from colde.text.sentences.sentence_splitter import split_sentences
from studies.corpora import documents_by_name

PASSAGES = Path(__file__).with_name("passages.json")

Form = Literal["identical", "edited", "paraphrase"]
FORMS: tuple[Form, ...] = ("identical", "edited", "paraphrase")
Half = Literal["all", "chosen", "held"]


@dataclass(frozen=True, slots=True)
class Written:
    """A passage of 50 to 60 words, the same lightly edited, and the same said with other words in another order."""

    field: str
    subject: str
    original: str
    edited: str
    paraphrase: str

    def form(self, form: Form) -> str:
        return self.original if form == "identical" else getattr(self, form)


@dataclass(frozen=True, slots=True)
class Planted:
    """A document and where the passage stands in it: one span, or two where a section border goes through it."""

    document: Document
    spans: tuple[Span, ...]

    def touches(self, span: Span) -> bool:
        return any(span.overlaps(s) for s in self.spans)


@dataclass(frozen=True, slots=True)
class Host:
    """Two documents of a corpus that a passage is planted in."""

    corpus: str
    related: bool
    a: Document
    b: Document


def written(half: Half = "all") -> list[Written]:
    """The passages; methods are chosen on every other one and reported on the rest."""
    everything = [Written(**p) for p in json.loads(PASSAGES.read_text(encoding="utf-8"))]
    return {"all": everything, "chosen": everything[::2], "held": everything[1::2]}[half]


def hosts(corpora: Path, pairs: int, seed: int) -> list[Host]:
    """`pairs` unrelated and `pairs` related pairs of each corpus; no document twice where that can be."""
    host_pairs = []
    for name in shipped_corpora():
        if not (corpora / name / DOCUMENTS).is_file():
            continue
        rng = random.Random(f"{seed} {name}")
        rows = read_pairs(corpora / name / "valid.tsv")
        rng.shuffle(rows)
        chosen: list[tuple[str, str, bool]] = []
        for related in (False, True):
            used: set[str] = set()
            for row in rows:
                if row.label == int(related) and not {row.source, row.target} & used:
                    used |= {row.source, row.target}
                    chosen.append((row.source, row.target, related))
                    if len(used) == 2 * pairs:
                        break
        wanted = {n for a, b, _ in chosen for n in (a, b)}
        documents = documents_by_name(corpora / name, wanted)
        host_pairs += [Host(name, related, documents[a], documents[b]) for a, b, related in chosen]
    return host_pairs


def plant(document: Document, passage: str, rng: random.Random, *, across: bool = False) -> Planted:
    """The passage between two sentences of the document, every place being equally likely.

    Args:
        across: the first half of the passage ends a section, the rest begins the next one.
    """
    sections = [
        (s.heading, [document.text[p.start : p.end] for p in s.paragraphs], s)
        for _, s in document.compared()
        if s.paragraphs
    ]
    if across and len(sections) > 1:
        sentences = split_sentences(passage)
        cut = sentences[max(1, len(sentences) // 2)].start
        pieces = [passage[:cut].rstrip(), passage[cut:]]
        k = rng.randrange(len(sections) - 1)
        sections[k][1][-1] += " " + pieces[0]
        sections[k + 1][1][0] = pieces[1] + " " + sections[k + 1][1][0]
    else:
        pieces = [passage]
        places = [(k, s.start) for k, (_, _, section) in enumerate(sections) for s in section.sentences]
        k, at = rng.choice(places)
        _insert(sections[k][1], sections[k][2].paragraphs, at, passage)
    planted = _rebuilt(document, [(heading, paragraphs) for heading, paragraphs, _ in sections])
    spans = []
    for piece in pieces:
        start = planted.text.index(piece)
        spans.append(Span(start, start + len(piece)))
    return Planted(planted, tuple(spans))


def without_shared_sentences(document: Document, other: Document, run: int = 8) -> Document:
    """The document less its sentences that stand in the other one or share `run` words in a row with it."""
    texts = [other.text[s.start : s.end] for _, s in other.sentences()]
    known = {g for t in texts for g in _runs(t, run)} | set(texts)
    sections = []
    for _, section in document.compared():
        paragraphs = []
        for p in section.paragraphs:
            spans = [s for s in section.sentences if p.start <= s.start < p.end]
            sentences = [document.text[s.start : s.end] for s in spans]
            paragraphs.append(" ".join(t for t in sentences if not known & {t, *_runs(t, run)}))
        sections.append((section.heading, paragraphs))
    return _rebuilt(document, sections)


def _rebuilt(document: Document, sections: Iterable[tuple[str | None, Sequence[str]]]) -> Document:
    """The document with other sections; empty paragraphs are left out."""
    blocks = []
    for heading, paragraphs in sections:
        blocks += [Block(heading, level=1)] if heading else []
        blocks += [Block(p) for p in paragraphs if p]
    return assemble(blocks, source=document.source, format=document.format, title=document.title)


def _runs(text: str, length: int) -> list[str]:
    words = re.findall(r"\w+", text.lower())
    return [" ".join(words[i : i + length]) for i in range(len(words) - length + 1)]


def _insert(texts: list[str], paragraphs: Sequence[Span], at: int, passage: str) -> None:
    """Put the passage before the character `at` of the document."""
    i = next(i for i, p in enumerate(paragraphs) if p.start <= at < p.end)
    cut = at - paragraphs[i].start
    texts[i] = f"{texts[i][:cut]}{passage} {texts[i][cut:]}"
