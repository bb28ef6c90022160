"""Maps of a model: matrices over two lists of passages, and weights over one.

A map describes itself: what a cell measures (`role`), what a row is (`level`), whose passages are the rows and columns
(`side`), its unit and colour scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from colde.serialise import JsonFields, JsonObject, Offset, Text
from colde.text.document import Span

Array = NDArray[np.float32]
MapKind = Literal["cosine", "attention", "attribution", "term weight"]
Role = Literal["topic", "words", "passages", "contribution", "attention", "kept", "rank"]
Level = Literal["section", "chunk", "block", "paragraph", "window", "sentence", "word"]
Side = Literal["across", "within_a", "within_b"]
Form = Literal["matrix", "weights"]
Scale = Literal["sequential", "diverging"]
Letter = Literal["a", "b"]

SMALL = 10_000
"""Cells of a map that is written with all decimals: sections and chunks. Larger ones have three significant digits of
their greatest value."""
STRONGEST = 20_000
"""Cells of a map of which the strongest alone are written."""

UNITS: dict[MapKind, str] = {
    "cosine": "cosine",
    "attention": "share of attention",
    "attribution": "part of the score",
    "term weight": "weight",
}
"""The unit of a map that names none, by its kind."""


@dataclass(frozen=True, slots=True, eq=False)
class SimilarityMap(JsonObject):
    """A matrix over two lists of passages.

    Attributes:
        values: [rows, columns], float32; NaN where a value does not exist, never infinite.
        written_values: one list a row, one value a column; None where a value does not exist, and instead of the list
            where `cells` are written.
        cells: row, column and value of the strongest cells, strongest first, where the map is too large to be written.
        strongest_only: whether files have `cells` alone.
        rows, columns: the passages; `side` says of which text.
        kind: the scale of the values; values of different kinds cannot be compared.
        meaning: what a high value means, and what it does not.
        role: what a cell measures: topic similarity, shared vocabulary, shared passages, contribution to the score,
            attention, what the model's filters kept, rank in its graph.
        level: the finer level of rows and columns.
        side: `across`: rows of document a, columns of b; `within_a`, `within_b`: both of one document.
        form: `weights`: one row or one column stands for a full text, and each of the others has a weight.
        unit: unit of a value.
        scale: `diverging`: zero is the middle; values increase or decrease the score.
        label: distinguishes maps of the same role, such as hierarchies; empty where there is only one.
        limits: the least and the greatest possible value; None where there are none.
        reference: of contributions: the sum of all values + reference + residual is the score of the model; of
            `contribution_word`, the cell of its two sentences.
        residual: of contributions: the part of the score that no pair of passages adds.
        sum: of contributions: the sum of all values.
        flat: the values vary no more than those of the same network with random weights; drawn in one colour.

    Raises:
        ValueError: the values have another shape, or are infinite.
    """

    values: Array
    rows: tuple[Span, ...]
    columns: tuple[Span, ...]
    kind: MapKind
    meaning: Text
    role: Role
    level: Level
    side: Side = "across"
    form: Form = "matrix"
    unit: Text = ""
    scale: Scale = "sequential"
    label: str = ""
    limits: tuple[float, float] | None = None
    reference: float | None = None
    residual: float | None = None
    flat: bool = False
    strongest_only: bool = False

    JSON: ClassVar = JsonFields(
        "written_values rows columns kind meaning role level side form unit scale label",
        optional="cells flat sum reference residual",
    )

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

    @property
    def written_values(self) -> Iterator[list[float | None]] | None:
        """The values row by row as files have them: rounded, a missing value as None; None for `strongest_only`."""
        return None if self.strongest_only else self._rounded_rows()

    @property
    def cells(self) -> tuple[tuple[Offset, Offset, float], ...]:
        """Row, column and value of the `STRONGEST` cells, strongest first; none where all values are written."""
        if not self.strongest_only:
            return ()
        sizes = np.nan_to_num(np.abs(self.values)).ravel()
        order = np.argpartition(-sizes, min(STRONGEST, len(sizes) - 1))[:STRONGEST]
        order = order[np.lexsort((order, -sizes[order]))]
        places = zip(*np.unravel_index(order, self.values.shape), strict=True)
        return tuple((int(i), int(j), float(f"{self.values[i, j]:.4g}")) for i, j in places)

    def _rounded_rows(self) -> Iterator[list[float | None]]:
        """Each row with as many decimals as a map of this size needs.

        In a large map of contributions, what rounding adds or removes is made up for in the next cells of the row and
        of the rows below: the sums of parts of the map stay.
        """
        small, contribution = self.values.size <= SMALL, self.role == "contribution"
        digits = (9 if contribution else 6) if small else self._decimals() if contribution else 3
        written = exact_sum = 0.0
        for row in self.values:
            values = row.astype(np.float64)
            if contribution and not small:
                sums = exact_sum + np.cumsum(np.nan_to_num(values))
                exact_sum = float(sums[-1])
                steps = np.round(sums, digits)
                values = np.where(np.isnan(values), values, np.diff(steps, prepend=written))
                written = float(steps[-1])
            rounded = np.round(values, digits).tolist()
            yield [None if v != v else v or 0 for v in rounded]

    def _decimals(self) -> int:
        """Decimals by which the greatest value is written in a thousand steps at least."""
        greatest = float(np.nanmax(np.abs(self.values), initial=0.0))
        return min(max(3 - math.floor(math.log10(greatest)), 3), 9) if greatest else 3

    @property
    def sum(self) -> float | None:
        """The sum of all values of contributions; None for other maps."""
        return None if self.reference is None else float(np.nansum(self.values, dtype=np.float64))


T = TypeVar("T")


def sides(a: T, b: T) -> tuple[tuple[Side, T], tuple[Side, T]]:
    """Each document with the side of the maps within it."""
    return (("within_a", a), ("within_b", b))
