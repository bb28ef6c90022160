"""Two documents and a list of models in, a Comparison out: step by step, or all at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypedDict, Unpack

import numpy as np

from colde import models as registry
from colde.comparison.apply_reference import apply_reference
from colde.comparison.language_coverage import judge_pair
from colde.comparison.sentence_matches import sentence_matches
from colde.encoders.cancellation import cancel_check
from colde.encoders.memory import release_memory
from colde.errors import ModelError, ReadError
from colde.explain.map_filters import drop_even_attention, mark_flat_maps, shown_levels
from colde.explain.text_changes import changes
from colde.explain.text_overlap import shared_text
from colde.explain.word_alignment import with_aligned_words
from colde.judge.calibration import Judgement
from colde.judge.reference import Reference
from colde.models.base import Card, Matcher
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.results.pair_result import PairResult
from colde.results.prior import BALANCED
from colde.results.prior import check_prior as check_prior
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import chunk_document, default_tokenizer
from colde.text.document import Chunk, Document
from colde.text.parts_without_headings import split_into_parts

FEWEST_WORDS = 20
MOST_SECTIONS = 2_000  # of a document; more make maps that no page can show and that take gigabytes
MOST_CHUNKS = 2_500  # a million word pieces

Loader = Callable[[str], Matcher]


class Options(TypedDict, total=False):
    """Options of a comparison beside documents, models and profile; all as in `colde.compare`."""

    reference: Reference | None
    prior: float
    on_progress: OnProgress | None
    loader: Loader


def compare_steps(
    a: Document,
    b: Document,
    models: str | Iterable[str] | None = None,
    profile: str = "general",
    **options: Unpack[Options],
) -> Iterator[Comparison]:
    """Yield a growing Comparison: first without any score, then one more model each time; the last is whole.

    Models that need no encoder run first, so that something can be shown early; `results` keep the order asked for.

    Args:
        models: names, a comma list, `all`, or None for the defaults.
        profile: what the documents are judged against, one of profiles.toml or of a checkpoint.
        options: the reference, instead of the profile's own background; the prior; `on_progress`, called often, with
            the model's name in `model`, and raising `Cancelled` in it stops the work; how a model is loaded.

    Raises:
        ReadError: a document of fewer than 20 words, of more than 2,000 sections or of 2,500 chunks.
        ModelError: an unknown or untrained model, or an unknown profile.
        ValueError: a prior that is not between 0 and 1.
    """
    check_prior(options.get("prior", BALANCED))
    names = registry.resolve(models)
    check_profile(profile, names)
    check_comparable(a)
    check_comparable(b)
    a, b = split_into_parts(a), split_into_parts(b)
    run = _Run(a, b, profile, **options)
    yield run.comparison(names)
    order = sorted(names, key=registry.cost_rank)
    for name in order:
        run.match(name)
        if name == order[-1]:
            run.align_words(names)
        run.report(Progress(Stage.DONE, 1, 1, model=name))
        yield run.comparison(names) if name != order[-1] else run.with_shared_text(names)


class _Run:
    """One comparison at work: what its models have found so far. Each model matches the pair once."""

    def __init__(
        self,
        a: Document,
        b: Document,
        profile: str,
        *,
        reference: Reference | None = None,
        prior: float = BALANCED,
        on_progress: OnProgress | None = None,
        loader: Loader = registry.load,
    ) -> None:
        self.a, self.b = a, b
        self.profile, self.reference, self.prior = profile, reference, prior
        self.report: OnProgress = on_progress or _ignore
        self.loader = loader
        self.chunks_a, self.chunks_b = (chunks_of(d) for d in (a, b))
        self.found: dict[str, PairResult] = {}
        self.scores: dict[str, Score] = {}
        self.begun = time.perf_counter()
        self.timing = {"read": a.seconds + b.seconds, "load": 0.0, "encode": 0.0, "compare": 0.0}

    def match(self, name: str) -> None:
        """Match the pair with a model, and keep its score, maps and evidence."""
        report: OnProgress = _named(name, self.report)
        report(Progress(Stage.LOADING, 0, 1))
        started = time.perf_counter()
        model, background = apply_reference(
            self.loader(name), self.profile, self.reference, on_progress=report
        )
        self.timing["load"] += time.perf_counter() - started
        before = time.perf_counter()
        languages = (self.a.language, self.b.language)

        def report_with_threshold(progress: Progress) -> None:
            if (estimate := progress.provisional) is not None:
                limit = judge_pair(estimate.score, model, self.profile, languages, background).threshold
                progress = replace(progress, provisional=replace(estimate, threshold=limit))
            report(progress)

        latest = _RepeatableProgress(report_with_threshold, Progress(Stage.LOADING, 1, 1))
        with cancel_check(latest.again):
            encoded = model.encode([self.a, self.b], on_progress=latest)
            finished = time.perf_counter()
            latest(Progress(Stage.COMPARING, 0, 1))
            release_memory()
            result = model.match(*encoded)
            del encoded
        release_memory()
        spent = time.perf_counter() - before
        self.timing["encode"] += finished - before
        self.timing["compare"] += time.perf_counter() - finished
        shown = share_equal_arrays(
            mark_flat_maps(drop_even_attention(result.maps), model.card.noise), self.found
        )
        levels = shown_levels(model.card.levels, result.maps, shown)
        evidence = tuple(replace(e, model=name) for e in result.evidence)
        result = replace(result, maps=shown, evidence=evidence)
        self.found[name] = result
        judged = judge_pair(result.score, model, self.profile, languages, background)
        self.scores[name] = _score(model.card, levels, name, result, judged, spent).at_prior(self.prior)

    def align_words(self, names: Sequence[str]) -> None:
        """Words that answer each other in the strongest passages of the first model that has the encoder loaded."""
        with_encoder = (n for n in names if registry.card(n).encoder and self.found[n].evidence)
        name = next(with_encoder, None)
        if name is None:
            return
        from colde.encoders.encoder import shared_encoder

        latest = _RepeatableProgress(_named(name, self.report), Progress(Stage.COMPARING, 1, 1))
        with cancel_check(latest.again):
            evidence = with_aligned_words(
                self.found[name].evidence,
                self.a,
                self.b,
                default_tokenizer(),
                shared_encoder().token_states,
            )
        self.found[name] = replace(self.found[name], evidence=evidence)

    def with_shared_text(self, names: Sequence[str]) -> Comparison:
        """The finished comparison with its matching sentences and the shares of shared text."""
        report = _RepeatableProgress(_named(names[0], self.report), Progress(Stage.COMPARING, 1, 1))
        with cancel_check(report.again):
            matches = sentence_matches(self.a, self.b, report, self._sentence_map())
            shared = shared_text(self.a, self.b, matches)
            listed = changes(self.a, self.b, matches, shared)
        return replace(self.comparison(names), sentences=matches, shared=shared, changes=listed)

    def _sentence_map(self) -> Array | None:
        """The sentence map, if a model has computed it; it comes from the same sentence vectors in all models."""
        maps = (m for result in self.found.values() for m in result.maps.values())
        return next(
            (m.values for m in maps if (m.role, m.level, m.side) == ("passages", "sentence", "across")), None
        )

    def comparison(self, names: Sequence[str]) -> Comparison:
        """Comparison by those of these models that have answered, in their order."""
        done = [n for n in names if n in self.found]
        total = self.timing["read"] + time.perf_counter() - self.begun
        return Comparison(
            a=self.a,
            b=self.b,
            chunks_a=self.chunks_a,
            chunks_b=self.chunks_b,
            results=tuple(self.scores[n] for n in done),
            maps={n: self.found[n].maps for n in done},
            evidence=tuple(e for n in done for e in self.found[n].evidence),
            timing={k: round(v, 4) for k, v in {**self.timing, "total": total}.items()},
            profile=self.profile,
            reference=None if self.reference is None else str(self.reference),
            prior=self.prior,
            runtime=_runtime(done),
        )


def compare(
    a: Document,
    b: Document,
    models: str | Iterable[str] | None = None,
    profile: str = "general",
    **options: Unpack[Options],
) -> Comparison:
    """The last of `compare_steps`: every model has finished. Arguments and errors are the same."""
    *_, last = compare_steps(a, b, models, profile, **options)
    return last


def check_profile(profile: str, names: Sequence[str]) -> None:
    """Raise ModelError for a profile that does not ship and that none of these models has."""
    known = registry.profiles(names)
    if profile not in known:
        reason = registry.unusable_profile(profile, names)
        raise ModelError(reason or f"there is no profile named {profile!r}; there are: {', '.join(known)}")


def check_comparable(document: Document) -> None:
    """Raise ReadError for a document of fewer than 20 words (`too_short`) or more than 2,000 sections (`too_large`)."""
    words = document.words()
    if words < FEWEST_WORDS:
        raise ReadError(
            document.source or "the text",
            "too_short",
            f"{words} words that can be compared; at least {FEWEST_WORDS} are needed",
            "add text, or check that the file holds more than a title",
        )
    sections = sum(1 for _ in document.compared())
    if sections > MOST_SECTIONS:
        raise _too_many(document, sections, "sections", MOST_SECTIONS)


def chunks_of(document: Document) -> tuple[Chunk, ...]:
    """The chunks of a document; raises ReadError (`too_large`) for more than 2,500."""
    found = chunk_document(document, default_tokenizer()).chunks
    if len(found) > MOST_CHUNKS:
        raise _too_many(document, len(found), "chunks of at most 512 word pieces", MOST_CHUNKS)
    return found


def _too_many(document: Document, count: int, what: str, most: int) -> ReadError:
    return ReadError(
        document.source or "the text",
        "too_large",
        f"{count:,} {what}; at most {most:,} can be compared",
        "compare a part of it: leave sections out, or split the file",
    )


def _runtime(names: Sequence[str]) -> str | None:
    """Hardware that the encoders of these models ran on; None where none has one, and torch is not imported for it."""
    if all(registry.card(name).cost == "instant" for name in names):
        return None
    from colde.encoders.runtime import runtime

    return str(runtime())


def share_equal_arrays(
    maps: Mapping[str, SimilarityMap], known: Mapping[str, PairResult]
) -> dict[str, SimilarityMap]:
    """Maps whose values another model has, too, share them: both models on CoLDE's network have most in common."""
    before = [m.values for result in known.values() for m in result.maps.values()]
    found = {}
    for name, m in maps.items():
        same = next((values for values in before if _same_bits(values, m.values)), None)
        found[name] = m if same is None else replace(m, values=same)
    return found


def _same_bits(a: Array, b: Array) -> bool:
    if a.shape != b.shape or not a.flags.c_contiguous or not b.flags.c_contiguous:
        return False
    return np.array_equal(a.view(np.int32), b.view(np.int32))


def _ignore(progress: Progress) -> None:
    """Nobody is watching."""


class _RepeatableProgress:
    """Passes progress on and knows what came last, so that it can be said again within a long step."""

    def __init__(self, report: OnProgress, first: Progress) -> None:
        self._report = report
        self._last = first

    def __call__(self, progress: Progress) -> None:
        self._last = progress
        self._report(progress)

    def again(self) -> None:
        self._report(self._last)


def _named(name: str, on_progress: OnProgress) -> OnProgress:
    def report(progress: Progress) -> None:
        on_progress(replace(progress, model=name))

    return report


def _score(
    card: Card, levels: tuple[str, ...], name: str, result: PairResult, judged: Judgement, seconds: float
) -> Score:
    return Score(
        name=name,
        title=card.title,
        score=result.score,
        score_kind=card.score_kind,
        probability=judged.probability,
        percentile=judged.percentile,
        threshold=judged.threshold,
        similar=judged.similar,
        profile=judged.profile,
        levels=levels,
        seconds=round(seconds, 4),
        read_a=result.coverage_a,
        read_b=result.coverage_b,
        parts=result.parts,
        words=result.words,
        corpora=judged.corpora,
        no_verdict=judged.no_verdict,
    )
