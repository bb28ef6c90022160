"""Pages of which one font does not say which letters it shows, while the others do: a box, a list, a form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from colde.ingest.page_warnings import page_warning, pages_phrase
from colde.ingest.pdf.garbled_text import garbling_score
from colde.ingest.pdf.page_words import Page, Word
from colde.text.document import ReadWarning

_MIN_CHARACTERS = 100  # of a font in a document, below which it is not judged
_PROOF = 1.3  # the score from which on a font is garbled: it has less text than the page of which 1 is proof
_MOST_OF_PAGE = 0.85  # of the characters; with more in garbled fonts, the page is judged as a whole


def skip_garbled_fonts(pages: Sequence[Page]) -> Iterator[ReadWarning]:
    """Take the words in garbled fonts off the pages that have other text, and warn of them."""
    garbled = _garbled_fonts(pages)
    affected = [page for page in pages if garbled and _is_partly_garbled(page, garbled)]
    if affected:
        names = {
            w.font.name.split("+")[-1] for page in affected for w in page.words if w.font.name in garbled
        }
        numbers = [page.number for page in affected]
        text = (
            f"text on {pages_phrase(numbers)} is garbled and was skipped: "
            f"the font {' and '.join(sorted(names))} does not say which letters it shows"
        )
        yield page_warning(numbers, text)
    for page in affected:
        page.words[:] = [w for w in page.words if w.font.name not in garbled]


def _garbled_fonts(pages: Sequence[Page]) -> set[str]:
    """Names of the fonts whose letters make no words."""
    texts: dict[str, list[str]] = defaultdict(list)
    for page in pages:
        for word in page.words:
            texts[word.font.name].append(word.text)
    scores = {name: garbling_score(" ".join(words), least=_MIN_CHARACTERS) for name, words in texts.items()}
    return {name for name, score in scores.items() if score >= _PROOF}


def _is_partly_garbled(page: Page, garbled: set[str]) -> bool:
    count = _characters(page.words)
    bad = _characters([w for w in page.words if w.font.name in garbled])
    return 0 < bad < _MOST_OF_PAGE * count


def _characters(words: Sequence[Word]) -> int:
    return sum(len(w.text) for w in words)
