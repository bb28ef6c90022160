"""How much of a machine one file may use. Defaults suit a laptop; every value can be raised."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 2**20


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
        memory: bytes of memory the reading process may take on top of its own start.
    """

    file_bytes: int = 50 * MEBIBYTE
    pages: int = 1000
    characters: int = 5_000_000
    zip_bytes: int = 500 * MEBIBYTE
    zip_ratio: int = 200
    zip_parts: int = 10_000
    seconds: float = 60.0
    memory: int = 1024 * MEBIBYTE
