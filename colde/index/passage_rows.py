"""The passages of a document in an index, by which a text that shares one of them finds the document.

A passage is a few sentences in a row of at least forty words together. Its vector is the mean of their vectors,
weighted by their lengths. One taken sentence of thirty words then weighs enough in a passage to be found by its vector
and by its words (docs/log/search.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from colde.encoders.encoder_names import PACKAGED
from colde.encoders.vector_math import normalised
from colde.results.similarity_map import Array
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import searched_text
from colde.text.words import count_words

PASSAGE_WORDS = 40
"""Words from which a passage is complete; chosen among 40 and 80 on the half `development` of PAN."""


def passage_dimension(encoder: str) -> int:
    """Length of the vector of a passage."""
    from colde.encoders.sentence_encoder import shared_sentence_encoder

    return shared_sentence_encoder(encoder).width


def document_passages(document: Document, vectors: Array) -> tuple[list[Span], Array]:
    """The passages of a document in reading order, and their vectors: [passages, dimension].

    Args:
        vectors: [sentences, dimension], of `searched_sentences`.
    """
    sentences = searched_sentences(document)
    groups: list[list[int]] = []
    words = PASSAGE_WORDS
    for i, sentence in enumerate(sentences):
        if words >= PASSAGE_WORDS:
            groups.append([])
            words = 0
        groups[-1].append(i)
        words += count_words(document.text[sentence.start : sentence.end])
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.float32)
    sums = [lengths[group] @ vectors[group] for group in groups]
    spans = [Span(sentences[group[0]].start, sentences[group[-1]].end) for group in groups]
    return spans, normalised(np.array(sums, dtype=np.float32).reshape(len(groups), vectors.shape[1]))


def searched_sentences(document: Document) -> list[Span]:
    """The sentences in which passages are searched."""
    return [Span(s.start, s.end) for _, s in searched_text(document).sentences()]


def searched_vectors(document: Document, encoder: str = PACKAGED) -> Array:
    """Their vectors by an encoder: [sentences, dimension]."""
    from colde.encoders.sentence_encoder import sentence_vectors_of

    return sentence_vectors_of([searched_text(document)], encoder=encoder)[0]


def passage_rows(document: Document, document_id: str, encoder: str) -> tuple[list[dict[str, Any]], int]:
    """The rows of the table of passages for one document, and the length of their vectors."""
    spans, vectors = document_passages(document, searched_vectors(document, encoder))
    rows = [
        {
            "document": document_id,
            "number": number,
            "start": span.start,
            "end": span.end,
            "text": document.text[span.start : span.end],
            "vector": vector,
        }
        for number, (span, vector) in enumerate(zip(spans, vectors, strict=True))
    ]
    return rows, vectors.shape[1]


def sentence_columns(document: Document) -> dict[str, Any]:
    """The columns of a document's row that hold the vectors of its searched sentences by the packaged encoder."""
    vectors = searched_vectors(document)
    return {"sentences": vectors.astype(np.float16).tobytes(), "width": vectors.shape[1]}


def sentences_of_row(row: Mapping[str, Any], sentences: Sequence[Span]) -> dict[Span, Array]:
    """The vector of each sentence from the columns of `sentence_columns`; raises ValueError for a damaged row."""
    width = int(row["width"])
    if width < 1:
        raise ValueError("no vectors of sentences")
    vectors = np.frombuffer(row["sentences"], dtype=np.float16).reshape(-1, width).astype(np.float32)
    if len(vectors) != len(sentences) or not np.isfinite(vectors).all():
        raise ValueError("its vectors are not those of its sentences")
    return dict(zip(sentences, vectors, strict=True))
