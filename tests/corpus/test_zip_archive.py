"""A zip that somebody uploads: what is in it by its own name, and no more than is allowed."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from colde.errors import ReadError
from colde.ingest.files.zip_archive import MAX_FILES, unzip_files


def packed(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return buffer.getvalue()


def reason(data: bytes, most: int = 10_000) -> str:
    with pytest.raises(ReadError) as refused:
        list(unzip_files(data, "a.zip", most))
    return refused.value.reason


def test_files_come_by_their_own_names_and_hidden_ones_do_not() -> None:
    inner = packed({"c.txt": b"c"})
    names = {
        "b/../../../etc/b.txt": b"b",
        "/a.txt": b"a",
        "d\\e.txt": b"e",
        ".hidden": b"",
        "__MACOSX/a.txt": b"",
        "in.zip": inner,
    }
    assert sorted(unzip_files(packed(names), "a.zip", 10_000)) == [
        ("a.txt", b"a"),
        ("b.txt", b"b"),
        ("e.txt", b"e"),
        ("in.zip", inner),
    ]


def test_a_bomb_is_refused_by_what_comes_out_of_it_whatever_it_says() -> None:
    bomb = packed({"zeros.txt": bytes(50_000_000)})
    assert len(bomb) < 100_000 and reason(bomb) == "too_large"
    said = bytearray(bomb)
    for mark, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):  # both places say how large the file is
        at = said.index(mark)
        said[at + offset : at + offset + 4] = struct.pack("<I", 10)
    assert reason(bytes(said)) in ("too_large", "corrupt")
    assert reason(packed({f"{i}.txt": b"" for i in range(MAX_FILES + 1)})) == "too_large"


def test_all_files_together_count() -> None:
    three = packed({f"{i}.txt": bytes(4_000) for i in range(3)})
    assert reason(three) == "too_large"
    assert len(list(unzip_files(three, "a.zip", 12_000))) == 3


def test_what_is_broken_or_locked_says_so() -> None:
    whole = packed({"a.txt": b"The tide turns twice a day. " * 40})
    assert reason(b"PK no zip") == "corrupt"
    assert reason(whole[:-30]) == "corrupt"
    broken = bytearray(whole)
    broken[40:60] = b"\xff" * 20
    assert reason(bytes(broken)) == "corrupt"
    locked = bytearray(whole)
    at = locked.index(b"PK\x01\x02")
    locked[at + 8] |= 1
    assert reason(bytes(locked)) == "encrypted"
