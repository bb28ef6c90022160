"""The reading process: what it may cost, what happens when it dies, and that threads share it safely."""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import Raw

from colde.errors import ReadError, ReadingStopped
from colde.ingest import Limits, read, sandbox
from colde.ingest.sandbox import process_pool
from colde.ingest.sandbox.process_pool import Reader, ReaderPool
from colde.ingest.sandbox.protocol import Answer, pack, unpack
from colde.strict_json import JsonError
from colde.text.document import Box, Document, ReadWarning, Section, Sentence, Span
from tests.ingest.docx_samples import zipped
from tests.ingest.generated.writers import WRITERS, whole_file
from tests.programs import run_python

pytestmark = pytest.mark.slow

PROSE = "A heap keeps its smallest entry at the root. " * 5


@pytest.fixture
def empty_pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[ReaderPool]:
    """A pool of this test alone, closed at its end."""
    readers = ReaderPool()
    monkeypatch.setattr(process_pool, "_pool", readers)
    yield readers
    readers.close()


@pytest.fixture(scope="module")
def kept() -> Iterator[list[Reader]]:
    """Readers that still work after a test: starting one takes seconds."""
    readers: list[Reader] = []
    yield readers
    for reader in readers:
        reader.close()


@pytest.fixture
def pool(empty_pool: ReaderPool, kept: list[Reader]) -> Iterator[ReaderPool]:
    """A pool of this test alone with the readers that the test before has left."""
    empty_pool.idle.extend(kept)
    kept.clear()
    yield empty_pool
    kept.extend(empty_pool.idle)
    empty_pool.idle.clear()


def _reader(pool: ReaderPool) -> Reader:
    return pool.idle[-1]


def test_same_document_as_in_this_process(pool: ReaderPool) -> None:
    data = f"# One\n\n{PROSE}\n\n## Two\n\n{PROSE}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n".encode()
    assert read(data, name="x.md", sandbox=True) == read(data, name="x.md", sandbox=False)


def test_one_child_serves_many_files(pool: ReaderPool) -> None:
    read(PROSE.encode(), name="a.txt", sandbox=True)
    first = _reader(pool).process.pid
    for name in ("b.txt", "c.html", "d.rst"):
        read(PROSE.encode(), name=name, sandbox=True)
    assert _reader(pool).process.pid == first


def test_warming_up_starts_the_child_that_reads(empty_pool: ReaderPool) -> None:
    sandbox.warm_up()
    started = _reader(empty_pool)
    read(PROSE.encode(), name="a.txt", sandbox=True)
    assert _reader(empty_pool) is started


def test_the_child_never_imports_torch(pool: ReaderPool) -> None:
    read(PROSE.encode(), name="a.txt", sandbox=True)
    maps = Path(f"/proc/{_reader(pool).process.pid}/maps")
    if not maps.exists():
        pytest.skip("needs /proc")
    assert "libtorch" not in maps.read_text("utf-8")


def test_a_crash_is_an_error_and_the_next_file_is_read(pool: ReaderPool) -> None:
    read(PROSE.encode(), name="a.txt", sandbox=True)
    child = _reader(pool)
    os.kill(child.process.pid, signal.SIGSTOP)  # hold it, so that it dies with the question in its pipe
    threading.Timer(0.2, child.process.kill).start()
    with pytest.raises(ReadError) as caught:
        read(PROSE.encode(), name="b.txt", sandbox=True)
    assert caught.value.reason == "corrupt" and "crashed" in str(caught.value)
    assert read(PROSE.encode(), name="c.txt", sandbox=True).words() > 20


def test_a_child_that_died_between_files_is_replaced(pool: ReaderPool) -> None:
    read(PROSE.encode(), name="a.txt", sandbox=True)
    child = _reader(pool)
    child.process.kill()
    child.process.wait()
    assert read(PROSE.encode(), name="b.txt", sandbox=True).words() > 20


def test_time_is_limited(pool: ReaderPool) -> None:
    read(PROSE.encode(), name="a.txt", sandbox=True)
    os.kill(_reader(pool).process.pid, signal.SIGSTOP)
    with pytest.raises(ReadError) as caught:
        read(PROSE.encode(), name="b.txt", sandbox=True, limits=Limits(seconds=0.3))
    assert caught.value.reason == "too_large" and "0.3 seconds" in str(caught.value)
    assert read(PROSE.encode(), name="c.txt", sandbox=True).words() > 20


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux only")
def test_memory_is_limited(pool: ReaderPool) -> None:
    big = ("word " * 200 + "\n\n").encode() * 4000
    with pytest.raises(ReadError) as caught:
        read(big, name="a.txt", sandbox=True, limits=Limits(memory=2**20))
    assert caught.value.reason == "too_large" and "memory" in str(caught.value)
    assert read(PROSE.encode(), name="c.txt", sandbox=True).words() > 20


def test_threads(pool: ReaderPool) -> None:
    def one(i: int) -> bool:
        return (
            f"number {i} "
            in read(f"This is text number {i} here.\n\n{PROSE}".encode(), name="x.txt", sandbox=True).text
        )

    with ThreadPoolExecutor(process_pool.WARM_PROCESSES + 1) as threads:
        assert all(threads.map(one, range(20)))
    assert len(pool.idle) <= process_pool.WARM_PROCESSES


def test_the_environment_of_the_child_holds_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "secret")
    assert "secret" not in process_pool.environment().values()


def test_what_a_child_says_is_checked(pool: ReaderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Reader,
        "exchange",
        lambda *_: Answer(document=Raw(packed(Document("x", (Section(0, 9),))))),
    )
    with pytest.raises(ReadError):
        read(PROSE.encode(), name="a.txt", sandbox=True)


@pytest.mark.parametrize(
    "said",
    [
        '{"error": []}',
        '{"error": ["x", "wrong", "y", "z"]}',
        '{"error": ["x", "corrupt", 3, ""]}',
        '{"error": "four"}',
        '{"document": {"text": "\\ud800"}}',
        '{"document": {"text": "x", "pages": 1e999}}',
        '{"document": ' + "[" * 100_000,
        "{}",
        "[]",
    ],
)
def test_an_answer_of_another_form_is_a_crash(
    said: str, empty_pool: ReaderPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_pool, "_read_exactly", _answers(said.encode()))
    with pytest.raises(ReadingStopped, match="crashed"):
        read(PROSE.encode(), name="a.txt", sandbox=True)


def _answers(body: bytes) -> Callable[[object, int], bytes]:
    """In place of `_read_exactly`: this answer of a fork that ends well."""
    parts = iter([len(body).to_bytes(4, "little"), body, bytes(4), process_pool.ANSWER_END.pack(0, 0)])
    return lambda pipe, size: next(parts)


def test_a_file_waits_for_a_place_but_not_for_ever(pool: ReaderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(process_pool.MAX_PROCESSES):
        assert pool.free_places.acquire(blocking=False)
    with pytest.raises(ReadingStopped) as caught:
        read(PROSE.encode(), name="a.txt", sandbox=True, limits=Limits(seconds=0.1))
    assert caught.value.reason == "busy" and "try again" in str(caught.value)
    for _ in range(process_pool.MAX_PROCESSES):
        pool.free_places.release()


def test_slow_files_leave_room_for_others(pool: ReaderPool) -> None:
    """Two files that never end, and a third is read meanwhile."""
    read(PROSE.encode(), name="a.txt", sandbox=True)
    held = [pool.reader("slow", Limits()) for _ in range(2)]
    for place in held:
        place.__enter__()
    assert read(PROSE.encode(), name="b.txt", sandbox=True).words() > 20
    for place in held:
        place.__exit__(None, None, None)
    assert len(pool.idle) == process_pool.WARM_PROCESSES


def packed(document: Document) -> bytes:
    return json.dumps(pack(document)).encode()


def test_documents_are_checked_when_they_are_unpacked() -> None:
    sentence = Sentence(3, 5, (Box(1, 0.5, 1.0, 2.0, 3.0),))
    document = Document(
        "A\n\nbc", (Section(0, 5, 3, "A", 2, "references", (sentence,), (Span(3, 5),)),),
        "t", "s", "pdf", 3, ((1.0, 2.0),), "en", (ReadWarning("w", ((1, 2),)),),
    )  # fmt: skip
    assert unpack(packed(document)) == document
    for faulty in (
        replace(document, text="A"),
        replace(document, sections=(Section(0, 5, 6),)),
        replace(document, sections=(Section(0, 5, 3, sentences=(Sentence(2, 5),)),)),
        replace(document, sections=(Section(0, 5, role="other"),)),  # type: ignore[arg-type]
        replace(document, title=3),  # type: ignore[arg-type]
        replace(document, warnings=(ReadWarning("w", ((1, 2, 3),)),)),  # type: ignore[arg-type]
    ):
        with pytest.raises(JsonError):
            unpack(packed(faulty))
    with pytest.raises(JsonError, match="sections"):
        unpack(b'{"text": "x"}')


def test_file_size_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"word " * 1000)
    for source in (path, path.read_bytes()):
        with pytest.raises(ReadError) as caught:
            read(source, name="big.txt", limits=Limits(file_bytes=4000))
        assert caught.value.reason == "too_large"


def test_characters_are_limited() -> None:
    with pytest.raises(ReadError) as caught:
        read(b"word " * 1000, name="x.txt", limits=Limits(characters=4000), sandbox=False)
    assert caught.value.reason == "too_large"


@pytest.mark.parametrize("name", ["x.txt", "x.html"])
def test_a_long_text_is_too_large_and_not_damaged(name: str, pool: ReaderPool) -> None:
    """One paragraph, refused before it is split into sentences."""
    with pytest.raises(ReadError, match="599,999 characters") as caught:
        read(b"some word " * 60_000, name=name, sandbox=True, limits=Limits(characters=500_000))
    assert caught.value.reason == "too_large"


@pytest.mark.parametrize("name", ["x.txt", "x.md", "x.rst"])
def test_far_too_many_bytes_of_text_are_not_even_decoded(name: str) -> None:
    with pytest.raises(ReadError, match="30 MB of text are more than 5,000,000 characters") as caught:
        read(b"some word " * 3_000_000, name=name, sandbox=False)
    assert caught.value.reason == "too_large"


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"word/document.xml": b"<x>" + b" " * 30_000_000}, "too_large"),
        ({"word/document.xml": b"<x/>"} | {f"word/{i}.xml": b"" for i in range(10_001)}, "too_large"),
        ({"word/document.xml": b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'}, "corrupt"),
        ({"word/document.xml": b"<x/>"}, "corrupt"),
        ({"other.txt": b"x"}, "corrupt"),
    ],
)
def test_bad_archives(parts: dict[str, bytes], reason: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(zipped(parts), name="x.docx", sandbox=False)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"", "x.txt", "empty"),
        (b" \n ", "x.md", "empty"),
        (b"\x89PNG\r\n\x1a\n....", "x.txt", "unsupported"),
        (b"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "x.ods", "unsupported"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "x.doc", "unsupported"),
        (b"\xd0\xcf\x11\xe0" + b"\x00" * 60 + "EncryptedPackage".encode("utf-16-le"), "x.docx", "encrypted"),
        (b"no zip at all", "x.docx", "corrupt"),
        (bytes(range(256)) * 20, "x.txt", "not_text"),
        (b"no pdf at all", "x.pdf", "corrupt"),
    ],
)
def test_reasons(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(data, name=name, sandbox=False)
    assert (caught.value.reason, caught.value.source) == (reason, name)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(ReadError) as caught:
        read(tmp_path / "nothing.pdf")
    assert (
        str(caught.value) == "nothing.pdf: there is no such file [not_found]: check the name and the folder"
    )
    with pytest.raises(ReadError) as caught:
        read(tmp_path)
    assert caught.value.reason == "unsupported"


def test_a_name_cannot_break_the_line() -> None:
    with pytest.raises(ReadError) as caught:
        read(b"", name="../a\nb\u202egpj.txt")
    assert caught.value.source == "abgpj.txt"


LIGHT = """
import base64, json, sys
import colde.ingest
print([m for m in sys.argv[1].split() if m in sys.modules])
from colde.ingest import Limits, parsing
from colde.ingest.sandbox import fork_server
from colde.text.words import word_pattern
files = json.load(sys.stdin)
fork_server.load()
print(word_pattern.cache_info().currsize)
for name in files:
    fork_server.load_libraries(name)
loaded = set(sys.modules)
for name, data in files.items():
    parsing.parse(base64.b64decode(data), name, None, Limits())
print([m for m in sys.modules if m not in loaded and not m.startswith("encodings.")])
"""


def test_reading_is_light_and_a_fork_has_nothing_left_to_load() -> None:
    """Importing the front door brings no parser; a process that forks has loaded all that its forks need."""
    heavy = "torch spacy transformers docutils docx selectolax lxml numpy"
    files = {f"x{w.suffix}": base64.b64encode(whole_file(w)).decode("ascii") for w in WRITERS}
    printed = run_python("-c", LIGHT, heavy, given=json.dumps(files))
    assert printed.splitlines() == ["[]", "1", "[]"]
