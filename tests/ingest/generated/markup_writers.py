"""Trees of blocks written as text with marks: plain text, Markdown, reST, HTML, LaTeX, XML, notebooks, subtitles."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable

from tests.ingest.generated.block_trees import (
    ADDRESS,
    Fraction,
    Heading,
    Inline,
    Items,
    Link,
    Node,
    Note,
    Paragraph,
    Power,
    Table,
    Text,
    Tree,
)


def utf8(text: str) -> bytes:
    """UTF-8, in which a lone surrogate is three bytes that are no character."""
    return text.encode("utf-8", "surrogatepass")


def plain_text(tree: Tree) -> bytes:
    """A text file with underlined headings; what it cannot hold is left to its words."""
    return utf8("\n\n".join(map(_text_block, tree)) + "\n")


def _text_block(node: Node) -> str:
    match node:
        case Heading(text, level):
            return f"{text}\n{'=-~'[level - 1] * len(text)}"
        case Items(texts, numbered):
            return "\n".join(f"{f'{i}.' if numbered else '-'} {text}" for i, text in enumerate(texts, 1))
        case Table(rows):
            return "\n".join(" ".join(row) for row in rows)
        case Paragraph(parts):
            return "".join(map(_text_part, parts))


def _text_part(part: Inline) -> str:
    match part:
        case Fraction(above, below):
            return f"{above}/{below}"
        case Power(base, exponent):
            return f"{base}^{exponent}"
        case Note():
            return ""
    return part.text


def markdown(tree: Tree) -> bytes:
    """Markdown with footnotes and a pipe table."""
    return utf8(markdown_text(tree))


def markdown_text(tree: Tree) -> str:
    """Markdown as it also stands in the cells of notebooks."""
    notes: list[str] = []

    def part(inline: Inline) -> str:
        match inline:
            case Text(text):
                return _escaped(text)
            case Link(text):
                return f"[{text}]({ADDRESS})"
            case Note(text):
                notes.append(f"[^{len(notes) + 1}]: {_escaped(text)}")
                return f"[^{len(notes)}]"
            case Fraction(above, below):
                return rf"$\frac{{{above}}}{{{below}}}$"
            case Power(base, exponent):
                return f"{base}<sup>{exponent}</sup>"

    def block(node: Node) -> str:
        match node:
            case Heading(text, level):
                return f"{'#' * level} {text}"
            case Items(texts, numbered):
                return "\n".join(
                    f"{f'{i}.' if numbered else '-'} {_escaped(text)}" for i, text in enumerate(texts, 1)
                )
            case Table((head, *rows)):
                return "\n".join(f"| {' | '.join(row)} |" for row in [head, ("---",) * len(head), *rows])
            case Paragraph(parts):
                return "".join(map(part, parts))
            case _:
                raise AssertionError(node)

    blocks = list(map(block, tree))
    return "\n\n".join([*blocks, *notes]) + "\n"


def _escaped(text: str) -> str:
    return re.sub(r"[<>&*_`\[\]\\]", r"\\\g<0>", text)


def restructured(tree: Tree) -> bytes:
    """reStructuredText with auto-numbered footnotes and a simple table."""
    notes: list[str] = []

    def part(inline: Inline) -> str:
        match inline:
            case Text(text):
                return text
            case Link(text):
                return f"`{text} <{ADDRESS}>`__"
            case Note(text):
                notes.append(f".. [#] {text}")
                return " [#]_"
            case Fraction(above, below):
                return rf":math:`\frac{{{above}}}{{{below}}}`"
            case Power(base, exponent):
                return rf"{base}\ :sup:`{exponent}`"

    def block(node: Node) -> str:
        match node:
            case Heading(text, level):
                return f"{text}\n{'=-~'[level - 1] * len(text)}"
            case Items(texts, numbered):
                return "\n".join(f"{'#.' if numbered else '-'} {text}" for text in texts)
            case Table(rows):
                rule = "=" * 20
                lines = [f"{first:<21}{second}" for first, second in rows]
                return "\n".join([f"{rule} {rule}", lines[0], f"{rule} {rule}", *lines[1:], f"{rule} {rule}"])
            case Paragraph(parts):
                return "".join(map(part, parts))

    blocks = list(map(block, tree))
    return utf8("\n\n".join([*blocks, *notes]) + "\n")


def html_escaped(text: str) -> str:
    """Text of a web page; characters that bytes cannot hold are numbers."""
    return re.sub("[\ud800-\udfff]", lambda match: f"&#x{ord(match[0]):x};", html.escape(text))


def html_body(tree: Tree, notes_role: str = 'role="doc-footnote"') -> str:
    """What stands in the body of a web page, with its notes at the end."""
    notes: list[str] = []

    def part(inline: Inline) -> str:
        match inline:
            case Text(text):
                return html_escaped(text)
            case Link(text):
                return f'<a href="{ADDRESS}">{html_escaped(text)}</a>'
            case Note(text):
                number = len(notes) + 1
                notes.append(f'<aside {notes_role} id="n{number}">{html_escaped(text)}</aside>')
                return f'<a role="doc-noteref" href="#n{number}"><sup>{number}</sup></a>'
            case Fraction(above, below):
                return f"<math><mfrac><mn>{above}</mn><mn>{below}</mn></mfrac></math>"
            case Power(base, exponent):
                return f"{base}<sup>{exponent}</sup>"

    def block(node: Node) -> str:
        match node:
            case Heading(text, level):
                return f"<h{level}>{html_escaped(text)}</h{level}>"
            case Items(texts, numbered):
                tag = "ol" if numbered else "ul"
                return f"<{tag}>{''.join(f'<li>{html_escaped(text)}</li>' for text in texts)}</{tag}>"
            case Table(rows):
                cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
                return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
            case Paragraph(parts):
                return f"<p>{''.join(map(part, parts))}</p>"

    blocks = list(map(block, tree))
    return "\n".join([*blocks, *notes])


def web_page(tree: Tree) -> bytes:
    """A web page."""
    return utf8(
        f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{html_body(tree)}</body></html>'
    )


def saved_page(tree: Tree) -> bytes:
    """A web page that a browser saved as MHTML."""
    head = (
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
        "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    )
    return head.encode() + web_page(tree) + b"\r\n--b--\r\n"


def latex(tree: Tree) -> bytes:
    """A LaTeX article."""
    sections = ("section", "subsection", "subsubsection")

    def part(inline: Inline) -> str:
        match inline:
            case Text(text):
                return _latex_escaped(text)
            case Link(text):
                return rf"\href{{{ADDRESS}}}{{{text}}}"
            case Note(text):
                return rf"\footnote{{{_latex_escaped(text)}}}"
            case Fraction(above, below):
                return rf"$\frac{{{above}}}{{{below}}}$"
            case Power(base, exponent):
                return rf"${base}^{{{exponent}}}$"

    def block(node: Node) -> str:
        match node:
            case Heading(text, level):
                return rf"\{sections[level - 1]}{{{text}}}"
            case Items(texts, numbered):
                name = "enumerate" if numbered else "itemize"
                items = "\n".join(rf"\item {_latex_escaped(text)}" for text in texts)
                return rf"\begin{{{name}}}{chr(10)}{items}{chr(10)}\end{{{name}}}"
            case Table(rows):
                lines = "\n".join(rf"{' & '.join(row)} \\" for row in rows)
                return rf"\begin{{tabular}}{{ll}}{chr(10)}{lines}{chr(10)}\end{{tabular}}"
            case Paragraph(parts):
                return "".join(map(part, parts))

    body = "\n\n".join(map(block, tree))
    return utf8(f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n")


def _latex_escaped(text: str) -> str:
    return re.sub(r"[&%$#_{}]", r"\\\g<0>", text)


def notebook(tree: Tree) -> bytes:
    """A notebook with a cell for each block; notes stand in the cell of their paragraph."""
    cells = [{"cell_type": "markdown", "metadata": {}, "source": markdown_text([node])} for node in tree]
    return json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}).encode()


def subtitles(tree: Tree) -> bytes:
    """SubRip: each paragraph is a cue of another minute; other blocks are no part of a film."""
    texts = (_text_block(node) for node in tree if isinstance(node, Paragraph))
    cues = (f"{i + 1}\n00:{i:02}:01,000 --> 00:{i:02}:09,000\n{text}\n" for i, text in enumerate(texts))
    return utf8("\n".join(cues))


def _sections(tree: Tree, begin: Callable[[Heading], str], end: str, block: Callable[[Node], str]) -> str:
    """The blocks inside an element for each section and those below it."""
    parts: list[str] = []
    levels: list[int] = []
    for node in tree:
        if isinstance(node, Heading):
            while levels and levels[-1] >= node.level:
                levels.pop()
                parts.append(end)
            levels.append(node.level)
            parts.append(begin(node))
        else:
            parts.append(block(node))
    return "".join([*parts, *([end] * len(levels))])


def _joined(parts: Iterable[str]) -> str:
    return "".join(parts)


def jats(tree: Tree) -> bytes:
    """An article in JATS."""

    def part(inline: Inline) -> str:
        match inline:
            case Text(text):
                return html.escape(text)
            case Link(text):
                return f'<ext-link ext-link-type="uri" xlink:href="{ADDRESS}">{text}</ext-link>'
            case Note(text):
                return f"<fn><p>{html.escape(text)}</p></fn>"
            case Fraction(above, below):
                fraction = f"<mml:mfrac><mml:mn>{above}</mml:mn><mml:mn>{below}</mml:mn></mml:mfrac>"
                return f"<inline-formula><mml:math>{fraction}</mml:math></inline-formula>"
            case Power(base, exponent):
                return f"{base}<sup>{exponent}</sup>"

    def block(node: Node) -> str:
        match node:
            case Items(texts, numbered):
                items = _joined(f"<list-item><p>{html.escape(text)}</p></list-item>" for text in texts)
                return f'<list list-type="{"order" if numbered else "bullet"}">{items}</list>'
            case Table(rows):
                lines = _joined(f"<tr>{_joined(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
                return f"<table-wrap><table><tbody>{lines}</tbody></table></table-wrap>"
            case Paragraph(parts):
                return f"<p>{_joined(map(part, parts))}</p>"
            case _:
                raise AssertionError(node)

    body = _sections(tree, lambda h: f"<sec><title>{html.escape(h.text)}</title>", "</sec>", block)
    spaces = 'xmlns:mml="http://www.w3.org/1998/Math/MathML" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return utf8(
        f'<?xml version="1.0" encoding="utf-8"?><article {spaces}><front/><body>{body}</body></article>'
    )


def docbook(tree: Tree) -> bytes:
    """An article in DocBook."""

    def part(inline: Inline) -> str:
        match inline:
            case Text(text):
                return html.escape(text)
            case Link(text):
                return f'<link xlink:href="{ADDRESS}">{text}</link>'
            case Note(text):
                return f"<footnote><para>{html.escape(text)}</para></footnote>"
            case Fraction(above, below):
                fraction = f"<mml:mfrac><mml:mn>{above}</mml:mn><mml:mn>{below}</mml:mn></mml:mfrac>"
                return f"<inlineequation><mml:math>{fraction}</mml:math></inlineequation>"
            case Power(base, exponent):
                return f"{base}<superscript>{exponent}</superscript>"

    def block(node: Node) -> str:
        match node:
            case Items(texts, numbered):
                name = "orderedlist" if numbered else "itemizedlist"
                items = _joined(f"<listitem><para>{html.escape(text)}</para></listitem>" for text in texts)
                return f"<{name}>{items}</{name}>"
            case Table(rows):
                lines = _joined(
                    f"<row>{_joined(f'<entry>{cell}</entry>' for cell in row)}</row>" for row in rows
                )
                return f'<informaltable><tgroup cols="2"><tbody>{lines}</tbody></tgroup></informaltable>'
            case Paragraph(parts):
                return f"<para>{_joined(map(part, parts))}</para>"
            case _:
                raise AssertionError(node)

    body = _sections(tree, lambda h: f"<section><title>{html.escape(h.text)}</title>", "</section>", block)
    spaces = (
        'xmlns="http://docbook.org/ns/docbook" xmlns:mml="http://www.w3.org/1998/Math/MathML" '
        'xmlns:xlink="http://www.w3.org/1999/xlink"'
    )
    return utf8(f'<?xml version="1.0"?><article {spaces} version="5.0">{body}</article>')


def tei(tree: Tree) -> bytes:
    """An edition in TEI."""

    def part(inline: Inline) -> str:
        match inline:
            case Text(text):
                return html.escape(text)
            case Link(text):
                return f'<ref target="{ADDRESS}">{text}</ref>'
            case Note(text):
                return f'<note place="foot">{html.escape(text)}</note>'
            case Fraction(above, below):
                return f"<formula>{above}/{below}</formula>"
            case Power(base, exponent):
                return f'{base}<hi rend="superscript">{exponent}</hi>'

    def block(node: Node) -> str:
        match node:
            case Items(texts, _):
                return f"<list>{_joined(f'<item>{html.escape(text)}</item>' for text in texts)}</list>"
            case Table(rows):
                lines = _joined(
                    f"<row>{_joined(f'<cell>{cell}</cell>' for cell in row)}</row>" for row in rows
                )
                return f"<table>{lines}</table>"
            case Paragraph(parts):
                return f"<p>{_joined(map(part, parts))}</p>"
            case _:
                raise AssertionError(node)

    body = _sections(tree, lambda h: f"<div><head>{html.escape(h.text)}</head>", "</div>", block)
    return utf8(
        f'<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>{body}</body></text></TEI>'
    )
