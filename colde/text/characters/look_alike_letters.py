"""Letters of other alphabets that look like Latin ones, read as the letters of the word that they stand in.

The letters are those that Unicode lists as confusable with one Latin letter (UTS #39, confusables.txt, version 15.1).
A letter alone says nothing: α is a symbol in “α-helix” and a letter of “Αθήνα”. The other letters of the word decide,
then the words around it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Set
from functools import cache, lru_cache

# typos: off
_SAME_SHAPE = {
    "CYRILLIC": ("ЅІЈАВЕКМНОРСТУХаеорсухѕіјѡѴѵҮүһӀӏԁԌԛԜԝꙇ", "SIJABEKMHOPCTYXaeopcyxsijwVvYyhIldGqWwi"),
    "GREEK": ("ͿΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϜϳϺϲϹαγινρσυ", "JABEZHIKMNOPTYXoFjMcCayivpou"),
    "ARMENIAN": ("ՍՏՕագզհոռսցքօ", "USOwqqhnnugfo"),
    "CHEROKEE": ("ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴꭵꮁꮃꮓꮩꮪꮯ", "DRTiYAJEWMHYGhZbRWSVSLCPKdGBirwzvsc"),
    "COPTIC": ("ⲅⲎⲒⲔⲘⲚⲞⲟⲢⲣⲤⲥⲦⲨⲬⳐ", "rHIKMNOoPpCcTYXL"),
    "LISU": ("ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "BPdDTGKJCZFMNLSRVHWXYAEIOU"),
    "CANADIAN": ("ᐯᑌᑭᑯᑲᒍᒪᕁᕼᕽᖇᖯᖴᗅᗞᗪᗰᗷ", "VUPdbJLxHxRbFADDMB"),
}  # typos: off
"""Letters of each script, by the first word of their names in Unicode, and the Latin letters that they look like."""
_SIMILAR_SHAPE = str.maketrans("вгкмнтьҽκτεη", "brkmhtbekten")
"""Letters with the shape of small capitals and the like: other words must show that they are read as Latin."""
_GREEK_SYMBOLS = frozenset("αγινρσυκτεη")  # letters that formulas use, beside Latin ones too
_REVERSIBLE = {"CYRILLIC": "ІЈАВЕКМНОРСТУХаеорсухіј", "GREEK": "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"}
"""Letters for which a Latin one may stand in a word of these scripts."""
_BLOCKS = "Ͱ-ϿЀ-ԯ԰-֏Ꭰ-᏿᐀-ᙿᲀ-᲏ἀ-῾Ⲁ-⳿ⷠ-ⷿꓐ-꓿Ꙁ-ꚟꭰ-ꮿ"  # of these scripts
_FOREIGN = re.compile(f"[{_BLOCKS}]")
_LATIN_LETTER = re.compile("[A-Za-zª-ʯḀ-ỿ]")
_WORD = re.compile("(?:[^\\W\\d_][\u0300-\u036f]*)+")
_TO_LATIN = str.maketrans({a: b for pair in _SAME_SHAPE.values() for a, b in zip(*pair, strict=True)})
_FROM_LATIN = {
    script: {ord(letter.translate(_TO_LATIN)): letter for letter in letters}
    for script, letters in _REVERSIBLE.items()
}
_LATIN = "LATIN"
_NEAR = 8  # words on either side that are the surroundings of a word
_MAX_SWEEPS = 6
_REMEMBERED_WORDS = 50_000
_MIN_GREEK_LETTERS = 3  # of a word rather than a symbol
_MIN_CERTAIN_WORDS = 5  # with letters of a script for Latin ones; with fewer it is not exchanged


@cache
def script_of(letter: str) -> str:
    """The script of a letter that the table of look-alike letters knows; "" for other characters."""
    if letter.isascii():
        return _LATIN if letter.isalpha() else ""
    name = unicodedata.name(letter, "").split(" ", 1)[0]
    return name if name == _LATIN or name in _SAME_SHAPE else ""


def read_in_one_script(text: str) -> str:
    """The text with the letters of each word from one alphabet; its length stays the same.

    Words that are wholly in another alphabet stay, unless all their letters look like Latin ones and the words around
    them are Latin.
    """
    if _FOREIGN.search(text) is None:
        return text
    words = _Words([(m.start(), m[0]) for m in _WORD.finditer(text)])
    undecided = [i for i, kind in enumerate(words.kinds) if kind is None]
    changes: list[tuple[int, str]] = []
    for _ in range(_MAX_SWEEPS):
        left = [i for i in undecided if not words.decide(i, changes)]
        if len(left) == len(undecided):
            break
        undecided = left[::-1]
    return "".join(_pieces(text, sorted(changes)))


def _pieces(text: str, changes: list[tuple[int, str]]) -> Iterator[str]:
    end = 0
    for start, word in changes:
        yield text[end:start]
        yield word
        end = start + len(word)
    yield text[end:]


class _Words:
    """The words of a text and their places.

    Attributes:
        kinds: the script of each word; None while it is open, "" where the word says nothing of the language around it.
        exchanged: scripts whose letters stand for Latin ones in many words of the text.
    """

    def __init__(self, words: list[tuple[int, str]]) -> None:
        self._words = words
        self.kinds: list[str | None] = [_kind(word) for _, word in words]
        self._counts = Counter(self.kinds)
        mixed = Counter(script for _, word in words for script in _exchanged_scripts(word))
        open_words = [i for i, (_, word) in enumerate(words) if self._may_be_exchanged(i, word)]
        self._counts -= Counter(self.kinds[i] for i in open_words)
        self.exchanged = {
            script for script, n in mixed.items() if n >= max(_MIN_CERTAIN_WORDS, self._counts[script])
        }
        for i in open_words:
            if self.kinds[i] in self.exchanged:
                self.kinds[i] = None
            else:
                self._counts[self.kinds[i]] += 1

    def _may_be_exchanged(self, index: int, word: str) -> bool:
        """Whether all letters of a word in another script are similar to Latin ones."""
        return self.kinds[index] not in (None, "", _LATIN) and _in_latin(word, similar=True) is not None

    def decide(self, index: int, changes: list[tuple[int, str]]) -> bool:
        """Whether the script of a word can be told; the word in it is added to `changes`."""
        start, word = self._words[index]
        read = self._read(word, index)
        if read is None:
            return False
        changes.append((start, read))
        self.kinds[index] = kind = _kind(read)
        self._counts[kind] += 1
        return True

    def _read(self, word: str, index: int) -> str | None:
        """The word in the alphabet that it is read in; None where it stays as it is."""
        scripts = _scripts(word)
        others = scripts - {_LATIN}
        other = _in_script(word, others)
        if others <= self.exchanged:
            return None if self._near(index) & others else _in_latin(word, similar=True)
        if "GREEK" in others and _may_be_formula(word):
            return other
        latin = _in_latin(word)
        if latin is not None and _LATIN in scripts and other is None:
            return latin
        if not self._is_latin_around(index, others):
            return other
        if latin is None and other is None and "CYRILLIC" in others and _LATIN in scripts:
            return _in_latin(word, similar=True)
        return latin or other

    def _near(self, index: int) -> Set[str | None]:
        return frozenset(self.kinds[max(0, index - _NEAR) : index + _NEAR + 1])

    def _is_latin_around(self, index: int, scripts: Set[str]) -> bool:
        """Whether the words around are Latin, and none of them is in one of these scripts."""
        if any(self._counts[script] > self._counts[_LATIN] for script in scripts):
            return False
        near = self._near(index)
        if near & scripts:
            return False
        return _LATIN in near or (
            self._counts[_LATIN] > 0 and not any(self._counts[script] for script in scripts)
        )


@lru_cache(_REMEMBERED_WORDS)
def _kind(word: str) -> str | None:
    """The script of a word; None where letters are mixed, or where all of them look like Latin ones."""
    if word.isascii() or _FOREIGN.search(word) is None:
        return _LATIN if _LATIN_LETTER.search(word) else ""
    scripts = _scripts(word)
    if _LATIN in scripts or len(scripts) > 1 or _in_latin(word):
        return None
    if scripts == {"GREEK"} and len(word) < _MIN_GREEK_LETTERS:
        return ""
    return next(iter(scripts), "")


def _scripts(word: str) -> Set[str]:
    return frozenset(script_of(letter) for letter in word) - {""}


@lru_cache(_REMEMBERED_WORDS)
def _exchanged_scripts(word: str) -> Set[str]:
    """The scripts of which letters stand for Latin ones in a word, without any doubt."""
    if word.isascii() or _FOREIGN.search(word) is None:
        return frozenset()
    scripts = _scripts(word)
    formula = "GREEK" in scripts and _may_be_formula(word)
    certain = _LATIN in scripts and not formula and _in_latin(word, similar=True) is not None
    return scripts - {_LATIN} if certain and _in_script(word, scripts - {_LATIN}) is None else frozenset()


def _in_latin(word: str, similar: bool = False) -> str | None:
    """The word in Latin letters of the same shape, or of a similar one; None where a letter looks like none."""
    latin = word.translate(_TO_LATIN)
    if similar:
        latin = latin.translate(_SIMILAR_SHAPE)
    return latin if _scripts(latin) == {_LATIN} else None


def _may_be_formula(word: str) -> bool:
    """Whether Greek letters of a word may be symbols: all but those inside a longer Latin word."""
    symbols = [i for i, letter in enumerate(word) if letter in _GREEK_SYMBOLS]
    if not symbols:
        return False
    lower = sum(letter.isascii() and letter.islower() for letter in word)
    return lower < _MIN_GREEK_LETTERS or symbols[0] == 0 or symbols[-1] == len(word) - 1


def _in_script(word: str, scripts: Set[str]) -> str | None:
    """A mixed word in its one alphabet that is not Latin; None where it has Latin letters that do not look like it."""
    script, *more = scripts
    if more or script not in _FROM_LATIN:
        return None
    if script == "GREEK" and sum(script_of(letter) == script for letter in word) < _MIN_GREEK_LETTERS:
        return None
    read = word.translate(_FROM_LATIN[script])
    return read if _scripts(read) == {script} else None
