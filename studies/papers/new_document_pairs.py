"""The pairs on which the papers' systems are judged: those with a document that no training pair names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from colde.corpus.corpus_folder import Pair, read_pairs, write_documents, write_pairs
from colde.evaluation.metrics import measure
from colde.evaluation.pair_scores import records_of
from colde.judge.profile_fit import best_threshold
from colde.results.similarity_map import Array
from colde.training.corpora.development_split import unseen
from studies.papers.systems_rows import JUDGED
from studies.significance import PairedScores, paired_bootstrap_auc

FOLDS = 5


@dataclass(frozen=True, slots=True)
class NewDocumentPairs:
    """Pairs of a corpus with a document that is in no training pair, in the order of valid.tsv."""

    folder: Path
    pairs: tuple[Pair, ...]

    @property
    def labels(self) -> np.ndarray:
        """[pairs], 1 similar, 0 not."""
        return np.array([p.label for p in self.pairs], dtype=np.int64)

    @property
    def sources(self) -> list[str]:
        return [p.source for p in self.pairs]

    def records(self) -> dict[str, Mapping[str, Any]]:
        """The records of the documents in these pairs, by name."""
        return dict(records_of(self.folder, [(p.source, p.target) for p in self.pairs]))


def judged(folder: Path, most: int | None = JUDGED) -> NewDocumentPairs:
    """The pairs of a corpus that are judged: the first `most`, or all."""
    known = NewDocumentPairs(folder, tuple(read_pairs(folder / "valid.tsv")))
    new = [p for p, number in zip(known.pairs, new_documents(known), strict=True) if number]
    return NewDocumentPairs(folder, tuple(new[:most]))


def new_documents(known: NewDocumentPairs) -> np.ndarray:
    """How many of the two documents of each pair are in no training pair: [pairs]."""
    train = read_pairs(known.folder / "train.tsv")
    return unseen(known.pairs, frozenset(n for p in train for n in (p.source, p.target)))


def judged_corpus(known: NewDocumentPairs, work: Path) -> Path:
    """A corpus of the judged documents alone, so that models that ship read no others."""
    folder = work / "judged" / f"{len(known.pairs)}" / known.folder.name
    if not (folder / "valid.tsv").is_file():
        write_corpus(known.records().values(), known.pairs, folder)
    return folder


def write_corpus(records: Iterable[Mapping[str, Any]], pairs: Sequence[Pair], folder: Path) -> None:
    """A corpus of these documents, whose pairs are all for validation."""
    write_documents(folder, records)
    write_pairs(folder / "train.tsv", ())
    write_pairs(folder / "valid.tsv", pairs)


def thresholds(known: NewDocumentPairs, scores: Array) -> np.ndarray:
    """For each pair the threshold that the other folds' pairs choose: [pairs]."""
    labels, exact = known.labels, scores.astype(np.float64)
    chosen = np.zeros(len(labels))
    for fit, test in GroupKFold(FOLDS).split(exact, labels, known.sources):
        chosen[test] = best_threshold(exact[fit], labels[fit], np.ones(len(fit)))
    return chosen


def predicted_similar(known: NewDocumentPairs, scores: Array) -> np.ndarray:
    """1 where a pair reaches the threshold that the other folds' pairs choose: [pairs]."""
    return (scores.astype(np.float64) >= thresholds(known, scores)).astype(float)


def figures(known: NewDocumentPairs, scores: Array, untrained: Array | None) -> dict[str, Any]:
    """Precision, recall, F1 and accuracy out of fold, area under the curve, and what training adds to it."""
    labels, exact = known.labels, scores.astype(np.float64)
    measured = measure(labels, predicted_similar(known, exact), 0.5)
    row: dict[str, Any] = {"pairs": len(labels)}
    row |= {k: round(measured[k], 4) for k in ("accuracy", "precision", "recall", "f1")}
    row["roc_auc"] = round(float(roc_auc_score(labels, exact)), 4)
    if untrained is not None:
        row["untrained_roc_auc"] = round(float(roc_auc_score(labels, untrained)), 4)
        gain = paired_bootstrap_auc(PairedScores(labels, exact, untrained, known.sources))
        row["gain"] = {k: round(v, 4) for k, v in asdict(gain).items()}
    return row
