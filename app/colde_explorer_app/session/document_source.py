"""One input of the page: its bytes, and the edits of its sections."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Literal

from colde.text.document import Document
from colde.text.sections.section_edits import Edit

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")


@dataclass(frozen=True)
class Source:
    """A file, or a pasted text.

    Attributes:
        name: of the file; a title without a suffix for a pasted text.
        data: the bytes of the file, or the pasted text in UTF-8.
        pasted: whether it is a pasted text.
        password: of an encrypted PDF.
        bundled: whether it is one of the samples, which are read and encoded once for all sessions.
        packed: whether `data` is a document from a review file (`colde.ingest.sandbox.protocol`).
        edits: edits of its sections, in order.
        undone: edits that were undone, the last one last.
        ready: the document, where it need not be read, as one from an index; `data` is then derived from its id.
    """

    name: str
    data: bytes = field(repr=False)
    pasted: bool = False
    password: str | None = field(default=None, repr=False)
    bundled: bool = False
    packed: bool = False
    edits: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = field(default=(), repr=False)
    ready: Document | None = field(default=None, repr=False)

    @cached_property
    def file(self) -> str:
        """SHA-256 of everything that decides how it is read."""
        head = f"{self.name}\0{self.pasted}{'packed' if self.packed else ''}\0{self.password or ''}\0"
        return sha256(head.encode() + self.data).hexdigest()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file and its edits."""
        return sha256(f"{self.file}{self.edits}".encode()).hexdigest() if self.edits else self.file

    @property
    def is_pdf(self) -> bool:
        return not self.pasted and not self.packed and self.data[:1024].find(b"%PDF-") >= 0

    def with_edit(self, edit: Edit) -> Source:
        """The source after another edit; edits that were undone cannot be redone after it."""
        return replace(self, edits=(*self.edits, edit), undone=())

    def undo(self) -> Source:
        """The source without its last edit; unchanged if it has none."""
        return replace(self, edits=self.edits[:-1], undone=(*self.undone, *self.edits[-1:]))

    def redo(self) -> Source:
        """The source with the edit that was undone last; unchanged if none was."""
        return replace(self, edits=(*self.edits, *self.undone[-1:]), undone=self.undone[:-1])

    def reset(self) -> Source:
        """The source without edits; each of them can be redone."""
        return replace(self, edits=(), undone=(*self.undone, *reversed(self.edits)))
