"""Detection of the language that a text is written in."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from colde.text.word_lists.language_names import NAMES

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_WINDOW_CHARACTERS = 1_000  # characters classified at once
_MAX_WINDOWS = 16  # spread evenly over the text
_MIN_LETTER_BYTES = 40  # letters of a window in bytes of UTF-8; with fewer chance decides
_MIN_PROBABILITY = 0.5  # from which on a window counts as written in a language other than English
_MAX_ENGLISH_PROBABILITY = 0.05  # probability of English above which such a window stays undetermined
_MIN_WINDOW_SHARE = 0.6  # share of the windows that a language needs to be that of the text
_MAX_NAME_SHARE = 0.6  # share of capitalised words, beyond which a window is a list of names
_NO_LANGUAGE = "zxx"  # py3langid's label for code, tables of numbers and the like


def detect_language(text: str) -> str | None:
    """ISO 639-1 code of the language of most of the text; None where it cannot be told (short, code, tables, mixed).

    A text counts as English sooner than as another language: lists of English names and titles have few English words,
    and a wrong answer would take the verdict from two English texts.
    """
    windows = _windows(text)
    votes = Counter(code for window in windows if (code := _language_of(window)))
    if not votes:
        return None
    best, count = votes.most_common(1)[0]
    return best if count >= _MIN_WINDOW_SHARE * sum(votes.values()) and 2 * count >= len(windows) else None


def _windows(text: str) -> list[str]:
    """The text as a whole where it is short, else passages of the same length, spread evenly over it."""
    count = min(_MAX_WINDOWS, max(1, len(text) // _WINDOW_CHARACTERS))
    if count == 1:
        return [text[: 2 * _WINDOW_CHARACTERS]]
    last = len(text) - _WINDOW_CHARACTERS
    starts = [int(i * (last / (count - 1))) for i in range(count - 1)]
    return [text[start : start + _WINDOW_CHARACTERS] for start in (*starts, last)]


def _language_of(window: str) -> str | None:
    letters = "".join(filter(str.isalpha, window))
    if len(letters.encode("utf-8", "surrogatepass")) < _MIN_LETTER_BYTES:
        return None
    ranked: list[tuple[str, float]] = load_identifier().rank(window)
    best, probability = ranked[0]
    if best == "en":
        return best
    english = next(p for code, p in ranked if code == "en")
    certain = best in NAMES and probability >= _MIN_PROBABILITY and english < _MAX_ENGLISH_PROBABILITY
    return best if certain and not _is_list_of_names(window) else None


def _is_list_of_names(text: str) -> bool:
    words = [word for word in text.split() if word[0].isalpha()]
    return sum(map(str.istitle, words)) > _MAX_NAME_SHARE * len(words)


@cache
def load_identifier() -> LanguageIdentifier:
    """The identifier, loaded once, which takes 0.4 s and a temporary file: a confined process has to have it before.

    It is restricted to languages that long texts are written in. Creoles based on English are left out, because lists
    of English names look like them.
    """
    from py3langid.langid import LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file("data/model.npz.xz", norm_probs=True)
    identifier.set_languages([*NAMES, _NO_LANGUAGE])
    return identifier
