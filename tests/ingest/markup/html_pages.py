"""Small web pages for the tests of the HTML reader."""

from __future__ import annotations

from colde.ingest import read
from colde.text.document import Document, Role

SENTENCES = (
    "The rope ferry at Ellery crosses the river where it is widest.",
    "Its boat is flat and carries two carts, or one cart and its horses.",
    "The ferryman lives on the western bank, and he is called with a bell.",
    "In a flood the rope is let down to the bottom, so that driftwood passes over it.",
    "Nobody crosses on the first day of the year, whatever the weather is like.",
    "The fare was a penny for a hundred years, and then it was abolished.",
    "A bridge was planned twice, and twice the money went into the church.",
    "Children learn to pull the rope before they learn to swim.",
    "The bell hangs in an oak that is older than the ferry itself.",
    "When the river freezes, the boat is drawn ashore and painted.",
    "Travellers wrote their names into the planks of the waiting room.",
    "The oldest name that can be read belongs to a surgeon from the coast.",
    "A second rope is kept in the barn, tarred and coiled.",
    "On market days the queue of carts reaches the mill.",
    "Dogs cross without paying and seem to know it.",
    "The last accident happened in a fog, and only a piano was lost.",
)


def paragraph(first: int, last: int) -> str:
    """A paragraph of the sentences from a number up to another, which is left out."""
    return f"<p>{' '.join(SENTENCES[first:last])}</p>"


ARTICLE = (
    f"<h1>The rope ferry</h1>{paragraph(0, 4)}<h2>Bell</h2>{paragraph(4, 8)}<h2>Names</h2>{paragraph(8, 12)}"
)


def page(body: str, head: str = "<title>Page</title>") -> Document:
    """A page with this body, as it is read."""
    source = f"<!doctype html><html><head><meta charset=utf-8>{head}</head><body>{body}</body></html>"
    return read(source.encode(), name="page.html")


def compared(document: Document) -> str:
    """The text that is compared, with its headings."""
    return "\n".join(document.text[s.start : s.end] for s in document.sections if s.role is None)


def sentences(document: Document) -> list[str]:
    """The sentences that are compared."""
    return [document.text[x.start : x.end] for s in document.sections if s.role is None for x in s.sentences]


def text_with_role(document: Document, role: Role) -> str:
    """The text that is set aside with a role."""
    return "\n".join(document.text[s.body : s.end] for s in document.sections if s.role == role)
