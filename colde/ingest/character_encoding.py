"""From bytes to characters: Unicode by its marks and its form, anything else by charset-normalizer."""

from __future__ import annotations

import re
import unicodedata

from colde.errors import ReadError
from colde.ingest.language_detection import most_likely_language

_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_MAX_CONTROL_SHARE = 0.25  # of the characters
_WESTERN = "af ca da de en es eu fi fo fr fy ga gd gl id is it lb ms nl no oc pt sq sv sw"  # typos: off
"""Languages written in Windows-1252, by their ISO 639-1 codes."""
_MIN_LANGUAGE_PROBABILITY = 0.5  # probability of a language from which on decoded characters count as text
_GUESS_BYTES = 64_000  # enough to tell an encoding, little enough to be quick
_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_SINGLE_LETTER_WORDS = frozenset("àèéêóöåøæôñ")  # words and letters by themselves
_IMPLAUSIBLE_IN_WORD = re.compile(
    r"[a-z][¡-¶¸-¿×÷†‡ˆ‰‹›¤€ƒ]+[a-z]|[a-z][À-ÖØ-ÞŠŒŽŸ][a-z]"
)  # no word of Western Europe
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
    wide_encoding = _detect_wide_encoding(data)
    if wide_encoding is not None:
        return tidy(data.decode(wide_encoding, errors="replace"))
    if looks_binary(data):
        text = _unicode_with_controls(data)
        if text is None:
            raise _not_text(name)
        return text
    for named in filter(None, ("utf-8", declared)):
        try:
            return tidy(data.decode(named))
        except (UnicodeDecodeError, LookupError):
            pass
    guess = _guess_encoding(data)
    if guess is None:
        raise _not_text(name)
    return tidy(data.decode(guess, errors="replace"))


def _unicode_with_controls(data: bytes) -> str | None:
    """Text of a program's output: UTF-8 with some control characters, which are left out; None where it is none."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    kept = tidy(text)
    return kept if len(text) - len(kept) <= _MAX_CONTROL_SHARE * len(text) and _readable(kept) else None


def tidy(text: str) -> str:
    """Line ends as `\\n`; control characters and lone surrogates gone; form feeds stay: they end pages."""
    text = text.removeprefix("\ufeff").replace("\x0b", "\n")
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))


def looks_binary(data: bytes) -> bool:
    """Whether the bytes hold what no text in a single- or multi-byte encoding holds."""
    head = data[:_GUESS_BYTES]
    if b"\x00" in head:
        return _detect_wide_encoding(data) is None
    unprinted = (*range(0x01, 0x08), *range(0x0E, 0x1B), *range(0x1C, 0x20))
    control = sum(head.count(bytes([c])) for c in unprinted)
    return control > 0.005 * len(head)


def _detect_wide_encoding(data: bytes) -> str | None:
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


def _guess_encoding(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    # The likeliest encoding whose text is in a language: KOI8-R read as Windows-1251 has letters too.
    guesses = [m for m in from_bytes(data[:_GUESS_BYTES], steps=5, threshold=0.3) if _readable(str(m)[:4000])]
    best = next((m for m in guesses if _language(str(m))), guesses[0] if guesses else None)
    if best is None:
        return None
    western = _decode_western(data[:_GUESS_BYTES])
    if western is not None and _language(western, min_probability=0.0) in _WESTERN.split():
        return "cp1252"  # most old files are in it
    return best.encoding


def _language(text: str, min_probability: float = _MIN_LANGUAGE_PROBABILITY) -> str | None:
    """Language of a decoded text; None for characters that a wrong encoding made of it."""
    return most_likely_language(text, min_probability)


def _decode_western(data: bytes) -> str | None:
    """The text as Windows-1252, where it could be one of Western Europe: accents within words of plain letters."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    words = re.findall(r"[^\W\d_]+", text)
    accented = [w for w in words if not w.isascii()]
    implausible = sum(
        not any(c.isascii() for c in w) and w.lower() not in _SINGLE_LETTER_WORDS for w in accented
    )
    return text if 10 * implausible <= len(accented) and not _IMPLAUSIBLE_IN_WORD.search(text) else None


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
