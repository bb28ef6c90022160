"""PDFs of a few hundred bytes that cost whoever draws them all the memory or time there is."""

from __future__ import annotations

from collections.abc import Sequence

TEXT = b"BT /F 12 Tf 72 72 Td (A heap keeps its smallest entry at the root, and every parent below it.) Tj ET"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def pdf(objects: Sequence[bytes]) -> bytes:
    """A file of these objects, numbered from 1; the first is the catalog."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


def stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(content), entries, content)


def page(
    width: float, height: float, content: bytes = TEXT, more: Sequence[bytes] = (), names: bytes = b""
) -> bytes:
    """One page of this size; `more` are objects from number 6, `names` what its resources say of them."""
    box = b"[0 0 %.1f %.1f]" % (width, height)
    return pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox %b /Contents 4 0 R"
            b" /Resources << /Font << /F 5 0 R >> %b >> >>" % (box, names),
            stream(content),
            FONT,
            *more,
        ]
    )


def narrow() -> bytes:
    """4 × 2000 points: 1,100 pixels across make 550,000 down, 2.4 GB."""
    return page(4, 2000)


def square() -> bytes:
    """14,400 × 14,400 points, the most the format allows."""
    return page(14_400, 14_400)


def pattern_in_itself() -> bytes:
    """A page filled with a pattern of tiles of one point, each of which is filled with the same pattern."""
    fill = b"/Pattern cs /P scn 0 0 600 800 re f"
    tile = (
        b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 600 800] /XStep 1 /YStep 1"
        b" /Resources << /Pattern << /P 6 0 R >> >>"
    )
    return page(600, 800, TEXT + b" " + fill, [stream(fill, tile)], b"/Pattern << /P 6 0 R >>")


def squares_in_squares(depth: int = 9) -> bytes:
    """Forms that draw the next form ten times: 10⁹ squares."""
    forms = [
        stream(
            b"/X Do " * 10 if i < depth else b"0 0 9 9 re f",
            b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X %d 0 R >> >>"
            % (7 + i),
        )
        for i in range(depth + 1)
    ]
    tile = (
        b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 600 800] /XStep 600 /YStep 800"
        b" /Resources << /XObject << /X 6 0 R >> >>"
    )
    content = TEXT + b" /Pattern cs /P scn 0 0 600 800 re f"
    pattern = b"/Pattern << /P %d 0 R >>" % (7 + depth)
    return page(600, 800, content, [*forms, stream(b"/X Do", tile)], pattern)


HOSTILE = {
    "narrow": narrow,
    "square": square,
    "pattern in itself": pattern_in_itself,
    "squares in squares": squares_in_squares,
}
