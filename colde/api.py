"""The public Python calls that join matching and reporting: `colde.compare` and the Comparison it returns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

from colde import models as registry
from colde.comparison import all_pairs, pipeline, what_if
from colde.comparison.deletion_test import with_faithfulness
from colde.comparison.word_by_word import Sentence, word_contributions
from colde.corpus.document_sources import document_sources
from colde.judge.reference import Reference
from colde.report.collection_html import collection_html
from colde.report.collection_tables import to_graphml
from colde.report.html_report import to_html
from colde.results.collection import Collection as Compared
from colde.results.comparison import Comparison as Result
from colde.results.prior import BALANCED
from colde.results.progress import OnProgress
from colde.results.similarity_map import SimilarityMap
from colde.text.boilerplate import prepare_for_comparison
from colde.text.document import Document, Role

__all__ = ["Collection", "Comparison", "compare", "compare_steps"]


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """A comparison that can write its own report, and be made again without some of its parts."""

    def to_html(self) -> str:
        """One self-contained page that opens offline."""
        return to_html(self)

    def without(
        self,
        a: Iterable[what_if.Part] = (),
        b: Iterable[what_if.Part] = (),
        *,
        reference: Reference | None = None,
        loader: pipeline.Loader = registry.load,
    ) -> Comparison:
        """Compare once more with some sections or chunks left out: what were they worth?

        Args:
            a, b: sections by their number in `Document.sections`, chunks as (section, chunk), counted from 0.
            reference: the one the comparison was made with, where it was made with one.
            loader: how a model is got by its name.

        Raises:
            PartError: there is no such section or chunk, or it takes no part in the comparison.
            ReadError: fewer than 20 words are left of a document.
        """
        return _public(what_if.without(self, a, b, reference=reference, loader=loader).after)

    def only(
        self,
        a: Iterable[what_if.Part] = (),
        b: Iterable[what_if.Part] = (),
        *,
        reference: Reference | None = None,
        loader: pipeline.Loader = registry.load,
    ) -> Comparison:
        """Compare once more with nothing but some sections or chunks; arguments and errors as in `without`.

        A document of which nothing is named stays whole.
        """
        return _public(what_if.without(self, a, b, only=True, reference=reference, loader=loader).after)

    def with_faithfulness(
        self, *, reference: Reference | None = None, loader: pipeline.Loader = registry.load
    ) -> Comparison:
        """Copy with `worth` of the first model: what its account of the score is worth on this pair.

        Asks the model a dozen times without some chunks, those that it calls strongest and others at random; unchanged
        where that would be slow, or where it says nothing of what made its score.

        Args:
            reference, loader: as in `without`.
        """
        return _public(with_faithfulness(self, reference=reference, loader=loader))

    def words(
        self,
        a: Sentence | None = None,
        b: Sentence | None = None,
        model: str | None = None,
        *,
        reference: Reference | None = None,
        loader: pipeline.Loader = registry.load,
    ) -> SimilarityMap:
        """One pair of sentences word by word: what each pair of words adds to a model's score.

        Args:
            a, b: numbers of a row and a column of `contribution_sentence`, or stretches of either text, of which the
                two sentences count that add most; by default of all.
            model: by default the first that takes sentences apart.
            reference, loader: as in `without`.

        Returns:
            [words of a, words of b]; the sum of its values and its residual is the cell of the two sentences.

        Raises:
            ModelError: the model does not take sentences apart.
            PartError: there is no such sentence.
        """
        return word_contributions(self, a, b, model, reference=reference, loader=loader).map


@dataclass(frozen=True, slots=True, eq=False)
class Collection(Compared):
    """Many documents compared with each other.

    papers = colde.Collection.read(["papers/"])
    for pair in papers.pairs[:3]:
        print(papers.names[pair.a], papers.names[pair.b], pair.score, pair.reason)
    papers.compare(0, 1)                              # a Comparison of two of them
    """

    @classmethod
    def read(
        cls,
        paths: Iterable[str | os.PathLike[str]],
        models: str | Iterable[str] | None = None,
        profile: str = "general",
        *,
        reference: Reference | None = None,
        on_progress: OnProgress | None = None,
        loader: pipeline.Loader = registry.load,
    ) -> Self:
        """Read files, folders of files or corpora, and compare each document with each other.

        What cannot be read is left out and named in `unread`. Arguments and errors as in `of`.
        """
        documents, unread = all_pairs.read_all(
            list(document_sources(map(Path, paths))), on_progress=on_progress
        )
        found = all_pairs.compare_all(
            documents,
            models,
            profile,
            unread=unread,
            reference=reference,
            on_progress=on_progress,
            loader=loader,
        )
        return cls(**{f.name: getattr(found, f.name) for f in fields(found)})

    @classmethod
    def of(
        cls,
        documents: Iterable[Document],
        models: str | Iterable[str] | None = None,
        profile: str = "general",
        *,
        reference: Reference | None = None,
        on_progress: OnProgress | None = None,
        loader: pipeline.Loader = registry.load,
    ) -> Self:
        """Compare documents with each other.

        Args:
            models: names, a comma list, `all`, or None for the first default; clusters and reasons are by the first.

        Raises:
            ReadError: fewer than two documents, more than 2,000, or one of fewer than 20 words.
            ModelError: an unknown or untrained model, or an unknown profile.
        """
        found = all_pairs.compare_all(
            documents, models, profile, reference=reference, on_progress=on_progress, loader=loader
        )
        return cls(**{f.name: getattr(found, f.name) for f in fields(found)})

    def compare(self, a: int, b: int, models: str | Iterable[str] | None = None) -> Comparison:
        """Compare two of the documents, by their numbers; by the collection's models unless others are named."""
        return _public(
            pipeline.compare(self.documents[a], self.documents[b], models or self.models, self.profile)
        )

    def to_html(self, drill: Iterable[tuple[int, int]] = ()) -> str:
        """One self-contained page; `drill` names pairs of documents whose whole comparison it shall hold."""
        return collection_html(self, [(a, b, self.compare(a, b)) for a, b in drill])

    def to_graphml(self) -> str:
        """The alike documents as a graph, for programs that draw networks."""
        return to_graphml(self)


def _public(found: Result) -> Comparison:
    return Comparison(**{f.name: getattr(found, f.name) for f in fields(found)})


def compare_steps(
    a: Document,
    b: Document,
    models: str | Iterable[str] | None = None,
    profile: str = "general",
    *,
    reference: Reference | None = None,
    prior: float = BALANCED,
    include: Iterable[Role] = (),
    on_progress: OnProgress | None = None,
    loader: pipeline.Loader = registry.load,
) -> Iterator[Comparison]:
    """Yield a growing Comparison, one more model each time. Arguments and errors as in `compare`."""
    a, b = (prepare_for_comparison(d, include) for d in (a, b))
    steps = pipeline.compare_steps(
        a, b, models, profile, reference=reference, prior=prior, on_progress=on_progress, loader=loader
    )
    for found in steps:
        yield _public(found)


def compare(
    a: Document,
    b: Document,
    models: str | Iterable[str] | None = None,
    profile: str = "general",
    *,
    reference: Reference | None = None,
    prior: float = BALANCED,
    include: Iterable[Role] = (),
    on_progress: OnProgress | None = None,
    loader: pipeline.Loader = registry.load,
) -> Comparison:
    """Compare two documents by one or several models.

    Args:
        a, b: documents of at least 20 words each.
        models: names, a comma list, `all`, or None for the defaults.
        profile: the kind of documents, which sets threshold and calibration.
        reference: a collection of documents to judge against instead of the profile's background.
        prior: the share of related pairs among those you look at, in (0, 1); probabilities are for it. Thresholds and
            verdicts stay those of balanced pairs. `Comparison.at_prior` changes it without comparing again.
        include: roles of sections that are compared although they are set aside, such as `footnote`, or `boilerplate`:
            front matter, acknowledgements and licences.
        loader: how a model is got by its name (to keep loaded models between calls).
        on_progress: called often; raise `colde.errors.Cancelled` in it to stop the work.

    Raises:
        ReadError: a document of fewer than 20 words.
        ModelError: an unknown or untrained model, or an unknown profile.
        ValueError: a prior that is not between 0 and 1.
    """
    steps = compare_steps(
        a,
        b,
        models,
        profile,
        reference=reference,
        prior=prior,
        include=include,
        on_progress=on_progress,
        loader=loader,
    )
    *_, last = steps
    return last
