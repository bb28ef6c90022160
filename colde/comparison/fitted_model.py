"""A model fitted to a profile, a reference or an encoder, and its judgement of each pair of documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from colde.comparison.language_coverage import LETTERS, judge_pair
from colde.comparison.standard_text import prepare_documents
from colde.encoders.encoder_names import PACKAGED
from colde.judge.calibration import QUANTILES, Background, Judgement
from colde.judge.kind_detector import detect_document_kind
from colde.judge.profiles import DETECT, profile_for, threshold_profile
from colde.judge.reference import Reference
from colde.judge.unknown_kinds import DocumentTraits
from colde.models.base import EncoderAware, Matcher, ProfileAware
from colde.results.progress import OnProgress
from colde.results.verdicts.pair_kind import NO_KIND, DocumentKind, PairKind
from colde.text.document import Document

PAIRS = 2_000  # random pairs, few of which are related


def apply_reference(
    matcher: Matcher,
    profile: str,
    reference: Reference | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[Matcher, Background | None]:
    """The matcher for documents of a profile or of a reference, and the background of the reference.

    The documents of the reference are prepared as those that are compared. The background depends on the model and the
    reference alone; the reference stores it.
    """
    if reference is None:
        return (matcher.for_profile(profile) if isinstance(matcher, ProfileAware) else matcher), None
    profile = threshold_profile(profile)
    key = matcher, profile  # the model object, not its name, which another model may have
    if key not in reference.applied:
        reference.applied[key] = _apply(matcher, profile, reference, on_progress)
    applied: tuple[Matcher, Background] = reference.applied[key]
    return applied


def _apply(
    matcher: Matcher, profile: str, reference: Reference, on_progress: OnProgress | None
) -> tuple[Matcher, Background]:
    documents = prepare_documents(reference.documents)
    encoded = matcher.encode(documents, explain=False, on_progress=on_progress)
    if isinstance(matcher, ProfileAware):
        matcher = matcher.for_profile(profile, encoded)
        encoded = matcher.encode(documents, explain=False)  # with the new centre; slow parts are cached
    indices = np.random.default_rng(0).integers(len(encoded), size=(PAIRS, 2)).tolist()
    drawn = [(i, j) for i, j in indices if i != j]
    scored = {(i, j): matcher.match(encoded[i], encoded[j], explain=False).score for i, j in set(drawn)}
    scores = [scored[pair] for pair in drawn]
    return matcher, Background(
        name=reference.name,
        documents=len(documents),
        # A threshold is not measured in standard deviations of a probability.
        score_std=float(np.std(scores)) if matcher.card.score_kind != "probability" else 0.0,
        quantiles=tuple(float(q) for q in np.quantile(scores, np.linspace(0, 1, QUANTILES))),
    )


def over_encoder(matcher: Matcher, encoder: str) -> Matcher:
    """The model over the encoder of this name; the model itself where it uses none, or for the packaged one.

    Raises:
        ModelError, MissingExtraError: there is no such encoder.
    """
    if encoder == PACKAGED or not isinstance(matcher, EncoderAware):
        return matcher
    return matcher.for_encoder(encoder)


def loader_over_encoder(load: Callable[[str], Matcher], encoder: str) -> Callable[[str], Matcher]:
    """A loader of models by name that gives each over this encoder."""
    return load if encoder == PACKAGED else lambda name: over_encoder(load(name), encoder)


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """What a judgement needs of a document: its kind, its language, and the number of its words."""

    kind: DocumentKind
    language: str | None
    words: int

    @classmethod
    def of(cls, document: Document, kind: DocumentKind) -> Self:
        """Of a document of a known kind."""
        return cls(kind, document.language, document.words())


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
        """What a judgement needs of a document; its kind is detected where it matters."""
        kind = detect_document_kind(document) if self.asked == DETECT else NO_KIND
        return JudgedDocument.of(document, kind)

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
        self,
        score: float,
        a: JudgedDocument,
        b: JudgedDocument,
        names: tuple[str, str] = LETTERS,
        self_similarity: tuple[float | None, float | None] = (None, None),
        *,
        any_language: bool = False,
    ) -> Judgement:
        """The judgement of a score of `matcher(profile(a, b))`: what every command, the service and the page say.

        Args:
            names: of the two documents, as a reason for no verdict names them.
            self_similarity: as in `PairResult`; without it, for estimates, a typical one is taken.
            any_language: whether the languages of the documents are left out of account.
        """
        profile = self.profile(a, b)
        matcher, background = self._fit(profile)
        languages = (None, None) if any_language else (a.language, b.language)
        traits = DocumentTraits(a.words, self_similarity[0]), DocumentTraits(b.words, self_similarity[1])
        return judge_pair(score, matcher, profile, languages, traits, background, names)

    def _fit(self, profile: str) -> tuple[Matcher, Background | None]:
        if profile not in self._fitted:
            self._fitted[profile] = apply_reference(
                self.model, profile, self._reference, on_progress=self._report
            )
        return self._fitted[profile]
