"""A comparison as tables for spreadsheets and scripts (CSV): scores, shared passages, and one table a map."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping

from colde.results.comparison import Comparison
from colde.results.passage import Passage
from colde.results.shared_text import DIGITS, REST, SPLIT_NAMES, SharedText
from colde.results.similarity_map import Letter, SimilarityMap
from colde.text.document import Document, Span
from colde.text.places import name_section

_FORMULA = re.compile("(?!-[0-9.]+(e-[0-9]+)?\\Z)([\\s\ufeff\u200b-\u200f\u2060]*[=+\\-@＝＋－＠−]|[\t\r])")
"""Beginning of a formula; a negative number is none."""
_NOT_IN_FILE_NAMES = re.compile(r"[^\w.+-]+")
LONGEST_STEM = 80
"""Characters of a model's name at the beginning of a file's name."""


def tables(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """File name and content of every table.

    These are scores.csv, passages.csv, set_aside.csv, warnings.csv, split.csv, and MODEL.MAP.csv for each map. In a
    map, the first three columns give start, end and place of each row's passage; the header gives the same of each
    column's as `start-end place`. A value that does not exist is an empty cell. Of a very large map the strongest cells
    are written, a row each; places.csv then names the places of their passages.
    """
    yield "scores.csv", scores_table(comparison)
    yield "set_aside.csv", set_aside_table(comparison)
    if any(comparison.warnings.values()):
        yield "warnings.csv", warnings_table(comparison)
    if comparison.shared is not None:
        yield "split.csv", split_table(comparison.shared)
        yield "passages.csv", passages_table(comparison, comparison.shared)
    documents: dict[Letter, Document] = {"a": comparison.a, "b": comparison.b}
    placed: dict[Letter, set[tuple[int, int]]] = {"a": set(), "b": set()}
    stems = file_stems(comparison.maps)
    for model, maps in comparison.written_maps.items():
        for name, similarity_map in maps.items():
            rows, columns = (
                documents[side] for side in (similarity_map.row_side, similarity_map.column_side)
            )
            yield f"{stems[model]}.{name}.csv", map_table(similarity_map, rows, columns)
            if similarity_map.strongest_only:
                placed[similarity_map.row_side].update((s.start, s.end) for s in similarity_map.rows)
                placed[similarity_map.column_side].update((s.start, s.end) for s in similarity_map.columns)
    if any(placed.values()):
        yield "places.csv", places_table(documents, placed)


def file_stems(models: Iterable[str]) -> dict[str, str]:
    """The beginning of the names of a model's files: of a checkpoint's path the end, without folders."""
    stems: dict[str, str] = {}
    for model in models:
        wanted = _NOT_IN_FILE_NAMES.sub("_", model)[-LONGEST_STEM:].strip("._") or "model"
        stem, count = wanted, 2
        while stem in stems.values():
            stem, count = f"{wanted}-{count}", count + 1
        stems[model] = stem
    return stems


def split_table(shared: SharedText) -> str:
    """One row a kind: its shares of both texts, in [0, 1]; empty where it was not looked for."""
    split = shared.split()
    names = [SPLIT_NAMES[kind] for kind in shared.searched] + [SPLIT_NAMES["standard"], REST]
    rows = [
        (name, split["a"][name], split["b"][name], "")
        if name in names
        else (name, None, None, shared.not_searched)
        for name in split["a"]
    ]
    return spreadsheet(("kind", "share_of_a", "share_of_b", "note"), rows)


def scores_table(comparison: Comparison) -> str:
    """One row a model."""
    header = (
        "name", "score", "score_kind", "probability", "prior", "percentile", "threshold", "similar", "profile",
        "no_verdict", "seconds", "tokens_read_a", "tokens_a", "tokens_read_b", "tokens_b",
    )  # fmt: skip
    rows = (
        (
            s.name, s.score, s.score_kind, s.probability, s.prior, s.percentile, s.threshold, s.similar, s.profile,
            s.no_verdict, s.seconds, s.read_a.tokens_read, s.read_a.tokens, s.read_b.tokens_read, s.read_b.tokens,
        )
        for s in comparison.models
    )  # fmt: skip
    return spreadsheet(header, rows)


def passages_table(comparison: Comparison, shared: SharedText) -> str:
    """One row a shared passage, best first, and below it one row each of its parts, with the texts of both sides."""
    header = ["passage", "part", "kind", "standard", "certainty", "words_a", "words_b"]
    for side in "ab":
        header += [f"{side}_start", f"{side}_end", f"{side}_section", f"{side}_page", f"{side}_text"]

    def sides(a: Span, b: Span) -> list[object]:
        return [*placed_text(comparison.a, a), *placed_text(comparison.b, b)]

    rows: list[list[object]] = []
    for number, p in enumerate(shared.passages, 1):
        about = [p.standard, round(p.certainty, DIGITS), p.words["a"], p.words["b"]]
        rows.append([number, None, p.kind, *about, *sides(p.a, p.b)])
        for position, part in enumerate(p.parts, 1):
            rows.append([number, position, part.kind, p.standard, None, None, None, *sides(part.a, part.b)])
    return spreadsheet(header, rows)


def placed_text(document: Document, span: Span) -> tuple[object, ...]:
    """Start, end, heading or position, page and text of a passage."""
    p = Passage.at(document, span)
    return p.start, p.end, p.section or p.position, p.page, document.text[p.start : p.end]


def set_aside_table(comparison: Comparison) -> str:
    """One row a document and kind of text that was not compared."""
    rows = [
        (side, item.what, item.words, item.why)
        for side, items in comparison.set_aside.items()
        for item in items
    ]
    return spreadsheet(("document", "what", "words", "why"), rows)


def warnings_table(comparison: Comparison) -> str:
    """One row a document and warning: what was not read or not compared, and which limit was reached."""
    rows = [(side, warning) for side, warnings in comparison.warnings.items() for warning in warnings]
    return spreadsheet(("document", "warning"), rows)


def map_table(similarity_map: SimilarityMap, rows: Document, columns: Document) -> str:
    """The matrix, with a row a passage of `rows` and a column a passage of `columns`.

    Of a map of which the strongest cells alone are written, each has a row, without the names of places.
    """
    if similarity_map.written_values is None:
        return _cell_table(similarity_map)
    header = ["start", "end", "section"]
    header += [f"{s.start}-{s.end} {name_section(columns, s)}" for s in similarity_map.columns]
    lines = zip(similarity_map.rows, similarity_map.written_values, strict=True)
    return spreadsheet(
        header, ([s.start, s.end, name_section(rows, s), *number_cells(line)] for s, line in lines)
    )


def _cell_table(similarity_map: SimilarityMap) -> str:
    header = ("row_start", "row_end", "column_start", "column_end", "value")
    rows, columns = similarity_map.rows, similarity_map.columns
    lines = (
        (rows[i].start, rows[i].end, columns[j].start, columns[j].end, value)
        for i, j, value in similarity_map.cells
    )
    return spreadsheet(header, lines)


def places_table(
    documents: Mapping[Letter, Document], passages: Mapping[Letter, Iterable[tuple[int, int]]]
) -> str:
    """One row a passage, by its start and end in a document: the place that tables of cells do not repeat."""
    lines = (
        (side, start, end, name_section(documents[side], Span(start, end)))
        for side, spans in passages.items()
        for start, end in sorted(spans)
    )
    return spreadsheet(("document", "start", "end", "section"), lines)


def number_cells(values: Iterable[float | None]) -> list[str]:
    """Numbers with six digits; an empty cell for NaN or None."""
    return ["" if value is None or math.isnan(value) else f"{value:.6g}" for value in values]


def spreadsheet(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table as RFC 4180 text that no spreadsheet takes for formulas; None becomes an empty cell."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([plain_cell(x) if isinstance(x, str) else x for x in row] for row in rows)
    return buffer.getvalue()


def plain_cell(text: str) -> str:
    """Text that a spreadsheet takes as text: what would begin a formula gets an apostrophe before it.

    Some programs skip blanks and invisible characters before it, and read the wide signs of East Asia as the usual
    ones.
    """
    return f"'{text}" if _FORMULA.match(text) else text
