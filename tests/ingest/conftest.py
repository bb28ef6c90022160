"""What holds for every Document, whatever it was read from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from colde.text.document import Document


def check_spans(document: Document) -> Document:
    """Every span points at its text: in order, no overlaps, sentences in paragraphs in sections."""
    text = document.text
    at = 0
    for section in document.sections:
        assert at <= section.start < section.end <= len(text), "sections are in order and never empty"
        assert section.start <= section.body <= section.end
        assert text[section.start : section.end].strip() == text[section.start : section.end]
        if section.heading is not None:
            assert text.startswith(section.heading, section.start)
            assert section.level >= 1
            assert section.start + len(section.heading) <= section.body or section.body == section.end
        else:
            assert section.body == section.start
        inside = section.body
        for paragraph in section.paragraphs:
            assert inside <= paragraph.start < paragraph.end <= section.end
            inside = paragraph.end
        inside = section.body
        for sentence in section.sentences:
            assert inside <= sentence.start < sentence.end <= section.end
            assert text[sentence.start : sentence.end].strip() == text[sentence.start : sentence.end]
            assert any(p.start <= sentence.start and sentence.end <= p.end for p in section.paragraphs)
            inside = sentence.end
        body = "".join(text[section.body : section.end].split())
        assert "".join("".join(text[s.start : s.end].split()) for s in section.sentences) == body
        at = section.end
    assert not any(0xD800 <= ord(c) <= 0xDFFF or c == "\x00" for c in text + document.title)
    return document


@pytest.fixture(scope="session")
def checked() -> Callable[[Document], Document]:
    """`checked(document)`: the document, once all its spans are found to be right."""
    return check_spans


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Read without a child process: quicker for small texts, and coverage sees it."""
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    yield


@pytest.fixture(scope="session")
def expect_heap() -> Callable[..., Callable[[str], str]]:
    """`expect_heap(document, format, more=[…])`: checks what the samples of all formats have in common.

    Title, outline, table and references of a text on heaps; `more` are further headings before the references. Returns
    a function from a heading to the text below it.
    """

    def check(
        document: Document, format: str, more: Sequence[tuple[int, str, None]] = ()
    ) -> Callable[[str], str]:
        assert (document.title, document.format) == ("On heaps", format)
        assert [(s.level, s.heading, s.role) for s in document.sections if s.heading] == [
            (1, "Order", None), (2, "Uses", None), *more, (1, "References", "references"),
        ]  # fmt: skip
        tables = [document.text[s.start : s.end] for s in document.sections if s.role == "table"]
        assert tables == ["key | place\n7 | root"]
        bodies = {s.heading: document.text[s.body : s.end] for s in document.sections}
        return bodies.__getitem__

    return check
