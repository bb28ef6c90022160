"""Result files: never over an input, all or none, standard output whole, nothing that steers a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import pytest

from colde.cli import main, output_files
from colde.cli.output_files import check_outputs, escape_control_characters, print_json, write_files

TEXT = "The keeper wound the clock and trimmed the lamp before the fog came in over the bar. " * 4


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text(TEXT, encoding="utf-8")
    b.write_text(TEXT + "Bread was baked.", encoding="utf-8")
    return a, b


@pytest.mark.parametrize("option", ["--json", "--html"])
@pytest.mark.parametrize("link", ["same", "symbolic", "hard", "other spelling"])
def test_an_output_that_is_an_input_is_refused(
    option: str, link: str, pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = pair
    target = a
    if link == "symbolic":
        target = a.with_name("link.txt")
        target.symlink_to(a)
    elif link == "hard":
        target = a.with_name("hard.txt")
        os.link(a, target)
    elif link == "other spelling":
        target = a.parent / ".." / a.parent.name / a.name
    assert main(["compare", str(b), str(a), "--model", "tfidf", option, str(target)]) == 2
    assert "is an input and would be overwritten" in capsys.readouterr().err
    assert a.read_text("utf-8") == TEXT


def test_tables_do_not_overwrite_an_input(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = pair
    (a.parent / "scores.csv").symlink_to(a)
    assert main(["compare", str(a), str(b), "--model", "tfidf", "--csv", str(a.parent)]) == 2
    assert "scores.csv is an input" in capsys.readouterr().err
    assert a.read_text("utf-8") == TEXT
    assert not (a.parent / "evidence.csv").exists()


def test_a_corpus_its_pairs_and_a_reference_are_inputs(tmp_path: Path) -> None:
    (tmp_path / "old.html").write_text("x", encoding="utf-8")
    with pytest.raises(click.UsageError, match=r"old\.html is an input"):
        check_outputs((tmp_path,), tmp_path / "old.html")
    check_outputs((tmp_path,), tmp_path / "new.html")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("source\ttarget\n", encoding="utf-8")
    status = main(
        [
            "score",
            "--corpus",
            str(tmp_path),
            "--pairs",
            str(pairs),
            "--model",
            "tfidf",
            "--output",
            str(pairs),
        ]
    )
    assert status == 2 and pairs.read_text("utf-8") == "source\ttarget\n"
    config = tmp_path / "config.json"
    config.write_text("{}", encoding="utf-8")
    arguments = [
        "train",
        "tfidf",
        "--corpus",
        str(tmp_path),
        "--config",
        str(config),
        "--output",
        str(tmp_path),
    ]
    assert main(arguments) == 2 and config.read_text("utf-8") == "{}"


def test_two_results_in_one_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match="two results"):
        check_outputs((), tmp_path / "x", tmp_path / "." / "x")


def test_several_files_are_written_all_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").write_text("old", encoding="utf-8")

    def full(path: Path, content: str | bytes) -> Path:
        if path.name == "three":
            raise OSError(28, "No space left on device")
        return beside(path, content)

    beside = output_files._write_temporary
    monkeypatch.setattr(output_files, "_write_temporary", full)
    with pytest.raises(click.UsageError, match="three cannot be written: No space left on device"):
        write_files((tmp_path / name, "new") for name in ("one", "two", "three"))
    assert [p.name for p in tmp_path.iterdir()] == ["one"] and (tmp_path / "one").read_text("utf-8") == "old"
    write_files((tmp_path / name, "new") for name in ("one", "two"))
    assert (tmp_path / "two").read_text("utf-8") == "new" == (tmp_path / "one").read_text("utf-8")


def test_a_file_is_written_before_the_next_is_made(tmp_path: Path) -> None:
    """Of many large tables one is in memory at a time; of a long text one piece."""
    seen: list[int] = []

    def written() -> int:
        return sum(p.stat().st_size for p in tmp_path.iterdir())

    def files() -> Iterator[tuple[Path, str | Iterable[str]]]:
        yield tmp_path / "one", ("1234", "5678")
        seen.append(written())
        yield tmp_path / "two", "90"

    write_files(files())
    assert seen == [8] and written() == 10
    assert (tmp_path / "one").read_text("utf-8") == "12345678"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full disk to try")
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_full_disk_behind_standard_output_is_an_error(buffered: str, pair: tuple[Path, Path]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "colde", "read", str(pair[0]), "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONUNBUFFERED": buffered},
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("colde: standard output cannot be written: No space left")


class Narrow:
    """An unbuffered stream that takes some bytes at a time, and then no more."""

    def __init__(self, room: int) -> None:
        self.room, self.taken = room, b""
        self.buffer = self

    def write(self, data: memoryview) -> int:
        some = bytes(data[: min(self.room, 10)])
        self.room -= len(some)
        self.taken += some
        return len(some)

    def flush(self) -> None:
        pass


def test_what_is_taken_in_parts_is_written_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Narrow(1_000)
    monkeypatch.setattr(sys, "stdout", stream)
    print_json('"' + 50 * "x" + '"')
    assert stream.taken == b'"' + 50 * b"x" + b'"\n'
    monkeypatch.setattr(sys, "stdout", Narrow(25))
    with pytest.raises(click.UsageError, match="it takes no more"):
        print_json('"' + 50 * "x" + '"')


def test_json_cannot_steer_a_terminal(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    text = "Fog \x9b31m came \u202e in \u2066 over \u061c the bar. " * 8
    file = tmp_path / "a.html"
    file.write_text(f"<meta charset='utf-8'><p>{text.replace(chr(0x9B), '&#x9b;')}</p>", encoding="utf-8")
    assert main(["read", str(file), "--json", "--quiet"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert not any(c in shown for c in "\x9b\u202e\u2066\u061c")
    assert "\u202e" in json.loads(shown)["text"]
    assert json.loads(escape_control_characters(json.dumps(text, ensure_ascii=False))) == text


def test_a_device_or_a_pipe_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    for endless in ("/dev/zero", str(pipe)):
        assert main(["read", endless]) == 3
        assert "this is no regular file [unsupported]" in capsys.readouterr().err


def test_a_file_that_grows_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import colde
    from colde.errors import ReadError
    from colde.ingest.reading_limits import Limits

    file = tmp_path / "a.txt"
    file.write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr("colde.ingest.stat.S_ISREG", lambda mode: True)
    with pytest.raises(ReadError) as error:  # says it has no size, and never ends
        colde.read("/dev/zero", limits=Limits(file_bytes=1_000))
    assert error.value.reason == "too_large"
