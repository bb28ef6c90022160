"""How well, and how fast, documents are read: this project's reader beside others, on documents with known structure.

    .venv/bin/pip install -r studies/reading/requirements.txt     # the others; each that is missing is left out
    .venv/bin/python -m studies.reading.readers_compared ../shared/documents

The folder holds `score_structure.py`, which explains the measures, and folders of documents with a `.truth.json`
beside each. The first table is of PDFs and all readers, the second of this project's reader and all formats.
Pages per second are of processor time, that of programs a reader starts included.

Readers that give Markdown headings are taken at their word. For all others the same simple rules make sections of
the plain text: a line is a heading if it is short and begins with a section number or is a known name; a word broken
at a line end is joined; the first line is the title.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from colde.ingest.document_json import to_dict
from colde.ingest.formats import FORMATS
from colde.ingest.parsing import parse
from colde.ingest.reading_limits import Limits
from studies.arguments import command_line
from studies.speed.process_memory import children_seconds
from studies.tables import markdown_table

Prediction = dict[str, Any]
SUFFIXES = tuple(row.suffixes[0] for row in FORMATS if row.name != "text")  # plain text names no headings
MEASURES = {
    "hF": "headings F1", "lev": "levels", "title": "title", "cov": "found", "sec": "right section",
    "noise": "noise", "furn": "furniture", "hyph": "hyphens", "box": "boxes F1",
}  # fmt: skip
_MARKDOWN = re.compile(r"^(#{1,6})\s+(\S.*)$")
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[A-Z]\.)\s+[A-Z]")
_KNOWN = re.compile(
    r"abstract|(?:\d+\.?\s+)?introduction|conclusions?|references|bibliography|acknowledge?ments?|"
    r"related work|discussion|results|background|appendix\b.*",
    re.IGNORECASE,
)
_LONGEST = 12  # words of a heading
_BROKEN = re.compile(r"(?<=[a-z])[-\u00ad\ufffe\x02]\s*\n\s*(?=[a-z])")


def predict(path: Path) -> Prediction:
    """A document as `colde read --json` gives it, read in this process."""
    return to_dict(parse(path.read_bytes(), path.name, None, Limits()))


def of_markdown(text: str) -> Prediction:
    """Sections by Markdown headings; by the simple rules where there are none."""
    lines = [_MARKDOWN.match(line) for line in text.split("\n")]
    if not any(lines):
        return of_plain(text)
    pieces = _cut(text.split("\n"), [(len(m[1]), m[2].strip("*_ ")) if m else None for m in lines])
    title, *others = [piece for piece in pieces if piece["heading"]]
    above = min((piece["level"] for piece in others), default=1) - 1  # the title has a level of its own
    for piece in others:
        piece["level"] -= above
    return {"title": title["heading"], "sections": pieces}


def of_plain(text: str) -> Prediction:
    """Sections by simple rules, the same for every reader without headings of its own."""
    lines = [line.strip() for line in _BROKEN.sub("", text.replace("\r", "").replace("\f", "\n")).split("\n")]
    pieces = _cut(lines, [_heading(line) for line in lines])
    return {"title": next(filter(None, lines), ""), "sections": pieces}


def _heading(line: str) -> tuple[int, str] | None:
    if not line or len(line.split()) > _LONGEST or line.endswith((".", ",", ";", ":")):
        return None
    if _NUMBERED.match(line):
        return line.split()[0].rstrip(".").count(".") + 1, line
    return (1, line) if _KNOWN.fullmatch(line) else None


def _cut(lines: list[str], headings: list[tuple[int, str] | None]) -> list[dict[str, Any]]:
    pieces: list[dict[str, Any]] = [{"heading": None, "level": 1, "text": ""}]
    body: list[str] = []
    for line, heading in zip(lines, headings, strict=True):
        if heading is None:
            body.append(line)
            continue
        pieces[-1]["text"] = " ".join(body)
        pieces.append({"heading": heading[1], "level": heading[0], "text": ""})
        body = []
    pieces[-1]["text"] = " ".join(body)
    return pieces


def pypdfium2_text(path: Path) -> Prediction:
    import pypdfium2

    pdf = pypdfium2.PdfDocument(path)
    return of_plain("\n".join(page.get_textpage().get_text_range() for page in pdf))


def pdftotext(path: Path) -> Prediction:
    command = ["pdftotext", "-enc", "UTF-8", str(path), "-"]
    return of_plain(subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8"))


def pdfminer(path: Path) -> Prediction:
    from pdfminer.high_level import extract_text

    return of_plain(extract_text(str(path)))


def pdftext(path: Path) -> Prediction:
    from pdftext.extraction import plain_text_output

    return of_plain(plain_text_output(str(path), sort=False, hyphens=False))


def markitdown(path: Path) -> Prediction:
    from markitdown import MarkItDown

    return of_markdown(MarkItDown().convert(str(path)).text_content)


def opendataloader(path: Path) -> Prediction:
    import opendataloader_pdf

    with tempfile.TemporaryDirectory() as folder:
        opendataloader_pdf.convert(str(path), output_dir=folder, format="markdown", quiet=True)
        return of_markdown(next(Path(folder).glob("*.md")).read_text(encoding="utf-8"))


def docling(path: Path) -> Prediction:
    from docling.document_converter import DocumentConverter

    return of_markdown(DocumentConverter().convert(str(path)).document.export_to_markdown())


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader: its name, how to read a document, and what must be installed (a program where `program`)."""

    name: str
    read: Callable[[Path], Prediction]
    needs: str
    program: bool = False

    def installed(self) -> str | None:
        """Its version; None where it is missing."""
        if self.program:
            return "installed" if shutil.which(self.needs) else None
        try:
            return version(self.needs)
        except PackageNotFoundError:
            return None


OURS = Reader("colde", predict, "colde-explorer")
READERS = (
    Reader("pypdfium2 text, simple rules", pypdfium2_text, "pypdfium2"),
    Reader("pdftotext, simple rules", pdftotext, "pdftotext", program=True),
    Reader("pdfminer.six, simple rules", pdfminer, "pdfminer.six"),
    Reader("pdftext, simple rules", pdftext, "pdftext"),
    Reader("markitdown", markitdown, "markitdown"),
    Reader("opendataloader (Java)", opendataloader, "opendataloader-pdf"),
    Reader("docling (models)", docling, "docling"),
    OURS,
)


def scorer(folder: Path) -> Any:
    """The module `score_structure.py` of a folder of documents."""
    spec = importlib.util.spec_from_file_location("score_structure", folder / "score_structure.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def processor_time() -> float:
    """Seconds of processor time of this process and the programs it started."""
    return time.process_time() + children_seconds()


def documents(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Each document with its truth."""
    for truth in sorted(folder.glob("*.truth.json")):
        stem = truth.name.removesuffix(".truth.json")
        for suffix in SUFFIXES:
            if (path := folder / (stem + suffix)).exists():
                yield path, truth


def measure(
    reader: Reader, files: list[tuple[Path, Path]], score: Callable[..., Any], keep: Path | None
) -> dict[str, float | None]:
    """Means over documents, and pages per second where there are pages."""
    reader.read(files[0][0])  # imports and first use are not counted
    rows, pages, seconds = [], 0, 0.0
    for path, truth_path in files:
        truth = json.loads(truth_path.read_text(encoding="utf-8"))
        began = processor_time()
        prediction = reader.read(path)
        seconds += processor_time() - began
        pages += truth.get("pages") or 0
        rows.append(score(truth, prediction))
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{path.name}.{reader.name.split(',')[0]}.json").write_text(
                json.dumps(prediction), "utf-8"
            )
    means: dict[str, float | None] = {}
    for key in MEASURES:
        values = [row[key] for row in rows if row[key] is not None]
        means[key] = sum(values) / len(values) if values else None
    return means | {"pages/s": pages / seconds if pages else None}


def table(head: str, rows: dict[str, dict[str, float | None]]) -> str:
    """A row a reader or format."""
    cells = (
        [
            name,
            *("" if row[key] is None else f"{row[key]:.3f}" for key in MEASURES),
            "" if row["pages/s"] is None else f"{row['pages/s']:.3g}",
        ]
        for name, row in rows.items()
    )
    return markdown_table([head, *MEASURES.values(), "pages/s"], cells)


def installed_readers(only: str | None) -> list[Reader]:
    """The readers that can be measured; those that are missing are named."""
    wanted = [r for r in READERS if only is None or only in r.name]
    versions = {r.name: r.installed() for r in wanted}
    readers = [r for r in wanted if versions[r.name] is not None]
    print("versions:", ", ".join(f"{r.needs} {versions[r.name]}" for r in readers))
    if missing := [name for name, installed in versions.items() if installed is None]:
        print("not installed:", ", ".join(missing))
    return readers


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", help="part of the name of the readers to measure")
    parser.add_argument("--keep", type=Path, help="folder for what the readers made of the documents")
    asked = parser.parse_args()
    score = scorer(asked.folder).score
    kinds = {k.name: files for k in sorted(asked.folder.iterdir()) if (files := list(documents(k)))}
    readers = installed_readers(asked.only)
    by_format: dict[tuple[str, str], list[tuple[Path, Path]]] = {}
    for kind, files in kinds.items():
        for suffix in SUFFIXES:
            if some := [(path, truth) for path, truth in files if path.suffix == suffix]:
                by_format[kind, suffix] = some
    for (kind, suffix), files in by_format.items():
        if suffix == ".pdf":
            rows = {r.name: measure(r, files, score, asked.keep) for r in readers}
            print(f"\n{kind}: {len(files)} PDFs\n\n{table('reader', rows)}", flush=True)
    if OURS in readers:
        rows = {f"{k}, {s[1:]}": measure(OURS, files, score, None) for (k, s), files in by_format.items()}
        print(f"\n{OURS.name}, by format\n\n{table('documents', rows)}")


if __name__ == "__main__":
    main()
