"""Many documents in, a Collection out: each read and encoded once, each pair matched without explanations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from colde import models as registry
from colde.comparison.apply_reference import apply_reference
from colde.comparison.clusters import clusters, groups_of
from colde.comparison.language_coverage import covered_languages, judge_pair, language_gap
from colde.comparison.pipeline import Loader, check_comparable, check_profile, chunks_of
from colde.comparison.reasons import DocumentFacts, reason, run_overlap
from colde.corpus.document_sources import DocumentSource
from colde.errors import ReadError
from colde.judge.calibration import Background, Judgement, judge
from colde.judge.profiles import GENERAL
from colde.judge.reference import Reference
from colde.models.base import Matcher
from colde.results.collection import SAME_TEXT, Collection, StrongPair
from colde.results.encoding import Encoding
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array
from colde.text.boilerplate import prepare_for_comparison
from colde.text.document import Document, Role
from colde.text.parts_without_headings import split_into_parts

MOST_DOCUMENTS = 2_000
"""More make millions of pairs; an index finds what is alike among them."""

MOST_PAIRS = 200
"""Strongest pairs that are listed, with their reasons."""

PAIRS_PER_REPORT = 500  # pairs between two signs of progress


def read_all(
    wanted: Sequence[DocumentSource],
    *,
    include: tuple[Role, ...] = (),
    password: str | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[list[Document], list[ReadError]]:
    """The documents that can be read and compared, and why the others cannot."""
    found: list[Document] = []
    unread: list[ReadError] = []
    for done, entry in enumerate(wanted):
        if on_progress is not None:
            on_progress(Progress(Stage.DOCUMENTS, done, len(wanted)))
        try:
            document = prepare_for_comparison(entry.read(password), include)
            check_comparable(document)
            chunks_of(document)
            found.append(replace(document, source=entry.name))
        except ReadError as error:
            unread.append(error.called(entry.name))
    return found, unread


def compare_all(
    documents: Iterable[Document],
    models: str | Iterable[str] | None = None,
    profile: str = GENERAL,
    *,
    unread: Iterable[ReadError] = (),
    reference: Reference | None = None,
    on_progress: OnProgress | None = None,
    loader: Loader = registry.load,
    most_pairs: int = MOST_PAIRS,
) -> Collection:
    """Compare each document with each other.

    Args:
        models: names, a comma list, `all`, or None for the first default; clusters and reasons are by the first.
        unread: what could not be read, to be named in the result.
        on_progress: called often; raise `Cancelled` in it to stop. What was encoded is in the cache of vectors.
        most_pairs: strongest pairs to list.

    Raises:
        ReadError: fewer than two documents, more than 2,000, or one that cannot be compared.
        ModelError: an unknown or untrained model, or an unknown profile.
    """
    names = registry.resolve(models) if models is not None else registry.resolve(None)[:1]
    check_profile(profile, names)
    held = tuple(split_into_parts(d) for d in documents)
    _check_count(held)
    for document in held:
        check_comparable(document)
    run = _Run(held, profile, reference, on_progress or _ignore, loader)
    scores = {name: run.scores(name) for name in names}
    first = scores[names[0]]
    model, background = run.model(names[0]), run.backgrounds[names[0]]
    judged = judge(0.0, model.profiles, profile, background)
    languages = [document.language for document in held]

    def judge_cell(a: int, b: int) -> Judgement:
        of_pair = (languages[a], languages[b])
        return judge_pair(float(first[a, b]), model, profile, of_pair, background, ("one", "the other"))

    known = [DocumentFacts(d, e) for d, e in zip(held, run.encodings(names[0]), strict=True)]
    order = sorted(_pairs(len(held)), key=lambda c: -float(first[c]))
    alike = [c for c in order if judged.threshold is not None and first[c] >= judged.threshold]
    run.report(Progress(Stage.PAIRS, 0, len(alike)))
    same = [c for c in alike if run_overlap(known[c[0]], known[c[1]]) >= SAME_TEXT]
    joinable = _joinable(first, languages, model, profile, same, judged.threshold or 0.0)
    tree = clusters(joinable, judged.threshold)
    listed: list[StrongPair] = []
    for a, b in order[:most_pairs]:
        run.report(Progress(Stage.PAIRS, len(listed), min(most_pairs, len(order))))
        judgement = judge_cell(a, b)
        why = reason(known[a], known[b])
        gap = "" if judged.no_verdict else judgement.no_verdict
        listed.append(StrongPair(a, b, float(first[a, b]), judgement.probability, why, gap))
    covered = covered_languages(model.card, model.profiles.get(profile))
    return Collection(
        documents=held,
        chunks=tuple(chunks_of(d) for d in held),
        scores=scores,
        threshold=judged.threshold,
        clusters=tree.groups,
        merges=tree.merges,
        duplicates=groups_of(len(held), same),
        pairs=tuple(listed),
        unread=tuple(unread),
        profile=profile,
        corpora=judged.corpora,
        no_verdict=judged.no_verdict,
        unread_languages=tuple(i for i, code in enumerate(languages) if code not in (None, *covered)),
    )


def _joinable(
    scores: Array,
    languages: Sequence[str | None],
    model: Matcher,
    profile: str,
    same: Sequence[tuple[int, int]],
    threshold: float,
) -> Array:
    """Scores for clusters: those that the threshold does not hold for are below it, except of nearly the same text."""
    of_model = model.card, model.profiles.get(profile)
    gaps = {pair for pair in product(set(languages), repeat=2) if language_gap(pair, *of_model)}
    if not gaps:
        return scores
    found = scores.copy()
    for a, b in set(_pairs(len(languages))) - set(same):
        if (languages[a], languages[b]) in gaps:
            found[a, b] = found[b, a] = min(0.0, threshold - 0.01)
    return found


class _Run:
    """Encodings of all documents by each of the models, computed once for each model."""

    def __init__(
        self,
        documents: tuple[Document, ...],
        profile: str,
        reference: Reference | None,
        report: OnProgress,
        loader: Loader,
    ) -> None:
        self.documents = documents
        self.profile, self.reference = profile, reference
        self.report, self.loader = report, loader
        self.backgrounds: dict[str, Background | None] = {}
        self._models: dict[str, Matcher] = {}
        self._encodings: dict[str, list[Encoding]] = {}

    def model(self, name: str) -> Matcher:
        """A model as the profile or the reference wants it."""
        if name not in self._models:
            self.report(Progress(Stage.LOADING, 0, 1, model=name))
            model, background = apply_reference(
                self.loader(name), self.profile, self.reference, on_progress=self.report
            )
            self._models[name], self.backgrounds[name] = model, background
        return self._models[name]

    def encodings(self, name: str) -> list[Encoding]:
        """Encode all documents, each by itself, so that a stopped run goes on from the cache."""
        model = self.model(name)
        if name not in self._encodings:
            found: list[Encoding] = []
            for done, document in enumerate(self.documents):
                self.report(Progress(Stage.ENCODING, done, len(self.documents), model=name))
                found += model.encode([document], explain=not self._encodings)
            self._encodings[name] = found
        return self._encodings[name]

    def scores(self, name: str) -> Array:
        """[documents, documents] of one model."""
        model, encoded = self.model(name), self.encodings(name)
        count = len(self.documents)
        found = np.zeros((count, count), dtype=np.float32)
        cells = [*_pairs(count), *((i, i) for i in range(count))]
        if not model.card.symmetric:
            cells += [(b, a) for a, b in _pairs(count)]
        for done, (a, b) in enumerate(cells):
            if done % PAIRS_PER_REPORT == 0:
                self.report(Progress(Stage.PAIRS, done, len(cells), model=name))
            found[a, b] = model.match(encoded[a], encoded[b], explain=False).score
            if model.card.symmetric:
                found[b, a] = found[a, b]
        return found


def _check_count(documents: Sequence[Document]) -> None:
    if len(documents) < 2:
        raise ReadError(
            documents[0].source if documents else "the folder",
            "empty",
            f"{len(documents)} documents that can be compared; at least two are needed",
            "name more files, or another folder",
        )
    if len(documents) > MOST_DOCUMENTS:
        raise ReadError(
            "the collection",
            "too_large",
            f"{len(documents):,} documents; at most {MOST_DOCUMENTS:,} are compared each with each",
            "add them to an index (colde index add) and search that",
        )


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    """Each pair once."""
    return ((a, b) for a in range(count) for b in range(a + 1, count))


def _ignore(progress: Progress) -> None:
    """Nobody is watching."""
