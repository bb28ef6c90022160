"""`colde corpus make`: from files and a table of pairs to a corpus that `colde evaluate` reads."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import docx
import pytest

from colde.cli import main
from colde.corpus.corpus_folder import read_documents, read_pairs
from tests.corpora import SUBJECTS
from tests.fenced_blocks import fenced_blocks
from tests.test_readme import commands

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "corpus_format.md"
Make = Callable[..., tuple[int, Path]]


def _text(subject: str, number: int) -> list[str]:
    words = SUBJECTS[subject].split()
    return [
        f"The {words[number]} and the {words[-1 - number]} belong to the {w} of {subject}." for w in words
    ]


def _write(path: Path, subject: str, number: int) -> None:
    """A short document with a heading, in the format that the suffix names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sentences = _text(subject, number)
    match path.suffix:
        case ".docx":
            made = docx.Document()
            made.add_heading(f"About {subject}", 1)
            made.add_paragraph(" ".join(sentences))
            made.save(str(path))
        case ".html":
            path.write_text(f"<h1>About {subject}</h1><p>{' '.join(sentences)}</p>", encoding="utf-8")
        case _:
            path.write_text(f"# About {subject}\n\n{' '.join(sentences)}\n", encoding="utf-8")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve documents on four subjects in three formats, beside them their table of pairs."""
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    folder = tmp_path / "reports"
    names = {}
    for subject in SUBJECTS:
        for number, suffix in enumerate((".md", ".html", ".docx")):
            name = f"{subject}/{number}{suffix}"
            _write(folder / name, subject, number)
            names[name] = subject
    pairs = [(a, b, int(names[a] == names[b])) for a in names for b in names if a < b]
    write_table(tmp_path / "pairs.tsv", pairs)
    return folder


def write_table(path: Path, rows: list[tuple[object, ...]], header: str = "source\ttarget\tlabel") -> None:
    lines = ["\t".join(map(str, row)) for row in rows]
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")


@pytest.fixture
def make(files: Path, tmp_path: Path) -> Make:
    """`make(options…)`: exit status of the command and the corpus folder."""

    def run(*options: str) -> tuple[int, Path]:
        output = tmp_path / "corpus"
        return main(
            ["corpus", "make", str(files), str(tmp_path / "pairs.tsv"), "--output", str(output), *options]
        ), output

    return run


def _documents_of(table: Path) -> set[str]:
    return {name for pair in read_pairs(table) for name in (pair.source, pair.target)}


def test_the_commands_of_the_guide_make_and_evaluate_a_corpus(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for _, block in fenced_blocks(GUIDE.read_text(encoding="utf-8")):
        for command in commands(block):
            assert main(shlex.split(command)[1:]) == 0, capfd.readouterr().err
    corpus = tmp_path / "corpora/reports"
    documents = dict(read_documents(corpus))
    assert len(documents) == 12
    assert documents["tides/2.docx"].title == "About tides"
    assert "estuary" in documents["tides/1.html"].text
    trained, valid = _documents_of(corpus / "train.tsv"), _documents_of(corpus / "valid.tsv")
    assert len(trained) == len(valid) == 6 and not trained & valid
    assert f"{len(read_pairs(corpus / 'valid.tsv'))} pairs" in capfd.readouterr().out


def test_the_same_seed_gives_the_same_corpus(make: Make) -> None:
    _, corpus = make()
    first = {path.name: path.read_bytes() for path in corpus.iterdir()}
    make("--force")
    assert {path.name: path.read_bytes() for path in corpus.iterdir()} == first
    make("--force", "--seed", "1")
    assert {path.name: path.read_bytes() for path in corpus.iterdir()} != first


def test_a_column_split_is_used(
    make: Make, files: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [
        ("tides/0.md", "./tides/1.html", 1, "train"),
        ("tides/0.md", "bread\\0.md", 0, "valid"),
        ("bees/0.md", "bees/1.html", 1, "test"),
    ]
    write_table(tmp_path / "pairs.tsv", rows, "source\ttarget\tlabel\tsplit")
    status, corpus = make()
    assert status == 0
    assert {p.stem: len(read_pairs(p)) for p in corpus.glob("*.tsv")} == {"train": 1, "valid": 1, "test": 1}
    assert "1 validation pairs have a document that is in a training pair" in capfd.readouterr().err


def test_unreadable_and_missing_files_are_named(
    make: Make, files: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (files / "tides/0.md").write_bytes(b"")
    (files / "scan.png").write_bytes(b"\x89PNG\r\n")
    with (tmp_path / "pairs.tsv").open("a", encoding="utf-8") as table:
        table.write("bees/0.md\tbees/nothing.pdf\t1\n")
    status, _ = make("--validation", "0")
    output, errors = capfd.readouterr()
    assert status == 0
    assert "left out: scan.png: a PNG picture [unsupported]" in errors
    assert "left out: tides/0.md: the file is empty [empty]" in errors
    assert "12 pairs left out, since a file is missing or unread: bees/nothing.pdf, tides/0.md" in errors
    assert "there is no valid.tsv" in errors
    assert "11 documents" in output and "train.tsv: 55 pairs, 10 of them similar" in output
    assert make("--quiet", "--force")[0] == 0
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("header", "row", "message"),
    [
        ("source\ttarget\tlabel", ("a.md", "b.md", 1), "no pair names two files"),
        ("source\ttarget\tlabel", ("tides/0.md", "tides/1.html", ""), "line 2: the pair has no label"),
        ("source\ttarget\tlabel", ("tides/0.md", "tides/1.html", 2), "line 2: a label is 0 or 1"),
        (
            "source\ttarget\tlabel\tsplit",
            ("tides/0.md", "tides/1.html", 1, "half"),
            "a split is one of train",
        ),
        ("one\tother", ("tides/0.md", "tides/1.html"), "the header must name the columns"),
    ],
)
def test_a_faulty_table_is_an_error_and_leaves_an_earlier_corpus(
    header: str, row: tuple[object, ...], message: str, make: Make, tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    _, corpus = make()
    before = {path.name: path.read_bytes() for path in corpus.iterdir()}
    write_table(tmp_path / "pairs.tsv", [row], header)
    assert make("--force")[0] == 3
    assert message in capfd.readouterr().err
    assert {path.name: path.read_bytes() for path in corpus.iterdir()} == before


def test_a_folder_that_is_not_empty_is_kept(
    make: Make, files: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "notes.txt").write_text("mine", encoding="utf-8")
    assert make()[0] == 3
    assert "is not empty" in capfd.readouterr().err
    assert make("--force")[0] == 0
    assert (tmp_path / "corpus" / "notes.txt").read_text("utf-8") == "mine"
    table = str(tmp_path / "pairs.tsv")
    assert main(["corpus", "make", str(files), table, "--output", str(files / "corpus")]) == 3
    assert main(["corpus", "make", str(tmp_path / "nothing"), table, "--output", str(tmp_path / "new")]) == 2
