"""The text whose sources are searched, in stretches in each of which the same passages lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from colde.alignment.shared_runs import ComparedWords, compared_words, covered_mask
from colde.index.index_results import IndexedDocument
from colde.results.shared_text import SharedPassage
from colde.serialise import Offset
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import searched_text
from colde.text.not_compared.set_aside import excluded_spans

SourceExclusion = Literal["versions", "standard", "quotes", "references"]
SOURCE_EXCLUSIONS: tuple[SourceExclusion, ...] = get_args(SourceExclusion)
"""What can be left out of the count of sources."""
USUALLY_LEFT_OUT: tuple[SourceExclusion, ...] = ("versions",)
NOTHING = "nothing"
"""The word for an empty list of exclusions."""


def parse_source_exclusions(text: str) -> tuple[SourceExclusion, ...]:
    """The exclusions of a comma list, or none for `nothing`; raises ValueError for an unknown one."""
    names = [] if text.strip() == NOTHING else [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in names if name not in SOURCE_EXCLUSIONS]:
        raise ValueError(f"{unknown[0]} is none of {', '.join(SOURCE_EXCLUSIONS)}, {NOTHING}")
    return tuple(name for name in SOURCE_EXCLUSIONS if name in names)


@dataclass(frozen=True, slots=True)
class Exclusions:
    """What is left out of the count.

    Attributes:
        leave_out: kinds of text and of sources.
        fewest_words: words of a passage that counts.
        documents: ids of sources that do not count.
    """

    leave_out: tuple[SourceExclusion, ...] = USUALLY_LEFT_OUT
    fewest_words: Offset = 0
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SharingDocument:
    """A document of the index with all passages that it shares with the text.

    Attributes:
        document: its entry in the index.
        text: its content.
        passages: those that say the same; `a` is the text that is searched, `b` this document.
        version: whether it is the same document or an earlier or later version of it.
    """

    document: IndexedDocument
    text: Document
    passages: tuple[SharedPassage, ...]
    version: bool = False


@dataclass(frozen=True, slots=True)
class SourceStretch(Span):
    """A part of the text in which the same passages lie.

    Attributes:
        words: where a character of a script without spaces is half a word.
        quoted, cited: whether it lies in a quotation, and in a citation or a list of works.
        passages: numbers of the passages that hold it, counted over all sources in their order.
    """

    words: float
    quoted: bool
    cited: bool
    passages: tuple[int, ...]


def source_stretches(document: Document, sharing: Sequence[SharingDocument]) -> Iterator[SourceStretch]:
    """Yield all compared words in stretches, cut where passages, quotations and citations begin and end."""
    words = compared_words(searched_text(document))
    if not len(words.names):
        return
    spans = [passage.a for source in sharing for passage in source.passages]
    edges = np.searchsorted(words.starts, np.array([(s.start, s.end) for s in spans]).reshape(-1, 2))
    quoted = covered_mask(words, excluded_spans(document, ("quotes",)))
    cited = covered_mask(words, excluded_spans(document, ("references",)))
    changes = np.flatnonzero((quoted[1:] != quoted[:-1]) | (cited[1:] != cited[:-1])) + 1
    borders = np.unique(np.r_[0, len(words.names), edges.ravel(), changes]).astype(np.int64)
    for first, end in zip(borders[:-1].tolist(), borders[1:].tolist(), strict=True):
        yield SourceStretch(
            words.spans[first].start,
            words.spans[end - 1].end,
            _size(words, first, end),
            bool(quoted[first]),
            bool(cited[first]),
            tuple(np.flatnonzero((edges[:, 0] <= first) & (edges[:, 1] >= end)).tolist()),
        )


def _size(words: ComparedWords, first: int, end: int) -> float:
    return float(words.before[end] - words.before[first])
