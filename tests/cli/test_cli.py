"""The command line as a user meets it: results, exit statuses, and errors of one line."""

from __future__ import annotations

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import colde.cli
import colde.ingest
from colde.cli import main
from colde.errors import Cancelled, CheckpointError, CorpusError, MissingExtraError, ModelError
from colde.models import cards, recipes
from tests.corpora import record, write_corpus
from tests.patience import PATIENCE
from tests.schemas import validate

COMMANDS = (
    "read",
    "compare",
    "models",
    "corpus",
    "train",
    "score",
    "evaluate",
    "mistakes",
    "app",
    "new-model",
    "what-if",
    "index",
    "encode",
    "encode-corpus",
    "serve",
)
WORD_MODELS = "tfidf,bm25"  # quick: they need no encoder

LIGHTHOUSE = """# The lamp

A lighthouse lens gathers the light of a small lamp and throws it over twenty miles of sea. Ships saw it long before
they saw the coast.

## The lens

Rings of glass bend the light into a narrow beam. The keeper wound the clockwork every evening and trimmed the wick.

## The keeper

Keepers lived by the tower with their families, and wrote the weather into a log each morning.
"""
TIDES = """# Harbours

A harbour is shaped by its tides. The keeper wound the clockwork every evening and trimmed the wick.

## Mud

The flood carries mud into quiet basins, the ebb carries most of it away again, and dredgers take the rest.
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    a, b = tmp_path / "lamp.md", tmp_path / "tides.md"
    a.write_text(LIGHTHOUSE, encoding="utf-8")
    b.write_text(TIDES, encoding="utf-8")
    return str(a), str(b)


def run(capfd: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of one command line."""
    capfd.readouterr()
    status = main(args)
    out, err = capfd.readouterr()
    return status, out, err


def no_constants(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


# ---------------------------------------------------------------- help and usage


@pytest.mark.parametrize(
    "command", [{"index": "index add", "corpus": "corpus make"}.get(c, c) for c in COMMANDS]
)
def test_every_command_has_help_with_an_example_and_the_common_options(capfd, command: str) -> None:
    status, out, err = run(capfd, *command.split(), "--help")
    assert (status, err) == (0, "")
    assert f"colde {command}" in out.split("Example:")[1]
    assert "--quiet" in out
    assert "--debug" in out


def test_the_list_of_commands_is_the_documented_one(capfd) -> None:
    assert set(colde.cli.cli.commands) == set(COMMANDS)
    assert run(capfd, "--version")[1].strip().endswith(colde.__version__)


@pytest.mark.parametrize(
    "args",
    [
        ("compare", "a"),
        ("compare", "a", "b", "--model", "nonsense"),
        ("compare", "a", "b", "--profile", "nonsense"),
        ("compare", "a", "b", "--json", "missing/folder/out.json"),
        ("compare", "a", "b", "--html", "/"),
        ("nonsense",),
        ("read", "a", "--nonsense"),
        ("score", "--corpus", "x", "--pairs", "y", "--model", "nonsense", "--output", "z"),
        ("train", "nonsense", "--corpus", "x", "--output", "y"),
        ("app", "--port", "0"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line_and_status_2(capfd, args: tuple[str, ...], tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capfd, *args)
    assert (status, out) == (2, "")
    assert err.startswith("colde: ")
    assert err.count("\n") == 1


def test_without_a_command_the_help_is_shown_and_the_status_is_2(capfd) -> None:
    status, _, err = run(capfd)
    assert status == 2
    assert "Usage: colde" in err


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
def test_every_end_has_its_status_and_one_line(capfd, monkeypatch, error: BaseException, status: int) -> None:
    def fail(*args: object, **more: object) -> None:
        raise error

    monkeypatch.setattr(colde.ingest, "read", fail)
    found, out, err = run(capfd, "read", "x.txt")
    assert (found, out) == (status, "")
    assert err.startswith("colde: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_debug_shows_the_traceback(capfd, monkeypatch) -> None:
    monkeypatch.setattr(colde.ingest, "read", lambda *args, **more: 1 / 0)
    status, _, err = run(capfd, "read", "x.txt", "--debug")
    assert status == 1
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("colde: this is a bug: ZeroDivisionError")


def test_ctrl_c_is_status_130_and_one_line() -> None:
    """The reading says that it has begun, and then takes for ever."""
    code = (
        "import signal, time, colde.ingest; from colde.cli import main; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "  # a background shell has it ignored
        "colde.ingest.read = lambda *_, **__: (print('reading', flush=True), time.sleep(600)); "
        "raise SystemExit(main(['read', 'any.txt']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "reading\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", "colde: interrupted\n")


def test_ctrl_c_while_the_program_is_still_being_loaded_is_one_line() -> None:
    code = (
        "import sys\nfrom colde.__main__ import main\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'colde.cli.options':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\nsys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "colde: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize("args", [["read"], ["compare"], ["models"], ["read", "--json"]])
def test_a_reader_who_has_had_enough_ends_the_command_quietly(args, files, tmp_path) -> None:
    """`colde … | head -0`: the other end of the pipe is closed before anything is written."""
    inputs = {"read": [files[0]], "compare": [*files[:2], "--model", "tfidf"], "models": []}[args[0]]
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "colde", *args, *inputs],
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_that_is_not_there_is_status_3_with_its_reason(capfd, files) -> None:
    for args in (("read", "missing.pdf"), ("compare", files[0], "missing.pdf")):
        status, out, err = run(capfd, *args)
        assert (status, out) == (3, "")
        assert err.startswith("colde: missing.pdf: ")
        assert "[not_found]" in err
        assert err.count("\n") == 1


def test_a_document_too_short_to_compare_can_be_read(capfd, files, tmp_path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("Three short words.", encoding="utf-8")
    assert run(capfd, "read", str(short))[0] == 0
    status, _, err = run(capfd, "compare", files[0], str(short), "--model", "tfidf")
    assert status == 3
    assert "[too_short]" in err
    assert err.count("\n") == 1


def test_a_file_name_cannot_steer_the_terminal(capfd, tmp_path) -> None:
    _, _, err = run(capfd, "read", str(tmp_path / "x\x1b[2J\ny.pdf"))
    assert "\x1b" not in err
    assert err.count("\n") == 1


def test_files_that_can_and_cannot_be_read_as_expected(capfd, shared) -> None:
    folder = shared("documents/hard")
    for name, expected in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
        status, out, err = run(capfd, "read", str(folder / name))
        if expected["expect"] == "ok":
            assert (status, err) == (0, ""), name
            continue
        assert (status, out) == (3, ""), name
        assert f"[{expected['reason']}]" in err, name
        assert err.startswith(f"colde: {name}: ")
        assert err.count("\n") == 1, name


def test_a_password_opens_an_encrypted_pdf(capfd, monkeypatch, tmp_path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    path = str(tmp_path / "locked.pdf")
    canvas = Canvas(path, encrypt=StandardEncryption("secret"))
    canvas.drawString(72, 700, "The lamp turns once a minute and throws its light over the sea.")
    canvas.save()
    status, _, err = run(capfd, "read", path)
    assert status == 3
    assert "[encrypted]" in err
    assert run(capfd, "read", path, "--password", "wrong")[0] == 3
    status, out, _ = run(capfd, "read", path, "--password", "secret", "--json")
    assert status == 0
    assert "turns once a minute" in json.loads(out)["text"]
    monkeypatch.setenv("COLDE_PASSWORD", "secret")
    assert run(capfd, "read", path)[0] == 0


# ---------------------------------------------------------------- read


def test_read_prints_an_outline(capfd, files) -> None:
    status, out, err = run(capfd, "read", files[0])
    assert (status, err) == (0, "")
    for part in ("The lamp", "lamp.md", "The lens", "The keeper", "words", "sentences"):
        assert part in out


def test_read_json_is_the_schema_and_offsets_point_at_their_text(capfd, files) -> None:
    status, out, err = run(capfd, "read", files[0], "--json")
    assert (status, err) == (0, "")
    data = json.loads(out, parse_constant=no_constants)
    validate("read", data)
    assert data["title"] == "The lamp"
    assert [s["heading"] for s in data["sections"]][-2:] == ["The lens", "The keeper"]
    for section in data["sections"]:
        for sentence in section["sentences"]:
            assert data["text"][sentence["start"] : sentence["end"]] == sentence["text"]


# ---------------------------------------------------------------- compare


def test_compare_prints_a_report(capfd, files) -> None:
    status, out, err = run(capfd, "compare", *files, "--model", WORD_MODELS)
    assert (status, err) == (0, "")
    for part in (
        "lamp.md",
        "tides.md",
        "TF-IDF",
        "BM25",
        "Sections of A (rows) and B (columns)",
        "trimmed the wick",
    ):
        assert part in out, part
    assert "\x1b" not in out


def test_compare_json_on_standard_output_is_json_and_nothing_else(capfd, files) -> None:
    status, out, err = run(capfd, "compare", *files, "--model", WORD_MODELS, "--json", "-")
    assert (status, err) == (0, "")
    data = json.loads(out, parse_constant=no_constants)
    validate("comparison", data)
    assert [m["name"] for m in data["models"]] == ["tfidf", "bm25"]
    for found in data["maps"].values():
        for one in found.values():
            assert len(one["values"]) == len(one["rows"])
            assert all(len(row) == len(one["columns"]) for row in one["values"])


def test_compare_writes_the_files_it_is_asked_for_and_prints_no_report(capfd, files, tmp_path) -> None:
    target, page, folder = tmp_path / "out.json", tmp_path / "out.html", tmp_path / "tables"
    args = ("--model", "tfidf", "--json", str(target), "--html", str(page), "--csv", str(folder))
    status, out, err = run(capfd, "compare", *files, *args)
    assert (status, out) == (0, "")
    assert err.splitlines() == [f"wrote {folder}", f"wrote {page}", f"wrote {target}"]
    data = json.loads(target.read_text(encoding="utf-8"))
    validate("comparison", data)
    assert "<html" in page.read_text(encoding="utf-8")[:200].lower()
    assert {p.name for p in folder.iterdir()} == {
        "scores.csv", "evidence.csv", "set_aside.csv", "split.csv", "changes.csv",
        *(f"tfidf.{name}.csv" for name in data["maps"]["tfidf"]),
    }  # fmt: skip
    with (folder / "scores.csv").open(encoding="utf-8", newline="") as table:
        (row,) = csv.DictReader(table)
    assert float(row["score"]) == pytest.approx(data["models"][0]["score"])


def test_quiet_says_nothing_beside_the_result(capfd, files, tmp_path) -> None:
    target = tmp_path / "out.json"
    status, out, err = run(capfd, "compare", *files, "--model", "tfidf", "--json", str(target), "--quiet")
    assert (status, out, err) == (0, "", "")
    assert target.stat().st_size > 1000


def test_an_output_file_is_replaced_whole_and_keeps_no_remains(capfd, files, tmp_path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    target = folder / "out.json"
    target.write_text("x" * 1_000_000, encoding="utf-8")
    assert run(capfd, "compare", *files, "--model", "tfidf", "--json", str(target))[0] == 0
    json.loads(target.read_text(encoding="utf-8"))
    assert [p.name for p in folder.iterdir()] == ["out.json"]
    mask = os.umask(0)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_device_is_written_not_replaced(capfd, files) -> None:
    assert run(capfd, "compare", *files, "--model", "tfidf", "--json", "/dev/null")[0] == 0
    assert not Path("/dev/null").is_file()


def test_an_unwritable_target_is_said_before_any_work(capfd, files, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(colde.ingest, "read", lambda *args, **more: pytest.fail("work was done"))
    status, _, err = run(capfd, "compare", *files, "--json", str(tmp_path / "missing" / "out.json"))
    assert status == 2
    assert "no folder" in err


@pytest.mark.slow
def test_a_reader_that_stops_early_is_no_fault(files) -> None:
    command = f"{sys.executable} -m colde.cli read {files[0]} --json | head -c 5"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == '{"tit'


# ---------------------------------------------------------------- encode


def test_encode_writes_what_the_model_encodes_and_what_each_row_is(capfd, files, tmp_path: Path) -> None:
    other = tmp_path / "other" / "lamp.md"
    other.parent.mkdir()
    other.write_text(TIDES, encoding="utf-8")  # one of that name is there already
    folder = tmp_path / "vectors"
    status, out, err = run(capfd, "encode", *files, str(other), "--output", str(folder), "--quiet")
    assert (status, out, err) == (0, "", "")
    stems = {"lamp.md": LIGHTHOUSE, "tides.md": TIDES, "lamp.md-2": TIDES}
    assert {p.name for p in folder.iterdir()} == {
        f"{stem}{end}" for stem in stems for end in (".json", ".document.npy", ".sections.npy", ".chunks.npy")
    }
    model = colde.load("colde")
    for stem, text in stems.items():
        about = json.loads((folder / f"{stem}.json").read_text("utf-8"))
        document = colde.read(text.encode(), name="x.md")
        arrays = {level: np.load(folder / file, allow_pickle=False) for level, file in about["files"].items()}
        assert arrays["document"].shape == (about["dimension"],)
        for level in ("sections", "chunks"):
            assert arrays[level].shape == (len(about[level]), about["dimension"])
        np.testing.assert_allclose(arrays["document"], model.encode([document])[0].vector, atol=1e-5)
        assert [s["heading"] for s in about["sections"]] == [s.heading for s in document.sections]
        for chunk in about["chunks"]:
            section = about["sections"][chunk["section"]]
            assert section["start"] <= chunk["start"] < chunk["end"] <= section["end"] <= len(document.text)


def test_encode_says_what_it_cannot_do_and_writes_nothing(capfd, files, tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("Four words, no more.", encoding="utf-8")
    folder = tmp_path / "vectors"
    for args, expected, words in (
        ((*files, "--model", "tfidf"), 2, "tfidf has no document vectors"),
        ((files[0], str(short)), 3, "[too_short]"),
        ((files[0], "nowhere.pdf"), 3, "[not_found]"),
    ):
        status, out, err = run(capfd, "encode", *args, "--output", str(folder))
        assert (status, out) == (expected, "") and words in err and len(err.splitlines()) == 1
    assert not folder.exists()
    assert run(capfd, "encode", files[0], "--output", files[1])[0] == 2


# ---------------------------------------------------------------- models


def test_models_json_has_exactly_the_documented_fields(capfd) -> None:
    status, out, err = run(capfd, "models", "--json")
    assert (status, err) == (0, "")
    listed = json.loads(out, parse_constant=no_constants)
    assert {"colde", "tfidf", "bm25", "minilm"} <= {entry["name"] for entry in listed}
    assert {entry["name"] for entry in listed} == {*cards(), *recipes()}, "every registered model"
    for entry in listed:
        assert set(entry) == {"name", "trained", "levels", "profiles", "source", "score_means", "parameters"}
        for profile in entry["profiles"].values():
            assert set(profile) == {"threshold", "checkpoint"}
        assert bool(entry["profiles"]) == entry["trained"]


def test_models_lists_them_for_people(capfd) -> None:
    status, out, err = run(capfd, "models")
    assert (status, err) == (0, "")
    assert "Supervised Contrastive Learning" in " ".join(out.split())
    assert "without weights" not in out


def test_models_lists_recipes_on_request(capfd) -> None:
    status, out, _ = run(capfd, "models", "--all")
    assert status == 0
    assert "simnet   a recipe, without weights" in out and "Supervised Contrastive" in out


@pytest.mark.parametrize(
    "args", [["--help"], ["models"], ["models", "--json"], ["compare", "--help"]], ids=" ".join
)
def test_light_commands_import_nothing_heavy(args: list[str]) -> None:
    code = (
        f"import sys; from colde.cli import main; status = main({args!r}); "
        "heavy = {'torch', 'spacy', 'transformers', 'streamlit', 'sklearn', 'pandas'} & set(sys.modules); "
        "sys.exit(status or ('imported ' + ', '.join(sorted(heavy)) if heavy else 0))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr


# ---------------------------------------------------------------- score and evaluate


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Twelve documents on two subjects."""
    subjects = ("glass lens lamp beam", "harbour tide mud ebb")
    texts = [
        f"Here {subjects[i % 2].split()[i % 4]} and {subjects[i % 2]} are told of in part {i}. " * 4
        for i in range(12)
    ]
    folder = write_corpus(
        tmp_path / "corpus",
        [record(f"d{i}", text, heading="One", title=f"T{i}") for i, text in enumerate(texts)],
    )
    pairs = [f"d{i}\td{j}\t{int((i - j) % 2 == 0)}\tr{i}" for i in range(6) for j in (6, 9, 11)]
    (folder / "pairs.tsv").write_text(
        "source\ttarget\tlabel\tremark\n" + "\n".join(pairs) + "\n", encoding="utf-8"
    )
    return folder


def score_args(corpus: Path, output: Path, *more: str) -> list[str]:
    args = ["score", "--corpus", str(corpus), "--pairs", str(corpus / "pairs.tsv"), "--model", "tfidf"]
    return [*args, "--output", str(output), *more]


def test_score_gives_no_probability_across_languages(capfd, corpus, tmp_path) -> None:
    output = tmp_path / "scores.tsv"
    german = "Der Mieter behandelt die Wohnung pfleglich und meldet jeden Schaden sofort dem Vermieter. " * 4
    with gzip.open(corpus / "documents.jsonl.gz", "at", encoding="utf-8") as file:
        sections = [{"heading": "Eins", "paragraphs": [german]}]
        file.write(json.dumps({"id": "de", "title": "Miete", "sections": sections}) + "\n")
    with (corpus / "pairs.tsv").open("a", encoding="utf-8") as table:
        table.write("d0\tde\t0\tr\nde\tde\t1\tr\n")
    assert run(capfd, *score_args(corpus, output))[0] == 0
    with output.open(encoding="utf-8", newline="") as table:
        *english, mixed, same = csv.DictReader(table, delimiter="\t")
    assert all(row["probability"] and row["predicted"] for row in english)
    for row in (mixed, same):
        assert row["score"] and (row["probability"], row["predicted"]) == ("", "")


def test_score_adds_its_columns_and_can_be_taken_up_again(capfd, corpus, tmp_path) -> None:
    output = tmp_path / "scores.tsv"
    status, out, err = run(capfd, *score_args(corpus, output, "--profile", "papers"))
    assert (status, out) == (0, "")
    whole = output.read_text(encoding="utf-8")
    with output.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    assert list(rows[0]) == ["source", "target", "label", "remark", "score", "probability", "predicted"]
    assert [(r["source"], r["target"]) for r in rows[:2]] == [("d0", "d6"), ("d0", "d9")]
    assert all(0 <= float(r["score"]) <= 1 and 0 <= float(r["probability"]) <= 1 for r in rows)
    assert {r["predicted"] for r in rows} <= {"0", "1"}
    same = [float(r["score"]) for r in rows if r["label"] == "1"]
    other = [float(r["score"]) for r in rows if r["label"] == "0"]
    assert min(same) > max(other)

    output.write_text(whole[: len(whole) // 2], encoding="utf-8")
    status, _, err = run(capfd, *score_args(corpus, output, "--profile", "papers"))
    assert status == 0
    assert "from an earlier run" in err
    assert output.read_text(encoding="utf-8") == whole


def test_score_does_not_mix_the_scores_of_two_models(capfd, corpus, tmp_path) -> None:
    output = tmp_path / "scores.tsv"
    assert run(capfd, *score_args(corpus, output, "--quiet"))[0] == 0
    before = output.read_bytes()
    args = [arg if arg != "tfidf" else "bm25" for arg in score_args(corpus, output)]
    status, _, err = run(capfd, *args)
    assert status == 3
    assert "another model" in err
    assert output.read_bytes() == before


def test_score_and_evaluate_say_what_is_wrong_with_their_input(capfd, corpus, tmp_path) -> None:
    output = tmp_path / "scores.tsv"
    for pairs, why in (("source\ttarget\nd0\tzz\n", "zz"), ("a\tb\n", "header")):
        (corpus / "pairs.tsv").write_text(pairs, encoding="utf-8")
        status, _, err = run(capfd, *score_args(corpus, output))
        assert status == 3
        assert why in err
        assert err.count("\n") == 1
        assert not output.exists()
    (corpus / "pairs.tsv").write_text("source\ttarget\nd0\td1\n", encoding="utf-8")
    args = ("--corpus", str(corpus), "--pairs", str(corpus / "pairs.tsv"), "--model", "tfidf")
    status, _, err = run(capfd, "evaluate", *args)
    assert status == 3
    assert "no pair has a label" in err
    assert run(capfd, "evaluate", "--corpus", str(tmp_path), *args[2:])[0] == 3


@pytest.mark.slow
def test_evaluate_prints_a_table_and_writes_it(capfd, corpus, tmp_path, few_draws) -> None:
    target = tmp_path / "table.json"
    args = ("--corpus", str(corpus), "--pairs", str(corpus / "pairs.tsv"), "--model", WORD_MODELS)
    status, out, _ = run(capfd, "evaluate", *args, "--profile", "papers", "--json", str(target))
    assert status == 0
    assert "18 pairs, 9 similar, 6 sources" in " ".join(out.split())
    data = json.loads(target.read_text(encoding="utf-8"), parse_constant=no_constants)
    assert [m["name"] for m in data["models"]] == ["tfidf", "bm25"]
    measures = data["models"][0]["measures"]
    assert list(measures) == [
        "precision", "recall", "f1", "accuracy", "roc_auc", "average_precision", "calibration_error", "brier"
    ]  # fmt: skip
    assert measures["roc_auc"]["value"] == 1.0
    for found in measures.values():
        assert found["low"] <= found["high"]


# ---------------------------------------------------------------- train and app


def test_train_passes_its_options_on(capfd, monkeypatch, tmp_path) -> None:
    import colde.training.training_run

    called: list[tuple[Any, ...]] = []

    def train(*args: Any, profile: str | None, **_: Any) -> Path:
        called.append((*args, profile))
        return Path(args[2])

    monkeypatch.setattr(colde.training.training_run, "train", train)
    config = tmp_path / "config.json"
    config.write_text("{}", encoding="utf-8")
    args = ("--corpus", "one", "--corpus", "two", "--output", str(tmp_path / "o"), "--config", str(config))
    status, out, err = run(capfd, "train", "colde", *args, "--seed", "5", "--resume", "--profile", "x")
    assert (status, out, err) == (0, "", f"wrote {tmp_path / 'o'}\n")
    assert called == [("colde", [Path("one"), Path("two")], tmp_path / "o", config, 5, True, "x")]


def test_app_becomes_the_streamlit_process(capfd, monkeypatch) -> None:
    started: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(os, "execvp", lambda file, args: started.append((file, args)))
    assert run(capfd, "app", "--port", "8600")[0] == 0
    ((file, args),) = started
    assert file == args[0]
    assert "run" in args
    assert any("8600" in arg for arg in args)
