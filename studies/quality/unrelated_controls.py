"""Pairs of different documents of the corpora, of several lengths: nothing in them is paraphrased."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from colde.corpus.corpus_folder import read_pairs, read_records, record_to_document
from colde.judge.profiles import corpora as shipped_corpora
from studies.corpora import beginning
from studies.quality.annotated_pairs import DATA, Side, TextPair, item_pieces, part_of, read_items, side

LENGTHS = (1_500, 6_000, 25_000)
"""Characters of a document, at most."""


def corpus_pairs(corpora: Path, count: int = 36, seed: int = 0) -> Iterator[TextPair]:
    """`count` pairs of each corpus, two thirds of them related; each length as often."""
    draw = random.Random(seed)
    for corpus in shipped_corpora():
        records = dict(read_records(corpora / corpus))
        pairs = read_pairs(corpora / corpus / "valid.tsv")
        draw.shuffle(pairs)
        related = [p for p in pairs if p.label == 1][: 2 * count // 3]
        other = [p for p in pairs if p.label == 0][: count // 3]
        for k, pair in enumerate([*related, *other]):
            length = LENGTHS[k % len(LENGTHS)]
            sides = []
            for name in (pair.source, pair.target):
                document = record_to_document(beginning(records[name], length, len))
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
                sections = beginning(draw.choice(records), LENGTHS[1 + k % 2], len)["sections"]
                paragraphs = [p.replace("#", " ") for s in sections for p in s["paragraphs"]]
                middle = len(paragraphs) // 2
                before, after = ("\n\n".join(part) for part in (paragraphs[:middle], paragraphs[middle:]))
                sides.append(side(pieces[which], item["title"], f"{before}\n\n", f"\n\n{after}"))
            yield TextPair(
                f"{name}: planted {version}", item["genre"], part_of(name), f"planted {version}", *sides
            )
