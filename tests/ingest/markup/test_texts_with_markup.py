"""Saved pages, notebooks, subtitles, LaTeX and XML: read as what they are, or refused by name."""

from __future__ import annotations

import base64
import json
import plistlib

import pytest

import colde
from colde.errors import ReadError
from colde.ingest import read
from colde.text.document import Document

PROSE = "A heap keeps its smallest entry at the root, and every parent is no larger than its children."


def of(name: str, text: str) -> Document:
    return read(text.encode(), name=name)


def parts(document: Document) -> list[tuple[str | None, str | None, str]]:
    """Heading, role and text of each section."""
    return [(s.heading, s.role, document.text[s.body : s.end]) for s in document.sections]


def test_the_page_that_a_message_names_as_its_start_is_read() -> None:
    page = base64.b64encode(f"<h1>Куча</h1><p>{PROSE}".encode("cp1251")).decode()
    document = of(
        "x.mht",
        'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"; start="<m>"\r\n\r\n--b\r\n'
        "Content-Type: text/html\r\nContent-ID: <f>\r\n\r\n<p>A frame.\r\n--b\r\nContent-ID: <m>\r\n"
        f'Content-Type: text/html; charset="windows-1251"\r\nContent-Transfer-Encoding: base64\r\n'
        f"\r\n{page}\r\n--b--\r\n",
    )
    assert (document.format, document.title, document.text) == ("mhtml", "Куча", PROSE)


def test_lines_that_look_like_headers_take_little_time() -> None:
    assert of("x.txt", "a: b\n" + (" " * 60 + "c\n") * 120 + PROSE).text.endswith(PROSE)


@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_a_mail_is_read_without_its_headers(kind: str) -> None:
    document = of(
        "x.eml",
        "Received: by x\nFrom: Ann <a@example>\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n"
        f"--b\nContent-Type: {kind}; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        f"{PROSE} Caf=C3=A9.\n--b--\n",
    )
    assert document.text == f"{PROSE} Café."


def test_a_web_archive_of_safari_is_read() -> None:
    resource = {"WebResourceData": f"<p>{PROSE}".encode(), "WebResourceTextEncodingName": "UTF-8"}
    data = plistlib.dumps({"WebMainResource": resource}, fmt=plistlib.FMT_BINARY)
    assert read(data, name="x.webarchive").text == PROSE


@pytest.mark.parametrize("old", [False, True])
def test_the_text_of_a_notebook_is_read_and_its_code_is_counted(old: bool) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Order\n", "\n", PROSE]},
        {"cell_type": "code", "source": "x = 1", "outputs": []},
        {"cell_type": "markdown", "source": "# Uses\n\nQueues of *tasks*."},
    ]
    document = of("x.ipynb", json.dumps({"worksheets": [{"cells": cells}]} if old else {"cells": cells}))
    assert parts(document) == [("Order", None, PROSE), ("Uses", None, "Queues of tasks.")]
    assert "1 cell with code was left out" in str(document.warnings[0])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.srt", "\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>A heap</i> keeps\r\n\r\n2\r\n"
         "00:00:02,000 --> 00:00:03,000\r\norder.\r\n"),
        ("x.txt", "1\n00:00:01,000 --> 00:00:02,000\nA heap\n\n2\n00:00:02,000 --> 00:00:03,000\nkeeps order.\n"),
        ("x.vtt", "WEBVTT\n\nNOTE\nnot said\n\na\n00:01.000 --> 00:02.000 align:end\n<v Ann>A heap keeps\n\nb\n"
         "00:02.000 --> 00:03.000\n<v Ann>order.\n"),
        ("x.sbv", "0:00:01.000,0:00:02.000\nA heap keeps\n\n0:00:02.000,0:00:03.000\norder.\n"),
        ("x.sub", "{1}{25}{y:i}A heap keeps|order.\n"),
        ("x.lrc", "[ti:Heaps]\n[00:01.50]A heap keeps\n[00:02.50]order.\n"),
        ("x.ttml", '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div>'
         '<p begin="1s">A heap<br/>keeps</p><p begin="2s">order.</p></div></body></tt>'),
        ("x.ass", "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}A heap keeps\\Norder.\n"),
    ],
)  # fmt: skip
def test_subtitles_are_joined_into_sentences(name: str, text: str) -> None:
    assert of(name, text).text == "A heap keeps order."


def test_captions_that_roll_up_are_read_once_and_speakers_are_apart() -> None:
    times = [f"00:0{i}.000 --> 00:0{i + 1}.000\n" for i in range(5)]
    lines = ["a heap", "a heap\nkeeps", "keeps\norder", "order\nalways"]
    document = of("x.vtt", "WEBVTT\n\n" + "\n\n".join(t + x for t, x in zip(times, lines, strict=False)))
    assert document.text == "a heap keeps order always"
    two = of("x.vtt", f"WEBVTT\n\n{times[0]}<v Ann>Who?\n\n{times[1]}<v Bob>Me.\n\n{times[2]}- You?\n- Yes.")
    assert two.text.split("\n\n") == ["Who?", "Me.", "You?", "Yes."]


def test_a_title_above_a_single_section_stays_the_title() -> None:
    document = of(
        "x.xml",
        f"<?xml version='1.0'?><article><title>T</title><section><title>Order</title><para>{PROSE}</para>"
        "<section><title>Uses</title><para>Queues.</para></section></section></article>",
    )
    assert (document.title, [s.heading for s in document.sections]) == ("T", ["Order", "Uses"])


def test_prose_about_captions_is_no_subtitle() -> None:
    prose = f"WEBVTT is a format of captions with --> between times. {PROSE}"
    assert of("x.txt", prose).text == prose


def test_quotations_of_docbook_have_marks() -> None:
    text = "A <quote>heap <emphasis>of</emphasis></quote>."
    book = f"<book><chapter><title>One</title><para>{text}</para></chapter></book>"
    assert of("x.xml", f"<?xml version='1.0'?>{book}").text == "A “heap of”."


def test_latex_gives_text_without_the_preamble() -> None:
    document = of(
        "x.tex",
        r"\documentclass{article}\newcommand{\x}{y}\title[x]{The \emph{Heap}\thanks{Gone.}}\begin{document}\maketitle"
        r"\section{Order}\label{o} "
        + PROSE
        + r"~\cite{k}\footnote{A note.} It takes 5\,\% \texttt{a\_b} caf\'e.% gone"
        "\n\n\\begin{itemize}\\item one \\item two\\end{itemize}\\begin{figure}\\caption{A tree.}\\end{figure}"
        r"\input{more}\section*{End}\begin{thebibliography}{9}\bibitem{k} Ann, 1999.\end{thebibliography}"
        r"\end{document}",
    )
    assert document.title == "The Heap"
    assert parts(document) == [
        ("Order", None, f"{PROSE} It takes 5 % a_b café.\n\none\n\ntwo"),
        (None, "footnote", "A note."),
        (None, "caption", "A tree."),
        ("End", None, ""),
        (None, "references", "Ann, 1999."),
    ]
    assert "more" in str(document.warnings[0])


@pytest.mark.parametrize(
    "text",
    [
        "<article><title>T</title><section><title>Order</title><para>{}<footnote><para>A note.</para></footnote></para>"
        "</section><section><title>Uses</title><para>Queues.</para></section></article>",
        "<article><front><article-meta><title-group><article-title>T</article-title></title-group></article-meta></front>"
        "<body><sec><title>Order</title><p>{}<fn><p>A note.</p></fn></p></sec>"
        "<sec><title>Uses</title><p>Queues.</p></sec></body></article>",
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt></fileDesc>"
        "</teiHeader><text><body><div><head>Order</head><p>{}<note>A note.</note></p></div><div><head>Uses</head>"
        "<p>Queues.</p></div></body></text></TEI>",
    ],
)
def test_kinds_of_xml_are_told_apart(text: str) -> None:
    document = of("x.xml", '<?xml version="1.0"?>' + text.format(PROSE))
    assert document.title == "T"
    assert parts(document) == [
        ("Order", None, PROSE),
        (None, "footnote", "A note."),
        ("Uses", None, "Queues."),
    ]


def test_declared_entities_are_read_and_do_not_grow() -> None:
    declared = '<!DOCTYPE book SYSTEM "x.dtd" [<!ENTITY a "Heap"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    document = of(
        "x.xml",
        f"{declared}<book><chapter><title>One</title><para>&a; &b;&f;&eacute;x</para></chapter></book>",
    )
    assert document.text.endswith("Heap HeapHeap éx")


@pytest.mark.parametrize(
    ("name", "text", "reason", "said"),
    [
        ("x.xml", "<?xml version='1.0'?><svg/>", "unsupported", "of a kind that is not known .svg."),
        ("x.xml", "<?xml version='1.0'?><book><a></book>", "corrupt", "not well-formed XML"),
        ("x.ipynb", '{"cells": [', "corrupt", "not valid JSON"),
        ("x.srt", "Nothing is said here.", "corrupt", "no subtitle with a time"),
        ("x.mhtml", "Nothing is here.", "corrupt", "the saved file contains no page"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(name: str, text: str, reason: str, said: str) -> None:
    with pytest.raises(ReadError, match=said) as caught:
        of(name, text)
    assert caught.value.reason == reason


def test_a_name_in_an_error_steers_nothing() -> None:
    with pytest.raises(ReadError) as caught:
        colde.read(
            "<?xml version='1.0'?><con\u200dfig\U000e0041><a/></con\u200dfig\U000e0041>".encode(),
            name="x.xml",
        )
    assert str(caught.value).isprintable() and "kind that is not known" in caught.value.what
