"""Letters that are drawn twice, a little apart, as a shadow or as bold print: the second is no text."""

from __future__ import annotations

import numpy as np

from colde.ingest.pdf.characters.character_boxes import CharacterReader

_CHARACTERS_BACK = 4  # a letter and its copy are at most this many characters apart
_MAX_SHIFT = 0.35  # of the font size, along the line and across it
_MIN_SHIFT = 0.01  # of the font size; what stands at the same place is a ligature of two letters
_MIN_SHIFT_ACROSS = 0.06  # of the font size; letters of one line do not stand so far above each other
_MAX_SHIFT_ALONG = 0.18  # of the font size, where letters are copied at the same height
_MIN_OVERLAP = 0.1  # of the letter's width; letters that follow each other do not lie on each other
_SAME_SIZE_SHARE = 0.1  # of the font size, by which that of the copy may differ
_SAME_SHIFT = 0.04  # of the font size, by which two copies in a line may be shifted differently
_LAST_SHIFT_CHARACTERS = 16  # characters after a copy where others are expected

Shift = tuple[float, float]
"""How far a copy stands from its letter, along the line and across it, in font sizes."""


class DrawnTwice:
    """Tells the copies among the characters of a page, which are asked for in their order.

    Attributes:
        repeated: the characters that stand again within a few characters before them; others are no copies.
    """

    def __init__(self, reader: CharacterReader) -> None:
        self._reader = reader
        codes = np.asarray(reader.codes)
        repeated = np.zeros(len(codes), dtype=bool)
        for back in range(1, _CHARACTERS_BACK + 1):
            repeated[back:] |= codes[back:] == codes[:-back]
        self.repeated = set(np.flatnonzero(repeated).tolist())
        self._copies: set[int] = set()
        self._last_copy = -_LAST_SHIFT_CHARACTERS
        self._last_shift: Shift = (0.0, 0.0)

    def is_copy(self, index: int) -> bool:
        """Whether a character repeats one of those before it, and stands hardly apart from it."""
        codes = self._reader.codes
        for j in range(max(0, index - _CHARACTERS_BACK), index):
            if codes[j] == codes[index] and j not in self._copies:
                shift = self._shift(j, index)
                if shift is not None and self._is_shift_of_copy(j, index, shift):
                    self._copies.add(index)
                    self._last_copy, self._last_shift = index, shift
                    return True
        return False

    def _shift(self, letter: int, copy: int) -> Shift | None:
        """How far one character stands from the other; None where it is too far, or another size."""
        reader = self._reader
        (x, y), (letter_x, letter_y) = reader.origin(copy), reader.origin(letter)
        size = reader.size_and_direction(copy)[0]
        if size <= 0.0:
            return None
        right, up = (x - letter_x) / size, (y - letter_y) / size
        if not _MIN_SHIFT < max(abs(right), abs(up)) <= _MAX_SHIFT:
            return None
        if abs(reader.size_and_direction(letter)[0] - size) > _SAME_SIZE_SHARE * size:
            return None
        return (right, up) if reader.axis(copy) == 0 else (up, right)

    def _is_shift_of_copy(self, letter: int, copy: int, shift: Shift) -> bool:
        along, across = map(abs, shift)
        if across > _MIN_SHIFT_ACROSS:
            return True
        if copy - self._last_copy <= _LAST_SHIFT_CHARACTERS and all(
            abs(a - b) <= _SAME_SHIFT for a, b in zip(shift, self._last_shift, strict=True)
        ):
            return True
        axis = self._reader.axis(copy)
        box, other = self._reader.box(copy), self._reader.box(letter)
        overlap = min(box[axis + 2], other[axis + 2]) - max(box[axis], other[axis])
        return (
            chr(self._reader.codes[copy]).isalnum()
            and along <= _MAX_SHIFT_ALONG
            and overlap > _MIN_OVERLAP * (box[axis + 2] - box[axis])
        )
