"""Hebrew, Arabic and Persian: from the places of letters to the order in which they are read.

pdfium gives most letters of a right-to-left line in reading order, but not the words of another script in it, the
letters of a ligature, marks and brackets. So their places decide: a word goes on to the left, a page of such words is
mirrored for the layout, and in each line the runs that are read the other way (Latin words, numbers) are turned.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

from pypdfium2 import raw

from colde.ingest.pdf.characters.character_boxes import Box
from colde.ingest.pdf.words.page import Word
from colde.ingest.pdf.words.word_splitter import Fonts, RawWord, WordSplitter, cover, extent

BidiClass = Literal["right_to_left", "left_to_right", "number", "mark", "sign"]
"""What a character is for the order of a line, by the bidirectional class that Unicode gives it."""

_FIRST_CODE = 0x590  # of the letters that are written from right to left
_MAX_GAP = 0.5  # font sizes between two letters of a word
_MAX_GAP_WITH_SPACE = 0.12  # the same where pdfium sees a space, which takes 0.2 or more
_MAX_DRIFT = 0.3  # font sizes between the baselines of two letters of a word
_MAX_JOINED_GAP = 0.18  # font sizes between two pieces of a line without a space between them
_MARK_REACH = 4  # words before and after a mark in which its letter is looked for
_BIDI_CLASSES: dict[str, BidiClass] = {
    "R": "right_to_left", "AL": "right_to_left", "L": "left_to_right", "EN": "number", "AN": "number",
    "NSM": "mark", "BN": "mark",
}  # fmt: skip
_OPENING = {"(": ")", "[": "]", "{": "}", "«": "»", "‹": "›", "⟨": "⟩"}
_CLOSING = {closing: opening for opening, closing in _OPENING.items()}
_IN_NUMBERS = frozenset(".,:/\u00a0")  # between two digits
_IN_HEBREW_NUMBERS = _IN_NUMBERS | frozenset("-+−")
_BESIDE_HEBREW_NUMBERS = frozenset("%‰$€£¥₪°#")
_JOINERS = frozenset("\u200c\u200d")  # stand between letters, as Persian words have them
_LIGATURES = frozenset(
    unicodedata.normalize("NFKC", chr(code))
    for code in (*range(0xFB1D, 0xFE00), *range(0xFEF5, 0xFEFD))
    if len(unicodedata.normalize("NFKC", chr(code))) > 1
)


@lru_cache(maxsize=4096)
def bidi_class(character: str) -> BidiClass:
    """What a character is for the order of a line; marks are those that stand over or under a letter."""
    return _BIDI_CLASSES.get(unicodedata.bidirectional(character), "sign")


def bidi_class_of_word(text: str) -> BidiClass:
    """The class of the first letter or digit of a word; "sign" where it has none."""
    return next((bidi for bidi in map(bidi_class, text) if bidi not in ("sign", "mark")), "sign")


def word_splitter(text: Any, fonts: Fonts) -> WordSplitter:
    """The splitter that suits the letters of a text page of pdfium."""
    splitter = WordSplitter(text, fonts)
    codes = splitter.codes
    if max(codes, default=0) < _FIRST_CODE:
        return splitter
    leftwards = {c for c in set(codes) if c >= _FIRST_CODE and bidi_class(chr(c)) == "right_to_left"}
    if leftwards and any(a in leftwards and b in leftwards for a, b in pairwise(codes)):
        return _BidirectionalSplitter(text, fonts)
    return splitter  # a single letter is more often one of a font that names its letters wrongly


class _BidirectionalSplitter(WordSplitter):
    """Splits a page on which some words run to the left. Each sign is a word of its own."""

    is_bidirectional = True

    def __init__(self, text: Any, fonts: Fonts) -> None:
        super().__init__(text, fonts)
        self._letters: dict[int, list[tuple[Box, str]]] = {}  # by the identity of a word: its letters
        self._marks: list[tuple[int, str, Box]] = []  # words before it, mark, place
        self._loose = raw.FS_RECTF()
        self._origin = (0.0, 0.0)  # of the letter before

    def words(self) -> list[RawWord]:
        """The words of the page in content order, with the letters of each in reading order."""
        super().words()
        for mark in self._marks:
            self._place_mark(*mark)
        for word in self._words:
            if id(word) in self._letters:
                letters = sorted(
                    self._letters[id(word)], key=lambda letter: -sum(extent(letter[0], word.quarter_turns))
                )
                word.text = "".join(_in_order_of_ligature(text) for _, text in letters)
        return self._words

    def _add(self, i: int, piece: str) -> None:
        bidi = "right_to_left" if piece in _JOINERS else bidi_class(piece[0])
        if bidi in ("left_to_right", "number"):
            if self._word is not None and bidi_class_of_word(self._word.text) not in (
                "left_to_right",
                "number",
            ):
                self._word = None
            super()._add(i, piece)
            return
        origin = self._reader.origin(i)
        box = self._loose_box(i)
        if bidi == "mark":
            self._marks.append((len(self._words), piece, box))
        elif self._word is not None and bidi == "right_to_left" and self._continues(self._word, box, origin):
            self._put_letter(self._word, piece, box, same_place=origin == self._origin)
        else:
            self._begin_word(i, piece, box, origin, False)
            word = self._words[-1]
            if bidi == "right_to_left":
                self._letters[id(word)] = [(box, piece)]
            self._word = word if bidi == "right_to_left" else None
        self._spaced, self._origin = False, origin

    def _loose_box(self, i: int) -> Box:
        """The place of a character with the white space that belongs to it."""
        raw.FPDFText_GetLooseCharBox(self._reader.text, i, self._loose)
        box = self._loose
        return box.left, box.bottom, box.right, box.top

    def _continues(self, word: RawWord, box: Box, origin: tuple[float, float]) -> bool:
        """Whether a letter belongs to the open word, on whichever side of it."""
        if id(word) not in self._letters:
            return False
        turns = word.quarter_turns
        begin, end = extent(box, turns)
        word_begin, word_end = extent(word.box, turns)
        drift = origin[1] - word.y if turns % 2 == 0 else origin[0] - word.x
        max_gap = _MAX_GAP_WITH_SPACE if self._spaced else _MAX_GAP
        return (
            max(word_begin - end, begin - word_end) <= max_gap * word.size
            and abs(drift) <= _MAX_DRIFT * word.size
        )

    def _put_letter(self, word: RawWord, piece: str, box: Box, *, same_place: bool) -> None:
        letters = self._letters[id(word)]
        if same_place:
            letters[-1] = (letters[-1][0], letters[-1][1] + piece)
        else:
            letters.append((box, piece))
        word.text += piece
        cover(word, box)

    def _place_mark(self, words_before: int, mark: str, place: Box) -> None:
        """Put a mark behind the letter over or under which it stands; without one it is left out."""
        near = self._words[max(0, words_before - _MARK_REACH) : words_before + _MARK_REACH]
        middle_x, middle_y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
        best: tuple[float, list[tuple[Box, str]], int] | None = None
        for word in near:
            for n, (box, _) in enumerate(self._letters.get(id(word), [])):
                away = abs(middle_x - (box[0] + box[2]) / 2) + abs(middle_y - (box[1] + box[3]) / 2)
                if away < word.size and (best is None or away < best[0]):
                    best = (away, self._letters[id(word)], n)
        if best is not None:
            _, letters, n = best
            letters[n] = (letters[n][0], letters[n][1] + mark)


def _in_order_of_ligature(text: str) -> str:
    """The letters of one shape in reading order: pdfium turns those of all ligatures that Unicode does not know."""
    base = "".join(c for c in text if bidi_class(c) != "mark")
    if len(base) < 2 or base in _LIGATURES:
        return text
    marks = "".join(c for c in text if bidi_class(c) == "mark")
    return base[::-1] + marks


def is_right_to_left(words: Sequence[RawWord]) -> bool:
    """Whether most letters of a page are written from right to left."""
    counts = dict.fromkeys(("right_to_left", "left_to_right"), 0)
    for word in words:
        bidi = bidi_class_of_word(word.text)
        if bidi in counts:
            counts[bidi] += len(word.text)
    return counts["right_to_left"] > counts["left_to_right"]


def join_pieces(words: Sequence[Word]) -> None:
    """Mark which words of a row, sorted by their places, have no space before them, where one runs to the left."""
    for before, word in pairwise(words):
        classes = {bidi_class_of_word(before.text), bidi_class_of_word(word.text)}
        if not classes <= {"left_to_right", "number"}:
            word.joined_to_previous = word.x0 - before.x1 < _MAX_JOINED_GAP * max(word.size, before.size)


def in_reading_order(words: Sequence[Word], *, mirrored: bool) -> list[Word]:
    """The words of a line in the order in which they are read, each with the signs that belong to it.

    Args:
        words: sorted by their places in the reading frame.
        mirrored: whether the frame is mirrored, so that words from right to left follow each other there.
    """
    classes = [bidi_class_of_word(w.text) for w in words]
    if "right_to_left" not in classes and not mirrored:
        return _merged(words, mirror_brackets=False)
    for i, word in enumerate(words):  # a word that is turned has another one before it
        word.joined_to_previous = i > 0 and word.joined_to_previous
    if "right_to_left" not in classes:
        ordered = _turned(words)
    elif mirrored:
        ordered = _with_turned_runs(words)
    else:
        ordered = _with_turned_phrases(words, classes)
    return _merged(ordered, mirror_brackets="right_to_left" in classes)


def _turned(words: Sequence[Word]) -> list[Word]:
    """The words in the other order, with the spaces where they were."""
    joined = [w.joined_to_previous for w in words]
    return [
        replace(w, joined_to_previous=j)
        for w, j in zip(reversed(words), [joined[0], *reversed(joined[1:])], strict=True)
    ]


def _with_turned_phrases(words: Sequence[Word], classes: Sequence[BidiClass]) -> list[Word]:
    """The words of a left-to-right line with its right-to-left phrases in reading order."""
    out: list[Word] = []
    i = 0
    while i < len(words):
        if classes[i] != "right_to_left":
            out.append(words[i])
            i += 1
            continue
        end = i + 1
        for j in range(i + 1, len(words)):
            if classes[j] == "left_to_right":
                break
            if classes[j] == "right_to_left":
                end = j + 1
        out.extend(_with_turned_runs(_turned(words[i:end])))
        i = end
    return out


def _with_turned_runs(words: Sequence[Word]) -> list[Word]:
    """Words from right to left, with the runs of Latin words and the parts of numbers among them turned."""
    hebrew = any("\u0590" <= c < "\u0600" or "\ufb1d" <= c < "\ufb50" for w in words for c in w.text)
    out: list[Word] = []
    for begin, end in _runs(words, hebrew=hebrew):
        out.extend(_turned(words[begin:end]))
    return out


def _runs(words: Sequence[Word], *, hebrew: bool) -> Iterator[tuple[int, int]]:
    """First and last of the words that are read from left to right together; of others each by itself."""
    classes = [bidi_class_of_word(w.text) for w in words]
    i = 0
    while i < len(words):
        end = i + 1
        if classes[i] in ("left_to_right", "number"):
            end = _end_of_phrase(words, classes, i, hebrew=hebrew)
        elif hebrew and words[i].text in _BESIDE_HEBREW_NUMBERS and classes[i + 1 : i + 2] == ["number"]:
            end = (
                _end_of_phrase(words, classes, i + 1, hebrew=hebrew)
                if words[i + 1].joined_to_previous
                else end
            )
        yield i, end
        i = end


def _end_of_phrase(words: Sequence[Word], classes: Sequence[BidiClass], begin: int, *, hebrew: bool) -> int:
    """Where the Latin words or the number that begins with a word ends."""
    end = begin + 1
    has_latin = classes[begin] == "left_to_right"
    for j in range(begin + 1, len(words)):
        if classes[j] == "right_to_left":
            break
        if _continues_phrase(words[end : j + 1], classes[j], has_latin=has_latin, hebrew=hebrew):
            has_latin |= classes[j] == "left_to_right"
            end = j + 1
    if hebrew and end < len(words) and words[end].joined_to_previous and not has_latin:
        end += words[end].text in _BESIDE_HEBREW_NUMBERS
    return end


def _continues_phrase(more: Sequence[Word], bidi: BidiClass, *, has_latin: bool, hebrew: bool) -> bool:
    """Whether the last of the words behind a phrase, which is of this class, belongs to it with those before it."""
    joined = all(w.joined_to_previous for w in more)
    if bidi == "left_to_right":
        return has_latin or joined
    inside = _IN_HEBREW_NUMBERS if hebrew else _IN_NUMBERS
    return bidi == "number" and joined and all(w.text in inside for w in more[:-1])


def _merged(words: Sequence[Word], *, mirror_brackets: bool) -> list[Word]:
    """Words with the signs and parts that no space sets apart, as one word where they have one size and baseline."""
    out: list[Word] = []
    for word in words:
        last = out[-1] if out else None
        if (
            last is not None
            and word.joined_to_previous
            and abs(last.size - word.size) <= 0.05 * word.size
            and abs(last.base - word.base) <= 0.1 * word.size
        ):
            out[-1] = replace(
                last, text=last.text + word.text, x0=min(last.x0, word.x0), x1=max(last.x1, word.x1)
            )
        else:
            out.append(replace(word))
    if mirror_brackets:
        for word in out:
            word.text = _with_fitting_brackets(word.text)
    return out


def _with_fitting_brackets(text: str) -> str:
    """A word whose first brackets open and whose last ones close: files often name the shape, not the role."""
    begin, end = 0, len(text)
    while begin < end and (text[begin] in _OPENING or text[begin] in _CLOSING):
        begin += 1
    while end > begin and not text[end - 1].isalnum() and bidi_class(text[end - 1]) != "mark":
        end -= 1
    if begin == end:
        return text
    head = "".join(_CLOSING.get(c, c) for c in text[:begin])
    return head + text[begin:end] + "".join(_OPENING.get(c, c) for c in text[end:])
