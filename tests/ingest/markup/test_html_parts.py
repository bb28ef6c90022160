"""Parts of web pages: headings by role, tables, marks of notes, formulas, ruby, XHTML."""

from __future__ import annotations

import pytest

from colde.ingest import read
from tests.ingest.markup.html_pages import (
    ARTICLE,
    SENTENCES,
    compared,
    page,
    paragraph,
    sentences,
    text_with_role,
)


def test_elements_with_the_role_of_a_heading() -> None:
    document = page(
        f'<h1 role="presentation">Banner</h1><div role="heading" aria-level="2">Bell</div>{paragraph(0, 2)}'
        f'<span role="heading" aria-level="3">Oak</span>{paragraph(2, 4)}<p role="Heading x" aria-level=2>Names</p>'
        f"{paragraph(4, 6)}"
    )
    assert [(s.heading, s.level) for s in document.sections if s.heading] == [
        ("Bell", 1),
        ("Oak", 2),
        ("Names", 1),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><td><a href=/a>Home</a><br><a href=/b>News</a></td><td>{0}{1}</td></tr></table>",
        "<table><tr><td><b>Bell</b></td><td>{0}</td></tr><tr><td><b>Names</b></td><td>{1}</td></tr></table>",
        "<table><tr><td>{0}</td><td>{1}</td></tr></table>",
        "<table><tr><td><table><tr><td>{0}</td></tr></table></td></tr><tr><td>&nbsp;</td><td>{1}</td></tr></table>",
    ],
)
def test_tables_that_place_text_are_running_text(table: str) -> None:
    document = page(table.format(paragraph(0, 4), paragraph(4, 8)))
    assert [s for s in sentences(document) if len(s) > 20] == list(SENTENCES[:8])


def test_cells_of_data_tables() -> None:
    document = page(
        f"{ARTICLE}<table><caption>Fares</caption><tr><th>Year<th>Terms<tr><td>1790<td><p>Two pence.</p><p>One hen.</p>"
        "<tr><td>1791<td>Two<br>pence<ul><li>at Easter</li><li>in autumn</li></ul>"
        '<tr><td>1792<script>var x=1</script><td>None<span style="display:none">SECRET</span><sup class="reference">'
        '<a href="#n">[1]</a></sup></table>'
    )
    rows = "Year | Terms\n1790 | Two pence. One hen.\n1791 | Two pence at Easter in autumn\n1792 | None"
    assert text_with_role(document, "table") == rows
    assert text_with_role(document, "caption") == "Fares"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The bank<sup>3</sup> is wet.", "The bank is wet."),
        ("The boat<a href='#f4'><sup>4</sup></a> is flat.", "The boat is flat."),
        ("The rope<sup><a href='n.html#f5'>5</a></sup> is long.", "The rope is long."),
        ("It was so in 1790.<sup>6, 7</sup> Yes.", "It was so in 1790. Yes."),
        ("He said “never”<sup>[12]</sup> twice.", "He said “never” twice."),
        ("The oak<sup>(2)</sup> stands<sup>*</sup>.", "The oak stands."),
        ("The bell<a href='#_ftn1' name='_ftnref1'>[7]</a> rings.", "The bell rings."),
        (
            "The oak<span style='vertical-align: super'>9</span> and<a href='#fn1'>1</a> so on.",
            "The oak and so on.",
        ),
        ("It is 20 km<sup>2</sup><sup>4</sup> wide.", "It is 20 km2 wide."),
        ("If E = mc<sup>2</sup> and πr<sup>2</sup>.", "If E = mc2 and πr2."),
        ("In 1790<sup>8</sup> it rained.", "In 1790 it rained."),
        ("It has 20 m<sup>2</sup> and 3 km<sup>2</sup>.", "It has 20 m2 and 3 km2."),
        ("On the 10<sup>th</sup> day and the 1<sup>st</sup>.", "On the 10th day and the 1st."),
        ("10<span style='color: red; vertical-align: super'>6</span> drops.", "10^6 drops."),
        ("It is 101<span style='vertical-align:sub'>2</span> drops.", "It is 101_2 drops."),
        (
            "About <sup>1</sup>&frasl;<sub>20</sub> (<sup>3</sup>/<sub>4</sub>) or 2<sup>1</sup>/<sub>2</sub> days.",
            "About 1⁄20 (3/4) or 2 1/2 days.",
        ),
        ("The oak<sup>3</sup>/elm is high.", "The oak/elm is high."),
        ("About 10<sup>6</sup> drops, or 10<sup>-3</sup> tons.", "About 10^6 drops, or 10^-3 tons."),
        ("About 3×10<sup><i>6</i></sup>, 2<sup>n</sup> and 101<sub>2</sub>.", "About 3×10^6, 2^n and 101_2."),
        ("If x<sup>2</sup> + y<sup>2</sup> is one.", "If x2 + y2 is one."),
        ("Some <sup>14</sup>C is left.", "Some 14C is left."),
        ("The ion Ca<sup>2+</sup> is there.", "The ion Ca2+ is there."),
        ("See section <a href='#s2'>2</a> and [3].", "See section 2 and [3]."),
        ("M<sup>me</sup> Aubry, XIX<sup>e</sup> century.", "Mme Aubry, XIXe century."),
    ],
)
def test_marks_of_notes_and_raised_text(source: str, text: str) -> None:
    assert compared(page(f"<p>{source}</p>")) == text


STYLE_SHEET = """<style>
.up, p b.note { vertical-align: super; font-size: 70% } /* .plain { vertical-align: super } */
.down { vertical-align: sub }
.shifted { position: relative; top: -0.5em; font-size: .7em }
.dropped { position: relative; bottom: -.4em }
.length { vertical-align: 35% }
.nudged { vertical-align: 1px }
.up.reset { vertical-align: baseline }
.middle, td { vertical-align: middle }
@media print { .plain { vertical-align: super } }
</style>"""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("10<span class=up>6</span> drops and 10<em class=up>-3</em> tons.", "10^6 drops and 10^-3 tons."),
        ("It is 101<span class=down>2</span> drops of H<i class=down>2</i>O.", "It is 101_2 drops of H2O."),
        ("10<span class='x shifted'>6</span> drops, 101<font class=dropped>2</font>.", "10^6 drops, 101_2."),
        ("10<small class=length>6</small> drops.", "10^6 drops."),
        ("10<span style='font-size: 70%; vertical-align: 4px'>6</span> drops.", "10^6 drops."),
        ("10<span style='position: relative; top: -4pt'>6</span> drops.", "10^6 drops."),
        ("10<i style='font-variant-position: super'>6</i> drops.", "10^6 drops."),
        (
            "<span class=up>1</span>/<span class=down>20</span> of it, 2<b class=up>10</b>.",
            "1/20 of it, 2^10.",
        ),
        (
            "The oak<b class=note>3</b> stands<span class=up>4</span><span class=up>5</span>.",
            "The oak stands.",
        ),
        ("On the 10<span class=up>th</span> day.", "On the 10th day."),
        ("10<span class=plain>6</span> and 10<span class=middle>6</span> keys.", "106 and 106 keys."),
        ("10<span class=nudged>6</span> and 10<span class='up reset'>6</span> keys.", "106 and 106 keys."),
        ("10<span class=up style='vertical-align: baseline'>6</span> keys.", "106 keys."),
        (
            "The fare is $320<a class=up href='#r1'>1</a> <a class=up href=x>today</a>.",
            "The fare is $320 today.",
        ),
    ],
)
def test_text_that_a_style_raises_is_as_in_sup(source: str, text: str) -> None:
    assert compared(page(f"<p>{source}</p>", head=STYLE_SHEET)) == text


MATH = (
    '<math alttext="k>0"><semantics><mrow><mi>k</mi><mo>&gt;</mo><mn>0</mn></mrow>'
    "<annotation>k>0</annotation></semantics></math>"
)


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (MATH, "k>0"),
        (
            f'<span><span style="display: none;">{MATH}</span><img src=x alt="{{k>0}}" aria-hidden="true"></span>',
            "k>0",
        ),
        (f'<span>{MATH}<img src=x alt="{{k>0}}"></span>', "k>0"),
        (
            f'<span class="katex"><span class="katex-mathml">{MATH}</span><span aria-hidden="true">k>0</span></span>',
            "k>0",
        ),
        ('<img src="https://s.example/latex.php?latex=k" alt="k>0" class="latex">', "k>0"),
        ('<img src="f.png" alt="\\frac{k}{2}">', "\\frac{k}{2}"),
        ('<script type="math/tex">k>0</script>', "k>0"),
        (
            '<span class="MathJax"><span aria-hidden=true>k>0</span><span>'
            + MATH
            + '</span></span><script type="math/tex">k>0</script>',
            "k>0",
        ),
        ('<img src="leaf.png" alt="a leaf"><span style="display:none">hidden</span>', ""),
        ('<math alttext="k"></math>', "k"),
        ('<img src="a.jpg" alt="A photo of the mill_house">', ""),
    ],
)
def test_a_formula_is_read_once(formula: str, text: str) -> None:
    assert compared(page(f"<p>If {formula}, the rope holds.</p>")) == f"If {text}, the rope holds."


def test_a_formula_alone_is_an_equation() -> None:
    document = page(f"<p>{SENTENCES[0]}</p><div>{MATH}.</div><p>{SENTENCES[1]}</p>")
    assert text_with_role(document, "equation") == "k>0."
    assert sentences(document) == list(SENTENCES[:2])


@pytest.mark.parametrize(
    "ruby",
    [
        "<ruby>水車<rp>(</rp><rt>すいしゃ</rt><rp>)</rp></ruby>",
        "<ruby>水<rt>すい</rt>車<rt>しゃ</rt></ruby>",
        "<ruby><rb>水</rb><rb>車</rb><rt>すい<rt>しゃ</ruby>",
        "<ruby>水車<rtc><rt>すいしゃ</rt></rtc></ruby>",
    ],
)
def test_ruby_is_left_out(ruby: str) -> None:
    assert compared(page(f"<p>川の{ruby}は(とても)古い。</p>")) == "川の水車は(とても)古い。"


XHTML = '<html xmlns="http://www.w3.org/1999/xhtml">'


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("page.xhtml", XHTML),
        ("page.xht", "<html>"),
        ("page.html", f'<?xml version="1.0" encoding="UTF-8"?>\n{XHTML}'),
    ],
)
@pytest.mark.parametrize("end", ["</body></html>", "<p>Open & unclosed<br></body>"])
def test_xhtml_is_read_by_the_rules_of_xml(name: str, begin: str, end: str) -> None:
    source = (
        f"{begin}<head><title/><style/><script src='a.js'/></head><body>{paragraph(0, 2)}<iframe src='x > y'/>"
        f"<textarea/><p>{SENTENCES[2]}<a id='x'/><![CDATA[ 1 < 2 &amp; so on.]]></p><!-- <title/> -->"
        f"{paragraph(3, 4)}{end}"
    )
    text = read(source.encode(), name=name).text
    assert text.startswith(
        f"{SENTENCES[0]} {SENTENCES[1]}\n\n{SENTENCES[2]} 1 < 2 &amp; so on.\n\n{SENTENCES[3]}"
    )
    assert "title" not in text


def test_xhtml_whose_elements_have_a_prefix() -> None:
    space = "http://www.w3.org/1999/xhtml"
    source = (
        f'<?xml version="1.0"?><h:html xmlns:h="{space}"><h:body><h:p>{SENTENCES[0]}</h:p></h:body></h:html>'
    )
    assert read(source.encode(), name="page.xhtml").text == SENTENCES[0]


def test_entities_of_an_xhtml_page() -> None:
    entities = '<!ENTITY boat "rope ferry"><!ENTITY file SYSTEM "file:///etc/hostname">'
    source = f"<!DOCTYPE html [{entities}]>{XHTML}<body><p>The &boat; is old.</p><p>&file;</p></body></html>"
    assert read(source.encode(), name="p.xhtml").text == "The rope ferry is old.\n\n&file;"


def test_xhtml_with_a_prefix() -> None:
    root = '<h:html xmlns:h="http://www.w3.org/1999/xhtml">'
    source = f"{root}<h:head><h:title/></h:head><h:body><h:p>{SENTENCES[0]}</h:p></h:body></h:html>"
    assert read(source.encode(), name="p.xhtml").text == SENTENCES[0]


def test_the_encoding_of_an_xml_declaration() -> None:
    source = f'<?xml version="1.0" encoding="windows-1251"?>{XHTML}<body><p>Паром идёт через реку.</p></body></html>'
    assert "Паром" in read(source.encode("cp1251"), name="p.xhtml").text
