"""One model and one pair of documents: the model is loaded, fitted to the pair's profile, and scores the pair."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TypedDict

from colde.comparison.fitted_model import JudgedDocument, PairJudge, loader_over_encoder
from colde.encoders.cancellation import reported_again
from colde.encoders.memory import release_memory
from colde.explain.map_filters import shown_levels, shown_maps
from colde.judge.calibration import Judgement
from colde.judge.reference import Reference
from colde.models.base import Card, Matcher
from colde.results.model_score import Score
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage, named
from colde.results.verdicts.pair_kind import PairKind
from colde.text.document import Document

Loader = Callable[[str], Matcher]


class RunOptions(TypedDict, total=False):
    """How models are run, as in `colde.compare`."""

    reference: Reference | None
    on_progress: OnProgress | None
    loader: Loader


@dataclass(frozen=True, slots=True)
class PairToScore:
    """A pair of documents with what every model gets, as in `colde.compare`."""

    a: Document
    b: Document
    profile: str
    kind: PairKind
    encoder: str
    reference: Reference | None
    report: OnProgress
    loader: Loader


@dataclass(frozen=True, slots=True)
class ModelRun:
    """What a model says of a pair: its score, its maps, and the seconds of `load`, `encode` and `compare`."""

    score: Score
    result: PairResult
    seconds: dict[str, float]


def run_model(name: str, pair: PairToScore) -> ModelRun:
    """Score a pair with a model."""
    report = named(name, pair.report)
    report(Progress(Stage.LOADING, 0, 1))
    started = time.perf_counter()
    loaded = loader_over_encoder(pair.loader, pair.encoder)(name)
    judge = PairJudge(loaded, pair.profile, pair.reference, on_progress=report)
    documents = JudgedDocument.of(pair.a, pair.kind.a), JudgedDocument.of(pair.b, pair.kind.b)
    model = judge.matcher(judge.profile(*documents))
    ready = time.perf_counter()

    def report_with_threshold(progress: Progress) -> None:
        if (estimate := progress.provisional) is not None:
            limit = judge.judge(estimate.score, *documents).threshold
            progress = replace(progress, provisional=replace(estimate, threshold=limit))
        report(progress)

    with reported_again(report_with_threshold, Progress(Stage.LOADING, 1, 1)) as on_progress:
        encoded = model.encode([pair.a, pair.b], on_progress=on_progress)
        read = time.perf_counter()
        on_progress(Progress(Stage.COMPARING, 0, 1))
        release_memory()
        result = model.match(*encoded)
        del encoded
    release_memory()
    done = time.perf_counter()
    maps = shown_maps(result.maps, model.card.noise)
    levels = shown_levels(model.card.levels, result.maps, maps)
    result = replace(result, maps=maps)
    judged = judge.judge(result.score, *documents, self_similarity=result.self_similarity)
    return ModelRun(
        _score(model.card, levels, name, result, judged, done - ready),
        result,
        {"load": ready - started, "encode": read - ready, "compare": done - read},
    )


def _score(
    card: Card, levels: tuple[str, ...], name: str, result: PairResult, judged: Judgement, seconds: float
) -> Score:
    judgement = {f.name: getattr(judged, f.name) for f in fields(judged)}
    return Score(
        name=name,
        title=card.title,
        score=result.score,
        score_kind=card.score_kind,
        levels=levels,
        seconds=round(seconds, 4),
        read_a=result.coverage_a,
        read_b=result.coverage_b,
        parts=result.parts,
        words=result.words,
        **judgement,
    )
