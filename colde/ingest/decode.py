"""From bytes to characters: Unicode by its marks and its form, anything else by charset-normalizer."""

from __future__ import annotations

import re
import unicodedata

from colde.errors import ReadError
from colde.ingest.language import detect_language

_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_GUESS_BYTES = 64_000  # enough to tell an encoding, little enough to be quick
_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n|[\r\x85\u2028\u2029]")


def decode(data: bytes, name: str, declared: str | None = None) -> str:
    """The characters of a text file, line ends as `\\n`, page ends as `\\f`, without control characters.

    Args:
        data: the file.
        name: what to call it in an error.
        declared: an encoding named inside the file (HTML), tried after UTF-8.

    Raises:
        ReadError: `not_text` where the bytes are no text in any encoding.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return tidy(data.decode(encoding, errors="replace"))
    wide = _wide(data)
    if wide is not None:
        return tidy(data.decode(wide, errors="replace"))
    if looks_binary(data):
        raise _not_text(name)
    for named in filter(None, ("utf-8", declared)):
        try:
            return tidy(data.decode(named))
        except (UnicodeDecodeError, LookupError):
            pass
    guess = _guess(data)
    if guess is None:
        raise _not_text(name)
    return tidy(data.decode(guess, errors="replace"))


def tidy(text: str) -> str:
    """Line ends as `\\n`; control characters and lone surrogates gone; form feeds stay: they end pages."""
    text = text.removeprefix("\ufeff").replace("\x0b", "\n")
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))


def looks_binary(data: bytes) -> bool:
    """Whether the bytes hold what no text in a single- or multi-byte encoding holds."""
    head = data[:_GUESS_BYTES]
    if b"\x00" in head:
        return _wide(data) is None
    unprinted = (*range(0x01, 0x08), *range(0x0E, 0x1B), *range(0x1C, 0x20))
    control = sum(head.count(bytes([c])) for c in unprinted)
    return control > 0.005 * len(head)


def _wide(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: text where every second (or most) bytes are NUL."""
    head = data[: _GUESS_BYTES & ~3]
    if len(head) < 4 or b"\x00" not in head:
        return None
    for encoding, step, keep in (
        ("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1),
    ):  # fmt: skip
        zeros = [sum(b == 0 for b in head[i::step]) / max(1, len(head) // step) for i in range(step)]
        others = [z for i, z in enumerate(zeros) if i != keep]
        if zeros[keep] > 0.02 or min(others) < 0.4:
            continue
        try:
            text = head.decode(encoding, errors="ignore")
        except UnicodeDecodeError:
            continue
        if _readable(text):
            return encoding
    return None


def _guess(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    # The likeliest encoding whose text is in a language: KOI8-R read as Windows-1251 has letters too.
    guesses = [m for m in from_bytes(data[:_GUESS_BYTES], steps=5, threshold=0.3) if _readable(str(m)[:4000])]
    best = next((m for m in guesses if detect_language(str(m), sure=False)), guesses[0] if guesses else None)
    return best.encoding if best else None


def _readable(text: str) -> bool:
    """Whether most characters are letters, digits, marks, spaces or usual punctuation."""
    if not text:
        return False
    good = sum(unicodedata.category(c)[0] in "LMNZP" or c in "\n\r\t" for c in text)
    return good > 0.85 * len(text)


def _not_text(name: str) -> ReadError:
    return ReadError(
        name,
        "not_text",
        "the bytes are not text in any known encoding",
        "open it in the program it comes from and save it as PDF, DOCX or UTF-8 text",
    )
