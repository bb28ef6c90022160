"""Declarative shadow roots of web components, as browsers show them."""

from __future__ import annotations

import pytest

import colde

HEAD, MIDDLE, TAIL = (
    "The ferry leaves the old pier at nine.",
    "It comes back before the tide turns.",
    "Whoever misses it has to walk around the bay.",
)


ROOT = '<template shadowrootmode="open">'


def text_of(body: str) -> str:
    page = f"<!doctype html><html><head><title>A page</title></head><body>{body}</body></html>"
    return " ".join(colde.read(page.encode(), name="a.html").text.split())


def written(body: str) -> str:
    """The page for a short form of it: A, B and C are sentences in paragraphs, ( and ) begin and end a shadow root."""
    for short, long in (("(", ROOT), (")", "</template>"), *zip("ABC", (HEAD, MIDDLE, TAIL), strict=True)):
        body = body.replace(short, f"<p>{long}</p>" if short.isalpha() else long)
    return body


@pytest.mark.parametrize(
    "body",
    [
        "<x-page>(A<slot></slot>C)B</x-page>",
        "<x-page>(A<slot><p>unseen</p></slot>C)B</x-page>",
        "<x-page>B(A<slot></slot>C)</x-page>",
        "<div>(<slot name=a></slot><slot></slot><slot name=b></slot>)<i slot=b>C</i>B<i slot=a>A</i></div>",
        "<x-a>(<x-b>(A<slot></slot>)<slot></slot></x-b>C)B</x-a>",
        "<x-a>(A<slot></slot>)<x-b>(B<slot></slot>)C</x-b></x-a>",
        "<x-a><x-b>(<slot></slot>B)A</x-b>(<slot></slot>C)</x-a>",
        "<x-a>(A<slot name=x>B</slot>C)</x-a>",
        "<x-a>(<style>p {color: white}</style>AB)</x-a>C",
        "<x-a>(A)(D)D</x-a>BC",
        "A<template>D</template>BC",
        "A<div><template shadowrootmode=none>D</template>B</div>C",
        "A<ul><li><b>(D)B</b></li></ul>C",
        "<x-a>(A<template>D</template><slot></slot>)B</x-a>C",
    ],
)
def test_the_text_stands_where_a_browser_shows_it(body: str) -> None:
    assert text_of(written(body.replace("D", "<p>unseen</p>"))) == f"{HEAD} {MIDDLE} {TAIL}"


def test_the_mode_may_be_closed_and_text_needs_no_element() -> None:
    body = f"<x-a><TEMPLATE ShadowRootMode=CLOSED><p>{HEAD}</p><slot></slot></TEMPLATE>{MIDDLE}</x-a><p>{TAIL}</p>"
    assert text_of(body) == f"{HEAD} {MIDDLE} {TAIL}"


def test_headings_in_a_shadow_root_are_headings() -> None:
    sections = "".join(f"<section><h2>Part {i}</h2><p>{HEAD} {MIDDLE}</p></section>" for i in range(3))
    page = f"<html><body><x-page>{ROOT}{sections}</template></x-page></body></html>"
    document = colde.read(page.encode(), name="a.html")
    assert [s.heading for s in document.sections] == ["Part 0", "Part 1", "Part 2"]


def test_deeply_nested_shadow_roots_end() -> None:
    body = f"<p>{HEAD}</p>"
    for _ in range(500):
        body = f"<x-a>{ROOT}{body}<slot></slot></template></x-a>"
    assert MIDDLE in text_of(f"<p>{MIDDLE}</p>{body}")
