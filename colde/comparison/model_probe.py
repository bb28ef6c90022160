"""A model asked again about the texts of a finished comparison, with some passages left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from colde import models as registry
from colde.comparison.checks import check_comparable
from colde.comparison.fitted_model import apply_reference, over_encoder
from colde.comparison.language_coverage import judge_pair
from colde.comparison.model_run import Loader
from colde.errors import ModelError, ReadError
from colde.explain.counterfactual import Place
from colde.judge.calibration import Background
from colde.judge.profiles import profile_for
from colde.judge.reference import Reference
from colde.models.base import Matcher
from colde.results.comparison import Comparison
from colde.results.encoding import Encoding
from colde.results.progress import OnProgress
from colde.text.document import Document
from colde.text.passage_removal import leave_out


@dataclass(frozen=True, slots=True)
class ModelProbe:
    """A model as it judged a comparison."""

    comparison: Comparison
    matcher: Matcher
    background: Background | None

    @classmethod
    def of(
        cls,
        comparison: Comparison,
        model: str,
        *,
        reference: Reference | None = None,
        on_progress: OnProgress | None = None,
        loader: Loader = registry.load,
    ) -> Self:
        """Load a model for a comparison.

        Raises:
            ModelError: the comparison was made with a reference, which is missing.
        """
        require_reference(comparison, reference)
        loaded = over_encoder(loader(model), comparison.encoder)
        profile = judged_profile(comparison, loaded)
        matcher, background = apply_reference(loaded, profile, reference, on_progress=on_progress)
        return cls(comparison, matcher, background)

    def encode(self) -> Sequence[Encoding]:
        """Both documents with explanations."""
        return self.matcher.encode([self.comparison.a, self.comparison.b])

    def score_without(self, places: Iterable[Place]) -> float | None:
        """The score without some passages; None where too little is left to compare."""
        documents = documents_without(self.comparison, places)
        try:
            for document in documents:
                check_comparable(document)
        except ReadError:
            return None
        return self.matcher.match(*self.matcher.encode(documents, explain=False), explain=False).score

    def verdict_without(self, places: Iterable[Place]) -> tuple[bool, float] | None:
        """Verdict and score without some passages; None where too little is left, or there is no verdict."""
        score = self.score_without(places)
        if score is None:
            return None
        pair = self.comparison
        languages = (pair.a.language, pair.b.language)
        profile = judged_profile(pair, self.matcher)
        judged = judge_pair(score, self.matcher, profile, languages, self.background)
        return None if judged.similar is None else (judged.similar, score)


def judged_profile(comparison: Comparison, model: Matcher) -> str:
    """The profile by which a model judges the pair of a comparison."""
    if comparison.kind is None:
        return comparison.profile
    return profile_for(comparison.profile, comparison.kind, model.profiles)


def require_reference(comparison: Comparison, reference: Reference | None) -> None:
    """Raise ModelError if the comparison was made with a reference, which is missing here."""
    if comparison.reference is not None and reference is None:
        raise ModelError(f"the comparison was made with the reference {comparison.reference}: name it again")


def documents_without(comparison: Comparison, places: Iterable[Place]) -> list[Document]:
    """Both documents without some passages."""
    listed = list(places)
    return [
        leave_out(document, [p.span for p in listed if p.letter == letter])
        for letter, document in (("a", comparison.a), ("b", comparison.b))
    ]
