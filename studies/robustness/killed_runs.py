"""Kills `train`, `score` and `index add` at random moments, resumes them, and compares with a run without a kill.

    python -m studies.robustness.killed_runs --runs 20 --json killed.json

Documents are random words. A *run* is one process that was ended by SIGKILL while it worked. Each command is killed and
started again until it is done; then it must have written what the undisturbed run wrote: the same bytes of the
checkpoint and of the table, and in the index each document once with the same vectors.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from studies.arguments import command_line
from studies.tables import write_json
from tests.corpora import SUBJECTS, toy_corpus

TRAINING = {"steps": 24, "pairs": 16, "validate_every": 2}
LONGEST = 600.0  # seconds for one process


@dataclass
class Command:
    """A command that can be taken up again.

    Attributes:
        arguments: of the command line, for a folder to write to.
        again: more arguments from the second time on.
        written: a digest of what stands in that folder.
    """

    arguments: Callable[[Path], list[str]]
    written: Callable[[Path], str]
    again: tuple[str, ...] = ()


def make_files(folder: Path) -> Path:
    """16 text files."""
    folder.mkdir(parents=True)
    chance = random.Random(1)
    for i, subject in enumerate([*SUBJECTS] * 4):
        words = SUBJECTS[subject].split()
        text = "\n\n".join(f"# Part {k}\n\n{' '.join(chance.choices(words, k=60))}." for k in range(3))
        (folder / f"{subject}-{i}.md").write_text(text, encoding="utf-8")
    return folder


def commands(root: Path) -> dict[str, Command]:
    """What is killed."""
    corpus = toy_corpus(root / "toy", documents=6, sections=2, paragraphs=(3, 3), train=30, valid=20)
    files = make_files(root / "files")
    settings = {"training": TRAINING, "sentences": str(root / "sentences")}
    write_json(root / "settings.json", settings)
    given = ["--corpus", str(corpus), "--quiet"]
    train = ["train", "colde:paper", *given, "--config", str(root / "settings.json"), "--seed", "3"]
    score = ["score", "--model", "colde", *given, "--pairs", str(corpus / "train.tsv")]
    add = ["index", "add", str(files), "--quiet"]
    return {
        "train": Command(lambda to: [*train, "--output", str(to / "checkpoint")], _checkpoint, ("--resume",)),
        "score": Command(lambda to: [*score, "--output", str(to / "scores.tsv")], _table),
        "index add": Command(lambda to: [*add, "--index", str(to / "papers.index")], _index),
    }


def _table(folder: Path) -> str:
    return hashlib.sha256((folder / "scores.tsv").read_bytes()).hexdigest()


def _checkpoint(folder: Path) -> str:
    """The weights, and the configuration without the seconds that the training took."""
    config = json.loads((folder / "checkpoint" / "config.json").read_text(encoding="utf-8"))
    config["training"] = {k: v for k, v in config["training"].items() if "second" not in k}
    weights = (folder / "checkpoint" / "model.safetensors").read_bytes()
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode() + weights).hexdigest()


def _index(folder: Path) -> str:
    """Each document with its sections and chunks, and their vectors; in another process, for LanceDB has threads."""
    taken, given = os.pipe()
    child = os.fork()
    if child == 0:
        from colde.index.index_schema import CHUNKS, DOCUMENTS, SECTIONS
        from colde.index.store import Store

        store = Store(folder / "papers.index")
        rows = [
            json.dumps(row, sort_keys=True, default=str)
            for table in (DOCUMENTS, SECTIONS, CHUNKS)
            for row in store.table(table).to_arrow().to_pylist()
        ]
        os.write(given, hashlib.sha256("\n".join(sorted(rows)).encode()).hexdigest().encode())
        os._exit(0)
    os.close(given)
    with os.fdopen(taken, "rb") as pipe:
        digest = pipe.read().decode()
    os.waitpid(child, 0)
    return digest


def run(arguments: list[str], seconds: float = LONGEST) -> tuple[int, float]:
    """One process with the command, killed after so many seconds: its exit status, negative if so, and its time."""
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            from colde.cli import main

            status = main(arguments)
        finally:
            sys.stderr.flush()
            os._exit(status)
    while time.monotonic() - begun < seconds:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), time.monotonic() - begun
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begun


def main() -> None:
    parser = command_line(__doc__, "--seed", "--json")
    parser.add_argument("--runs", type=int, default=20, help="killed runs in all (default: 20)")
    parser.add_argument("--only", nargs="+", choices=["train", "score", "index add"], help="these alone")
    asked = parser.parse_args()
    os.environ["COLDE_CACHE"] = "off"
    warm_up()
    chance = random.Random(asked.seed)
    with tempfile.TemporaryDirectory(prefix="killed") as folder:
        root = Path(folder)
        chosen = {name: c for name, c in commands(root).items() if not asked.only or name in asked.only}
        undisturbed: dict[str, tuple[str, float]] = {}
        for name, command in chosen.items():
            (root / "whole").mkdir(exist_ok=True)
            status, seconds = run(command.arguments(root / "whole"))
            if status:
                raise SystemExit(f"{name} ended with {status}")
            undisturbed[name] = command.written(root / "whole"), seconds
            print(f"{name}: {seconds:.1f} s undisturbed", flush=True)
        counts = {name: {"killed": 0, "resumed to the end": 0, "differ": 0} for name in chosen}
        while (left := asked.runs - sum(c["killed"] for c in counts.values())) > 0:
            name = min(counts, key=lambda n: counts[n]["killed"])
            _kill_until_done(root, chosen[name], undisturbed[name], counts[name], chance, left)
            print(f"{name}: {counts[name]}", flush=True)
    if asked.json is not None:
        write_json(asked.json, counts)
    sys.exit(any(c["differ"] for c in counts.values()))


def _kill_until_done(
    root: Path,
    command: Command,
    undisturbed: tuple[str, float],
    counts: dict[str, int],
    chance: random.Random,
    most: int,
) -> None:
    """Kill a command up to three times, each time later, let it end then, and compare."""
    to = root / "killed"
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    arguments = command.arguments(to)
    for _ in range(min(chance.randint(1, 3), most)):
        status, _ = run(arguments, chance.uniform(0.05, 0.95) * undisturbed[1])
        arguments = [*command.arguments(to), *command.again]
        if status == 0:
            break
        if status != -signal.SIGKILL:
            raise SystemExit(f"{arguments[0]} ended with {status}")
        counts["killed"] += 1
    status, _ = run(arguments)
    counts["resumed to the end"] += status == 0
    counts["differ"] += status != 0 or command.written(to) != undisturbed[0]


def warm_up() -> None:
    """Load here what each process needs: a fork has it at once."""
    import colde.training.colde_models.colde_paper_fit  # noqa: F401
    from colde import models
    from colde.ingest import read_text

    os.environ["COLDE_SANDBOX"] = "off"
    models.load("colde").encode([read_text("The keeper wound the clock and trimmed the lamp. " * 9)])


if __name__ == "__main__":
    main()
