"""A model asked again about the texts of a finished comparison, with some passages left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from colde import models as registry
from colde.comparison.checks import check_comparable
from colde.comparison.fitted_model import JudgedDocument, PairJudge, over_encoder
from colde.comparison.model_run import Loader
from colde.errors import ModelError, ReadError
from colde.explain.counterfactual import Place
from colde.judge.reference import Reference
from colde.models.base import Matcher
from colde.results.comparison import Comparison
from colde.results.encoding import Encoding
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress
from colde.results.verdicts.pair_kind import NO_KIND, PairKind
from colde.text.document import Document
from colde.text.sections.passage_removal import leave_out


@dataclass(frozen=True, slots=True)
class ModelProbe:
    """A model as it judged a comparison."""

    comparison: Comparison
    judge: PairJudge
    documents: tuple[JudgedDocument, JudgedDocument]

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
        judge = PairJudge(loaded, comparison.profile, reference, on_progress=on_progress)
        return cls(comparison, judge, _judged(comparison, comparison.a, comparison.b))

    @property
    def matcher(self) -> Matcher:
        """The model for the profile of the pair."""
        return self.judge.matcher(self.judge.profile(*self.documents))

    def encode(self) -> Sequence[Encoding]:
        """Both documents with explanations."""
        return self.matcher.encode([self.comparison.a, self.comparison.b])

    def score_without(self, places: Iterable[Place]) -> float | None:
        """The score without some passages; None where too little is left to compare."""
        matched = self._match_without(documents_without(self.comparison, places))
        return None if matched is None else matched.score

    def _match_without(self, documents: Sequence[Document]) -> PairResult | None:
        try:
            for document in documents:
                check_comparable(document)
        except ReadError:
            return None
        return self.matcher.match(*self.matcher.encode(documents, explain=False), explain=False)

    def verdict_without(self, places: Iterable[Place]) -> tuple[bool, float] | None:
        """Verdict and score without some passages; None where too little is left, or there is no verdict."""
        documents = documents_without(self.comparison, places)
        matched = self._match_without(documents)
        if matched is None:
            return None
        rest = _judged(self.comparison, *documents)
        judged = self.judge.judge(matched.score, *rest, self_similarity=matched.self_similarity)
        return None if judged.similar is None else (judged.similar, matched.score)


def _judged(comparison: Comparison, a: Document, b: Document) -> tuple[JudgedDocument, JudgedDocument]:
    """Both documents, or what is left of them, with the kinds of the whole documents."""
    kind = comparison.kind or PairKind(NO_KIND, NO_KIND)
    return JudgedDocument.of(a, kind.a), JudgedDocument.of(b, kind.b)


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
