"""Pairs of different documents of the corpora, of several lengths: nothing in them is paraphrased."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from colde.corpus.corpus_folder import read_pairs, read_records, record_to_document
from studies.quality.annotated_pairs import DATA, Side, TextPair, item_pieces, part_of, read_items, side

CORPORA = ("acl", "wiki", "peps", "textbooks")
LENGTHS = (1_500, 6_000, 25_000)
"""Characters of a document, at most."""


def _cut(record: dict[str, Any], most: int) -> dict[str, Any]:
    sections, left = [], most
    for section in record["sections"]:
        kept = []
        for paragraph in section["paragraphs"]:
            if left <= 0:
                break
            kept.append(paragraph)
            left -= len(paragraph)
        if kept:
            sections.append({"heading": section.get("heading"), "paragraphs": kept})
    return {**record, "sections": sections}


def corpus_pairs(corpora: Path, count: int = 36, seed: int = 0) -> Iterator[TextPair]:
    """`count` pairs of each corpus, two thirds of them related; each length as often."""
    draw = random.Random(seed)
    for corpus in CORPORA:
        records = dict(read_records(corpora / corpus))
        pairs = read_pairs(corpora / corpus / "valid.tsv")
        draw.shuffle(pairs)
        related = [p for p in pairs if p.label == 1][: 2 * count // 3]
        other = [p for p in pairs if p.label == 0][: count // 3]
        for k, pair in enumerate([*related, *other]):
            length = LENGTHS[k % len(LENGTHS)]
            sides = []
            for name in (pair.source, pair.target):
                document = record_to_document(_cut(records[name], length))
                sides.append(Side(document, tuple(frozenset[int]() for _ in document.sentences())))
            kind = f"{'related' if pair.label else 'unrelated'} {length}"
            name = f"{corpus}: {pair.source}, {pair.target}"
            yield TextPair(name, corpus, part_of(pair.source), kind, *sides)


def planted_pairs(corpora: Path, data: Path = DATA, seed: int = 1) -> Iterator[TextPair]:
    """Sources and versions of the development texts within two other documents of the corpora."""
    draw = random.Random(seed)
    records = [r for corpus in ("acl", "wiki") for r in dict(read_records(corpora / corpus)).values()]
    for name, item in read_items(data):
        pieces = item_pieces(item)
        for k, version in enumerate(("paraphrase", "retold", "summary", "light")):
            sides = []
            for which in ("source", version):
                sections = _cut(draw.choice(records), LENGTHS[1 + k % 2])["sections"]
                paragraphs = [p.replace("#", " ") for s in sections for p in s["paragraphs"]]
                middle = len(paragraphs) // 2
                before, after = ("\n\n".join(part) for part in (paragraphs[:middle], paragraphs[middle:]))
                sides.append(side(pieces[which], item["title"], f"{before}\n\n", f"\n\n{after}"))
            yield TextPair(
                f"{name}: planted {version}", item["genre"], part_of(name), f"planted {version}", *sides
            )
