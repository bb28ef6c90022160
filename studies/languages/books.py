"""What the studies of translated books share: a table for each book, and a JSON file of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from studies.tables import markdown_table, write_json


class Figures(Protocol):
    """Figures of one language, a dataclass."""

    def row(self) -> Sequence[object]:
        """Cells of a row of the table."""


def measure_books(
    folders: Sequence[Path],
    columns: Sequence[str],
    measure: Callable[[Path], Sequence[Any]],
    output: Path | None,
) -> None:
    """Measure each book, print its table, and write the figures of all.

    Args:
        columns: heads of the table.
        measure: the `Figures` of a folder, one for each language.
        output: the JSON file; None: none.
    """
    record = {}
    for folder in folders:
        figures = measure(folder)
        print(folder.name, markdown_table(columns, [f.row() for f in figures]), sep="\n\n", flush=True)
        record[folder.name] = [asdict(f) for f in figures]
    if output is not None:
        write_json(output, record)
