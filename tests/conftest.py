"""Shared fixtures and markers: where the corpora lie, what is left out without them, what runs side by side.

Three markers choose tests (`make test-fast` leaves all three out): `browser` is what stands in tests/browser,
`corpora` what asks for the `shared` fixture, and `slow` what takes seconds: what says so, and the files of `SLOW`.
"""

from __future__ import annotations

import gc
import gzip
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.made_once import keeping_vectors, parse_samples_once
from tests.programs import ROOT, Run, run_python

# What was kept by another run is none of the tests’; a test about the cache turns it on.
os.environ.setdefault("COLDE_CACHE", "off")
# Files are the tests' own and read in their process; what tests the reading processes asks for them.
os.environ.setdefault("COLDE_SANDBOX", "off")
os.environ["COLDE_PROFILES"] = (
    "off"  # profiles that whoever runs the tests has fitted are none of the tests', either
)
if "PYTEST_XDIST_WORKER" in os.environ:  # workers share the cores: more threads than cores is slower than one
    os.environ.setdefault("OMP_NUM_THREADS", "1")
# No test asserts a time. What is drawn at random is looked for while somebody works; a clean clone judges what it is
# given by the same examples each time.
EXAMPLES = 30
"""Of each property that says no other number; Hypothesis takes 100, which killed no mutant more (docs/log/tests.md)."""
settings.register_profile("colde", deadline=None, max_examples=EXAMPLES)
settings.register_profile("ci", deadline=None, max_examples=EXAMPLES, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "colde")
TESTS = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("COLDE_SHARED", TESTS.parent.parent / "shared"))
SMALL = TESTS / "data" / "small"
ABSENT = "the corpora are not here: "
MAIN = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def own_main() -> Iterator[None]:
    """Streamlit puts the page it tests in the place of the main module, which a process begun later would run."""
    sys.modules["__main__"] = MAIN
    yield
    sys.modules["__main__"] = MAIN


@pytest.fixture(scope="session", autouse=True)
def made_once() -> None:
    parse_samples_once()


@pytest.fixture
def kept_vectors() -> Iterator[None]:
    """What a test before has encoded is not encoded again; for tests of what is made of vectors, not of encoding."""
    with keeping_vectors():
        yield


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """`shared("documents/papers")`: that file or folder of the corpora beside the checkout.

    Where it is missing the test is skipped by its name, or fails if COLDE_REQUIRE_SHARED is set.
    """

    def find(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            if os.environ.get("COLDE_REQUIRE_SHARED"):
                pytest.fail(f"{name} is missing beside the checkout, and COLDE_REQUIRE_SHARED is set")
            pytest.skip(f"{ABSENT}{name}")
        return path

    return find


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    from colde.cli import main

    def one(*args: object) -> tuple[int, str, str]:
        capfd.readouterr()
        status = main([str(arg) for arg in args])
        return status, *capfd.readouterr()

    return one


@pytest.fixture(scope="session")
def small_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of tests/data/small, our own writing: what trains, scores and evaluates runs without ../shared."""
    folder = tmp_path_factory.mktemp("corpora") / "small"
    folder.mkdir()
    (folder / "documents.jsonl.gz").write_bytes(gzip.compress((SMALL / "documents.jsonl").read_bytes()))
    for name in ("train.tsv", "valid.tsv"):
        (folder / name).write_bytes((SMALL / name).read_bytes())
    return folder


CODE = ("pyproject.toml", "README.md", "CONTRIBUTING.md", "colde", "app", "tests", "studies", "docs")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the code in which files may be written, with the shipped assets."""
    ignore = shutil.ignore_patterns("node_modules")  # compiled code fits, since files keep their times
    for name in CODE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=ignore)
        else:
            shutil.copy(source, tmp_path / name)
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    return tmp_path


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as `make docs` builds it: strictly. Tests that use it belong to the xdist group `site`."""
    folder = tmp_path_factory.mktemp("site")
    command = ("-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder)
    run_python(*command, cwd=ROOT, env={"NO_MKDOCS_2_WARNING": "1"})
    return folder


@pytest.fixture(scope="session")
def hugging_face() -> Any:
    """The packaged encoder as Hugging Face computes it."""
    from transformers import AutoModel

    from colde.assets import packaged_encoder

    return AutoModel.from_pretrained(packaged_encoder()).eval()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where slow tests are not asked for, their files are not even read: reading them takes seconds, too."""
    asked = config.option.markexpr
    path = collection_path.relative_to(TESTS).as_posix() + "/" * collection_path.is_dir()
    left_out = ("not slow" in asked and path.startswith(SLOW)) or (
        "not browser" in asked and path.startswith("browser/test_")
    )
    return True if left_out else None


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a long parameter by its beginning: ids travel to the workers and into the environment of each test."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_ID:
        beginning = val if isinstance(val, str) else val.decode("latin-1")
        return beginning[:LONGEST_ID].encode("unicode_escape").decode("ascii")
    return None


LONGEST_ID = 60
"""Characters."""


def pytest_collection_finish() -> None:
    """What was imported stays: a full garbage collection of it takes half a second, and there are many."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests, slow files and those of the corpora; keep a file on one worker, the longest first.

    A test with an `xdist_group` of its own (a model, in the contract of all models) stays with that.
    """
    for item in items:
        room = item.path.relative_to(TESTS).parts[0]
        if room == "browser":
            item.add_marker("browser")
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker("corpora")
        if item.path.relative_to(TESTS).as_posix().startswith(SLOW):
            item.add_marker("slow")
        if "visit" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("explorer"))  # one server, on one worker
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.name))
    items.sort(key=lambda item: _rank(item.path.relative_to(TESTS).as_posix()))


FIRST = (
    "browser/test_app.py", "test_readme.py", "models/test_small_networks.py", "notebooks/", "models/test_contract.py",
    "browser/", "scores/", "index/test_killed.py", "index/test_object_storage.py", "test_large_documents.py",
    "report/redline/test_redline_files.py", "test_guides.py", "encoders/test_cancellation.py",
    "explain/test_contribution.py", "ingest/hostile_files/", "ingest/test_generated_documents.py",
    "models/test_smith.py", "training/", "test_package.py", "test_offline.py",
)  # fmt: skip
"""What takes longest begins first, so that no worker waits for the other at the end."""


SLOW = (
    "app/test_collection_page.py", "app/test_reference_dialog.py", "app/test_results_panel.py",
    "app/test_search_page.py", "app/test_sections_dialog.py", "app/test_server.py", "explain/test_contribution.py",
    "index/test_document_index.py",
    "comparison/test_cancelled.py", "comparison/test_what_if.py", "comparison/test_word_by_word.py",
    "models/test_match_ignition.py", "models/test_pooled.py",
    "models/test_smash_rnn.py", "models/test_smith.py", "models/test_network.py", "serve/", "test_large_documents.py",
    "test_new_model.py", "test_package.py", "training/test_training_loop.py", "training/test_saved_run.py",
    "models/test_small_networks.py", "app/test_page.py", "encoders/test_padded_bert.py",
    "encoders/test_encoder.py",
    "index/test_ray_workers.py", "index/test_object_storage.py", "cli/test_cli_compare_many.py",
    "cli/test_output_files.py",
    "models/test_sentence_blocks.py", "app/test_page_images.py", "text/test_section_edits.py",
)  # fmt: skip
"""Files that take several seconds: `make test-fast` goes without them."""


def _rank(path: str) -> int:
    return next((i for i, start in enumerate(FIRST) if path.startswith(start)), len(FIRST))


BEGUN, ENDED = time.monotonic(), dict[str, float]()
"""The start of the run, and when the last test of each worker was done."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    worker = getattr(report, "node", None)
    if worker is not None:
        ENDED[worker.gateway.id] = time.monotonic() - BEGUN


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Say when each worker was done, and how many tests were left out because the corpora are not there."""
    yield
    if ENDED:
        done = ", ".join(f"{worker} after {seconds:.0f} s" for worker, seconds in sorted(ENDED.items()))
        terminalreporter.write_line(f"workers done: {done}")
    skipped = terminalreporter.getreports("skipped")
    absent = [report for report in skipped if ABSENT in str(report.longrepr)]
    if absent:
        terminalreporter.write_line(
            f"{len(absent)} tests skipped because the corpora are not here ({SHARED.name}/)"
        )
