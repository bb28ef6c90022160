"""What belongs to a session stays in it."""

from __future__ import annotations

from dataclasses import replace
from threading import Barrier

import pytest
from colde_explorer_app.session import session_documents
from colde_explorer_app.session.document_source import SIDES, Source
from colde_explorer_app.session.state import Request

from colde.errors import ReadingStopped
from colde.text.document import Document
from tests.patience import PATIENCE

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


def test_two_files_are_read_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Barrier(2)

    def parse(source: Source) -> Document:
        both.wait(PATIENCE)
        return Document(source.name, ())

    monkeypatch.setattr(session_documents, "_read", parse)
    monkeypatch.setattr(session_documents, "_with_edits", session_documents._with_edits.__wrapped__)
    pair = [Source(f"{side}.txt", side.encode(), bundled=True) for side in SIDES]
    session_documents.read_ahead([*pair, None])
    assert [session_documents.read(source).text for source in pair] == ["a.txt", "b.txt"]


def test_a_file_whose_reading_was_stopped_is_read_again_only_when_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([ReadingStopped("a.txt", "busy", "others are read", "wait"), Document("text", ())])

    def parse(source: Source) -> Document:
        answer = next(answers)
        if isinstance(answer, ReadingStopped):
            raise answer
        return answer

    monkeypatch.setattr(session_documents, "_read", parse)
    monkeypatch.setattr(session_documents, "_with_edits", session_documents._with_edits.__wrapped__)
    source = Source("stopped.txt", b"stopped", bundled=True)
    assert isinstance(session_documents.read(source), ReadingStopped)
    session_documents.read_ahead([source])
    assert isinstance(session_documents.read(source), ReadingStopped)
    session_documents.read_again(source)
    assert isinstance(session_documents.read(source), Document)
