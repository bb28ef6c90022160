"""HTML: the main content of a page, without scripts, styles and navigation, by selectolax (HTML5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from colde.ingest.blocks import Block
from colde.ingest.character_encoding import declared_encoding, decode, tidy
from colde.ingest.html_visibility import remove_unseen_text
from colde.ingest.line_breaks import split_at_line_breaks
from colde.ingest.outline import document_from_blocks, words
from colde.ingest.reading_limits import Reading
from colde.text.document import Document, ReadWarning, Role

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

SUFFIXES = (".html", ".htm", ".xhtml", ".xht")
_HTML_START = re.compile(
    rb"^(?:\s|\xef\xbb\xbf|<\?xml[^>]*\?>|(?><!--.*?-->))*+<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_SKIPPED = words(
    "script style noscript template svg iframe object embed applet canvas audio video map nav form button "
    "select option datalist input textarea dialog head link meta title base annotation annotation-xml "
    "-comment"
)
_BLOCKS = words(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure "
    "footer header hgroup html li main menu ol p pre section summary table tbody td tfoot th thead tr ul "
    "h1 h2 h3 h4 h5 h6 caption hr legend"
)
_SKIPPED_ROLES = words("navigation banner contentinfo search complementary menu menubar doc-toc toolbar")
_CLUTTER_CLASS = re.compile(
    r"(?:site-?|page-?|main-?|global-?|top-?)?(?:nav|navbar|navigation|menu|toc|breadcrumbs?|sidebar|"
    r"cookies?|cookie-(?:banner|notice|consent)|share|sharing|social|advert|ads?|advertisement|newsletter|related|"
    r"pagination|pager|skip-link|table-of-contents|contents|navbox|noprint|headerlink|anchor-link|"
    r"mw-editsection|sr-only|visually-hidden|catlinks|printfooter|toctree-wrapper|linenos?|pilcrow)",
    re.IGNORECASE,
)
_NOTE_MARK_CLASS = re.compile(
    r"(?:footnote-?ref(?:erence)?|noteref|reference|footnote-back(?:ref)?|backlink|backref|fn-backref|doc-noteref)"
)
_FOOTNOTE_CLASS = re.compile(
    r"(?:footnotes?|endnotes?|footnote-list|doc-footnotes?|doc-endnotes?)", re.IGNORECASE
)
_NOTE_OR_CALLOUT_CLASS = re.compile(
    rf"{_FOOTNOTE_CLASS.pattern}|admonition|callout|note|tip|hint|important|warning|caution|danger|attention|"
    "example|doc-tip",
    re.IGNORECASE,
)
_EQUATION_CLASS = re.compile(
    r"(?:ltx_)?equation(?:group)?|katex-display|MathJax_Display|(?:display-?)?math|math-?display", re.I
)
_REFERENCES_CLASS = re.compile(
    r"(?:references|reflist|bibliography|citations?-list|doc-bibliography|refbegin)", re.I
)
_METADATA_CLASS = re.compile(
    r"(?:field-list|rfc2822|docinfo|metadata|frontmatter|front-matter)", re.IGNORECASE
)
_SPACE = re.compile(r"\s+")
_MAX_DEPTH = 2000  # elements inside each other; deeper ones are read as flat text


def accepts(data: bytes, name: str) -> bool:
    """Whether a page begins like HTML."""
    return _HTML_START.match(data[:4096]) is not None


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read a web page: headings, paragraphs, code, tables, captions and notes of its main content."""
    from selectolax.lexbor import LexborHTMLParser

    text, encoding_warnings = decode(data, name, declared_encoding(data))
    tree = LexborHTMLParser(text)
    warnings = remove_unseen_text(tree, text)
    title = tree.css_first("title")
    main = _main(tree)
    blocks = _read(main) if main is not None else []
    return document_from_blocks(
        blocks,
        name=name,
        format="html",
        title=_page_title(title, blocks),
        warnings=(*encoding_warnings, *warnings),
    )


def blocks_of(text: str) -> list[Block]:
    """Blocks of a piece of HTML (raw HTML inside Markdown)."""
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(text).body
    return _read(body) if body is not None else []


def read_chapter(text: str) -> tuple[list[Block], tuple[ReadWarning, ...]]:
    """Blocks of a page that is all text (a chapter of a book), and warnings about hidden text."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(text)
    warnings = remove_unseen_text(tree, text)
    return (_read(tree.body) if tree.body is not None else []), warnings


def _page_title(title: LexborNode | None, blocks: list[Block]) -> str:
    """The title element; the first heading where the element only adds the name of the site to it."""
    text = _clean(title.text()) if title is not None else ""
    first = next((b.text for b in blocks if b.level), "")
    return first if first and first.casefold() in text.casefold() else text


def _main(tree: object) -> LexborNode | None:
    """The element that holds the content: main, else the only article, else the body."""
    for query in ("main", "[role=main]", "article"):
        elements: list[LexborNode] = [n for n in tree.css(query) if len(n.text(deep=True)) > 200]  # type: ignore[attr-defined]
        if len(elements) == 1:
            return elements[0]
    body: LexborNode | None = tree.body  # type: ignore[attr-defined]
    return body


@dataclass(slots=True)
class _Reader:
    """Collects blocks while the tree is walked; `text` is the block in hand."""

    blocks: list[Block] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    quotations: int = 0  # open block quotations

    def flush(self, level: int = 0, role: Role | None = None, keep_lines: bool = False) -> None:
        joined = tidy("".join(self.text))
        self.text = []
        if keep_lines:
            texts = [joined.strip("\n").expandtabs(4)]
        else:
            texts = [" ".join(joined.split())] if level else split_at_line_breaks(joined)
        self.blocks.extend(
            Block(text, level, role, quoted=self.quotations > 0) for text in texts if text.strip()
        )


def _read(root: LexborNode) -> list[Block]:
    """Walk the tree without recursion; a stack entry is an element to open or the end of one."""
    reader = _Reader()
    stack: list[tuple[LexborNode, bool, Role | None, int]] = [(root, False, None, 0)]
    while stack:
        node, closing, role, depth = stack.pop()
        tag = node.tag or ""
        if closing:
            _close(reader, node, tag, role)
        elif node is root or tag == "-text" or not _is_not_content(node, tag):
            inner = _role(node, tag) or role
            if _read_leaf(reader, node, tag, role, inner):
                continue
            if tag in _BLOCKS or tag == "q":
                _open(reader, tag, role)
                stack.append((node, True, inner, depth))
            if depth >= _MAX_DEPTH:
                reader.text.append(node.text(deep=True, separator=" "))
            else:
                stack.extend((child, False, inner, depth + 1) for child in reversed(list(_children(node))))
    reader.flush()
    return reader.blocks


def _read_leaf(reader: _Reader, node: LexborNode, tag: str, role: Role | None, inner: Role | None) -> bool:
    """Read a node whose children need no visit of their own; False where they do."""
    if tag == "-text":
        reader.text.append(_SPACE.sub(" ", node.text(deep=False) or ""))
    elif tag == "br":
        reader.text.append("\n")
    elif tag == "table" and inner != "equation" and not _is_layout(node):
        reader.flush(role=role)
        _table(reader, node)
    elif tag == "pre":
        reader.flush(role=role)
        reader.text.append(_preformatted_text(node))
        reader.flush(role=role, keep_lines=True)
    else:
        return False
    return True


def _open(reader: _Reader, tag: str, role: Role | None) -> None:
    if tag == "q":  # shown in quotation marks
        reader.text.append("“")
        return
    reader.flush(role=role)
    reader.quotations += tag == "blockquote"


def _close(reader: _Reader, node: LexborNode, tag: str, role: Role | None) -> None:
    if tag == "q":
        reader.text.append("”")
        return
    if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
        reader.flush(level=int(tag[1]), role="references" if role == "references" else None)
    else:
        reader.flush(role=role)
    reader.quotations -= tag == "blockquote"


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        yield child
        child = child.next


def _classes(node: LexborNode) -> list[str]:
    attributes = node.attributes
    return [
        *(attributes.get("class") or "").split(),
        attributes.get("id") or "",
        attributes.get("role") or "",
    ]


def _is_not_content(node: LexborNode, tag: str) -> bool:
    """Whether an element is no text of the page: scripts, hidden parts, navigation, marks of notes."""
    if tag in _SKIPPED or tag.startswith("!") or _is_hidden(node):
        return True
    if (node.attributes.get("role") or "") in _SKIPPED_ROLES:
        return True
    names = _classes(node)
    if tag == "aside":
        return not _any_matches(_NOTE_OR_CALLOUT_CLASS, names)
    if tag in ("a", "sup") and _any_matches(_NOTE_MARK_CLASS, names):
        return len(node.text(deep=True)) <= 8
    if any(tag in tags and applies(node, names) for tags, applies in _CLUTTER):
        return True
    return tag not in _NEVER_CLUTTER and _any_matches(_CLUTTER_CLASS, names)


def _any_matches(pattern: re.Pattern[str], names: Sequence[str]) -> bool:
    return any(pattern.fullmatch(name) for name in names)


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    style = attributes.get("style") or ""
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or re.search(r"display\s*:\s*none|visibility\s*:\s*hidden", style) is not None
    )


def _inside(node: LexborNode, tags: tuple[str, ...]) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in tags:
            return True
        parent = parent.parent
    return False


def _is_link_list(node: LexborNode) -> bool:
    """Five or more short links inside the page or site and hardly any other text: a menu or contents."""
    if node.tag == "div" and any(
        c.tag in _BLOCKS and c.tag not in ("div", "ul", "ol") for c in _children(node)
    ):
        return False
    links = [a for a in node.css("a") if (a.attributes.get("href") or "").startswith(("#", "/", "./", "../"))]
    if len(links) < 5:
        return False
    link_characters = sum(len(a.text(deep=True).strip()) for a in links)
    all_characters = len(_SPACE.sub(" ", node.text(deep=True)).strip())
    return link_characters >= 0.85 * all_characters and link_characters / len(links) < 60


_NEVER_CLUTTER = words("html body main article h1 h2 h3 h4 h5 h6")
_CLUTTER: tuple[tuple[frozenset[str], Callable[[LexborNode, Sequence[str]], bool]], ...] = (
    (words("header footer"), lambda node, names: not _inside(node, ("article", "main", "section"))),
    (words("ul ol div"), lambda node, names: _is_link_list(node)),
    (words("dl table"), lambda node, names: _any_matches(_METADATA_CLASS, names)),
)
"""Elements that are clutter where a test holds for the element and its classes."""


def _role(node: LexborNode, tag: str) -> Role | None:
    if tag in ("figcaption", "caption"):
        return "caption"
    if tag == "math" and node.attributes.get("display") == "block":
        return "equation"
    if tag in ("aside", "section", "div", "ol", "ul", "li", "dl", "p", "table"):
        names = _classes(node)
        if _any_matches(_FOOTNOTE_CLASS, names):
            return "footnote"
        if tag in ("div", "table", "p") and _any_matches(_EQUATION_CLASS, names):
            return "equation"
        if tag in ("ol", "ul", "dl", "div") and _any_matches(_REFERENCES_CLASS, names):
            return "references"
    return None


def _is_layout(table: LexborNode) -> bool:
    """A table that only places text: one column or row of cells, or cells that hold headings or tables."""
    if table.attributes.get("role") in ("presentation", "none"):
        return True
    if (
        table.css_first("h1, h2, h3, h4") is not None or len(table.css("table")) > 1
    ):  # css finds the table itself too
        return True
    rows = table.css("tr")
    return max((len(row.css("td, th")) for row in rows), default=0) < 2


def _table(reader: _Reader, table: LexborNode) -> None:
    caption = table.css_first("caption")
    if caption is not None:
        reader.text.append(_one_line_text(caption))
        reader.flush(role="caption")
    rows = [" | ".join(map(_one_line_text, row.css("td, th"))) for row in table.css("tr")]
    text = "\n".join(row for row in rows if row.strip(" |"))
    if text:
        reader.blocks.append(Block(text, role="table"))


def _one_line_text(node: LexborNode) -> str:
    """The text inside an element on one line, with a space between its paragraphs, items and lines."""
    return " ".join(" ".join(block.text.split()) for block in _read(node))


def _preformatted_text(pre: LexborNode) -> str:
    """Text of a pre element; `br` is a line end there."""
    parts = []
    stack = [pre]
    while stack:
        node = stack.pop()
        if node.tag == "-text":
            parts.append(node.text(deep=False) or "")
        elif node.tag == "br":
            parts.append("\n")
        elif node is pre or not _is_not_content(node, node.tag or ""):
            stack.extend(reversed(list(_children(node))))
    return "".join(parts)


def _clean(text: str) -> str:
    return " ".join(tidy(text).split())
