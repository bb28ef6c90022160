"""A corpus on disk: documents.jsonl.gz (or documents.jsonl) and tables of labelled pairs."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from msgspec import Struct

from colde import strict_json
from colde.errors import CorpusError
from colde.ingest.shared.blocks import Block, assemble
from colde.ingest.shared.language_detection import detect_language
from colde.strict_json import JsonError
from colde.text.document import Document

DOCUMENTS = "documents.jsonl.gz"
PLAIN_DOCUMENTS = "documents.jsonl"
"""The documents of a corpus that are not compressed; of two files, `DOCUMENTS` counts."""
GRADED = "graded.tsv"
"""Pairs with a graded similarity, by which a model is chosen; never trained on."""
MAX_RECORD_CHARACTERS = 50_000_000
"""Characters of a record; a small file may expand to any number of them."""
_LANGUAGE_SAMPLE = 200  # documents of a corpus whose language is looked at
_LANGUAGE_SHARE = 0.1  # of these documents that a language of the corpus needs


class _Section(Struct):
    """A section of a record."""

    paragraphs: list[str]
    heading: str | None = None


class _Record(Struct):
    """The form of a record; it may have other fields, too."""

    id: str | int
    sections: list[_Section]
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two document ids; label 1 similar, 0 not, None unknown."""

    source: str
    target: str
    label: int | None


def record_to_document(record: dict[str, Any], *, sentences: bool = True) -> Document:
    """A corpus record `{"id", "title", "sections": [{"heading", "paragraphs"}]}` as a Document."""
    blocks = []
    for section in record["sections"]:
        if section.get("heading"):
            blocks.append(Block(section["heading"], level=1))
        blocks.extend(Block(p) for p in section["paragraphs"])
    return assemble(
        blocks,
        source=str(record["id"]),
        format="corpus",
        title=record.get("title") or "",
        language=detect_language(paragraphs_of(record)),
        sentences=sentences,
    )


def document_to_record(name: str, document: Document) -> dict[str, Any]:
    """The corpus record of a document: title, headings and paragraphs of the sections that are compared."""
    text = document.text
    sections = [
        {"heading": section.heading or "", "paragraphs": [text[p.start : p.end] for p in section.paragraphs]}
        for section in document.sections
        if section.role is None
    ]
    return {"id": name, "title": document.title, "sections": sections}


def paragraphs_of(record: dict[str, Any]) -> str:
    """The text of a corpus record without its headings."""
    return "\n".join(p for section in record["sections"] for p in section["paragraphs"])


def languages_of_corpus(folder: Path) -> tuple[str, ...]:
    """ISO 639-1 codes of the languages of a corpus, the commonest first, from 200 documents spread over it.

    Raises:
        CorpusError: as in `read_records`.
    """
    records = [record for _, record in read_records(folder)]
    sample = records[:: max(1, len(records) // _LANGUAGE_SAMPLE)]
    counts = Counter(code for r in sample if (code := detect_language(paragraphs_of(r))) is not None)
    return tuple(code for code, n in counts.most_common() if n >= _LANGUAGE_SHARE * len(sample))


def read_documents(folder: Path, *, sentences: bool = True) -> Iterator[tuple[str, Document]]:
    """Id and Document of every record, one at a time."""
    for name, record in read_records(folder):
        yield name, record_to_document(record, sentences=sentences)


def documents_file(folder: Path) -> Path | None:
    """The file with the documents of a corpus; None where a folder has none and is no corpus."""
    return next((f for name in (DOCUMENTS, PLAIN_DOCUMENTS) if (f := folder / name).is_file()), None)


def required_documents_file(folder: Path) -> Path:
    """The file with the documents of a corpus; CorpusError where a folder has none."""
    path = documents_file(folder)
    if path is None:
        raise CorpusError(f"{folder} is no corpus: it holds no {DOCUMENTS} and no {PLAIN_DOCUMENTS}")
    return path


def _open_text(path: Path) -> IO[str]:
    """The lines of a file, compressed or not."""
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")


def read_records(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Id and record of every document, not yet cut into sentences (that takes far longer than reading).

    Raises:
        CorpusError: there is no corpus, or a damaged one: a line that is no record, an id that stands twice.
    """
    yield from records_of_file(required_documents_file(folder))


def is_records_file(path: Path) -> bool:
    """Whether a file holds a record on each line, by its name."""
    return path.suffixes[-2:] == [".jsonl", ".gz"] or path.suffix in (".jsonl", ".ndjson")


def records_of_file(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Id and record of each line of a file; raises `CorpusError` as `read_records` does."""
    number = 0
    seen_ids: set[str] = set()
    try:
        with _open_text(path) as lines:
            for number, line in enumerate(iter(lambda: lines.readline(MAX_RECORD_CHARACTERS + 1), ""), 1):
                if len(line) > MAX_RECORD_CHARACTERS:
                    raise CorpusError(
                        f"{path}, line {number}: more than {MAX_RECORD_CHARACTERS:,} characters"
                    )
                if line.isspace():
                    continue
                record: dict[str, Any] = strict_json.decode(
                    strict_json.without_lone_surrogates(line), dict[str, Any]
                )
                name = str(strict_json.convert(record, _Record).id)
                if name in seen_ids:
                    raise CorpusError(
                        f"{path}, line {number}: the id {name!r} stands on an earlier line, too"
                    )
                seen_ids.add(name)
                yield name, record
    except JsonError as error:
        raise CorpusError(
            f'{path}, line {number}: not a record {{"id", "title", "sections"}} ({error})'
        ) from None
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: not UTF-8 after line {number} ({error})") from None
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path}: damaged after line {number} ({error})") from None


def read_pairs(path: Path) -> list[Pair]:
    """The rows of a table with the header `source target label` (tab separated; the label may be missing).

    Raises:
        CorpusError: there is no such file, or it is no such table.
    """
    return [pair for pair, _ in read_pairs_and_splits(path)]


def read_pairs_and_splits(path: Path) -> list[tuple[Pair, str]]:
    """The rows of `read_pairs`, each with the content of the column `split`; it is empty where there is none.

    Raises:
        CorpusError: as in `read_pairs`.
    """
    if not path.is_file():
        raise CorpusError(f"{path}: no such pairs file")
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        if rows.fieldnames is None or not {"source", "target"} <= set(rows.fieldnames):
            raise CorpusError(f"{path}: the header must name the columns source, target and label")
        pairs = []
        for number, row in enumerate(rows, 2):
            label = row.get("label")
            if label not in (None, "", "0", "1"):
                raise CorpusError(f"{path}, line {number}: a label is 0 or 1, not {label!r}")
            pair = Pair(row["source"], row["target"], int(label) if label else None)
            pairs.append((pair, row.get("split") or ""))
    return pairs


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """Write a table that `read_pairs` reads."""
    rows = (f"{p.source}\t{p.target}\t{'' if p.label is None else p.label}\n" for p in pairs)
    path.write_text("source\ttarget\tlabel\n" + "".join(rows), encoding="utf-8")


def write_documents(folder: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records as documents.jsonl.gz into a folder, which is made where there is none.

    The file appears under its name once it is complete.
    """
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".{DOCUMENTS}.part"
    try:
        with gzip.GzipFile(unfinished, "wb", mtime=0) as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        unfinished.replace(folder / DOCUMENTS)
    finally:
        unfinished.unlink(missing_ok=True)
