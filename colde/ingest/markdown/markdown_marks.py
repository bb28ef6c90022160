"""Marks of documentation generators in Markdown that are no text: containers, imports, shortcodes, JSX.

Docusaurus, VitePress, MkDocs, Hugo, Jekyll, GitBook, Quarto and MyST each add some to CommonMark. What a container
holds is read as Markdown, and its title as a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from colde.ingest.restructuredtext.version_notes import VERSION_NOTES, split_version_note

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

_COLONS = re.compile(r"(:{3,})[ \t]*(.*)")
_CONTAINER = re.compile(
    r"(?:\{[^{}]*\}|[A-Za-z][\w-]*(?=[\s\[{]|$))?[ \t]*(?:\{[^{}]*\})?[ \t]*(?:\[(?P<bracket>.*)\]|(?P<rest>.*?))?"
    r"[ \t]*(?:\{[^{}]*\})?[ \t]*:*"
)
_VERSION_NOTE = re.compile(rf"\{{({'|'.join(VERSION_NOTES)})\}}[ \t]*(.*?)[ \t]*")
_TITLE_ATTRIBUTE = re.compile(r"\btitle\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_OPTION = re.compile(r":[A-Za-z][\w-]*:(?:\s|$)")  # of a MyST directive, below its first line
_INDENTED = re.compile(
    r"(?:(?:!!!|\?\?\?\+?)[ \t]+[A-Za-z][\w-]*(?:[ \t]+[A-Za-z][\w-]*)*[ \t]*|===[+!]?[ \t]+(?=[\"']))"
    r"(?:[\"'](?P<title>.*)[\"'])?[ \t]*"
)
_IMPORT = re.compile(
    r"import\s+(?:type\s+)?(?:[\w$*{}\s,]+?\s+from\s+)?(?:\"[^\"\n]+\"|'[^'\n]+')\s*;?[ \t]*(?=\n|\Z)"
)
_EXPORT = re.compile(r"export\s+(?:default\b|(?:const|let|var|function|async|class)\s|\{|\*)")
_ALONE = re.compile(
    r"(?:\{\{[<%].*?[%>]\}\}|\{%.*?%\}|\{:.*?\}|\{/\*.*?\*/\}|\[\[?toc\]?\]|--8<--.*|<<<[ \t]*@.*|@include.*|"
    r"\$\{toc\}|<!--.*?-->)",
    re.IGNORECASE,
)
_JSX = re.compile(r"</?(?:[A-Z][\w.]*|(?=>))(?:[^<>{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*>")
_MAX_LINES = 60  # of an import, an export or a tag
_MAX_CHARACTERS = 500  # of a line with a mark


def add_marks(parser: MarkdownIt) -> None:
    """Make a parser of CommonMark skip these marks."""
    rules: tuple[Callable[[StateBlock, int, int, bool], bool], ...] = (_container, _indented, _skipped)
    for rule in rules:
        parser.block.ruler.before(
            "fence", rule.__name__, rule, {"alt": ["paragraph", "reference", "blockquote", "list"]}
        )


def _line(state: StateBlock, number: int) -> str | None:
    """A line without its indent; None for one of indented code, and one that is too long for a mark."""
    if state.is_code_block(number) or state.eMarks[number] - state.bMarks[number] > _MAX_CHARACTERS:
        return None
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()


def _container(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """`:::note` and the like: the line that opens or closes a container is left out, but for its title."""
    line = _line(state, first)
    match = _COLONS.fullmatch(line) if line else None
    parts = _CONTAINER.fullmatch(match[2]) if match else None
    if match is None or parts is None:
        return False
    if not silent:
        if note := _VERSION_NOTE.fullmatch(match[2]):
            _push_version_note(state, note[1], note[2], first, end)
            return True
        attribute = _TITLE_ATTRIBUTE.search(match[2])
        title = (attribute[1] or attribute[2]) if attribute else parts["bracket"] or parts["rest"] or ""
        _push_paragraph(state, title, first)
        state.line = first + 1
        while match[2] and state.line < end and _OPTION.match(_line(state, state.line) or ""):
            state.line += 1
    return True


def _push_version_note(state: StateBlock, name: str, argument: str, first: int, end: int) -> None:
    """A note on a version: its number stands before its first paragraph."""
    label, beginning = split_version_note(name, argument)
    last = first + 1
    while last < end and not state.isEmpty(last) and not _COLONS.fullmatch(_line(state, last) or ""):
        last += 1
    lines = state.getLines(first + 1, last, state.blkIndent, False).strip()
    if beginning or lines:
        _push_paragraph(state, f"{label}{beginning} {lines}", first)
    state.line = last


def _indented(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """`!!! note "Title"` and the indented lines below it, which are no code."""
    line = _line(state, first)
    match = _INDENTED.fullmatch(line) if line else None
    if match is None:
        return False
    if silent:
        return True
    _push_paragraph(state, match["title"] or "", first)
    indent = state.sCount[first] + 4
    last = first + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= indent):
        last += 1
    outer = state.blkIndent
    state.blkIndent = indent
    state.level += 1
    state.md.block.tokenize(state, first + 1, last)
    state.level -= 1
    state.blkIndent = outer
    state.line = last
    return True


def _skipped(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Imports, exports, tags of components, shortcodes and the like that stand on lines of their own."""
    line = _line(state, first)
    if not line or line[0] not in "ie{[-<@$":
        return False
    last = _end_of_skipped(state, line, first, end)
    if last == first:
        return False
    if not silent:
        state.line = last
    return True


def _end_of_skipped(state: StateBlock, line: str, first: int, end: int) -> int:
    """The line behind the mark that begins with this line; the line itself where none does."""
    if not _ALONE.sub("", line).strip():
        return first + 1
    if not line.startswith(("import", "export", "<")):
        return first
    last = first
    while last < min(end, first + _MAX_LINES) and not state.isEmpty(last):
        last += 1
    block = state.getLines(first, last, state.blkIndent, False).strip()[: _MAX_LINES * _MAX_CHARACTERS]
    if _EXPORT.match(block):
        return last
    match = _IMPORT.match(block) or _JSX.match(block)
    if match is None or block[match.end() :].partition("\n")[0].strip():
        return first
    return first + block[: match.end()].count("\n") + 1


def _push_paragraph(state: StateBlock, text: str, line: int) -> None:
    if text.strip():
        token = state.push("inline", "", 0)
        token.content, token.map, token.children = text.strip(), [line, line + 1], []
