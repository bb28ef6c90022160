"""Documents of the corpora, whole or their beginnings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from colde.corpus.corpus_folder import read_records, record_to_document
from colde.text.document import Document


def records_by_name(corpus: Path, names: Collection[str]) -> dict[str, dict[str, Any]]:
    return {name: record for name, record in read_records(corpus) if name in names}


def documents_by_name(corpus: Path, names: Collection[str]) -> dict[str, Document]:
    return {name: record_to_document(record) for name, record in records_by_name(corpus, names).items()}


def count_words(text: str) -> int:
    return len(text.split())


def record_words(record: Mapping[str, Any]) -> int:
    return sum(count_words(text) for section in record["sections"] for text in section["paragraphs"])


def beginning(
    record: Mapping[str, Any], most: int, size: Callable[[str], int] = count_words, *, cut: bool = False
) -> dict[str, Any]:
    """The record without the paragraphs after the first `most` words.

    Args:
        size: of a paragraph, if it is not words that are counted.
        cut: whether the last paragraph is cut at that word.
    """
    sections, left = [], most
    for section in record["sections"]:
        kept = []
        for text in section["paragraphs"]:
            if left > 0:
                kept.append(text if not cut or size(text) <= left else " ".join(text.split()[:left]))
                left -= size(text)
        if kept:
            sections.append({**section, "paragraphs": kept})
    return {**record, "sections": sections}
