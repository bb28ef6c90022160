"""The public Python calls that join matching and reporting: `colde.compare` and the Comparison it returns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from colde import models as registry
from colde.judge.reference import Reference
from colde.match import pipeline, what_if
from colde.report.html import to_html
from colde.results.comparison import Comparison as Result
from colde.results.prior import BALANCED
from colde.results.progress import OnProgress
from colde.text.document import Document

__all__ = ["Comparison", "compare", "compare_steps"]


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
    on_progress: OnProgress | None = None,
    loader: pipeline.Loader = registry.load,
) -> Iterator[Comparison]:
    """Yield a growing Comparison, one more model each time. Arguments and errors as in `compare`."""
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
        loader: how a model is got by its name (to keep loaded models between calls).
        on_progress: called often; raise `colde.errors.Cancelled` in it to stop the work.

    Raises:
        ReadError: a document of fewer than 20 words.
        ModelError: an unknown or untrained model, or an unknown profile.
        ValueError: a prior that is not between 0 and 1.
    """
    steps = compare_steps(
        a, b, models, profile, reference=reference, prior=prior, on_progress=on_progress, loader=loader
    )
    *_, last = steps
    return last
