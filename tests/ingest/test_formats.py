"""What each reader makes of the structure of its format."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import colde
from colde.errors import ReadError
from colde.ingest import read, read_text
from colde.text.document import Document

pytestmark = pytest.mark.usefixtures("in_process")
Checked = Callable[[Document], Document]
ExpectHeap = Callable[..., Callable[[str], str]]
PROSE = "A heap keeps its smallest entry at the root, and every parent is no larger than its children. "


def by_role(document: Document, role: str) -> str:
    return "\n".join(document.text[s.start : s.end] for s in document.sections if s.role == role)


def test_markdown(checked: Checked, expect_heap: ExpectHeap) -> None:
    source = f"""---
title: "On heaps"
author: Somebody
---

# On heaps

## Contents

- [Order](#order)
- [Uses](#uses)

## Order

{PROSE}It *holds* `for all` [pairs](https://example.org).[^1]

1. First item
2. Second item

| key | place |
|-----|-------|
| 7   | root  |

```python
def sift(heap):
    return heap
```

### Uses

> Quoted text.

<div>Raw <b>HTML</b><script>alert(1)</script></div>

$$ n \\log n $$

![A picture of a heap](heap.png)

[^1]: The note.

## References

- Williams 1964
"""
    document = checked(read(source.encode(), name="heap.md"))
    body = expect_heap(document, "markdown")
    assert document.language == "en"
    order = body("Order")
    assert "It holds for all pairs." in order and "First item" in order
    assert "def sift(heap):\n    return heap" in order
    assert "The note." in by_role(document, "footnote")
    assert "log" in by_role(document, "equation")
    assert by_role(document, "caption") == "A picture of a heap"
    assert "Raw HTML" in body("Uses")
    assert "alert" not in document.text and "Somebody" not in document.text


def test_markdown_keeps_every_note(checked: Callable[[Document], Document]) -> None:
    source = f"""{PROSE}[^1] {PROSE}^[A note in *its* place.]

[^1]: The first note,
    in two lines.

    > With a quotation.

[^two]: A note that no mark calls.

- An item.

    [^3]: A note in a list[^1].

The end.
"""
    document = checked(read(source.encode(), name="notes.md"))
    notes = by_role(document, "footnote").split("\n\n")
    assert notes == [
        "The first note, in two lines.", "With a quotation.", "A note that no mark calls.", "A note in a list.",
        "A note in its place.",
    ]  # fmt: skip
    assert document.text[: document.sections[0].end].endswith("An item.\n\nThe end.")


def test_html(checked: Checked, expect_heap: ExpectHeap) -> None:
    source = f"""<!doctype html><html><head><title>On heaps | A site</title><style>p {{}}</style></head><body>
<header>The site</header><nav><a href="/">Home</a></nav>
<div class="sidebar">Subscribe now</div>
<main><h1>On heaps</h1><dl class="field-list"><dt>Author</dt><dd>Somebody</dd></dl>
<ul><li><a href="#a">Order</a><li><a href="#b">Uses</a>
<li><a href="#c">More</a><li><a href="#d">Four</a><li><a href="#e">Five</a></ul>
<h2>Order<a class="headerlink" href="#a">¶</a></h2><p>{PROSE}
See<sup class="reference"><a href="#n">1</a></sup> it &lt;here&gt;.</p>
<pre>def sift(heap):
    return heap</pre>
<p hidden>Hidden</p><p style="display:none">Not shown</p><script>alert(1)</script>
<table><caption>Places</caption><tr><th>key<th>place<tr><td>7<td>root</table>
<h3>Uses</h3>
<table><tr><td><p>Only a frame.</p></td></tr></table><aside class="admonition note"><p>Mind this.</p></aside>
<figure><img alt="x"><figcaption>A heap</figcaption></figure>
<aside class="footnote" role="doc-footnote">The note.</aside>
<h2>References</h2><p>Williams 1964</p></main><footer>Imprint</footer></body></html>"""
    document = checked(read(source.encode(), name="page"))
    body = expect_heap(document, "html")
    assert "See it <here>." in body("Order")
    assert "def sift(heap):\n    return heap" in body("Order")
    assert body("Uses").split("\n\n") == ["Only a frame.", "Mind this."]
    assert by_role(document, "caption") == "Places\nA heap"
    assert by_role(document, "footnote") == "The note."
    gone_words = ["Home", "Imprint", "site", "Subscribe", "Hidden", "alert", "Somebody", "Five", "¶"]
    for gone in (*gone_words, "Not shown"):
        assert gone not in document.text


def test_html_names_its_encoding() -> None:
    source = (
        '<html><head><meta charset="windows-1251"></head><body><p>Это русский текст, и он здесь.</p></html>'
    )
    assert "русский" in read(source.encode("cp1251"), name="x.html").text


def test_rst(checked: Checked, expect_heap: ExpectHeap, capfd: pytest.CaptureFixture[str]) -> None:
    source = f"""Author: Somebody
Title: On heaps
Status: Draft

.. contents::

Order
=====

{PROSE}See [1]_, :pep:`8`, :class:`~heap.Entry` and :unknown:`a title <target>`.

.. include:: /etc/passwd
.. raw:: html

   <script>alert(1)</script>

::

    def sift(heap):
        return heap

.. note:: Mind this.

.. strange-directive:: 3.1
   :option: yes

   Inside of it.

Uses
----

=== =====
key place
=== =====
7   root
=== =====

.. [1] The note.

References
==========

Williams 1964
"""
    document = checked(read(source.encode(), name="heap.rst"))
    body = expect_heap(document, "rst")
    order = body("Order")
    assert "See , PEP 8, heap.Entry and a title." in order
    assert "def sift(heap):\n    return heap" in order
    assert "Mind this." in order and "Inside of it." in order
    assert by_role(document, "footnote") == "The note."
    for gone in ("Somebody", "root:", "alert", "option", "Unknown"):
        assert gone not in document.text
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Order\n=====", "Uses\n----"),
        ("1. Order", "1.1. Uses"),
        ("1 Order", "1.1 Uses"),
        ("# Order", "## Uses"),
        ("ORDER", "Uses of heaps"),
    ],
)
def test_plain_headings(first: str, second: str, checked: Checked) -> None:
    wrapped = PROSE.replace(", ", ",\n").strip()
    source = f"{first}\n\n{wrapped}\n{PROSE}\n\n{second}\n\n{wrapped}\n\n{PROSE}\n"
    document = checked(read(source.encode(), name="x.txt"))
    assert len(document.sections) in (1, 2)
    found = [h.lower() for h in (document.title, *(s.heading for s in document.sections)) if h]
    assert len(found) == 2 and "order" in found[0] and "uses" in found[1]
    assert PROSE.strip() in document.text
    assert len(document.sections[-1].paragraphs) == 2


def test_plain_paragraphs_and_hyphens(checked: Checked) -> None:
    source = (
        "The entailment of a sentence is a relation that holds between two texts, and it is di-\n"
        "rectional. A left-hand side entails a right-hand side whenever the meaning of the left-\n"
        "hand side implies the meaning of the other.\n"
        "   A second paragraph begins with an indent and is directional as well, which takes two\n"
        "lines to say.\n"
        "- one item of a list\n"
        "- another item of it\n"
    )
    document = checked(read(source.encode(), name="x.txt"))
    paragraphs = [document.text[p.start : p.end] for p in document.sections[0].paragraphs]
    assert len(paragraphs) == 4
    assert (
        "it is directional. A left-hand side entails" in paragraphs[0]
        and "the left-hand side" in paragraphs[0]
    )


def test_markdown_that_is_called_text(checked: Checked) -> None:
    """Programs that turn PDFs into text write it; comments of a script are none."""
    paper = f"# **On heaps**\n\n{PROSE}\n\n## **1 Order**\n\n{PROSE}\n\n## **REFERENCES**\n\nA. Lee. 2001. Heaps.\n"
    document = checked(read(paper.encode(), name="paper.txt"))
    assert (document.format, document.title) == ("markdown", "On heaps")
    assert [s.heading for s in document.sections if s.heading] == ["1 Order", "REFERENCES"]
    assert document.sections[-1].role == "references"
    script = "# setting things up\nx = 1\n\n# more of it\ny = 2\n\n# and the end\nz = 3\n"
    assert read((script + PROSE).encode(), name="script.txt").format == "text"


def test_numbers_mend_levels_that_contradict_them(checked: Checked) -> None:
    headings = [
        "# On heaps",
        "#### Abstract",
        "## 1 Order",
        "# 1.1 Bricks",
        "#### 2 Uses",
        "## 2.1 Walls",
        "#### References",
    ]
    source = "".join(f"{h}\n\n{PROSE}\n\n" for h in headings)
    document = checked(read(source.encode(), name="x.md"))
    assert document.title == "On heaps"
    levels = [(s.heading, s.level) for s in document.sections if s.heading]
    assert levels == [
        ("Abstract", 1), ("1 Order", 1), ("1.1 Bricks", 2), ("2 Uses", 1), ("2.1 Walls", 2), ("References", 1),
    ]  # fmt: skip
    right = source.replace("# 1.1", "### 1.1").replace("#### 2 ", "## 2 ").replace("## 2.1", "### 2.1")
    kept = read(right.encode(), name="x.md")
    assert next(s.level for s in kept.sections if s.heading) == 3, (
        "where numbers and levels agree, levels stay"
    )
    steps = "".join(
        f"{h}\n\n{PROSE}\n\n" for h in ("# A", "## 1 First", "## 2 Then", "# B", "### 1 First", "### 2 Then")
    )
    counted_anew = read(steps.encode(), name="x.md")
    assert [s.level for s in counted_anew.sections] == [1, 2, 2, 1, 3, 3], "steps are counted anew"


def test_the_first_line_of_a_text_is_its_title(checked: Checked) -> None:
    source = f"On heaps and what they hold\n\n{PROSE}\n\n1. Order\n\n{PROSE}\n\n2. Uses\n\n{PROSE}\n"
    document = checked(read(source.encode(), name="x.txt"))
    assert document.title == "On heaps and what they hold"
    assert [(s.heading, s.level) for s in document.sections if s.heading] == [("1. Order", 1), ("2. Uses", 1)]


def test_pasted_text(checked: Checked) -> None:
    assert checked(read_text("Just one line.")).source == "pasted text"
    document = checked(read_text(f"# One\n\n{PROSE}\n\n## Two\n\n{PROSE}", title="Mine"))
    assert (document.title, document.format, document.sections[-1].heading) == ("Mine", "markdown", "Two")


def test_contents_are_dropped_from_plain_text() -> None:
    contents = "Contents\n\n1. Order ........ 1\n2. Uses ......... 2\n\n"
    source = f"On heaps\n\n{contents}1. Order\n\n{PROSE}\n\n2. Uses\n\n{PROSE}\n"
    document = read(source.encode(), name="x.txt")
    assert [s.heading for s in document.sections if s.heading] == ["1. Order", "2. Uses"]
    assert "...." not in document.text


def test_running_heads_of_plain_pages_are_dropped(checked: Checked) -> None:
    sentences = [
        f"Sentence {i} of this text goes on for a while and\nends only on its second line." for i in range(12)
    ]
    pages = [
        f"A Report on Heaps\n\n{a}\n\n{b}\n\n{n}\n"
        for n, (a, b) in enumerate(zip(sentences[::2], sentences[1::2], strict=True), 1)
    ]
    pages[2] = pages[2].replace("ends only on its second line.\n\n3\n", "it is cut in the middle of\n\n3\n")
    pages[3] = pages[3].replace("A Report on Heaps\n\n", "A Report on Heaps\n\nthe sentence by a page. ", 1)
    document = checked(read("\f".join(pages).encode(), name="x.txt"))
    assert "Report" not in document.text and "\f" not in document.text
    assert "in the middle of the sentence by a page." in document.text
    assert not any(line.strip().isdigit() for line in document.text.split("\n"))


def test_markdown_with_toml_and_attributes() -> None:
    document = read(
        f'+++\ntitle = "On heaps"\n+++\n\n# Order {{#order}}\n\n{PROSE}\n\n# Uses\n\n{PROSE}'.encode(),
        name="x.md",
    )
    assert (document.title, [s.heading for s in document.sections]) == ("On heaps", ["Order", "Uses"])


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x.md", "# Closed for the flood\n", "Closed for the flood"),
        ("x.md", "---\ntitle: Notices\n---\n\n# Closed for the flood\n", "Closed for the flood"),
        ("x.md", "# Notices\n\n## Closed for the flood\n", "Closed for the flood"),
        ("x.txt", "Closed for the flood\n====================\n", "Closed for the flood"),
        ("x.rst", "Closed for the flood\n====================\n", "Closed for the flood"),
        ("x.html", "<title>Notices</title><h1>Closed for the flood</h1>", "Closed for the flood"),
        ("x.html", "<h1>Closed</h1><h1>Until May</h1>", "Closed Until May"),
    ],
)
def test_headings_with_nothing_below_them_are_text(name: str, text: str, expected: str) -> None:
    document = colde.read(text.encode(), name=name, sandbox=False)
    assert " ".join(document.text[s.start : s.end] for _, s in document.sentences()) == expected


def test_a_file_with_a_title_alone_is_refused_with_it() -> None:
    with pytest.raises(ReadError, match="no text in it but its title, “Notices”"):
        colde.read(b"<title>Notices</title><body></body>", name="x.html", sandbox=False)
