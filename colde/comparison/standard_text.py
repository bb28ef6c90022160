"""Set standard sentences aside that two documents share, unless the documents are versions of each other.

Two unlike agreements with the same general provisions, two patents, two essays with the same cover sheet: the language
of the kind of document makes them similar. A standard sentence is set aside where its words, or the frame of it, are
also in the other document. In two versions of one text everything is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.explain.shared_runs import ComparedWords, compared_words
from colde.explain.standard_sentences import standard_log_odds
from colde.results.similarity_map import Array
from colde.text.boilerplate import BOILERPLATE, prepare_for_comparison
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Role, Span
from colde.text.passage_removal import keep_only, leave_out

FRAME = 4
"""Words in a row that both documents have: the frame of a sentence."""
COPIED = 6
"""Words in a row that both documents have: copied text, as in `shared_runs`."""
FRAMED = 0.3
"""Share of a sentence's words in shared frames from which it may be set aside."""
LOG_ODDS = -0.7
"""Log-odds from which a sentence is set aside: the mean of its own, and of the means of its paragraph and document."""
AT_THE_EDGE = 1.0
"""Added to the log-odds for a paragraph that begins or ends both documents."""
OTHER_FILLING = 1.0
"""Added to the log-odds, times the share of words outside the shared frame: copied text has no such words."""
VERSIONS = 0.3
"""Copied share of the other sentences of a document from which the two are versions."""
FEWEST = 0.08
"""Share of a document's words that are set aside; fewer hardly change a score."""
LEAST_LEFT = 20
"""Words of each document that are left to compare."""


def prepare_pair(a: Document, b: Document, include: Iterable[Role] = ()) -> tuple[Document, Document]:
    """Both documents as they are compared with each other: see `prepare_for_comparison`, and without standard text.

    Args:
        include: roles of sections that are compared although they are set aside.
    """
    include = tuple(include)
    a, b = prepare_for_comparison(a, include), prepare_for_comparison(b, include)
    return (a, b) if BOILERPLATE in include else without_shared_standard_text(a, b)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The sentences of a document.

    Attributes:
        words, framed, copied: [sentences], words, and those of them in shared frames and in copied text.
        paragraph: [sentences], number of the paragraph.
    """

    document: Document
    spans: tuple[Span, ...]
    words: NDArray[np.float64]
    framed: NDArray[np.float64]
    copied: NDArray[np.float64]
    paragraph: NDArray[np.int64]

    @property
    def edges(self) -> NDArray[np.bool_]:
        """Whether the first and the last paragraph have candidates: [2]."""
        ends = self.paragraph[[0, -1]] if len(self.paragraph) else np.full(2, -1)
        return np.isin(ends, self.paragraph[self.candidates])

    @property
    def candidates(self) -> NDArray[np.int64]:
        """Positions of the sentences that may be set aside."""
        return np.flatnonzero(self.framed >= np.maximum(FRAMED * self.words, FRAME))


def without_shared_standard_text(a: Document, b: Document) -> tuple[Document, Document]:
    """Both documents with the standard sentences that they share under the role `boilerplate`; text stays as it is."""
    if any(d.language not in ("en", None) for d in (a, b)):
        return a, b
    words = compared_words(a), compared_words(b)
    sides = [_side(d, own, other) for d, own, other in ((a, *words), (b, *words[::-1]))]
    if all(s.words[s.candidates].sum() < FEWEST * s.words.sum() for s in sides):
        return a, b
    edges = np.logical_and(*(s.edges for s in sides))
    found = [_standard(side, edges) for side in sides]
    if not _enough(sides, found) or _versions(sides, found):
        return a, b
    one, two = (
        leave_out(s.document, _passages(s, hit), BOILERPLATE)
        for s, hit in zip(sides, found, strict=True)
    )
    return one, two


def _side(document: Document, own: ComparedWords, other: ComparedWords) -> _Side:
    spans = tuple(Span(s.start, s.end) for _, s in document.sentences())
    paragraphs = [p.start for _, s in document.compared() for p in s.paragraphs or (s,)]
    edges = np.array([(s.start, s.end) for s in spans], dtype=np.int64).reshape(-1, 2)
    first, last = np.searchsorted(own.starts, edges.T)
    framed, copied = (
        np.concatenate([[0], np.cumsum(_in_shared_runs(own, other, n))]) for n in (FRAME, COPIED)
    )
    return _Side(
        document,
        spans,
        words=(last - first).astype(float),
        framed=(framed[last] - framed[first]).astype(float),
        copied=(copied[last] - copied[first]).astype(float),
        paragraph=np.searchsorted(np.array(paragraphs), edges[:, 0], side="right"),
    )


def _in_shared_runs(own: ComparedWords, other: ComparedWords, size: int) -> NDArray[np.bool_]:
    """Which words are in a run of so many words that the other document has too: [words]."""
    known = {other.names[i : i + size] for i in range(len(other.names) - size + 1)}
    inside = np.zeros(len(own.names), dtype=bool)
    for i in range(len(own.names) - size + 1):
        if own.names[i : i + size] in known:
            inside[i : i + size] = True
    return inside


def _standard(side: _Side, edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which sentences are standard sentences that both documents have: [sentences]."""
    standard = np.zeros(len(side.spans), dtype=bool)
    candidates = side.candidates
    if not len(candidates):
        return standard
    log_odds = standard_log_odds(_vectors(side.document, [side.spans[i] for i in candidates]))
    if log_odds is None:
        return standard
    paragraph = side.paragraph[candidates]
    _, number = np.unique(paragraph, return_inverse=True)
    of_paragraph = (np.bincount(number, log_odds) / np.bincount(number))[number]
    evidence = (log_odds + of_paragraph + log_odds.mean()) / 3
    evidence += AT_THE_EDGE * np.isin(paragraph, side.paragraph[[0, -1]][edges])
    evidence += OTHER_FILLING * (1 - side.framed[candidates] / side.words[candidates])
    standard[candidates] = evidence >= LOG_ODDS
    mostly = np.bincount(number, side.words[candidates] * standard[candidates])[number]
    standard[candidates] |= mostly > np.bincount(number, side.words[candidates])[number] / 2
    return standard


def _vectors(document: Document, spans: Sequence[Span]) -> Array:
    """Unit vectors of these sentences: [spans, dimension]."""
    from colde.encoders.sentence_encoder import join_pieces, shared_sentence_encoder
    from colde.encoders.sentence_layout import read_sentences

    part = keep_only(document, spans)
    layout = read_sentences(part, default_tokenizer())
    return join_pieces(layout, shared_sentence_encoder().read([part], [layout])[0])


def _passages(side: _Side, standard: NDArray[np.bool_]) -> list[Span]:
    """The standard sentences, with the heading before them where they begin a section."""
    headings = {section.sentences[0].start: section.start for _, section in side.document.compared() if section.sentences}
    spans = [side.spans[i] for i in np.flatnonzero(standard)]
    return [Span(headings.get(s.start, s.start), s.end) for s in spans]


def _enough(sides: Sequence[_Side], found: Sequence[NDArray[np.bool_]]) -> bool:
    """Whether enough of a document is standard text to change a score, and enough of both is left."""
    aside = [float(s.words[hit].sum()) for s, hit in zip(sides, found, strict=True)]
    total = [float(s.words.sum()) for s in sides]
    return any(x >= FEWEST * n for x, n in zip(aside, total, strict=True)) and all(
        n - x >= LEAST_LEFT for x, n in zip(aside, total, strict=True)
    )


def _versions(sides: Sequence[_Side], found: Sequence[NDArray[np.bool_]]) -> bool:
    """Whether much of the text that is left of one document is copied in the other."""
    return any(
        s.copied[~hit].sum() > VERSIONS * s.words[~hit].sum() for s, hit in zip(sides, found, strict=True)
    )
