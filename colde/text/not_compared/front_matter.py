"""Recognise the block of authors, affiliations and addresses at the beginning of a paper.

Such a block is set aside: it says nothing about the subject. A block is front matter only where three things hold:
the document is a paper, the block names an address or an affiliation, and no paragraph of it is a sentence. Where one
of them is in doubt the text is kept and compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from colde.text.word_lists.stop_words import stop_words

MAX_WORDS = 90
"""Words of a block of authors. A longer one is text."""

LOWER_CASE_SHARE = 0.3
"""Share of words in lower case above which a paragraph is a sentence. Connectors such as `of` do not count. Of 50,497
paragraphs of four corpora, lists and tables included, 97.9 % have a larger share."""
_LOWER_CASE_SHARE_WITH_EMAIL = 0.4  # beside an e-mail address; some affiliations are in lower case
_SENTENCE_FUNCTION_WORDS = 2  # different ones (`is`, `which`, `by`) that make a paragraph a sentence
_SENTENCE_LENGTH_WORDS = 8  # words from which a paragraph with a full stop at its end is a sentence
_UNCASED_SENTENCE_LETTERS = 40  # of a paragraph in a script without capitals, from which it is a sentence
_MAX_CHARACTERS_PER_WORD = 12  # with its space; scripts without spaces are measured by their letters

_EMAIL = re.compile(  # begins where a run of such characters begins, so that a text without `@` is read once
    r"(?:[{(\[][^{}()\[\]@]{0,200}[})\]]|(?<![\w.,;/|+-])[\w.,;/|+-]++)\s?@\s?[\w.-]++"
    r"(?:[,;/|+][\w.,;/|+-]*+\s?@\s?[\w.-]++)*"
)
_URL = re.compile(r"https?://\S+|www\.\S+")
_AFFILIATION = re.compile(
    r"\b(?:univ|univer[sz]i\w*|uniwersyte\w*|üniversite\w*|yliopisto|egyetem|institut\w*|instytut\w*|ústav|"
    r"depart\w*|dept|dipartimento|facult\w*|fakult\w*|laborator\w*|laboratoire|labs|college|hochschule|school of|"
    r"école|escuela|scuola|research cent(?:er|re)|inc|ltd|gmbh|cedex|p\.\s?o\.\s?box|"
    r"университет\w*|институт\w*|кафедр\w*)\b|πανεπιστήμιο|大学|大學|学院|研究所|研究院|대학교|연구소|جامعة|אוניברסיט|"
    r"(?-i:\b(?:[A-Z]{1,2}-)?\d{5}\s+[A-Z]\w)",  # the last: a postal code and its town
    re.IGNORECASE,
)
_ABSTRACT = re.compile(
    r"\W*(?:abstract|key\s?words|index terms|zusammenfassung|kurzfassung|résumé|resumen|resumo|riassunto|sommario|"
    r"samenvatting|sammanfattning|streszczenie|abstrakt|аннотация|реферат|περίληψη|özet|摘要|抄録|概要|초록|ملخص)\b",
    re.IGNORECASE,
)
_CONNECTORS = frozenset(
    word
    for words in (
        "of and the for in at on by from",
        "de la le les du des et en au aux à pour sur",
        "el los las del y e para di della dei delle degli dello per il lo da do das dos em",
        "der die das dem den und für im an am zu zur zum von vom bei van het te ter voor",
        "och og i för af av på w we ve és a az ja și v pro z při na ze и в им по",
    )
    for word in words.split()
)
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_]))*")
_STOPS = ".!?…。！？؟।"


def is_paper(openings: Iterable[str], *, has_references: bool) -> bool:
    """Whether a document is a paper: it has a list of references, or an abstract.

    Args:
        openings: headings and paragraphs; their first word is looked at.
    """
    return has_references or any(_ABSTRACT.match(opening) for opening in openings)


def is_front_matter(text: str, language: str | None = None) -> bool:
    """Whether the text is a block of names and addresses: short, with an address, and without a sentence.

    Args:
        language: ISO 639-1 code; English where None.
    """
    if _words(text) > MAX_WORDS:
        return False
    email = _EMAIL.search(text)
    if not (email or _AFFILIATION.search(text)):
        return False
    most = _LOWER_CASE_SHARE_WITH_EMAIL if email else LOWER_CASE_SHARE
    return not any(is_sentence(paragraph, language, most) for paragraph in re.split(r"\n\s*\n", text))


def count_leading_front_matter(paragraphs: Sequence[str], language: str | None = None) -> int:
    """Count the paragraphs at the beginning that are names and addresses; 0 where no other text follows them."""
    count = next((i for i, text in enumerate(paragraphs) if is_sentence(text, language)), len(paragraphs))
    if not 0 < count < len(paragraphs):
        return 0
    return count if is_front_matter("\n\n".join(paragraphs[:count]), language) else 0


def is_sentence(paragraph: str, language: str | None = None, lower_case: float = LOWER_CASE_SHARE) -> bool:
    """Whether a paragraph holds a sentence, by its words: lower case, function words, a full stop at its end.

    Args:
        lower_case: the share of words in lower case above which it does.
    """
    text = " ".join(_URL.sub(" ", _EMAIL.sub(" ", paragraph)).split())
    words = _WORD.findall(text)
    letters = "".join(words)
    if sum(map(_uncased, letters)) > len(letters) / 2:
        return len(letters) > _UNCASED_SENTENCE_LETTERS or any(stop in text for stop in _STOPS)
    words = [word for word in words if len(word) > 1]
    in_lower_case = [w for w in words if w[0].islower() and w not in _CONNECTORS]
    if len(in_lower_case) >= 2 and len(in_lower_case) > lower_case * len(words):
        return True
    if len(words) >= _SENTENCE_LENGTH_WORDS and in_lower_case and text.endswith(tuple(_STOPS)):
        return True
    return len(_function_words(words, language)) >= _SENTENCE_FUNCTION_WORDS


def _function_words(words: Sequence[str], language: str | None) -> set[str]:
    """The function words among these: those in lower case and the first; in a paragraph of capitals all."""
    capitals = sum(word.isupper() for word in words) > 0.8 * len(words)
    looked_at = [w for i, w in enumerate(words) if i == 0 or w[0].islower() or (capitals and len(w) > 2)]
    known = (stop_words(language or "en") | stop_words("en")) - _CONNECTORS
    return {word for w in looked_at if (word := w.casefold()) in known}


def _uncased(letter: str) -> bool:
    return unicodedata.category(letter) == "Lo"


def _words(text: str) -> int:
    return max(len(text.split()), len(text) // _MAX_CHARACTERS_PER_WORD)
