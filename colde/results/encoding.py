"""Encoding of a document by a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from colde.results.model_score import Coverage
from colde.results.similarity_map import Array
from colde.text.document import Chunk, Document, Span


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """Encoding of a document by a model, independent of other documents. Models subclass it for further values.

    Attributes:
        document: the document itself.
        vector: [dimension], L2-normalised, or None for a model without document vectors.
        sections: [sections compared, dimension] or None; `section_spans` has the same order.
        chunks: [chunks, dimension] or None; `chunk_spans` has the same order.
        sentences: [sentences, dimension] or None, in the order of `Document.sentences()`.
        coverage: how much of the document was read.
    """

    document: Document
    coverage: Coverage
    vector: Array | None = None
    sections: Array | None = None
    chunks: Array | None = None
    sentences: Array | None = None
    section_spans: tuple[Span, ...] = ()
    chunk_spans: tuple[Chunk, ...] = ()

    @property
    def self_similarity(self) -> float | None:
        """How similar the parts of the document are to each other, in [0, 1]; None for a model that does not say."""
        return None


E = TypeVar("E", bound=Encoding)


def require_encoding(encoding: Encoding, kind: type[E]) -> E:
    """The encoding, which must be of this kind.

    Raises:
        TypeError: it was made by another model, or without `explain` and is now to be explained.
    """
    if not isinstance(encoding, kind):
        raise TypeError(
            f"this needs a {kind.__name__}, got a {type(encoding).__name__}; encode with the same model, "
            "and with explain=True for match(…, explain=True)"
        )
    return encoding
