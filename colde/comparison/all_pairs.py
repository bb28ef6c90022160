"""Comparison of all pairs of many documents: each is read and encoded once, each pair matched without explanations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Unpack

import numpy as np

from colde import models as registry
from colde.comparison.apply_reference import apply_reference
from colde.comparison.clusters import clusters, groups_of
from colde.comparison.encoder_choice import loader_over_encoder
from colde.comparison.language_coverage import covered_languages, judge_pair, language_gap
from colde.comparison.pipeline import Loader, RunOptions, check_comparable, check_profile, chunks_of
from colde.comparison.reasons import DocumentFacts, reason, run_overlap
from colde.comparison.standard_text import prepare_documents
from colde.corpus.document_sources import DocumentSource
from colde.encoders.encoder_names import AUTO, choose_encoder
from colde.errors import ReadError
from colde.judge.calibration import Background, judge
from colde.judge.profiles import GENERAL
from colde.judge.reference import Reference
from colde.models.base import Matcher
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
            prepared = prepare_for_comparison(document, include)
            check_comparable(prepared)
            chunks_of(prepared)
            documents.append(replace(document, source=source.name))
        except ReadError as error:
            unread.append(error.called(source.name))
    return documents, unread


def compare_all(
    documents: Iterable[Document],
    models: str | Iterable[str] | None = None,
    profile: str = GENERAL,
    *,
    include: Iterable[Role] = (),
    templates: Sequence[Document] = (),
    unread: Iterable[ReadError] = (),
    max_pairs: int = MAX_PAIRS,
    encoder: str = AUTO,
    **options: Unpack[RunOptions],
) -> Collection:
    """Compare each document with each other.

    Args:
        models: names, a comma list, `all`, or None for the first default; clusters and reasons are by the first.
        include: roles of sections that are compared although they are set aside.
        templates: documents whose text is set aside.
        unread: files that could not be read, to be named in the result.
        max_pairs: strongest pairs to list.
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
        pairs=tuple(ranking.strongest(max_pairs)),
        set_aside=tuple((*set_aside(d), *run.unread_text(i)) for i, d in enumerate(compared)),
        unread=tuple(unread),
        profile=profile,
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
        self.backgrounds: dict[str, Background | None] = {}
        self._models: dict[str, Matcher] = {}
        self._encodings: dict[str, list[Encoding]] = {}

    def model(self, name: str) -> Matcher:
        """A model, fitted to the profile or the reference."""
        if name not in self._models:
            self.report(Progress(Stage.LOADING, 0, 1, model=name))
            model, background = apply_reference(
                self.loader(name), self.profile, self.reference, on_progress=self.report
            )
            self._models[name], self.backgrounds[name] = model, background
        return self._models[name]

    def encodings(self, name: str) -> list[Encoding]:
        """Encode all documents one by one, so that a stopped run continues from the cache."""
        model = self.model(name)
        if name not in self._encodings:
            encodings: list[Encoding] = []
            for done, document in enumerate(self.documents):
                self.report(Progress(Stage.ENCODING, done, len(self.documents), model=name))
                encodings += model.encode([document], explain=not self._encodings)
            self._encodings[name] = encodings
        return self._encodings[name]

    def unread_text(self, number: int) -> Iterator[SetAside]:
        """The words of a document beyond what a model reads, for each model with such a limit."""
        for name, encodings in self._encodings.items():
            title = self._models[name].card.title
            yield from unread_text(self.documents[number], name, title, encodings[number].coverage)

    def scores(self, name: str) -> Array:
        """[documents, documents] of one model."""
        model, encoded = self.model(name), self.encodings(name)
        count = len(self.documents)
        scores = np.zeros((count, count), dtype=np.float32)
        cells = [*_pairs(count), *((i, i) for i in range(count))]
        if not model.card.symmetric:
            cells += [(b, a) for a, b in _pairs(count)]
        for done, (a, b) in enumerate(cells):
            if done % PAIRS_PER_REPORT == 0:
                self.report(Progress(Stage.PAIRS, done, len(cells), model=name))
            scores[a, b] = model.match(encoded[a], encoded[b], explain=False).score
            if model.card.symmetric:
                scores[b, a] = scores[a, b]
        return scores


class _Ranking:
    """The pairs of documents by the scores of one model, with their judgements.

    Attributes:
        scores: [documents, documents].
        general: what is the same for all pairs that the model can judge: threshold, corpora.
        languages: of the documents.
        facts: of the documents.
        order: all pairs, best first.
    """

    def __init__(self, run: _Run, name: str, scores: Array) -> None:
        self._run, self._profile = run, run.profile
        self._model, self._background = run.model(name), run.backgrounds[name]
        self.scores = scores
        self.general = judge(0.0, self._model.profiles, run.profile, self._background)
        self.languages = [document.language for document in run.documents]
        self.facts = [DocumentFacts(d, e) for d, e in zip(run.documents, run.encodings(name), strict=True)]
        self.order = sorted(_pairs(len(run.documents)), key=lambda cell: -float(scores[cell]))

    def near_duplicates(self) -> list[Cell]:
        """Pairs of nearly the same text among those that reach the threshold."""
        threshold = self.general.threshold
        similar = [c for c in self.order if threshold is not None and self.scores[c] >= threshold]
        self._run.report(Progress(Stage.PAIRS, 0, len(similar)))
        return [(a, b) for a, b in similar if run_overlap(self.facts[a], self.facts[b]) >= SAME_TEXT]

    def joinable(self, duplicates: Sequence[Cell]) -> Array:
        """Scores for clusters: where the threshold does not hold they are below it, except of near duplicates."""
        of_model = self._model.card, self._model.profiles.get(self._profile)
        gaps = {pair for pair in product(set(self.languages), repeat=2) if language_gap(pair, *of_model)}
        if not gaps:
            return self.scores
        scores = self.scores.copy()
        for a, b in set(self.order) - set(duplicates):
            if (self.languages[a], self.languages[b]) in gaps:
                scores[a, b] = scores[b, a] = min(0.0, (self.general.threshold or 0.0) - 0.01)
        return scores

    def strongest(self, count: int) -> Iterator[StrongPair]:
        """The best pairs with their probabilities and reasons."""
        total = min(count, len(self.order))
        for done, (a, b) in enumerate(self.order[:count]):
            self._run.report(Progress(Stage.PAIRS, done, total))
            languages = (self.languages[a], self.languages[b])
            score = float(self.scores[a, b])
            judged = judge_pair(
                score, self._model, self._profile, languages, self._background, ("one", "the other")
            )
            gap = "" if self.general.no_verdict else judged.no_verdict
            yield StrongPair(a, b, score, judged.probability, reason(self.facts[a], self.facts[b]), gap)

    def unread_languages(self) -> tuple[int, ...]:
        """Numbers of the documents in a language that the threshold does not hold for."""
        covered = covered_languages(self._model.card, self._model.profiles.get(self._profile))
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


def _pairs(count: int) -> Iterator[Cell]:
    """Each pair once."""
    return ((a, b) for a in range(count) for b in range(a + 1, count))
