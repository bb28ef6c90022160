"""Changes real files at random and reads them: whatever is done to a file, the answer is a document or one line.

    python -m studies.robustness.fuzz pdf docx html --minutes 10 --keep found --json fuzzing.json
    python -m studies.robustness.fuzz pdf --again 4711          one case again, by its number

Each case is made from its number alone (and from the files that it starts from), so that it can be made again. Files
are read as the program reads them, in the confined process. A *finding* is what breaks a promise of docs/security.md:
an exception that is no `ReadError`, a message of more than one line, spans that are wrong, a report that could steer a
terminal or that holds markup of the document, a formula in a table. What was stopped by a limit of time or memory, and
what crashed the reading process, was answered with one line, as promised; it is counted, and kept with its number.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import colde
from colde.cli.options import one_line
from colde.cli.output_files import escape_control_characters
from colde.errors import ReadError, ReadingStopped
from colde.ingest import Limits
from colde.ingest.document_json import to_dict
from colde.report.html import html_report
from colde.report.tables import csv_tables
from colde.report.terminal import terminal_report
from colde.text.document import Document
from studies import ROOT
from studies.arguments import command_line
from studies.robustness.fuzz_cases import MOST_BYTES, SUFFIXES, Case, files_of
from studies.tables import read_json, write_json
from tests.ingest.conftest import check_spans

DOCUMENTS = [ROOT / "assets/samples", ROOT.parent / "shared/documents"]
REPORT_EVERY = 10  # documents; one is compared with itself and shown in each kind of report
SHOWN_CHARACTERS = 20_000  # of such a document
TAGS = re.compile(r"<(script|iframe|img|base|meta|link|object|embed)\b")


class Fuzzing:
    """What came of the cases of one format."""

    def __init__(self, kind: str, files: Sequence[bytes], keep: Path | None) -> None:
        self.kind, self.files, self.keep = kind, files, keep
        self.cases = 0
        self.counts: Counter[str] = Counter()
        self.damaged: Counter[str] = Counter()  # exceptions of parsers behind "the file is damaged"
        self.slowest = (0.0, 0)
        self.noted: list[dict[str, Any]] = []
        self.documents = 0

    def run(self, number: int) -> None:
        """Make one case, read it, and judge the answer."""
        data = Case(self.kind, number, self.files).make()
        begun = time.perf_counter()
        outcome, message = self._outcome(data)
        seconds = time.perf_counter() - begun
        self.cases += 1
        self.counts[outcome] += 1
        self.slowest = max(self.slowest, (seconds, number))
        if outcome in ("finding", "crashed", "stopped"):
            self.noted.append({"case": number, "outcome": outcome, "said": message, "bytes": len(data)})
            print(f"{self.kind} {number}: {outcome}: {one_line(message)[:300]}", flush=True)
            if self.keep is not None:
                self.keep.mkdir(parents=True, exist_ok=True)
                (self.keep / f"{outcome}_{self.kind}_{number}{SUFFIXES[self.kind]}").write_bytes(data)

    def _outcome(self, data: bytes) -> tuple[str, str]:
        name = f"x{SUFFIXES[self.kind]}"
        try:
            document = colde.read(data, name=name, limits=Limits(), sandbox=True)
        except ReadError as error:
            return self._refused(error)
        except Exception as error:
            return "finding", f"{type(error).__name__}: {error}"
        try:
            self._check(document)
        except Exception as error:
            return "finding", f"{type(error).__name__}: {error}"
        return "document", ""

    def _refused(self, error: ReadError) -> tuple[str, str]:
        message = str(error)
        if message != one_line(message):
            return "finding", f"a message of several lines or with steering characters: {message!r}"
        if isinstance(error, ReadingStopped):
            return ("crashed" if error.reason == "corrupt" else "stopped"), message
        if match := re.search(r"\((\w+)\)", error.what):
            self.damaged[match[1]] += 1
        return f"refused: {error.reason}", message

    def _check(self, document: Document) -> None:
        check_spans(document)
        text = escape_control_characters(json.dumps(to_dict(document), ensure_ascii=False, allow_nan=False))
        find_active_markup(text)
        self.documents += 1
        if self.documents % REPORT_EVERY == 0 and len(document.text) <= SHOWN_CHARACTERS:
            check_reports(document)


def check_reports(document: Document) -> None:
    """Compare a document with itself, and look into each kind of report.

    Raises:
        AssertionError: a report could steer a terminal, has markup of the document, or a formula.
    """
    from rich.console import Console

    try:
        comparison = colde.compare(document, document, models=["tfidf"])
    except ReadError:  # too short
        return
    printed = Console(file=io.StringIO(), width=100, force_terminal=False)
    terminal_report.print_report(comparison, printed)
    find_active_markup(printed.file.getvalue())  # type: ignore[attr-defined]
    find_active_markup(escape_control_characters(comparison.to_json()))
    page = html_report.to_html(comparison)
    tags = Counter(TAGS.findall(page))
    assert tags == _tags(), f"markup of the document in the report: {tags}"
    for _, text in csv_tables.tables(comparison):
        for cell in (cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row):
            number = re.fullmatch(r"-?\d+\.?\d*(?:e-?\d+)?", cell)
            assert number or cell.lstrip()[:1] not in tuple("=+-@＝＋＠－−"), (
                f"a formula in a table: {cell[:60]!r}"
            )


_PLAIN_TAGS: Counter[str] = Counter()


def _tags() -> Counter[str]:
    """How many tags of these kinds a report of a harmless document has."""
    if not _PLAIN_TAGS:
        text = colde.read_text("The keeper wound the clock and trimmed the lamp before the fog came in. " * 4)
        page = html_report.to_html(colde.compare(text, text, models=["tfidf"]))
        _PLAIN_TAGS.update(TAGS.findall(page))
    return _PLAIN_TAGS


def find_active_markup(text: str) -> None:
    """Raise AssertionError where a printed text holds a character that steers a terminal or hides text."""
    match = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)
    assert match is None, (
        f"{match[0]!r} in what is printed: {text[max(0, match.start() - 40) : match.end()]!r}"
    )


def main() -> None:
    parser = command_line(__doc__, "--json")
    parser.add_argument("formats", nargs="+", choices=SUFFIXES, metavar="FORMAT", help=" ".join(SUFFIXES))
    parser.add_argument("--minutes", type=float, default=10.0, help="for each format (default: 10)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case (default: 0)")
    parser.add_argument("--again", type=int, nargs="+", help="only the cases of these numbers")
    parser.add_argument("--documents", type=Path, nargs="+", default=DOCUMENTS, help="folders of first files")
    parser.add_argument("--most-bytes", type=int, default=MOST_BYTES, help="of a first file")
    parser.add_argument("--keep", type=Path, help="folder for the files that were noted")
    asked = parser.parse_args()
    failed = False
    for kind in asked.formats:
        fuzzing = Fuzzing(kind, files_of(kind, asked.documents, asked.most_bytes), asked.keep)
        begun = time.monotonic()
        for number in asked.again or itertools.count(asked.first):
            if not asked.again and time.monotonic() - begun > 60 * asked.minutes:
                break
            fuzzing.run(number)
        minutes = (time.monotonic() - begun) / 60
        counts = dict(sorted(fuzzing.counts.items()))
        failed = failed or bool(counts.get("finding"))
        print(
            f"{kind}: {fuzzing.cases:,} cases in {minutes:.1f} min from {len(fuzzing.files)} files: {counts}"
        )
        parsers, (seconds, number) = dict(fuzzing.damaged.most_common()), fuzzing.slowest
        print(f"  parsers said {parsers}; slowest {seconds:.1f} s (case {number})", flush=True)
        if asked.json is not None:
            known = read_json(asked.json, {})
            known[kind] = {
                "first": asked.first, "cases": fuzzing.cases, "minutes": round(minutes, 1), "counts": counts,
                "parsers": parsers, "slowest": fuzzing.slowest, "noted": fuzzing.noted,
            }  # fmt: skip
            write_json(asked.json, known)
    sys.exit(failed)


if __name__ == "__main__":
    main()
