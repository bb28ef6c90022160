"""Help, usage, and the end of a command: an exit status, and on an error one line."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import colde.cli
import colde.ingest
from colde.errors import Cancelled, CheckpointError, CorpusError, MissingExtraError, ModelError
from tests.patience import PATIENCE
from tests.programs import Run, run_python

COMMANDS = (
    "read", "compare", "redline", "chart", "models", "corpus", "fit", "train", "score", "evaluate", "mistakes", "app",
    "new-model", "mcp", "verify", "what-if", "index", "encode", "encode-corpus", "serve", "sources",
    "history", "ledger",
)  # fmt: skip


@pytest.mark.parametrize(
    "command", [{"index": "index add", "corpus": "corpus make"}.get(c, c) for c in COMMANDS]
)
def test_every_command_has_help_with_an_example_and_the_common_options(run: Run, command: str) -> None:
    status, out, err = run(*command.split(), "--help")
    assert (status, err) == (0, "")
    assert f"colde {command}" in out.split("Example:")[1]
    assert "--quiet" in out and "--debug" in out


def test_the_list_of_commands_is_the_documented_one(run: Run) -> None:
    assert set(colde.cli.cli.commands) == set(COMMANDS)
    assert run("--version")[1].strip().endswith(colde.__version__)
    status, _, err = run()
    assert status == 2 and "Usage: colde" in err


@pytest.mark.parametrize(
    "line",
    [
        "compare a",
        "compare a ''",
        "compare a b --model nonsense",
        "compare a b --profile nonsense",
        "compare a b --json missing/folder/out.json",
        "compare a b --html /",
        "compare a b --docx missing/folder/out.docx",
        "compare a b --matrix out.gif",
        "compare a b c --pdf out.pdf",
        "nonsense",
        "read a --nonsense",
        "score --corpus x --pairs y --model nonsense --output z",
        "train nonsense --corpus x --output y",
        "app --port 0",
    ],
)
def test_wrong_usage_is_one_line_and_status_2(
    run: Run, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(colde.ingest, "read", lambda *args, **more: pytest.fail("work was done"))
    status, out, err = run(*shlex.split(line))
    assert (status, out) == (2, "")
    assert err.startswith("colde: ") and err.count("\n") == 1


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (KeyboardInterrupt(), 130),
        (Cancelled("stopped"), 130),
        (CorpusError("no corpus"), 3),
        (CheckpointError("damaged"), 3),
        (ModelError("not trained"), 2),
        (MissingExtraError("pip install colde[fast]"), 2),
        (ZeroDivisionError("two\nlines"), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_end_has_its_status_and_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    def fail(*args: object, **more: object) -> None:
        raise error

    monkeypatch.setattr(colde.ingest, "read", fail)
    ended, out, err = run("read", "x.txt")
    assert (ended, out) == (status, "")
    assert err.startswith("colde: ") and err.count("\n") == 1 and "Traceback" not in err
    ended, _, err = run("read", "x.txt", "--debug")
    assert ended == status and "Traceback" in err
    if status == 1:
        assert err.splitlines()[-1].startswith("colde: this is a bug: ZeroDivisionError")


@pytest.mark.parametrize(
    "args",
    [
        ("read",),
        ("compare", "x.md", "y.md", "--json"),
        ("compare", "x.md"),
        ("compare", "x.md", "y.md", "--csv"),
    ],
    ids=" ".join,
)
def test_a_name_that_no_file_can_have_is_an_error_of_usage(run: Run, args: tuple[str, ...]) -> None:
    status, out, err = run(*args, "n" * 5000)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and "File name too long" in err and len(err) < 300


INTERRUPTED = {
    # a background shell has SIGINT ignored
    "while it reads": """
import os, signal, colde.ingest
from colde.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
colde.ingest.read = lambda *_, **__: os.kill(os.getpid(), signal.SIGINT)
raise SystemExit(main(["read", "any.txt"]))
""",
    "while the program is loaded": """
import sys
from colde.__main__ import main
class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == "colde.cli.options":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
sys.exit(main())
""",
}


@pytest.mark.parametrize("code", INTERRUPTED.values(), ids=INTERRUPTED)
def test_ctrl_c_is_status_130_and_one_line(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "colde: interrupted\n")


LOADED = """
import sys
from colde.cli import main
for line in sys.argv[1:]:
    assert main(line.split()) == 0, line
    print(f"loaded by {line}:", *sys.modules)
"""
SCIENCE = {"scipy", "sklearn", "pandas"}
READING = {"colde.ingest.formats", "lxml", "selectolax", "pypdfium2", "PIL", "py3langid", "spacy"}
WRITING = {"jinja2", "docx", "typst", "colde.report.html", "colde.report.printed"}
OTHERS = {"transformers", "streamlit", "huggingface_hub", "ray", "lancedb", "starlette"}
MODELS = READING | WRITING | OTHERS | SCIENCE | {"torch", "safetensors", "tokenizers"}
PAIR = "assets/samples/banks_money.md assets/samples/banks_river.md"
UNUSED = {
    "--help": MODELS | {"numpy"},
    "compare --help": MODELS | {"numpy"},
    "models": MODELS,
    "models --json": MODELS,
    f"read {PAIR.split()[0]}": MODELS,
    f"compare --model tfidf {PAIR} --json -": READING | WRITING | OTHERS | {"sklearn", "pandas"},
}
"""What each command, and those before it, must not load. Files are parsed in another process."""


def test_a_command_loads_only_what_it_uses() -> None:
    printed = run_python("-c", LOADED, *UNUSED, env={"COLDE_SANDBOX": "on"})
    for line, unused in UNUSED.items():
        (loaded,) = (row for row in printed.splitlines() if row.startswith(f"loaded by {line}: "))
        assert not set(loaded.split()) & unused, line


def test_a_file_name_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    _, _, err = run("read", tmp_path / "x\x1b[2J\ny.pdf")
    assert "\x1b" not in err and err.count("\n") == 1


# ---------------------------------------------------------------- app and train


def test_app_becomes_the_streamlit_process(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(os, "execvp", lambda file, args: started.append((file, args)))
    monkeypatch.setattr(os, "chdir", lambda folder: None)
    assert run("app", "--port", "8600")[0] == 0
    ((file, args),) = started
    assert file == args[0] and "run" in args and any("8600" in arg for arg in args)


def test_train_passes_its_options_on(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    called: list[tuple[object, ...]] = []

    def train(*args: object, profile: str | None, **_: object) -> object:
        called.append((*args, profile))
        return args[2]

    monkeypatch.setattr("colde.training.training_run.train", train)
    config, output = tmp_path / "config.json", tmp_path / "o"
    config.write_text("{}", encoding="utf-8")
    args = ("--corpus", "one", "--corpus", "two", "--output", output, "--config", config)
    status, out, err = run("train", "colde", *args, "--seed", "5", "--resume", "--profile", "x")
    assert (status, out, err) == (0, "", f"wrote {output}\n")
    assert called == [("colde", [Path("one"), Path("two")], output, config, 5, True, "x")]
