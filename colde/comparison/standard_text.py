"""Set aside standard sentences that documents share, unless the documents are versions of each other.

Two unlike agreements with the same general provisions, two patents, two essays with the same cover sheet: the language
of the kind of document makes them similar. A standard sentence is set aside where its words, or the frame of it, are
also in another document. In versions of one text everything is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from colde.alignment.shared_runs import MAX_WORDS, ComparedWords, compared_words
from colde.alignment.word_runs import in_runs, runs_of
from colde.comparison.known_text import (
    MIN_WORDS,
    runs_of_reference,
    set_aside_known_text,
)
from colde.explain.standard_sentences import standard_log_odds
from colde.judge.reference import Reference
from colde.results.saved.record import text_hash
from colde.results.similarity_map import Array
from colde.text.document import Document, Role, Span
from colde.text.not_compared.boilerplate import BOILERPLATE, prepare_for_comparison
from colde.text.sections.passage_removal import keep_only, leave_out

FRAME = 4
"""Words in a row that two documents have: the frame of a sentence."""
FRAMED = 0.3
"""Share of a sentence's words in shared frames from which it may be set aside."""
LOG_ODDS = -0.7
"""Log-odds from which a sentence is set aside: the mean of its own, and of the means of its paragraph and document."""
AT_THE_EDGE = 1.0
"""Added to the log-odds for a paragraph at the beginning, or at the end, of two documents."""
OTHER_FILLING = 1.0
"""Added to the log-odds, times the share of words outside the shared frame: copied text has no such words."""
COMPLETE = 0.9
"""Share of a sentence's words in shared frames from which the other document has all of it."""
VERSIONS = 0.35
"""Share of the words of the other sentences in shared frames from which a document is a version of another: at most
0.25 in development documents from one template, 0.4 and more in most whose words were replaced by synonyms."""
FEWEST = 0.08
"""Share of a document's words that are set aside; fewer hardly change a score."""

Flags = NDArray[np.bool_]


def prepare_documents(
    documents: Iterable[Document],
    include: Iterable[Role] = (),
    templates: Sequence[Document] = (),
    reference: Reference | None = None,
) -> list[Document]:
    """Two or more documents as they are compared with each other: without what is set aside.

    Each is prepared alone. Then text of the templates, of many documents of the reference, and standard sentences that
    at least two of the documents, or many of the reference, share are set aside.

    Args:
        include: roles of sections that are compared although they are set aside.
    """
    include = tuple(include)
    prepared = [prepare_for_comparison(document, include) for document in documents]
    known = set_aside_known_text(prepared, include=include, templates=templates, reference=reference)
    if templates:
        hashes = tuple(map(text_hash, templates))
        known = [replace(document, templates=hashes) for document in known]
    return without_shared_standard_text(known, include, reference)


def without_shared_standard_text(
    documents: Sequence[Document],
    include: Iterable[Role] = (),
    reference: Reference | None = None,
    *,
    words: Sequence[ComparedWords] | None = None,
    vectors: Sequence[Mapping[Span, Array]] | None = None,
) -> list[Document]:
    """The documents with the standard sentences that they share under the role `boilerplate`.

    Text does not change. Documents in another language than English, and documents of more than `MAX_WORDS` words
    together, are not searched.

    Args:
        include: nothing is set aside where `boilerplate` is among them.
        reference: what many of its documents share counts as shared, too.
        words: the compared words of each document, where they are known.
        vectors: of the sentences of each document by the packaged encoder, where they are known.
    """
    words = words or list(map(compared_words, documents))
    if BOILERPLATE in include or sum(w.count for w in words) > MAX_WORDS:
        return list(documents)
    sides = _sides(documents, words, reference)
    edges = np.sum([side.edges for side in sides], axis=0) > 1
    candidates = [side.only_candidates() for side in sides]
    read = _vectors(sides, candidates, vectors or [{}] * len(sides))
    standard = [_standard(side, of_side, edges) for side, of_side in zip(sides, read, strict=True)]
    prepared = _set_aside(sides, standard, reference)
    if vectors is None:
        _keep_vectors(prepared, candidates)
    return prepared


def _set_aside(
    sides: Sequence[_Side], standard: Sequence[Flags], reference: Reference | None
) -> list[Document]:
    """The documents without their standard sentences, unless they are versions of each other."""
    versions = [side.is_version(flags) for side, flags in zip(sides, standard, strict=True)]
    if len(sides) == 2:
        one_sided = reference is None and not all(flags.any() for flags in standard)
        versions = [one_sided or any(versions)] * 2
    return [
        side.document if version else side.without(flags)
        for side, flags, version in zip(sides, standard, versions, strict=True)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The sentences of a document.

    Attributes:
        words, framed: [sentences], words, and those of them in shared frames.
        paragraph: [sentences], number of the paragraph.
    """

    document: Document
    spans: tuple[Span, ...]
    words: NDArray[np.int64]
    framed: NDArray[np.int64]
    paragraph: NDArray[np.int64]

    @property
    def candidates(self) -> NDArray[np.int64]:
        """Positions of the sentences that may be set aside."""
        if self.document.language not in ("en", None):
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(self.framed >= np.maximum(FRAMED * self.words, FRAME))

    def only_candidates(self) -> Document | None:
        """The document with these sentences alone; None where they are too few to be set aside."""
        candidates = self.candidates
        if not len(candidates) or self.words[candidates].sum() < FEWEST * self.words.sum():
            return None
        return keep_only(self.document, [self.spans[i] for i in candidates])

    @property
    def edges(self) -> Flags:
        """Whether the first and the last paragraph have candidates: [2]."""
        ends = self.paragraph[[0, -1]] if len(self.paragraph) else np.full(2, -1)
        return np.isin(ends, self.paragraph[self.candidates])

    def is_version(self, standard: Flags) -> bool:
        """Whether the text that is left shares many frames with another document."""
        return bool(self.framed[~standard].sum() > VERSIONS * self.words[~standard].sum())

    def without(self, standard: Flags) -> Document:
        """The document with these sentences set aside."""
        return (
            leave_out(self.document, self.passages(standard), BOILERPLATE)
            if standard.any()
            else self.document
        )

    def passages(self, standard: Flags) -> list[Span]:
        """The standard sentences, each with the heading before it where it begins a section."""
        sections = [section for _, section in self.document.compared() if section.sentences]
        starts = {section.sentences[0].start: section.start for section in sections}
        spans = [self.spans[i] for i in np.flatnonzero(standard)]
        return [Span(starts.get(s.start, s.start), s.end) for s in spans]


def _sides(
    documents: Sequence[Document], words: Sequence[ComparedWords], reference: Reference | None
) -> list[_Side]:
    hashes = [w.hashes for w in words]
    frames = runs_of(hashes, FRAME, 2)
    if reference is not None:
        frames = np.union1d(frames, runs_of_reference(reference, documents, FRAME))
    masks = (in_runs(h, frames, FRAME) for h in hashes)
    return [_side(*inputs) for inputs in zip(documents, words, masks, strict=True)]


def _side(document: Document, words: ComparedWords, mask: Flags) -> _Side:
    """The sentences of a document.

    Args:
        mask: [words], which words are in shared frames.
    """
    spans = tuple(Span(s.start, s.end) for _, s in document.sentences())
    paragraphs = [p.start for _, s in document.compared() for p in s.paragraphs or (s,)]
    edges = np.array([(s.start, s.end) for s in spans], dtype=np.int64).reshape(-1, 2)
    first, last = np.searchsorted(words.starts, edges.T)
    framed = np.concatenate([[0], np.cumsum(mask)])
    return _Side(
        document,
        spans,
        words=last - first,
        framed=framed[last] - framed[first],
        paragraph=np.searchsorted(np.array(paragraphs, dtype=np.int64), edges[:, 0], side="right"),
    )


def _standard(side: _Side, vectors: Array | None, edges: Flags) -> Flags:
    """Which sentences are set aside: [sentences]; none where they are few, or where little would be left.

    Where most of what a paragraph shares is standard, its other sentences are, if the other document has all of
    them: an address or a year stands in such paragraphs, too.
    """
    none = np.zeros(len(side.spans), dtype=bool)
    candidates, total = side.candidates, side.words.sum()
    words = side.words[candidates]
    if vectors is None:
        return none
    log_odds = standard_log_odds(vectors)
    paragraph = side.paragraph[candidates]
    _, number = np.unique(paragraph, return_inverse=True)
    of_paragraph = (np.bincount(number, log_odds) / np.bincount(number))[number]
    evidence = (log_odds + of_paragraph + log_odds.mean()) / 3
    framed = side.framed[candidates] / words
    complete = framed >= COMPLETE
    evidence += AT_THE_EDGE * (complete & np.isin(paragraph, side.paragraph[[0, -1]][edges]))
    evidence += OTHER_FILLING * (1 - framed)
    hit = evidence >= LOG_ODDS
    hit |= complete & (np.bincount(number, words * hit) > np.bincount(number, words) / 2)[number]
    standard = none.copy()
    standard[candidates[hit]] = True
    aside = words[hit].sum()
    return standard if aside >= FEWEST * total and total - aside >= MIN_WORDS else none


def _vectors(
    sides: Sequence[_Side], candidates: Sequence[Document | None], known: Sequence[Mapping[Span, Array]]
) -> list[Array | None]:
    """Vectors of the candidates of each document, None without any.

    Those of a document are read where one of them is not known; equal sentences of the documents are read once.
    """
    vectors: list[Array | None] = [None] * len(sides)
    unread: dict[int, Document] = {}
    for number, (side, part, given) in enumerate(zip(sides, candidates, known, strict=True)):
        spans = [side.spans[i] for i in side.candidates]
        if part is not None and all(span in given for span in spans):
            vectors[number] = np.array([given[span] for span in spans])
        elif part is not None:
            unread[number] = part
    if unread:
        from colde.encoders.sentence_encoder import sentence_vectors_of

        for number, read in zip(unread, sentence_vectors_of(list(unread.values())), strict=True):
            vectors[number] = read
    return vectors


def _keep_vectors(documents: Sequence[Document], candidates: Sequence[Document | None]) -> None:
    """Keep the vectors of the candidates for the models that read these documents next."""
    if all(part is None for part in candidates):
        return
    from colde.encoders.sentence_encoder import shared_sentence_encoder

    for document, part in zip(documents, candidates, strict=True):
        if part is not None:
            shared_sentence_encoder().keep_with(document, part)
