"""EPUB books: pages in the order of the spine, without what is no text, and what is refused."""

from __future__ import annotations

import pytest

from colde.errors import ReadError
from colde.ingest import Limits, read
from tests.ingest.zipped_samples import epub, page, zipped

PROSE = "A heap keeps its smallest entry at the root, and every parent is no larger than its children."
CHAPTERS = {
    "b.xhtml": page(f"<h1>Order</h1><p>{PROSE}</p>"),
    "a one.xhtml": page("<h1>Uses</h1><p>Heaps serve queues of tasks.</p>"),
}
ENCRYPTION = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">'
    '<e:EncryptedData><e:EncryptionMethod Algorithm="{}"/><e:CipherData><e:CipherReference URI="{}"/></e:CipherData>'
    "</e:EncryptedData></encryption>"
)


def test_pages_follow_the_spine() -> None:
    document = read(epub(CHAPTERS), name="x.epub")
    assert document.title == "The Heap"
    assert [section.heading for section in document.sections] == ["Order", "Uses"]


def test_cover_contents_and_title_page_are_left_out_and_notes_are_set_aside() -> None:
    pages = {
        "title.xhtml": page("<h1>The Heap</h1><p>Ann Author</p>"),
        "cover.xhtml": page('<section epub:type="cover"><p>COVER PICTURE</p></section>'),
        "text.xhtml": page(
            f'<h1>Order</h1><p>{PROSE}<a epub:type="noteref" href="#n">1</a> More.</p>'
            '<span epub:type="pagebreak">12</span><aside epub:type="footnote" id="n">A note.</aside>'
            "<h1>End</h1><p>Yes.</p>"
        ),
    }
    contents = page('<nav epub:type="toc"><ol><li><a href="text.xhtml">Order</a></li></ol></nav>')
    item = '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
    document = read(epub(pages, more={"OPS/nav.xhtml": contents}, items=item), name="x.epub")
    texts = {s.role: document.text[s.body : s.end] for s in document.sections if s.heading in ("Order", None)}
    assert texts == {None: f"{PROSE} More.", "footnote": "A note."}


def test_headings_without_tags_are_found_by_the_contents_or_by_their_look() -> None:
    pages = {"a.xhtml": page(f'<p class="k">Order</p><p>{PROSE}</p><p class="k">Uses</p><p>{PROSE}</p>')}
    point = "<navPoint><navLabel><text>Order</text></navLabel><content src='a.xhtml#x'/></navPoint>"
    ncx = f"<ncx><navMap>{point}</navMap></ncx>"
    item = '<item id="n" href="n.ncx" media-type="application/x-dtbncx+xml"/>'
    by_contents = read(epub(pages, more={"OPS/n.ncx": ncx}, items=item), name="x.epub")
    assert [s.heading for s in by_contents.sections] == ["Order"]
    item = '<item id="c" href="c.css" media-type="text/css"/>'
    by_look = read(epub(pages, more={"OPS/c.css": "p.k { font-size: 1.5em }"}, items=item), name="x.epub")
    assert [s.heading for s in by_look.sections] == ["Order", "Uses"]


def test_the_style_sheet_of_a_book_raises_text() -> None:
    pages = {"a.xhtml": page(f'<h1>Order</h1><p>{PROSE} It has 10<span class="k">6</span> entries.</p>')}
    item = '<item id="c" href="c.css" media-type="text/css"/>'
    document = read(
        epub(pages, more={"OPS/c.css": ".k { vertical-align: super }"}, items=item), name="x.epub"
    )
    assert "It has 10^6 entries." in document.text
    plain = read(epub(pages, more={"OPS/c.css": ".k { vertical-align: middle }"}, items=item), name="x.epub")
    assert "It has 106 entries." in plain.text


def test_a_page_that_is_missing_is_named() -> None:
    container = {"META-INF/container.xml": "<c><rootfile full-path='b.opf'/></c>"}
    package = (
        "<package><manifest><item id='a' href='a.html' media-type='text/html'/>"
        "<item id='b' href='b.html' media-type='text/html'/></manifest>"
        "<spine><itemref idref='a'/><itemref idref='b'/></spine></package>"
    )
    some = zipped({**container, "b.opf": package, "a.html": f"<p>{PROSE}"})
    assert "1 of 2 parts of the book are missing" in str(read(some, name="x.epub").warnings[0])


@pytest.mark.parametrize(
    ("algorithm", "part", "refused"),
    [
        ("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OPS/b.xhtml", True),
        ("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OPS/picture.jpg", False),
        ("http://www.idpf.org/2008/embedding", "OPS/b.xhtml", False),
    ],
)
def test_only_books_with_encrypted_pages_are_refused(algorithm: str, part: str, refused: bool) -> None:
    book = epub(CHAPTERS, more={"META-INF/encryption.xml": ENCRYPTION.format(algorithm, part)})
    if not refused:
        assert "smallest" in read(book, name="x.epub").text
        return
    with pytest.raises(ReadError, match="protected against copying") as caught:
        read(book, name="x.epub")
    assert caught.value.reason == "encrypted"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (epub(CHAPTERS)[:300], "corrupt"),
        (zipped({"mimetype": "application/epub+zip"}), "corrupt"),
        (epub({}), "corrupt"),
        (epub({"a.xhtml": page("<p>" + "a" * 2**23)}), "too_large"),
    ],
    ids=["cut", "no part", "no chapter", "bomb"],
)
def test_damaged_books_and_bombs_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(data, name="x.epub", limits=Limits(zip_ratio=50))
    assert caught.value.reason == reason
