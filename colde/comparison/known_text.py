"""Text of two documents that also stands in templates, or in many documents of the reference.

Paragraphs of nothing else are set aside, so that no model reads them. In other paragraphs its runs of words are marked:
they do not count as shared text. What is filled into a form is therefore compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from colde.comparison.pipeline import MIN_WORDS
from colde.explain.shared_runs import MIN_WORDS as RUN_WORDS
from colde.explain.shared_runs import ComparedWords, compared_words, covered_mask
from colde.judge.reference import Reference
from colde.text.document import Document, Mark, MarkKind, Role, Span
from colde.text.passage_removal import leave_out

STANDARD_DOCUMENTS, STANDARD_SHARE = 3, 0.2
"""Documents of the reference, and share of them, in which standard text stands."""
Runs = NDArray[np.uint64]
"""Hashes of the runs of six words that are known, sorted."""


def set_aside_known_text(
    a: Document,
    b: Document,
    *,
    include: Collection[Role] = (),
    templates: Sequence[Document] = (),
    reference: Reference | None = None,
) -> tuple[Document, Document]:
    """Both documents without the text of the templates and the standard text of the reference.

    Args:
        include: `template` and `standard` keep such text.
    """
    kinds: list[tuple[MarkKind, Runs]] = []
    if templates and "template" not in include:
        kinds.append(("template", _known_runs(templates, 1)))
    if reference is not None and "standard" not in include:
        others = [d for d in reference.documents if d.text not in (a.text, b.text)]
        fewest = max(STANDARD_DOCUMENTS, int(np.ceil(STANDARD_SHARE * len(others))))
        kinds.append(("standard", _known_runs(others, fewest)))
    for kind, runs in kinds:
        a, b = (_without(document, kind, runs) for document in (a, b))
    return a, b


def _without(document: Document, kind: MarkKind, runs: Runs) -> Document:
    words = compared_words(document)
    hashes = _run_hashes(words.names)
    known = np.zeros(len(words.names), dtype=bool)
    for first in np.flatnonzero(np.isin(hashes, runs)):
        known[first : first + RUN_WORDS] = True
    if not known.any():
        return document
    spans = _spans(words, known)
    document = replace(document, marks=(*document.marks, *(Mark(s.start, s.end, kind) for s in spans)))
    role: Role = "template" if kind == "template" else "standard"
    shorter = leave_out(document, _known_paragraphs(document, words, spans), role)
    return shorter if shorter.words() >= MIN_WORDS else document


def _known_paragraphs(document: Document, words: ComparedWords, spans: Sequence[Span]) -> list[Span]:
    """Paragraphs of known words alone; the heading goes with the first of a section."""
    known = covered_mask(words, spans)
    chosen = []
    for _, section in document.compared():
        for i, paragraph in enumerate(section.paragraphs):
            inside = words.inside(paragraph)
            if len(inside) and known[inside].all():
                chosen.append(Span(section.start if i == 0 else paragraph.start, paragraph.end))
    return chosen


def _spans(words: ComparedWords, known: NDArray[np.bool_]) -> list[Span]:
    """The known runs of words as passages."""
    borders = np.flatnonzero(np.diff(np.concatenate([[0], known.astype(np.int8), [0]])))
    return [
        Span(words.spans[first].start, words.spans[end - 1].end)
        for first, end in zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True)
    ]


def _known_runs(documents: Iterable[Document], fewest: int) -> Runs:
    """The runs of six words that stand in so many documents or more."""
    by_document = [np.unique(_run_hashes(compared_words(document).names)) for document in documents]
    runs, counts = np.unique(np.concatenate([np.zeros(0, np.uint64), *by_document]), return_counts=True)
    return runs[counts >= fewest]


def _run_hashes(names: Sequence[str]) -> Runs:
    """A hash for each run of six words, the same in all documents of one process."""
    words = np.array([hash(name) & 0xFFFFFFFFFFFFFFFF for name in names], dtype=np.uint64)
    count = max(0, len(words) - RUN_WORDS + 1)
    hashes = np.zeros(count, dtype=np.uint64)
    for i in range(RUN_WORDS):
        hashes = hashes * np.uint64(1_000_003) + words[i : i + count]
    return hashes
