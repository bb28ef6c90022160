"""From text to sentences.

Rules look at the characters around each full stop, so that the time is linear. What they leave open in English,
nupunkt says, which has learned abbreviations from legal texts; in other languages, the abbreviations that spaCy lists.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from colde.text.document import Span
from colde.text.sentences.abbreviations import BEFORE_NUMBER, MAY_END, NEVER_END, TITLES, abbreviations
from colde.text.sentences.long_sentences import cut_long_sentences
from colde.text.word_lists.stop_words import stop_words, words

_CLOSING_MARKS = "\"'”’»)\\]}›"
_FULL_WIDTH_STOPS = "。｡！？．"  # ends that need no space after them
_END = re.compile(
    rf"(?<![.!?…])[.!?…؟۔।॥։།။።፧៕᙮‼‽⁇⁈⁉]+[{_CLOSING_MARKS}]*(?:\[\d{{1,3}}(?:[,–-]\s?\d{{1,3}})*\])?(?=\s)"
    rf"|[{_FULL_WIDTH_STOPS}]+[」』）】》〉{_CLOSING_MARKS}]*"
    r"|(?<=[a-z]{2})[.!?]\d{1,2}(?=\s+[A-Z])"  # the mark of a note, raised in print
    r"|(?<=\S)(?=\n[ \t]*\n)"  # a blank line inside a listing
    rf"|(?<=[a-z]{{3}})[.!?](?=[A-Z][a-z]*\s)"  # "…the dictionary.It is": a space lost in a PDF
)
_NEXT = re.compile(r"[\s\"'“‘«(\[{#•·–—*-]*(?P<word>[^\W\d_]+|\d+|\S)")
_LAST_TOKEN = re.compile(r"(?:[^\s(\[{\"'’“‘«/–—]|(?<=\w)['’](?=(?:[stdm]|re|ll|ve)?$))+$")
"""Of "l'art" only "art", of "king's" all."""
_INITIAL = re.compile(r"(?:[^\W\d_]\.-?)*[^\W\d_]\.", re.UNICODE)
_LABEL = re.compile(r"(?:^|[:;]\s)\s*[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxIVX]{1,5})[.)\]]+$")
# What begins with a small letter and may begin a sentence: "b. Then", `asyncio.Task`, `exec()`, `max_len`.
_LOWER_CASE_START = re.compile(r"[a-z][.)]\s(?!\d)|\S*?(?:[_(]|\.\w|[a-z][A-Z])")
_ABBREVIATED = re.compile(r"\w\.|\w{1,4}\.\s\d")  # an initial, or a word of a number: "No. 5"
# A number set with spaces, "4 .", and the volume of a report before its page, "12 J. Legal Stud."
_BEFORE_NUMBER = re.compile(
    r"\d\s+$|\d\s(?:[A-Z][\w'’]*\.?\s)*[A-Z][\w'’]*\.\s(?:[A-Z][\w'’]*\.?\s)*[A-Z][\w'’]*$"
)
_LONG_TOKEN = re.compile(r"\S{200,}")
_NO_VOWEL = re.compile(r"[B-DF-HJ-NP-TV-XZ][b-df-hj-np-tv-xz]{1,4}")  # "Sgt", "Cllr"
_ORDINAL = re.compile(r"\d{1,2}")
_SECTION_NUMBER = re.compile(r"\d+(?:\.\d+)+")
_ORDINAL_LANGUAGES = words("cs da de dsb et fi fo hr hsb hu is lb lt lv nb nn no pl sk sl sr tr")
"""Languages that write ordinal numbers with a full stop: “3. Oktober”."""
_NAME_PARTICLES = words("Al Da De Del Den Der Des Di Do Dos Du El La Le Los Ten Ter Van Vom Von Zu")
"""Words that begin names, too."""
_LOOK_BEHIND = 60  # characters looked at before an end: the longest abbreviation with the word before it


@lru_cache(maxsize=8)
def _sentence_starters(language: str) -> frozenset[str]:
    """Words that are capitalised only where a sentence begins."""
    starters = frozenset(word.capitalize() for word in stop_words(language) if word.isalpha())
    return starters - {"I", "Us"} - (_NAME_PARTICLES if language != "en" else set())


def load_sentence_rules() -> None:
    """Load what the rules for English need, so that a confined process has it."""
    split_sentences("This loads the rules. One sentence would not.")


def split_sentences(text: str, language: str | None = None) -> list[Span]:
    """Sentences of one block of text, as spans without surrounding white space, in order.

    Sentences of more than 120 words are cut into pieces.

    Args:
        language: ISO 639-1 code; English where None.
    """
    ends = list(_END.finditer(text))
    cuts: list[int] = []
    if ends:
        rules = _Rules(text, language or "en")
        for match in ends:
            begin = cuts[-1] if cuts else 0
            if rules.is_end(match, begin):
                cuts.append(match.end())
    spans = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        piece = text[start:end]
        stripped = piece.strip()
        if stripped:
            first = start + len(piece) - len(piece.lstrip())
            spans.append(Span(first, first + len(stripped)))
    return list(cut_long_sentences(text, spans, language or "en"))


class _Rules:
    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language = language
        self.starters = _sentence_starters(language)
        self.proposed = _english_starts(text) if language == "en" else []

    def is_end(self, match: re.Match[str], begin: int) -> bool:
        """Whether the sentence that begins at `begin` ends where this full stop (or the like) stands."""
        text, end = self.text, match.end()
        if match[0] == "" or match[0][0] in _FULL_WIDTH_STOPS:
            return end <= len(text) - 8 or text[end:].strip() != ""
        following = _NEXT.match(text, end)
        if following is None:
            return False
        word = following["word"]
        if text[end : end + 1].strip():  # no space: only before a word that begins sentences
            return word in self.starters
        if word[0] in ".,;:)]}":
            return False
        if word[0].islower() and not _may_start_lower_case(text, begin, following.start("word")):
            return False
        if match[0][0] not in ".…":
            return True
        starts = word in self.starters and not _ABBREVIATED.match(text, following.start("word"))
        ends = self._ends_by_token(match, begin, word, starts)
        return starts or self._is_proposed(match, following.end("word")) if ends is None else ends

    def _ends_by_token(self, match: re.Match[str], begin: int, word: str, starts: bool) -> bool | None:
        """Whether a sentence ends, as far as the token before the full stop says; None where it says nothing.

        `starts`: whether the next word is one that begins sentences.
        """
        stop = match.start()
        start = max(begin, stop - _LOOK_BEHIND)
        before = self.text[start:stop]
        # "2." or "b." before the item it counts
        if _LABEL.search(self.text[start if start == begin else start - 1 : match.end()]):
            return False
        if word[0].isdigit() and _BEFORE_NUMBER.search(before):
            return False
        token = _LAST_TOKEN.search(before)
        if token is None:
            return bool(before.strip())
        if match[0] != ".":
            return None
        name = token[0].rstrip(".")
        after_number = before[: token.start()].rstrip()[-1:].isdigit()
        if _is_title(name) and word[0].isupper() and not starts and not after_number:
            return False
        ends = _ends_after_abbreviation(name, word, starts)
        return self._ends_after_word(token[0], word, starts, after_number) if ends is None else ends

    def _ends_after_word(self, token: str, word: str, starts: bool, after_number: bool) -> bool | None:
        """The same for a token that is no abbreviation in the lists: initials, units, words in small letters."""
        if _INITIAL.fullmatch(token + "."):
            return starts or (token.islower() and after_number and not word[0].isdigit())
        if self.language == "en" and token.isalpha() and token.islower() and word[0].isupper():
            return True
        return None

    def _is_proposed(self, match: re.Match[str], until: int) -> bool:
        """Whether a sentence may begin between this full stop and the end of the next word."""
        if self.language == "en":
            at = bisect_left(self.proposed, match.start() + 1)
            return at < len(self.proposed) and self.proposed[at] <= until
        if match[0] != ".":
            return match[0] != "..." and not (match[0][0] == "…" and ")" in match[0])
        token = _LAST_TOKEN.search(self.text, max(0, match.start() - _LOOK_BEHIND), match.start())
        if token is None:
            return True
        if _SECTION_NUMBER.fullmatch(token[0]):
            return False
        if self.language in _ORDINAL_LANGUAGES and _ORDINAL.fullmatch(token[0]):
            return False
        known = abbreviations(self.language)
        return f"{token[0]}." not in known and f"{token[0][0].lower()}{token[0][1:]}." not in known


def _english_starts(text: str) -> list[int]:
    import nupunkt

    # Tokens of many hundred characters (text without spaces, rows of brackets) take long.
    short = _LONG_TOKEN.sub(lambda match: "x" * len(match[0]), text)
    return [start for start, _ in nupunkt.sent_spans(short)]


def _ends_after_abbreviation(name: str, word: str, starts: bool) -> bool | None:
    """Whether a sentence ends after an abbreviation and before this word; None where the name is none."""
    folded = name.casefold()
    if folded in NEVER_END or name == "v":  # between the parties of a case; "V" is a number
        return False
    if folded in BEFORE_NUMBER and (word[0].isdigit() or set(word) <= set("IVXLC")):
        return False
    if folded in MAY_END:
        return starts or (folded in ("etc", "usw") and word[0].isupper())
    return None


def _is_title(name: str) -> bool:
    """Whether this is an abbreviation that stands before a name: a known one, or letters without a vowel."""
    return name.istitle() and (name.casefold() in TITLES or _NO_VOWEL.fullmatch(name) is not None)


def _may_start_lower_case(text: str, begin: int, word: int) -> bool:
    """Whether a small letter may begin a sentence here: a label, a name in a programming language, or a text
    whose current sentence began with a small letter itself."""
    if _LOWER_CASE_START.match(text, word, word + 40):
        return True
    following = _NEXT.match(text, begin, begin + _LOOK_BEHIND)
    return following is not None and following["word"][0].islower()
