"""Watermarks that stand level or upright behind the text: large or pale words under others, on one page or on all.

Slanted words are left out before, by `visible_words`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from colde.ingest.pdf.lines.text_lines import join_words
from colde.ingest.pdf.words.page import Page, Word
from colde.ingest.shared.page_warnings import page_warning, pages_phrase
from colde.text.document import Box, ReadWarning
from colde.text.runs import runs

_LARGE = 1.2  # times the usual size, of what may be a watermark
_LARGE_UNDER_TEXT = 2.0  # of a dark one on a single page
_VERY_LARGE = 3.0  # of a pale one that lies under none
_MAX_CHARACTERS = 80
_MIN_LETTERS = 3
_MAX_WORDS = 6  # of one that is told by its colour and place alone
_MIN_COVERED_WORDS = 2
_MIN_COVERED_SHARE = 0.2  # of the smaller of two words that lie over each other
_SAME_PLACE_POINTS = 6.0
_MIN_OTHER_WORDS = 50  # on a page whose watermark is told by its size and colour alone
_MIDDLE = (0.2, 0.8)  # of the height of a page

Key = tuple[str, int]
"""Text and size of a label."""


@dataclass(slots=True)
class _Label:
    """Neighbouring words of one size and font on one baseline."""

    page: Page
    frame: Page  # the page or the part of it that holds the words
    words: list[Word]

    @property
    def text(self) -> str:
        return join_words(self.words)

    @property
    def is_pale(self) -> bool:
        """Whether most of the words hardly stand out; one that lies under a dark word may not seem so."""
        return 2 * sum(w.pale for w in self.words) > len(self.words)

    @property
    def key(self) -> Key:
        return self.text.casefold(), round(self.words[0].size)

    @property
    def box(self) -> Box:
        """The capitals on the page as it is shown."""
        first, last = self.words[0], self.words[-1]
        return self.frame.shown(first.x0, first.base - 0.7 * first.size, last.x1, first.base)


def drop_watermarks(pages: Sequence[Page]) -> list[ReadWarning]:
    """Take the words of watermarks off the pages; returns a warning that names them."""
    watermarks: set[Key] = set()
    doubtful: dict[Key, list[_Label]] = defaultdict(list)
    for page in pages:
        for label in _conspicuous_labels(page):
            if _is_lonely_mark(label) or (_is_pale_or_large(label) and _is_under_text(label)):
                watermarks.add(label.key)
            else:
                doubtful[label.key].append(label)
    watermarks.update(key for key, labels in doubtful.items() if _is_repeated(labels))
    if not watermarks:
        return []
    dropped = {page.number: text for page in pages if (text := _drop(page, watermarks))}
    numbers = sorted(dropped)
    what = f"a watermark was left out on {pages_phrase(numbers)}: “{dropped[numbers[0]]}”"
    return [page_warning(numbers, what)]


def _conspicuous_labels(page: Page) -> Iterator[_Label]:
    """Short labels that are pale, or larger than the text."""
    words = [w for frame in (page, *page.parts) for w in frame.words]
    if not words:
        return
    large = _LARGE * median(w.size for w in words)
    if not any(w.pale or w.size >= large for w in words):
        return
    for frame in (page, *page.parts):
        for label in _labels(page, frame):
            first = label.words[0]
            is_short = (
                len(label.text) <= _MAX_CHARACTERS and sum(map(str.isalpha, label.text)) >= _MIN_LETTERS
            )
            if is_short and (label.is_pale or first.size >= large):
                yield label


def _labels(page: Page, frame: Page) -> Iterator[_Label]:
    return (_Label(page, frame, words) for words in runs(frame.words, _continues))


def _continues(last: Word, word: Word) -> bool:
    same_style = (last.size, last.font) == (word.size, word.font)
    return same_style and abs(last.base - word.base) < 0.1 * word.size and word.x0 > last.x0


def _is_under_text(label: _Label) -> bool:
    page = label.page
    label_words = set(map(id, label.words))
    box = label.box
    over = 0
    for frame in (page, *page.parts):
        for word in frame.words:
            if id(word) in label_words:
                continue
            if _lie_over_each_other(
                box, frame.shown(word.x0, word.base - 0.5 * word.size, word.x1, word.base)
            ):
                over += 1
                if over == _MIN_COVERED_WORDS:
                    return True
    return False


def _lie_over_each_other(a: Box, b: Box) -> bool:
    across = min(a.x1, b.x1) - max(a.x0, b.x0)
    down = min(a.y1, b.y1) - max(a.y0, b.y0)
    if across <= 0.0 or down <= 0.0:
        return False
    smaller = min((a.x1 - a.x0) * (a.y1 - a.y0), (b.x1 - b.x0) * (b.y1 - b.y0))
    return across * down >= _MIN_COVERED_SHARE * smaller


def _is_pale_or_large(label: _Label) -> bool:
    """Whether a label differs more from the text than the labels of figures, which touch other words, too."""
    sizes = [w.size for w in label.page.words]
    return label.is_pale or (bool(sizes) and label.words[0].size >= _LARGE_UNDER_TEXT * median(sizes))


def _is_lonely_mark(label: _Label) -> bool:
    """Whether a label is far larger than the text and pale, in the middle of a page of text."""
    page = label.page
    if not label.is_pale or len(page.words) - len(label.words) < _MIN_OTHER_WORDS:
        return False
    box = label.box
    low, high = _MIDDLE
    middle = low * page.size[1] <= (box.y0 + box.y1) / 2 <= high * page.size[1]
    return middle and label.words[0].size >= _VERY_LARGE * median(w.size for w in page.words)


def _is_repeated(labels: Sequence[_Label]) -> bool:
    """Whether labels of one text that are pale or under other words stand in the same place of two pages."""
    if len({label.page.number for label in labels}) < 2:
        return False
    labels = [x for x in labels if (x.is_pale and len(x.words) <= _MAX_WORDS) or _is_under_text(x)]
    first = labels[0] if labels else None
    return first is not None and any(
        other.page.number != first.page.number
        and abs(other.box.x0 - first.box.x0) < _SAME_PLACE_POINTS
        and abs(other.box.y0 - first.box.y0) < _SAME_PLACE_POINTS
        for other in labels[1:]
    )


def _drop(page: Page, watermarks: set[Key]) -> str:
    """Take watermarks off a page; returns the text of the first one, empty where the page has none."""
    text = ""
    for frame in (page, *page.parts):
        gone: set[int] = set()
        for label in _labels(page, frame):
            if label.key in watermarks:
                gone.update(map(id, label.words))
                text = text or label.text
        frame.words[:] = [w for w in frame.words if id(w) not in gone]
    return text
