"""A provisional score and section map while CoLDE still encodes a pair, with the expected error of the score.

The sentence encoder reads the sentences of each document in an order that is spread over the document, so those read so
far are a sample of it. The provisional score is the score of the shorter documents that they make.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from colde.encoders.sentence_layout import Sentences
from colde.models.colde.document_encoding import (
    ColdeEncoding,
    encoding_of_segments,
    group_passages,
    segment_states,
)
from colde.models.colde.explanation import SECTION_MEANING
from colde.models.colde.network import ColdeNetwork
from colde.models.colde.pair_attention import attend_pair
from colde.results.progress import OnProgress, Progress, Provisional, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document

MOST_UPDATES = 12
"""Provisional maps and scores of a pair; the time that each takes grows with the documents."""

SO_FAR = "Provisional, over the sentences read so far. "

FIRST_SHARE = 0.25
"""Share of both documents that must be read before the first provisional score."""

MEAN_RISE, RISE_DEVIATION = 0.029, 0.061
"""The final score less the score after a quarter: its mean, and the deviation in the corpus where it is greatest.

Measured on 3,095 validation pairs of documents of at most 6,000 tokens (studies/accuracy/provisional_scores.py). Longer
documents change less.
"""


class EncodingProgress:
    """Reports each batch of sentences; for a pair also a provisional section map and score, at most `MOST_UPDATES`."""

    def __init__(
        self,
        network: ColdeNetwork,
        documents: Sequence[Document],
        layouts: Sequence[Sentences],
        report: OnProgress,
        explain: bool,
    ) -> None:
        self.network, self.documents, self.layouts, self.report = network, documents, layouts, report
        self.updates = explain and len(documents) == 2
        self.maps: dict[str, SimilarityMap] = {}
        self.score: Provisional | None = None

    def __call__(self, done: int, total: int, units: Sequence[Array]) -> None:
        if self.updates and done * MOST_UPDATES // total > (done - 1) * MOST_UPDATES // total:
            self.maps = {"section": section_map(self.network, self.documents, self.layouts, units)}
            self.score = provisional(self.network, self.layouts, units)
        self.report(Progress(Stage.SENTENCES, done, total, partial=self.maps, provisional=self.score))


def remaining_uncertainty(share: float) -> float:
    """Uncertainty that a sample of this share leaves, 1 for a quarter.

    The variance of a mean over a sample drawn without replacement is proportional to (1 − share) / share, and so is the
    bias of the cosine of two such means.
    """
    return (1 - share) / share / 3


def provisional(
    network: ColdeNetwork, layouts: Sequence[Sentences], units: Sequence[Array]
) -> Provisional | None:
    """The score of a pair so far; None before a quarter of each document is read, and after everything is read.

    Args:
        units: unit vectors of the sentences of each document, NaN where not yet read.
    """
    read = [~np.isnan(values[:, 0]) for values in units]
    share = min(e.tokens[r].sum() / max(e.tokens.sum(), 1) for e, r in zip(layouts, read, strict=True))
    if len(layouts) != 2 or share < FIRST_SHARE or all(r.all() for r in read):
        return None
    a, b = (
        partial_encoding(network, e.tokens[r], e.segment[r], values[r])
        for e, values, r in zip(layouts, units, read, strict=True)
    )
    left = remaining_uncertainty(float(share))
    score = min(attend_pair(network, a, b).score + MEAN_RISE * left, 1.0)
    return Provisional(score=score, spread=RISE_DEVIATION * float(left**0.5), read=float(share))


def partial_encoding(
    network: ColdeNetwork, tokens: NDArray[np.int64], segment: NDArray[np.int64], units: Array
) -> ColdeEncoding:
    """An encoding for scores only, of some sentences of a document.

    Args:
        tokens, segment: [sentences], as in `Sentences`; units: [sentences, width].
    """
    states, mass, _ = segment_states(tokens, np.unique(segment, return_inverse=True)[1], units)
    return encoding_of_segments(network, states, mass)


def section_map(
    network: ColdeNetwork, documents: Sequence[Document], layouts: Sequence[Sentences], units: Sequence[Array]
) -> SimilarityMap:
    """The section map over the sentences read so far; a section of which nothing is read is NaN."""
    passages = []
    for document, layout, values in zip(documents, layouts, units, strict=True):
        read = ~np.isnan(values[:, 0])
        segment = np.unique(layout.segment[read], return_inverse=True)[1]
        centre = network.document_centre(*segment_states(layout.tokens[read], segment, values[read])[:2])
        with torch.inference_mode():
            projected = network.project(network.center_and_scale(torch.from_numpy(values), centre)).numpy()
        parts = np.nan_to_num(projected, copy=False)
        parts *= layout.tokens[:, None].astype(np.float32)
        passages.append(group_passages(document, layout, parts))
        passages[-1].sections[~passages[-1].sections.any(1)] = np.nan
    a, b = passages
    with np.errstate(invalid="ignore"):
        cosine = np.clip(a.sections @ b.sections.T, -1, 1)
    meaning = SO_FAR + SECTION_MEANING
    return SimilarityMap(
        cosine, a.section_spans, b.section_spans, "cosine", meaning, role="topic", level="section"
    )
