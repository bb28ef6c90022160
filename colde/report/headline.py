"""What was found in two texts, in one sentence: their changes where they are versions, else what they share."""

from __future__ import annotations

from collections.abc import Mapping

from colde.report.formatting import counted, share_percent
from colde.results.change import Change, ChangeKind
from colde.results.comparison import Comparison
from colde.results.shared_text import SAME_MEANING, SharedText
from colde.text.document import Document, Span
from colde.text.places import opening_words

WEIGHTY_CHANGES: Mapping[ChangeKind, tuple[str, str]] = {
    "negation": ("a negation", "negations"),
    "opposite": ("an opposite statement", "opposite statements"),
    "roles": ("an exchange of roles", "exchanges of roles"),
    "number": ("a number or date", "numbers or dates"),
    "name": ("a name", "names"),
    "obligation": ("an obligation", "obligations"),
}
"""Kinds of change that are counted beside all of them, where the most important change is of that kind."""


def headline(comparison: Comparison, *, related: bool) -> str:
    """What was found; empty while models run, and where the texts are too long to search.

    Args:
        related: whether the verdict says so; two texts without a shared passage are then on the same topic.
    """
    shared = comparison.shared
    if shared is None:
        return ""
    if comparison.a.text.split() == comparison.b.text.split():
        return "The two texts are identical."
    if shared.are_versions:
        return f"Two versions: {_changes(comparison.changes)}."
    return f"{'; '.join(filter(None, (_passages(shared), *_beside(shared, related=related))))}."


def _changes(changes: tuple[Change, ...]) -> str:
    if not changes:
        return "no change found"
    count = counted(len(changes), "change")
    weighty = changes[0].kind
    if weighty not in WEIGHTY_CHANGES:
        return count
    one, several = WEIGHTY_CHANGES[weighty]
    number = sum(change.kind == weighty for change in changes)
    return f"{count}, {number} of them {one if number == 1 else several}"


def _passages(shared: SharedText) -> str:
    number = _count(shared)
    if not number:
        searched = "shared" if set(SAME_MEANING[2:]) & {*shared.kinds} else " or ".join(shared.kinds)
        return f"No {searched} passage"
    share = sum(shared.a[kind] for kind in SAME_MEANING)
    words = counted(round(share * shared.words_a), "word")
    return f"{counted(number, 'shared passage')}, {words}, {share_percent(share)} of A"


def _count(shared: SharedText) -> int:
    """Passages that say the same and are not standard text."""
    return sum(len(shared.of(kind)) for kind in SAME_MEANING)


def _beside(shared: SharedText, *, related: bool) -> list[str]:
    """Clauses on the other passages."""
    opposite, standard = len(shared.of("opposite")), shared.a["standard"]
    return [
        "same topic" if related and not opposite and not _count(shared) else "",
        counted(opposite, "opposite statement") if opposite else "",
        f"{share_percent(standard)} of A is standard text that both have" if standard else "",
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
