"""Where the content of a report differs from the same report made again: which sentence of it, or which field."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import date
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from colde import ingest, strict_json
from colde.report.content.report_record import CarriedRecord, report_kind, without_record
from colde.report.formatting import clean, shorten
from colde.results.comparison import Comparison
from colde.strict_json import JsonError

TOLERANCE = 1e-3
"""Difference of two numbers in JSON that another processor may make."""
_MAX_EXCERPT = 80
_BEFORE = 30  # characters that an excerpt shows before the difference
_WITHIN_LINES = ["a", "b", "code", "del", "i", "ins", "mark", "q", "span", "time"]
_DATA = re.compile(r'(<script type="(?:application/json|text/plain)" id="([\w-]+)">)([^<]*)</script>')
"""Data of an HTML report. It has no `<`, which JSON in a page spells in another way."""


def report_differences(report: bytes, carried: CarriedRecord, again: Comparison) -> Iterator[str]:
    """Yield a clause for each difference between a report and the one that a comparison gives now.

    Raises:
        ReadError, JsonError, ValueError: the report cannot be read.
    """
    kind = report_kind(report)
    if kind == "json":
        old = without_record(strict_json.decode(report, dict[str, Any]))
        new = without_record(strict_json.decode(again.to_json(), dict[str, Any]))
        yield from _field_differences(old, new, "")
        return
    made = date.fromisoformat(carried.made)
    if kind == "html":
        from colde.report.html.html_report import to_html

        yield from _page_differences(report.decode(), to_html(again, made=made))
        return
    if kind == "docx":
        from colde.report.printed.docx_report import to_docx

        new_report = to_docx(again, made)
    else:
        from colde.report.printed.pdf_report import to_pdf

        new_report = to_pdf(again, made)
    name = f"report.{kind}"
    yield from _text_differences(ingest.read(report, name=name).text, ingest.read(new_report, name=name).text)


def _page_differences(old: str, new: str) -> Iterator[str]:
    """Differences of the text that a page shows, then of the data of its map and texts. The record is checked apart."""
    old_page, new_page = _DATA.sub(r"\1", old), _DATA.sub(r"\1", new)
    if old_page != new_page:
        differences = list(_text_differences(_shown_text(old_page), _shown_text(new_page)))
        yield from differences or ["the markup, a style or a script of the page differs; its text does not"]
    old_data, new_data = ({match[2]: match[3] for match in _DATA.finditer(page)} for page in (old, new))
    for name in old_data.keys() & new_data.keys() - {"record"}:
        yield from _data_differences(name, old_data[name], new_data[name])


def _data_differences(name: str, old: str, new: str) -> Iterator[str]:
    if old == new:
        return
    try:
        left, right = (strict_json.decode(data, dict[str, Any]) for data in (old, new))
    except JsonError:
        yield f"the data {name} of a map differs"
        return
    yield from _field_differences(left, right, name)


def _shown_text(html: str) -> str:
    """The text of HTML, each paragraph and cell on a line."""
    tree = LexborHTMLParser(html)
    tree.strip_tags(["script", "style"])
    tree.unwrap_tags(_WITHIN_LINES)
    tree.merge_text_nodes()
    return "" if tree.root is None else tree.root.text(separator="\n")


def _field_differences(old: Any, new: Any, path: str) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            place = f"{path}.{key}".lstrip(".")
            if key not in old or key not in new:
                yield f"the field {clean(place)} is in {'the report' if key in old else 'the new comparison'} alone"
            else:
                yield from _field_differences(old[key], new[key], place)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"the field {clean(path)} has {len(old)} entries in the report, {len(new)} now"
            return
        for k, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from _field_differences(left, right, f"{path}[{k}]")
    elif not _same_value(old, new):
        left, right = _excerpts(*(clean(_as_text(value)) for value in (old, new)))
        quoted = "“{}”" if isinstance(old, str) and isinstance(new, str) else "{}"
        yield f"the field {clean(path)} is {quoted.format(left)} in the report, {quoted.format(right)} now"


def _as_text(value: Any) -> str:
    """A value in words; where it is HTML, the text that it shows."""
    return _shown_text(value) if isinstance(value, str) and "<" in value else str(value)


def _same_value(old: Any, new: Any) -> bool:
    numbers = [v for v in (old, new) if isinstance(v, int | float) and not isinstance(v, bool)]
    return math.isclose(*numbers, rel_tol=0, abs_tol=TOLERANCE) if len(numbers) == 2 else bool(old == new)


def _text_differences(old: str, new: str) -> Iterator[str]:
    then, now = ([line for line in map(clean, text.splitlines()) if line] for text in (old, new))
    for kind, i, j, k, m in SequenceMatcher(None, then, now).get_opcodes():
        if kind == "equal":
            continue
        for left, right in zip_longest(then[i:j], now[k:m]):
            if left is None or right is None:
                text, _ = _excerpts(left or right, "")
                yield f"the sentence “{text}” is in the {'report' if right is None else 'new report'} alone"
            else:
                left, right = _excerpts(left, right)
                yield f"the report says “{left}”, the new one “{right}”"


def _excerpts(old: str, new: str) -> tuple[str, str]:
    """The parts of two texts from a few words before their first difference on."""
    limit = min(len(old), len(new))
    first = next((k for k in range(limit) if old[k] != new[k]), limit)
    start = old.rfind(" ", 0, max(0, first - _BEFORE)) + 1
    before = "… " if start else ""
    left, right = (shorten(before + text[start:], _MAX_EXCERPT) for text in (old, new))
    return left, right
