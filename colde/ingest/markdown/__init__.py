"""Markdown by markdown-it-py: CommonMark with tables, footnotes, definitions, front matter, formulas, containers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from colde.ingest import html
from colde.ingest.files.character_encoding import decode
from colde.ingest.formulas.raised_figures import lowered_text, raised_text
from colde.ingest.html.note_marks import is_raised_mark
from colde.ingest.markdown.markdown_brackets import skip_open_brackets
from colde.ingest.markdown.markdown_front_matter import split_front_matter
from colde.ingest.markdown.markdown_marks import add_marks
from colde.ingest.markdown.markdown_note_marks import add_note_marks, without_names_and_tags
from colde.ingest.reading_limits import Reading
from colde.ingest.restructuredtext import text_of_role
from colde.ingest.restructuredtext.version_notes import split_version_note
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.line_breaks import split_at_line_breaks
from colde.ingest.shared.line_end_hyphens import Vocabulary, join_lines, vocabulary
from colde.ingest.shared.outline import document_from_blocks
from colde.text.document import Document, Role

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd")
_ATX = re.compile(r"(?:^|\n\s*\n)#{1,6} +\S")
_SEPARATE_HEADING = re.compile(r"(?:^|\n[ \t\r]*\n)#{1,6} +\S[^\n]*(?=\n[ \t\r]*\n)")
_INSPECTED_BYTES = 200_000  # bytes at the beginning
_ATTRIBUTES = re.compile(r"\s*\{\s*[#.:-][^{}]*\}\s*$")  # "# Uses {#uses .unnumbered}"
_ALERT = re.compile(r"^(?:\[![A-Za-z][\w-]{0,40}(?:\|[^\]\n]{0,40})?\][+-]?[ \t]*\n?|[?!]>[ \t]+)")
_ADMONITION = re.compile(
    r"\{(?:admonition|note|tip|hint|important|warning|caution|danger|attention|error|seealso|dropdown|sidebar|topic|"
    r"margin|epigraph|(?P<version>versionadded|versionchanged|deprecated|versionremoved))\}"
)
"""Directives of MyST whose content is Markdown; of the others it is code."""
_DIRECTIVE_OPTIONS = re.compile(r"\A(?:\s*:[A-Za-z][\w-]*:[^\n]*(?:\n|\Z))+")
_SHIFTED = re.compile(r"<(?P<end>/?)(?P<tag>sup|sub)\b", re.IGNORECASE)
_RAISED_BY_CARETS = re.compile(r"(?<=\d)\^(-?\d{1,9})\^(?!\w)")  # 10^6^, as pandoc writes it
_RUBY = re.compile(r"<(?P<end>/?)(?P<tag>ruby|rb|rtc|rt|rp)\b", re.IGNORECASE)
_BREAKS = ("softbreak", "hardbreak")
_ROLE = re.compile(r"\{([a-z][\w:+.-]{0,40})\}$")  # of MyST, right before code
_LINE_END = "\r"  # in a paragraph; the text has none
_MARKERS = re.compile(r"(?:[ \t]*(?:>|(?:[-*+:]|\d{1,9}[.)])(?=[ \t]|$)))*[ \t]*")
MAX_NESTING = 90
"""Nesting from which lists and quotations are flattened; a list counts twice, for itself and its item.

The parser recurses into each level. Beyond its own limit (`maxNesting`) it drops the text without a message.
"""


def accepts(data: bytes, name: str) -> bool:
    """Whether a text without a name, or named `.txt`, has `# headings` between blank lines.

    Programs that turn PDFs into text write Markdown, whatever they call the file.
    """
    if name and not name.lower().endswith((".txt", ".text")):
        return False
    text = data[:_INSPECTED_BYTES].decode("utf-8", errors="ignore")
    return len(_SEPARATE_HEADING.findall(text)) >= 3 if name else len(_ATX.findall(text)) >= 2


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read Markdown; raw HTML in it is read like HTML, never kept as markup."""
    text, warnings = decode(data, name)
    title, abstract, body = split_front_matter(text)
    if abstract:
        body = f"# Abstract\n\n{abstract}\n\n{body}"
    return document_from_blocks(blocks_of(body), name=name, format="markdown", title=title, warnings=warnings)


def blocks_of(text: str) -> list[Block]:
    """Blocks of a text in Markdown without front matter, such as a cell of a notebook."""
    state: dict[str, Any] = {}
    words = vocabulary(text)
    return [*_BlockReader(words).read(_parser().parse(text, state)), *_inline_notes(state, words)]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = (
        MarkdownIt("commonmark", {"maxNesting": MAX_NESTING + 10})
        .enable(["table", "strikethrough"])
        .use(footnote_plugin, move_to_end=False)  # which drops the notes that no mark calls
        .use(deflist_plugin)
        .use(dollarmath_plugin, allow_space=False, allow_digits=False)
    )
    add_marks(parser)
    add_note_marks(parser)
    skip_open_brackets(parser)
    parser.block.ruler.before("table", "flattened", _flattened)
    return parser


def _flattened(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Block rule: below `MAX_NESTING`, each list item and each quotation is a paragraph, whatever is nested in it."""
    if state.level < MAX_NESTING or silent:
        return False
    paragraphs: list[list[str]] = [[]]
    number = first
    while number < end and (state.isEmpty(number) or state.sCount[number] >= state.blkIndent):
        line = state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
        text = _MARKERS.sub("", line, count=1)
        if not text or text != line:
            paragraphs.append([])
        paragraphs[-1].append(text)
        number += 1
    for lines in paragraphs:
        token = state.push("inline", "", 0)
        token.content = "\n".join(lines).strip()
        token.map, token.children = [first, number], []
    state.line = number
    return True


class _BlockReader:
    """Makes blocks of the tokens of a text with this vocabulary, in order; a method for each type that matters."""

    def __init__(self, words: Vocabulary) -> None:
        self.blocks: list[Block] = []
        self._words = words
        self._role: Role | None = None
        self._rows: list[list[str]] = []  # of the open table
        self._level = 0  # of the open heading
        self._quotations: list[bool] = []  # of the open block quotations; False for a callout

    def read(self, tokens: Sequence[Token]) -> list[Block]:
        """The blocks of all tokens."""
        for token in tokens:
            method = getattr(self, f"_on_{token.type}", None)
            if method is not None:
                method(token)
        return self.blocks

    def _on_heading_open(self, token: Token) -> None:
        self._level = int(token.tag[1])

    def _on_heading_close(self, token: Token) -> None:
        self._level = 0

    def _on_blockquote_open(self, token: Token) -> None:
        self._quotations.append(True)

    def _on_blockquote_close(self, token: Token) -> None:
        self._quotations.pop()

    def _on_tr_open(self, token: Token) -> None:
        self._rows.append([])

    def _on_table_close(self, token: Token) -> None:
        self.blocks.append(Block("\n".join(" | ".join(row) for row in self._rows), role="table"))
        self._rows = []

    def _on_footnote_reference_open(self, token: Token) -> None:
        self._role = "footnote"

    def _on_footnote_reference_close(self, token: Token) -> None:
        self._role = None

    def _on_inline(self, token: Token) -> None:
        if self._rows:
            self._rows[-1].append(" ".join(_inline(token.children or [], self._words).split()))
            return
        children = token.children or []
        if self._quotations and (alert := _ALERT.match(token.content)):
            self._quotations[-1] = False
            title = 0 if alert[0].endswith("\n") else _first_break(children)
            self._add_paragraph(children[:title])
            children = children[title:]
        self._add_paragraph(children)

    def _add_paragraph(self, children: Sequence[Token]) -> None:
        quoted = any(self._quotations)
        self.blocks.extend(_paragraph(children, self._words, self._level, self._role, quoted=quoted))

    def _on_fence(self, token: Token) -> None:
        if match := _ADMONITION.match(token.info.strip()):
            argument, text = token.info.strip()[match.end() :], _DIRECTIVE_OPTIONS.sub("", token.content)
            if name := match["version"]:
                label, beginning = split_version_note(name, argument)
                text = f"{label}{beginning} {text.lstrip()}" if beginning or text.strip() else ""
                argument = ""
            self.read(_parser().parse(f"{argument}\n\n{text}"))
            return
        self.blocks.append(Block(token.content.expandtabs(4).strip("\n"), role=self._role))

    _on_code_block = _on_fence

    def _on_math_block(self, token: Token) -> None:
        self.blocks.append(Block(token.content.strip(), role="equation"))

    _on_math_block_label = _on_amsmath = _on_math_block

    def _on_html_block(self, token: Token) -> None:
        self.blocks.extend(html.read_part(token.content)[0])


def _inline_notes(state: Mapping[str, Any], words: Vocabulary) -> list[Block]:
    """The notes that stand where they are called: `^[a note]`."""
    notes = state.get("footnotes", {}).get("list", {}).values()
    texts = (" ".join(_inline(note["tokens"], words).split()) for note in notes if "tokens" in note)
    return [Block(text, role="footnote") for text in texts]


def _paragraph(
    children: Sequence[Token], words: Vocabulary, level: int, role: Role | None, *, quoted: bool
) -> list[Block]:
    """The block of one inline token; pictures alone in a paragraph give their captions."""
    if level == 0 and children and all(c.type == "image" or _is_blank(c) for c in children):
        return [Block(c.content.strip(), role="caption") for c in children if c.type == "image"]
    text = _inline(children, words)
    if level:
        return [Block(_ATTRIBUTES.sub("", " ".join(text.split())), level, role, quoted=quoted)]
    parts = split_at_line_breaks(without_names_and_tags(_ALERT.sub("", text)))
    return [Block(part, role=role, quoted=quoted) for part in parts]


def _first_break(children: Sequence[Token]) -> int:
    """How many tokens stand in the first line."""
    return next((i for i, child in enumerate(children) if child.type in _BREAKS), len(children))


def _is_blank(token: Token) -> bool:
    return token.type in _BREAKS or (token.type == "text" and not token.content.strip())


def _without_readings(children: Sequence[Token]) -> Iterator[Token]:
    """Inline tokens but those of the readings above the letters of a ruby."""
    in_reading = False
    for child in children:
        if child.type == "html_inline" and (tag := _RUBY.match(child.content)):
            in_reading = not tag["end"] and tag["tag"].lower() in ("rt", "rp", "rtc")
        if not in_reading:
            yield child


def _inline(children: Sequence[Token], words: Vocabulary) -> str:
    """The text of inline tokens, with a line end for each hard break; words broken at other line ends are repaired."""
    parts: list[str] = []
    shifted: list[int] = []  # where the texts of open raised and lowered elements begin
    in_text = False
    shown = list(_without_readings(children))
    for child, following in zip(shown, [*shown[1:], None], strict=False):
        match child.type:
            case "code_inline" if parts and (role := _ROLE.search(parts[-1])):
                parts[-1] = parts[-1][: role.start()]
                parts.append(_shown_by_role(role[1], child.content, "".join(parts[-3:]), following))
            case "text" | "code_inline" | "math_inline" | "text_special" | "image":
                parts.append(child.content)
            case "softbreak":
                parts.append(_LINE_END if in_text else " ")
            case "hardbreak":
                parts.append("\n")
            case "html_inline":
                _read_tag(child.content, parts, shifted, following)
        in_text = child.type == "text"  # behind code, a hyphen breaks no word
    lines = (
        [piece.strip(" ") for piece in line.split(_LINE_END) if piece.strip(" ")]
        for line in _RAISED_BY_CARETS.sub(r"^\1", "".join(parts)).split("\n")
    )
    return "\n".join(join_lines(pieces, words) if pieces else "" for pieces in lines)


def _shown_by_role(role: str, content: str, before: str, following: Token | None) -> str:
    """What a role of MyST shows, such as ``{doc}`the guide <guide>` ``."""
    after = following.content if following is not None and following.type == "text" else ""
    if role in ("sup", "superscript"):
        return raised_text(content, before, after)
    if role in ("sub", "subscript"):
        return lowered_text(content, before, after)
    return text_of_role(content)


def _read_tag(source: str, parts: list[str], shifted: list[int], following: Token | None) -> None:
    """Read a tag in a paragraph: a line break, or the begin or end of a raised or lowered text."""
    if source.lower().startswith("<br"):
        parts.append("\n")
    elif tag := _SHIFTED.match(source):
        if not tag["end"]:
            shifted.append(len(parts))
        elif shifted:
            _end_shifted(parts, shifted.pop(), tag["tag"].lower(), following)


def _end_shifted(parts: list[str], start: int, tag: str, following: Token | None) -> None:
    """Put a raised or lowered text on the line, apart from the number before it; the mark of a note goes."""
    text, before = "".join(parts[start:]), "".join(parts[max(0, start - 3) : start])
    after = following.content if following is not None and following.type == "text" else ""
    if tag == "sup" and is_raised_mark(text, before, after[:1], behind_raised=False):
        parts[start:] = []
    elif text:
        parts[start:] = [(raised_text if tag == "sup" else lowered_text)(text, before, after)]
