"""What belongs to a session stays in it."""

from __future__ import annotations

from dataclasses import replace

from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.state import Request

A = Source("a.txt", b"one text")


def test_the_digest_tells_apart_whatever_changes_the_reading() -> None:
    others = [
        replace(A, name="a.md"),
        replace(A, data=b"another text"),
        replace(A, pasted=True),
        replace(A, password="secret"),
    ]
    assert len({source.digest for source in (A, *others)}) == 5
    assert Source("a.txt", b"one text").digest == A.digest


def test_the_key_of_a_request_is_content_and_settings() -> None:
    b = Source("b.txt", b"two texts")
    request = Request(A, b, ("colde", "tfidf"), "general")
    assert Request(A, b, ("colde", "tfidf"), "general").key == request.key
    others = [
        Request(b, A, ("colde", "tfidf"), "general"),
        Request(A, b, ("tfidf", "colde"), "general"),
        Request(A, b, ("colde", "tfidf"), "papers"),
        Request(A, b, ("colde", "tfidf"), "general", encoder="multilingual"),
    ]
    assert len({request.key, *(other.key for other in others)}) == 1 + len(others)


def test_neither_text_nor_password_is_printed() -> None:
    shown = repr(replace(A, password="secret"))
    assert "one text" not in shown and "secret" not in shown


def test_a_pdf_is_told_by_its_content() -> None:
    assert Source("x.bin", b"%PDF-1.7 ...").is_pdf
    assert not Source("x.pdf", b"no such thing").is_pdf
