"""The guides that extend the program work as they stand: files are written and commands run in a copy of the code."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable
from itertools import combinations, groupby
from pathlib import Path

import pytest

from tests.fenced_blocks import fenced_blocks
from tests.programs import ROOT, run_commands, run_program

pytestmark = pytest.mark.slow

GUIDES = sorted((ROOT / "docs" / "guides").glob("add_a_*.md"))
SMALL = ROOT / "tests" / "data" / "small"
FILES = ("pyproject.toml", "colde", "app", "tests", "studies", "docs")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the code in which files may be written, with the shipped assets."""
    ignore = shutil.ignore_patterns("node_modules", "__pycache__")
    for name in FILES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=ignore)
        else:
            shutil.copy(source, tmp_path / name)
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    return tmp_path


def write_file(checkout: Path, text: str) -> None:
    """Write a block whose first line is `# file: PATH`, or put it into a table: `# row: PATH`, `# example: PATH`."""
    first, _, body = text.partition("\n")
    kind, _, name = first.removeprefix("# ").partition(": ")
    path = checkout / name
    if kind == "file":
        path.write_text(body, encoding="utf-8")
        return
    held = path.read_text(encoding="utf-8")
    if kind == "row":
        held = held.replace("FORMATS = (\n", f"FORMATS = (\n{body}", 1)
        held = held.replace("from colde.ingest import (\n", "from colde.ingest import (\n    org,\n", 1)
    else:
        assert kind == "example", first
        table = re.search(r"^EXAMPLES\b.*\{\n", held, flags=re.MULTILINE)
        assert table is not None
        held = held[: table.end()] + body + held[table.end() :]
    path.write_text(held, encoding="utf-8")


def run(checkout: Path, lines: Iterable[str]) -> None:
    """Run command lines with `python` of this environment and the code of the copy."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(checkout), str(checkout / "app")]),
        "COLDE_PROFILES": str(checkout / "profiles"),
    }
    for with_colde, some in groupby(lines, lambda line: line.startswith("colde ")):
        if with_colde:
            run_commands(*some, cwd=checkout, env=environment)
        else:
            run_program("sh", "-e", "-c", "\n".join(some), cwd=checkout, env=environment)


def small_corpus(checkout: Path) -> None:
    """The corpus of tests/data/small as a corpus folder, and as files with a table of pairs."""
    corpus, files = checkout / "tests/data/corpus", checkout / "my-files"
    corpus.mkdir()
    files.mkdir()
    (corpus / "documents.jsonl.gz").write_bytes(gzip.compress((SMALL / "documents.jsonl").read_bytes()))
    for name in ("train.tsv", "valid.tsv"):
        shutil.copy(SMALL / name, corpus / name)
    names = {}
    for line in (SMALL / "documents.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        body = "\n\n".join(
            "\n\n".join([f"## {section['heading']}", *section["paragraphs"]])
            for section in record["sections"]
        )
        names[record["id"]] = f"{record['id'].replace('/', '-')}.md"
        (files / names[record["id"]]).write_text(f"# {record['title']}\n\n{body}\n", encoding="utf-8")
    rows = ["source\ttarget\tlabel"]
    for one, other in combinations(names, 2):
        same_subject = one.partition("/")[0] == other.partition("/")[0]
        rows.append(f"{names[one]}\t{names[other]}\t{int(same_subject)}")
    (checkout / "pairs.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def test_there_are_three_guides() -> None:
    names = {guide.stem for guide in GUIDES}
    assert {"add_a_model", "add_a_format", "add_a_kind_of_documents"} <= names


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_works(guide: Path, checkout: Path) -> None:
    small_corpus(checkout)
    blocks = fenced_blocks(guide.read_text(encoding="utf-8"))
    commands = 0
    for language, some in groupby(blocks, lambda block: block[0]):
        texts = [text for _, text in some]
        if language in ("python", "toml"):
            for text in texts:
                write_file(checkout, text)
        elif language == "sh":
            assert all(text.startswith(("# tested\n", "# not run: ")) for text in texts), texts
            tested = [text for text in texts if text.startswith("# tested\n")]
            run(checkout, [line for text in tested for line in text.splitlines()[1:]])
            commands += 1
    assert commands
