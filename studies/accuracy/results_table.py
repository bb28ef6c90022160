"""All models that ship, on the same pairs of documents that are new to every one of them: docs/results/accuracy.json.

    python -m studies.accuracy.results_table ../shared/corpora --runs runs

The pairs are those of valid.tsv with a document that stands in no pair of train.tsv, in two blocks: one document new,
and both. Every model judges them as it ships. Thresholds and calibrations come from the other folds of these pairs
(five folds by source): with the profile of the pair's kind (`own`), with `general`, and with the profile that is
detected (`auto`). Scores are kept in `--runs`, by the weights of the model, so that the command can be stopped and
resumed. README, model card, docs/ and the Models page are written from the JSON (studies/accuracy/results_pages.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from rich.console import Console

import colde
from colde import models
from colde.judge.kind_detector import detect_document_kind
from colde.judge.profiles import GENERAL, corpora, profile_of
from colde.models.checkpoint import read_config
from colde.results.progress import OnProgress, Progress
from colde.results.verdicts.pair_kind import PairKind
from colde.text.document import Document
from studies.accuracy import results_pages
from studies.accuracy.pair_measures import NewPairs, Profiles, by_profile, count_pairs, measure_model
from studies.accuracy.pair_score_memory import document_reader, scores_by_profile
from studies.accuracy.reading_time import seconds
from studies.accuracy.result_rows import AUTO, RESULTS, read_results, write_results
from studies.accuracy.stored_sentences import fill_cache
from studies.arguments import command_line
from studies.papers.new_document_pairs import NewDocumentPairs, judged, new_documents

MOST_DOCUMENTS = 4  # whose reading and comparing is timed


@dataclass(frozen=True, slots=True)
class Kind:
    """Pairs of one kind of documents that are new to every model, and a function that reads a document of theirs."""

    known: NewDocumentPairs
    pairs: NewPairs
    document: Callable[[str], Document]

    @classmethod
    def of(cls, folder: Path) -> Kind:
        """All pairs of valid.tsv with a new document."""
        known = judged(folder, None)
        names = [(p.source, p.target) for p in known.pairs]
        return cls(
            known, NewPairs.of(folder.name, names, known.labels, new_documents(known)), document_reader(known)
        )


def detected_profiles(kinds: Mapping[str, Kind]) -> dict[str, Profiles]:
    """Under `auto`, the profile on which the kinds of the two documents agree."""

    def profiles(kind: Kind) -> list[str | None]:
        detect = cache(lambda name: detect_document_kind(kind.document(name)))
        return [PairKind(detect(p.source), detect(p.target)).profile for p in kind.known.pairs]

    return {AUTO: {profile: profiles(kind) for profile, kind in kinds.items()}}


def judging_profiles(profiles: Mapping[str, Profiles], kind: str) -> list[set[str]]:
    """All profiles that judge each pair of a kind."""
    return [
        {name or GENERAL for name in names}
        for names in zip(*(p[kind] for p in profiles.values()), strict=True)
    ]


def measure(
    kinds: Mapping[str, Kind],
    names: Sequence[str],
    memory: Path,
    output: Path,
    timed: Sequence[Document],
    console: Console,
) -> None:
    """Measure these models and write the JSON after each; the rows of others stay.

    Args:
        kinds: by profile.
        memory: folder of scores; output: the JSON; timed: documents to take the time of.
    """
    pairs = {profile: kind.pairs for profile, kind in kinds.items()}
    profiles = by_profile(pairs) | detected_profiles(kinds)
    results = read_results(output).with_pairs(count_pairs(pairs))
    for name in names:
        model: Any = models.load(name)
        report = _printer(console, name)
        scores = {
            k: scores_by_profile(
                name, model, kind.known, kind.document, judging_profiles(profiles, k), memory, report
            )
            for k, kind in kinds.items()
        }
        rows, plots = measure_model(
            pairs, scores, profiles, probabilities=model.card.score_kind == "probability"
        )
        about = {
            "title": model.card.title,
            "weights": read_config(models.checkpoint(name)).fingerprint(judged=False),
            "seconds": seconds(model, timed) if timed else results.models.get(name, {}).get("seconds", {}),
        }
        results = results.with_model(name, about, rows, plots)
        write_results(output, results)
        console.print(f"{name}: {len(rows)} rows")


def _printer(console: Console, name: str) -> OnProgress:
    def show(progress: Progress) -> None:
        console.print(f"{name}: {progress.done}/{progress.total} documents")

    return show


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="keeps scores and vectors")
    parser.add_argument("--documents", type=Path, help="a folder of PDFs to take the time of")
    parser.add_argument("--models", default="all", help="names with commas; every trained model")
    parser.add_argument("--output", type=Path, default=RESULTS)
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)
    os.environ["XDG_CACHE_HOME"] = str(chosen.runs / "cache")  # several models share vectors of sentences
    paths = sorted(chosen.documents.glob("*.pdf"))[:MOST_DOCUMENTS] if chosen.documents else []
    names = sorted(models.resolve(chosen.models), key=models.cost_rank)
    kinds = {profile_of(name): Kind.of(chosen.corpora / name) for name in corpora()}
    for kind in kinds.values():
        fill_cache(kind.known, chosen.runs / "sentences")
    timed = [colde.read(path) for path in paths]
    measure(kinds, names, chosen.runs / "pair_scores", chosen.output, timed, Console())
    if chosen.output == RESULTS:
        results_pages.write()


if __name__ == "__main__":
    main()
