"""What of a report agrees with two files, and with the same comparison made again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from typing import Any

from colde import ingest, strict_json
from colde.errors import ReadError
from colde.report.formatting import shorten
from colde.report.report_record import CarriedRecord, report_kind, without_record
from colde.results.comparison import Comparison
from colde.results.record import Record, review_hash
from colde.results.similarity_map import Letter
from colde.strict_json import JsonError

TOLERANCE = 1e-3
"""Difference of two numbers in JSON that another processor may make."""
MOST_DIFFERENCES = 5
_MAX_LINE = 80
_SIDES: tuple[Letter, ...] = ("a", "b")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked.

    Attributes:
        agrees: None where it could not be checked.
        detail: what differs, or why it was not checked; empty where it agrees.
    """

    what: str
    agrees: bool | None
    detail: str = ""


def check_record(carried: CarriedRecord, record: Record, templates: tuple[str, ...]) -> Iterator[Check]:
    """Compare what a report was made from with what there is now.

    Args:
        record: of the comparison that was made again.
        templates: SHA-256 of the texts of the templates that were named.
    """
    stored = carried.record
    for side in _SIDES:
        then, now = stored.documents.get(side), record.documents[side]
        if then is None:
            yield Check(f"file {side.upper()}", False, "the record does not name it")
            continue
        if then.file is None:
            yield Check(f"file {side.upper()}", None, "the report was made from a text, not from a file")
        else:
            yield _equal(f"file {side.upper()}", then.file, now.file)
        yield _equal(f"text of {side.upper()}", then.text, now.text)
    yield _equal("version of the program", stored.version, record.version)
    for name in sorted({*stored.weights, *record.weights}):
        what = "weights of the encoder" if name == "encoder" else f"weights and settings of {name}"
        yield _equal(what, stored.weights.get(name), record.weights.get(name))
    settings = record.settings
    yield _equal("reference set", stored.settings.reference, settings.reference)
    yield _equal("templates", stored.templates, templates)
    yield _equal("review", stored.review, review_hash(carried.decisions()))


def _equal(what: str, then: object, now: object) -> Check:
    if then == now:
        return Check(what, True)
    shown = [shorten(str(value or "none"), 16) for value in (then, now)]
    return Check(what, False, f"{shown[0]} in the report, {shown[1]} now")


def check_content(report: bytes, carried: CarriedRecord, again: Comparison) -> Check:
    """Compare a report with the one that the same comparison gives now."""
    what = "content of the report"
    try:
        differences = list(_differences(report, carried, carried.restore(again)))
    except (ReadError, JsonError, ValueError) as error:
        return Check(what, False, f"it cannot be read ({error})")
    if not differences:
        return Check(what, True)
    more = "" if len(differences) <= MOST_DIFFERENCES else f"; {len(differences) - MOST_DIFFERENCES} more"
    return Check(what, False, "; ".join(differences[:MOST_DIFFERENCES]) + more)


def _differences(report: bytes, carried: CarriedRecord, again: Comparison) -> Iterator[str]:
    kind = report_kind(report)
    if kind == "json":
        old = without_record(strict_json.decode(report, dict[str, Any]))
        new = without_record(strict_json.decode(again.to_json(), dict[str, Any]))
        yield from _json_differences(old, new, "")
        return
    made = date.fromisoformat(carried.made)
    if kind == "html":
        from colde.report.html_report import to_html

        yield from _line_differences(
            _without_script(report.decode()), _without_script(to_html(again, made=made))
        )
        return
    if kind == "docx":
        from colde.report.docx_report import to_docx

        new_report = to_docx(again, made)
    else:
        from colde.report.pdf_report import to_pdf

        new_report = to_pdf(again, made)
    name = f"report.{kind}"
    yield from _line_differences(ingest.read(report, name=name).text, ingest.read(new_report, name=name).text)


def _without_script(page: str) -> str:
    """A page without its record, which is checked apart."""
    before, mark, rest = page.partition('<script type="application/json" id="record">')
    return before + rest.partition("</script>")[2] if mark else page


def _json_differences(old: Any, new: Any, path: str) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            place = f"{path}.{key}".lstrip(".")
            if key not in old or key not in new:
                yield f"{place} is in {'the report' if key in old else 'the new comparison'} alone"
            else:
                yield from _json_differences(old[key], new[key], place)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{path} has {len(old)} entries, now {len(new)}"
            return
        for k, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from _json_differences(left, right, f"{path}[{k}]")
    elif not _same_value(old, new):
        yield f"{path} is {shorten(str(old), _MAX_LINE)}, now {shorten(str(new), _MAX_LINE)}"


def _same_value(old: Any, new: Any) -> bool:
    numbers = [v for v in (old, new) if isinstance(v, int | float) and not isinstance(v, bool)]
    return math.isclose(*numbers, rel_tol=0, abs_tol=TOLERANCE) if len(numbers) == 2 else bool(old == new)


def _line_differences(old: str, new: str) -> Iterator[str]:
    for left, right in zip_longest(old.splitlines(), new.splitlines(), fillvalue=""):
        if left != right:
            yield f"“{_excerpt(left, right)}” is now “{_excerpt(right, left)}”"


def _excerpt(line: str, other: str) -> str:
    """The part of a line around the first character that another one does not have there."""
    first = next(
        (k for k, (x, y) in enumerate(zip(line, other, strict=False)) if x != y), min(len(line), len(other))
    )
    return shorten(line[max(0, first - 20) : first + _MAX_LINE], _MAX_LINE)
