"""Damage to files: bytes changed, cut, inserted and repeated, two files in one, and the same inside zip archives."""

from __future__ import annotations

import base64
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hypothesis import strategies as st

from tests.ingest.docx_samples import parts_of, zipped

Kind = Literal["flip", "cut", "repeat", "insert", "number", "name", "splice", "end"]
_KINDS: tuple[Kind, ...] = ("flip", "cut", "repeat", "insert", "number", "name", "splice", "end")
_NUMBERS = (
    b"0",
    b"-1",
    b"65536",
    b"2147483647",
    b"-2147483648",
    b"9" * 20,
    b"0.0000001",
    b"null",
    b"1 0 R",
    b"1e999",
)
_NAMES = (
    b"/Page", b"/Pages", b"/Kids", b"/Contents", b"/Font", b"/Length", b"/Filter", b"/Root", b"BT", b"Tm", b"Tf", b"TJ",
    b"w:p", b"w:tbl", b"w:tc", b"w:t", b"text:p", b"text:h", b"table:table", b"m:f", b"math", b"table", b"li", b"div",
    b"par", b"cell", b"row", b"pard", b"footnote", b"section", b"item", b"begin", b"end", b"sec", b"p", b"note", b"fn",
)  # fmt: skip
_PIECES = (
    b'<', b'>', b'&', b'</', b'/>', b'&#xd800;', b'&#0;', b'&x;', b'<!--', b'<![CDATA[',
    b"<!DOCTYPE x [<!ENTITY x 'y'>]>", b'\\', b'{', b'}', b'\\bin99999999 ', b'\\u-10240?', b"\\'", b'\\cell ',
    b'\\nestcell ', b'\\row ', b'\\itap9 ', b'$', b'$$', b'%', b'\\begin{x}', b'\\end{x}', b'\\def\\a{\\a}',
    b'\\verb|', b'[^1]', b'[^1]: x\n', b'```\n', b'| a |\n', b'.. x:: y\n', b'::\n', b'|s|', b'`a`_', b'\n', b'\r',
    b'\n\n', b'    ', b'\t', b'\x00', b'\x0c', b'\xff', b'\xfe\xff', b'\xed\xa0\x80', b'\xe2\x80\xae',
    b'\xef\xbb\xbf', b'"', b"'", b']', b'[', b'endobj', b'stream', b'endstream', b'xref', b'--b\r\n',
    b'=?utf-8?q?x?=', b'00:00:01,000 --> 00:00:02,000\n', b'{\\p1}', b'WEBVTT\n', b']]>', b'null', b'[[[[[[',
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """A change: at a share of the bytes, of a kind, with a number that means something else for each kind."""

    place: float
    kind: Kind
    number: int


changes = st.lists(
    st.builds(Change, st.floats(0, 1), st.sampled_from(_KINDS), st.integers(0, 255)), min_size=1, max_size=8
)


def changed(data: bytes, all_changes: Sequence[Change], other: bytes) -> bytes:
    """The bytes after these changes; `other` is the file that a splice takes its end from."""
    for change in all_changes:
        at, number = int(change.place * max(0, len(data) - 1)), change.number
        match change.kind:
            case "flip":
                data = data[:at] + bytes([number]) + data[at + 1 :]
            case "cut":
                data = data[:at] + data[at + number :]
            case "repeat":
                data = data[: at + number] + data[at:]
            case "insert":
                data = data[:at] + _PIECES[number % len(_PIECES)] * (1 + number // 128) + data[at:]
            case "number":
                data = _put(data, at, rb"-?\d+\.?\d*", _NUMBERS[number % len(_NUMBERS)])
            case "name":
                data = _put(data, at, rb"/?[A-Za-z:]+", _NAMES[number % len(_NAMES)])
            case "splice":
                data = data[:at] + other[int(number / 255 * len(other)) :]
            case "end":
                data = data[: at + 1]
    return data


def unpacked(pdf: bytes) -> bytes:
    """A PDF with its streams unpacked, so that changes reach what its pages are made of."""
    return re.sub(rb"(<<[^<>]*)(>>\s*)stream\r?\n(.*?)endstream", _unpacked_stream, pdf, flags=re.S)


def _unpacked_stream(match: re.Match[bytes]) -> bytes:
    try:
        body = match[3].strip()
        if b"ASCII85" in match[1]:
            body = base64.a85decode(body.removesuffix(b"~>"))
        body = zlib.decompress(body)
    except (ValueError, zlib.error):
        return match[0]
    head = re.sub(rb"/Filter\s*(?:\[[^\]]*\]|/\w+)", b"", match[1])
    head = re.sub(rb"/Length \d+", b"/Length %d" % len(body), head)
    return head + match[2] + b"stream\n" + body + b"\nendstream"


def _put(data: bytes, at: int, what: bytes, new: bytes) -> bytes:
    match = re.compile(what).search(data, at, at + 400)
    return data[: match.start()] + new + data[match.end() :] if match else data


PART_CHANGES = ("bytes", "rename", "drop", "empty", "pack", "swap", "method")


def changed_archive(data: bytes, kind: str, number: int, change: Callable[[bytes], bytes]) -> bytes:
    """A zip archive in which one part is changed, renamed, left out, emptied, replaced or packed otherwise."""
    parts = parts_of(data)
    names = list(parts)
    name, other = names[number % len(names)], names[(number // 7) % len(names)]
    method = zipfile.ZIP_DEFLATED
    match kind:
        case "bytes":
            parts[name] = change(parts[name])
        case "rename":
            parts[f"../{name}" if number % 2 else name.upper()] = parts.pop(name)
        case "drop":
            del parts[name]
        case "empty":
            parts[name] = b""
        case "pack":
            parts[name] = zipped(parts)
        case "swap":
            parts[name], parts[other] = parts[other], parts[name]
        case _:
            method = (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)[number % 3]
    return _with_mimetype_first(parts, method)


def _with_mimetype_first(parts: Mapping[str, bytes], method: int) -> bytes:
    ordered = {name: parts[name] for name in sorted(parts, key=lambda name: name != "mimetype")}
    return zipped(ordered, method)
