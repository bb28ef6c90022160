"""Comparison of all pairs of many documents: each is read and encoded once, each pair matched without explanations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Unpack

import numpy as np

from colde import models as registry
from colde.comparison.clusters import clusters, groups_of
from colde.comparison.fitted_model import JudgedDocument, PairJudge, loader_over_encoder
from colde.comparison.language_coverage import covered_languages, language_gap, translation_threshold
from colde.comparison.pipeline import Loader, RunOptions, check_comparable, check_profile, chunks_of
from colde.comparison.reasons import DocumentFacts, reason, run_overlap
from colde.comparison.standard_text import prepare_documents
from colde.corpus.document_sources import DocumentSource
from colde.encoders.encoder_names import AUTO, choose_encoder
from colde.errors import ReadError
from colde.judge.calibration import Judgement, judge
from colde.judge.profiles import DETECT, threshold_profile
from colde.judge.reference import Reference
from colde.results.collection import SAME_TEXT, Collection, StrongPair
from colde.results.encoding import Encoding
from colde.results.model_score import unread_text
from colde.results.progress import OnProgress, Progress, Stage, ignore_progress
from colde.results.similarity_map import Array
from colde.text.boilerplate import prepare_for_comparison
from colde.text.document import Document, Role
from colde.text.parts_without_headings import split_into_parts
from colde.text.set_aside import SetAside, set_aside

MAX_DOCUMENTS = 2_000
"""More documents make millions of pairs; an index searches among more."""

MAX_PAIRS = 200
"""Strongest pairs that are listed, with their reasons."""

PAIRS_PER_REPORT = 500  # pairs between two reports of progress

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
        try:
            document = source.read(password)
            check_collectable(document, include)
            documents.append(replace(document, source=source.name))
        except ReadError as error:
            unread.append(error.called(source.name))
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
    **options: Unpack[RunOptions],
) -> Collection:
    """Compare each document with each other.

    Args:
        models: names, a comma list, `all`, or None for the first default; clusters and reasons are by the first.
        profile: with `auto` each pair has the profile of its own kind; the threshold is that of most pairs.
        include: roles of sections that are compared although they are set aside.
        templates: documents whose text is set aside.
        unread: files that could not be read, to be named in the result.
        encoder: its name; `auto` is the packaged one, since all pairs are compared by one encoder.
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
    run = _Run(compared, profile, **options)
    scores = {name: run.scores(name) for name in names}
    ranking = _Ranking(run, names[0], scores[names[0]])
    duplicates = ranking.near_duplicates()
    tree = clusters(ranking.joinable(duplicates), ranking.general.threshold)
    return Collection(
        documents=compared,
        chunks=tuple(chunks_of(d) for d in compared),
        scores=scores,
        threshold=ranking.general.threshold,
        clusters=tree.groups,
        merges=tree.merges,
        duplicates=groups_of(len(compared), duplicates),
        pairs=tuple(ranking.strongest(MAX_PAIRS)),
        set_aside=tuple((*set_aside(d), *run.unread_text(i)) for i, d in enumerate(compared)),
        unread=tuple(unread),
        profile=profile,
        common_profile=ranking.profile,
        corpora=ranking.general.corpora,
        no_verdict=ranking.general.no_verdict,
        unread_languages=ranking.unread_languages(),
    )


class _Run:
    """Encodings of all documents by each of the models, computed once for each model."""

    def __init__(
        self,
        documents: tuple[Document, ...],
        profile: str,
        *,
        reference: Reference | None = None,
        on_progress: OnProgress | None = None,
        loader: Loader = registry.load,
    ) -> None:
        self.documents = documents
        self.profile, self.reference = profile, reference
        self.report, self.loader = on_progress or ignore_progress, loader
        self._judges: dict[str, PairJudge] = {}
        self._known: list[JudgedDocument] = []
        self._encodings: dict[tuple[str, str], list[Encoding]] = {}

    def judge(self, name: str) -> PairJudge:
        """A loaded model, which judges each pair by the profile or the reference."""
        if name not in self._judges:
            self.report(Progress(Stage.LOADING, 0, 1, model=name))
            self._judges[name] = PairJudge(
                self.loader(name), self.profile, self.reference, on_progress=self.report
            )
        return self._judges[name]

    def known(self, name: str) -> list[JudgedDocument]:
        """Kind and language of each document."""
        if not self._known:
            self._known = [self.judge(name).document(d) for d in self.documents]
        return self._known

    def profile_of(self, name: str, a: int, b: int) -> str:
        """The profile by which a model judges a pair."""
        known = self.known(name)
        return self.judge(name).profile(known[a], known[b])

    def encodings(self, name: str, profile: str) -> list[Encoding]:
        """Encode all documents one by one, so that a stopped run continues from the cache."""
        model = self.judge(name).matcher(profile)
        if (name, profile) not in self._encodings:
            encodings: list[Encoding] = []
            for done, document in enumerate(self.documents):
                self.report(Progress(Stage.ENCODING, done, len(self.documents), model=name))
                encodings += model.encode([document], explain=name == next(iter(self._judges)))
            self._encodings[name, profile] = encodings
        return self._encodings[name, profile]

    def unread_text(self, number: int) -> Iterator[SetAside]:
        """The words of a document beyond what a model reads, for each model with such a limit."""
        for name, encodings in {name: encodings for (name, _), encodings in self._encodings.items()}.items():
            title = self.judge(name).model.card.title
            yield from unread_text(self.documents[number], name, title, encodings[number].coverage)

    def scores(self, name: str) -> Array:
        """[documents, documents] of one model."""
        card = self.judge(name).model.card
        count = len(self.documents)
        scores = np.zeros((count, count), dtype=np.float32)
        cells = [*combinations(range(count), 2), *((i, i) for i in range(count))]
        if not card.symmetric:
            cells += [(b, a) for a, b in combinations(range(count), 2)]
        for done, (a, b) in enumerate(cells):
            if done % PAIRS_PER_REPORT == 0:
                self.report(Progress(Stage.PAIRS, done, len(cells), model=name))
            profile = self.profile_of(name, a, b)
            model, encoded = self.judge(name).matcher(profile), self.encodings(name, profile)
            scores[a, b] = model.match(encoded[a], encoded[b], explain=False).score
            if card.symmetric:
                scores[b, a] = scores[a, b]
        return scores


class _Ranking:
    """The pairs of documents by the scores of one model, with their judgements.

    Attributes:
        scores: [documents, documents].
        profile: that of most pairs.
        general: what is the same for all pairs of this profile that the model can judge: threshold, corpora.
        languages: of the documents.
        facts: of the documents.
        order: all pairs, best first.
    """

    def __init__(self, run: _Run, name: str, scores: Array) -> None:
        self._run, self._name = run, name
        self._judge = run.judge(name)
        self._model = self._judge.model
        self.scores = scores
        pairs = list(combinations(range(len(run.documents)), 2))
        profiles = Counter(run.profile_of(name, a, b) for a, b in pairs)
        self.profile = profiles.most_common(1)[0][0]
        self._thresholds = {profile: self._without_score(profile).threshold for profile in profiles}
        self.general = self._without_score(self.profile)
        self.languages = [document.language for document in run.documents]
        encoded = run.encodings(name, self.profile)
        self.facts = [DocumentFacts(d, e) for d, e in zip(run.documents, encoded, strict=True)]
        self.order = sorted(pairs, key=lambda cell: -float(scores[cell]))

    def _without_score(self, profile: str) -> Judgement:
        return judge(0.0, self._model.profiles, profile, self._judge.background(profile))

    def _margin(self, a: int, b: int) -> float:
        """The score of a pair, moved so that its threshold is that of most pairs."""
        profile = self._run.profile_of(self._name, a, b)
        fitted = self._model.profiles.get(threshold_profile(profile))
        limit = translation_threshold(fitted, (self.languages[a], self.languages[b]))
        limit = self._thresholds[profile] if limit is None else limit
        return float(self.scores[a, b]) - (limit or 0.0) + (self.general.threshold or 0.0)

    def near_duplicates(self) -> list[Cell]:
        """Pairs of nearly the same text among those that reach the threshold."""
        threshold = self.general.threshold
        similar = [c for c in self.order if threshold is not None and self._margin(*c) >= threshold]
        self._run.report(Progress(Stage.PAIRS, 0, len(similar)))
        return [(a, b) for a, b in similar if run_overlap(self.facts[a], self.facts[b]) >= SAME_TEXT]

    def joinable(self, duplicates: Sequence[Cell]) -> Array:
        """Scores for clusters, on the scale of most pairs.

        Where the threshold does not hold they are below it, except of near duplicates.
        """
        fitted = self._model.profiles.get(threshold_profile(self.profile))
        pairs = set(product(set(self.languages), repeat=2))
        translations = {pair for pair in pairs if translation_threshold(fitted, pair) is not None}
        gaps = {pair for pair in pairs - translations if language_gap(pair, self._model.card, fitted)}
        scores = self.scores.copy()
        if translations or len(set(self._thresholds.values())) > 1:
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
            known = self._run.known(self._name)
            score = float(self.scores[a, b])
            judged = self._judge.judge(score, known[a], known[b], ("one", "the other"))
            gap = "" if self.general.no_verdict else judged.no_verdict
            because = reason(self.facts[a], self.facts[b])
            yield StrongPair(a, b, score, judged.probability, because, gap, judged.profile, judged.similar)

    def unread_languages(self) -> tuple[int, ...]:
        """Numbers of the documents in a language that the threshold does not hold for."""
        fitted = self._model.profiles.get(threshold_profile(self.profile))
        covered = covered_languages(self._model.card, fitted)
        return tuple(i for i, code in enumerate(self.languages) if code not in (None, *covered))


def _check_count(documents: Sequence[Document]) -> None:
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
