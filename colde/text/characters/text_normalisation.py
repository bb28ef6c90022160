"""One form for characters that mean the same: the normaliser of all readers, with the way back to the text as written.

It leaves out invisible characters, reads ligatures and other compatibility forms as plain letters, composes accents
(NFC), makes all spaces and hyphens plain, and reads letters of other alphabets that only look like those of their word
(`look_alike_letters`). A comparison then sees the same sentence, however it was typed.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from colde.text.characters.look_alike_letters import read_in_one_script
from colde.text.document import Replacement

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufff8\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that show nothing, as a class of a pattern: joiners, marks of direction, variation selectors, tags."""
_JOINING_CHARACTER = re.compile("[\u200c\u200d\u180b-\u180d\u180f]")
_JOINING_SCRIPT = re.compile("[\u0590-\u1cff\ua800-\uabff\U00010a00-\U00011fff]")  # Arabic, Indic, others
_EMOJI = re.compile("[©®™\u203c\u2049\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]")
_SOFT_HYPHEN = "\u00ad"
_ZERO_WIDTH_JOINER, _EMOJI_STYLES, _KEYCAP, _FLAG = "\u200d", "\ufe0e\ufe0f", "\u20e3", "\U0001f3f4"
_MAX_PASSES = 4  # composed accents may leave an invisible character without its role
_MAX_TAGS = 8  # characters after a black flag that name a region

_MATHEMATICAL = "\U0001d400-\U0001d7ff"
_LETTERLIKE = (
    "\u2102\u210a-\u210d\u2110-\u2112\u2115\u2119-\u211d\u2124\u2128\u212c\u212d\u212f-\u2131\u2133\u2134"
)
_COMPATIBLE = (
    "\u0132\u0133\u017f\u01c4-\u01cc\u01f1-\u01f3\u210e\u2160-\u217f\u2e9f\u2ef3\u2f00-\u2fd5\ufb00-\ufb06\ufb13-\ufb17\ufb50-\ufdfb"
    "\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f" + _MATHEMATICAL
)
"""Letters and digits in a form of their own: ligatures, radicals, wide, narrow, mathematical and contextual forms."""
_CHANGED = re.compile(
    f"(?P<invisible> *[{INVISIBLE}][ {INVISIBLE}]*)|(?P<space>[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000])"
    f"|(?P<hyphen>[\u2010\u2011])|(?P<break>(?<=[^\\W\\d_]{{2}})\u00ac ?(?=[^\\W\\d_]{{2}}))"
    f"|(?P<letters>[{_COMPATIBLE}]|[\u24b6-\u24e9]{{2,}}"  # ⓐ alone numbers an item
    f"|(?<=[{_MATHEMATICAL}])[{_LETTERLIKE}]|[{_LETTERLIKE}](?=[{_MATHEMATICAL}]))"  # ℝ alone is a symbol
)
_MAY_CHANGE = re.compile(
    f"[{INVISIBLE}{_COMPATIBLE}{_LETTERLIKE}\u24b6-\u24e9\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2010\u2011\u00ac]"
)
"""First characters of what `_CHANGED` matches, without the spaces; a single class is searched many times as fast."""
_NOT_ASCII = re.compile("[\0-\x7f]?[^\0-\x7f]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_JAMO = re.compile("[\u1161-\u1175\u11a8-\u11c2]")  # parts of Hangul that join the letter before


@dataclass(frozen=True, slots=True)
class NormalisedText:
    """A text in normal form, and where it differs from the text as written.

    Attributes:
        replacements: in the order of the text; no two overlap.
    """

    text: str
    replacements: tuple[Replacement, ...] = ()

    def from_source(self, offsets: Iterable[int]) -> list[int]:
        """Offsets in this text for rising offsets in the text as written."""
        starts = source_starts(self.replacements)
        return [self._from_source(offset, starts) for offset in offsets]

    def _from_source(self, offset: int, starts: Sequence[int]) -> int:
        i = bisect_right(starts, offset) - 1
        if i < 0:
            return offset
        replacement = self.replacements[i]
        inside = offset - starts[i]
        if inside >= len(replacement.source):
            return replacement.end + inside - len(replacement.source)
        return replacement.start + (inside if len(replacement) == len(replacement.source) else 0)


def source_starts(replacements: Sequence[Replacement]) -> list[int]:
    """Where each replaced passage begins in the text as written."""
    shifts = accumulate((len(r.source) - len(r) for r in replacements), initial=0)
    return [r.start + shift for r, shift in zip(replacements, shifts, strict=False)]


def without_surrogates(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair without the other; the two halves of a pair are joined.

    JSON and YAML can spell such a half, which is no character, and which no file can hold as UTF-8.
    """
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def normalise_text(text: str) -> NormalisedText:
    """The text in normal form, without lone surrogates; text in ASCII is returned as it is."""
    if text.isascii():
        return NormalisedText(text)
    edited = _Edited(without_surrogates(text))
    for _ in range(_MAX_PASSES):
        before = edited.text
        edited.apply(_plain_characters(before))
        edited.text = read_in_one_script(edited.text)
        edited.apply(_compositions(edited.text))
        if edited.text == before:
            break
    return NormalisedText(edited.text, tuple(edited.replacements()))


def _plain_characters(text: str) -> Iterator[tuple[int, int, str]]:
    """Places of characters that have a plainer form, and that form."""
    end = 0
    for hit in _MAY_CHANGE.finditer(text):
        start = hit.start()
        if start < end:
            continue
        while start > end and text[start - 1] == " ":
            start -= 1
        match = _CHANGED.match(text, start) or _CHANGED.match(text, hit.start())
        if match is not None:
            plain, end = _plain(match), match.end()
            if plain != match[0]:
                yield match.start(), end, plain


def _plain(match: re.Match[str]) -> str:
    characters = match[0]
    if match["space"]:
        return " "
    if match["hyphen"]:
        return "-"
    if match["letters"]:
        return unicodedata.normalize("NFKC", characters)
    if match["break"]:
        return "" if match.string[match.end()].islower() else characters
    return _visible(match.string, match.start(), match.end())


def _visible(text: str, start: int, end: int) -> str:
    """What is read for invisible characters and the spaces around them."""
    kept = "".join(text[i] for i in range(start, end) if text[i] == " " or _has_role(text, i))
    before, after = text[start - 1 : start] if start else "\n", text[end : end + 1] or "\n"
    if kept.strip(" "):
        return kept
    in_word = text[start] == _SOFT_HYPHEN and before.isalpha() and after.islower()
    return "" if in_word or "\n" in (before, after) else kept[:1]


def _has_role(text: str, i: int) -> bool:
    """Whether an invisible character belongs to the writing: it joins letters of some scripts, or parts of an emoji."""
    character, before, after = text[i], text[i - 1 : i] if i else "", text[i + 1 : i + 2]
    if _JOINING_CHARACTER.match(character) and _JOINING_SCRIPT.match(before):
        return True
    if character == _ZERO_WIDTH_JOINER:
        return bool(_EMOJI.match(after)) and (before in _EMOJI_STYLES or _EMOJI.match(before) is not None)
    if character in _EMOJI_STYLES:
        return _EMOJI.match(before) is not None or after == _KEYCAP
    flag = text.rfind(_FLAG, max(0, i - _MAX_TAGS), i)
    return flag >= 0 and all("\U000e0020" <= tag <= "\U000e007f" for tag in text[flag + 1 : i + 1])


def _compositions(text: str) -> Iterator[tuple[int, int, str]]:
    """Letters with accents and the like that are not composed (NFC), and their composed form."""
    if unicodedata.is_normalized("NFC", text):
        return
    for match in _NOT_ASCII.finditer(text):
        start = match.start()
        if unicodedata.is_normalized("NFC", match[0]):
            continue
        for i in range(start + 1, match.end() + 1):
            if i < match.end() and _joins_letter_before(text[i]):
                continue
            composed = unicodedata.normalize("NFC", text[start:i])
            if composed != text[start:i]:
                yield start, i, composed
            start = i


def _joins_letter_before(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or _JAMO.match(character) is not None


class _Edited:
    """A text in several steps of editing; `origins` says where each of its characters stands in the text as written."""

    def __init__(self, text: str) -> None:
        self._source = text
        self.text = text
        self._origins: NDArray[np.int64] = np.arange(len(text) + 1)

    def apply(self, edits: Iterable[tuple[int, int, str]]) -> None:
        """Replace passages, given in order with their ends and their new text."""
        text: list[str] = []
        origins: list[NDArray[np.int64]] = []
        dropped = self._origins[:0]  # at the beginning of a line: belongs to the character that follows

        def append(piece: str, places: NDArray[np.int64]) -> None:
            nonlocal dropped
            if piece:
                text.append(piece)
                origins.append(np.concatenate((dropped, places[len(dropped) :])))
                dropped = dropped[:0]

        end = 0
        for start, stop, new in edits:
            append(self.text[end:start], self._origins[end:start])
            places = self._origins[start:stop]
            append(new, places if len(new) == stop - start else places[:1].repeat(len(new)))
            if not new and (start == 0 or self.text[start - 1] == "\n"):
                dropped = dropped if len(dropped) else places[:1]
            end = stop
        if end:
            append(self.text[end:], self._origins[end:-1])
            self.text = "".join(text)
            self._origins = np.concatenate((*origins, self._origins[-1:]))

    def replacements(self) -> Iterator[Replacement]:
        """Where the text differs from the text as written: each passage as short as it can be."""
        if self.text == self._source:
            return
        if not self.text:
            yield Replacement(0, 0, self._source)
            return
        lengths = np.diff(self._origins)  # source characters behind each character
        source = _codes(self._source)[np.minimum(self._origins[:-1], len(self._source) - 1)]
        changed = np.flatnonzero((lengths != 1) | (_codes(self.text) != source)).tolist()
        if not changed:
            return
        start = stop = changed[0]
        by_letter = True  # one letter for each letter, so that offsets inside are exact
        for i in changed:
            if i > stop or (i > start and lengths[i - 1] and not (by_letter and lengths[i] == 1)):
                yield self._replacement(start, stop)
                start, by_letter = i, True
            stop = i + 1
            by_letter &= lengths[i] == 1
        yield self._replacement(start, stop)

    def _replacement(self, start: int, stop: int) -> Replacement:
        return Replacement(start, stop, self._source[self._origins[start] : self._origins[stop]])


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
