"""Trees of blocks written as files of word processors, books and PDFs."""

from __future__ import annotations

import html

from reportlab.platypus import Flowable
from reportlab.platypus import Paragraph as Flowing
from reportlab.platypus import Table as FlowingTable

from tests.ingest.docx_samples import PREFIXES, word
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
from tests.ingest.generated.markup_writers import html_body
from tests.ingest.pdf_samples.typeset import BODY, HEADS, TITLE, Layout, render
from tests.ingest.zipped_samples import epub, odt, page

_MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_MATHML = "http://www.w3.org/1998/Math/MathML"


def word_document(tree: Tree) -> bytes:
    """A Word document with a part for its notes."""
    notes: list[str] = []

    def run(text: str, properties: str = "") -> str:
        return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{html.escape(text)}</w:t></w:r>'

    def part(inline: Inline) -> str:
        match inline:
            case Text(text):
                return run(text)
            case Link(text):
                return f"<w:hyperlink>{run(text)}</w:hyperlink>"
            case Note(text):
                notes.append(f'<w:footnote w:id="{len(notes) + 1}"><w:p>{run(text)}</w:p></w:footnote>')
                return f'<w:r><w:footnoteReference w:id="{len(notes)}"/></w:r>'
            case Fraction(above, below):
                numbers = (f"<m:r><m:t>{number}</m:t></m:r>" for number in (above, below))
                fraction = f"<m:f><m:num>{next(numbers)}</m:num><m:den>{next(numbers)}</m:den></m:f>"
                return f"<m:oMath {_MATH}>{fraction}</m:oMath>"
            case Power(base, exponent):
                return run(base) + run(exponent, '<w:vertAlign w:val="superscript"/>')

    def paragraph(inside: str, properties: str = "") -> str:
        return f"<w:p><w:pPr>{properties}</w:pPr>{inside}</w:p>"

    def block(node: Node) -> str:
        match node:
            case Heading(text, level):
                return paragraph(run(text), f'<w:outlineLvl w:val="{level - 1}"/>')
            case Items(texts, _):
                number = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
                return "".join(paragraph(run(text), number) for text in texts)
            case Table(rows):
                cells = ("".join(f"<w:tc>{paragraph(run(cell))}</w:tc>" for cell in row) for row in rows)
                return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"
            case Paragraph(parts):
                return paragraph("".join(map(part, parts)))

    body = "".join(map(block, tree))
    part_of_notes = f"<w:footnotes {PREFIXES}>{''.join(notes)}</w:footnotes>".encode()
    return word(body, parts={"footnotes.xml": ("footnotes", part_of_notes)} if notes else None)


def opendocument(tree: Tree) -> bytes:
    """An OpenDocument text whose formulas are parts of their own."""
    formulas: dict[str, str] = {}
    notes = 0
    raised = (
        '<style:style style:name="U" style:family="text"><style:text-properties style:text-position="super 58%"/>'
        "</style:style>"
    )

    def part(inline: Inline) -> str:
        nonlocal notes
        match inline:
            case Text(text):
                return html.escape(text)
            case Link(text):
                return f'<text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="{ADDRESS}">{text}</text:a>'
            case Note(text):
                notes += 1
                note = f"<text:note-body><text:p>{html.escape(text)}</text:p></text:note-body>"
                return (
                    f'<text:note text:note-class="footnote"><text:note-citation>{notes}</text:note-citation>'
                    f"{note}</text:note>"
                )
            case Fraction(above, below):
                name = f"Object {len(formulas) + 1}"
                fraction = f"<mfrac><mn>{above}</mn><mn>{below}</mn></mfrac>"
                formulas[f"{name}/content.xml"] = f'<math xmlns="{_MATHML}">{fraction}</math>'
                link = f'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="./{name}"'
                return f"<draw:frame><draw:object {link}/></draw:frame>"
            case Power(base, exponent):
                return f'{base}<text:span text:style-name="U">{exponent}</text:span>'

    def block(node: Node) -> str:
        match node:
            case Heading(text, level):
                return f'<text:h text:outline-level="{level}">{text}</text:h>'
            case Items(texts, _):
                items = (
                    f"<text:list-item><text:p>{html.escape(text)}</text:p></text:list-item>" for text in texts
                )
                return f"<text:list>{''.join(items)}</text:list>"
            case Table(rows):
                cells = (
                    "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
                    for row in rows
                )
                lines = (f"<table:table-row>{row}</table:table-row>" for row in cells)
                return f"<table:table>{''.join(lines)}</table:table>"
            case Paragraph(parts):
                return f"<text:p>{''.join(map(part, parts))}</text:p>"

    body = "".join(map(block, tree))
    return odt(body, styles=raised, more=formulas)


def rich_text(tree: Tree) -> bytes:
    """An RTF file as Word writes it."""

    def part(inline: Inline) -> str:
        match inline:
            case Text(text):
                return rtf_escaped(text)
            case Link(text):
                return rf'{{\field{{\*\fldinst HYPERLINK "{ADDRESS}"}}{{\fldrslt {text}}}}}'
            case Note(text):
                return rf"{{\super\chftn}}{{\footnote\pard\plain {{\super\chftn}} {rtf_escaped(text)}}}"
            case Fraction(above, below):
                fraction = rf"{{\mf{{\mfPr}}{{\mnum{{\mr {above}}}}}{{\mden{{\mr {below}}}}}}}"
                return rf"{{\mmath{{\*\moMath{fraction}}}}}"
            case Power(base, exponent):
                return rf"{base}{{\super {exponent}}}"

    def block(node: Node) -> str:
        match node:
            case Heading(text, level):
                return rf"\pard\plain\outlinelevel{level - 1} {text}\par"
            case Items(texts, numbered):
                return "".join(
                    rf"{{\listtext {f'{i}.' if numbered else '-'}\tab}}\pard\plain\ls1\fi-360\li720 "
                    rf"{rtf_escaped(text)}\par "
                    for i, text in enumerate(texts, 1)
                )
            case Table(rows):
                lines = ("".join(rf"\intbl {cell}\cell " for cell in row) for row in rows)
                return "".join(rf"\trowd\pard {line}\row " for line in lines)
            case Paragraph(parts):
                return rf"\pard\plain {''.join(map(part, parts))}\par"

    body = "\n".join(map(block, tree))
    return rf"{{\rtf1\ansi\uc1{{\fonttbl{{\f0 Times;}}}}{body}}}".encode("ascii")


def rtf_escaped(text: str) -> str:
    """Text in RTF, where characters beyond ASCII are code units of UTF-16."""
    units = text.encode("utf-16-le", "surrogatepass")
    written = []
    for low, high in zip(units[::2], units[1::2], strict=True):
        code = low | high << 8
        if code in map(ord, "\\{}"):
            written.append(f"\\{chr(code)}")
        elif 0x20 <= code < 0x7F:
            written.append(chr(code))
        else:
            written.append(f"\\u{code - 0x10000 if code > 0x7FFF else code}?")
    return "".join(written)


def book(tree: Tree) -> bytes:
    """An EPUB book with a page for each heading of the first level."""
    pages: list[list[Node]] = []
    for node in tree:
        if isinstance(node, Heading) and node.level == 1:
            pages.append([])
        pages[-1].append(node)
    texts = {
        f"p{i}.xhtml": page(
            html_body(nodes, 'epub:type="footnote"').replace('role="doc-noteref"', 'epub:type="noteref"')
        )
        for i, nodes in enumerate(pages)
    }
    return epub(texts)


def printed_pages(tree: Tree) -> bytes:
    """A PDF of one column."""

    def part(inline: Inline) -> str:
        match inline:
            case Text(text) | Link(text):
                return html.escape(text)
            case Fraction(above, below):
                return f"{above}/{below}"
            case Power(base, exponent):
                return f"{base}<super>{exponent}</super>"
            case Note():
                return ""

    def flow(node: Node) -> list[Flowable]:
        match node:
            case Heading(text, level):
                return [Flowing(text, HEADS[level])]
            case Items(texts, numbered):
                return [
                    Flowing(html.escape(text), BODY, bulletText=f"{i}." if numbered else "•")
                    for i, text in enumerate(texts, 1)
                ]
            case Table(rows):
                return [FlowingTable([list(row) for row in rows], hAlign="LEFT")]
            case Paragraph(parts):
                return [Flowing("".join(map(part, parts)), BODY)]

    title = Flowing("A Study of Tides and Yards", TITLE)
    return render([title, *(flowable for node in tree for flowable in flow(node))], Layout())
