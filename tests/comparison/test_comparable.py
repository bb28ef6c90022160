"""A document without enough text: the message says what of it was set aside, and how to compare that."""

from __future__ import annotations

import pytest

import colde
from colde.comparison import checks
from colde.comparison.checks import check_comparable
from colde.errors import ReadError

ROWS = "".join(f"| bolt number {i} | box on the shelf {i % 7} | {i} pieces |\n" for i in range(40))
TABLE = f"| part | place | stock |\n|---|---|---|\n{ROWS}"
HTML_ROWS = "".join(f"<tr><td>{i}</td><td>bolt {i}</td><td>box {i % 7}</td></tr>" for i in range(40))
WORKS = "".join(
    f"{i}. Ann Miller, Bolts and Boxes. Journal of Parts {i}, 12-15, 19{i + 10}.\n" for i in range(1, 30)
)
CAPTIONS = "".join(
    f"\\begin{{figure}}\\caption{{The bolt number {i} lies on the shelf.}}\\end{{figure}}\n"
    for i in range(20)
)
NOTES = "".join(f"[^{i}]: A note on the bolt number {i} of the long list.\n" for i in range(20))


@pytest.mark.parametrize(
    ("name", "text", "what", "role"),
    [
        ("a.md", TABLE, "tables", "table"),
        ("a.md", f"# Stock\n\n{TABLE}", "tables", "table"),
        ("a.html", f"<html><body><table>{HTML_ROWS}</table></body></html>", "tables", "table"),
        ("a.md", f"# References\n\n{WORKS}", "references", "references"),
        ("a.md", NOTES, "footnotes", "footnote"),
        ("a.tex", f"\\begin{{document}}{CAPTIONS}\\end{{document}}", "captions", "caption"),
        ("a.md", "$$\n" + "x_i + y_i = z_i + w \\\\ \n" * 30 + "$$", "equations", "equation"),
    ],
)
def test_what_is_set_aside_is_named(name: str, text: str, what: str, role: str) -> None:
    with pytest.raises(ReadError, match="too_short") as error:
        check_comparable(colde.read(text.encode(), name=name))
    assert f"set aside: {what}" in str(error.value) and f"--include {role}" in str(error.value)


def test_captions_alone_can_be_compared_where_they_are_included() -> None:
    captions = colde.read(f"\\begin{{document}}{CAPTIONS}\\end{{document}}".encode(), name="a.tex")
    assert colde.compare(captions, captions, models="tfidf", include=["caption"]).models[0].score > 0.99


def test_a_short_text_is_just_short() -> None:
    with pytest.raises(ReadError, match="more than a title") as error:
        check_comparable(colde.read(b"Two words.", name="a.txt"))
    assert "set aside" not in str(error.value)


def test_very_many_sentences_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    document = colde.read_text("The cat sat down on the old mat. " * 40)
    monkeypatch.setattr(checks, "MAX_SENTENCES", 40)
    check_comparable(document)
    monkeypatch.setattr(checks, "MAX_SENTENCES", 39)
    with pytest.raises(ReadError, match=r"40 sentences; at most 39 can be compared \[too_large\]"):
        check_comparable(document)
