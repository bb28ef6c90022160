"""Sentences of PAN's pairs as rows of a claim chart: translated there and back, or absent from the other text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import colde
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import searched_text
from studies.passages.pan_pairs import CLEAN, read_documents, read_pairs
from studies.passages.planted_requirements import PlantedPair, Requirement
from studies.passages.seed_memory import places_in_file

KINDS = ("translation-obfuscation", CLEAN)
FEWEST_WORDS, MOST_SENTENCES = 8, 12
"""Words of a sentence, and sentences of a pair."""


def pan_sentences(folder: Path, most: int) -> Iterator[PlantedPair]:
    """Yield pairs of the half `test`, at most so many of each kind, with sentences of the suspicious document."""
    texts = read_documents(folder)
    pairs = [p for p in read_pairs(folder) if p.half == "test"]
    for pair in (p for kind in KINDS for p in [p for p in pairs if p.kind == kind][:most]):
        a, b = (colde.read(texts[name].encode(), name=f"{name}.txt") for name in (pair.a, pair.b))
        places_a, places_b = places_in_file(a.text, texts[pair.a]), places_in_file(b.text, texts[pair.b])
        rows: list[Requirement] = []
        for sentence in _sentences(a, random.Random(pair.name)):
            start, end = int(places_a[sentence.start]), int(places_a[sentence.end - 1]) + 1
            cases = [other for (first, last), other in pair.cases if first <= start and end <= last]
            if cases:
                rows.append(Requirement("paraphrased", sentence, (_span(places_b.tolist(), *cases[0]),)))
            elif pair.kind == CLEAN:
                rows.append(Requirement("absent", sentence, ()))
        yield PlantedPair(pair.name, "test", a, b, tuple(rows[:MOST_SENTENCES]))


def _sentences(document: Document, chance: random.Random) -> list[Span]:
    sentences = [Span(s.start, s.end) for _, s in searched_text(document).sentences()]
    long = [s for s in sentences if len(document.text[s.start : s.end].split()) >= FEWEST_WORDS]
    return chance.sample(long, len(long))


def _span(places: list[int], start: int, end: int) -> Span:
    """The part of the text that was read with these characters of the file."""
    inside = [k for k, place in enumerate(places) if start <= place < end]
    return Span(inside[0], inside[-1] + 1)
