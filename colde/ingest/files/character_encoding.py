"""From bytes to characters: Unicode by its marks and its form, then what the file declares, else chardet's guess."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from colde.errors import ReadError
from colde.ingest.files.encoding_guess import Guess, codec_of_label, guess_encoding, is_readable
from colde.ingest.files.terminal_output import shown_text
from colde.text.document import ReadWarning

_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_MAX_CONTROL_SHARE = 0.25  # of the characters
_GUESS_BYTES = 64_000  # enough to tell an encoding, little enough to be quick
_MAX_DECLARED_ERRORS = 0.1  # of the bytes above 127: with more, a declared encoding is not that of the file
_ESCAPE_ENCODING = re.compile(rb"\x1b\$[@AB()]")  # ISO 2022: Japanese and Korean mail
_DECLARATION = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]+)",
    re.I,
)
_DECLARATION_BYTES = 4096  # at the beginning of a page
_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_WESTERN_SEQUENCE = re.compile(rb"\xc3[\x80-\xbf]|\xe2\x80[\x90-\xba]|\xe2\x82\xac")  # letter, quote, €
_WESTERN_SEQUENCES = re.compile(rb"((?:" + _WESTERN_SEQUENCE.pattern + rb")+)")
_MIN_WESTERN_SEQUENCES = 2  # one may be Ã and a sign in Windows-1252
_SURROGATES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")  # a pair of them
_ASCII = bytes(range(0x80))
_BAD_PLACE = "\ufdd0"  # stands for bytes that cannot be decoded; no text has it, it is no character
_ON_ERROR = "colde.bad_place"  # name of the error handler that puts it there
_BAD_PLACES = re.compile(f"{_BAD_PLACE}+")
_REPLACEMENT_CHARACTER = "\ufffd"
_NAMED_LINES = 3  # in a warning
_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_LINE_ENDS = re.compile("(?<!\r)\r++\n|[\r\x85\u2028\u2029]")
_MARK_AT_LINE_START = re.compile("^\ufeff", re.MULTILINE)  # files joined into one


class Decoded(NamedTuple):
    """The characters of a file, and what was wrong with its bytes."""

    text: str
    warnings: tuple[ReadWarning, ...] = ()


def decode(data: bytes, name: str, declared: str | None = None) -> Decoded:
    """The characters of a text file, line ends as `\\n`, page ends as `\\f`, without control characters.

    Bytes that do not fit the encoding are read as U+FFFD, and a warning names their lines.

    Args:
        declared: an encoding named inside the file (HTML), by a label of the WHATWG; used where the bytes fit it and
            are not UTF-8.

    Raises:
        ReadError: `not_text` where the bytes are no text in any encoding.
    """
    marked = next((encoding for mark, encoding in _BOMS if data.startswith(mark)), None)
    encoding = marked or _detect_wide_encoding(data)
    if encoding is None and looks_binary(data) and not _is_escaped(data):
        return Decoded(_unicode_with_controls(data, name))
    guess = Guess(encoding, None) if encoding else _encoding_of_bytes(data, declared)
    if guess is None:
        raise _not_text(name)
    if _is_mixed(data, guess.codec):
        return _decode_mixed(data)
    decoded = _decode_as(data, guess.codec)
    if guess.rival is None:
        return decoded
    return Decoded(decoded.text, (*decoded.warnings, _doubt_warning(guess.codec, guess.rival)))


def declared_encoding(data: bytes) -> str | None:
    """The encoding that a page names in a `meta` element or its XML declaration; None where it names none."""
    match = _DECLARATION.search(data[:_DECLARATION_BYTES])
    return (match[1] or match[2]).decode("ascii", "replace") if match else None


def _unicode_with_controls(data: bytes, name: str) -> str:
    """Text of a program's output: UTF-8 with some control characters, which are left out."""
    try:
        text = shown_text(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise _not_text(name) from None
    kept = tidy(text)
    if len(text) - len(kept) > _MAX_CONTROL_SHARE * len(text) or not is_readable(kept):
        raise _not_text(name)
    return kept


def tidy(text: str) -> str:
    """Line ends as `\\n`; control characters and lone surrogates gone; form feeds stay: they end pages."""
    lines = _LINE_ENDS.sub("\n", text.replace("\x0b", "\n"))
    return _UNWANTED.sub("", _MARK_AT_LINE_START.sub("", lines))


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
        if is_readable(text):
            return encoding
    return None


def _encoding_of_bytes(data: bytes, declared: str | None) -> Guess | None:
    """The encoding of a text without a mark; None where no encoding gives a text."""
    if _is_utf8(data):
        return Guess("utf-8", None)
    codec = codec_of_label(declared) if declared else None
    if codec is not None:
        errors = len(_BAD_PLACES.findall(data.decode(codec, _ON_ERROR)))
        if errors <= _MAX_DECLARED_ERRORS * _count_high_bytes(data):
            return Guess(codec, None)
    return Guess("cp037", None) if _is_ebcdic(data) else guess_encoding(data)


def _is_ebcdic(data: bytes) -> bool:
    """Whether this is text of a mainframe: `@` where spaces are expected, and letters beyond ASCII."""
    head = data[:_GUESS_BYTES]
    spaces = head.count(b"@")
    return (
        spaces > 0.08 * len(head)
        and head.count(b" ") < 0.01 * spaces
        and _count_high_bytes(head) > 0.5 * len(head)
    )


def _is_escaped(data: bytes) -> bool:
    """Whether escape sequences switch between ASCII and another character set, in seven bits."""
    return _ESCAPE_ENCODING.search(data[:_GUESS_BYTES]) is not None


def _is_utf8(data: bytes) -> bool:
    """Whether the bytes above 127 are sequences of UTF-8 for the most part: other encodings hardly have such ones."""
    try:
        data.decode("utf-8")
        return not _is_escaped(data)
    except UnicodeDecodeError:
        rest, sequences = _SEQUENCE.subn(b"", data)
        return sequences >= max(1, _count_high_bytes(rest))


def _count_high_bytes(data: bytes) -> int:
    return len(data.translate(None, _ASCII))


def _decode_as(data: bytes, encoding: str) -> Decoded:
    """The characters in this encoding, and warnings about bytes that do not fit it."""
    warnings = []
    if encoding == "utf-8":
        data, pairs = _SURROGATES.subn(_join_surrogates, data)
        if pairs:
            what = f"{pairs} {'character is' if pairs == 1 else 'characters are'} written as two surrogates, "
            what += "which UTF-8 does not allow; each was read as the character that the two stand for"
            warnings.append(ReadWarning(what))
    text = data.decode(encoding, _ON_ERROR)
    if _BAD_PLACE in text:
        text = _BAD_PLACES.sub(_BAD_PLACE, text)
        warnings.append(_bad_places_warning(text, encoding))
        text = text.replace(_BAD_PLACE, _REPLACEMENT_CHARACTER)
    return Decoded(tidy(shown_text(text)), tuple(warnings))


def _is_mixed(data: bytes, encoding: str) -> bool:
    """Whether a file is in Windows-1252 but for sequences of UTF-8, which make it look like another encoding."""
    if not encoding.startswith(("cp125", "iso8859", "mac")):
        return False
    rest, sequences = _WESTERN_SEQUENCE.subn(b"", data)
    if sequences < _MIN_WESTERN_SEQUENCES:
        return False
    guess = guess_encoding(rest)
    return guess is not None and guess.codec == "cp1252"


def _decode_mixed(data: bytes) -> Decoded:
    """The characters of a file in Windows-1252 that has parts in UTF-8, as joined files do."""
    pieces = _WESTERN_SEQUENCES.split(data)  # every second one is UTF-8
    text = "".join(
        piece.decode("utf-8") if i % 2 else piece.decode("cp1252", errors="replace")
        for i, piece in enumerate(pieces)
    )
    warning = (
        "the file mixes two encodings, UTF-8 and Windows-1252, as joined files do; each character is read in the "
        "one that fits"
    )
    return Decoded(tidy(text), (ReadWarning(warning),))


def _join_surrogates(match: re.Match[bytes]) -> bytes:
    halves = match[0].decode("utf-8", "surrogatepass")
    return halves.encode("utf-16", "surrogatepass").decode("utf-16").encode()


def _mark_bad_place(error: UnicodeError) -> tuple[str, int]:
    """An error handler of codecs: one mark for the bytes that cannot be decoded."""
    assert isinstance(error, UnicodeDecodeError)
    return _BAD_PLACE, error.end


codecs.register_error(_ON_ERROR, _mark_bad_place)


def _bad_places_warning(text: str, encoding: str) -> ReadWarning:
    """Says how many places are no characters in the encoding, and in which lines the first of them stand."""
    numbers = [i for i, line in enumerate(_LINE_ENDS.sub("\n", text).split("\n"), 1) if _BAD_PLACE in line]
    others = " and others" if len(numbers) > _NAMED_LINES else ""
    lines = ", ".join(map(str, numbers[:_NAMED_LINES])) + others
    count = text.count(_BAD_PLACE)
    places = "1 place of the file is" if count == 1 else f"{count:,} places of the file are"
    return ReadWarning(
        f"{places} not valid {_encoding_name(encoding)} and shown as “{_REPLACEMENT_CHARACTER}” "
        f"({'line' if len(numbers) == 1 else 'lines'} {lines})"
    )


def _doubt_warning(codec: str, rival: str) -> ReadWarning:
    return ReadWarning(
        f"the file does not say how its characters are encoded; it was read as {_encoding_name(codec)}, and "
        f"{_encoding_name(rival)} is nearly as likely; if letters are wrong, save the file as UTF-8"
    )


def _encoding_name(codec: str) -> str:
    import webencodings

    encoding = webencodings.lookup(codec)
    name = encoding.name if encoding else codec
    return name.upper() if name.startswith(("utf", "iso", "koi8")) else name.capitalize()


def _not_text(name: str) -> ReadError:
    advice = "open it in the program it comes from and save it as PDF, DOCX or UTF-8 text"
    return ReadError(name, "not_text", "the bytes are not text in any known encoding", advice)
