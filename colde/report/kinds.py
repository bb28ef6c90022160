"""Shared text by kind, in words for the reports."""

from __future__ import annotations

from dataclasses import dataclass

from colde.report.verdict import percent
from colde.results.shared import KINDS, Kind, SharedPassage, SharedText

MEANS: dict[Kind, str] = {
    "copied": "at least six words in a row that stand in both, a fact",
    "edited": "sentences of which at least half the words are the same, in the same order",
    "paraphrased": "sentences that say much the same in other words, by the model",
    "same subject": "sentences about the same, and no more, by the model",
}
LEFT_OUT = {
    "quotes": "quotations",
    "references": "references and citations",
    "boilerplate": "front matter, acknowledgements and licences",
    "small": "matches of fewer than twelve words",
}


@dataclass(frozen=True, slots=True)
class KindRow:
    """A line of the table: the shares of both texts as they are written, and the passages."""

    kind: Kind
    a: str
    b: str
    passages: tuple[SharedPassage, ...]
    means: str


def kind_rows(shared: SharedText) -> list[KindRow]:
    """The table, without the kinds that need a model where there was none."""
    kinds = KINDS if shared.by is not None else KINDS[:1]
    return [KindRow(k, _share(shared.a[k]), _share(shared.b[k]), shared.of(k), MEANS[k]) for k in kinds]


def kind_note(shared: SharedText) -> str:
    """Say how the shared words were counted."""
    said = [
        f"Of {shared.words_a:,} words of A and {shared.words_b:,} of B, each counted once, under the strongest kind."
    ]
    if shared.left_out:
        said.append(f"Not counted: {', '.join(LEFT_OUT[x] for x in shared.left_out)}.")
    return " ".join(said)


def _share(share: float) -> str:
    return "under 1 %" if 0 < share < 0.005 else f"{percent(share)} %"
