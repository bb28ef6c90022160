"""Changed files, each made from its number alone."""

from __future__ import annotations

import base64
import copy
import io
import json
import random
import re
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from colde.ingest.formats import FORMATS
from tests.ingest.test_formats_table import EXAMPLES

SUFFIXES = {row.name: row.suffixes[0] for row in FORMATS}
MAIN_PARTS = {"docx": "word/document.xml", "odt": "content.xml", "epub": "OPS/book.opf"}
"""Formats that are archives, and the part that is changed most."""
WITH_BEGINNING = ("rtf", "mhtml", "xml", "notebook")
"""Formats that are told by how a file begins."""
MOST_BYTES = 400_000  # of a file to begin with: larger ones give fewer cases a minute
CHANGES = {
    "token": 8, "flip": 5, "unseen": 5, "cut": 4, "number": 4, "copy": 3, "splice": 3, "prefix": 2, "drop": 2,
    "many": 1, "nest": 1, "formula": 1, "code": 0.5, "line": 0.3,
}  # fmt: skip
"""Changes and how often each is made."""
PARTS = {"tree": 16, "change": 4, "drop": 1, "rename": 1, "entities": 1, "archive": 1, "swell": 0.4}
"""The same for the parts of an archive."""
ENCODINGS = ["utf-16", "utf-16-be", "utf-32", "cp1252", "cp500", "utf-7", "shift_jis"]

_DATA = json.loads(Path(__file__).with_name("fuzz_tokens.json").read_text(encoding="utf-8"))
UNSEEN: list[str] = _DATA["unseen"]
"""Characters that steer a terminal, turn the direction of text, or cannot be seen."""
FORMULAS: list[str] = _DATA["formulas"]
NUMBERS: list[str] = _DATA["numbers"]
TOKENS: dict[str, list[str]] = _DATA["tokens"]
"""Parts of each format, for wrong places."""
NESTS: dict[str, list[tuple[str, str]]] = _DATA["nests"]
"""What can stand within itself: beginning and end."""

ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + '<!ENTITY f SYSTEM "file:///etc/passwd">]>'
)
"""Declarations of entities: some that grow by ten, eight times over, and one that is a file."""


class Case:
    """One changed file, made from its number."""

    def __init__(self, kind: str, number: int, files: Sequence[bytes]) -> None:
        self.kind = kind
        self.chance = random.Random(f"{kind} {number}")
        self.files = files

    def make(self) -> bytes:
        """The bytes of the changed file."""
        data = self.chance.choice(self.files)
        if self.kind in MAIN_PARTS and data.startswith(b"PK"):
            return self._archive(data)
        if self.kind == "pdf":
            data = unpacked(data) if self.chance.random() < 0.6 else data
        elif self.chance.random() < 0.7:  # a piece, which is read sooner
            at = 0 if self.kind in WITH_BEGINNING else self.chance.randint(0, len(data))
            data = data[at : at + self.chance.choice([300, 3_000, 20_000])]
        return self._changed(data, self.kind)

    def _changed(self, data: bytes, tokens: str) -> bytes:
        for _ in range(self.chance.choice([1, 1, 1, 2, 3, 5, 9, 20])):
            data = self._change(data, tokens)
            if len(data) > 4 * MOST_BYTES + 2_000_000:
                break
        return data

    def _change(self, data: bytes, tokens: str) -> bytes:
        chance = self.chance
        at, to = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        near = min(len(data), at + chance.choice([1, 4, 30, 400]))
        kind = chance.choices(list(CHANGES), list(CHANGES.values()))[0]
        match kind:
            case "prefix":
                return data[:to]
            case "cut":
                return data[:at] + data[near:]
            case "drop":
                return data[:at] + data[to:]
            case "copy":
                return data[:to] + data[at:]
            case "many":
                return data[:at] + data[at:near] * chance.choice([3, 100, 3_000]) + data[near:]
            case "line":
                return data[:at] + data[at:].replace(b"\n", b" ") + b"word " * chance.choice([10, 200_000])
            case "flip":
                return self._flipped(data)
            case "splice":
                other = chance.choice(self.files)
                start = chance.randint(0, len(other))
                return data[:at] + other[start : start + chance.choice([30, 400, 5_000])] + data[near:]
            case "code":
                code = chance.choice(ENCODINGS)
                return data.decode("utf-8", "replace").encode(code, "replace")
            case _:
                return self._with_tokens(kind, data, at, near, tokens)

    def _flipped(self, data: bytes) -> bytes:
        changed = bytearray(data)
        for _ in range(self.chance.choice([1, 3, 30]) if data else 0):
            changed[self.chance.randrange(len(changed))] = self.chance.randrange(256)
        return bytes(changed)

    def _with_tokens(self, kind: str, data: bytes, at: int, near: int, tokens: str) -> bytes:
        """The file with something inserted that its format knows, or that no reader expects."""
        chance = self.chance
        match kind:
            case "token":
                new = "".join(chance.choices(TOKENS[tokens], k=chance.choice([1, 1, 2, 5])))
            case "unseen":
                new = chance.choice(UNSEEN) * chance.choice([1, 1, 1, 300])
            case "formula":
                new = "\n" + chance.choice(FORMULAS)
            case "number":
                number = re.compile(rb"-?\d+\.?\d*").search(data, at, at + 400)
                value = chance.choice(NUMBERS).encode()
                return data[: number.start()] + value + data[number.end() :] if number else data
            case _:
                often = chance.choice([50, 2_000, 100_000])
                begin, end = (part.encode() * often for part in chance.choice(NESTS[tokens]))
                return data[:at] + begin + data[at:near] + end + data[near:]
        return data[:at] + new.encode("utf-8", "surrogatepass") + data[at:]

    def _archive(self, data: bytes) -> bytes:
        chance = self.chance
        if chance.random() < 0.25:  # the archive itself
            return self._changed(data, self.kind)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        for _ in range(chance.choice([1, 1, 2, 4])):
            main = MAIN_PARTS[self.kind]
            name = main if chance.random() < 0.6 else chance.choice([*parts, "x"])
            part = parts.get(name, b"")
            match chance.choices(list(PARTS), list(PARTS.values()))[0]:
                case "tree":
                    parts[name] = self._tree(part)
                case "change":
                    parts[name] = self._changed(part, self.kind)
                case "drop":
                    parts.pop(name, None)
                case "rename":
                    parts[chance.choice(["../../x", "/x", main, "\x1b[2J.xml", "x" * 300])] = part
                case "entities":
                    declared = ENTITIES + part.decode("utf-8", "replace").partition("?>")[2]
                    called = re.sub(
                        "(?<=<w:t>)|(?<=<text:p>)|(?<=<p>)",
                        chance.choice(["&i;", "&f;", "&a;"]),
                        declared,
                        count=3,
                    )
                    parts[name] = called.encode(chance.choice(["utf-8", "utf-16"]), "replace")
                case "archive":
                    parts[name] = zipped(parts)
                case _:
                    parts[name] = part + b" " * chance.choice([10**6, 3 * 10**7])
        return zipped(
            parts, chance.choice([zipfile.ZIP_DEFLATED] * 3 + [zipfile.ZIP_STORED, zipfile.ZIP_LZMA])
        )

    def _tree(self, part: bytes) -> bytes:
        """XML that stays XML: elements leave, come again, change places, lose or get attributes and text."""
        try:
            root = etree.fromstring(part, etree.XMLParser(resolve_entities=False))
        except etree.XMLSyntaxError:
            return self._changed(part, self.kind)
        for _ in range(self.chance.choice([1, 3, 10, 60])):
            inside = [e for e in root.iter() if isinstance(e.tag, str) and e is not root]
            if inside:
                self._element(self.chance.choice(inside), self.chance.choice(inside))
        return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)

    def _element(self, one: Any, other: Any) -> None:
        chance = self.chance
        parent = one.getparent()
        match chance.choice(["drop", "again", "move", "wrap", "attribute", "text", "tag"]):
            case "drop":
                parent.remove(one)
            case "again":
                for _ in range(chance.choice([1, 1, 1, 300]) if len(one) < 50 else 1):
                    parent.append(copy.deepcopy(one))
            case "move":
                if one is not other and one not in other.iterancestors():
                    other.append(one)
            case "wrap":
                for _ in range(chance.choice([1, 20, 300])):
                    around = etree.Element(other.tag, dict(other.attrib))
                    one.getparent().replace(one, around)
                    around.append(one)
            case "attribute":
                for key in list(one.attrib):
                    one.set(key, chance.choice([*NUMBERS, "", "x", "Heading1", *one.attrib.values()]))
            case "text":
                self._text(one)
            case _:
                one.tag = other.tag

    def _text(self, element: Any) -> None:
        new = "".join(self.chance.choices([*UNSEEN, *FORMULAS, *TOKENS["text"]], k=3))
        new = "".join(c for c in new if c >= " " and c != "\ufffe")
        element.text = new * self.chance.choice([1, 1, 500])


def zipped(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as archive:
        warnings.simplefilter("ignore")  # two of one name
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def unpacked(data: bytes) -> bytes:
    """A PDF with its streams as they are, so that changes reach what pages are made of."""

    def unpack(match: re.Match[bytes]) -> bytes:
        body = match[3].strip(b"\r\n")
        try:
            if b"ASCII85" in match[1]:
                body = base64.a85decode(body.strip().removesuffix(b"~>"))
            if b"FlateDecode" not in match[1] or b"Predictor" in match[1]:
                return match[0]
            body = zlib.decompress(body)
        except (ValueError, zlib.error):
            return match[0]
        head = re.sub(rb"/Filter\s*(?:\[[^\]]*\]|/\w+)", b"", match[1])
        head = re.sub(rb"/Length \d+(?! \d+ R)", b"/Length %d" % len(body), head)
        return head + match[2] + b"stream\n" + body + b"\nendstream"

    return re.sub(rb"(<<(?:[^<>]|<[^<])*?)(>>\s*)stream\r?\n(.*?)endstream", unpack, data, flags=re.S)


def files_of(kind: str, folders: Sequence[Path], most: int = MOST_BYTES) -> list[bytes]:
    """What to begin with: files of this kind, of so many bytes at most, by their names; an example where are none."""
    contents = [
        path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob(f"*{SUFFIXES[kind]}"))
        if path.stat().st_size <= most
    ]
    if kind == "text":  # what others are beneath
        contents += [data for other in ("markdown", "rst") for data in files_of(other, folders, most)]
    if kind in MAIN_PARTS:
        contents = [data for data in contents if zipfile.is_zipfile(io.BytesIO(data))]
    return contents or [EXAMPLES[kind]()]
