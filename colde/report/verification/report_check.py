"""What of a report agrees with two files, and with the same comparison made again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from colde.errors import ReadError
from colde.report.content.report_record import CarriedRecord
from colde.report.formatting import shorten
from colde.report.verification.report_differences import report_differences
from colde.results.comparison import Comparison
from colde.results.saved.record import Record, review_hash
from colde.results.similarity_map import Letter
from colde.strict_json import JsonError

MOST_DIFFERENCES = 5
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
        differences = list(report_differences(report, carried, carried.restore(again)))
    except (ReadError, JsonError, ValueError) as error:
        return Check(what, False, f"it cannot be read ({error})")
    if not differences:
        return Check(what, True)
    more = "" if len(differences) <= MOST_DIFFERENCES else f"; {len(differences) - MOST_DIFFERENCES} more"
    return Check(what, False, "; ".join(differences[:MOST_DIFFERENCES]) + more)
