"""A corpus folder from files of any format and a table of labelled pairs of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from colde.corpus.corpus_folder import (
    Pair,
    document_to_record,
    read_pairs_and_splits,
    write_documents,
    write_pairs,
)
from colde.corpus.document_sources import DocumentSource, document_sources
from colde.corpus.held_out_documents import held_out_documents
from colde.errors import CorpusError, ReadError, skip_document

TRAIN, VALID = "train", "valid"
SPLITS = (TRAIN, VALID, "test")
"""What a column `split` may hold; `train` is read as train.tsv by `colde train`, `valid` as valid.tsv."""

OnFile = Callable[[str, int, int], None]
"""Called before each file with its name, its position from 0, and the number of files."""


@dataclass(slots=True)
class BuiltCorpus:
    """What `build_corpus` wrote.

    Attributes:
        documents: number of documents.
        pairs: pairs of each split.
        unreadable: why files could not be read, in the order of their names.
        missing: pairs that were left out because a document is not in the folder or could not be read.
        missing_names: the names of these documents.
        divided: pairs that were left out because one of their documents is for training, the other for validation.
        seen: validation pairs with a document that also stands in a training pair; only with a column `split`.
    """

    documents: int = 0
    pairs: dict[str, list[Pair]] = field(default_factory=dict)
    unreadable: list[ReadError] = field(default_factory=list)
    missing: int = 0
    missing_names: tuple[str, ...] = ()
    divided: int = 0
    seen: int = 0


def build_corpus(
    folder: Path,
    pairs_file: Path,
    output: Path,
    *,
    validation: float = 0.2,
    seed: int = 0,
    force: bool = False,
    on_file: OnFile = lambda name, done, total: None,
) -> BuiltCorpus:
    """Write a corpus folder: the documents of all files in a folder, and the pairs as train.tsv and valid.tsv.

    Args:
        folder: files of any format; names in the table are paths below it.
        pairs_file: a table with the header `source target label`, and `split` where the pairs are already divided.
        output: the corpus folder; made where there is none.
        validation: share of the documents whose pairs are kept for validation.
        seed: of their choice.
        force: whether files of the same names in the output folder are overwritten.

    Raises:
        CorpusError: the table is malformed, no pair remains, or the output folder is not empty.
    """
    if output.is_dir() and any(output.iterdir()) and not force:
        raise CorpusError(f"{output} is not empty: name another folder, or overwrite it with --force")
    if output.resolve().is_relative_to(folder.resolve()):
        raise CorpusError(f"{output} lies in the folder that is read: name a folder elsewhere")
    table = _labelled_pairs(pairs_file)
    built = BuiltCorpus()
    rows: list[tuple[Pair, str]] = []

    def records() -> Iterator[dict[str, Any]]:
        names: set[str] = set()
        for record in _records(list(document_sources([folder])), built, on_file):
            names.add(record["id"])
            yield record
        rows.extend(row for row in table if row[0].source in names and row[0].target in names)
        wanted = {name for pair, _ in table for name in (pair.source, pair.target)}
        built.missing, built.missing_names = len(table) - len(rows), tuple(sorted(wanted - names))
        if not rows:  # raised before the file of documents is complete, so that an earlier one stays
            raise CorpusError(f"{pairs_file}: no pair names two files of {folder} that can be read")

    write_documents(output, records())
    _divide(rows, built, validation, seed)
    for split in SPLITS:
        (output / f"{split}.tsv").unlink(missing_ok=True)  # of the corpus that is overwritten
        if pairs := built.pairs.get(split):
            write_pairs(output / f"{split}.tsv", pairs)
    return built


def _labelled_pairs(path: Path) -> list[tuple[Pair, str]]:
    """The rows of the table, with file names as `document_sources` writes them.

    Where the table has a column `split`, an empty cell means that the pair is for training.
    """
    rows = read_pairs_and_splits(path)
    default = TRAIN if any(split for _, split in rows) else ""
    for number, (pair, split) in enumerate(rows, 2):
        if pair.label is None:
            raise CorpusError(f"{path}, line {number}: the pair has no label")
        if split not in ("", *SPLITS):
            raise CorpusError(f"{path}, line {number}: a split is one of {', '.join(SPLITS)}, not {split!r}")
    return [
        (Pair(_path(pair.source), _path(pair.target), pair.label), split or default) for pair, split in rows
    ]


def _path(path: str) -> str:
    return PurePosixPath(path.strip().replace("\\", "/")).as_posix()


def _records(
    sources: Sequence[DocumentSource], built: BuiltCorpus, on_file: OnFile
) -> Iterator[dict[str, Any]]:
    """The record of each file that can be read; notes why the others cannot."""
    for done, source in enumerate(sources):
        on_file(source.name, done, len(sources))
        record = None
        with skip_document(source.name, built.unreadable):
            record = document_to_record(source.name, source.read())
        if record is not None:
            built.documents += 1
            yield record


def _divide(rows: Sequence[tuple[Pair, str]], built: BuiltCorpus, validation: float, seed: int) -> None:
    """Divide the pairs as the table says; without splits in it by documents, so that no document is in two splits."""
    pairs = [pair for pair, _ in rows]
    if not rows[0][1]:
        held_out = held_out_documents(pairs, validation, seed)
        by_count = (TRAIN, "", VALID)  # by the number of documents that are held out
        rows = [(p, by_count[(p.source in held_out) + (p.target in held_out)]) for p in pairs]
    for pair, split in rows:
        built.pairs.setdefault(split, []).append(pair)
    built.divided = len(built.pairs.pop("", ()))
    trained = {name for pair in built.pairs.get(TRAIN, ()) for name in (pair.source, pair.target)}
    built.seen = sum(p.source in trained or p.target in trained for p in built.pairs.get(VALID, ()))
