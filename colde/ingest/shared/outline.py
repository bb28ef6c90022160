"""What holds for every format without pages: title, levels, contents lists, roles by heading, language."""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from colde.ingest.shared.blocks import Block, assemble, normalise_blocks
from colde.ingest.shared.language_detection import detect_language
from colde.ingest.shared.line_end_hyphens import has_spaced_hyphen, join_spaced_words, vocabulary
from colde.ingest.shared.reference_sections import with_reference_role
from colde.text.characters.text_normalisation import normalise_text
from colde.text.document import Document, ReadWarning
from colde.text.not_compared.list_of_works import names_list_of_works
from colde.text.word_lists.language_names import NOT_READ, language_name

ENCODER_LANGUAGE = "en"
_LEADING_NUMBER = re.compile(r"^\s*(?:§\s*)?(?:\d+|[A-Z]|[IVXLC]+)(?:\.\d+)*[.:)]?\s+(?=\S)")
_NUMBERED_HEADING = re.compile(r"\s*(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+[^\W\d_]")
_SECTION_NAMES = re.compile(
    r"abstract|summary|introduction|background|preface|foreword|overview|motivation", re.IGNORECASE
)
_CONTENTS = re.compile(
    r"(?:(?:table of |list of )?contents|inhalt(?:sverzeichnis)?|table des matières|sommaire|"
    r"índice|indice|目次|目录)",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(?:\s*\.(?:\s*\.){2,}\s*|\s+|\t)\d{1,4}$")


def strip_number(heading: str) -> str:
    """A heading without its number and final punctuation."""
    return _LEADING_NUMBER.sub("", heading.strip(), count=1).strip().rstrip(":.").strip()


def is_section_name(heading: str) -> bool:
    """Whether a heading, without its number, is a usual one of a first section, such as “Introduction”; no title."""
    return _SECTION_NAMES.fullmatch(heading) is not None


def document_from_blocks(
    blocks: Iterable[Block],
    *,
    name: str,
    format: str,
    title: str = "",
    title_in_text: bool = False,
    warnings: tuple[ReadWarning, ...] = (),
) -> Document:
    """The Document of a format without pages, from its blocks as written.

    Args:
        blocks: headings with the levels of the format, body text, roles the format itself knows.
        title: from the file's own title field; else a first heading above all others is the title.
        title_in_text: whether readers see the title above the text, so that the first heading is a section's.
    """
    cleaned = normalise_blocks(
        _with_joined_words([replace(b, text=_trim(b.text)) for b in blocks if b.text.strip()])
    )
    title, cleaned = _title(_levels_from_numbers(cleaned), normalise_text(title).text, title_in_text)
    if all(b.level for b in cleaned):  # headings with nothing below them are the text
        cleaned = [replace(b, level=0) for b in cleaned]
    cleaned = with_reference_role(drop_table_of_contents(_close_level_gaps(cleaned)), strip_number)
    language = detect_language("\n".join(b.text for b in cleaned if b.role is None and not b.level))
    return assemble(
        cleaned, source=name, format=format, title=title, language=language,
        warnings=(*warnings, *language_warnings(language)),
    )  # fmt: skip


def _with_joined_words(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without the spaces that line ends of the source have left behind hyphens."""
    repaired = [k for k, b in enumerate(blocks) if "\n" not in b.text and has_spaced_hyphen(b.text)]
    joined = list(blocks)
    if repaired:
        words = vocabulary("\n".join(b.text for b in blocks))
        for k in repaired:
            joined[k] = replace(blocks[k], text=join_spaced_words(blocks[k].text, words))
    return joined


def _trim(text: str) -> str:
    """Text without white space around it; a listing keeps its relative indents."""
    text = text.replace("\f", "\n")
    return textwrap.dedent(text).strip() if "\n" in text else text.strip()


def language_warnings(language: str | None) -> tuple[ReadWarning, ...]:
    """A warning about a text that the default encoder was not made for; else none."""
    if language is None or language == ENCODER_LANGUAGE:
        return ()
    warning = (
        f"the text seems to be {language_name(language)}; {NOT_READ}, so scores are not judged, and scores and "
        "maps by meaning are unreliable; the multilingual encoder reads it: "
        'pip install "colde-explorer[languages]"'
    )
    return (ReadWarning(warning),)


def _title(blocks: list[Block], title: str, title_in_text: bool) -> tuple[str, list[Block]]:
    """Title and the blocks without it: a first heading alone on the top level is the title, not a section.

    Where a file holds nothing else, the heading stays: it is the text, too.
    """
    headings = [b for b in blocks if b.level]
    first_text = next((b for b in blocks if b.role is None), None)
    if headings and headings[0] is first_text and _is_title(headings, title, title_in_text):
        others = [b for b in blocks if b is not first_text]
        return " ".join(headings[0].text.split()), others or headings
    return title.strip(), blocks


def _is_title(headings: Sequence[Block], title: str, title_in_text: bool) -> bool:
    """Whether the first heading repeats the title, or stands above all others and is no usual section."""
    first = headings[0]
    if _same_text(first.text, title):
        return True
    name = strip_number(first.text)
    if (title and title_in_text) or names_list_of_works(name) or is_section_name(name):
        return False
    return all(b.level > first.level for b in headings[1:]) and (len(headings) > 1 or not title)


def _levels_from_numbers(blocks: list[Block]) -> list[Block]:
    """Levels by the numbers of the headings where the format's own contradict them: 2 on one level and 3 on another.

    Programs that turn PDFs into Markdown guess levels. What has no number is a section, the first perhaps a title.
    """
    depths = _depths_of_numbers(blocks)
    if len({(depth, blocks[i].level) for i, depth in depths.items()}) == len(set(depths.values())):
        return blocks  # each depth has one level
    first = next(i for i, b in enumerate(blocks) if b.level)
    has_title = first not in depths and not is_section_name(strip_number(blocks[first].text))
    levels = {i: depths.get(i, 1) + has_title for i, b in enumerate(blocks) if b.level}
    if has_title:
        levels[first] = 1
    return [replace(b, level=levels.get(i, 0)) for i, b in enumerate(blocks)]


def _depths_of_numbers(blocks: Sequence[Block]) -> dict[int, int]:
    """How many numbers "2.1" and the like have, by the positions of their headings; empty where they do not rise."""
    numbers = {
        i: tuple(map(int, m[1].split(".")))
        for i, b in enumerate(blocks)
        if b.level and (m := _NUMBERED_HEADING.match(b.text))
    }
    rise = all(a < b for a, b in itertools.pairwise(numbers.values()))  # unlike the steps of lists
    return {i: len(number) for i, number in numbers.items()} if len(numbers) >= 4 and rise else {}


def _same_text(a: str, b: str) -> bool:
    return bool(a.strip()) and " ".join(a.split()).casefold() == " ".join(b.split()).casefold()


def _close_level_gaps(blocks: Sequence[Block]) -> list[Block]:
    """Levels 1, 2, 3 … without gaps, in the order of the levels that occur."""
    rank = {level: i for i, level in enumerate(sorted({b.level for b in blocks if b.level}), 1)}
    return [replace(b, level=rank[b.level]) if b.level and rank[b.level] != b.level else b for b in blocks]


def drop_table_of_contents(blocks: Sequence[Block]) -> list[Block]:
    """Without a table of contents: lines under a heading "Contents" that name later headings."""
    headings = {_key(b.text) for b in blocks if b.level}
    kept: list[Block] = []
    in_contents = False
    for block in blocks:
        if block.level:
            in_contents = _heads_contents(block)
        elif _CONTENTS.fullmatch(block.text.strip().rstrip(":")):
            in_contents = True
            continue
        elif in_contents:
            if _lists_headings(block, headings):
                continue
            in_contents = False
        kept.append(block)
    following = [*kept, None][1:]
    return [
        block
        for block, after in zip(kept, following, strict=True)
        if not _heads_contents(block) or (after is not None and not after.level)
    ]


def _heads_contents(block: Block) -> bool:
    return block.level > 0 and _CONTENTS.fullmatch(strip_number(block.text)) is not None


def _lists_headings(block: Block, headings: Set[str]) -> bool:
    """Whether at least half of the lines of a block name a heading or end with a page number."""
    lines = [line for line in block.text.split("\n") if line.strip()]
    return sum(_key(line) in headings or bool(_LEADER.search(line)) for line in lines) * 2 >= len(lines)


def _key(text: str) -> str:
    return "".join(c for c in strip_number(_LEADER.sub("", text)).casefold() if c.isalnum())
