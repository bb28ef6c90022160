"""What was found in two texts, in one sentence: their changes where they are versions, else what they share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from colde.report.formatting import counted, share_percent, shorten
from colde.results.change import Change, ChangeKind
from colde.results.comparison import Comparison
from colde.results.shared_text import SAME_MEANING, VERSIONS, SharedText
from colde.text.document import Document, Span
from colde.text.places import opening_words

StandardText = Literal["apart", "with", "out"]
"""How standard text counts: as a kind of its own, as all other text, or not at all."""
MAX_TITLE = 80
"""Characters of a title that is quoted."""
WEIGHTY_CHANGES: Mapping[ChangeKind, tuple[str, str]] = {
    "negation": ("a negation", "negations"),
    "opposite": ("an opposite statement", "opposite statements"),
    "roles": ("an exchange of roles", "exchanges of roles"),
    "obligation": ("an obligation", "obligations"),
    "number": ("a number or date", "numbers or dates"),
    "condition": ("a condition", "conditions"),
    "quantifier": ("a quantifier", "quantifiers"),
    "name": ("a name", "names"),
}
"""Kinds of change that are counted beside all of them, where the most important change is of that kind."""


def headline(comparison: Comparison, *, related: bool, standard: StandardText = "apart") -> str:
    """What was found; empty while models run, and where the texts are too long to search.

    Args:
        related: whether the verdict says so; two texts without a shared passage are then on the same topic.
        standard: how standard text counts.
    """
    shared = comparison.shared
    if shared is None:
        return ""
    if comparison.a.text.split() == comparison.b.text.split():
        return f"The two texts are identical.{titles_note(comparison)}"
    if shared.are_versions:
        return f"{_versions(shared)}: {_changes(comparison.changes)}.{titles_note(comparison)}"
    beside = _beside(shared, standard, related=related)
    return f"{'; '.join(filter(None, (_passages(shared, standard), *beside)))}."


def _versions(shared: SharedText) -> str:
    """What the texts are: two versions, or a text most of which is in another one that has much more."""
    shares = {"A": shared.same_words("a"), "B": shared.same_words("b")}
    if min(shares.values()) >= VERSIONS:
        return "Two versions"
    inside, around = sorted(shares, key=shares.__getitem__, reverse=True)
    return f"{share_percent(shares[inside])} of {inside} is in {around}, identical or edited"


def titles_note(comparison: Comparison) -> str:
    """That two titles differ which are no part of the texts, as a sentence after a space; else empty."""
    titles = [(d.title.split(), d.text.split()) for d in (comparison.a, comparison.b)]
    in_text = any(text[: len(title)] == title for title, text in titles)
    if in_text or titles[0][0] == titles[1][0]:
        return ""
    one, other = (shorten(document.title, MAX_TITLE) for document in (comparison.a, comparison.b))
    return f" The titles differ: “{one}” → “{other}”."


def _changes(changes: tuple[Change, ...]) -> str:
    if not changes:
        return "no change found"
    other = [change.kind for change in changes if change.kind != "form"]
    form = counted(len(changes) - len(other), "difference of form", "differences of form")
    if not other:
        return form
    count = counted(len(other), "change")
    weighty = other[0]
    if weighty in WEIGHTY_CHANGES:
        one, several = WEIGHTY_CHANGES[weighty]
        number = other.count(weighty)
        count += f", {number} of them {one if number == 1 else several}"
    return count if len(other) == len(changes) else f"{count}; {form}"


def _passages(shared: SharedText, standard: StandardText) -> str:
    number = _count(shared, standard)
    if not number:
        searched = "shared" if set(SAME_MEANING[2:]) & {*shared.searched} else " or ".join(shared.searched)
        return f"No {searched} passage"
    share, standard_share = sum(shared.a[kind] for kind in SAME_MEANING), shared.a["standard"]
    share += standard_share if standard == "with" else 0
    words = counted(round(share * shared.words_a), "word")
    share /= 1 - standard_share if standard == "out" else 1
    return f"{counted(number, 'shared passage')}, {words}, {share_percent(share)} of A"


def _count(shared: SharedText, standard: StandardText) -> int:
    """Passages that say the same; those of standard text where it counts with the rest."""
    return sum(p.kind in SAME_MEANING and (standard == "with" or not p.standard) for p in shared.passages)


def passages_heading(shared: SharedText) -> str:
    """The heading of the list of passages, where none may say the same in both texts."""
    return "Closest passages" if shared.passages and not _count(shared, "with") else "Shared passages"


def _beside(shared: SharedText, standard: StandardText, *, related: bool) -> list[str]:
    """Clauses on the other passages."""
    opposite, apart = len(shared.of("opposite")), shared.a["standard"] if standard == "apart" else 0
    return [
        "same topic" if related and not opposite and not _count(shared, standard) else "",
        counted(opposite, "opposite statement") if opposite else "",
        f"{share_percent(apart)} of A is standard text that both have" if apart else "",
    ]


def strongest_passage(comparison: Comparison) -> str:
    """A sentence that names the first passage of the list by its first words, else the closest sentences."""
    shared = comparison.shared
    if shared is None:
        return ""
    if shared.passages:
        first = shared.passages[0]
        what = "Strongest" if first.kind in SAME_MEANING and not first.standard else "Closest"
        return f"{what} passage: {_named(comparison.a, first.a, comparison.b, first.b)} ({first.label})."
    if shared.closest:
        pair = shared.closest[0]
        return f"Closest sentences: {_named(comparison.a, pair.a, comparison.b, pair.b)}."
    return ""


def _named(a: Document, span_a: Span, b: Document, span_b: Span) -> str:
    return " ↔ ".join(dict.fromkeys((opening_words(a, span_a), opening_words(b, span_b))))
