"""Comparison of two documents by a list of models, step by step or all at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import TypedDict, Unpack

import numpy as np

from colde import models as registry
from colde.alignment.sentence_matches import sentence_matches
from colde.changes.text_changes import find_changes
from colde.comparison.fitted_model import apply_reference, loader_over_encoder
from colde.comparison.known_text import MIN_WORDS
from colde.comparison.language_coverage import judge_pair
from colde.encoders.cancellation import cancel_check
from colde.encoders.encoder_names import AUTO, PACKAGED, choose_encoder
from colde.encoders.memory import release_memory
from colde.errors import ModelError, ReadError
from colde.explain.map_filters import drop_even_attention, mark_flat_maps, shown_levels
from colde.judge.calibration import Judgement
from colde.judge.kind_detector import detect_kind
from colde.judge.profiles import DETECT, profile_for
from colde.judge.reference import Reference
from colde.models.base import Card, Matcher
from colde.passages.find_passages import find_passages
from colde.passages.standard_text import searched_text
from colde.passages.word_alignment import with_aligned_words
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.results.pair_kind import PairKind
from colde.results.pair_result import PairResult
from colde.results.prior import BALANCED
from colde.results.prior import check_prior as check_prior
from colde.results.progress import OnProgress, Progress, Stage, ignore_progress
from colde.results.shared_text import SharedText
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import chunk_document, default_tokenizer
from colde.text.document import Chunk, Document
from colde.text.parts_without_headings import split_into_parts
from colde.text.set_aside import include_option, set_aside

MAX_SECTIONS = 2_000  # of a document; maps of more take gigabytes, and no page can show them
MAX_SENTENCES = 15_000  # of a document; two of short sentences take two minutes (docs/log/robustness.md)
MAX_CHUNKS = 2_500  # a million word pieces

Loader = Callable[[str], Matcher]


class RunOptions(TypedDict, total=False):
    """How models are run, as in `colde.compare`."""

    reference: Reference | None
    on_progress: OnProgress | None
    loader: Loader


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
        run.report(Progress(Stage.DONE, 1, 1, model=name))
        yield run.comparison(names) if name != order[-1] else run.with_shared_text(names)


class _Run:
    """A comparison that is running, with the results so far. Each model matches the pair once."""

    def __init__(
        self,
        a: Document,
        b: Document,
        profile: str,
        *,
        reference: Reference | None = None,
        prior: float = BALANCED,
        encoder: str = AUTO,
        on_progress: OnProgress | None = None,
        loader: Loader = registry.load,
        kind: PairKind | None = None,
    ) -> None:
        self.a, self.b = a, b
        self.encoder = choose_encoder(encoder, (a.language, b.language))
        self.profile, self.reference, self.prior = profile, reference, prior
        self.kind = kind or PairKind(detect_kind(a), detect_kind(b))
        self.report: OnProgress = on_progress or ignore_progress
        self.loader = loader_over_encoder(loader, self.encoder)
        self.chunks_a, self.chunks_b = (chunks_of(d) for d in (a, b))
        self.answers: dict[str, PairResult] = {}
        self.scores: dict[str, Score] = {}
        self.begun = time.perf_counter()
        self.timing = {"read": a.seconds + b.seconds, "load": 0.0, "encode": 0.0, "compare": 0.0}

    def match(self, name: str) -> None:
        """Match the pair with a model, and store its score and maps."""
        report: OnProgress = _named(name, self.report)
        report(Progress(Stage.LOADING, 0, 1))
        started = time.perf_counter()
        loaded = self.loader(name)
        profile = profile_for(self.profile, self.kind, loaded.profiles)
        model, background = apply_reference(loaded, profile, self.reference, on_progress=report)
        self.timing["load"] += time.perf_counter() - started
        before = time.perf_counter()
        languages = (self.a.language, self.b.language)

        def report_with_threshold(progress: Progress) -> None:
            if (estimate := progress.provisional) is not None:
                limit = judge_pair(estimate.score, model, profile, languages, background).threshold
                progress = replace(progress, provisional=replace(estimate, threshold=limit))
            report(progress)

        with _cancellable(report_with_threshold, Progress(Stage.LOADING, 1, 1)) as on_progress:
            encoded = model.encode([self.a, self.b], on_progress=on_progress)
            finished = time.perf_counter()
            on_progress(Progress(Stage.COMPARING, 0, 1))
            release_memory()
            result = model.match(*encoded)
            del encoded
        release_memory()
        spent = time.perf_counter() - before
        self.timing["encode"] += finished - before
        self.timing["compare"] += time.perf_counter() - finished
        shown = share_equal_arrays(
            mark_flat_maps(drop_even_attention(result.maps), model.card.noise), self.answers
        )
        levels = shown_levels(model.card.levels, result.maps, shown)
        result = replace(result, maps=shown)
        self.answers[name] = result
        judged = judge_pair(result.score, model, profile, languages, background)
        self.scores[name] = _score(model.card, levels, name, result, judged, spent).at_prior(self.prior)

    def with_shared_text(self, names: Sequence[str]) -> Comparison:
        """The finished comparison with its matching sentences, shares of shared text, and changes."""
        with _cancellable(_named(names[0], self.report), Progress(Stage.COMPARING, 1, 1)) as report:
            matches = sentence_matches(searched_text(self.a), searched_text(self.b), report, self.encoder)
            shared = find_passages(self.a, self.b, matches)
            listed = find_changes(self.a, self.b, matches, shared)
            if shared is not None:
                shared = self._with_aligned_words(names, shared)
        return replace(self.comparison(names), sentences=matches, shared=shared, changes=listed)

    def _with_aligned_words(self, names: Sequence[str], shared: SharedText) -> SharedText:
        """The passages with matching words, where a model has loaded the packaged encoder.

        Layer and limit of the alignment were chosen for that one.
        """
        if self.encoder != PACKAGED or not any(registry.card(name).encoder for name in names):
            return shared
        from colde.encoders.encoder import shared_encoder

        states = shared_encoder().token_states
        passages = with_aligned_words(shared.passages, self.a, self.b, default_tokenizer(), states)
        return replace(shared, passages=passages)

    def comparison(self, names: Sequence[str]) -> Comparison:
        """Comparison by those of these models that have finished, in their order."""
        done = [n for n in names if n in self.answers]
        total = self.timing["read"] + time.perf_counter() - self.begun
        return Comparison(
            a=self.a,
            b=self.b,
            chunks_a=self.chunks_a,
            chunks_b=self.chunks_b,
            results=tuple(self.scores[n] for n in done),
            maps={n: self.answers[n].maps for n in done},
            timing={k: round(v, 4) for k, v in {**self.timing, "total": total}.items()},
            profile=self.profile,
            kind=self.kind,
            reference=None if self.reference is None else str(self.reference),
            prior=self.prior,
            encoder=self.encoder,
            runtime=_runtime(done),
        )


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


def check_profile(profile: str, names: Sequence[str]) -> None:
    """Raise ModelError for a profile that does not ship and that none of these models has."""
    known = (DETECT, *registry.profiles(names))
    if profile not in known:
        reason = registry.unusable_profile(profile, names)
        raise ModelError(reason or f"there is no profile named {profile!r}; there are: {', '.join(known)}")


def check_comparable(document: Document) -> None:
    """Raise ReadError for a document that is too short or too large.

    `too_short`: fewer than 20 words; `too_large`: more than 2,000 sections or 15,000 sentences.
    """
    words = document.words()
    if words < MIN_WORDS:
        aside = set_aside(document)
        what = f"{words} words that can be compared; at least {MIN_WORDS} are needed"
        advice = "add text, or check that the file holds more than a title"
        if aside:
            what += f"; set aside: {', '.join(map(str, aside))}"
        if option := include_option(aside):
            advice = f"compare what is set aside, too{option}, or add text"
        raise ReadError(document.source or "the text", "too_short", what, advice)
    sections = sum(1 for _ in document.compared())
    if sections > MAX_SECTIONS:
        raise _too_many(document, sections, "sections", MAX_SECTIONS)
    sentences = sum(1 for _ in document.sentences())
    if sentences > MAX_SENTENCES:
        raise _too_many(document, sentences, "sentences", MAX_SENTENCES)


def chunks_of(document: Document) -> tuple[Chunk, ...]:
    """The chunks of a document; raises ReadError (`too_large`) for more than 2,500."""
    chunks = chunk_document(document, default_tokenizer()).chunks
    if len(chunks) > MAX_CHUNKS:
        raise _too_many(document, len(chunks), "chunks of at most 512 word pieces", MAX_CHUNKS)
    return chunks


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
    """Maps that share the arrays of equal maps, of other models and of other levels.

    The models on CoLDE's network have most in common; sections of one chunk have equal maps at both levels.
    """
    arrays = [m.values for result in known.values() for m in result.maps.values()]
    shared = {}
    for name, m in maps.items():
        same = next((values for values in arrays if _same_bits(values, m.values)), None)
        shared[name] = m if same is None else replace(m, values=same)
        if same is None:
            arrays.append(m.values)
    return shared


def _same_bits(a: Array, b: Array) -> bool:
    if a.shape != b.shape or not a.flags.c_contiguous or not b.flags.c_contiguous:
        return False
    first, rest = slice(1), slice(1, None)  # arrays that differ mostly do so in the first row
    return all(np.array_equal(a[rows].view(np.int32), b[rows].view(np.int32)) for rows in (first, rest))


@contextmanager
def _cancellable(report: OnProgress, first: Progress) -> Iterator[OnProgress]:
    """Progress that is reported again at each cancellation check within a long step."""
    last = first

    def report_and_remember(progress: Progress) -> None:
        nonlocal last
        last = progress
        report(progress)

    with cancel_check(lambda: report(last)):
        yield report_and_remember


def _named(name: str, on_progress: OnProgress) -> OnProgress:
    def report(progress: Progress) -> None:
        on_progress(replace(progress, model=name))

    return report


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
