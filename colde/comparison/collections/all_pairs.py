"""Comparison of all pairs of many documents: each is read and encoded once, each pair matched without explanations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Unpack

import numpy as np

from colde import models as registry
from colde.comparison.checks import check_comparable, check_profile, chunks_of
from colde.comparison.collections.clusters import clusters, groups_of
from colde.comparison.collections.collection_run import CollectionRun
from colde.comparison.collections.judged_pair import PairJudgements
from colde.comparison.collections.reasons import run_overlap
from colde.comparison.fitted_model import loader_over_encoder
from colde.comparison.language_coverage import covered_languages, language_gap, translation_threshold
from colde.comparison.model_run import RunOptions
from colde.comparison.standard_text import prepare_documents
from colde.corpus.document_sources import DocumentSource
from colde.encoders.encoder_names import AUTO, choose_encoder
from colde.errors import ReadError, skip_document
from colde.judge.calibration import Judgement, judge, unknown_kinds
from colde.judge.profiles import DETECT, NONE, threshold_profile
from colde.results.collection import SAME_TEXT, Collection, StrongPair
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array
from colde.text.document import Document, Role
from colde.text.not_compared.boilerplate import prepare_for_comparison
from colde.text.not_compared.set_aside import set_aside
from colde.text.sections.parts_without_headings import split_into_parts

MAX_DOCUMENTS = 2_000
"""More documents make millions of pairs; an index searches among more."""

MAX_PAIRS = 200
"""Strongest pairs that are listed, with their reasons."""

OnPair = Callable[[StrongPair], None]

Cell = tuple[int, int]
"""Two documents by their numbers."""


def read_all(
    sources: Sequence[DocumentSource],
    *,
    include: tuple[Role, ...] = (),
    password: str | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[list[Document], list[ReadError]]:
    """The documents that can be read and compared, and why the others cannot."""
    documents: list[Document] = []
    unread: list[ReadError] = []
    for done, source in enumerate(sources):
        if on_progress is not None:
            on_progress(Progress(Stage.DOCUMENTS, done, len(sources)))
        with skip_document(source.name, unread):
            document = source.read(password)
            check_collectable(document, include)
            documents.append(replace(document, source=source.name))
    return documents, unread


def check_collectable(document: Document, include: Iterable[Role] = ()) -> None:
    """Raise ReadError for a document that cannot be compared: too short, or of too many sections or chunks."""
    prepared = prepare_for_comparison(document, include)
    check_comparable(prepared)
    chunks_of(prepared)


def compare_all(
    documents: Iterable[Document],
    models: str | Iterable[str] | None = None,
    profile: str = DETECT,
    *,
    include: Iterable[Role] = (),
    templates: Sequence[Document] = (),
    unread: Iterable[ReadError] = (),
    encoder: str = AUTO,
    on_pair: OnPair | None = None,
    **options: Unpack[RunOptions],
) -> Collection:
    """Compare each document with each other.

    Args:
        models: names, a comma list, `all`, or None for the first default; clusters and reasons are by the first.
        profile: with `auto` each pair has the profile of its own kind; the threshold is that of most pairs.
        include: roles of sections that are compared although they are set aside.
        templates: documents whose text is set aside.
        unread: files that could not be read, to be named in the result. A document whose encoding or comparison raises
            an exception is left out and named there, too.
        encoder: its name; `auto` is the packaged one, since all pairs are compared by one encoder.
        on_pair: called with each pair once the first model has compared it, long before the collection is complete. Its
            documents have the numbers in which they were given; a pair below the threshold has no reasons.
        options: `reference`; `on_progress`, called often: raise `Cancelled` in it to stop, and what was encoded stays
            in the vector cache; `loader`.

    Raises:
        ReadError: fewer than two documents, more than 2,000, or one that cannot be compared.
        ModelError: an unknown or untrained model, or an unknown profile.
    """
    names = registry.resolve(models) if models is not None else registry.resolve(None)[:1]
    check_profile(profile, names)
    documents = list(documents)
    _check_count(documents)
    prepared = prepare_documents(documents, include, templates, options.get("reference"))
    compared = tuple(split_into_parts(d) for d in prepared)
    for document in compared:
        check_comparable(document)
    encoder = choose_encoder(encoder, ())
    options["loader"] = loader_over_encoder(options.get("loader", registry.load), encoder)
    run = CollectionRun(compared, profile, **options)
    run.score(names[0], None if on_pair is None else _judging(run, names[0], on_pair))
    for name in names[1:]:
        run.score(name)
    skipped = list(unread)
    while True:
        skipped += run.leave_out_faulty()
        _check_count(run.documents, skipped)
        ranking = _Ranking(run, names[0])
        duplicates = ranking.near_duplicates()
        pairs = tuple(ranking.strongest(MAX_PAIRS))
        if not run.faults:
            break
    tree = clusters(ranking.joinable(duplicates), ranking.general.threshold)
    return Collection(
        documents=run.documents,
        chunks=tuple(chunks_of(d) for d in run.documents),
        scores=run.scores,
        threshold=ranking.general.threshold,
        clusters=tree.groups,
        merges=tree.merges,
        duplicates=groups_of(len(run.documents), duplicates),
        pairs=pairs,
        set_aside=tuple((*set_aside(d), *run.unread_text(i)) for i, d in enumerate(run.documents)),
        unread=tuple(skipped),
        profile=profile,
        common_profile=ranking.profile,
        corpora=ranking.general.corpora,
        no_verdict=ranking.general.no_verdict,
        unread_languages=ranking.unread_languages(),
        numbers=run.numbers,
    )


def _judging(run: CollectionRun, name: str, on_pair: OnPair) -> Callable[[int, int], None]:
    """Passes the pairs on whose scores become known."""
    judgements = PairJudgements(run, name)

    def judge_pair(a: int, b: int) -> None:
        pair = None
        with run.faults.around(a, b):
            pair = judgements.pair(a, b, explain_all=False)
        if pair is not None:
            on_pair(pair)

    return judge_pair


class _Ranking:
    """The pairs of documents by the scores of one model, with their judgements.

    Attributes:
        scores: [documents, documents].
        profile: that of most pairs.
        general: what is the same for all pairs of this profile that the model can judge: threshold, corpora.
        languages: of the documents.
        order: all pairs, best first.
    """

    def __init__(self, run: CollectionRun, name: str) -> None:
        self._run, self._name = run, name
        self._judge = run.judge(name)
        self._pairs = PairJudgements(run, name)
        self._model = self._judge.model
        self.scores = scores = run.scores[name]
        self.languages = [document.language for document in run.documents]
        pairs = list(combinations(range(len(run.documents)), 2))
        profiles = Counter(run.profile_of(name, a, b) for a, b in pairs)
        self.profile = profiles.most_common(1)[0][0]
        self._thresholds = {profile: self._without_score(profile).threshold for profile in profiles}
        self._unknown = unknown_kinds(self._model.profiles, NONE) if run.reference is None else None
        self.general = self._without_score(self.profile)
        if self.profile == NONE and self._unknown is not None:
            limits = [self._limit(a, b) for a, b in pairs if run.profile_of(name, a, b) == NONE]
            self.general = replace(self.general, threshold=float(np.median(limits)))
        self.order = sorted(pairs, key=lambda cell: -float(scores[cell]))

    def _without_score(self, profile: str) -> Judgement:
        return judge(0.0, self._model.profiles, profile, self._judge.background(profile))

    def _margin(self, a: int, b: int) -> float:
        """The score of a pair, moved so that its threshold is that of most pairs."""
        return float(self.scores[a, b]) - self._limit(a, b) + (self.general.threshold or 0.0)

    def _limit(self, a: int, b: int) -> float:
        """The threshold of a pair; 0 where there is none."""
        profile = self._run.profile_of(self._name, a, b)
        fitted = self._model.profiles.get(threshold_profile(profile))
        limit = translation_threshold(fitted, (self.languages[a], self.languages[b]))
        if limit is None and profile == NONE and self._unknown is not None:
            return self._unknown.threshold(self._pairs.traits(a), self._pairs.traits(b))
        return (self._thresholds[profile] if limit is None else limit) or 0.0

    def near_duplicates(self) -> list[Cell]:
        """Pairs of nearly the same text among those that reach the threshold."""
        threshold = self.general.threshold
        similar = [c for c in self.order if threshold is not None and self._margin(*c) >= threshold]
        self._run.report(Progress(Stage.PAIRS, 0, len(similar)))
        duplicates = []
        for a, b in similar:
            with self._run.faults.around(a, b):
                if run_overlap(*self._pairs.facts(a, b)) >= SAME_TEXT:
                    duplicates.append((a, b))
        return duplicates

    def joinable(self, duplicates: Sequence[Cell]) -> Array:
        """Scores for clusters, on the scale of most pairs.

        Where the threshold does not hold they are below it, except of near duplicates.
        """
        fitted = self._model.profiles.get(threshold_profile(self.profile))
        pairs = set(product(set(self.languages), repeat=2))
        translations = {pair for pair in pairs if translation_threshold(fitted, pair) is not None}
        gaps = {pair for pair in pairs - translations if language_gap(pair, self._model.card, fitted)}
        scores = self.scores.copy()
        if translations or len(self._thresholds) > 1 or NONE in self._thresholds:
            for a, b in self.order:
                scores[a, b] = scores[b, a] = self._margin(a, b)
        for a, b in set(self.order) - set(duplicates):
            if (self.languages[a], self.languages[b]) in gaps:
                scores[a, b] = scores[b, a] = min(0.0, (self.general.threshold or 0.0) - 0.01)
        return scores

    def strongest(self, count: int) -> Iterator[StrongPair]:
        """The best pairs with their probabilities and reasons."""
        total = min(count, len(self.order))
        for done, (a, b) in enumerate(self.order[:count]):
            self._run.report(Progress(Stage.PAIRS, done, total))
            pair = None
            with self._run.faults.around(a, b):
                pair = self._pairs.pair(a, b)
            if pair is not None:
                yield replace(pair, no_verdict=None) if self.general.no_verdict else pair

    def unread_languages(self) -> tuple[int, ...]:
        """Numbers of the documents in a language that the threshold does not hold for."""
        fitted = self._model.profiles.get(threshold_profile(self.profile))
        covered = covered_languages(self._model.card, fitted)
        return tuple(i for i, code in enumerate(self.languages) if code not in (None, *covered))


def _check_count(documents: Sequence[Document], skipped: Sequence[ReadError] = ()) -> None:
    if len(documents) < 2 and skipped:
        raise skipped[-1]
    if len(documents) < 2:
        raise ReadError(
            documents[0].source if documents else "the folder",
            "empty",
            f"{len(documents)} documents that can be compared; at least two are needed",
            "name more files, or another folder",
        )
    if len(documents) > MAX_DOCUMENTS:
        raise ReadError(
            "the collection",
            "too_large",
            f"{len(documents):,} documents; at most {MAX_DOCUMENTS:,} are compared each with each",
            "add them to an index (colde index add) and search that",
        )
