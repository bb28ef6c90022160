"""What of a web page is text, and what only surrounds it."""

from __future__ import annotations

import pytest

from tests.ingest.markup.html_pages import (
    ARTICLE,
    SENTENCES,
    compared,
    page,
    paragraph,
    sentences,
    text_with_role,
)

LINKS = "".join(f'<li><a href="/{i}">Rivers of the north {i}</a></li>' for i in range(40))
ALL = [*SENTENCES[:12]]


@pytest.mark.parametrize(
    "wrapper",
    [
        '<form id="main">{}<select><option>Pick one</option></select><button>Go on</button></form>',
        '<div id="contents"><div>{}</div></div>',
        '<div class="sidebar">{}</div>',
        '<div class="share"><ul class="menu"><li><a href="/a">Pick one</a></li></ul>{}</div>',
        '<section id="cookies">{}</section>',
        "<header>{}</header>",
        "<footer>{}</footer>",
        "<nav>{}</nav>",
        '<div role="banner">{}</div>',
        "<dialog open>{}</dialog>",
        "<object data=x.swf>{}</object>",
        "<main><aside><section><article>{}</article></section></aside><aside>Pick one.</aside></main>",
        '<div aria-hidden="true">{}</div><div role="dialog" class="cookie-consent"><p>Pick one or all.</p></div>',
        "<noscript>{}</noscript><p>Pick.</p>",
        "<div><noscript><img src=/c.gif alt=''>{}",
        f'<div class="page"><div class="left"><ul>{LINKS}</ul></div>{{}}</div>',
        f"<section><p>{LINKS}</p>{{}}</section>",
        f"<table><tr><td>{LINKS}</td><td>{{}}</td></tr></table>",
    ],
)
def test_what_holds_the_text_is_read(wrapper: str) -> None:
    document = page(wrapper.format(ARTICLE))
    assert [s for s in sentences(document) if s != "Pick."] == ALL
    assert [s.heading for s in document.sections if s.heading] == ["Bell", "Names"] or "Bell" in document.text
    assert "Pick one" not in document.text
    assert "Rivers of the north" not in document.text


@pytest.mark.parametrize(
    "around",
    [
        '<nav><a href="/a">Left out</a> <a href="/b">Left out too</a></nav>',
        '<div id="cookies">We use two cookies here, and they are left out. <button>Agreed</button></div>',
        '<div class="newsletter"><h3>Letters</h3><p>The newsletter is monthly. It is left out.</p><input></div>',
        '<div class="related"><h3>Left out</h3><ul><li><a href="/c">Mills</a></li></ul></div>',
        "<footer><p>Left out by the society. All rights reserved.</p></footer>",
        "<header><a href='/'>Left out</a></header>",
        "<aside><p>See also: what is left out here, and more of it.</p></aside>",
        "<form><label>Name</label><input><textarea>Left out</textarea><button>Left out</button></form>",
        "<noscript><p>Please switch scripts on, or much is left out.</p></noscript>",
        '<p hidden>This is left out.</p><p style="visibility: collapse">This is left out.</p>',
        f"<div>{LINKS}</div>",
        f"<center>{LINKS}</center>",
        '<div role="search"><p>Look for what is left out.</p></div>',
        "<svg><text>Left out</text></svg>",
    ],
)
def test_what_surrounds_the_text_is_left_out(around: str) -> None:
    for body in (f"{around}<div>{ARTICLE}</div>", f"<div>{ARTICLE}</div>{around}"):
        document = page(body)
        assert sentences(document) == ALL
        for words in ("eft out", "newsletter", "Agreed", "cookies", "Rivers", "Name\n"):
            assert words not in document.text


@pytest.mark.parametrize(
    "menu",
    [
        "".join(f'<a href="x{i}.html">Rivers {i}</a> | ' for i in range(30)),
        "".join(f'<li><a href="https://ferry.example/{i}">Rivers {i}</a> (12)</li>' for i in range(30)),
        "".join(f"<h3>Rivers {i}</h3><ul>{LINKS}</ul>" for i in range(3)),
        "<table>"
        + "".join(f"<tr><td><a href=/{i}>Rivers {i}</a><td><a href=/b>Rivers</a>" for i in range(9))
        + "</table>",
    ],
)
@pytest.mark.parametrize(
    "around", ["<div>{}<h1>Ferry</h1>{}</div>", "<table><tr><td>{}<td><h1>Ferry</h1>{}</table>"]
)
def test_menus_in_any_form_are_left_out(menu: str, around: str) -> None:
    document = page(around.format(menu, "".join(paragraph(i, i + 1) for i in range(5))))
    assert sentences(document) == list(SENTENCES[:5])
    assert "Rivers" not in document.text


def test_links_that_are_text_are_read() -> None:
    towns = ", ".join(f'<a href="/{i}">Town {i}</a>' for i in range(6))
    books = "".join(f'<li><a href="https://h{i}.example/">Book {i}</a></li>' for i in range(12))
    document = page(f"{paragraph(0, 1)}<p>The towns are {towns}.</p><ul>{books}</ul>")
    assert sentences(document)[1].startswith("The towns are Town 0, Town 1")
    assert sentences(document)[2:] == [f"Book {i}" for i in range(12)]


def test_asides_around_all_sections_are_text() -> None:
    asides = "".join(f"<aside><h2>Part {i}</h2>{paragraph(4 * i, 4 * i + 4)}</aside>" for i in range(4))
    assert sentences(page(f"<h1>Parts</h1>{asides}")) == list(SENTENCES)
    box = "<aside><h3>The society</h3><p>The society was founded in a tavern. It has two hundred members.</p></aside>"
    assert sentences(page(f"<main>{ARTICLE}{box}</main>")) == ALL


def test_sections_with_the_names_of_clutter_are_text() -> None:
    names = ("scope", "cookies", "navigation", "share", "newsletter", "related", "ads", "menu")
    sections = "".join(
        f'<section id="{name}"><h2>{name.title()}</h2>{paragraph(2 * i, 2 * i + 2)}</section>'
        for i, name in enumerate(names)
    )
    document = page(f"<h1>Policy</h1>{sections}")
    assert sentences(document) == list(SENTENCES)
    assert [s.heading for s in document.sections] == [name.title() for name in names]


def test_header_and_footer_of_a_page_with_main_are_text_where_they_hold_sections() -> None:
    header = f"<header><h1>The rope ferry</h1>{paragraph(0, 3)}</header>"
    footer = f"<footer><h2>Notes</h2>{paragraph(12, 16)}</footer>"
    document = page(f"{header}<main><h2>Bell</h2>{paragraph(3, 12)}</main>{footer}")
    assert sentences(document) == list(SENTENCES)


@pytest.mark.parametrize("tag", ["main", "article", 'div role="main"'])
def test_a_notice_is_not_the_main_content(tag: str) -> None:
    end = tag.split()[0]
    notice = f"<{tag}><h3>Also new</h3>{paragraph(12, 16)}</{end}>"
    for body in (f"<div>{ARTICLE}</div>{notice}", f"{notice}<div>{ARTICLE}</div>"):
        assert set(ALL) <= set(sentences(page(body)))
    assert sentences(page(f"<p>{SENTENCES[12]}</p><{tag}>{ARTICLE}</{end}><p>{SENTENCES[13]}</p>")) == ALL


def test_captions_that_hold_the_text_are_text() -> None:
    figures = "".join(
        f"<figure><h2>Part {i}</h2><img src=x><figcaption>{paragraph(4 * i, 4 * i + 4)}</figcaption></figure>"
        for i in range(3)
    )
    assert sentences(page(f"<main><h1>Parts</h1>{figures}</main>")) == ALL
    caption = "The boat in the year 1900. Photograph: county museum."
    document = page(f"{ARTICLE}<figure><img src=x><figcaption>{caption}</figcaption></figure>")
    assert sentences(document) == ALL
    assert text_with_role(document, "caption") == caption


def test_text_hidden_until_it_is_searched_for_is_text() -> None:
    assert SENTENCES[1] in compared(
        page(f'<p>{SENTENCES[0]}</p><div hidden="until-found">{paragraph(1, 2)}</div>')
    )


def test_a_button_in_a_heading_is_its_text() -> None:
    document = page(
        f"<h2><button>Bell</button></h2>{paragraph(0, 2)}<h2><button>Names</button></h2>{paragraph(2, 4)}"
    )
    assert [s.heading for s in document.sections] == ["Bell", "Names"]
