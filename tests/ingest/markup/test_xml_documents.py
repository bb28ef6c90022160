"""Articles (JATS), books (DocBook) and editions (TEI): what is read of their elements, and with which role."""

from __future__ import annotations

from itertools import pairwise

import pytest

from colde.errors import ReadError
from colde.ingest import read
from colde.text.document import Document

START = '<?xml version="1.0"?>'


def xml(markup: str) -> Document:
    return read((START + markup).encode(), name="x.xml", sandbox=False)


def jats(body: str) -> Document:
    front = "<front><article-meta><title-group><article-title>T</article-title></title-group></article-meta></front>"
    return xml(f'<article xmlns:m="http://www.w3.org/1998/Math/MathML">{front}<body>{body}</body></article>')


def docbook(body: str, declarations: str = "", info: str = "") -> Document:
    return xml(f"<!DOCTYPE article [{declarations}]><article><title>T</title>{info}{body}</article>")


def tei(body: str) -> Document:
    header = "<teiHeader><fileDesc><titleStmt><title>T</title></titleStmt></fileDesc></teiHeader>"
    return xml(f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{header}<text><body>{body}</body></text></TEI>')


def parts(document: Document) -> list[tuple[str | None, str | None, str]]:
    """Heading, role and text of each section."""
    return [(s.heading, s.role, document.text[s.body : s.end]) for s in document.sections]


def test_the_text_behind_a_figure_or_table_in_a_paragraph_is_text() -> None:
    document = jats(
        "<sec><label>1</label><title>A</title><p>Before <fig><label>Figure 1.</label><caption><p>Cap.</p></caption>"
        "</fig>after. <table-wrap><caption><p>Tab.</p></caption><table><tr><td>1</td><td>2</td></tr></table>"
        "</table-wrap>Then.</p></sec><sec><title>B</title><p>End.</p></sec>"
    )
    assert parts(document) == [
        ("A", None, "Before\n\nafter.\n\nThen."),
        (None, "caption", "Figure 1.\n\nCap.\n\nTab."),
        (None, "table", "1 | 2"),
        ("B", None, "End."),
    ]


@pytest.mark.parametrize(
    "box",
    [
        "<boxed-text><caption><title>Harvest</title><p>Sub.</p></caption><p>Rain.</p></boxed-text>",
        "<boxed-text><title>Harvest</title><p>Sub.</p><p>Rain.</p></boxed-text>",
        "<sidebar><title>Harvest</title><para>Sub.</para><para>Rain.</para></sidebar>",
        "<sidebar><info><title>Harvest</title></info><para>Sub.</para><para>Rain.</para></sidebar>",
        "<warning><title>Harvest</title><para>Sub.</para><para>Rain.</para></warning>",
        "<note><title>Harvest</title><para>Sub.</para><para>Rain.</para></note>",
    ],
)
def test_the_title_of_a_box_is_a_heading_and_its_text_is_text(box: str) -> None:
    document = jats(f"<sec><title>A</title><p>One.</p>{box}</sec>")
    assert parts(document) == [("A", None, "One."), ("Harvest", None, "Sub.\n\nRain.")]


def test_admonitions_without_a_title_are_text() -> None:
    document = docbook(
        "<section><title>A</title><para>One.<note><para>Care.</para></note> Two.</para></section>"
    )
    assert document.text.split("\n\n")[-3:] == ["One.", "Care.", "Two."]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("10<sup>6</sup> or 10<sup>−3</sup> or 10<italic><sup>9</sup></italic>", "10^6 or 10^-3 or 10^9"),
        ("the 10<sup>th</sup> of 20 m<sup>2</sup>", "the 10th of 20 m2"),
        ("CO<sub>2</sub>, <sup>14</sup>C, 101<sub>2</sub>", "CO2, 14C, 101_2"),
        ("rocks<sup>1</sup> end.<sup>2</sup> So", "rocks end. So"),
        ('text<sup><xref ref-type="bibr">3</xref>,<xref ref-type="bibr">4</xref></sup> goes', "text goes"),
        ('$320<xref ref-type="bibr"><sup>5</sup></xref> each', "$320 each"),
        ('mark<xref ref-type="fn">*</xref> here', "mark here"),
        ('see <xref ref-type="bibr">[6]</xref> and <xref ref-type="fig">Figure 2</xref>', "see [6] and Figure 2"),
        ("<inline-formula><m:math><m:mfrac><m:mn>1</m:mn><m:mn>20</m:mn></m:mfrac></m:math></inline-formula>", "1/20"),
        ("10<inline-formula><m:math><m:msup><m:mi/><m:mn>6</m:mn></m:msup></m:math></inline-formula> of", "10^6 of"),
        ("<tex-math>\\documentclass{minimal}\\begin{document}$$\\frac{a}{b} = 10^6$$\\end{document}</tex-math>",
         "a/b = 10^6"),
        ("<alternatives><tex-math>$k$</tex-math><m:math><m:mi>k</m:mi></m:math></alternatives> is", "k is"),
        ("one<break/>two", "one two"),
    ],
)  # fmt: skip
def test_raised_text_and_formulas_in_sentences(markup: str, text: str) -> None:
    assert jats(f"<sec><title>A</title><p>{markup}</p></sec>").text.split("\n\n")[-1] == text


ENTITIES = (
    '<!ENTITY prod "Pump"><!ENTITY warn "<emphasis>Never</emphasis> open">'
    '<!ENTITY nested "&prod;: &warn; it"><!ENTITY part "<para>First &prod;.</para><para>Second.</para>">'
    '<!ENTITY % names "<!ENTITY low \'from a parameter\'>">%names;<!ENTITY ext SYSTEM "file:///etc/passwd">'
)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<para>The &prod; and &prod;&prod; run.</para>", "The Pump and PumpPump run."),
        ("<para>&warn; this: &nested; now.</para>", "Never open this: Pump: Never open it now."),
        ("<para>&low; &eacute;t&eacute; &unknown; end.</para>", "from a parameter été end."),
        ("<para>Before.</para>&part;<para>After.</para>", "Before.\n\nFirst Pump.\n\nSecond.\n\nAfter."),
        ("<para>Of &ext;files nothing.</para>", "Of files nothing."),
        ("<para><quote>&warn;</quote> &amp; &#956;</para>", "“Never open” & μ"),
    ],
)
def test_entities_are_what_the_document_declares(markup: str, text: str) -> None:
    document = docbook(f"<section><title>A &prod;</title>{markup}</section>", ENTITIES)
    assert [s.heading for s in document.sections][-1] == "A Pump"
    assert document.text.partition("A Pump\n\n")[2] == text


@pytest.mark.parametrize(
    ("declarations", "text", "reason"),
    [
        ('<!ENTITY a "ha">' + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghi")),
         "&i;", "too_large"),
        (f'<!ENTITY a "<b>{"x" * 2000}</b>">', "&a;" * 3000, "too_large"),
        ('<!ENTITY a "&b;"><!ENTITY b "<i>&a;</i>">', "&a;", "corrupt"),
    ],
    ids=["nested", "long", "loop"],
)  # fmt: skip
def test_entities_that_grow_are_refused(declarations: str, text: str, reason: str) -> None:
    with pytest.raises(ReadError) as caught:
        docbook(f"<para>{text}</para>", declarations)
    assert caught.value.reason == reason


def test_remarks_and_metadata_are_no_text() -> None:
    info = (
        "<articleinfo><title>T</title><abstract><para>Short.</para></abstract><keywordset><keyword>KW</keyword>"
        "</keywordset><author><firstname>Al</firstname></author><legalnotice><para>L</para></legalnotice></articleinfo>"
    )
    section = (
        "<section><info><title>A</title><subjectset><subject>S</subject></subjectset></info><para>One<remark>R</remark>"
        " two.<indexterm><primary>I</primary></indexterm></para></section><section><title>B</title><para>End.</para>"
        "</section>"
    )
    assert parts(docbook(section, info=info)) == [
        (None, None, "Short."), ("A", None, "One two."), ("B", None, "End."),
    ]  # fmt: skip


def test_keys_and_menus_stand_apart() -> None:
    menu = "<menuchoice><shortcut><keycap>F1</keycap></shortcut><guimenu>File</guimenu><guimenuitem>Save</guimenuitem>"
    keys = "<keycombo><keycap>Ctrl</keycap><keycap>S</keycap></keycombo>"
    document = docbook(
        f"<section><title>A</title><para>Press {keys}, then {menu}</menuchoice>.</para></section>"
    )
    assert document.text.endswith("Press Ctrl+S, then File > Save.")


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("The <choice><sic>salte</sic><corr>salt</corr></choice> pan", "The salt pan"),
        ("<choice><abbr>wh</abbr><expan>w<ex>alk</ex>s</expan></choice> on", "walks on"),
        ("<choice><reg>now</reg><orig>nowe</orig></choice>", "now"),
        ("<choice><unclear>one</unclear><unclear>two</unclear></choice>", "one"),
        ("It is <sic>alone</sic> with <abbr>Dr</abbr> and <orig>olde</orig> things",
         "It is alone with Dr and olde things"),
        ("<subst><del>old</del><add>new</add></subst> word", "new word"),
        ('the bot<lb break="no"/>tom and mid-<lb break="no" n="3"/>\n dle', "the bottom and middle"),
        ('a pa<pb break="no" n="4"/><fw>HEAD</fw>ge here', "a page here"),
        ('some\n<lb break="no"/>thing', "something"),
        ('a line<lb/>ends, a page <pb n="5"/>ends', "a line ends, a page ends"),
        ("the dining-<lb/>hall is the dining-hall", "the dining-hall is the dining-hall"),
        ("<app><lem>chosen</lem><rdg>other</rdg></app> words", "chosen words"),
        ('10<hi rend="superscript">6</hi> of 5 m<hi rend="sup">2</hi> and <hi rend="bold">bold</hi>',
         "10^6 of 5 m2 and bold"),
        ("<list><item>One</item><item>Two</item></list>", "One\n\nTwo"),
    ],
)  # fmt: skip
def test_an_edition_gives_each_word_once(markup: str, text: str) -> None:
    document = tei(f"<div><head>A</head><p>{markup}</p></div><div><head>B</head><p>End.</p></div>")
    assert parts(document)[0] == ("A", None, text)


def test_words_of_headings_and_notes_are_chosen_too() -> None:
    document = tei(
        "<div><head>The <choice><orig>olde</orig><reg>old</reg></choice> pan<note>In a <del>bad</del>head.</note>"
        "</head><p>One.</p></div><div><head>B</head><p>Two.</p></div>"
    )
    assert [(s.heading, s.role) for s in document.sections] == [
        ("The old pan", None),
        (None, "footnote"),
        ("B", None),
    ]
    assert "In a head." in document.text


def test_elements_may_have_many_attributes() -> None:
    """In quadratic time this takes more than a minute, and the reader stops after a fraction of it."""
    attributes = " ".join(f'a{i}="x"' for i in range(300_000))
    data = f"{START}<article><p {attributes}>Some words stand here.</p></article>".encode()
    assert read(data, name="x.xml", sandbox=True).text == "Some words stand here."


@pytest.mark.parametrize(("name", "depth"), [("sec", 240), ("bold", 240), ("list", 200)])
def test_deep_elements_are_read(name: str, depth: int) -> None:
    markup = f"<article><p>{f'<{name}>' * depth}Deep words.{f'</{name}>' * depth}</p></article>"
    assert xml(markup).text == "Deep words."


def test_what_is_nested_too_deeply_is_refused_by_name() -> None:
    with pytest.raises(ReadError, match="nested too deeply") as caught:
        xml(f"<article>{'<sec>' * 3000}<p>Deep.</p>{'</sec>' * 3000}</article>")
    assert caught.value.reason == "corrupt"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('A <delSpan spanTo="#e"/>gone <hi>too</hi>, <anchor xml:id="e"/>b.', "A b."),
        ('A <delSpan spanTo="#e"/>gone</p><p>gone</p><p>gone<anchor xml:id="e"/> b.', "A\nb."),
        ('A <delSpan spanTo="#nowhere"/>stays.', "A stays."),
        ("A <restore><del>kept</del></restore> <metamark>^</metamark>b.", "A kept b."),
        ("On <date>3 May</date> <author>Ann Orr</author> wrote.", "On 3 May Ann Orr wrote."),
        ("M<choice><am>.</am><ex>aste</ex></choice>r.", "Master."),
    ],
)
def test_deletions_from_one_place_to_another_and_what_is_restored(markup: str, text: str) -> None:
    assert tei(f"<p>{markup}</p>").text.replace("\n\n", "\n") == text


def test_lines_of_letters_verses_and_lists_stand_apart() -> None:
    letter = "<closer><salute>Yours</salute><signed>Ann Orr</signed></closer>"
    assert tei(letter).text == "Yours\n\nAnn Orr"
    verse = "<verse-group><verse-line>Low tide</verse-line><verse-line>and wind</verse-line></verse-group>"
    assert jats(verse).text.endswith("Low tide\n\nand wind")
    segments = (
        "<segmentedlist><segtitle>Tool</segtitle><segtitle>Use</segtitle>"
        "<seglistitem><seg>Rake</seg><seg>salt</seg></seglistitem></segmentedlist>"
    )
    assert docbook(segments).text.endswith("Tool\n\nUse\n\nRake salt")
