"""Words broken at line ends, in every format: which sign breaks a word, and whether a hyphen stays in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from colde.text.word_lists.stop_words import words as word_set
from colde.text.word_lists.word_list import english_words

NO_SPACES = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
"""A letter or sign of Chinese or Japanese text, whose lines end anywhere."""
_HYPHENS = "-\u058a\u1400\u1806\u2010\u2011\u2e17\u2e40\ufe63\uff0d"
_BREAK_MARKS = "\u00ad\u00ac\u2027"  # soft hyphen, what old programs make of it, hyphenation point
_LONGEST_WORD = (
    200  # characters of a broken word that are looked at; the longest word of a dictionary has below 50
)
_DASHES = "=\u2012\u2013\u2212"  # stand for a hyphen now and then
_BROKEN = re.compile(rf"[^\W_][{re.escape(_HYPHENS)}]$|[^\W\d_][{re.escape(_BREAK_MARKS + _DASHES)}]$")
_BROKEN_WORD = re.compile(
    rf"(?<![\w-])([\w-]++)(?:(?<=-)|[{re.escape(_HYPHENS[1:] + _BREAK_MARKS)}])[ \t]*+\n[ \t]*([\w-]++)"
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN_LINE = re.compile(
    rf"(?<![\w\\-])([^\W\d_]+(?:-[^\W\d_]+)*[{re.escape(_HYPHENS)}])[ \t]*\r?\n[ \t]*([^\W\d_][\w-]*)"
)
_SPACED_HYPHEN = re.compile(rf"[{re.escape(_HYPHENS)}] ")
_SPACED_WORD = re.compile(rf"(?<![\w-])([^\W\d_]+(?:-[^\W\d_]+)*)[{re.escape(_HYPHENS)}] ([^\W\d_][\w-]*)")
_ALWAYS_HYPHENATED = word_set("non self well cross")  # hardly begin a word without a hyphen
_PREFIXES = word_set("semi multi co pre post anti inter ex")
_JOINED_PREFIXES = word_set(
    "ante anti arch auto back circum counter demi down ever fore hetero home homo hyper hypo infra inter intra kilo "
    "macro mega meta micro milli mini mono multi neuro out over para peri photo poly post proto pseudo quasi retro "
    "semi step stereo sub super syn tele therm trans ultra under uni"
)
"""Begin words that are written in one, without being words that begin a compound."""
_ENDINGS = word_set(
    "able ably ance ant ants ate ated ates ation ed ence ent ents er ers est ful hood ible ic ical ies ing ings ion "
    "ions ious ish ism ist ists ity ive ize ized less like line lines ling ly man ment ments men ness ous place ship "
    "ships side some time ties tive ting tion ward wards ware way ways where wise work works"
)
"""Words that end others: a break before them says nothing."""
_MIN_COMPOUND_PART = 4  # letters of each part of a compound that occurs nowhere else
_ENGLISH_SHARE = 0.04  # of the words that are "the", "of" or "and", from which a text is English
_CONJUNCTIONS = frozenset(
    ("and", "or", "to", "nor", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of", "och", "og")
)
"""Words behind a hyphen that stands for the end of a later word: pre- and post-war."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of a document.

    Attributes:
        as_written: how often each word occurs unbroken.
        counts: the same of words in lower case.
        broken: the two parts of each word that is broken at a line end.
    """

    as_written: Counter[str]
    counts: Counter[str]
    broken: Sequence[tuple[str, str]] = ()

    @cached_property
    def is_english(self) -> bool:
        """Whether the words are English, so that a list of English words says something of them."""
        frequent = sum(self.counts[word] for word in ("the", "of", "and"))
        return frequent >= _ENGLISH_SHARE * max(1, self.counts.total())

    @cached_property
    def is_hyphenated(self) -> bool:
        """Whether the lines of the document end within words. Where none does, each hyphen at a line end is the word's.

        A word is broken where one of its parts is no word, as in informa-tion. Of another language than English it is
        not known.
        """
        return not self.is_english or any(
            not (self.knows(head) and self.knows(tail)) for head, tail in self.broken
        )

    def knows(self, word: str) -> bool:
        """Whether something is a word of the document or, where that is English, a frequent one."""
        return bool(self.counts[word]) or (self.is_english and word in english_words())


def vocabulary(text: str) -> Vocabulary:
    """The words of a document, given its lines."""
    broken: list[tuple[str, str]] = []

    def note(match: re.Match[str]) -> str:
        head, tail = match[1].rstrip("-").rpartition("-")[2], match[2].partition("-")[0]
        if tail.isalpha() and tail.islower() and head.isalpha() and len(head) > 1:
            broken.append((head.lower(), tail))
        return " "

    as_written = Counter(_WORD.findall(_BROKEN_WORD.sub(note, text)))
    counts: Counter[str] = Counter()
    for word, count in as_written.items():
        counts[word.lower()] += count
    return Vocabulary(as_written, counts, broken)


def is_broken(line: str) -> bool:
    """Whether a line ends within a word."""
    return _BROKEN.search(line[-2:]) is not None


def join_lines(lines: Sequence[str], words: Vocabulary) -> str:
    """Wrapped lines as one, with broken words repaired; no space between letters of scripts without spaces.

    Args:
        lines: without white space at their ends, none empty.
        words: the vocabulary of the document.
    """
    parts = [lines[0]]
    for line in lines[1:]:
        if is_broken(parts[-1]):
            # Only the last word, and only where the line ends so: a paragraph may have a million lines.
            begin = max(parts[-1].rfind(" ") + 1, len(parts[-1]) - _LONGEST_WORD)
            last, parts[-1] = parts[-1][begin:], parts[-1][:begin]
            parts.append(join_broken_word(last, line, words))
            continue
        if not (NO_SPACES.match(parts[-1][-1:]) and NO_SPACES.match(line)):
            parts.append(" ")
        parts.append(line)
    return "".join(parts)


def join_broken_word(before: str, after: str, words: Vocabulary) -> str:
    """`before` ends with a hyphen or the like at a line end and `after` begins the next line: one word, or two parts.

    The form that the document has elsewhere wins. Of two, it is the more frequent one.
    """
    stem, sign = before[:-1], before[-1:]
    head, tail = re.split(r"[^\w-]", stem)[-1], re.split(r"[^\w-]", after, maxsplit=1)[0]
    if not head or not tail or not after[:1].isalpha() or not stem[-1:].isalpha():
        return before + after
    joined, hyphenated = _counts(head, tail, words)
    if sign in _DASHES:
        return stem + after if joined and after[:1].islower() else f"{before} {after}"
    if sign in _BREAK_MARKS:
        return stem + after
    if hyphenated > joined:
        return before + after
    if _is_suspended(head, tail) and not joined:
        return f"{before} {after}"
    if joined:
        return stem + after
    first, last = head.split("-")[-1].lower(), tail.split("-")[0].lower()
    keeps_hyphen = after[:1].isupper() or _keeps_hyphen(first, last, words)
    return before + after if keeps_hyphen else stem + after


def join_broken_lines(source: str) -> str:
    """The source of a text with the words joined that its line ends break; all other line ends stay."""
    words = vocabulary(source)

    def join(match: re.Match[str]) -> str:
        joined = join_broken_word(match[1], match[2], words)
        return match[0] if " " in joined else joined

    return _BROKEN_LINE.sub(join, source)


def has_spaced_hyphen(text: str) -> bool:
    """Whether a space follows a hyphen, so that `join_spaced_words` may change the text."""
    return _SPACED_HYPHEN.search(text) is not None


def join_spaced_words(text: str, words: Vocabulary) -> str:
    """A text that had line ends, with words that a hyphen and a space divide in one: dining- hall, informa- tion.

    They are repaired only where the document has the word elsewhere, or where its parts are no words.
    """

    def join(match: re.Match[str]) -> str:
        head, tail = match[1], match[2]
        joined, hyphenated = _counts(head, tail, words)
        if hyphenated > joined:
            return f"{head}-{tail}"
        is_joined = joined or (words.is_english and _is_divided(head.lower(), tail.lower()))
        return head + tail if is_joined else match[0]

    return _SPACED_WORD.sub(join, text)


def _is_divided(head: str, tail: str) -> bool:
    """Whether two parts make a frequent English word, and are not both words themselves."""
    frequent = english_words()
    return head + tail in frequent and not (head in frequent and tail in frequent)


def _counts(head: str, tail: str, words: Vocabulary) -> tuple[int, int]:
    """How often the document has two parts of a word joined, and with a hyphen between them.

    A word is looked up as it is written first: a document may have “Sub-processor” and “subprocessor”.
    """
    joined, hyphenated = head + tail, f"{head}-{tail}"
    if words.as_written[joined] or words.as_written[hyphenated]:
        return words.as_written[joined], words.as_written[hyphenated]
    return words.counts[joined.lower()], words.counts[hyphenated.lower()]


def _is_suspended(head: str, tail: str) -> bool:
    """Whether a hyphen stands for the end of a later word: pre- and post-war, but not agreed-to."""
    return tail.lower() in _CONJUNCTIONS and not (tail == "to" and head.endswith("ed"))


def _keeps_hyphen(first: str, last: str, words: Vocabulary) -> bool:
    """Whether the hyphen between two parts belongs to their word, which occurs neither joined nor hyphenated."""
    if words.counts[first + last]:
        return False
    are_words = words.knows(first) and words.knows(last)
    if words.counts[f"{first}-{last}"] or (are_words and not words.is_hyphenated):
        return True
    if first in _ALWAYS_HYPHENATED:
        return len(last) >= 5
    if words.is_english and first + last in english_words():
        return False
    if first in _PREFIXES and (words.counts[last] or (first == "co" and last.startswith("o"))):
        return True
    return _occur_alone(first, last, words) or (are_words and _may_be_compound(first, last))


def _occur_alone(first: str, last: str, words: Vocabulary) -> bool:
    return words.counts[first] > 0 and words.counts[last] > 0 and min(len(first), len(last)) >= 3


def _may_be_compound(first: str, last: str) -> bool:
    """Whether two words are hardly the parts of one: neither is a prefix or an ending, or very short."""
    short = min(len(first), len(last)) < _MIN_COMPOUND_PART
    return not short and first not in _JOINED_PREFIXES and last not in _ENDINGS
