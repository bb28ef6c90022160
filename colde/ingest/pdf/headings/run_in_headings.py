"""Words set bold or italic at the beginning of a paragraph, lines that are italic alone, and titles in capitals in the
middle between paragraphs, in a whole document.

Such marks say little by themselves: their number in the document decides what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line, is_centred
from colde.ingest.pdf.words.page import Word
from colde.ingest.pdf.words.word_splitter import Font

_FEWEST_CENTRED = 3  # of a document
_MAX_TITLE_LINES = 4
_FEWEST = 2  # of a document; a single one is chance
_MIN_LETTERS = 3  # of a word that counts; others are numbers and symbols in fonts of their own
_MAX_ITALIC_WORDS = 10  # of an italic heading
_CLOSE = 1.25  # distance of baselines, over the usual one, up to which a line belongs to the next
_LARGER_GAP = 1.1  # the space above a heading, over that below it


@dataclass(frozen=True, slots=True)
class DocumentMarks:
    """What a document has besides headings in a style of their own.

    Attributes:
        has_run_ins: whether paragraphs begin with words set bold or italic.
        italic_headings: positions of italic lines that stand like headings; empty where there is only one.
        centred_titles: positions of centred lines in capitals that stand apart; empty where there are few.
    """

    has_run_ins: bool
    italic_headings: frozenset[int]
    centred_titles: frozenset[int]


def document_marks(lines: Sequence[Line], body: BodyStyle) -> DocumentMarks:
    """The marks of a document, given all its lines in reading order."""
    run_ins = sum(
        is_run_in(line, body) and _begins_paragraph(line, lines[i - 1] if i else None, body)
        for i, line in enumerate(lines)
    )
    italic = frozenset(i for i in range(len(lines)) if _is_italic_heading(lines, i, body))
    centred = frozenset(i for i in range(len(lines)) if _is_centred_title(lines, i, body))
    return DocumentMarks(
        run_ins >= _FEWEST,
        italic if len(italic) >= _FEWEST else frozenset(),
        centred if len(centred) >= _FEWEST_CENTRED else frozenset(),
    )


def is_run_in(line: Line, body: BodyStyle) -> bool:
    """Whether a line begins with words set bold or italic, unlike body text, and goes on in the style of that."""
    first, last = _first_with_letters(line.words), _first_with_letters(line.words[::-1])
    if first is None or last is None or first.font == last.font:
        return False
    if line.words[0].font == last.font and not _ends_with_stop(line.words, first.font):
        return False  # text recognition sets some words of a heading bold and others not
    font = last.font
    goes_on = (font.family, font.bold, font.italic) == (body.family, body.bold, body.italic)
    return goes_on and abs(last.size - body.size) <= 0.05 * body.size and _is_marked(first, body)


def _first_with_letters(words: Sequence[Word]) -> Word | None:
    return next((w for w in words if sum(map(str.isalpha, w.text)) >= _MIN_LETTERS), None)


def _ends_with_stop(words: Sequence[Word], font: Font) -> bool:
    """Whether the last word in a font ends with a full stop, a colon or a dash."""
    return [w for w in words if w.font == font][-1].text.endswith((".", ":", "–", "—"))


def _begins_paragraph(line: Line, above: Line | None, body: BodyStyle) -> bool:
    """Whether a line is set apart from the line above, or that ends a sentence."""
    if above is None or not line.same_column(above):
        return True
    return line.gap > _CLOSE * body.leading or above.text.endswith((".", ":", "!", "?"))


def _is_marked(word: Word, body: BodyStyle) -> bool:
    return (word.font.bold and not body.bold) or (word.font.italic and not body.italic)


def _is_centred_title(lines: Sequence[Line], i: int, body: BodyStyle) -> bool:
    """Whether a centred line in capitals begins a title of a few lines, apart from the text above and below."""
    line = lines[i]
    if not line.text.isupper() or not is_centred(line) or not _is_apart(line, body):
        return False
    end = i + 1
    while end < len(lines) and end - i < _MAX_TITLE_LINES and not _is_apart(lines[end], body):
        if not (lines[end].text.isupper() and is_centred(lines[end])):
            return False
        end += 1
    return end < len(lines) and _is_apart(lines[end], body)


def _is_apart(line: Line, body: BodyStyle) -> bool:
    return line.gap == 0.0 or line.gap > _CLOSE * body.leading


def _is_italic_heading(lines: Sequence[Line], i: int, body: BodyStyle) -> bool:
    """Whether one or two lines are italic, set apart from the text above more than from that below, and no sentence."""
    line = lines[i]
    if body.italic or not _is_italic(line) or not line.similar_size(body.size, 0.05):
        return False
    end = i + 1
    if end < len(lines) and _is_italic(lines[end]) and _is_close(lines[end], line, body):
        end += 1
    return (
        end < len(lines)
        and _has_text_of_a_heading(line, lines[end - 1])
        and _heads(line, lines[end - 1], lines[end], body)
    )


def _has_text_of_a_heading(first: Line, last: Line) -> bool:
    """Whether italic lines are short, begin with a capital and do not end a sentence or quotation."""
    short = len(first.words) <= _MAX_ITALIC_WORDS and last.room >= 2.0 * last.size
    return short and first.text[0].isupper() and last.text[-1] not in '.,;:!?”"’)'


def _heads(first: Line, last: Line, below: Line, body: BodyStyle) -> bool:
    """Whether plain text begins closer below italic lines than other text stands above them."""
    if not _is_close(below, last, body) or any(w.font.italic for w in below.words):
        return False
    return below.text[0].isupper() and (first.gap == 0.0 or first.gap >= _LARGER_GAP * below.gap)


def _is_italic(line: Line) -> bool:
    return all(w.font.italic for w in line.words)


def _is_close(below: Line, line: Line, body: BodyStyle) -> bool:
    return below.same_column(line) and below.gap <= _CLOSE * body.leading
