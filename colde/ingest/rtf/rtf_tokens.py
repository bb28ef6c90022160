"""The syntax of RTF: groups, control words, characters, and the encodings of its bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|([^\\{}]+)|.", re.DOTALL
)
CODE_PAGES = {
    0: "cp1252", 2: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251",
    222: "cp874", 238: "cp1250", 255: "cp437",
}  # fmt: skip
"""The encodings of the characters of fonts, by their `fcharset`."""
SYMBOL_CHARSET = 2
"""The `fcharset` of fonts of symbols."""


class Token(NamedTuple):
    """A piece of RTF: a control word or symbol with its number, a brace, or bytes of text.

    Attributes:
        word: the control word or symbol; `{`, `}`; empty for text.
        number: its parameter; None where it has none.
        data: the bytes of text.
    """

    word: str
    number: int | None = None
    data: bytes = b""


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of an RTF file; line ends, which mean nothing, and binary data are left out."""
    position = 0
    while match := _TOKEN.match(data, position):
        position = match.end()
        word, number, code, symbol, brace, text = match.groups()
        if word is not None:
            value = int(number) if number else None
            if word == b"bin":
                position += max(0, value or 0)
                continue
            yield Token(word.decode("ascii"), value)
        elif code is not None:
            yield Token("", None, bytes([int(code, 16)]))
        elif symbol is not None and symbol in b"\\{}":
            yield Token("", None, symbol)
        elif symbol is not None:
            yield Token("par" if symbol in b"\r\n" else symbol.decode("latin-1"))
        elif brace is not None:
            yield Token(brace.decode("ascii"))
        elif text is not None and (kept := text.replace(b"\r", b"").replace(b"\n", b"")):
            yield Token("", None, kept)


def encoding_of_code_page(page: int) -> str | None:
    """The encoding with the number of a code page of Windows; None where it is not known."""
    others = {65001: "utf-8", 10000: "mac_roman", 1361: "johab", 708: "cp1256", 0: "cp1252"}
    name = others.get(page, f"cp{page}")
    try:
        "".encode(name)
    except LookupError:
        return None
    return name
