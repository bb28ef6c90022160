"""The split of both texts by kind of shared text, as rows of a table and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from colde.report.formatting import share_percent
from colde.results.shared_text import KINDS, REST, SAME_MEANING, Exclusion, Kind, SharedPassage, SharedText

KIND_LABELS: Mapping[Kind, str] = {
    "copied": "identical",
    "edited": "edited",
    "paraphrased": "paraphrased",
    "translation": "translated",
    "opposite": "opposite",
    "same subject": "same topic",
}
"""Names of the kinds on the page and in the HTML report; the terminal prints their identifiers, which scripts read."""
KIND_MEANINGS: Mapping[Kind | Literal["rest"], str] = {
    "copied": "the same words, at least six in a row",
    "edited": "sentences of which at least half the words are the same, in the same order",
    "paraphrased": "sentences that say the same in other words",
    "translation": "sentences that say the same in the other language",
    "opposite": "sentences about the same matter that say the opposite",
    "same subject": "sentences about the same topic",
    "rest": "none of these",
}
EXCLUSION_LABELS: Mapping[Exclusion, str] = {
    "quotes": "quotations",
    "references": "references and citations",
    "boilerplate": "front matter, acknowledgements, licences and standard sentences",
    "small": "matches of fewer than twelve words",
}


@dataclass(frozen=True, slots=True)
class KindRow:
    """A row of the table.

    Attributes:
        kind: its identifier.
        label: its name on the page.
        a, b: the shares of both texts, formatted.
        passages: the passages of this kind; none for the rest.
    """

    kind: Kind | Literal["rest"]
    label: str
    a: str
    b: str
    passages: tuple[SharedPassage, ...]
    means: str


def kind_rows(shared: SharedText) -> list[KindRow]:
    """The kinds that were searched for, and the rest; opposite sentences only where there are any."""
    rows = [
        KindRow(
            kind, KIND_LABELS[kind], share_percent(shared.a[kind]), share_percent(shared.b[kind]), shared.of(kind),
            KIND_MEANINGS[kind],
        )
        for kind in KINDS
        if kind in shared.kinds and (kind != "opposite" or shared.of(kind))
    ]  # fmt: skip
    a, b = share_percent(shared.rest("a")), share_percent(shared.rest("b"))
    return [*rows, KindRow("rest", REST, a, b, (), KIND_MEANINGS["rest"])]


def kind_note(shared: SharedText) -> str:
    """How the words were counted, what was left out, and what was not searched for."""
    notes = [
        f"Of {shared.words_a:,} words of A and {shared.words_b:,} of B; each is counted once, under the strongest "
        "kind. The split depends on the two texts alone, not on the model."
    ]
    if shared.left_out:
        notes.append(f"Not counted: {', '.join(EXCLUSION_LABELS[x] for x in shared.left_out)}.")
    if shared.not_searched:
        notes.append(shared.not_searched)
    return " ".join(notes)


def split_summary(shared: SharedText) -> dict[str, str]:
    """One line for each text, by `a` and `b`, and the `note` on how it was counted.

    A line is e.g. `12 % identical, 3 % edited, paraphrased text not looked for`.
    """
    rows = [row for row in kind_rows(shared) if row.kind in SAME_MEANING]
    missing = [KIND_LABELS[kind] for kind in ("edited", "paraphrased") if kind not in shared.kinds]
    rest = [f"{' and '.join(missing)} text not looked for"] if missing else []
    return {
        "a": ", ".join([*(f"{row.a} {row.label}" for row in rows), *rest]),
        "b": ", ".join([*(f"{row.b} {row.label}" for row in rows), *rest]),
        "note": kind_note(shared),
    }
