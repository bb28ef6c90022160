"""The combined verdict from vectors and tokens that training has kept: no text is encoded again.

    python benchmarks/combined.py ../shared/corpora --work runs --rivals runs --output runs/combined

Prints by how much its area under the ROC curve, out of fold, is above that of the best model.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
from rich.console import Console
from sklearn.metrics import roc_auc_score

from colde import models
from colde.corpus import read_documents
from colde.evaluation.bootstrap import Compared, Difference, paired_bootstrap_auc
from colde.models.base import GENERAL
from colde.models.colde import SHARES, Colde
from colde.models.colde.config import OWN
from colde.models.combined import evidence_of, kind
from colde.runtime.frozen import shared_frozen_encoder
from colde.similarity import Array
from colde.training.channels import channels
from colde.training.combined import FOLDS, UNRELATED, cross_fitted, even_weights, fit_combined
from colde.training.pairs import TrainingCorpus, load_corpus
from colde.training.pairwise import score_pairs
from colde.training.prepared import prepare_corpus
from colde.training.profiles import PROFILE_OF, unrelated_pairs
from colde.training.settings import TrainConfig
from colde.training.shipped import MOST_CHUNKS
from colde.training.untrained import mean_cosines

Scorer = Callable[[np.ndarray], Array]
"""Pairs of positions in `TrainingCorpus.whole` [pairs, 2] → scores [pairs]."""


def scorers(name: str, folder: Path, corpus: TrainingCorpus, rivals: Path) -> tuple[Scorer, Scorer]:
    """How a model scores the validation documents of a corpus under the corpus' profile and under `general`."""
    matcher: Any = models.load(name)
    if isinstance(matcher, Colde):
        known = channels(matcher.network, matcher.words, corpus)
        own = SHARES.get(PROFILE_OF.get(corpus.name, corpus.name), OWN)
        return lambda pairs: known.score(pairs, own), lambda pairs: known.score(pairs, SHARES[GENERAL])
    if name == "minilm":
        score: Scorer = lambda pairs: mean_cosines(corpus, pairs)  # noqa: E731
    elif hasattr(matcher, "network"):
        prepared = prepare_corpus(matcher.network, folder, rivals / "prepared")
        place = {document: i for i, document in enumerate(prepared.ids)}
        places = np.array([place[document] for document in corpus.whole.ids])

        def score(pairs: np.ndarray) -> Array:
            return score_pairs(
                matcher.network, prepared.documents, places[pairs], both_orders=matcher.card.symmetric
            )
    else:
        index = corpus.whole.index
        encoded = {
            index[document]: matcher.encode([text], explain=False)[0]
            for document, text in read_documents(folder, sentences=False)
            if document in index
        }

        def score(pairs: np.ndarray) -> Array:
            return np.array([matcher.compare(encoded[i], encoded[j]) for i, j in pairs], dtype=np.float32)

    return score, score


def corpus_of(folder: Path, work: Path) -> TrainingCorpus:
    """A corpus with the vectors that training has kept."""
    most = MOST_CHUNKS.get(folder.name, TrainConfig().most_chunks)
    return load_corpus(folder, work / "vectors", shared_frozen_encoder("packaged"), most)


def tables(
    names: Sequence[str], folders: Sequence[Path], work: Path, rivals: Path, seed: int = 0
) -> tuple[tuple[pd.DataFrame, pd.DataFrame], tuple[pd.DataFrame, pd.DataFrame]]:
    """The two tables of `fit_combined`, under the profile of each corpus and under `general`."""
    found: list[list[pd.DataFrame]] = [[], [], [], []]
    for folder in folders:
        corpus = corpus_of(folder, work)
        valid, random = corpus.valid, unrelated_pairs(corpus, seed, UNRELATED)
        profile = PROFILE_OF.get(folder.name, folder.name)
        sources = [corpus.whole.ids[i] for i in valid.pairs[:, 0]]
        table = pd.DataFrame({"profile": profile, "source": sources, "label": valid.labels})
        drawn = pd.DataFrame({"profile": [profile] * len(random)})
        here = [table, drawn, table.copy(), drawn.copy()]
        for name in names:
            for score, both in zip(scorers(name, folder, corpus, rivals), (here[:2], here[2:]), strict=True):
                both[0][name], both[1][name] = score(valid.pairs), score(random)
        for rows, part in zip(found, here, strict=True):
            rows.append(part)
    scores, background, general, general_background = (pd.concat(f, ignore_index=True) for f in found)
    return (scores, background), (general, general_background)


def lead(scores: pd.DataFrame, names: Sequence[str], together: bool) -> tuple[str, Difference]:
    """The best single model, and by how much the combination's AUC is above its own, with the interval over sources.

    Each pair is scored by weights fitted without its source.

    Args:
        together: one formula and one ranking over all corpora; else each corpus its own, and the mean of their AUC.
    """
    profiles = scores["profile"].astype(str).to_numpy()
    sources = np.char.add(
        np.char.add(profiles.astype(str), "\t"), scores["source"].astype(str).to_numpy(dtype=str)
    )
    x = np.array([[evidence_of(float(s), kind(n)) for s in scores[n]] for n in names]).T
    y, weights = scores["label"].to_numpy(dtype=int), even_weights(profiles)
    combined = np.zeros(len(y))
    parts = [np.flatnonzero(profiles == p) for p in dict.fromkeys(profiles)]
    for rows in [np.arange(len(y))] if together else parts:
        combined[rows] = cross_fitted(x[rows], y[rows], weights[rows], sources[rows], names, FOLDS)

    def area(values: np.ndarray) -> float:
        return float(np.mean([roc_auc_score(y[r], values[r]) for r in ([...] if together else parts)]))

    best = max(range(len(names)), key=lambda k: area(x[:, k]))
    compared = [Compared(y[r], combined[r], x[r, best], cast(Any, sources[r].tolist())) for r in parts]
    return names[best], paired_bootstrap_auc(compared, pooling="joined" if together else "mean")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, help="folder that holds the corpora")
    parser.add_argument("--work", type=Path, default=Path("runs"), help="holds kept vectors")
    parser.add_argument("--rivals", type=Path, default=Path("runs"), help="holds the rivals' kept tokens")
    parser.add_argument("--models", default=None, help="names with commas; every trained model")
    parser.add_argument("--output", type=Path, default=Path("runs/combined"))
    chosen = parser.parse_args(arguments)
    names = [n for n in models.resolve(chosen.models or "all") if n != "combined"]
    folders = [chosen.corpora / name for name in PROFILE_OF]
    own, general = tables(names, folders, chosen.work, chosen.rivals)
    combined = fit_combined(*own, general=general)
    combined.save(chosen.output)
    console = Console()
    for title, table, together in (("each profile", own[0], False), ("general", general[0], True)):
        best, d = lead(table, names, together)
        console.print(f"{title}: AUC {d.value:+.4f} ({d.low:+.4f} to {d.high:+.4f}) over {best}, p {d.p:.3f}")
    for profile, formula in combined.formulas.items():
        console.print(profile, ", ".join(f"{p.name} {p.weight:.2f}" for p in formula.parts))


if __name__ == "__main__":
    main()
