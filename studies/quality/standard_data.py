"""Standard sentences, documents of the same kinds, and sentences of other texts, with their vectors.

`standard/sentences.json` has standard sentences by genre, in groups of the same statement in other words.
`standard/documents.json` has documents in pairs of one template; standard sentences in them begin with "* ".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import colde
from colde.corpus.corpus_folder import read_records, record_to_document
from colde.encoders.vector_math import normalised
from colde.judge.profiles import corpora as shipped_corpora
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.text.document import Document
from studies.encode_texts import frame_texts
from studies.explanations.vector_memory import VectorStore
from studies.quality.annotated_pairs import part_of, read_items

FOLDER = Path(__file__).with_name("standard")
DOCUMENTS_OF_A_CORPUS, SENTENCES_OF_A_DOCUMENT = 350, 6
MARK = re.compile(r"(?:(?<=\s)|^)\* ")
NUMBER = re.compile(r"^\d+\.\s+")


@dataclass(frozen=True)
class Row:
    """A sentence: its genre or corpus, its part, and whether it is a standard sentence."""

    text: str
    source: str  # sentences, documents, development texts, or a corpus
    genre: str
    part: str
    standard: bool


def groups() -> dict[str, list[list[str]]]:
    """Standard sentences by genre, in groups of the same statement."""
    read: dict[str, list[list[str]]] = json.loads((FOLDER / "sentences.json").read_text(encoding="utf-8"))
    return read


def documents() -> list[dict[str, Any]]:
    """The documents, each with `text` without marks, and `marked`: the beginnings of its standard sentences."""
    items: list[dict[str, Any]] = json.loads((FOLDER / "documents.json").read_text(encoding="utf-8"))
    for item in items:
        pieces = MARK.split("\n\n".join(item["lines"]))
        item["text"] = "".join(pieces)
        item["marked"] = {beginning(piece) for piece in pieces[1:]}
    return items


def beginning(sentence: str) -> str:
    return NUMBER.sub("", " ".join(sentence.split()))[:30]


def sentences(document: Document) -> list[str]:
    return [" ".join(document.text[s.start : s.end].split()) for _, s in document.sentences()]


def rows(corpora: Path, seed: int = 0) -> Iterator[Row]:
    """All sentences with their parts; those of one statement or document are in the same part."""
    for genre, items in groups().items():
        for k, group in enumerate(items):
            yield from (Row(text, "sentences", genre, part_of(f"{genre}/{k}"), True) for text in group)
    for item in documents():
        for text in sentences(colde.read_text(item["text"])):
            yield Row(text, "documents", item["genre"], item["part"], beginning(text) in item["marked"])
    for name, item in read_items():
        texts = [t for t in item["source"] if t.strip()] + [p["text"] for p in item["paraphrase"]]
        yield from (Row(t, "development texts", item["genre"], part_of(name), False) for t in texts)
    draw = np.random.default_rng(seed)
    for corpus in shipped_corpora():
        yield from corpus_rows(corpora, corpus, draw)


def corpus_rows(corpora: Path, corpus: str, draw: np.random.Generator) -> Iterator[Row]:
    """Sentences drawn from documents of a corpus."""
    records = dict(read_records(corpora / corpus))
    for name in draw.choice(sorted(records), min(DOCUMENTS_OF_A_CORPUS, len(records)), replace=False):
        texts = [t for t in sentences(record_to_document(records[name])) if len(t.split()) >= 5]
        chosen = draw.choice(texts, min(SENTENCES_OF_A_DOCUMENT, len(texts)), replace=False)
        yield from (Row(t, corpus, corpus, part_of(f"{corpus}/{name}"), False) for t in chosen)


def vectors(texts: list[str], memory: VectorStore | None = None) -> Array:
    """Unit vectors of the packaged encoder: [texts, dimension]."""
    return normalised((memory or VectorStore()).ids(frame_texts(texts, default_tokenizer(), 256)))
