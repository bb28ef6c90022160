"""Labelled pairs of a corpus scored and judged by a model, for `colde evaluate` and `colde mistakes`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from colde.errors import CorpusError

if TYPE_CHECKING:
    from colde.cli.progress_bar import ProgressBar
    from colde.corpus.corpus_folder import Pair
    from colde.judge.calibration import Judgement
    from colde.judge.reference import Reference
    from colde.models.base import Matcher
    from colde.text.document import Document


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """Pairs that have a label, and the documents of their corpus, each made once.

    Attributes:
        unlabelled: pairs of the table that have none.
    """

    pairs: Sequence[Pair]
    document: Callable[[str], Document]
    unlabelled: int


@dataclass(frozen=True, slots=True)
class JudgedModel:
    """A model with its score and its judgement of each pair."""

    matcher: Matcher
    scores: Sequence[float]
    judged: Sequence[Judgement]


def read_labelled_pairs(corpus: Path, table: Path, without_labels: str, bar: ProgressBar) -> LabelledPairs:
    """The labelled pairs of a table.

    Args:
        without_labels: error message for a table without any.

    Raises:
        CorpusError: corpus or table cannot be read, or no pair has a label.
    """
    from colde.corpus.corpus_folder import read_pairs, record_to_document
    from colde.evaluation.pair_scores import records_of

    pairs = read_pairs(table)
    labelled = [pair for pair in pairs if pair.label is not None]
    if not labelled:
        raise CorpusError(without_labels)
    bar.stage(f"reading {corpus}")
    records = records_of(corpus, ((pair.source, pair.target) for pair in labelled))
    document = cache(lambda name: record_to_document(records[name]))
    return LabelledPairs(labelled, document, len(pairs) - len(labelled))


def judge_pairs(
    name: str, labelled: LabelledPairs, profile: str, reference: Reference | None, bar: ProgressBar
) -> JudgedModel:
    """Score the pairs with a model, and judge the scores by a profile or a reference set."""
    from colde import models
    from colde.comparison.apply_reference import apply_reference
    from colde.evaluation.pair_scores import score_pairs
    from colde.judge.calibration import judge

    bar.stage(f"loading {name}")
    matcher, background = apply_reference(models.load(name), profile, reference, on_progress=bar)
    ids = [(pair.source, pair.target) for pair in labelled.pairs]
    scores = list(score_pairs(matcher, labelled.document, ids, on_progress=bar))
    judged = [judge(score, matcher.profiles, profile, background) for score in scores]
    return JudgedModel(matcher, scores, judged)
