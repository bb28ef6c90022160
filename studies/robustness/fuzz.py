"""Changes real files at random and reads them: whatever is done to a file, the answer is a document or one line.

    python -m studies.robustness.fuzz pdf docx html markdown rst text --minutes 10 --keep found --json fuzzing.json
    python -m studies.robustness.fuzz pdf --again 4711          one case again, by its number

Each case is made from its number alone (and from the files that it starts from), so that it can be made again. Files
are read as the program reads them, in the confined process. A *finding* is what breaks a promise of docs/security.md:
an exception that is no `ReadError`, a message of more than one line, spans that are wrong, a report that could steer a
terminal or that holds markup of the document, a formula in a table. What was stopped by a limit of time or memory, and
what crashed the reading process, was answered with one line, as promised; it is counted, and kept with its number.
"""

from __future__ import annotations

import base64
import copy
import csv
import io
import itertools
import json
import random
import re
import sys
import time
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lxml import etree

import colde
from colde.cli.options import one_line
from colde.cli.output_files import escape_control_characters
from colde.errors import ReadError, ReadingStopped
from colde.ingest import Limits
from colde.ingest.document_json import to_dict
from colde.ingest.formats import FORMATS
from colde.report import csv_tables, html_report, terminal_report
from colde.text.document import Document
from studies import ROOT
from studies.arguments import command_line
from studies.robustness.fuzz_tokens import ENTITIES, FORMULAS, NESTS, NUMBERS, TOKENS, UNSEEN
from tests.ingest.conftest import check_spans

SUFFIXES = {row.name: row.suffixes[0] for row in FORMATS}
DOCUMENTS = [ROOT / "assets/samples", ROOT.parent / "shared/documents"]
MOST_BYTES = 400_000  # of a file to begin with: larger ones give fewer cases a minute
REPORT_EVERY = 10  # documents; one is compared with itself and shown in each kind of report
SHOWN_CHARACTERS = 20_000  # of such a document
CHANGES = {
    "token": 8, "flip": 5, "unseen": 5, "cut": 4, "number": 4, "copy": 3, "splice": 3, "prefix": 2, "drop": 2,
    "many": 1, "nest": 1, "formula": 1, "code": 0.5, "line": 0.3,
}  # fmt: skip
"""Changes and how often each is made."""
PARTS = {"tree": 16, "change": 4, "drop": 1, "rename": 1, "entities": 1, "archive": 1, "swell": 0.4}
"""The same for the parts of an archive."""


class Case:
    """One changed file, made from its number."""

    def __init__(self, kind: str, number: int, files: Sequence[bytes]) -> None:
        self.kind = kind
        self.chance = random.Random(f"{kind} {number}")
        self.files = files

    def make(self) -> bytes:
        """The bytes of the changed file."""
        data = self.chance.choice(self.files)
        if self.kind == "docx":
            return self._archive(data)
        if self.kind == "pdf":
            data = unpacked(data) if self.chance.random() < 0.6 else data
        elif self.chance.random() < 0.7:  # a piece, which is read sooner
            at = self.chance.randint(0, len(data))
            data = data[at : at + self.chance.choice([300, 3_000, 20_000])]
        return self._changed(data, self.kind)

    def _changed(self, data: bytes, tokens: str) -> bytes:
        for _ in range(self.chance.choice([1, 1, 1, 2, 3, 5, 9, 20])):
            data = self._change(data, tokens)
            if len(data) > 4 * MOST_BYTES + 2_000_000:
                break
        return data

    def _change(self, data: bytes, tokens: str) -> bytes:
        chance = self.chance
        at, to = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        near = min(len(data), at + chance.choice([1, 4, 30, 400]))
        kind = chance.choices(list(CHANGES), list(CHANGES.values()))[0]
        match kind:
            case "prefix":
                return data[:to]
            case "flip":
                changed = bytearray(data)
                for _ in range(chance.choice([1, 3, 30]) if data else 0):
                    changed[chance.randrange(len(changed))] = chance.randrange(256)
                return bytes(changed)
            case "cut":
                return data[:at] + data[near:]
            case "drop":
                return data[:at] + data[to:]
            case "copy":
                return data[:to] + data[at:]
            case "many":
                return data[:at] + data[at:near] * chance.choice([3, 100, 3_000]) + data[near:]
            case "splice":
                other = chance.choice(self.files)
                start = chance.randint(0, len(other))
                return data[:at] + other[start : start + chance.choice([30, 400, 5_000])] + data[near:]
            case "token":
                new = "".join(chance.choices(TOKENS[tokens], k=chance.choice([1, 1, 2, 5])))
                return data[:at] + new.encode("utf-8", "surrogatepass") + data[at:]
            case "number":
                found = re.compile(rb"-?\d+\.?\d*").search(data, at, at + 400)
                new = chance.choice(NUMBERS).encode()
                return data[: found.start()] + new + data[found.end() :] if found else data
            case "unseen":
                new = chance.choice(UNSEEN) * chance.choice([1, 1, 1, 300])
                return data[:at] + new.encode("utf-8", "surrogatepass") + data[at:]
            case "formula":
                return data[:at] + b"\n" + chance.choice(FORMULAS).encode() + data[at:]
            case "nest":
                often = chance.choice([50, 2_000, 100_000])
                begin, end = (part.encode() * often for part in chance.choice(NESTS[tokens]))
                return data[:at] + begin + data[at:near] + end + data[near:]
            case "line":
                return data[:at] + data[at:].replace(b"\n", b" ") + b"word " * chance.choice([10, 200_000])
            case _:
                code = chance.choice(
                    ["utf-16", "utf-16-be", "utf-32", "cp1252", "cp500", "utf-7", "shift_jis"]
                )
                return data.decode("utf-8", "replace").encode(code, "replace")

    def _archive(self, data: bytes) -> bytes:
        chance = self.chance
        if chance.random() < 0.25:  # the archive itself
            return self._changed(data, "xml")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        for _ in range(chance.choice([1, 1, 2, 4])):
            name = "word/document.xml" if chance.random() < 0.6 else chance.choice([*parts, "x"])
            part = parts.get(name, b"")
            match chance.choices(list(PARTS), list(PARTS.values()))[0]:
                case "tree":
                    parts[name] = self._tree(part)
                case "change":
                    parts[name] = self._changed(part, "xml")
                case "drop":
                    parts.pop(name, None)
                case "rename":
                    parts[chance.choice(["../../x", "/x", "word/document.xml", "\x1b[2J.xml", "x" * 300])] = (
                        part
                    )
                case "entities":
                    declared = ENTITIES + part.decode("utf-8", "replace").partition("?>")[2]
                    called = re.sub("(?<=<w:t>)", chance.choice(["&i;", "&f;", "&a;"]), declared, count=3)
                    parts[name] = called.encode(chance.choice(["utf-8", "utf-16"]), "replace")
                case "archive":
                    parts[name] = zipped(parts)
                case _:
                    parts[name] = part + b" " * chance.choice([10**6, 3 * 10**7])
        return zipped(
            parts, chance.choice([zipfile.ZIP_DEFLATED] * 3 + [zipfile.ZIP_STORED, zipfile.ZIP_LZMA])
        )

    def _tree(self, part: bytes) -> bytes:
        """XML that stays XML: elements leave, come again, change places, lose or get attributes and text."""
        try:
            root = etree.fromstring(part, etree.XMLParser(resolve_entities=False))
        except etree.XMLSyntaxError:
            return self._changed(part, "xml")
        for _ in range(self.chance.choice([1, 3, 10, 60])):
            inside = [e for e in root.iter() if isinstance(e.tag, str) and e is not root]
            if inside:
                self._element(self.chance.choice(inside), self.chance.choice(inside))
        return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)

    def _element(self, one: Any, other: Any) -> None:
        chance = self.chance
        match chance.choice(["drop", "again", "move", "wrap", "attribute", "text", "tag"]):
            case "drop":
                one.getparent().remove(one)
            case "again":
                for _ in range(chance.choice([1, 1, 1, 300]) if len(one) < 50 else 1):
                    one.getparent().append(copy.deepcopy(one))
            case "move":
                if one is not other and one not in other.iterancestors():
                    other.append(one)
            case "wrap":
                for _ in range(chance.choice([1, 20, 300])):
                    around = etree.Element(other.tag, dict(other.attrib))
                    one.getparent().replace(one, around)
                    around.append(one)
            case "attribute":
                for key in list(one.attrib):
                    one.set(key, chance.choice([*NUMBERS, "", "x", "Heading1", *one.attrib.values()]))
            case "text":
                new = "".join(chance.choices([*UNSEEN, *FORMULAS, *TOKENS["text"]], k=3))
                new = "".join(c for c in new if c >= " " and c != "\ufffe")
                one.text = new * chance.choice([1, 1, 500])
            case _:
                one.tag = other.tag


def zipped(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive with these parts."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as archive:
        warnings.simplefilter("ignore")  # two of one name
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def unpacked(data: bytes) -> bytes:
    """A PDF with its streams as they are, so that changes reach what pages are made of."""

    def unpack(match: re.Match[bytes]) -> bytes:
        body = match[3].strip(b"\r\n")
        try:
            if b"ASCII85" in match[1]:
                body = base64.a85decode(body.strip().removesuffix(b"~>"))
            if b"FlateDecode" not in match[1] or b"Predictor" in match[1]:
                return match[0]
            body = zlib.decompress(body)
        except (ValueError, zlib.error):
            return match[0]
        head = re.sub(rb"/Filter\s*(?:\[[^\]]*\]|/\w+)", b"", match[1])
        head = re.sub(rb"/Length \d+(?! \d+ R)", b"/Length %d" % len(body), head)
        return head + match[2] + b"stream\n" + body + b"\nendstream"

    return re.sub(rb"(<<(?:[^<>]|<[^<])*?)(>>\s*)stream\r?\n(.*?)endstream", unpack, data, flags=re.S)


def files_of(kind: str, folders: Sequence[Path], most: int = MOST_BYTES) -> list[bytes]:
    """What to begin with: files of this kind, of so many bytes at most, in the order of their names."""
    found = [
        path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob(f"*{SUFFIXES[kind]}"))
        if path.stat().st_size <= most
    ]
    if kind == "text":  # what others are beneath
        found += [data for other in ("markdown", "rst") for data in files_of(other, folders, most)]
    if kind == "docx":
        found = [data for data in found if zipfile.is_zipfile(io.BytesIO(data))]
    if not found:
        raise SystemExit(f"no {kind} files in {', '.join(map(str, folders))}: name folders with --documents")
    return found


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
        outcome, said = self._outcome(data)
        seconds = time.perf_counter() - begun
        self.cases += 1
        self.counts[outcome] += 1
        self.slowest = max(self.slowest, (seconds, number))
        if outcome in ("finding", "crashed", "stopped"):
            self.noted.append({"case": number, "outcome": outcome, "said": said, "bytes": len(data)})
            print(f"{self.kind} {number}: {outcome}: {one_line(said)[:300]}", flush=True)
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
        said = str(error)
        if said != one_line(said):
            return "finding", f"a message of several lines or with steering characters: {said!r}"
        if isinstance(error, ReadingStopped):
            return ("crashed" if error.reason == "corrupt" else "stopped"), said
        if found := re.search(r"\((\w+)\)", error.what):
            self.damaged[found[1]] += 1
        return f"refused: {error.reason}", said

    def _check(self, document: Document) -> None:
        check_spans(document)
        said = escape_control_characters(json.dumps(to_dict(document), ensure_ascii=False, allow_nan=False))
        find_active_markup(said)
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
        found = colde.compare(document, document, models=["tfidf"])
    except ReadError:  # too short
        return
    printed = Console(file=io.StringIO(), width=100, force_terminal=False)
    terminal_report.print_report(found, printed)
    find_active_markup(printed.file.getvalue())  # type: ignore[attr-defined]
    find_active_markup(escape_control_characters(found.to_json()))
    page = html_report.to_html(found)
    tags = Counter(re.findall(r"<(script|iframe|img|base|meta|link|object|embed)\b", page))
    assert tags == _tags(), f"markup of the document in the report: {tags}"
    for _, text in csv_tables.tables(found):
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
        _PLAIN_TAGS.update(re.findall(r"<(script|iframe|img|base|meta|link|object|embed)\b", page))
    return _PLAIN_TAGS


def find_active_markup(text: str) -> None:
    """Raise AssertionError where a printed text holds a character that steers a terminal or hides text."""
    found = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)
    assert found is None, (
        f"{found[0]!r} in what is printed: {text[max(0, found.start() - 40) : found.end()]!r}"
    )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("formats", nargs="+", choices=SUFFIXES, metavar="FORMAT", help=" ".join(SUFFIXES))
    parser.add_argument("--minutes", type=float, default=10.0, help="for each format (default: 10)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case (default: 0)")
    parser.add_argument("--again", type=int, nargs="+", help="only the cases of these numbers")
    parser.add_argument(
        "--documents", type=Path, nargs="+", default=DOCUMENTS, help="folders of files to begin with"
    )
    parser.add_argument(
        "--most-bytes",
        type=int,
        default=MOST_BYTES,
        help="of a file to begin with: small ones are read sooner",
    )
    parser.add_argument("--keep", type=Path, help="folder for the files that were noted")
    parser.add_argument("--json", type=Path, help="file for the counts, added to those of other formats")
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
            known = json.loads(asked.json.read_text("utf-8")) if asked.json.is_file() else {}
            known[kind] = {
                "first": asked.first, "cases": fuzzing.cases, "minutes": round(minutes, 1), "counts": counts,
                "parsers": parsers, "slowest": fuzzing.slowest, "noted": fuzzing.noted,
            }  # fmt: skip
            asked.json.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.exit(failed)


if __name__ == "__main__":
    main()
