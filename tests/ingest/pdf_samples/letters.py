"""Pages written letter by letter: fonts that name their letters in odd ways, and matrices that turn them."""

from __future__ import annotations

from collections.abc import Mapping

from tests.ingest.pdf import hostile_pdf

TIMES = b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>"


def page(content: str, fonts: Mapping[str, bytes] | None = None, *, rotate: int = 0) -> bytes:
    """A page of 612 × 792 points with this content; the font F is Times.

    Args:
        fonts: further fonts by their names, or their descriptions where they need another object.
    """
    named = {"F": TIMES} | dict(fonts or {})
    maps = [body for body in named.values() if body.startswith(b"stream")]
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"",
        hostile_pdf.stream(content.encode("latin-1")),
    ]
    entries = b""
    for name, body in named.items():
        if body in maps:
            continue
        cmap = named.get(f"{name} letters")
        if cmap is not None:
            objects.append(hostile_pdf.stream(cmap.removeprefix(b"stream")))
            body = body.removesuffix(b">>") + b"/ToUnicode %d 0 R >>" % len(objects)
        objects.append(body)
        entries += b"/%b %d 0 R " % (name.encode(), len(objects))
    objects[2] = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate %d /Contents 4 0 R"
        b" /Resources << /Font << %b >> >> >>" % (rotate, entries)
    )
    return hostile_pdf.pdf(objects)


def letters(codes: Mapping[str, str]) -> bytes:
    """A description that gives a font's letters other characters, as UTF-16 in hexadecimal digits."""
    pairs = b"\n".join(b"<%02x> <%b>" % (ord(letter), code.encode()) for letter, code in codes.items())
    return (
        b"stream/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        b"1 begincodespacerange <00> <ff> endcodespacerange\n"
        b"%d beginbfchar\n%b\nendbfchar endcmap end end" % (len(codes), pairs)
    )


def east_asian(base: bytes, encoding: bytes, ordering: bytes) -> bytes:
    """A font for Chinese or Japanese that is neither in the file nor installed."""
    return (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /%b-%b /Encoding /%b /DescendantFonts [ << /Type /Font"
        b" /Subtype /CIDFontType2 /BaseFont /%b /DW 1000 /CIDSystemInfo << /Registry (Adobe) /Ordering (%b)"
        b" /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /%b /Flags 6 /FontBBox"
        b" [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >> >> ] >>"
        % (base, encoding, encoding, base, ordering, base)
    )


def line(text: str, y: float, *, x: float = 72.0, size: float = 11.0, font: str = "F") -> str:
    """A line of text as content of a page."""
    return f"BT /{font} {size} Tf {x} {y} Td ({text}) Tj ET\n"
