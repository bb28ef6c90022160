"""No text of a document, a file name, a reviewer or a model becomes markup in a report."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

import colde.report
from colde.api import Collection
from colde.ingest.shared.blocks import Block, assemble
from colde.passages.find_passages import find_passages
from colde.report.collection.collection_html import collection_html
from colde.report.html.html_report import to_html
from colde.results.change import Change
from colde.results.comparison import Comparison
from colde.results.model_score import ScorePart
from colde.results.saved.review_decisions import Decisions, Mark
from colde.results.shared_text import SentenceMatches
from colde.text.document import Document, ReadWarning, Span
from tests.comparison.test_all_pairs import LAMPS, TIDES
from tests.index.light import Light


def markup(place: str) -> str:
    """An element named after the place, in characters that HTML gives a meaning."""
    return f"<x-{place}>&\"'</x-{place}>"


def document(name: str) -> Document:
    sentence = (
        f"The lamp {markup('passage')} turns once a minute and throws its light over twenty miles of sea."
    )
    blocks = [Block(markup("heading"), level=1), Block(sentence)]
    title = markup("title") if name == "a" else ""
    return assemble(
        blocks,
        source=markup("file"),
        format="text",
        title=title,
        warnings=(ReadWarning(markup("warning")),),
    )


@pytest.fixture
def hostile(comparison: Comparison) -> Comparison:
    """A comparison with markup in every text that is not the program's own."""
    a, b = document("a"), document("b")
    section = a.sections[0]
    span = Span(section.body, section.end)
    first, second = comparison.models
    first = replace(
        first, title=markup("model"), parts=(ScorePart(markup("part"), 1.0, first.score),), corpora=()
    )
    second = replace(second, name="mine", corpora=(markup("corpus"),), profile=markup("profile"))
    maps = {
        name: replace(m, rows=(span,), columns=(span,), values=m.values[:1, :1], meaning=markup("meaning"))
        for name, m in comparison.maps["colde"].items()
    }
    shared = find_passages(a, b, SentenceMatches(()))
    assert shared is not None
    first_passage = shared.passages[0]
    review = Decisions((Mark(first_passage.a, first_passage.b, "rejected", markup("note")),), (span,))
    return replace(
        comparison,
        a=a,
        b=b,
        chunks_a=(),
        chunks_b=(),
        models=(first, second),
        maps={"colde": maps},
        review=review,
        shared=shared,
        changes=(Change("wording", span, span, 0.5),),
    )


def expect_text(page: str, *shown: str) -> None:
    """Each of these stands in the page as text, and no element was made of any."""
    tree = LexborHTMLParser(page)
    assert tree.body is not None
    assert not [node.tag for node in tree.css("*") if str(node.tag).startswith("x-")]
    for script in tree.css("script"):
        script.decompose()
    for text in shown:
        assert text in tree.body.text(), text


def test_a_comparison_shows_markup_as_text(hostile: Comparison) -> None:
    places = "title file heading passage warning model part corpus profile meaning note"
    page = to_html(hostile)
    expect_text(page, *map(markup, places.split()))
    tables = [table.text() for table in LexborHTMLParser(page).css("table")]
    assert sum(markup("passage") in table for table in tables) == 3, "review, left out, changes"


def test_a_collection_shows_markup_as_text(
    hostile: Comparison, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    for number, text in enumerate((LAMPS, LAMPS, TIDES)):
        (tmp_path / f"<x-name>&{number}.md").write_text(f"# {text[:9]}\n\n{text * 9}", encoding="utf-8")
    (tmp_path / "<x-unread>.pdf").write_bytes(b"%PDF nothing")
    collection = Collection.read([tmp_path], models="colde", loader=lambda name: Light())
    page = collection_html(collection, [(0, 1, hostile)])
    expect_text(page, "<x-name>&0.md", "<x-unread>.pdf")
    tree = LexborHTMLParser(page)
    for part in (".matrix", "td", "summary"):
        assert any("<x-name>&0.md" in node.text() for node in tree.css(part)), part
    (frame,) = tree.css("iframe")
    expect_text(str(frame.attributes["srcdoc"]), markup("passage"))


def test_only_style_script_and_payload_are_written_as_they_are() -> None:
    folder = Path(str(files(colde.report)))
    modules = {path.name for path in folder.rglob("*.py") if re.search(r"\bMarkup\(", path.read_text())}
    assert modules == {"html_page.py"}
    for template in (folder / "templates").glob("*.j2"):
        assert not re.search(r"\|\s*safe\b|autoescape", template.read_text()), template.name
