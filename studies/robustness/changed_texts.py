"""Corpora whose texts were changed: paragraphs or sections in random order, or only the first words kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from studies.corpora import beginning
from studies.papers.new_document_pairs import NewDocumentPairs, write_corpus

Record = Mapping[str, Any]
Change = Callable[[Record, int], dict[str, Any]]
"""A record, changed; the number is the document's own, for what is drawn."""


def shuffle_paragraphs(record: Record, seed: int) -> dict[str, Any]:
    """All paragraphs in random order, in sections of as many as before."""
    random = np.random.default_rng(seed)
    texts = [t for section in record["sections"] for t in section["paragraphs"]]
    mixed = iter([texts[i] for i in random.permutation(len(texts))])
    sections = [{**s, "paragraphs": [next(mixed) for _ in s["paragraphs"]]} for s in record["sections"]]
    return {**record, "sections": sections}


def shuffle_sections(record: Record, seed: int) -> dict[str, Any]:
    """The sections in random order, each as it was."""
    order = np.random.default_rng(seed).permutation(len(record["sections"]))
    return {**record, "sections": [record["sections"][i] for i in order]}


def keep_first_words(most: int) -> Change:
    """Nothing after the first `most` words; a paragraph is cut where they end."""

    def cut(record: Record, _: int) -> dict[str, Any]:
        return beginning(record, most, cut=True)

    return cut


def write_changed_corpus(known: NewDocumentPairs, change: Change, folder: Path) -> NewDocumentPairs:
    """The judged pairs with every text changed, written to a folder of the corpus' name in the folder of the change."""
    corpus = folder / known.folder.name
    if not (corpus / "valid.tsv").is_file():
        records = known.records()
        changed = [change(records[name], number) for number, name in enumerate(sorted(records))]
        write_corpus(changed, known.pairs, corpus)
    return NewDocumentPairs(corpus, known.pairs)
