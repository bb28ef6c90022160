"""The zip archive of a Word document: what is checked before it is read, its parts, and how they point at each other.

A part that is pointed at and missing, as pictures often are, costs nothing but the part.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import unquote

from colde.errors import ReadError
from colde.ingest.docx.names import RELATION, W
from colde.ingest.files.xml_parsing import parse_xml
from colde.ingest.files.zip_archive import (
    ZIP_ERRORS,
    damaged,
    declares_document_type,
    open_archive,
    read_part,
)
from colde.ingest.reading_limits import Limits
from colde.ingest.shared.page_warnings import names_phrase
from colde.text.document import ReadWarning

OLE_SIGNATURE = b"\xd0\xcf\x11\xe0"
"""First bytes of old Office files, and of Word documents that are protected by a password."""
_MAIN_PART = "word/document.xml"
_CONTENT_TYPES = "[Content_Types].xml"
_WORD_TYPE = re.compile(rb"(?:wordprocessingml|ms-word)\.(?:document|template)")
_MAX_CONTENT_TYPES = 2**20  # bytes of the list of types that are looked at
_STRICT = b"http://purl.oclc.org/ooxml/"
_STRICT_NAME = re.compile(re.escape(_STRICT) + rb"(officeDocument|wordprocessingml|drawingml)/(\w+)")


def is_word_archive(data: bytes) -> bool:
    """Whether a zip archive holds a Word document, whatever its main part is called."""
    if _MAIN_PART.encode() in data:
        return True
    if _CONTENT_TYPES.encode() not in data:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_CONTENT_TYPES) as stream:
            return _WORD_TYPE.search(stream.read(_MAX_CONTENT_TYPES)) is not None
    except (*ZIP_ERRORS, KeyError, ValueError, RuntimeError):
        return False


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part points at: the last word of its type, and a part's name or, where `external`, an address."""

    kind: str
    target: str
    external: bool


class Package:
    """The parts of a Word document, each read when it is asked for.

    Attributes:
        name: what errors call the document.
        main_part: the name of the part with the text.
    """

    def __init__(self, data: bytes, name: str, limits: Limits) -> None:
        """Check the archive before anything is expanded.

        Raises:
            ReadError: `encrypted`, `unsupported`, `too_large` (zip bomb), `corrupt` (no Word document, XML entities).
        """
        if data.startswith(OLE_SIGNATURE):
            if "EncryptedPackage".encode("utf-16-le") in data:
                raise ReadError(
                    name, "encrypted", "the Word document is protected by a password",
                    "remove the password in a word processor (Save as) and try again",
                )  # fmt: skip
            raise ReadError(name, "unsupported", "an old Word format (.doc)", "save it as .docx or PDF")
        self.name = name
        self._missing: list[str] = []
        self._archive = open_archive(data, name, limits, "Word document")
        for part in self._archive.namelist():
            if part.endswith((".xml", ".rels")) and self._declares_document_type(part):
                raise damaged(name, "it declares XML entities, which Word never writes")
        self._names = {part.lower().lstrip("/"): part for part in self._archive.namelist()}
        self.relations = cache(self._relations)
        main = next((r.target for r in self.relations("").values() if r.kind == "officeDocument"), _MAIN_PART)
        self.main_part = main if main.lower() in self._names else _MAIN_PART

    def body(self) -> Any:
        """The element with the text.

        Raises:
            ReadError: `corrupt`, where there is no text of a Word document.
        """
        if self.main_part.lower() not in self._names:
            raise damaged(self.name, "a zip archive without a Word document in it")
        root = self.xml(self.main_part)
        body = root.find(W + "body") if root.tag == W + "document" else None
        if body is None:
            raise damaged(self.name, "a zip archive without a Word document in it")
        return body

    def data(self, part: str) -> bytes | None:
        """The bytes of a part; None for one that is missing, which `warnings` names."""
        stored = self._names.get(part.lower())
        if stored is None:
            self._missing.append(part)
            return None
        return read_part(self._archive, stored, self.name)

    def xml(self, part: str) -> Any:
        """The root element of a part, with the usual names where it is "Strict Open XML"; None for a missing one.

        Raises:
            ReadError: `corrupt`, where it is no XML.
        """
        data = self.data(part)
        if data is None:
            return None
        if _STRICT in data:
            data = _STRICT_NAME.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", data)
        return parse_xml(data, self.name, part)

    def parts_of_kind(self, kind: str, part: str | None = None) -> Iterator[str]:
        """The names of the parts of a kind that the main part, or another one, points at."""
        for relation in self.relations(self.main_part if part is None else part).values():
            if relation.kind == kind and not relation.external:
                yield relation.target

    def related(self, element: Any, attribute: str = "id") -> Relation | None:
        """What an element of the main part points at; None for a missing relation, which `warnings` names."""
        name = str(element.get(RELATION + attribute) or "")
        relation = self.relations(self.main_part).get(name)
        if relation is None:
            self._missing.append(f"relation {name}".rstrip())
        return relation

    def content_type(self, part: str) -> str:
        """The type of a part, such as `text/html`; empty where the document does not say."""
        root = self.xml(_CONTENT_TYPES) if _CONTENT_TYPES.lower() in self._names else None
        names = {f"/{part}".lower(), posixpath.splitext(part)[1][1:].lower()}
        for element in root if root is not None else ():
            named = element.get("PartName") or element.get("Extension") or ""
            if named.lower() in names:
                return str(element.get("ContentType") or "").lower()
        return ""

    def warnings(self) -> tuple[ReadWarning, ...]:
        """A warning that names the missing parts; none where nothing was missing that was asked for."""
        if not self._missing:
            return ()
        what = "parts that the file refers to are missing, and their text was not read"
        return (ReadWarning(f"{what}: {names_phrase(self._missing)}"),)

    def _declares_document_type(self, part: str) -> bool:
        try:
            with self._archive.open(part) as stream:
                return declares_document_type(stream)
        except (*ZIP_ERRORS, ValueError) as error:
            raise damaged(self.name, f"the part {part} is damaged") from error

    def _relations(self, part: str) -> dict[str, Relation]:
        """What a part points at, by the ids in it; the empty part is the package itself."""
        folder, file = posixpath.split(part)
        stored = posixpath.join(folder, "_rels", f"{file}.rels")
        if stored.lower() not in self._names:
            return {}
        relations = {}
        for element in self.xml(stored):
            target = unquote(element.get("Target") or "").replace("\\", "/")
            external = element.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = (element.get("Type") or "").rpartition("/")[2]
            relations[element.get("Id") or ""] = Relation(kind, target, external)
        return relations
