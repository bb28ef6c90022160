"""The split of both texts by kind of shared text, as rows of a table and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from colde.report.formatting import share_percent
from colde.results.shared_text import LABELS, Exclusion, Label, SharedPassage, SharedText

KIND_MEANINGS: Mapping[Label | Literal["rest"], str] = {
    "identical": "the same words, at least six in a row",
    "edited": "sentences of which at least half the words are the same, in the same order",
    "paraphrased": "sentences that say the same in other words",
    "translated": "sentences that say the same in the other language",
    "opposite": "sentences about the same matter that say the opposite",
    "same topic": "sentences about the same topic",
    "standard": "standard sentences and boilerplate that both texts have",
    "rest": "none of these",
}
EXCLUSION_LABELS: Mapping[Exclusion, str] = {
    "quotes": "quotations",
    "references": "references and citations",
    "boilerplate": "front matter, acknowledgements, licences and standard sentences",
    "small": "passages of fewer than twelve words",
}


@dataclass(frozen=True, slots=True)
class KindRow:
    """A row of the table.

    Attributes:
        kind: its name.
        a, b: the shares of both texts, formatted.
        passages: the passages of this kind; none for the rest.
    """

    kind: Label | Literal["rest"]
    a: str
    b: str
    passages: tuple[SharedPassage, ...]
    means: str


def kind_rows(shared: SharedText) -> list[KindRow]:
    """The kinds that were searched for, and the rest; opposite sentences and standard text only where there are any.

    A kind may have words and no passage of its own, where it is that of parts of other passages.
    """
    rows = [
        KindRow(
            kind, share_percent(shared.a[kind]), share_percent(shared.b[kind]), shared.of(kind),
            KIND_MEANINGS[kind],
        )
        for kind in LABELS
        if shared.of(kind) or shared.a[kind] or shared.b[kind] or (kind in shared.searched and kind != "opposite")
    ]  # fmt: skip
    a, b = share_percent(shared.rest("a")), share_percent(shared.rest("b"))
    return [*rows, KindRow("rest", a, b, (), KIND_MEANINGS["rest"])]


def kind_note(shared: SharedText) -> str:
    """How the words were counted, what was left out, and what was not searched for."""
    notes = [
        "The shares are of the words that are compared. Each word is counted once, under its strongest kind. The "
        "split depends on the two texts alone, not on the model."
    ]
    if shared.left_out:
        notes.append(f"Not counted: {', '.join(EXCLUSION_LABELS[x] for x in shared.left_out)}.")
    if shared.not_searched:
        notes.append(shared.not_searched)
    return " ".join(notes)


def split_payload(shared: SharedText) -> dict[str, Any]:
    """The split for the page, which counts it again without the passages that the reader leaves out.

    Returns:
        `kinds` and `rest` (label and meaning, the strongest first), `note` on how it was counted, `missing` on kinds
        that were not searched, and for each text its stretches as flat lists of start, end, number of the label or -1,
        words, and whether it is quoted.
    """
    *rows, rest = ({"label": row.kind, "means": row.means} for row in kind_rows(shared))
    labels = [row["label"] for row in rows]
    missing = [kind for kind in ("edited", "paraphrased") if kind not in shared.searched]
    return {
        "kinds": rows,
        "rest": rest,
        "note": kind_note(shared),
        "missing": f"{' and '.join(missing)} text not looked for" if missing else "",
        **{
            side: [
                number
                for s in stretches
                for number in (
                    s.start,
                    s.end,
                    -1 if s.kind is None else labels.index(s.kind),
                    int(s.words) if s.words.is_integer() else s.words,
                    int(s.quoted),
                )
            ]
            for side, stretches in shared.stretches.items()
        },
    }
