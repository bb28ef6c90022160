"""The public Python calls that join comparison and reports: `colde.compare` and the Comparison it returns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self, TypeVar, Unpack

from colde.comparison import pipeline
from colde.comparison.collections import all_pairs
from colde.comparison.model_run import RunOptions
from colde.comparison.pipeline import Options
from colde.comparison.questions import what_if
from colde.comparison.questions.deletion_test import with_faithfulness
from colde.comparison.questions.word_by_word import Sentence, word_contributions
from colde.comparison.standard_text import prepare_documents
from colde.corpus.document_sources import document_sources
from colde.judge.profiles import DETECT
from colde.report.collection.collection_html import collection_html
from colde.report.collection.collection_tables import to_graphml
from colde.report.html.html_report import to_html
from colde.report.maps.matrix_drawing import draw_matrix
from colde.report.printed.pdf_report import to_pdf, to_png
from colde.results.collection import Collection as Compared
from colde.results.comparison import Comparison as Result
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document, Role

__all__ = ["Collection", "Comparison", "compare", "compare_steps"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """A comparison that can write its report, and be made again without some of its parts.

    Options of the methods: `reference`, the one that the comparison was made with, if any; `loader`, how a model is
    loaded by its name; `on_progress`, called often.

    Examples:
        >>> import colde
        >>> a = colde.read("assets/samples/banks_river.md")
        >>> b = colde.read("assets/samples/banks_money.md")
        >>> comparison = colde.compare(a, b, models="tfidf")
        >>> list(comparison.maps["tfidf"])[:2]
        ['section', 'sentence']
        >>> sorted(comparison.split["a"])
        ['edited', 'identical', 'paraphrased', 'rest', 'same_topic', 'standard']
        >>> without = comparison.without(a=[1])
        >>> without.models[0].score == comparison.models[0].score
        False
        >>> comparison.to_html().startswith("<!doctype html>")
        True
    """

    def to_html(self) -> str:
        """One self-contained page that opens offline."""
        return to_html(self)

    def to_docx(self) -> bytes:
        """The report as a Word document, with decisions and notes of the review."""
        from colde.report.printed.docx_report import to_docx

        return to_docx(self)

    def to_pdf(self) -> bytes:
        """The report as a PDF file, with decisions and notes of the review.

        Raises:
            MissingExtraError: Typst or its fonts are not installed: `pip install 'colde-explorer[reports]'`.
        """
        return to_pdf(self)

    def matrix_svg(self, map: str | None = None, model: str | None = None) -> str:
        """A map as a vector image with labels, legend and scale.

        Args:
            map: its name, such as `section` or `chunk`; by default the map of sections.
            model: by default the first that has maps.

        Raises:
            KeyError: there is no such map.
        """
        return draw_matrix(self, map, model).to_svg()

    def matrix_png(self, map: str | None = None, model: str | None = None) -> bytes:
        """A map as an image, of 1,000 pixels or more a side. Arguments as in `matrix_svg`.

        Raises:
            KeyError: there is no such map.
            MissingExtraError: Typst or its fonts are not installed: `pip install 'colde-explorer[reports]'`.
        """
        return to_png(draw_matrix(self, map, model), (self.a.language, self.b.language))

    def without(
        self, a: Iterable[what_if.Part] = (), b: Iterable[what_if.Part] = (), **options: Unpack[RunOptions]
    ) -> Self:
        """Compare once more with some sections or chunks left out.

        Args:
            a: sections of A by their number in `Document.sections`, chunks as (section, chunk), counted from 0.
            b: the same of B.

        Raises:
            PartError: there is no such section or chunk, or it takes no part in the comparison.
            ReadError: fewer than 20 words are left of a document.
        """
        return _copy_as(type(self), what_if.without(self, a, b, **options).after)

    def only(
        self, a: Iterable[what_if.Part] = (), b: Iterable[what_if.Part] = (), **options: Unpack[RunOptions]
    ) -> Self:
        """Compare once more with only some sections or chunks; arguments and errors as in `without`.

        A document of which nothing is named stays whole.
        """
        return _copy_as(type(self), what_if.without(self, a, b, only=True, **options).after)

    def with_faithfulness(self, **options: Unpack[RunOptions]) -> Self:
        """Copy with the faithfulness of the first model: how much of its score its contribution map explains.

        Asks the model a dozen times without some chunks, the strongest and random ones. Unchanged where that would be
        slow, or where the model has no contribution map.
        """
        return _copy_as(type(self), with_faithfulness(self, **options))

    def words(
        self,
        a: Sentence | None = None,
        b: Sentence | None = None,
        model: str | None = None,
        **options: Unpack[RunOptions],
    ) -> SimilarityMap:
        """Contributions of the words of one pair of sentences to a model's score.

        Args:
            a: the number of a row of `contribution_sentence`, or a passage of A, of which the sentence with the
                largest contribution counts; by default of all.
            b: the same for a column and a passage of B.
            model: by default the first that can split sentences into words.

        Returns:
            [words of a, words of b]; the sum of its values and its residual is the cell of the two sentences.

        Raises:
            ModelError: the model cannot split sentences into words.
            PartError: there is no such sentence.
        """
        return word_contributions(self, a, b, model, **options).map


@dataclass(frozen=True, slots=True, eq=False)
class Collection(Compared):
    """Many documents compared with each other.

    Examples:
        >>> import colde
        >>> files = ["banks_money.md", "banks_river.md", "lens_history.md", "lens_physics.md"]
        >>> papers = colde.Collection.read((f"assets/samples/{name}" for name in files), models="tfidf")
        >>> strongest = papers.pairs[0]
        >>> papers.documents[strongest.a].source, papers.documents[strongest.b].source
        ('lens_history.md', 'lens_physics.md')
    """

    @classmethod
    def read(
        cls,
        paths: Iterable[str | os.PathLike[str]],
        models: str | Iterable[str] | None = None,
        profile: str = DETECT,
        *,
        include: Iterable[Role] = (),
        templates: Sequence[Document] = (),
        **options: Unpack[RunOptions],
    ) -> Self:
        """Read files, folders of files or corpora, and compare each document with each other.

        What cannot be read is left out and named in `unread`. Arguments and errors as in `of`.
        """
        sources = list(document_sources(map(Path, paths)))
        include = tuple(include)
        documents, unread = all_pairs.read_all(
            sources, include=include, on_progress=options.get("on_progress")
        )
        compared = all_pairs.compare_all(
            documents,
            models,
            profile,
            include=include,
            templates=templates,
            unread=unread,
            **options,
        )
        return _copy_as(cls, compared)

    @classmethod
    def of(
        cls,
        documents: Iterable[Document],
        models: str | Iterable[str] | None = None,
        profile: str = DETECT,
        *,
        include: Iterable[Role] = (),
        templates: Sequence[Document] = (),
        **options: Unpack[RunOptions],
    ) -> Self:
        """Compare documents with each other.

        Args:
            models: names, a comma list, `all`, or None for the first default; clusters and reasons are by the first.
            include: as in `colde.compare`; standard sentences are those that at least two of the documents share.
            templates: documents whose text is set aside, as in `colde.compare`.
            options: `reference`, `on_progress` and `loader` as in `colde.compare`.

        Raises:
            ReadError: fewer than two documents, more than 2,000, or one of fewer than 20 words.
            ModelError: an unknown or untrained model, or an unknown profile.
        """
        compared = all_pairs.compare_all(
            documents, models, profile, include=include, templates=templates, **options
        )
        return _copy_as(cls, compared)

    def compare(self, a: int, b: int, models: str | Iterable[str] | None = None) -> Comparison:
        """Compare two of the documents, by their numbers; by the collection's models unless others are named."""
        one, two = self.documents[a], self.documents[b]
        return _copy_as(Comparison, pipeline.compare(one, two, models or self.models, self.profile))

    def to_html(self, drill: Iterable[tuple[int, int]] = ()) -> str:
        """One self-contained page; `drill` names pairs of documents whose full comparison it contains."""
        return collection_html(self, [(a, b, self.compare(a, b)) for a, b in drill])

    def to_graphml(self) -> str:
        """The similar documents as a graph, for programs that draw networks."""
        return to_graphml(self)


def _copy_as(kind: type[T], result: Any) -> T:
    return kind(**{f.name: getattr(result, f.name) for f in fields(result)})


def compare_steps(
    a: Document,
    b: Document,
    models: str | Iterable[str] | None = None,
    profile: str = DETECT,
    *,
    include: Iterable[Role] = (),
    templates: Sequence[Document] = (),
    **options: Unpack[Options],
) -> Iterator[Comparison]:
    """Yield a growing Comparison, one more model each time. Arguments and errors as in `compare`.

    Examples:
        >>> import colde
        >>> a = colde.read("assets/samples/banks_river.md")
        >>> b = colde.read("assets/samples/banks_money.md")
        >>> for step in colde.compare_steps(a, b, models=["tfidf", "bm25"]):
        ...     print(len(step.models), "models are done")
        0 models are done
        1 models are done
        2 models are done
    """
    a, b = prepare_documents([a, b], include, templates, options.get("reference"))
    for result in pipeline.compare_steps(a, b, models, profile, **options):
        yield _copy_as(Comparison, result)


def compare(
    a: Document,
    b: Document,
    models: str | Iterable[str] | None = None,
    profile: str = DETECT,
    *,
    include: Iterable[Role] = (),
    templates: Sequence[Document] = (),
    **options: Unpack[Options],
) -> Comparison:
    """Compare two documents by one or several models.

    Args:
        a: a document of at least 20 words.
        b: another one.
        models: names, a comma list, `all`, or None for the defaults.
        profile: the kind of documents, which sets threshold and calibration; `auto` takes the kind of both documents,
            and gives no probability where they are of no kind that has a profile (`Comparison.kind`).
        include: roles of sections that are compared although they are set aside, such as `footnote`, or `boilerplate`:
            front matter, acknowledgements, licences and standard sentences that both documents share.
        templates: documents whose text is set aside, in runs of six words and more. So is text that stands in many
            documents of the reference, three and a fifth of them at least.
        options: `reference`, a collection of documents to judge against instead of the profile's background. `prior`,
            the share of related pairs among those you look at, in (0, 1): probabilities are for it; thresholds and
            verdicts stay those of balanced pairs, and `Comparison.at_prior` changes it without comparing again.
            `on_progress`, called often with the model's name: raise `colde.errors.Cancelled` in it to stop the work.
            `loader`, how a model is loaded by its name (to keep loaded models between calls). `encoder`, the name or
            folder of the sentence encoder (docs/languages.md); by default it is chosen by the languages of the texts.

    Raises:
        ReadError: a document of fewer than 20 words.
        ModelError: an unknown or untrained model, an unknown profile, or an encoder that cannot be loaded.
        MissingExtraError: the multilingual encoder is asked for, and it is not installed.
        ValueError: a prior that is not between 0 and 1.

    Examples:
        >>> import colde
        >>> a = colde.read("assets/samples/lens_history.md")
        >>> b = colde.read("assets/samples/lens_physics.md")
        >>> comparison = colde.compare(a, b, models="tfidf")
        >>> comparison.models[0].similar
        True
        >>> first = comparison.shared.passages[0]
        >>> first.kind, first.words["a"]
        ('identical', 64)
        >>> comparison.counterparts(first.a.start, first.a.end, limit=1)[0].kind
        'identical'
    """
    *_, last = compare_steps(a, b, models, profile, include=include, templates=templates, **options)
    return last
