"""Warnings about text that is not what it looks like: letters of other alphabets, invisible characters in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from textwrap import shorten

from colde.text.characters.look_alike_letters import script_of
from colde.text.characters.text_normalisation import INVISIBLE
from colde.text.document import Document, ReadWarning, Replacement

_MIN_LETTERS = 5  # of another alphabet; a few are slips of writers who use two keyboards
_MIN_INVISIBLE = 10  # characters between small letters; a few are leftovers of word processors
_QUOTE_CHARACTERS = 50
_HIDDEN = re.compile(f"(?!\u00ad)[{INVISIBLE}]")


def obfuscation_warnings(document: Document) -> tuple[ReadWarning, ...]:
    """What of this kind a document held, and where it begins; nothing for a few characters or harmless ones."""
    places: dict[tuple[str, str], list[Replacement]] = {}
    letters: Counter[tuple[str, str]] = Counter()
    hidden: list[Replacement] = []
    hidden_characters = 0
    for replacement in document.replacements:
        text = document.text[replacement.start : replacement.end]
        if changed := _exchanged_letters(replacement.source, text):
            letters.update(changed)
            for scripts in changed:
                places.setdefault(scripts, []).append(replacement)
        elif count := _hidden_inside_word(document.text, replacement):
            hidden.append(replacement)
            hidden_characters += count
    warnings = []
    for (written, read), count in letters.items():
        if count >= _MIN_LETTERS:
            other, alphabet = written.title(), read.title()
            what = f"{count:,} {other} letters that look like {alphabet} ones were read as {alphabet}"
            warnings.append(_warning(what, document, places[written, read]))
    if hidden_characters >= _MIN_INVISIBLE:
        what = f"{hidden_characters:,} invisible characters inside words were left out"
        warnings.append(_warning(what, document, hidden))
    return tuple(warnings)


@lru_cache(10_000)
def _exchanged_letters(source: str, text: str) -> Counter[tuple[str, str]]:
    """How many letters were read as those of another script, by the script in the file and the one that is read."""
    written, read = (Counter(filter(None, map(script_of, part))) for part in (source, text))
    gained = read - written
    if not gained:
        return Counter()
    [(script, _)] = gained.most_common(1)
    return Counter({(lost, script): count for lost, count in (written - read).items()})


def _hidden_inside_word(text: str, replacement: Replacement) -> int:
    """Invisible characters between two small letters, but soft hyphens; tags count everywhere."""
    count = len(_HIDDEN.findall(replacement.source)) - len(
        _HIDDEN.findall(text[replacement.start : replacement.end])
    )
    around = text[max(0, replacement.end - 1) : replacement.end + 1]
    inside = len(around) == 2 and around.isalpha() and around.islower()
    return count if inside else sum("\U000e0000" <= c <= "\U000e007f" for c in replacement.source)


def _warning(what: str, document: Document, places: Sequence[Replacement]) -> ReadWarning:
    """The warning with the first place of many: the words there, and the heading or page."""
    start = places[0].start
    begin = max(document.text.rfind(edge, 0, start) for edge in " \n") + 1
    quote = shorten(
        document.text[begin : begin + 10 * _QUOTE_CHARACTERS].partition("\n")[0],
        _QUOTE_CHARACTERS,
        placeholder=" …",
    )
    index = document.section_at(start)
    heading = document.sections[index].heading if index is not None else None
    pages = sorted({page for place in places if (page := document.page_at(place.start)) is not None})
    where = f" (section {heading})" if heading else f" (page {pages[0]})" if pages else ""
    return ReadWarning(f"{what}, first in “{quote}”{where}", tuple((page, page) for page in pages))
