"""How much of a machine one file may use. Defaults suit a laptop; every value can be raised."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

MEBIBYTE = 2**20

# Processor time: several times what ordinary documents take on a slow machine, too little for hostile ones to hurt.
_SECONDS_PER_PAGE = 0.15
_SECONDS_PER_MEGABYTE = 4.0
_SECONDS_PER_PDF_MEGABYTE = 1.0  # most of which are pictures; the pages count


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may cost; beyond it a file is refused with the reason `too_large`.

    Attributes:
        file_bytes: size of the file.
        pages: pages of a PDF.
        characters: characters of the text that comes out.
        zip_bytes: size of all parts of a zip (DOCX) once expanded.
        zip_ratio: expanded size over packed size of a zip; ordinary documents stay below 30.
        zip_parts: number of parts of a zip.
        seconds: wall time in the reading process.
        base_seconds: processor time there of a small file; larger ones get more, see `processor_seconds`.
        memory: bytes of memory the reading process may take on top of its own start.
    """

    file_bytes: int = 50 * MEBIBYTE
    pages: int = 1000
    characters: int = 5_000_000
    zip_bytes: int = 500 * MEBIBYTE
    zip_ratio: int = 200
    zip_parts: int = 10_000
    seconds: float = 120.0
    base_seconds: float = 7.0
    memory: int = 1024 * MEBIBYTE

    def processor_seconds(self, format: str, size: int, pages: int = 0) -> float:
        """Processor time in the reading process.

        Args:
            format: name of the reader.
            size: bytes of the file.
            pages: of a PDF, once they are counted.
        """
        rate = _SECONDS_PER_PDF_MEGABYTE if format == "pdf" else _SECONDS_PER_MEGABYTE
        return min(self.seconds, self.base_seconds + rate * size / 1e6 + _SECONDS_PER_PAGE * pages)


max_characters: ContextVar[int] = ContextVar("most_characters", default=Limits().characters)
"""`Limits.characters` of the file in hand, for the place where all blocks of all readers come together."""
