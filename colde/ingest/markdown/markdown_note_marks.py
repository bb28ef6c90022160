"""Marks of note programs and editors in Markdown: Obsidian and wiki links, remarks, CriticMarkup, abbreviations.

Changes that an editor proposes count as accepted. Code keeps its characters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_REACH = 2_000  # characters between the marks of a remark or a change
_LINK = re.compile(r"(!?)\[\[(?!\d+\]\])([^\[\]\n|]{1,200})(?:\\?\|([^\[\]\n]{0,200}))?\]\](?!\()")
_BLOCK_OF_PAGE = re.compile(r"#\^[\w-]*$")
_CHANGES = {"{++": "++}", "{==": "==}", "{~~": "~~}", "{--": "--}", "{>>": "<<}"}
_CHANGE_ENDS = {end: begin for begin, end in _CHANGES.items()}
_LEFT_OUT = ("{--", "{>>")
_ABBREVIATION = re.compile(r"\*\[[^\[\]]{1,100}\]:(?:\s|$)")
_TAG = r"#(?=[\w/-]*[^\W\d_])[\w/-]+"
_TAGS_ALONE = re.compile(rf"\s*{_TAG}(?:[\s,]+{_TAG})*\s*")
_TAGS_AT_END = re.compile(rf"(?<=[.!?…])(?:\s{{1,9}}{_TAG}){{1,20}}\s*$")
_BLOCK_ID = re.compile(r"(?:^|\s)\^(?=[\w-]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9-]{2,60}\s*$")
_TAIL = 1_500  # characters at the end of a paragraph, searched for tags and the name of the paragraph


def add_note_marks(parser: MarkdownIt) -> None:
    """Make a parser read links of note programs by their label, and skip remarks, changes and abbreviations."""
    for inline_rule in (_wiki_link, _remark, _change, _highlight):
        parser.inline.ruler.before("strikethrough", inline_rule.__name__, inline_rule)
    others = ["paragraph", "reference", "blockquote", "list"]
    for block_rule in (_remarked_lines, _abbreviation):
        parser.block.ruler.before("fence", block_rule.__name__, block_rule, {"alt": others})


def without_names_and_tags(text: str) -> str:
    """A paragraph without the name for links to it (`^note1`), without tags at its end; empty for a line of tags."""
    head, tail = text[:-_TAIL], text[-_TAIL:]
    if "#" not in tail and "^" not in tail:
        return text
    tail = _TAGS_AT_END.sub("", _BLOCK_ID.sub("", tail))
    return "" if not head and _TAGS_ALONE.fullmatch(tail) else head + tail


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """`[[Page|label]]` is its label, `[[Page]]` the name; `![[Page]]` shows another file, which is not read."""
    if state.src[state.pos] not in "![" or not state.src.startswith(("[[", "![["), state.pos):
        return False
    match = _LINK.match(state.src, state.pos)
    if match is None or state.src[state.pos - 1 : state.pos].isalnum():
        return False
    if not silent and not match[1]:
        name = _BLOCK_OF_PAGE.sub("", match[2]).strip("# ").replace("#", " > ")
        _push_text(state, match[3].strip() if match[3] else name)
    state.pos = match.end()
    return True


def _remark(state: StateInline, silent: bool) -> bool:
    """`%%a remark%%`."""
    if not state.src.startswith("%%", state.pos) or state.src[state.pos - 1 : state.pos].isalnum():
        return False
    end = state.src.find("%%", state.pos + 2, state.pos + _REACH)
    if end < 0:
        return False
    state.pos = end + 2
    return True


def _change(state: StateInline, silent: bool) -> bool:
    """CriticMarkup: `{++added++}`, `{--removed--}`, `{~~old~>new~~}`, `{==marked==}`, `{>>a remark<<}`."""
    mark = state.src[state.pos : state.pos + 3]
    if begin := _CHANGE_ENDS.get(mark):
        if state.src.rfind(begin, max(0, state.pos - _REACH), state.pos) < 0:
            return False
        state.pos += 3
        return True
    if mark not in _CHANGES:
        return False
    end = state.src.find(_CHANGES[mark], state.pos + 3, state.pos + _REACH)
    if end < 0:
        return False
    new = state.src.find("~>", state.pos, end) if mark == "{~~" else -1
    state.pos = end + 3 if mark in _LEFT_OUT else max(state.pos + 3, new + 2)
    return True


def _highlight(state: StateInline, silent: bool) -> bool:
    """One of the two marks of `==marked words==`; in `a == b` and `a==b` they are operators."""
    source, pos = state.src, state.pos
    if not source.startswith("==", pos) or source.startswith("===", pos) or source[pos - 1 : pos] == "=":
        return False
    before, after = source[pos - 1 : pos] if pos else " ", source[pos + 2 : pos + 3] or " "
    opens = not (before.isalnum() or after.isspace())
    closes = not (after.isalnum() or before.isspace())
    other = (
        (opens and _other_mark(source, pos + 2, min(len(source), pos + _REACH)))
        or (closes and source.rfind("==", max(0, pos - _REACH), pos) >= 0)
    )  # fmt: skip
    if not other:
        return False
    state.pos += 2
    return True


def _other_mark(source: str, start: int, end: int) -> bool:
    at = source.find("==", start, end)
    return at > start and not source[at - 1].isspace()


def _remarked_lines(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Lines from one that begins with `%%` to the next one that ends with it; a mark that is not closed is text."""
    if state.is_code_block(first) or not state.src.startswith(
        "%%", state.bMarks[first] + state.tShift[first]
    ):
        return False
    start = state.bMarks[first] + state.tShift[first] + 2
    at = state.src.find("%%", start, start + 10 * _REACH)
    if at < 0 or at < state.eMarks[first]:  # in one line: an inline remark
        return False
    last = first
    while last < end and state.eMarks[last] < at:
        last += 1
    if last == end or state.src[at + 2 : state.eMarks[last]].strip():
        return False
    if not silent:
        state.line = last + 1
    return True


def _abbreviation(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """`*[CSS]: Cascading Style Sheets` says what is shown for an abbreviation that a reader points at."""
    start = state.bMarks[first] + state.tShift[first]
    if state.is_code_block(first) or _ABBREVIATION.match(state.src, start, state.eMarks[first]) is None:
        return False
    if not silent:
        state.line = first + 1
    return True


def _push_text(state: StateInline, text: str) -> None:
    token = state.push("text", "", 0)
    token.content = text
