"""The passages that a text shares with a document of an index, which keeps the vectors of its sentences.

They are those of a comparison of the two, at less cost:

- the words of the text are counted once for all documents, and no sentence of either is encoded;
- a document without a similar sentence and without an identical run of words shares no passage, and is not compared;
- of a long text only the surroundings of such sentences and runs are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde.alignment.sentence_matches import LANGUAGES, sentence_matches
from colde.alignment.shared_runs import MIN_WORDS, ComparedWords, compared_words
from colde.alignment.word_runs import Hashes, in_runs, runs_of
from colde.comparison.standard_text import without_shared_standard_text
from colde.index.index_rows import content_hash, damaged_row_errors, document_of, indexed_document
from colde.index.passage_rows import searched_sentences, sentences_of_row
from colde.index.sources.source_stretches import SharingDocument
from colde.passages.find_passages import passages_of_texts
from colde.passages.passage_text import PassageText
from colde.results.progress import ignore_progress
from colde.results.shared_text import SAME_MEANING, SharedText
from colde.results.similarity_map import Array
from colde.row_blocks import row_blocks
from colde.text.document import Document, Span, joined
from colde.text.not_compared.boilerplate import prepare_for_comparison
from colde.text.sections.parts_without_headings import split_into_parts
from colde.text.sections.passage_removal import keep_only

LEAST_COSINE = 0.55
"""Of the nearest pair of sentences of two texts that share a passage without an identical run of words: at least 0.63
in the half `development` of PAN (docs/log/search.md)."""
LONG = 600
"""Sentences of a text from which it is long; the longest of PAN has fewer."""
MOST_NEAREST = 100
"""Sentences of a long text that are compared for their vectors."""
MARGIN = 10
"""Sentences before and after each that are compared with it."""
CELLS = 2**21
"""Cosines that are computed together: 8 MB."""
VERSION = 0.5
"""Share of the words of both texts that the other has, from which they are versions of each other: of sources of PAN,
at least one of the two is below 0.2."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SearchedDocument:
    """A document with what a search in it needs.

    Attributes:
        document: as it is compared when nothing is set aside as standard text.
        text: the same, with its words.
        vectors: of its searched sentences by the packaged encoder.
    """

    document: Document
    text: PassageText
    vectors: Mapping[Span, Array]

    @classmethod
    def of(cls, document: Document, vectors: Mapping[Span, Array]) -> SearchedDocument:
        """A document as it is indexed."""
        prepared = prepare_for_comparison(document)
        return cls(prepared, PassageText.of(prepared), vectors)

    @property
    def words(self) -> ComparedWords:
        """The compared words, without standard text."""
        same = self.text.document is self.document
        return self.text.words if same else compared_words(self.document)

    def after(self, document: Document) -> PassageText:
        """The text to search after something was set aside in the document."""
        return self.text if document is self.document else PassageText.of(document)

    def near(self, document: Document, nearest: Array, runs: Flags) -> Document:
        """A long document without what is far from its sentences that are near the other text.

        Args:
            nearest: [sentences], cosine of the nearest sentence of the other text.
            runs: [words], which words are in an identical run.
        """
        if len(nearest) < LONG:
            return document
        sentences = list(self.vectors)
        hits = nearest >= max(LEAST_COSINE, float(np.partition(nearest, -MOST_NEAREST)[-MOST_NEAREST]))
        starts = np.array([s.start for s in sentences], dtype=np.int64)
        of_words = np.searchsorted(starts, self.text.words.starts[runs], side="right") - 1
        hits[of_words[of_words >= 0]] = True
        margins = (
            Span(sentences[max(0, i - MARGIN)].start, sentences[min(i + MARGIN, len(sentences) - 1)].end)
            for i in np.flatnonzero(hits).tolist()
        )
        return keep_only(document, joined(margins))


def shared_with(query: SearchedDocument, row: Mapping[str, Any], encoder: str) -> SharingDocument:
    """A document of an index with the passages that it shares with a text.

    Args:
        row: of the table of documents, with `packed`, `sentences` and `width`.
        encoder: name of the encoder of the index.
    """
    read = document_of(row)
    with damaged_row_errors(row):
        source = SearchedDocument.of(read, sentences_of_row(row, searched_sentences(read)))
    is_same = content_hash(read) == content_hash(query.document)
    shared = _shared_text(query, source, encoder)
    passages = () if shared is None else tuple(p for p in shared.passages if p.kind in SAME_MEANING)
    version = is_same or (shared is not None and _share_in_both(shared, query, source) >= VERSION)
    return SharingDocument(
        indexed_document(row), read, tuple(replace(p, parts=()) for p in passages), version
    )


def _shared_text(query: SearchedDocument, source: SearchedDocument, encoder: str) -> SharedText | None:
    common = runs_of([side.text.words.hashes for side in (query, source)], MIN_WORDS, 2)
    nearest = _nearest(query, source)
    if nearest is not None and not len(common) and nearest[0].max(initial=-1.0) < LEAST_COSINE:
        return None
    one, two = _compared_documents((query, source), common, nearest)
    texts = query.after(one), source.after(two)
    vectors = _vectors_of(texts[0].document, query.vectors), _vectors_of(texts[1].document, source.vectors)
    known = [v for v in vectors if v is not None]
    sentences = sentence_matches(
        one, two, ignore_progress, encoder, known if len(known) == len(vectors) else None, only_seeds=True
    )
    return passages_of_texts(*texts, sentences, summaries_in_b=False)


def _compared_documents(
    pair: tuple[SearchedDocument, SearchedDocument], common: Hashes, nearest: tuple[Array, Array] | None
) -> list[Document]:
    """The two documents without standard text that they share, and without what is far from the other text."""
    documents = without_shared_standard_text(
        [side.document for side in pair],
        words=[side.words for side in pair],
        vectors=[side.vectors for side in pair],
    )
    documents = [split_into_parts(document) for document in documents]
    if nearest is None:
        return documents
    runs = (in_runs(side.text.words.hashes, common, MIN_WORDS) for side in pair)
    return [
        side.near(document, cosines, inside)
        for side, document, cosines, inside in zip(pair, documents, nearest, runs, strict=True)
    ]


def _nearest(query: SearchedDocument, source: SearchedDocument) -> tuple[Array, Array] | None:
    """Cosine of the nearest sentence of the other text, [sentences] of each; None in languages that are not read."""
    if not {query.document.language, source.document.language} <= LANGUAGES:
        return None
    a, b = (np.array(list(side.vectors.values())) for side in (query, source))
    of_a, of_b = np.full(len(a), -1.0, np.float32), np.full(len(b), -1.0, np.float32)
    if len(a) and len(b):
        for rows in row_blocks(len(a), len(b), CELLS):
            cosines = a[rows] @ b.T
            of_a[rows] = cosines.max(1)
            of_b = np.maximum(of_b, cosines.max(0))
    return of_a, of_b


def _vectors_of(document: Document, known: Mapping[Span, Array]) -> Array | None:
    """Vectors of the searched sentences; None where one is not known, because a border cuts it."""
    sentences = searched_sentences(document)
    return (
        np.array([known[s] for s in sentences]) if sentences and all(s in known for s in sentences) else None
    )


def _share_in_both(shared: SharedText, query: SearchedDocument, source: SearchedDocument) -> float:
    """Share of the words of either text that the other has, long texts as a whole; the smaller of the two."""
    sides = ((shared.a, shared.words_a, query), (shared.b, shared.words_b, source))
    same = (words * sum(shares[kind] for kind in SAME_MEANING) for shares, words, _ in sides)
    return min(words / side.text.words.count for words, (_, _, side) in zip(same, sides, strict=True))
