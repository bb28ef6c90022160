"""A matcher that loads at once: a document's vector is its hashed words, a section is a chunk."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from colde.encoders.vector_math import normalised
from colde.index import Index
from colde.index.store import Store
from colde.judge.calibration import Profile
from colde.models.registry import CARDS
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress
from colde.text.document import Chunk, Document, Span
from colde.text.word_weights.term_weights import counts

DIMENSION = 64


class Light:
    """Cosine of hashed words."""

    card = CARDS["colde"]
    profiles = MappingProxyType({"general": Profile("general", 0.85)})
    parameters = 0

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.encoded = 0

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        return [self._encode(d) for d in documents]

    def _encode(self, document: Document) -> Encoding:
        time.sleep(self.seconds)
        self.encoded += 1
        compared = list(document.compared())
        spans = tuple(Span(s.start, s.end) for _, s in compared)
        chunks = tuple(Chunk(s.start, s.end, i, len(s)) for i, s in compared)
        sections = vectors([document.text[s.start : s.end] for s in spans])
        return Encoding(
            document=document,
            coverage=Coverage(1, 1),
            vector=vectors(["\n".join(document.text[s.start : s.end] for s in spans)])[0],
            sections=sections,
            chunks=sections,
            sentences=vectors([document.text[s.start : s.end] for _, s in document.sentences()]),
            section_spans=spans,
            chunk_spans=chunks,
        )

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        assert a.vector is not None and b.vector is not None
        return PairResult(float(a.vector @ b.vector), a.coverage, b.coverage)

    def save(self, folder: Path) -> None:
        raise NotImplementedError


def vectors(texts: Sequence[str]) -> np.ndarray:
    """[texts, DIMENSION], of length one."""
    found = np.zeros((len(texts), DIMENSION), np.float32)
    for row, text in zip(found, texts, strict=True):
        words = counts([text])
        np.add.at(row, words.indices % DIMENSION, words.data)
    return normalised(found + 1e-6)


def load(name: str) -> Light:
    """As `colde.models.load`."""
    return Light()


def write_files(folder: Path, count: int) -> Path:
    """So many small files of unlike content, two sections each."""
    folder.mkdir(exist_ok=True)
    for k in range(count):
        words = " ".join(f"word{k}x{i}" for i in range(15))
        text = (
            f"# Title {k}\n\n## Lamps\n\nThe keeper of tower {k} trimmed the wick and lit the lamp at dusk.\n\n"
            f"## Words\n\nThese words stand here alone and nowhere else: {words}.\n"
        )
        (folder / f"file{k:03}.md").write_text(text, encoding="utf-8")
    return folder


def store_of(index: Index) -> Store:
    """The tables of an index."""
    return Store(index.folder)


def rows_of(index: Index, table: str, key: str) -> list[str]:
    """The values of one column, in order."""
    return sorted(row[key] for row in store_of(index).rows(table, [key]))
