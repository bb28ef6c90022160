"""Formulas of word processors on one line, in Word documents, RTF and OpenDocument, and raised figures there."""

from __future__ import annotations

import re

import pytest

from colde.ingest import read
from colde.ingest.files.xml_parsing import parse_xml
from colde.ingest.formulas.office_math import formula_text
from tests.ingest.docx_samples import BELL, aside, body, reading, style, word
from tests.ingest.zipped_samples import odt

pytestmark = pytest.mark.usefixtures("in_process")

NAMESPACE = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def formula(inside: str) -> str:
    return f"<m:oMath {NAMESPACE}>{inside}</m:oMath>"


def element(name: str, *parts: str, **properties: str) -> str:
    """An element with parts such as `num=1`, whose texts are runs, and properties with values."""
    settings = "".join(f'<m:{key} m:val="{value}"/>' for key, value in properties.items())
    inside = ""
    for part in parts:
        key, _, content = part.partition("=")
        inside += f"<m:{key}>{content if content.startswith('<') else run(content)}</m:{key}>"
    return f"<m:{name}><m:{name}Pr>{settings}</m:{name}Pr>{inside}</m:{name}>"


def run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>" if text else ""


def fraction(above: str, below: str, **properties: str) -> str:
    return element("f", f"num={above}", f"den={below}", **properties)


ROWS = "".join(f"<m:mr>{''.join(f'<m:e>{run(c)}</m:e>' for c in row)}</m:mr>" for row in ("10", "01"))


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (run("h=38"), "h=38"),
        (fraction("1", "20"), "1/20"),
        (fraction("a", "b"), "a/b"),
        (fraction("a+b", "c+d"), "(a+b)/(c+d)"),
        (fraction("1", fraction("2", "3")), "1/(2/3)"),
        (fraction("n", "k", type="noBar"), "n k"),
        (run("2") + fraction("1", "2"), "2 1/2"),
        (element("rad", "deg=", "e=x+1", degHide="1"), "√(x+1)"),
        (element("rad", "deg=3", "e=8"), "∛8"),
        (element("sSup", "e=10", "sup=6"), "10^6"),
        (element("sSub", "e=x", "sub=i"), "xi"),
        (element("sSubSup", "e=x", "sub=1", "sup=2"), "x1^2"),
        (element("sPre", "sub=", "sup=14", "e=C"), "14C"),
        (element("nary", "sub=i=1", "sup=n", "e=i", chr="∑"), "∑_(i=1)^n i"),
        (element("nary", "sub=0", "sup=", "e=x", supHide="on"), "∫_0 x"),
        (element("d", "e=a", "e=b", begChr="[", endChr="", sepChr=","), "[a,b"),
        (element("d", f"e=<m:m>{ROWS}</m:m>"), "(1 0; 0 1)"),
        (element("eqArr", "e=x&amp;=1", "e=y&amp;=2"), "x=1; y=2"),
        (element("func", f"fName={element('limLow', 'e=lim', 'lim=n→∞')}", "e=n"), "lim_(n→∞)n"),
        (element("func", "fName=sin", "e=x"), "sin x"),
        (element("limUpp", "e=x", "lim=2"), "x^2"),
        (element("acc", "e=x"), "x\u0302"),
        (element("bar", "e=x", pos="top"), "x¯"),
        (run("a") + element("phant", "e=hidden", show="0") + run("+b"), "a+b"),
        (element("borderBox", "e=7"), "7"),
        (f"<w:del xmlns:w='w'>{run('9')}</w:del>{run('5')}", "5"),
    ],
)
def test_word_formulas_on_one_line(inside: str, text: str) -> None:
    assert formula_text(parse_xml(formula(inside).encode(), "x.xml")) == text


def test_formulas_inside_each_other_stay_within_the_stack() -> None:
    inside = run("w1x")
    for _ in range(100):
        inside = f"<m:rad><m:e>{inside}</m:e></m:rad>"
    assert "w1x" in formula_text(parse_xml(formula(inside).encode(), "x.xml"))


def sentence(text: str, before: str = "The share ", after: str = " must not grow in summer.") -> str:
    return f"{before}{text}{after}"


def paragraph(*runs: str) -> str:
    """A paragraph of runs: `^6` is raised, `_2` lowered, XML stays as it is."""
    heights = {"^": "superscript", "_": "subscript"}
    written = ""
    for text in runs:
        height = heights.get(text[0])
        properties = f'<w:rPr><w:vertAlign w:val="{height}"/></w:rPr>' if height else ""
        shown = text[1:] if height else text
        written += (
            text
            if text.startswith("<")
            else f'<w:r>{properties}<w:t xml:space="preserve">{shown}</w:t></w:r>'
        )
    return f"<w:p>{written}</w:p>"


def test_word_formulas_stand_in_their_sentences() -> None:
    inner = formula(fraction("1", "20"))
    document = reading(
        word(paragraph("The share ", inner, " must not grow in summer.") + paragraph(BELL) + paragraph(inner))
    )
    assert body(document) == [sentence("1/20"), BELL]
    assert aside(document, "equation") == ["1/20"]


def test_a_fraction_behind_a_number_stays_apart() -> None:
    document = reading(word(paragraph("It is 2", formula(fraction("1", "2")), " feet long.")))
    assert body(document) == ["It is 2 1/2 feet long."]


RAISED = [
    (("It holds 10", "^6", " grains."), "It holds 10^6 grains."),
    (("It holds 1", "0", "^-", "^3", " grains."), "It holds 10^-3 grains."),
    (("On the 10", "^th", " of May."), "On the 10th of May."),
    (("It has 20 m", "^2", " of floor."), "It has 20 m2 of floor."),
    (("H", "_2", "O is water."), "H2O is water."),
    (("It is 101", "_2", " in base two."), "It is 101_2 in base two."),
]


@pytest.mark.parametrize(("runs", "text"), RAISED)
def test_raised_figures_of_word_documents(runs: tuple[str, ...], text: str) -> None:
    assert body(reading(word(paragraph(*runs) + paragraph(BELL)))) == [text, BELL]


def test_a_style_of_letters_may_raise_them() -> None:
    raised = style("Power", letters='<w:vertAlign w:val="superscript"/>', kind="character")
    runs = '<w:r><w:rPr><w:rStyle w:val="Power"/></w:rPr><w:t>6</w:t></w:r>'
    assert body(reading(word(paragraph("It holds 10", runs, " grains."), styles=raised))) == [
        "It holds 10^6 grains."
    ]


@pytest.mark.parametrize("name", ["footnote reference", "endnote reference", "Footnote anchor"])
def test_marks_of_notes_are_no_exponents(name: str) -> None:
    mark = style(name, letters='<w:vertAlign w:val="superscript"/>', kind="character")
    run_ = f'<w:r><w:rPr><w:rStyle w:val="{name.replace(" ", "")}"/></w:rPr><w:t>1</w:t></w:r>'
    assert body(reading(word(paragraph("It cost $320", run_, " in 1994."), styles=mark))) == [
        "It cost $320 in 1994."
    ]


@pytest.mark.parametrize(("runs", "text"), RAISED)
@pytest.mark.parametrize("words", [("super", "sub"), ("up6", "dn6")])
def test_raised_figures_of_rtf(runs: tuple[str, ...], words: tuple[str, str], text: str) -> None:
    raise_, lower = words
    marks = {"^": f"\\{raise_} ", "_": f"\\{lower} "}
    written = "".join(f"{{{marks[run[0]]}{run[1:]}}}" if run[0] in marks else run for run in runs)
    assert read(rf"{{\rtf1\ansi {written}\par}}".encode(), name="x.rtf").text == text


@pytest.mark.parametrize(("runs", "text"), RAISED)
@pytest.mark.parametrize("positions", [("super 58%", "sub 58%"), ("33% 58%", "-33% 58%")])
def test_raised_figures_of_opendocument(runs: tuple[str, ...], positions: tuple[str, str], text: str) -> None:
    styles = "".join(
        f'<style:style style:name="{name}" style:family="text">'
        f'<style:text-properties style:text-position="{position}"/></style:style>'
        for name, position in zip("UD", positions, strict=True)
    )
    marks = {"^": "U", "_": "D"}
    written = "".join(
        f'<text:span text:style-name="{marks[run[0]]}">{run[1:]}</text:span>' if run[0] in marks else run
        for run in runs
    )
    assert read(odt(f"<text:p>{written}</text:p>", styles=styles), name="x.odt").text == text


MATH = r"{\*\moMath{\mf{\mfPr{\mctrlPr\f0}}{\mnum{\mr\mscr0\msty2 1}}{\mden{\mr 20}}}}"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (rf"{{\mmath{MATH}{{\mmathPict{{\pict 01}}}}}}", "1/20"),
        (rf"{{\mmath{{\*\moMathPara{{\*\moMathParaPr{{\mjc}}}}{MATH}}}}}", "1/20"),
        (r"{\*\moMath{\mrad{\mradPr{\mdegHide on}}{\mdeg}{\me{\mr x+1}}}}", "√(x+1)"),
        (r"{\*\moMath{\mnary{\mnaryPr{\mchr \u8721?}}{\msub{\mr i}}{\msup{\mr n}}{\me{\mr i}}}}", "∑_i^n i"),
        (r"{\*\moMath{\mr h=38}}", "h=38"),
    ],
)  # fmt: skip
def test_formulas_of_rtf(source: str, text: str) -> None:
    data = rf"{{\rtf1\ansi The share {source} must not grow in summer.\par {source}\par {BELL}\par}}"
    document = read(data.encode(), name="x.rtf")
    assert body(document) == [sentence(text), BELL]
    assert aside(document, "equation") == [text]


@pytest.mark.parametrize(
    "word_", [r"\m", r"\mr\u0?", r"\mx\'01", r"\mr\u-10187?", r"\mr\'0c", "}" * 3, "{" * 300]
)
def test_damaged_formulas_of_rtf_cost_nothing_else(word_: str) -> None:
    data = rf"{{\rtf1\ansi {BELL}\par {{\*\moMath{{{word_} 1}}}}\par}}"
    assert BELL in re.sub(r"\s+", " ", read(data.encode(), name="x.rtf").text)


def test_formulas_of_opendocument() -> None:
    math = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mfrac><mn>1</mn><mn>20</mn></mfrac>'
        '<annotation encoding="StarMath 5.0">1 over 20</annotation></semantics></math>'
    )
    link = 'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href='
    first, second = (f'<draw:frame><draw:object {link}"./{name}"/></draw:frame>' for name in "FG")
    source = (
        f"<text:p>The share {first} must not grow in summer.</text:p><text:p>{second}</text:p>"
        f"<text:p>{BELL}</text:p>"
    )
    document = read(odt(source, more={"F/content.xml": math, "G/content.xml": math}), name="x.odt")
    assert body(document) == [sentence("1/20"), BELL]
    assert aside(document, "equation") == ["1/20"]


def test_equation_fields_of_rtf() -> None:
    code = r"{\field{\*\fldinst{ EQ \\f(1,20) }}{\fldrslt}}"
    link = r'{\field{\*\fldinst HYPERLINK "http://example.org"}{\fldrslt the mill}}'
    data = rf"{{\rtf1\ansi The share {code} of {link} must not grow.\par}}"
    assert read(data.encode(), name="x.rtf").text == "The share 1/20 of the mill must not grow."
