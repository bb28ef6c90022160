"""Recognise lists of works by their content: what the entries of a bibliography look like in any style and language.

The heading alone does not decide: a list may stand under any heading or none, and prose may stand under “References”.
An entry is a short text with an author or an organisation at its beginning, a year, and marks of a source: volume and
pages, publisher, DOI, journal. Each mark has points (`_MARKS`); under a heading that names a list of works fewer are
enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.text.words import count_words

_FEWEST_ENTRIES = 3  # entries of a list under a heading that does not name one, or without a heading
_ENTRY_POINTS = 4  # points of an entry
NAMED_ENTRY_POINTS = 3
"""Points of an entry under a heading that names a list of works; a number before the entry is one. Two of a source are
enough there."""
_LIST_SHARE = 0.6  # share of the words of paragraphs in entries, from which they are a list of works
_NAMED_LIST_SHARE = 0.5  # the same under a heading that names a list of works
_NAME_SHARE = 0.3  # share of words with a capital and of numbers in an entry; prose has fewer
MAX_ENTRY_WORDS = 70
_SPLIT_WORDS = 25  # words from which a paragraph may hold several entries, as where a list has no blank lines

_HEADINGS = re.compile(
    r"(?:references?(?: list| and (?:foot)?notes)?|list of references|bibliography|literature(?: cited)?|works cited|"
    r"literatur(?:verzeichnis)?|bibliographie|références|referencias|bibliografía|参考文献)",
    re.IGNORECASE,
)
_LETTERS = [chr(code) for code in range(0x41, 0x530)]
_CAPITAL = "[" + "".join(c for c in _LETTERS if c.isupper()) + "]"
_YEAR_DIGITS = r"(?:1[5-9]|20)\d\d"
_YEAR = rf"(?<![\d-])(?<!\d–){_YEAR_DIGITS}[a-z]?(?![\w]|[–-]\d)"
_NAME = (
    rf"(?:(?:[Vv][ao]n|[Dd]e[rnls]?|[Dd][aiu]|dos|della|[Ll][ae]|[Aa]l|[Ee]l|ten|ter|zu|[OoDdL]['’])[ -]?){{0,3}}"
    rf"{_CAPITAL}[^\W\d_]+(?:[’'-][^\W\d_]+)?"
)
_INITIALS = rf"(?:{_CAPITAL}\.[ -]?){{1,4}}"
_AUTHOR = rf"(?:{_NAME}(?: {_NAME})?,? {_INITIALS}|{_INITIALS} ?{_NAME}|{_NAME} {_CAPITAL}{{1,3}}(?=[,.;:]))"
_NUMBER = re.compile(r"^\s*(?:[•*–-]\s|\[[^\[\]\s]{1,12}\]|\(?\d{1,3}[.)](?=\s))\s*")
_BORDER = re.compile(
    rf"\n|(?<=[.)\]”\"»/\d])(?<!\b{_CAPITAL}\.)\s+"
    rf"(?=\[\d{{1,3}}\]\s|(?:\d{{1,3}}\.\s+)?{_AUTHOR}|{_NAME}, {_CAPITAL}|{_NAME},? \(?{_YEAR})"
)
"""Where the next entry of a paragraph begins."""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_DATE = _any(
    _YEAR,
    f"{_YEAR_DIGITS}年",
    r"\bn\.\s?d\.",
    r"\bo\. ?J\.",
    r"\bs\. ?[ad]\.|\b(?:in press|forthcoming|im Druck)\b",
)
_VOLUME_OR_PAGES = _any(
    r"\b\d+\s?\(\d+(?:[–-]\d+)?\)",
    r"\d\s?[:,]\s?e?\d+\s?[–-]\s?\d+",
    r"\bpages? \d+[–-]",
    r"\b\d+\s?(?:pp?|S|Seiten|str|с|s)\.(?!\w)",
    r"\b(?:pp?|S|s|str|с|С|Т|т|págs?|vol|Vol|Bd|Jg|t|no|No|nr|Nr|n°|№|č|fasc|Heft|issue)\.?\s?\d+",
)
_CATALOGUE_NUMBER = _any(r"\b10\.\d{4,}/", r"\b(?:doi|DOI|arXiv|ISBN|ISSN)\b", r"\[[JMCDNRPSZ](?:/OL)?\]")
"""Stands for a date, which a web address does not: lists of links have addresses."""
_IDENTIFIER = _any(r"https?://", r"\bwww\.", _CATALOGUE_NUMBER.pattern)
_PUBLISHER = _any(
    rf"{_NAME}: {_CAPITAL}",
    rf"[.,] {_CAPITAL}[^\d.,;:!?]{{2,40}}, {_YEAR}",
    rf", {_CAPITAL}[^\W\d_]+ {_YEAR}[.,]?(?:$| )",
    r"\b(?:Press|Verlag|Publish(?:ers?|ing)|Éditions?|Ediciones|Editorial|Editore|Edizioni|Presses|Förlag|Forlag)\b",
    r"\b(?:Uitgeverij|Wydawnictwo|[Nn]akladatelství|Изд(?:ательство|-во))\b|出版社|書店|书店",
)
_CONTAINER = _any(
    r"\b(?:[Ii]n|[Dd]ans|[Ee]n): |(?<!:)//|\bIn Proc|\bet al\b",
    r"\b(?:Proceedings|Proc|Journal|Review|Quarterly|Annals|Transactions|Bulletin|Letters|Conference|Symposium)\b",
    r"\b(?:Workshop|Zeitschrift|Revue|Revista|Rivista|Журнал|Hrsg|Hg|[Ee]ds?|[Tt]hesis|[Dd]issertation|Ph\.?D)\b",
    r"[“\"„«『「《‘'][^”\"“»』」》]{6,}[”\"“»』」》’',]",
)
"""A journal, a volume of papers and its editors, a thesis, or a title in quotation marks."""
_MARKS = ((_DATE, 1), (_VOLUME_OR_PAGES, 2), (_IDENTIFIER, 2), (_PUBLISHER, 2), (_CONTAINER, 1))
"""Marks of a source, and their points."""
_SOURCES = (_VOLUME_OR_PAGES, _CATALOGUE_NUMBER, _PUBLISHER, _CONTAINER)
"""Marks of which an entry without a clear author has one."""
_AUTHORS = (
    (_any(rf"{_AUTHOR}[^\d()]{{0,120}}[(,.]? ?\(?{_YEAR}\)?[.,:;]?(?: \S+){{5}}"), 3),
    (
        _any(
            _AUTHOR,
            rf"{_NAME},? \(?{_YEAR}",
            rf"{_NAME} [^\d()]{{2,120}}\. {_YEAR}\.",
            rf"{_CAPITAL}{{3,}},? {_CAPITAL}",
            r"[—–_-]{2,}[.,]?\s",
            rf"[\u3040-\u9fff]{{2,8}}\s?[(（]{_YEAR_DIGITS}",
        ),
        2,
    ),
    (
        _any(
            rf"{_NAME}, {_NAME}",
            rf"{_NAME}(?: {_CAPITAL}\.)?(?: {_NAME}){{1,2}}(?:[.,:]| and | und | et | y )",
            rf"{_CAPITAL}[^.()\d]{{2,80}}[.,]? \({_YEAR}\)",
            r"[\u3040-\u9fff]{2,4}[,，、.．]",
            r"[“\"«„][^”\"»]{8,}[”\"»]",
        ),
        1,
    ),
)
"""Beginnings of an entry (authors, an organisation with a year, a title in quotation marks) and their points."""
_ADDRESS = re.compile(r"https?://\S+|www\.\S+")
_PRICE = re.compile(r"[£$€¥]\s?\d|\d\s?[£$€¥]")


def names_list_of_works(heading: str) -> bool:
    """Whether a heading, without its number, is a usual one of a list of works, such as “References”."""
    return _HEADINGS.fullmatch(heading) is not None


def paragraphs_of_works(paragraphs: Sequence[str], *, named: bool = False) -> list[bool]:
    """Which of consecutive paragraphs belong to a list of works.

    Args:
        named: they stand under a heading that names a list of works.
    """
    counts = [_count_entries(paragraph, named=named) for paragraph in paragraphs]
    if named:
        entries, in_entries, words = (
            (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0)
        )
        if entries and in_entries >= _NAMED_LIST_SHARE * words:
            return [True] * len(counts)
    flags = [False] * len(counts)
    for first, last in _runs(counts):
        entries, in_entries, words = (sum(column) for column in zip(*counts[first : last + 1], strict=True))
        if entries >= _FEWEST_ENTRIES and in_entries >= _LIST_SHARE * words:
            flags[first : last + 1] = [True] * (last + 1 - first)
    return flags


def _runs(counts: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """First and last paragraph of runs of paragraphs with entries; a single paragraph without one may lie between."""
    runs: list[tuple[int, int]] = []
    for i, (entries, in_entries, words) in enumerate(counts):
        if entries and in_entries >= _LIST_SHARE * words:
            if runs and i - runs[-1][1] <= 2:
                runs[-1] = (runs[-1][0], i)
            else:
                runs.append((i, i))
    return runs


def _count_entries(paragraph: str, *, named: bool) -> tuple[int, int, int]:
    """Entries of a paragraph, the words in them, and all words."""
    pieces = _BORDER.split(paragraph) if count_words(paragraph) > _SPLIT_WORDS else [paragraph]
    words = [count_words(piece) for piece in pieces]
    is_entry = [_is_entry(piece, count, named=named) for piece, count in zip(pieces, words, strict=True)]
    return sum(is_entry), sum(n for n, yes in zip(words, is_entry, strict=True) if yes), sum(words)


def _is_entry(piece: str, words: int, *, named: bool) -> bool:
    numbered = _NUMBER.match(piece) is not None
    text = _NUMBER.sub("", piece.strip(), count=1)
    if named and not text:
        return True  # a number in a paragraph of its own
    if words > MAX_ENTRY_WORDS or not (named or _is_dated(text)) or not _has_names(text):
        return False
    source = _source_points(text)
    author, end = next(
        ((points, m.end()) for pattern, points in _AUTHORS if (m := pattern.match(text))), (0, 0)
    )
    if named:
        return source >= 2 or author + source + numbered >= NAMED_ENTRY_POINTS
    return author > 0 and author + source >= _ENTRY_POINTS and (author > 1 or _is_of_work(text, end))


def _is_dated(text: str) -> bool:
    return bool(_DATE.search(text) or _CATALOGUE_NUMBER.search(text))


def _source_points(text: str) -> int:
    return sum(points for pattern, points in _MARKS if pattern.search(text))


def _is_of_work(text: str, end: int) -> bool:
    """Whether what may be a name, up to `end`, has a year or a source behind it: an office has an address alone."""
    return bool(_DATE.search(text[:end])) or any(pattern.search(text, end) for pattern in _SOURCES)


def _has_names(text: str) -> bool:
    return _name_share(text) >= _NAME_SHARE and not _PRICE.search(text)


def _name_share(text: str) -> float:
    """Share of the words that begin with a capital or a digit; 1 in scripts without capitals, and of an address."""
    tokens = re.findall(r"\w+", _ADDRESS.sub(" ", text))
    cased = [t for t in tokens if t[0].isdigit() or t[0].lower() != t[0].upper()]
    if len(cased) < 0.5 * len(tokens) or not tokens:
        return 1.0
    return sum(not t[0].islower() for t in cased) / len(cased)
