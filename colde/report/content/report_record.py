"""What a report carries so that `colde verify` can make it again, and how it is found in a report.

JSON has the record as a field, HTML as a script of data, DOCX as a custom XML part, PDF as a keyword of its metadata.
"""

from __future__ import annotations

import base64
import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from colde import strict_json
from colde.errors import ColdeError
from colde.ingest.files.xml_parsing import parse_xml
from colde.ingest.files.zip_archive import ZIP_ERRORS
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decision, Decisions, Mark, RowMark
from colde.results.similarity_map import Letter
from colde.serialise import to_json
from colde.strict_json import JsonError
from colde.text.document import Span

ReportKind = Literal["json", "html", "docx", "pdf"]
RECORD_PART = "customXml/colde-record.xml"
RECORD_TAG = "{urn:colde-explorer}record"
MAX_RECORD_BYTES = 16 * 2**20
_KEYWORD = re.compile(rb"colde-record:([A-Za-z0-9_=-]+)")
_SCRIPT = re.compile(rb'<script type="application/json" id="record">(.*?)</script>', re.DOTALL)


class ReportError(ColdeError):
    """A file that is no report of a comparison, or one without its record."""


class _Extent(Struct):
    start: int
    end: int


class _Mark(Struct):
    a: _Extent | None
    b: _Extent | None
    decision: Decision
    note: str
    change: bool = False
    row: RowMark = ""


class _Review(Struct):
    marks: tuple[_Mark, ...]
    left_out: dict[Literal["a", "b"], tuple[_Extent, ...]]


class StoredDocument(Struct):
    """A document as the record of a report has it."""

    file: str | None
    text: str


class StoredSettings(Struct):
    """Settings as the record of a report has them."""

    profile: str
    prior: float
    encoder: str
    reference: str | None
    include: tuple[str, ...]
    leave_out: tuple[str, ...]


class StoredRecord(Struct):
    """A record as a report has it (`colde.results.saved.record.Record`)."""

    version: str
    documents: dict[Literal["a", "b"], StoredDocument]
    weights: dict[str, str]
    settings: StoredSettings
    templates: tuple[str, ...]
    excluded: dict[Literal["a", "b"], tuple[_Extent, ...]]
    review: str | None

    def excluded_spans(self) -> dict[Letter, tuple[Span, ...]]:
        """The sections of each document that the user left out."""
        return {side: tuple(Span(e.start, e.end) for e in extents) for side, extents in self.excluded.items()}


class WordSentences(Struct):
    """The two sentences of a model that a report explains word by word."""

    model: str
    a: _Extent
    b: _Extent

    @property
    def spans(self) -> tuple[Span, Span]:
        """Where they are in either text."""
        return Span(self.a.start, self.a.end), Span(self.b.start, self.b.end)


class CarriedRecord(Struct):
    """What a report carries.

    Attributes:
        models: in the order asked for.
        made: date of the report.
        review: the decisions of the reviewer.
        timing, seconds: what the comparison and each model took; nobody can check them.
        runtime: what encoders ran on.
        measured: whether passages were left out to measure faithfulness.
        words: the two sentences that JSON explains word by word; None without them.
    """

    record: StoredRecord
    models: Annotated[tuple[str, ...], Meta(min_length=1)]
    made: str
    review: _Review | None
    timing: dict[str, float]
    seconds: dict[str, float]
    runtime: str | None
    measured: bool
    words: WordSentences | None = None

    def decisions(self) -> Decisions | None:
        """The review that the report shows."""
        if self.review is None:
            return None
        marks = (Mark(_span(m.a), _span(m.b), m.decision, m.note, m.change, m.row) for m in self.review.marks)
        sides = [
            tuple(Span(e.start, e.end) for e in self.review.left_out.get(side, ())) for side in ("a", "b")
        ]
        return Decisions(tuple(marks), *sides)

    def restore(self, comparison: Comparison) -> Comparison:
        """A comparison with the review and the times of this report."""
        results = (replace(s, seconds=self.seconds.get(s.name, s.seconds)) for s in comparison.models)
        timing = {**comparison.timing, **self.timing}
        return replace(
            comparison, models=tuple(results), timing=timing, runtime=self.runtime, review=self.decisions()
        )


class _Score(Struct):
    name: str
    seconds: float
    faithfulness: Raw = Raw()


class _WordMap(Struct):
    rows: tuple[_Extent, ...] = ()
    columns: tuple[_Extent, ...] = ()


class _Maps(Struct):
    contribution_word: _WordMap | None = None


class _JsonReport(Struct):
    record: StoredRecord
    models: Annotated[tuple[_Score, ...], Meta(min_length=1)]
    timing: dict[str, float]
    review: _Review | None = None
    runtime: str | None = None
    maps: dict[str, _Maps] = {}

    def word_sentences(self) -> WordSentences | None:
        for name, maps in self.maps.items():
            words = maps.contribution_word
            if words is not None and words.rows and words.columns:
                return WordSentences(
                    name, *(_Extent(side[0].start, side[-1].end) for side in (words.rows, words.columns))
                )
        return None


def _span(extent: _Extent | None) -> Span | None:
    return None if extent is None else Span(extent.start, extent.end)


def carried_values(comparison: Comparison, made: date) -> dict[str, Any]:
    """What a report of this date carries."""
    return {
        "record": comparison.record,
        "models": [score.name for score in comparison.models],
        "made": made.isoformat(),
        "review": comparison.review or None,
        "timing": dict(comparison.timing),
        "seconds": {score.name: score.seconds for score in comparison.models},
        "runtime": comparison.runtime,
        "measured": bool(comparison.faithfulness),
    }


def carried_text(comparison: Comparison, made: date) -> str:
    """`carried_values` as letters and digits."""
    written = to_json(carried_values(comparison, made))
    return base64.urlsafe_b64encode(zlib.compress(written.encode())).decode()


def carried_xml(comparison: Comparison, made: date) -> bytes:
    """`carried_text` as an XML part of a Word document."""
    namespace, _, name = RECORD_TAG[1:].partition("}")
    return f'<{name} xmlns="{namespace}">{carried_text(comparison, made)}</{name}>'.encode()


def report_kind(data: bytes) -> ReportKind:
    """The format of a report.

    Raises:
        ReportError: it is none of them.
    """
    if data.startswith(b"%PDF-"):
        return "pdf"
    if data.startswith(b"PK"):
        return "docx"
    start = data[:512].lstrip()
    if start.startswith(b"{"):
        return "json"
    if start[:15].lower() == b"<!doctype html>":
        return "html"
    raise ReportError("not a report in JSON, HTML, DOCX or PDF")


def find_record(data: bytes) -> CarriedRecord:
    """The record that a report carries.

    Raises:
        ReportError: it is no report, or carries none.
    """
    kind = report_kind(data)
    try:
        if kind == "json":
            return _of_json(data)
        if kind == "html":
            match = _SCRIPT.search(data)
            content = None if match is None else match[1]
        else:
            content = _of_pdf(data) if kind == "pdf" else _of_docx(data)
        if content is None:
            raise ReportError(
                "the report carries no record: it was saved by another program, or by version 0.2.0"
            )
        return strict_json.decode(content, CarriedRecord)
    except (JsonError, ValueError, zlib.error) as error:
        raise ReportError(f"the record of the report is damaged ({error})") from error


def _of_json(data: bytes) -> CarriedRecord:
    report = strict_json.decode(data, _JsonReport)
    return CarriedRecord(
        report.record,
        tuple(score.name for score in report.models),
        "",
        report.review,
        report.timing,
        {score.name: score.seconds for score in report.models},
        report.runtime,
        any(bytes(score.faithfulness) for score in report.models),
        report.word_sentences(),
    )


def _of_pdf(data: bytes) -> bytes | None:
    match = _KEYWORD.search(data)
    return None if match is None else _unpacked(match[1])


def _of_docx(data: bytes) -> bytes | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [n for n in archive.namelist() if n.startswith("customXml/")]
            parts = [archive.read(n) for n in names if archive.getinfo(n).file_size <= MAX_RECORD_BYTES]
    except ZIP_ERRORS as error:
        raise ReportError("the report is no readable Word document") from error
    for part in parts:
        root = parse_xml(part, "report") if RECORD_TAG[1:].partition("}")[0].encode() in part else None
        if root is not None and root.tag == RECORD_TAG:
            return _unpacked((root.text or "").encode())
    return None


def _unpacked(text: bytes) -> bytes:
    """The JSON of `carried_text`; an archive that unpacks to more than a record may hold is cut, and so damaged."""
    return zlib.decompressobj().decompress(base64.urlsafe_b64decode(text), MAX_RECORD_BYTES)


def without_record(report: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of a comparison without what is checked apart or cannot be checked."""
    left = {key: value for key, value in report.items() if key not in ("record", "timing", "runtime")}
    left["models"] = [
        {k: v for k, v in score.items() if k != "seconds"} for score in report.get("models", ())
    ]
    return left
