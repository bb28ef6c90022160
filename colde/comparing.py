"""Two documents and a list of models in, a Comparison out: step by step, or all at once."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from typing import ParamSpec

from colde import models as registry
from colde.calibration import Judgement, judge
from colde.comparison import Comparison
from colde.document import Document
from colde.errors import ModelError, ReadError
from colde.models.base import Matcher, OnProgress, Progress
from colde.models.combined import Combined, Said
from colde.parts import in_parts
from colde.reference import Reference, against
from colde.similarity import Encoding, Evidence, Score, SimilarityMap
from colde.tokens import chunk_document, default_tokenizer

PROFILES = ("general", "papers", "encyclopedia", "proposals", "textbooks")
FEWEST_WORDS = 20

Loader = Callable[[str], Matcher]
Arguments = ParamSpec("Arguments")


def compare_steps(
    a: Document,
    b: Document,
    models: str | Iterable[str] | None = None,
    profile: str = "general",
    *,
    reference: Reference | None = None,
    on_progress: OnProgress | None = None,
    loader: Loader = registry.load,
) -> Iterator[Comparison]:
    """Yield a growing Comparison: first without any score, then one more model each time; the last is whole.

    Models that need no encoder run first, so that something can be shown early; `results` keep the order asked for.

    Args:
        models: names, a comma list, `all`, or None for the defaults.
        profile: what the documents are judged against, one of `PROFILES`.
        reference: documents that say what is usual, instead of the profile's own background.
        on_progress: called often, with the model's name before the stage (`colde: chunks`); raising
            `Cancelled` in it stops the work.
        loader: how a model is got by its name (to keep loaded models between calls).

    Raises:
        ReadError: a document of fewer than 20 words.
        ModelError: an unknown or untrained model, or an unknown profile.
    """
    if profile not in PROFILES:
        raise ModelError(f"there is no profile named {profile!r}; there are: {', '.join(PROFILES)}")
    names = registry.resolve(models)
    check_comparable(a)
    check_comparable(b)
    a, b = in_parts(a), in_parts(b)
    begun = time.perf_counter()
    timing = {"read": a.seconds + b.seconds, "load": 0.0, "encode": 0.0, "compare": 0.0, "total": 0.0}
    chunks_a, chunks_b = (chunk_document(d, default_tokenizer()).chunks for d in (a, b))
    results: dict[str, Score] = {}
    maps: dict[str, dict[str, SimilarityMap]] = {}
    evidence: dict[str, list[Evidence]] = {}

    def so_far() -> Comparison:
        timing["total"] = timing["read"] + time.perf_counter() - begun
        done = [n for n in names if n in results]
        return Comparison(
            a=a,
            b=b,
            chunks_a=chunks_a,
            chunks_b=chunks_b,
            results=tuple(results[n] for n in done),
            maps={n: maps[n] for n in done},
            evidence=tuple(e for n in done for e in evidence[n]),
            timing={k: round(v, 4) for k, v in timing.items()},
            profile=profile,
            reference=None if reference is None else str(reference),
        )

    yield so_far()
    for name in sorted(names, key=_effort):
        report = _named(name, on_progress)
        report(Progress("loading", 0, 1))
        started = time.perf_counter()
        model = loader(name)
        model, background = against(model, profile, reference, on_progress=report)
        if isinstance(model, Combined):  # made of the others: those that were run already are not run again
            model = model.within(
                profile, loader, {n: Said(results[n], maps[n], evidence[n]) for n in results}
            )
        loaded = time.perf_counter()
        encoded = model.encode([a, b], on_progress=report)
        finished = time.perf_counter()
        score = model.compare(*encoded)
        maps[name] = model.maps(*encoded)
        evidence[name] = model.explain(*encoded)
        compared = time.perf_counter()
        results[name] = _score(
            model, name, score, encoded, judge(score, model.profiles, profile, background), compared - loaded
        )
        timing["load"] += loaded - started
        timing["encode"] += finished - loaded
        timing["compare"] += compared - finished
        report(Progress("done", 1, 1))
        yield so_far()


def _at_once(steps: Callable[Arguments, Iterator[Comparison]]) -> Callable[Arguments, Comparison]:
    """The last of the steps, under the same signature."""

    def compare(*arguments: Arguments.args, **options: Arguments.kwargs) -> Comparison:
        """Compare two documents by one or several models. Arguments and errors as in `compare_steps`."""
        *_, last = steps(*arguments, **options)
        return last

    signature = inspect.signature(steps).replace(return_annotation="Comparison")
    setattr(compare, "__signature__", signature)  # noqa: B010 — functions do not declare it
    compare.__qualname__ = "compare"
    return compare


compare = _at_once(compare_steps)
"""Compare two documents by one or several models. Arguments and errors as in `compare_steps`."""


def check_comparable(document: Document) -> None:
    """Raise ReadError (`too_short`) for a document of fewer than 20 words."""
    words = document.words()
    if words < FEWEST_WORDS:
        raise ReadError(
            document.source or "the text",
            "too_short",
            f"{words} words that can be compared; at least {FEWEST_WORDS} are needed",
            "add text, or check that the file holds more than a title",
        )


def _effort(name: str) -> int:
    """Cheap models first; last the one that is made of the others."""
    if name == "combined":
        return 3
    if name not in registry.cards():
        return 1
    card = registry.cards()[name]
    return {"instant": 0, "fast": 1, "slow": 2}[card.cost]


def _named(name: str, on_progress: OnProgress | None) -> OnProgress:
    def report(progress: Progress) -> None:
        if on_progress is not None:
            stage = f"{name}: {progress.stage}"
            on_progress(Progress(stage, progress.done, progress.total, progress.partial))

    return report


def _score(
    model: Matcher, name: str, score: float, encoded: list[Encoding], judged: Judgement, seconds: float
) -> Score:
    return Score(
        name=name,
        title=model.card.title,
        score=score,
        score_kind=model.card.score_kind,
        probability=judged.probability,
        percentile=judged.percentile,
        threshold=judged.threshold,
        similar=judged.similar,
        profile=judged.profile,
        levels=model.card.levels,
        seconds=round(seconds, 4),
        read_a=encoded[0].reading,
        read_b=encoded[1].reading,
    )
