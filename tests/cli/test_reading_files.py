"""Files of a comparison are read in the background, at the same time where cores are free."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import colde.ingest
from colde.cli.comparing import compare_options
from colde.cli.comparing.compare_options import finish_reading, start_reading
from colde.cli.options import Settings
from colde.cli.progress_bar import ProgressBar
from colde.errors import ReadError
from tests.patience import PATIENCE
from tests.programs import run_python

BAR = ProgressBar(Settings())


@pytest.fixture
def cores(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda count: monkeypatch.setattr(compare_options, "usable_cores", lambda: count)


def test_files_are_read_at_the_same_time(monkeypatch: pytest.MonkeyPatch, cores: Any) -> None:
    both = threading.Barrier(2)

    def read(file: str, **options: object) -> str:
        both.wait(PATIENCE)
        return f"{file} read"

    monkeypatch.setattr(colde.ingest, "read", read)
    cores(3)
    assert list(map(str, finish_reading(BAR, start_reading(("a", "b"), None)))) == ["a read", "b read"]


def test_on_two_cores_one_file_is_read_after_the_other(monkeypatch: pytest.MonkeyPatch, cores: Any) -> None:
    """The second core imports, and a second reading process would have to be started."""
    places: list[str] = []
    threads: set[threading.Thread] = set()

    def read(file: str, **options: object) -> str:
        places.append(file)
        threads.add(threading.current_thread())
        return file

    monkeypatch.setattr(colde.ingest, "read", read)
    cores(2)
    documents = finish_reading(BAR, start_reading(("b", "a", "b"), None))
    assert list(map(str, documents)) == places == ["b", "a", "b"]
    assert len(threads) == 1 and threading.current_thread() not in threads


def test_the_first_file_that_cannot_be_read_is_named(cores: Any) -> None:
    cores(4)
    with pytest.raises(ReadError, match="nowhere"):
        finish_reading(BAR, start_reading(("nowhere.md", "never.md"), None))


ORDER = """
import sys
from colde.cli.comparing import compare_options; from colde.cli import main
def noted(*files):
    print("reading starts before the import:", "colde.comparison.pipeline" not in sys.modules)
    raise SystemExit(0)
compare_options.start_reading = noted
main(["compare", "--model", "tfidf", *sys.argv[1:]])
"""


def test_reading_starts_before_the_libraries_of_a_comparison_are_imported() -> None:
    out = run_python("-c", ORDER, "assets/samples/banks_money.md", "assets/samples/banks_river.md")
    assert "before the import: True" in out
