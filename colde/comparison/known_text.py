"""Text of documents that also stands in templates, or in many documents of the reference.

Paragraphs of nothing else are set aside, so that no model reads them. In other paragraphs its runs of words are marked:
they do not count as shared text. What is filled into a form is therefore compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from colde.alignment.shared_runs import MIN_WORDS as RUN_WORDS
from colde.alignment.shared_runs import ComparedWords, compared_words, covered_mask
from colde.alignment.word_runs import Hashes, in_runs, runs_of
from colde.judge.reference import Reference
from colde.text.document import Document, Mark, MarkKind, Role, Span
from colde.text.sections.passage_removal import leave_out

MIN_WORDS = 20
"""Words of a document that are left to compare."""
STANDARD_DOCUMENTS, STANDARD_SHARE = 3, 0.2
"""Documents of the reference, and share of them, in which standard text stands."""
WORDS = "words"
"""Key of the hashes of a reference's words in `Reference.applied`."""


def set_aside_known_text(
    documents: Sequence[Document],
    *,
    include: Collection[Role] = (),
    templates: Sequence[Document] = (),
    reference: Reference | None = None,
) -> list[Document]:
    """The documents without the text of the templates and the standard text of the reference.

    Args:
        include: `template` and `standard` keep such text.
    """
    kinds: list[tuple[MarkKind, Hashes]] = []
    if templates and "template" not in include:
        kinds.append(("template", runs_of((compared_words(d).hashes for d in templates), RUN_WORDS, 1)))
    if reference is not None and "standard" not in include:
        kinds.append(("standard", runs_of_reference(reference, documents, RUN_WORDS)))
    for kind, runs in kinds:
        documents = [_without(document, kind, runs) for document in documents]
    return list(documents)


def _without(document: Document, kind: MarkKind, runs: Hashes) -> Document:
    words = compared_words(document)
    known = in_runs(words.hashes, runs, RUN_WORDS)
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
    borders = np.flatnonzero(np.diff(np.concatenate([[0], known.astype(np.int8), [0]])))
    return [
        Span(words.spans[first].start, words.spans[end - 1].end)
        for first, end in zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True)
    ]


def runs_of_reference(reference: Reference, documents: Iterable[Document], size: int) -> Hashes:
    """Runs of so many words that stand in many documents of a reference; these documents and copies do not count."""
    if WORDS not in reference.applied:
        reference.applied[WORDS] = [compared_words(d).hashes for d in reference.documents]
    texts = {document.text for document in documents}
    others = [
        words
        for d, words in zip(reference.documents, reference.applied[WORDS], strict=True)
        if d.text not in texts
    ]
    return runs_of(others, size, max(STANDARD_DOCUMENTS, int(np.ceil(STANDARD_SHARE * len(others)))))
