"""The verdict in words, with what it is based on and what it does not say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from colde.judge.profile_fit import ENOUGH_PAIRS
from colde.judge.profiles import GENERAL, NONE, describe, profile_of, profile_table, threshold_profile
from colde.models import cards
from colde.report.formatting import apart, counted, listed, plural, share_percent
from colde.report.wording.headline import StandardText, headline, strongest_passage
from colde.report.wording.shared_vocabulary import describe_shared_vocabulary
from colde.results.collection import SAME_TEXT
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.results.progress import Provisional
from colde.results.verdicts.prior import BALANCED
from colde.results.verdicts.verdict_words import Stance, as_ratio, percent, stance_of

NOT_CALIBRATED = "The model was not calibrated on documents of this kind, so there is no probability."
OTHER_KINDS = "No known kind: the probability rests on {pairs:,} pairs of {kinds} other kinds."
DEPENDS = (
    "which depends on the lengths of the two texts and on how similar the parts of each are to each other"
)

SAME, NEARLY_SAME = "Almost surely related", "Nearly the same text"
"""The labels of two texts that are identical, and of two that nearly are: they need no calibration."""
MAX_PLACE = 120
"""Characters of the heading above a passage, here and in the reports."""


def stance(score: Score) -> Stance:
    """The answer of a score on the pair. The reader's prior changes nothing here."""
    return stance_of(score.balanced, score.similar)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A sentence for each question of a reader.

    Attributes:
        label: a few words, e.g. `Probably related`.
        headline: what was found; while that is not known, the sentence on relatedness.
        related: the label with its probability, or with the reason why there is none; empty where it is the headline.
        detail: the kind of documents that the pair was judged as, or why there is no probability.
        means: the meaning of the probability, and the position of the pair among unrelated ones.
        strongest: the strongest passage, or an empty string.
        basis: the model, and the pairs that its threshold was chosen on.
        caution: what the verdict does not say.
    """

    label: str
    headline: str
    related: str
    detail: str
    means: str
    strongest: str
    basis: str
    caution: str

    @property
    def sentence(self) -> str:
        """What was found, whether the two are related, and the detail."""
        return " ".join(filter(None, (self.headline, self.related, self.detail)))

    def __str__(self) -> str:
        return f"{self.sentence} {self.strongest}".strip()


def verdict(comparison: Comparison, standard: StandardText = "apart") -> Verdict:
    """The verdict of the first model of a comparison.

    Args:
        standard: how standard text counts in the headline.

    Raises:
        ValueError: the comparison has no score yet.
    """
    if not comparison.models:
        raise ValueError("no model has finished yet")
    score = comparison.models[0]
    label, same = _identical(comparison) or (score.says, "")
    related = f"{label}: {same}." if same else _related(label, score)
    what_is_shared = headline(comparison, related=stance(score) == "related", standard=standard)
    return Verdict(
        label=label,
        headline=what_is_shared or related,
        related=related if what_is_shared else "",
        detail=_detail(comparison, nearly_identical=bool(same)),
        means="" if score.no_verdict else _probability_meaning(score, comparison.reference),
        strongest=strongest_passage(comparison),
        basis=_basis(score, comparison.reference),
        caution=(
            "This is a measurement, not a proof: two documents can be alike without one having used the "
            f"other{'' if score.no_verdict else ', and a score near the threshold is inconclusive'}. Read the "
            "passages and decide yourself."
        ),
    )


def _detail(comparison: Comparison, *, nearly_identical: bool) -> str:
    """Args:
    nearly_identical: the sentence on relatedness then says how much of both texts is identical.
    """
    score = comparison.models[0]
    if not score.no_verdict:
        return _judged_as(score, comparison)
    if nearly_identical:
        return f"{score.title} does not judge this pair: {score.no_verdict}."
    return describe_shared_vocabulary(comparison)


def _identical(comparison: Comparison) -> tuple[str, str] | None:
    """A label, and how much of both texts is identical, where it is nearly all of both; else None."""
    if comparison.split is None:
        return None
    a, b = (comparison.split[side]["identical"] for side in ("a", "b"))
    if min(a, b) < SAME_TEXT:
        return None
    label = SAME if min(a, b) == 1 else NEARLY_SAME
    return label, f"{share_percent(a)} of A and {share_percent(b)} of B are identical"


def missing_verdict_notes(results: Sequence[Score]) -> list[str]:
    """A sentence for each reason for which models give no verdict, with their names."""
    models: dict[str, list[str]] = {}
    for score in results:
        if score.no_verdict:
            models.setdefault(score.no_verdict, []).append(score.title)
    return [f"No verdict from {listed(titles)}: {reason}." for reason, titles in models.items()]


def provisional_verdict(so_far: Provisional) -> tuple[str, str]:
    """Headline while a model still reads, and a sentence on how far the score may still change."""
    outlook = {True: "related", False: "unrelated", None: "too close to call"}[so_far.similar]
    if so_far.threshold is None:
        outlook = "no verdict, only a score"
    value, threshold = apart(so_far.score, so_far.threshold)
    limit = "" if so_far.threshold is None else f", threshold {threshold}"
    return (
        f"So far: {outlook}.",
        f"{100 * so_far.read:.0f} % of both texts processed. Score so far {value}{limit}, typically within "
        f"±{so_far.spread:.3f} of the final score.",
    )


def _related(label: str, score: Score) -> str:
    if score.no_verdict:
        return f"{label}: {score.no_verdict}."
    if score.probability is not None:
        likely = percent(score.probability)
        return f"{label}: {likely} in 100 such pairs {plural(likely, 'is', 'are')} related."
    if score.threshold is None:
        return f"{label}: the score is {score.score:.2f}, and there is no threshold."
    side = "reaches" if score.similar else "is below"
    value, threshold = apart(score.score, score.threshold)
    return f"{label}: the score {value} {side} the threshold {threshold}."


def _judged_as(score: Score, comparison: Comparison) -> str:
    if score.profile == NONE:
        return NOT_CALIBRATED if score.probability is None else _rests_on(score)
    if score.profile is None:
        return ""
    kind = describe(score.profile)
    title = kind.title[:1].lower() + kind.title[1:] if kind.related else f"the profile {kind.title}"
    title = "documents of any kind" if score.profile == GENERAL else title
    if score.probability is not None:
        return f"Kind of documents: {title}."
    if comparison.reference is not None:
        return f"Compared with {comparison.reference}, so there is no probability."
    why = f"{score.title} has no calibration for it"
    if score.fit is not None and score.fit.pairs < ENOUGH_PAIRS:
        why = f"it was fitted on {counted(score.fit.pairs, 'pair')}, fewer than {ENOUGH_PAIRS}"
    return f"Kind of documents: {title}. {why[:1].upper()}{why[1:]}, so there is no probability."


def _rests_on(score: Score) -> str:
    """What a probability for a pair of no kind that has a profile rests on."""
    if score.fit is None or score.fit.kinds is None:
        return ""
    return OTHER_KINDS.format(pairs=score.fit.pairs, kinds=score.fit.kinds)


def _probability_meaning(score: Score, reference: str | None) -> str:
    parts = []
    if score.probability is not None:
        parts.append(f"{_frequency(score)}.")
    if score.percentile is not None:
        share = share_percent(score.percentile)
        pairs = "unrelated pairs"
        if score.probability is None and (
            corpora := describe_corpora(score.name, score.profile, score.corpora)
        ):
            pairs = f"unrelated pairs of {corpora}"
        if reference is not None:
            pairs = f"pairs drawn at random from {reference}"
        parts.append(f"Higher than {share} of {pairs}.")
    return " ".join(parts)


def _frequency(score: Score) -> str:
    """The probability as a count of pairs, which `_basis` describes."""
    balanced, likely = percent(score.balanced or 0.0), percent(score.probability or 0.0)
    if score.prior == BALANCED:
        were = plural(balanced, "was", "were")
        return f"{balanced} of 100 validation pairs with a similar score {were} related (half of all were)"
    are = plural(likely, "is", "are")
    return (
        f"If {as_ratio(score.prior)} pairs are related, {likely} of 100 pairs with a similar score {are} related (if "
        f"half are related: {balanced} of 100)"
    )


def _basis(score: Score, reference: str | None) -> str:
    """The pairs that the threshold was chosen on, or the reason for having none."""
    if score.no_verdict:
        of_random = ""
        if reference is not None and score.percentile is not None:
            share = percent(score.percentile)
            of_random = f" That is higher than {share} % of pairs drawn at random from {reference}."
        return (
            f"{score.title} gives {score.score:.2f}. There is no threshold and no probability for it: "
            f"{score.no_verdict}.{of_random}"
        )
    if score.threshold is None or score.profile is None:
        return f"The score is from {score.title}, which has no threshold."
    value, threshold = apart(score.score, score.threshold)
    number = f"By {score.title}: score {value}, threshold {threshold}"
    if score.profile == NONE and score.fit is not None:
        return f"{number}, {DEPENDS}.{_balance(score)}{_calibration_error(score)}"
    profile = threshold_profile(score.profile)
    corpora = describe_corpora(score.name, profile, score.corpora)
    if reference is not None and profile == GENERAL:
        pairs = f"pairs of {corpora}" if corpora else "pairs of corpora that its checkpoint does not record"
        return f"{number}; the threshold was chosen on {pairs} and rescaled to {reference}.{_balance(score)}"
    if not corpora:
        return (
            f"{number}, of the profile {profile}; its checkpoint does not record which corpora it was fitted "
            f"on.{_balance(score)}"
        )
    count = "" if score.fit is None else f"{score.fit.pairs:,} "
    return f"{number}; the threshold was chosen on {count}validation pairs of {corpora}.{_balance(score)}"


def _calibration_error(score: Score) -> str:
    error = None if score.fit is None else score.fit.calibration_error
    return (
        ""
        if error is None
        else f" On kinds that were left out of the fit, its calibration error was {error:.2f}."
    )


def _balance(score: Score) -> str:
    """The share of related pairs that threshold and probability assume."""
    if score.prior != BALANCED:
        return (
            " The threshold, and the verdict of each model, still assume that half of the pairs are related."
        )
    if score.probability is None:
        return ""
    if score.profile == NONE:
        return " The probability is for as many related as unrelated pairs."
    return " The probability was measured on pairs of the same kind, of which half were related."


def describe_corpora(model: str, profile: str | None, corpora: Sequence[str]) -> str:
    """Documents of the corpora, as after “pairs of”, or names of a user's corpora; empty where none are recorded.

    Args:
        model, profile: their names. Only profiles that ship with a model are known to be fitted on the corpora of
            profiles.toml: a corpus of the user may have the same name.
    """
    packaged = model in cards() and profile in profile_table()
    kinds = [describe(profile_of(name)).documents if packaged else "" for name in corpora]
    if all(kinds):
        return listed(kinds)
    return f"the {'corpora' if len(corpora) > 1 else 'corpus'} {listed([f'“{name}”' for name in corpora])}"
