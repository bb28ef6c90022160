"""Labelled pairs of a corpus scored and judged by a model, for `colde evaluate` and `colde mistakes`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from colde.encoders.encoder_names import PACKAGED
from colde.errors import CorpusError, ReadError

if TYPE_CHECKING:
    from colde.cli.progress_bar import ProgressBar
    from colde.corpus.corpus_folder import Pair
    from colde.judge.calibration import Judgement
    from colde.judge.reference import Reference
    from colde.models.base import Matcher


class JudgedModel(NamedTuple):
    """A model with its score and its judgement of each pair that it can score; `skipped` says why it cannot others."""

    matcher: Matcher
    pairs: Sequence[Pair]
    scores: Sequence[float]
    judged: Sequence[Judgement]
    skipped: Sequence[ReadError]


class LabelledPairs:
    """The labelled `pairs` of a table, how many are `unlabelled`, and the `document` of an id, which is made once.

    Args:
        without_labels: error message for a table without labels.

    Raises:
        CorpusError: corpus or table cannot be read, or no pair has a label.
    """

    def __init__(self, corpus: Path, table: Path, without_labels: str, bar: ProgressBar) -> None:
        from colde.corpus.corpus_folder import read_pairs, record_to_document
        from colde.evaluation.pair_scores import records_of

        pairs = read_pairs(table)
        self.pairs = [pair for pair in pairs if pair.label is not None]
        self.unlabelled = len(pairs) - len(self.pairs)
        if not self.pairs:
            raise CorpusError(without_labels)
        bar.stage(f"reading {corpus}")
        records = records_of(corpus, ((pair.source, pair.target) for pair in self.pairs))
        self.document = cache(lambda name: record_to_document(records[name]))

    def judged_by(
        self,
        name: str,
        profile: str,
        reference: Reference | None,
        bar: ProgressBar,
        encoder: str = PACKAGED,
    ) -> JudgedModel:
        """The pairs scored by a model over an encoder, and judged by its profile or a reference set.

        The languages of the documents are not asked: the labels say what the pairs are for.

        Raises:
            ReadError: of the first document that cannot be processed, where no pair is left.
        """
        from colde import models
        from colde.comparison.fitted_model import JudgedDocument, PairJudge, over_encoder
        from colde.evaluation.pair_scores import match_pairs

        bar.stage(f"loading {name}")
        judged_by = PairJudge(over_encoder(models.load(name), encoder), profile, reference, on_progress=bar)

        @cache
        def document(name: str) -> JudgedDocument:
            return judged_by.document(self.document(name))

        def profile_of(pair: tuple[str, str]) -> str:
            return judged_by.profile(*map(document, pair))

        skipped: list[ReadError] = []
        scored = [
            (pair, result)
            for pair, result in zip(
                self.pairs,
                match_pairs(
                    lambda pair: judged_by.matcher(profile_of(pair)),
                    self.document,
                    [(pair.source, pair.target) for pair in self.pairs],
                    on_progress=bar,
                    skipped=skipped,
                ),
                strict=True,
            )
            if result is not None
        ]
        if not scored:
            raise skipped[0]
        pairs, results = zip(*scored, strict=True)
        judged = [
            judged_by.judge(
                result.score,
                document(pair.source),
                document(pair.target),
                self_similarity=result.self_similarity,
                any_language=True,
            )
            for pair, result in scored
        ]
        return JudgedModel(judged_by.model, pairs, [result.score for result in results], judged, skipped)
