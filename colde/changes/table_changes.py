"""Changed cells, rows and columns of tables that are in both texts.

Tables correspond by their cells, header, row labels and number. Rows of two tables correspond by their label and their
cells, in whatever order they stand. A PDF has rows without columns: there the cells are words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from colde.alignment.shared_runs import text_letters
from colde.alignment.unit_pairs import each_once
from colde.changes.ranking import importance
from colde.results.change import Change, ChangeKind, Marks
from colde.results.similarity_map import Letter
from colde.text.document import Document, Span
from colde.text.tables import Row, Table, read_tables

CORRESPONDING = 0.3
"""Mean of three shares (equal cells, header cells and row labels) from which tables of two versions correspond."""
MOSTLY_EQUAL = 0.5
"""Share of equal cells from which tables of other texts correspond, and rows with different labels."""
SAME_NUMBER = 0.2
"""Added to the similarity of tables with the same number or place, such as “Table 2”."""
MAX_ROW_PAIRS = 250_000
"""Pairs of rows of two tables; of larger tables the alignment lists the rows."""
MAX_NAMED = 6
"""Changed cells of a row, and words of a cell's neighbourhood, that a description names."""

Pairs = list[tuple[int, int]]


def table_changes(a: Document, b: Document, *, versions: bool) -> Iterator[Change]:
    """Yield the differences of the tables of two texts; their marks are the rows or cells in which words differ.

    Args:
        versions: the texts are versions of each other: a table that stands in one of them alone is a difference, too.
    """
    tables = read_tables(a), read_tables(b)
    pairs = _pair_tables(*tables, versions)
    letters = text_letters(a.text), text_letters(b.text)
    for i, j in pairs:
        one, other = tables[0][i], tables[1][j]
        changes = _TablePair(one, other).changes()
        exact = one.has_columns and other.has_columns
        yield from changes if exact else (c for c in changes if not _in_both(c, a, b, letters))
    sides: tuple[tuple[Letter, int], ...] = (("a", 0), ("b", 1))
    for side, place in sides if versions else ():
        paired = {pair[place] for pair in pairs}
        for k, table in enumerate(tables[place]):
            if k not in paired and not all(
                text_letters(row.text) in letters[1 - place] for row in table.rows
            ):
                yield _only_in(side, f"{table.name}, {len(table.rows)} rows", table.span)


def _in_both(change: Change, a: Document, b: Document, letters: tuple[str, str]) -> bool:
    """Whether both texts have the words of a changed row, in rows divided in another way or in running text."""
    in_b = change.a is None or text_letters(a.text[change.a.start : change.a.end]) in letters[1]
    return in_b and (change.b is None or text_letters(b.text[change.b.start : change.b.end]) in letters[0])


def _pair_tables(a: Sequence[Table], b: Sequence[Table], versions: bool) -> Pairs:
    """Tables that correspond, each once, the most similar first."""
    candidates = []
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            equal = _dice(one.cells, other.cells)
            similarity = (
                equal + _dice(one.header_cells, other.header_cells) + _dice(one.labels, other.labels)
            ) / 3
            if similarity >= CORRESPONDING if versions else equal >= MOSTLY_EQUAL:
                same = SAME_NUMBER * (one.name == other.name)
                candidates.append((-similarity - same, abs(i - j), i, j))
    return list(each_once((i, j) for *_, i, j in sorted(candidates)))


class _TablePair:
    """Two tables that correspond."""

    def __init__(self, a: Table, b: Table) -> None:
        self.a, self.b = a, b
        self.name = a.name if a.name == b.name else f"{a.name} / {b.name}"

    def changes(self) -> Iterator[Change]:
        """Yield changed rows, then columns and rows of one table alone, then another order of the rows."""
        a, b = self.a, self.b
        if [r.values for r in a.rows] == [r.values for r in b.rows]:
            return
        if len(a.rows) * len(b.rows) > MAX_ROW_PAIRS:
            return
        rows = _pair_rows(a, b)
        columns = _pair_columns(a, b, rows) if a.has_columns and b.has_columns else None
        for i, j in rows:
            yield from self._row(a.rows[i], b.rows[j], a.row_name(i), columns)
        if columns is not None:
            yield from self._columns(columns)
        yield from _rows_only_in("a", a, {i for i, _ in rows})
        yield from _rows_only_in("b", b, {j for _, j in rows})
        partners = [j for _, j in rows]
        if partners != sorted(partners):
            description = f"{self.name}: the rows are in a different order"
            marks = _marks_of(a=a.span, b=b.span)
            yield Change("moved", a.span, b.span, importance("moved", ""), description, marks)

    def _row(self, a: Row, b: Row, name: str, columns: Mapping[int, int] | None) -> Iterator[Change]:
        """The change of two corresponding rows, if any."""
        if a.values == b.values:
            return
        if columns is None or len(a.cells) != self.a.width or len(b.cells) != self.b.width:
            cells = list(_changed_runs(a, b))
        else:
            named = self.a.header.texts if self.a.header not in (None, a) else ()
            cells = [
                (named[i] if i < len(named) else "", a.texts[i], b.texts[j])
                for i, j in sorted(columns.items())
                if a.values[i] != b.values[j]
            ]
        if cells:
            shown = "; ".join(_arrow(*cell) for cell in cells[:MAX_NAMED])
            more = f"; {len(cells) - MAX_NAMED} more" if len(cells) > MAX_NAMED else ""
            yield _changed(a.span, b.span, f"{self.name}, {name}: {shown}{more}")

    def _columns(self, columns: Mapping[int, int]) -> Iterator[Change]:
        """A change for each column that one of the tables has alone."""
        sides: tuple[tuple[Letter, Table, Iterable[int]], ...] = (
            ("a", self.a, columns), ("b", self.b, columns.values()),
        )  # fmt: skip
        for side, table, paired in sides:
            for k in sorted(set(range(table.width)) - set(paired)):
                row = table.header or table.rows[0]
                name = f"column {k + 1}" + (f" ({row.texts[k]})" if table.header and row.texts[k] else "")
                yield _only_in(side, f"{table.name}, {name}", *_column(table, k))


def _column(table: Table, k: int) -> list[Span]:
    """The places of the cells of a column, with the borders beside them."""
    return [
        Span(
            row.cells[k - 1].end if k else row.span.start,
            row.cells[k + 1].start if k + 1 < len(row.cells) else row.span.end,
        )
        for row in table.rows
        if k < len(row.cells)
    ]


def _rows_only_in(side: Letter, table: Table, paired: set[int]) -> Iterator[Change]:
    """A change for each row of a table that the other does not have."""
    for k, row in enumerate(table.rows):
        if k not in paired and any(row.values):
            yield _only_in(side, f"{table.name}, {table.row_name(k)}", row.span)


def _pair_rows(a: Table, b: Table) -> Pairs:
    """Rows that correspond, in the order of a: headers, then equal rows, then those with the same label or cells."""
    pairs: Pairs = [(0, 0)] if a.header and b.header else []
    pairs += _equal_rows(a.rows, b.rows, len(pairs))
    paired = [{pair[side] for pair in pairs} for side in (0, 1)]
    rest = [
        [(k, row, Counter(filter(None, row.values))) for k, row in enumerate(table.rows) if k not in done]
        for table, done in zip((a, b), paired, strict=True)
    ]
    labelled = not (a.numbered or b.numbered)
    candidates = []
    for i, one, cells in rest[0]:
        for j, other, other_cells in rest[1]:
            equal = _dice(cells, other_cells)
            label = labelled and one.label == other.label != ""
            if label or equal > MOSTLY_EQUAL:
                distance = abs(i / len(a.rows) - j / len(b.rows))
                candidates.append((-2 * equal - label, distance, i, j))
    return sorted([*pairs, *each_once((i, j) for *_, i, j in sorted(candidates))])


def _equal_rows(a: Sequence[Row], b: Sequence[Row], first: int) -> Iterator[tuple[int, int]]:
    """Pairs of equal rows from the row `first` on, each once."""
    places: dict[tuple[str, ...], list[int]] = {}
    for j, row in enumerate(b[first:], first):
        places.setdefault(row.values, []).append(j)
    for i, row in enumerate(a[first:], first):
        if places.get(row.values):
            yield i, places[row.values].pop(0)


def _pair_columns(a: Table, b: Table, rows: Pairs) -> dict[int, int]:
    """Columns that correspond, as a column of b for each of a.

    First come columns with the same header or mostly equal cells. The columns between two such pairs correspond in
    their order, where both tables have as many of them.
    """
    full = [
        (a.rows[i].values, b.rows[j].values)
        for i, j in rows
        if len(a.rows[i].cells) == a.width and len(b.rows[j].cells) == b.width
    ]
    candidates = []
    for i in range(a.width):
        for j in range(b.width):
            equal = sum(x[i] == y[j] for x, y in full) / max(1, len(full))
            same_header = bool(a.header and b.header and a.header.values[i] == b.header.values[j] != "")
            if equal + same_header >= MOSTLY_EQUAL:
                candidates.append((-equal - same_header, abs(i - j), i, j))
    columns = dict(each_once((i, j) for *_, i, j in sorted(candidates)))
    edges = [(-1, -1), *sorted(columns.items()), (a.width, b.width)]
    for (i, j), (next_i, next_j) in pairwise(edges):
        if next_i - i == next_j - j:
            columns |= zip(range(i + 1, next_i), range(j + 1, next_j), strict=True)
    return columns


def _changed_runs(a: Row, b: Row) -> Iterator[tuple[str, str, str]]:
    """Runs of cells that differ, without a header."""
    for tag, i0, i1, j0, j1 in SequenceMatcher(None, a.values, b.values, autojunk=False).get_opcodes():
        if tag != "equal":
            yield "", " ".join(a.texts[i0:i1]), " ".join(b.texts[j0:j1])


def _arrow(header: str, a: str, b: str) -> str:
    return f"{header}: {a or 'empty'} → {b or 'empty'}" if header else f"{a or 'empty'} → {b or 'empty'}"


def _dice(a: Counter[str], b: Counter[str]) -> float:
    """Cells that both have, as a share of the cells of both."""
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 0.0


def _changed(a: Span, b: Span, description: str) -> Change:
    return Change("table", a, b, importance("table", description), description, _marks_of(a=a, b=b))


def _only_in(side: Letter, what: str, *places: Span) -> Change:
    kind: ChangeKind = "only in a" if side == "a" else "only in b"
    span = Span(places[0].start, places[-1].end)
    a, b = (span, None) if side == "a" else (None, span)
    marks = {side: tuple((place.start, place.end) for place in places)}
    return Change(kind, a, b, importance(kind, what), f"{what}: only in {side.upper()}", marks)


def _marks_of(*, a: Span, b: Span) -> Marks:
    return {"a": ((a.start, a.end),), "b": ((b.start, b.end),)}
