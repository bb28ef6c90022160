"""Result files: never over an input, all or none, standard output complete, nothing that steers a terminal."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import pytest

import colde
from colde.assets import asset
from colde.cli.output_files import check_outputs, escape_control_characters, print_json, write_files
from colde.errors import ReadError
from colde.ingest.reading_limits import Limits
from colde.report.tables.csv_tables import file_stems
from tests.cli.conftest import LIGHTHOUSE
from tests.programs import Run

NO_SPACE = "No space left on device"


@pytest.mark.parametrize("option", ["--json", "--html"])
@pytest.mark.parametrize("link", ["same", "symbolic", "hard", "other spelling"])
def test_an_output_that_is_an_input_is_refused(
    run: Run, option: str, link: str, pair: tuple[Path, Path]
) -> None:
    a, b = pair
    target = {"same": a, "other spelling": a.parent / ".." / a.parent.name / a.name}.get(
        link, a.with_name(link)
    )
    if link == "symbolic":
        target.symlink_to(a)
    elif link == "hard":
        os.link(a, target)
    status, _, err = run("compare", b, a, "--model", "tfidf", option, target)
    assert status == 2 and "is an input and would be overwritten" in err
    assert a.read_text("utf-8") == LIGHTHOUSE


def test_tables_do_not_overwrite_an_input(run: Run, pair: tuple[Path, Path]) -> None:
    a, b = pair
    (a.parent / "scores.csv").symlink_to(a)
    status, _, err = run("compare", a, b, "--model", "tfidf", "--csv", a.parent)
    assert status == 2 and "scores.csv is an input" in err
    assert a.read_text("utf-8") == LIGHTHOUSE and not (a.parent / "passages.csv").exists()


@pytest.mark.parametrize(
    "line",
    [
        "score --corpus {folder} --pairs {file} --model tfidf --output {file}",
        "train tfidf --corpus {folder} --config {folder}/config.json --output {folder}",
    ],
)
def test_pairs_and_settings_are_inputs(run: Run, tmp_path: Path, line: str) -> None:
    texts = {"pairs.tsv": "source\ttarget\n", "config.json": "{}"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(*line.format(folder=tmp_path, file=tmp_path / "pairs.tsv").split())[0] == 2
    assert {p.name: p.read_text("utf-8") for p in tmp_path.iterdir()} == texts


def test_files_of_an_input_folder_and_one_file_for_two_results_are_refused(tmp_path: Path) -> None:
    (tmp_path / "old.html").write_text("x", encoding="utf-8")
    with pytest.raises(click.UsageError, match=r"old\.html is an input"):
        check_outputs((tmp_path,), tmp_path / "old.html")
    check_outputs((tmp_path,), tmp_path / "new.html")
    with pytest.raises(click.UsageError, match="two results"):
        check_outputs((), tmp_path / "x", tmp_path / "." / "x")


def test_several_files_are_written_all_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").write_text("old", encoding="utf-8")
    written: list[int] = []

    def fill_disk(file: int) -> None:
        written.append(file)
        if len(written) == 3:
            raise OSError(28, NO_SPACE)

    with (
        monkeypatch.context() as patch,
        pytest.raises(click.UsageError, match=f"three cannot be written: {NO_SPACE}"),
    ):
        patch.setattr(os, "fsync", fill_disk)
        write_files((tmp_path / name, "new") for name in ("one", "two", "three"))
    assert {p.name: p.read_text("utf-8") for p in tmp_path.iterdir()} == {"one": "old"}
    write_files((tmp_path / name, "new") for name in ("one", "two"))
    assert {p.name: p.read_text("utf-8") for p in tmp_path.iterdir()} == {"one": "new", "two": "new"}
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "one").stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_device_is_written_not_replaced() -> None:
    write_files([(Path("/dev/null"), "text")])
    assert not Path("/dev/null").is_file()


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
        part = bytes(data[: min(self.room, 10)])
        self.room -= len(part)
        self.taken += part
        return len(part)

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


def test_json_cannot_steer_a_terminal(run: Run, tmp_path: Path) -> None:
    text = "Fog \x9b31m came \u202e in \u2066 over \u061c the bar. " * 8
    file = tmp_path / "a.html"
    file.write_text(f"<meta charset='utf-8'><p>{text.replace(chr(0x9B), '&#x9b;')}</p>", encoding="utf-8")
    status, out, _ = run("read", file, "--json", "--quiet")
    assert status == 0
    assert not any(c in out for c in "\x9b\u202e\u2066\u061c")
    assert "came in over the bar" in " ".join(
        json.loads(out)["text"].split()
    )  # marks of direction are not read
    assert json.loads(escape_control_characters(json.dumps(text, ensure_ascii=False))) == text


def test_a_device_or_a_pipe_is_not_read(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    for endless in ("/dev/zero", pipe):
        status, _, err = run("read", endless)
        assert status == 3 and "this is not a regular file [unsupported]" in err


def test_a_file_that_grows_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("colde.ingest.stat.S_ISREG", lambda mode: True)
    with pytest.raises(ReadError) as error:  # it has no size, and never ends
        colde.read("/dev/zero", limits=Limits(file_bytes=1_000))
    assert error.value.reason == "too_large"


@pytest.mark.parametrize("relative", [True, False])
def test_tables_of_a_checkpoint_stay_in_their_folder(
    run: Run, pair: tuple[Path, Path], tmp_path: Path, relative: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    checkpoint = tmp_path / "runs" / "my tfidf"
    shutil.copytree(asset("models", "tfidf"), checkpoint)
    before = sorted(p.name for p in checkpoint.iterdir())
    model = "runs/my tfidf" if relative else str(checkpoint)
    files = {kind: tmp_path / f"report.{kind}" for kind in ("json", "html", "docx")}
    options = [x for kind, file in files.items() for x in (f"--{kind}", file)]
    status, _, err = run("compare", *pair, "--model", f"{model},tfidf", "--csv", "tables", *options)
    assert (status, "not written" in err) == (0, False)
    assert all(file.stat().st_size > 1_000 for file in files.values())
    tables = sorted(p.name for p in (tmp_path / "tables").iterdir())
    assert "tfidf.section.csv" in tables
    assert any(name.endswith("runs_my_tfidf.section.csv") for name in tables)
    assert sorted(p.name for p in checkpoint.iterdir()) == before


def test_names_of_files_hold_no_path_and_are_unique() -> None:
    models = ["tfidf", "smash_rnn:p+s", "/a/b", "a/b", "../..", "C:\\x", "..", "x" * 300, "ключ"]
    stems = file_stems(models)
    assert (stems["tfidf"], stems["smash_rnn:p+s"]) == ("tfidf", "smash_rnn_p+s")
    assert len(set(stems.values())) == len(models)
    assert all(Path(f"{s}.csv").name == f"{s}.csv" and s[0] != "." and len(s) < 100 for s in stems.values())


def test_an_output_that_fails_does_not_lose_the_others(
    run: Run, pair: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*of: object) -> bytes:
        raise ValueError("odd report")

    monkeypatch.setattr("colde.report.printed.docx_report.to_docx", fails)
    files = {kind: tmp_path / f"report.{kind}" for kind in ("json", "html", "docx")}
    options = [x for kind, file in files.items() for x in (f"--{kind}", file)]
    status, out, err = run("compare", *pair, "--model", "tfidf", *options, "--csv", tmp_path / "tables")
    assert status == 1 and f"{files['docx']} is not written: ValueError: odd report" in err
    assert [files[kind].exists() for kind in files] == [True, True, False]
    assert (tmp_path / "tables" / "scores.csv").exists()
    matrix = tmp_path / "matrix.svg"
    status, out, err = run(
        "compare", *pair, "--model", "tfidf", "--json", "-", "--matrix", matrix, "--matrix-map", "none"
    )
    assert status == 2 and json.loads(out)["models"] and "has no matrix" in err


def test_json_is_compressed_where_the_name_says_so(run: Run, pair: tuple[Path, Path]) -> None:
    plain, compressed = (pair[0].with_name(name) for name in ("result.json", "result.json.gz"))
    for target in (plain, compressed):
        status, _, err = run("compare", *pair, "--model", "tfidf", "--json", target)
        assert status == 0, err
    results = json.loads(plain.read_text("utf-8")), json.loads(gzip.decompress(compressed.read_bytes()))
    for result in results:
        del result["timing"]
        for model in result["models"]:
            del model["seconds"]
    assert results[0] == results[1]
    assert compressed.stat().st_size < 0.6 * plain.stat().st_size
