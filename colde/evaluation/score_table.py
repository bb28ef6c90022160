"""A table of pairs on disk, and the same table with scores, written row by row so that it can be resumed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from colde.errors import CorpusError
from colde.judge.calibration import Judgement

COLUMNS = ("score", "probability", "predicted")


@dataclass(frozen=True, slots=True)
class PairTable:
    """Rows of a tab separated file with at least the columns source and target, without those of `COLUMNS`."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def pairs(self) -> list[tuple[str, str]]:
        """Ids of source and target of each row."""
        source, target = self.header.index("source"), self.header.index("target")
        return [(row[source], row[target]) for row in self.rows]


def read_table(path: Path) -> PairTable:
    """Read a table of pairs; scores of an earlier run are left out, blank lines skipped.

    Raises:
        CorpusError: the file is missing, has no such columns, or a row has another number of cells.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # universal newlines: no \r is left
    except FileNotFoundError:
        raise CorpusError(f"{path}: no such pairs file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path} cannot be read as a table ({error})") from None
    header = lines[0].split("\t")
    if not {"source", "target"} <= set(header):
        raise CorpusError(f"{path}: the header must name the columns source, target and label")
    keep = [i for i, name in enumerate(header) if name not in COLUMNS]
    rows = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) != len(header):
            raise CorpusError(f"{path}, line {number}: {len(cells)} cells where the header has {len(header)}")
        rows.append(tuple(cells[i] for i in keep))
    return PairTable(tuple(header[i] for i in keep), tuple(rows))


class ScoredTable:
    """The output of `colde score`: the rows of a PairTable with scores, in the same order.

    `kept` has score (NaN where it is empty) and probability of the complete rows that are in the file. An incomplete
    last row of an earlier run is cut off by the first `append`.

    Raises:
        CorpusError: the file does not hold the first rows of this table.
    """

    def __init__(self, path: Path, table: PairTable) -> None:
        self.path = path
        self.table = table
        self.kept: list[tuple[float, float | None]] = []
        self._header = "\t".join((*table.header, *COLUMNS))
        self._whole = self._check(path.read_bytes() if path.exists() else b"")

    def _check(self, data: bytes) -> int:
        """Number of bytes that are complete rows of this table."""
        header, *lines = data[: data.rfind(b"\n") + 1].decode("utf-8", errors="replace").split("\n")[:-1] or [
            ""
        ]
        if not header:
            return 0
        if header != self._header:
            raise CorpusError(f"{self.path} is not an earlier output for these pairs: its header differs")
        complete_bytes = len(header.encode()) + 1
        width = len(self.table.header)
        for number, line in enumerate(lines):
            cells = line.split("\t")
            if number >= len(self.table.rows) or tuple(cells[:width]) != self.table.rows[number]:
                raise CorpusError(
                    f"{self.path} is not an earlier output for these pairs: row {number + 1} differs; "
                    "remove it or name another file"
                )
            try:
                score, probability, _ = cells[width:]
                self.kept.append(
                    (float(score) if score else math.nan, float(probability) if probability else None)
                )
            except ValueError:
                raise CorpusError(
                    f"{self.path}, row {number + 1}: not a score, a probability and a prediction"
                ) from None
            complete_bytes += len(line.encode()) + 1
        return complete_bytes

    def append(self, scored: Iterable[tuple[float, Judgement | None]]) -> None:
        """Write the next rows after those kept, each as soon as its score is there; without one its cells are empty."""
        rows = iter(self.table.rows[len(self.kept) :])
        with self.path.open("a", encoding="utf-8", newline="", buffering=1) as file:
            file.truncate(self._whole)
            if not self._whole:
                file.write(self._header + "\n")
            for score, judged in scored:
                cells = ("", "", "") if judged is None else _cells(score, judged)
                file.write("\t".join((*next(rows), *cells)) + "\n")


def _cells(score: float, judged: Judgement) -> tuple[str, str, str]:
    return (
        f"{score:.8g}",
        "" if judged.probability is None else f"{judged.probability:.6f}",
        "" if judged.similar is None else str(int(judged.similar)),
    )
