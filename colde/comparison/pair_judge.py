"""A model that judges each pair of documents by the profile asked for, or by the kind of the pair."""

from __future__ import annotations

from dataclasses import dataclass

from colde.comparison.fitted_model import apply_reference
from colde.comparison.language_coverage import LETTERS, judge_pair
from colde.judge.calibration import Background, Judgement
from colde.judge.kind_detector import detect_kind
from colde.judge.profiles import DETECT, profile_for
from colde.judge.reference import Reference
from colde.models.base import Matcher
from colde.results.pair_kind import DocumentKind, PairKind
from colde.results.progress import OnProgress
from colde.text.document import Document

NO_KIND = DocumentKind(None, 0.0)


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """What a judgement needs of a document: its kind and its language."""

    kind: DocumentKind
    language: str | None


class PairJudge:
    """A loaded model and a profile, with a reference or without: gives the model and the judgement for a pair.

    Attributes:
        model: the loaded model, before it is fitted to a profile.
        asked: the profile, or `auto`.
    """

    def __init__(
        self,
        model: Matcher,
        asked: str,
        reference: Reference | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self.model, self.asked = model, asked
        self._reference, self._report = reference, on_progress
        self._fitted: dict[str, tuple[Matcher, Background | None]] = {}

    def document(self, document: Document) -> JudgedDocument:
        """The kind of a document, where it matters, and its language."""
        return JudgedDocument(detect_kind(document) if self.asked == DETECT else NO_KIND, document.language)

    def profile(self, a: JudgedDocument, b: JudgedDocument) -> str:
        """The profile of a pair."""
        return profile_for(self.asked, PairKind(a.kind, b.kind), self.model.profiles)

    def matcher(self, profile: str) -> Matcher:
        """The model for documents of a profile."""
        return self._fit(profile)[0]

    def background(self, profile: str) -> Background | None:
        """Unrelated pairs of the reference, as the model for this profile scores them; None without a reference."""
        return self._fit(profile)[1]

    def judge(
        self, score: float, a: JudgedDocument, b: JudgedDocument, names: tuple[str, str] = LETTERS
    ) -> Judgement:
        """The judgement of a score of `matcher(profile(a, b))`."""
        profile = self.profile(a, b)
        matcher, background = self._fit(profile)
        return judge_pair(score, matcher, profile, (a.language, b.language), background, names)

    def _fit(self, profile: str) -> tuple[Matcher, Background | None]:
        if profile not in self._fitted:
            self._fitted[profile] = apply_reference(
                self.model, profile, self._reference, on_progress=self._report
            )
        return self._fitted[profile]
