"""The maps of passages of a pair: chunk by chunk, and sentence by sentence.

The mean of both documents is subtracted from the vectors.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from colde.alignment.sentence_similarity import few_sentences
from colde.alignment.translations import in_two_languages
from colde.encoders.vector_math import centred
from colde.explain.level_maps import passage_map, sentence_map
from colde.explain.passage_windows import Side, sentence_vectors, strongest_windows
from colde.explain.sentence_pairs import sentence_strengths
from colde.explain.translation_maps import translation_maps
from colde.results.encoding import Encoding
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.clauses_and_requirements.clause_numbers import clause_numbers
from colde.text.document import Chunk, Document

PASSAGES_MEANING = (
    "Passages: for each pair of chunks, the strongest passage that they share, in the same or in other words. "
    "Three sentences in a row are compared with three others. The value is lower if a document repeats itself, or "
    "if many unrelated documents have a similar passage (thanks, outlines, addresses). 1 is the same, unusual "
    "passage; from about 0.5 on a passage stands out. One shared passage is enough for a high value, however "
    "different the rest of the chunks is."
)
SENTENCE_MEANING = (
    "Sentences: how similar two sentences and their neighbours are in meaning, in spelling and in the words that "
    "they share. Meaning is measured by sentence vectors, less what both documents are about, and counts less if a "
    "sentence is like much of its document. Rare words count more, and citations do not count. Fragments, standard "
    "phrases and pairs without a distinctive shared word have lower values. 1 is the same sentence; about 0 is "
    "nothing in common."
)


@dataclass(frozen=True, slots=True)
class _LastPair:
    """The maps of a pair, for the next model that reads the same sentence vectors and chunks of these documents."""

    documents: tuple[weakref.ref[Document], ...]
    inputs: tuple[tuple[Array, tuple[Chunk, ...]], ...]
    background: Array | None
    maps: dict[str, SimilarityMap]

    def is_of(self, a: Encoding, b: Encoding, background: Array | None) -> bool:
        """Whether the maps of these encodings are the same ones."""
        return background is self.background and all(
            reference() is side.document
            and chunks == side.chunk_spans
            and np.array_equal(vectors, sentence_vectors(side))
            for reference, (vectors, chunks), side in zip(self.documents, self.inputs, (a, b), strict=True)
        )


_last: _LastPair | None = None


def passage_maps(a: Encoding, b: Encoding, background: Array | None = None) -> dict[str, SimilarityMap]:
    """The maps `passages` (chunk × chunk) and, up to 4,000,000 pairs, `sentence`.

    Those of the last pair are kept as long as its documents exist: several models read the same sentence vectors.

    Args:
        a, b: encodings with `chunk_spans` and `sentences`.
        background: [dimension], the mean vector of another encoder than the packaged one, for unrelated texts; with it,
            documents in two languages are compared by `colde.explain.translation_maps`.
    """
    global _last
    kept = _last
    if kept is None or not kept.is_of(a, b, background):
        kept = _last = _LastPair(
            documents=tuple(weakref.ref(side.document, _forget) for side in (a, b)),
            inputs=tuple((sentence_vectors(side), side.chunk_spans) for side in (a, b)),
            background=background,
            maps=_passage_maps(a, b, background),
        )
    return dict(kept.maps)


def _forget(document: weakref.ref[Document]) -> None:
    global _last
    if _last is not None and document in _last.documents:
        _last = None


def _passage_maps(a: Encoding, b: Encoding, background: Array | None) -> dict[str, SimilarityMap]:
    if background is not None and in_two_languages(a.document, b.document):
        return translation_maps(a, b, background)
    vectors = centred(sentence_vectors(a), sentence_vectors(b))
    versions, packaged = _are_versions(a.document, b.document), background is None
    left, right = (Side.of(e, v, versions, packaged) for e, v in zip((a, b), vectors, strict=True))
    windows = strongest_windows(left, right, len(a.chunk_spans), len(b.chunk_spans))
    maps = {
        "passages": passage_map(windows, a, b, PASSAGES_MEANING, unit="strength of the strongest passage")
    }
    texts = _texts(a.document), _texts(b.document)
    if all(texts) and few_sentences(*map(len, texts)):
        maps["sentence"] = sentence_map(
            sentence_strengths(texts, vectors, (left.all_background, right.all_background)),
            a.document,
            b.document,
            SENTENCE_MEANING,
            unit="sentence similarity (meaning, spelling, rare words)",
        )
    return maps


def _texts(document: Document) -> list[str]:
    return [document.text[s.start : s.end] for _, s in document.sentences()]


def _are_versions(a: Document, b: Document) -> bool:
    """Whether at least half of the sentences of both documents are the same, but for the numbers of clauses."""
    one, other = (set(_without_numbers(d)) for d in (a, b))
    return 2 * len(one & other) >= max(len(one), len(other))


def _without_numbers(document: Document) -> Iterator[str]:
    sentences = [s for _, s in document.sentences()]
    numbers = clause_numbers(document, sentences)
    for s in sentences:
        yield document.text[s.start + len(numbers.get(s.start, "")) : s.end]
