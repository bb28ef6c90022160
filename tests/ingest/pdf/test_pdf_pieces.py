"""Single steps of the PDF reader, on pages drawn for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from colde.errors import ReadError
from colde.ingest.pdf import accepts, convert
from colde.ingest.pdf.opening.garbled_text import garbling_score
from colde.ingest.reading_limits import Limits, Reading
from colde.text.document import Document, ReadWarning
from tests.ingest.pdf_samples import pieces
from tests.ingest.pdf_samples.prose import paragraph, sentence

Checked = Callable[[Document], Document]


def body(document: Document) -> str:
    return " ".join(document.text[s.body : s.end] for s in document.sections if s.role is None)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["Many parameters of this model are what the para-", "meters are."], "what the parameters are."),
        (["A well-known way was found to be well-", "known now."], "to be well-known now."),
        (["This is what happens where the unfore-", "seeable happens."], "where the unforeseeable happens."),
        (["One speaks of a parser, a grammar, hence parser-", "grammar pairs."], "hence parser-grammar pairs."),
        (["The program was made by and named after Jean-", "Paul Smith."], "after Jean-Paul Smith."),
        (["There is a range of values between 1990-", "1995 here."], "between 1990-1995 here."),
        (["There were pro and con, and both were con-", "sidered here."], "both were considered here."),
        (["The results were shown to all, thereby ex-", "posing them."], "thereby exposing them."),
        (["The meaning of these phrases is always non-", "compositional."], "always non-compositional."),
    ],
)  # fmt: skip
def test_words_broken_at_line_ends(lines: list[str], wanted: str, checked: Checked) -> None:
    document = checked(convert(pieces.hyphens(lines), "x.pdf", Reading()))
    assert wanted in document.text


def test_text_right_above_an_imprint_is_text(checked: Checked) -> None:
    """The number and the small lines are furniture, and nothing above them."""
    foot = [
        "Proceedings of the Meeting on Tides, pages 456-463,",
        "Prague, June 2007. (c) 2007 Society for Tides",
    ]
    document = checked(convert(pieces.imprint(foot), "x.pdf", Reading()))
    text = body(document)
    for number in range(1, 52):
        assert sentence(number, 12) in text
    assert "456" not in text and "Prague" not in text


@pytest.mark.parametrize("before", ["The end of", "These constraints"])
def test_a_slanted_letter_does_not_hide_the_space(before: str, checked: Checked) -> None:
    document = checked(convert(pieces.shapes([(before, 0), ("form", 0.25), ("s.", 0)]), "x.pdf", Reading()))
    assert f"{before} forms." in document.text


def test_an_accent_drawn_by_itself_stands_on_its_letter(checked: Checked) -> None:
    words = [
        ("The words of Ant", "´", "onio are"),
        ("read by Fran", "¸", "cois and"),
        ("by Herr L", "¨", "obner."),
    ]
    document = checked(convert(pieces.accents(words), "x.pdf", Reading()))
    assert "António" in document.text and "François" in document.text and "Löbner." in document.text


def test_what_is_set_aside(checked: Checked) -> None:
    """Captions, drawings, tables, equations, footnotes, references have roles; the text goes on past them."""
    document = checked(convert(pieces.asides(), "x.pdf", Reading()))
    assert [s.heading for s in document.sections if s.heading] == [
        "1 Introduction",
        "2 Results",
        "References",
    ]
    roles: dict[str, str] = {}
    for s in document.sections:
        if s.role:
            roles[s.role] = roles.get(s.role, "") + document.text[s.start : s.end] + "\n"
    assert "Figure 1: How the signal" in roles["caption"]
    assert "Table 1: Gains of the filters." in roles["caption"]
    assert "Input\nFilter\nOutput" in roles["table"]
    assert "band 2.50 0.20" in roles["table"]
    assert "y = a x + b (1)" in roles["equation"]
    assert "This note stands at the foot" in roles["footnote"]
    assert roles["references"].count("Journal of Counting") == 4
    references = next(s for s in document.sections if s.role == "references")
    assert len(references.paragraphs) == 4, "each entry is a paragraph"
    text = body(document)
    for n in range(1, 9):
        assert sentence(n, 10 + n % 7) in text
    for word in ("Figure", "Filter", "band", "Journal", "foot of the page"):
        assert word not in text


def test_rows_of_figures_are_tables_without_a_caption_too(checked: Checked) -> None:
    document = checked(convert(pieces.figures(), "x.pdf", Reading()))
    for n in range(1, 10):
        assert sentence(n, 10 + n % 7) in body(document)
    for cell in ("Assoc.", "39.4", "LL", "DICE", "balanced", "90.7", "87.9"):
        assert cell in document.text and cell not in body(document), cell


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_boxes_lie_on_the_words_as_shown(rotate: int) -> None:
    """A sentence's box covers its words on the page as it is displayed, turned or not."""
    width, height = pieces.WIDTH, pieces.HEIGHT
    words = [(w, 100.0 + 60 * i, 300.0) for i, w in enumerate(["Alpha", "beta", "gamma", "delta", "follow."])]
    document = convert(pieces.placed(words, rotate), "x.pdf", Reading())
    shown = document.page_sizes[0]
    assert shown == ((width, height) if rotate % 180 == 0 else (height, width))
    section = document.sections[0]
    assert document.text[section.start : section.end] == "Alpha beta gamma delta follow."
    boxes = section.sentences[0].boxes
    for x, y in ((102.0, 297.0), (343.0, 297.0)):  # in the middle of the first and the last word
        at = {0: (x, y), 90: (height - y, x), 180: (width - x, height - y), 270: (y, width - x)}[rotate]
        assert any(b.x0 <= at[0] <= b.x1 and b.y0 <= at[1] <= b.y1 for b in boxes)
    assert sum((b.x1 - b.x0) * (b.y1 - b.y0) for b in boxes) < 300 * 15, "and not much else"


def test_passwords() -> None:
    data = pieces.locked("sesame")
    with pytest.raises(ReadError, match="needs a password") as caught:
        convert(data, "x.pdf", Reading())
    assert caught.value.reason == "encrypted"
    with pytest.raises(ReadError, match="password is wrong") as caught:
        convert(data, "x.pdf", Reading("open"))
    assert caught.value.reason == "encrypted"
    assert convert(data, "x.pdf", Reading("sesame")).sections[0].heading == "1 Secrets"


def test_scans_are_named() -> None:
    with pytest.raises(
        ReadError, match=r"no text layer, the pages are scans.*ocrmypdf x\.pdf out\.pdf"
    ) as caught:
        convert(pieces.scans([False, False]), "x.pdf", Reading())
    assert caught.value.reason == "no_text"


@pytest.mark.parametrize(
    ("pages", "warning"),
    [
        ([True, False, True], ReadWarning("page 2 has no text (scans?) and was skipped", ((2, 2),))),
        (
            [True, False, False, False, True, False],
            ReadWarning("pages 2–4 and 6 have no text (scans?) and were skipped", ((2, 4), (6, 6))),
        ),
    ],
)
def test_pages_without_text_are_a_warning(pages: list[bool], warning: ReadWarning) -> None:
    document = convert(pieces.scans(pages), "x.pdf", Reading())
    assert warning in document.warnings
    assert document.pages == len(pages)
    assert {b.page for _, s in document.sentences() for b in s.boxes} == {
        i + 1 for i, t in enumerate(pages) if t
    }


def test_garbled_text_is_named() -> None:
    with pytest.raises(ReadError, match="garbled") as caught:
        convert(pieces.garbled([True, True, True]), "x.pdf", Reading())
    assert caught.value.reason == "garbled"
    document = convert(pieces.garbled([False, True, False]), "x.pdf", Reading())
    assert ReadWarning("the text of page 2 is garbled and was skipped", ((2, 2),)) in document.warnings


def test_limits_and_damage() -> None:
    data = pieces.scans([True, True, True])
    with pytest.raises(ReadError) as caught:
        convert(data, "x.pdf", Reading(limits=Limits(pages=2)))
    assert caught.value.reason == "too_large"
    assert accepts(data, "x")
    assert not accepts(b"plain text", "x.pdf")
    for bad, reason in ((b"", "empty"), (b"%PDF-1.7\nnothing more", "corrupt")):
        with pytest.raises(ReadError) as caught:
            convert(bad, "x.pdf", Reading())
        assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("text", "garbled"),
    [
        ("\ue001\ue002\ue003 \ue004\ue005 " * 60, True),
        ("WKH UHVXOWV VKRZ WKDW WKH PHWKRG LV EHWWHU WKDQ DOO RWKHUV LQ HYHUB WHVW " * 8, True),
        (paragraph(1, 30), False),
        (
            "Unsere Messungen zeigen, dass das Verfahren bei jedem Versuch besser war und es auch bleibt. "
            * 8,
            False,
        ),
        ("12.5 13.7 0.9 (a) 44.1 x 17.0 | 18.2 19.9 20.1 " * 12, False),
        ("Результаты показывают, что метод лучше всех остальных в каждом опыте. " * 8, False),
        ("このような結果は、この方法がほかのすべての方法よりも優れていることを示している。" * 12, False),
    ],
)
def test_what_is_garbled(text: str, garbled: bool) -> None:
    assert (garbling_score(text) >= 1) is garbled


def test_ocr_advice_can_be_pasted_into_a_shell() -> None:
    with pytest.raises(ReadError) as caught:
        convert(pieces.garbled([True, True, True]), "a b; rm -r ~ #.pdf", Reading())
    assert caught.value.advice.endswith("ocrmypdf --force-ocr 'a b; rm -r ~ #.pdf' out.pdf")
    with pytest.raises(ReadError, match=r"ocrmypdf --force-ocr \./-o\.pdf out\.pdf"):
        convert(pieces.garbled([True, True, True]), "-o.pdf", Reading())
