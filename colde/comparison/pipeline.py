"""Comparison of two documents by a list of models, step by step or all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Unpack

from colde import models as registry
from colde.comparison.checks import check_comparable, check_profile
from colde.comparison.growing_result import GrowingResult
from colde.comparison.model_run import PairToScore, RunOptions, run_model
from colde.comparison.text_comparison import with_shared_text
from colde.comparison.used_weights import used_weights
from colde.encoders.encoder_names import AUTO, PACKAGED, choose_encoder
from colde.judge.kind_detector import detect_document_kind
from colde.judge.profiles import DETECT
from colde.results.comparison import Comparison
from colde.results.progress import Progress, Stage, ignore_progress, named
from colde.results.verdicts.pair_kind import PairKind
from colde.results.verdicts.prior import BALANCED, check_prior
from colde.text.document import Document
from colde.text.sections.parts_without_headings import split_into_parts


class Options(RunOptions, total=False):
    """Options of a comparison beside documents, models and profile, as in `colde.compare`.

    `kind`: of the pair, where it is known.
    """

    prior: float
    encoder: str
    kind: PairKind | None


def compare_steps(
    a: Document,
    b: Document,
    models: str | Iterable[str] | None = None,
    profile: str = DETECT,
    **options: Unpack[Options],
) -> Iterator[Comparison]:
    """Yield a growing Comparison: first without any score, then one more model each time; the last is complete.

    Models that need no encoder run first, so that something can be shown early; `results` keep the order asked for.
    Arguments and errors as in `colde.compare`, but that the documents are compared as they are.

    Raises:
        ReadError: also a document of more than 2,000 sections, 15,000 sentences or 2,500 chunks.
    """
    prior = options.get("prior", BALANCED)
    check_prior(prior)
    names = registry.resolve(models)
    check_profile(profile, names)
    check_comparable(a)
    check_comparable(b)
    a, b = split_into_parts(a), split_into_parts(b)
    pair = PairToScore(
        a,
        b,
        profile,
        kind=options.get("kind") or PairKind(detect_document_kind(a), detect_document_kind(b)),
        encoder=choose_encoder(options.get("encoder", AUTO), (a.language, b.language)),
        reference=options.get("reference"),
        report=options.get("on_progress") or ignore_progress,
        loader=options.get("loader", registry.load),
    )
    growing = GrowingResult(pair, prior)
    yield growing.comparison(names)
    order = sorted(names, key=registry.cost_rank)
    for name in order:
        growing.add(name, run_model(name, pair))
        pair.report(Progress(Stage.DONE, 1, 1, model=name))
        if name != order[-1]:
            yield growing.comparison(names)
    # layer and limit of the alignment of words were chosen for the packaged encoder; it is not loaded for them alone
    align_words = pair.encoder == PACKAGED and any(registry.card(name).encoder for name in names)
    complete = replace(growing.comparison(names), weights=used_weights(names, pair.encoder))
    yield with_shared_text(complete, named(names[0], pair.report), align_words=align_words)


def compare(
    a: Document,
    b: Document,
    models: str | Iterable[str] | None = None,
    profile: str = DETECT,
    **options: Unpack[Options],
) -> Comparison:
    """The last of `compare_steps`: every model has finished. Arguments and errors are the same."""
    *_, last = compare_steps(a, b, models, profile, **options)
    return last
