"""reStructuredText by docutils: the document tree, with file inclusion and raw markup turned off."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from colde.errors import ReadError
from colde.ingest.files.character_encoding import decode
from colde.ingest.formulas.raised_figures import lowered_text, raised_text
from colde.ingest.reading_limits import Reading
from colde.ingest.restructuredtext.version_notes import VERSION_NOTES, split_version_note
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.line_end_hyphens import join_broken_lines
from colde.ingest.shared.outline import document_from_blocks
from colde.text.document import Document, Role
from colde.text.word_lists.stop_words import words

if TYPE_CHECKING:
    from docutils import nodes
    from docutils.parsers.rst import Directive

SUFFIXES = (".rst", ".rest")
_HEADER_LINE = re.compile(r"[A-Z][A-Za-z-]{1,40}:(?:\s|$)")
_ROLE = re.compile(r":([A-Za-z][\w+.:-]*):`")
_DIRECTIVE = re.compile(r"^[ \t]*\.\. ([A-Za-z][\w:+.-]*)::", re.MULTILINE)
_CODE_DIRECTIVES = words(
    "code-block sourcecode prompt doctest testcode testoutput productionlist parsed-literal"
)
_WITHOUT_TEXT = words("toctree index highlight literalinclude graphviz plot uml mermaid automodule")
_SHOWN_ARGUMENTS = words("seealso todo card grid-item-card dropdown tab-item tab details collapse")
"""Directives whose argument is a title or the beginning of the text, however short."""
_SENTENCE = re.compile(r".+\s.*[.!?…]", re.DOTALL)
_TEXT_WITH_TARGET = re.compile(r"(?s)(.*?)\s*<[^<>]*>")
# An unknown directive's argument with that many words is text, with fewer a name or a number.
_SENTENCE_WORDS = 5
_MAX_COLUMNS = 500  # of a grid table; docutils takes quadratic time for them, five seconds for 6,000
_WIDE_TABLE = re.compile(rf"^[ \t]*\+(?:[-=]+\+){{{_MAX_COLUMNS + 1}}}", re.MULTILINE)
_MAX_PYTHON_FRAMES = 20_000  # of Python calls; docutils takes about 12 for each level of nesting


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read reStructuredText; what only Sphinx knows (roles, directives) gives its text."""
    text, warnings = decode(data, name)
    if _WIDE_TABLE.search(text):
        what = f"a grid table has more than {_MAX_COLUMNS} columns, which takes very long to read"
        raise ReadError(name, "too_large", what, "split the table, or save the file in another format")
    with _deep_recursion():
        tree = _tree(join_broken_lines(text))
        return document_from_blocks(
            _section(tree, 0), name=name, format="rst", title=_field(tree, "title"), warnings=warnings
        )


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Allow docutils the recursion that deep nesting takes: the usual limit ends at 80 levels of lists."""
    previous_limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(previous_limit, _MAX_PYTHON_FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(previous_limit)


def _tree(text: str) -> nodes.document:
    from docutils import core
    from docutils.parsers.rst import Parser

    _accept_unknown(text)
    lines = text.lstrip().split("\n", 2)[:2]
    header = len(lines) == 2 and all(_HEADER_LINE.match(line) for line in lines)  # as mail and PEPs begin
    settings = {
        "file_insertion_enabled": False, "raw_enabled": False, "report_level": 5, "halt_level": 5,
        "warning_stream": False, "_disable_config": True, "doctitle_xform": False, "docinfo_xform": False,
        "sectnum_xform": False, "line_length_limit": 10**9, "syntax_highlight": "none",
    }  # fmt: skip
    tree: nodes.document = core.publish_doctree(
        text, parser=Parser(rfc2822=header, inliner=_inliner()), settings_overrides=settings
    )
    return tree


def _inliner() -> Any:
    """A parser of inline markup that leaves bare addresses as they are.

    docutils makes links of them, one inside the search for the next: some hundred in a paragraph are too deep for
    it, and text without spaces takes it quadratic time. A link has the same text as the address.
    """
    from docutils.parsers.rst.states import Inliner

    inliner = Inliner()  # no subclass: docutils looks its patterns up in the class itself
    inliner.implicit_inline = _bare_text
    return inliner


def _bare_text(text: str, lineno: int) -> list[nodes.Node]:
    from docutils import nodes

    return [nodes.Text(text)] if text else []


def _accept_unknown(text: str) -> None:
    """Give docutils the roles and directives it lacks (Sphinx and others have hundreds), as plain text."""
    from docutils.parsers.rst import directives, roles
    from docutils.parsers.rst.languages import en

    roles.register_local_role("pep", _numbered_role("PEP"))
    roles.register_local_role("rfc", _numbered_role("RFC"))
    for name in {role.lower() for role in _ROLE.findall(text)} - set(en.roles):
        roles.register_local_role(name, _text_role)
    for name in {directive.lower() for directive in _DIRECTIVE.findall(text)} - set(en.directives):
        directives.register_directive(name, _unknown_directive())


def _text_role(
    name: str, rawtext: str, text: str, lineno: int, *others: Any, **options: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    from docutils import nodes

    return [nodes.inline(rawtext, nodes.unescape(text_of_role(text)))], []


def text_of_role(content: str) -> str:
    """What Sphinx shows for the content of a role such as `:doc:`: the title of a link, or its target.

    Examples:
        >>> text_of_role("the guide <guide>"), text_of_role("~lamps.Lamp")
        ('the guide', 'lamps.Lamp')
    """
    match = _TEXT_WITH_TARGET.fullmatch(content)
    return match[1] if match and match[1] else content.lstrip("~!")


def _numbered_role(series: str) -> Any:
    """`:pep:`8#naming`` → PEP 8; with a title of its own, that title."""

    def role(name: str, rawtext: str, text: str, lineno: int, *others: Any, **options: Any) -> Any:
        if text[:1].isdigit():
            text = f"{series} {text.split('#')[0]}"
        return _text_role(name, rawtext, text, lineno)

    return role


class _AnyOption(dict[str, Any]):
    """An option_spec that takes every option as it is."""

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: str) -> Any:
        return str


@lru_cache(maxsize=1)
def _unknown_directive() -> type[Directive]:
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Unknown(Directive):  # type: ignore[misc]  # docutils has no types
        """Content as text; a long argument too."""

        has_content = True
        optional_arguments = 1
        final_argument_whitespace = True
        option_spec = _AnyOption()

        def run(self) -> list[nodes.Node]:
            name = self.name.lower()
            if name in _WITHOUT_TEXT:
                return []
            if name in _CODE_DIRECTIVES:
                code = "\n".join(self.content)
                return [nodes.literal_block(code, code)]
            argument, label = self.arguments[0] if self.arguments else "", ""
            is_text = (
                name in _SHOWN_ARGUMENTS
                or len(argument.split()) >= _SENTENCE_WORDS
                or _SENTENCE.fullmatch(argument) is not None
            ) and bool(argument)
            if name in VERSION_NOTES:
                label, argument = split_version_note(name, argument)
                is_text = bool(argument)
            box = nodes.container()
            if is_text:
                text, _ = self.state.inline_text(argument, self.lineno)
                box += nodes.paragraph(argument, "", *text)
            self.state.nested_parse(self.content, self.content_offset, box)
            if label and len(box) and isinstance(box[0], nodes.paragraph):
                box[0].insert(0, nodes.Text(label))
            return [box]

    return Unknown


def _field(tree: nodes.document, name: str) -> str:
    """A field of the list at the head of the document, such as the title of a PEP."""
    from docutils import nodes

    head = tree.next_node(nodes.field_list)
    if head is not None and head.parent is tree:
        for field in head.children:
            if field.children and _text(field.children[0]).lower() == name:
                return _text(field.children[1])
    return ""


def _section(node: nodes.Node, level: int) -> Iterator[Block]:
    from docutils import nodes

    for i, child in enumerate(node.children):
        if isinstance(child, nodes.title):
            yield Block(_text(child), level)
        elif isinstance(child, nodes.section):
            yield from _section(child, level + 1)
        elif isinstance(child, nodes.field_list) and level <= 1 and i <= 1:
            continue  # author, status, date: what the document says of itself
        else:
            yield from _body(child, None)


def _body(node: nodes.Node, role: Role | None) -> Iterator[Block]:
    from docutils import nodes

    match node:
        case nodes.literal_block() | nodes.doctest_block():
            yield Block(node.astext().strip("\n"), role=role)
        case nodes.math_block():
            yield Block(node.astext().strip(), role="equation")
        case nodes.table():
            yield from _table(node)
        case nodes.caption():
            yield Block(_text(node), role="caption")
        case nodes.block_quote():
            yield from _quotation(node, role)
        case nodes.line_block():
            yield Block(" ".join(node.astext().split()), role=role)
        case nodes.footnote() | nodes.citation():
            inner: Role = "footnote" if isinstance(node, nodes.footnote) else "references"
            for child in node.children:
                if not isinstance(child, nodes.label):
                    yield from _body(child, inner)
        case nodes.topic() if "contents" in node["classes"]:
            return
        case nodes.Invisible() | nodes.system_message() | nodes.image() | nodes.decoration() | nodes.Text():
            return
        case nodes.TextElement():
            yield Block(_text(node), role=role)
        case _:
            for child in node.children:
                yield from _body(child, role)


def _quotation(node: nodes.Node, role: Role | None) -> Iterator[Block]:
    for child in node.children:
        yield from (replace(block, quoted=True) for block in _body(child, role))


def _table(node: nodes.Node) -> Iterator[Block]:
    from docutils import nodes

    for title in node.findall(nodes.title):
        yield Block(_text(title), role="caption")
    rows = [" | ".join(_text(entry) for entry in row.findall(nodes.entry)) for row in node.findall(nodes.row)]
    yield Block("\n".join(rows), role="table")


def _text(node: nodes.Node) -> str:
    """Text of an element, without marks of notes and messages of the parser."""
    from docutils import nodes

    if isinstance(node, nodes.Text):
        return str(node.astext())
    parts: list[str] = []
    stack: list[nodes.Node] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, nodes.Text):
            parts.append(current.astext())
        elif isinstance(current, nodes.superscript | nodes.subscript):
            on_line = raised_text if isinstance(current, nodes.superscript) else lowered_text
            after = stack[-1].astext()[:1] if stack and isinstance(stack[-1], nodes.Text) else ""
            parts.append(on_line(current.astext(), "".join(parts[-2:]), after))
        elif not isinstance(current, nodes.footnote_reference | nodes.system_message | nodes.image):
            if parts and isinstance(current, nodes.paragraph):
                parts.append(" ")
            stack.extend(reversed(current.children))
    return " ".join("".join(parts).split())
