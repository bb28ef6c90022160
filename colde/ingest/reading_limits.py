"""How much of a machine one file may use. Defaults suit a laptop; every value can be raised."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

MEBIBYTE = 2**20

# Processor time: several times what ordinary documents take on a slow machine, too little for hostile ones to hurt.
_SECONDS_PER_PAGE = 0.15


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

    def processor_seconds(self, size: int, seconds_per_megabyte: float, pages: int = 0) -> float:
        """Processor time allowed in the reading process.

        Args:
            size: bytes of the file.
            seconds_per_megabyte: `Format.seconds_per_megabyte` of its format.
            pages: of a PDF, once they are counted.
        """
        for_size = seconds_per_megabyte * size / 1e6
        return min(self.seconds, self.base_seconds + for_size + _SECONDS_PER_PAGE * pages)


@dataclass(frozen=True, slots=True)
class Reading:
    """How one file is read: what every `convert` gets besides the bytes and the name.

    Attributes:
        password: for encrypted files.
        limits: what reading the file may cost.
        allow_pages: told the number of pages of a PDF as soon as it is known; allows the processor time for them.
    """

    password: str | None = None
    limits: Limits = Limits()
    allow_pages: Callable[[int], None] = lambda pages: None


max_characters: ContextVar[int] = ContextVar("most_characters", default=Limits().characters)
"""`Limits.characters` of the file that is read, for the place where all blocks of all readers come together."""
