"""Matrices over two lists of passages, and weights over one: what a model shows of a pair.

A map says itself what it is: what a cell means (`role`), what a row is (`level`), whose passages stand in rows and
columns (`side`), its unit and how it is to be coloured. Nobody has to read that out of a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from colde.text.document import Span

Array = NDArray[np.float32]
MapKind = Literal["cosine", "attention", "attribution", "term weight"]
Role = Literal["topic", "words", "passages", "contribution", "attention", "kept", "rank"]
"""Question that a cell answers: about the same matter, in the same words, a shared passage, what made the score, where
the model looked, what its filters kept, what ranks high in its graph."""
Level = Literal["section", "chunk", "block", "paragraph", "window", "sentence", "word"]
Side = Literal["across", "within_a", "within_b"]
Form = Literal["matrix", "weights"]
Scale = Literal["sequential", "diverging"]
Letter = Literal["a", "b"]

UNITS: dict[MapKind, str] = {
    "cosine": "cosine",
    "attention": "share of attention",
    "attribution": "part of the score",
    "term weight": "weight",
}
"""The unit of a map that names none, by its kind."""


@dataclass(frozen=True, slots=True, eq=False)
class SimilarityMap:
    """A matrix over two lists of passages.

    Attributes:
        values: [rows, columns], float32; NaN where a value does not exist, never infinite.
        rows, columns: the passages; `row_side` and `column_side` say whose.
        kind: which scale the values are on; scales of different kinds are never shared.
        meaning: one sentence for the reader: what a high value says, and what it does not.
        role: what a cell answers.
        level: what the finer of a row and a column is.
        side: `across`: rows of document a, columns of b; `within_a`, `within_b`: both of one document.
        form: `weights`: one row or one column stands for a whole text, and each of the others has a weight.
        unit: of a value, for the reader.
        scale: `diverging` where zero is a middle and values speak for or against.
        label: what tells it from other maps of its role, e.g. a hierarchy; empty where there is one alone.
        limits: the least and the greatest value there can be; None where there are none.
        reference, residual: of contributions: the sum of all values + reference + residual is the score.
        flat: the values vary no more than chance makes them; they are drawn in one colour.

    Raises:
        ValueError: the values have another shape, or are infinite.
    """

    values: Array
    rows: tuple[Span, ...]
    columns: tuple[Span, ...]
    kind: MapKind
    meaning: str
    role: Role
    level: Level
    side: Side = "across"
    form: Form = "matrix"
    unit: str = ""
    scale: Scale = "sequential"
    label: str = ""
    limits: tuple[float, float] | None = None
    reference: float | None = None
    residual: float | None = None
    flat: bool = False

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float32, copy=None, subok=False)
        if values.shape != (len(self.rows), len(self.columns)):
            raise ValueError(
                f"a map of {len(self.rows)} × {len(self.columns)} passages needs values of that shape, "
                f"got {values.shape}"
            )
        if np.isinf(values).any():
            raise ValueError("a map's values are finite, or NaN where there is none; got an infinite one")
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "rows", tuple(self.rows))
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "unit", self.unit or UNITS[self.kind])

    @property
    def row_side(self) -> Letter:
        """The document of the rows."""
        return "b" if self.side == "within_b" else "a"

    @property
    def column_side(self) -> Letter:
        """The document of the columns."""
        return "a" if self.side == "within_a" else "b"

    @property
    def weighted(self) -> tuple[Span, ...]:
        """Passages that have a weight each, in a map of `weights`; none in a matrix."""
        if self.form == "matrix":
            return ()
        return self.columns if len(self.rows) == 1 and self._whole_is_row() else self.rows

    def _whole_is_row(self) -> bool:
        """Whether the single row stands for the whole text; of 1 × 1, whether the column lies in the row."""
        return len(self.columns) != 1 or len(self.rows[0]) >= len(self.columns[0])

    def value_rows(self) -> Iterator[list[float | None]]:
        """The values row by row as the JSON file has them: rounded, a missing value as None."""
        digits = 9 if self.role == "contribution" else 6  # millions of small parts must still add up
        for row in self.values:
            yield [
                None if v != v else round(v, digits) for v in row.tolist()
            ]  # NaN is no number, itself included

    def to_dict(self) -> dict[str, Any]:
        """The MAP of the JSON file: values as lists, a missing value as None."""
        return self.with_values(list(self.value_rows()))

    def with_values(self, values: Iterable[list[float | None]]) -> dict[str, Any]:
        """The MAP of the JSON file around its values, which can be an iterator (`colde.results.json_text`)."""
        found: dict[str, Any] = {
            "values": values,
            "rows": [{"start": s.start, "end": s.end} for s in self.rows],
            "columns": [{"start": s.start, "end": s.end} for s in self.columns],
            "kind": self.kind,
            "meaning": self.meaning,
            "role": self.role,
            "level": self.level,
            "side": self.side,
            "form": self.form,
            "unit": self.unit,
            "scale": self.scale,
            "label": self.label,
        }
        if self.flat:
            found["flat"] = True
        if self.reference is not None:
            total = float(np.nansum(self.values, dtype=np.float64))
            found |= {"sum": total, "reference": self.reference, "residual": self.residual}
        return found


T = TypeVar("T")


def sides(a: T, b: T) -> tuple[tuple[Side, T], tuple[Side, T]]:
    """Each document with the side of the maps within it."""
    return (("within_a", a), ("within_b", b))
