"""Judgement of a pair by a profile, withheld where model or profile do not cover the languages of the pair."""

from __future__ import annotations

from collections.abc import Sequence

from colde.judge.calibration import Background, Judgement, Profile, judge, judge_translation
from colde.judge.profiles import threshold_profile
from colde.judge.unknown_kinds import DocumentTraits
from colde.models.base import Card, Matcher
from colde.text.word_lists.language_names import language_name

ENGLISH = "en"
LETTERS = ("A", "B")


def judge_pair(
    score: float,
    model: Matcher,
    profile: str,
    languages: Sequence[str | None],
    traits: tuple[DocumentTraits, DocumentTraits] | None = None,
    background: Background | None = None,
    names: Sequence[str] = LETTERS,
) -> Judgement:
    """Judge a score by a profile of the model, unless the languages of the two documents forbid it.

    Args:
        languages: of the two documents, as ISO 639-1 codes; None where a language is not known.
        traits: as in `judge`.
        names: of the two documents, as the reason names them.
    """
    fitted = model.profiles.get(threshold_profile(profile))
    if (threshold := translation_threshold(fitted, languages)) is not None:
        return judge_translation(score, threshold, profile, background)
    unread = language_gap(languages, model.card, fitted, names)
    return judge(score, model.profiles, profile, background, unread=unread, traits=traits)


def translation_threshold(profile: Profile | None, languages: Sequence[str | None]) -> float | None:
    """The threshold of a profile for texts in these languages, where they are known and differ; None without one."""
    differ = None not in languages and len(set(languages)) > 1
    return profile.translation_threshold if profile is not None and differ else None


def language_gap(
    languages: Sequence[str | None], card: Card, profile: Profile | None, names: Sequence[str] = LETTERS
) -> str:
    """The reason why a threshold does not hold for these languages, as a clause; empty where it holds.

    A threshold does not hold for a pair in two languages, nor for a language that the model does not read or that its
    profile was not fitted on. A document whose language is not known counts as one that the model reads.
    """
    covered = covered_languages(card, profile)
    known = [(name, code) for name, code in zip(names, languages, strict=True) if code is not None]
    codes = {code for _, code in known}
    if len(codes) < 2 and codes <= set(covered):
        return ""
    if len(known) == 2 and len(codes) == 1:
        which = f"both texts are {language_name(known[0][1])}"
    else:
        which = ", ".join(f"{name} is {language_name(code)}" for name, code in known)
    if len(codes) > 1 and not card.languages and not card.encoder:
        return f"{which}, and the model compares words, which means little across languages"
    if codes <= set(covered):
        return f"{which}, and the threshold holds for two texts in one language"
    only = " and ".join(language_name(code) for code in covered)
    does = "the model reads" if card.languages else "the model's threshold was chosen on texts in"
    return f"{which}, and {does} {only} only"


def covered_languages(card: Card, profile: Profile | None) -> tuple[str, ...]:
    """Languages that a profile of a model holds for; English where a checkpoint does not record them."""
    fitted = profile.languages if profile is not None and profile.languages else (ENGLISH,)
    read = tuple(code for code in fitted if not card.languages or code in card.languages)
    return read or card.languages
