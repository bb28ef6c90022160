"""The candidate pairs of all development pairs, with their truth."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from colde.alignment.sentence_pair_features import CandidatePairs, candidate_pairs
from colde.alignment.sentence_similarity import sentence_similarities
from colde.corpus.corpus_folder import read_pairs, read_records, record_to_document
from colde.encoders.sentence_encoder import join_pieces, shared_sentence_encoder
from colde.encoders.sentence_layout import read_sentences
from colde.encoders.vector_math import centred
from colde.judge.profiles import corpora as shipped_corpora
from colde.text.chunks import default_tokenizer
from colde.text.document import Document
from studies.corpora import beginning
from studies.quality.annotated_pairs import (
    DATA,
    Side,
    TextPair,
    item_pieces,
    part_of,
    read_items,
    side,
    text_pairs,
)

LENGTHS = (1_500, 6_000, 25_000)
"""Characters of a document, at most."""

_KNOWN: dict[int, tuple[Document, np.ndarray]] = {}


def vectors(document: Document) -> np.ndarray:
    """Sentence vectors of a document, each computed once."""
    held = _KNOWN.get(id(document))
    if held is None:
        sentences = read_sentences(document, default_tokenizer())
        (units,) = shared_sentence_encoder().read([document], [sentences])
        held = _KNOWN[id(document)] = (document, join_pieces(sentences, units))
    return held[1]


def pair_candidates(a: Document, b: Document) -> CandidatePairs:
    """The pairs of sentences that may match."""
    one, two = vectors(a), vectors(b)
    texts = [[d.text[s.start : s.end] for _, s in d.sentences()] for d in (a, b)]
    similarity = sentence_similarities(*centred(one, two), *texts)
    return candidate_pairs(similarity, np.asarray(one @ two.T), *texts)


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


@dataclass(frozen=True)
class Row:
    """A pair of documents, its candidate pairs of sentences, and whether each has a common origin: [pairs]."""

    pair: TextPair
    pairs: CandidatePairs
    truth: np.ndarray


def rows(corpora: Path, data: Path = DATA) -> Iterator[Row]:
    """Every development pair: written texts, texts planted in other documents, and documents of the corpora."""
    for pair in chain(text_pairs(data), planted_pairs(corpora, data), corpus_pairs(corpora)):
        pairs = pair_candidates(pair.a.document, pair.b.document)
        truth = [pair.shared(i, j) for i, j in zip(pairs.rows, pairs.columns, strict=True)]
        yield Row(pair, pairs, np.array(truth, dtype=bool))
