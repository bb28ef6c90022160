"""The combined verdict from vectors and tokens that training has kept: no text is encoded again.

    python -m colde.training.kept ../shared/corpora --work runs --rivals runs/rivals --output assets/models/combined

Prints its mean area under the ROC curve, out of fold, beside those of the models, and by how much it leads the best.
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
from colde.training.combined import FOLDS, UNRELATED, cross_fitted, fit_combined
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


def tables(
    names: Sequence[str], folders: Sequence[Path], work: Path, rivals: Path, seed: int = 0
) -> tuple[tuple[pd.DataFrame, pd.DataFrame], tuple[pd.DataFrame, pd.DataFrame]]:
    """The two tables of `fit_combined`, under the profile of each corpus and under `general`."""
    frozen = shared_frozen_encoder("packaged")
    found: list[list[pd.DataFrame]] = [[], [], [], []]
    for folder in folders:
        most = MOST_CHUNKS.get(folder.name, TrainConfig().most_chunks)
        corpus = load_corpus(folder, work / "vectors", frozen, most)
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


def lead(scores: pd.DataFrame, names: Sequence[str]) -> tuple[float, dict[str, float], str, Difference]:
    """Mean AUC over the corpora of the combination (each pair by weights fitted without its source) and of each
    model, the best model's name, and the difference to it with its interval over sources."""
    parts = [part for _, part in scores.groupby("profile", sort=False)]
    combined = []
    for part in parts:
        x = np.array([[evidence_of(float(s), kind(n)) for s in part[n]] for n in names]).T
        y, groups = part["label"].to_numpy(dtype=int), part["source"].astype(str).to_numpy()
        combined.append(cross_fitted(x, y, np.ones(len(y)), groups, names, FOLDS))
    labels = [part["label"].to_numpy(dtype=int) for part in parts]
    mean = float(np.mean([roc_auc_score(y, s) for y, s in zip(labels, combined, strict=True)]))
    alone = {n: float(np.mean([roc_auc_score(p["label"], p[n]) for p in parts])) for n in names}
    best = max(alone, key=lambda n: alone[n])
    compared = [
        Compared(y, s, p[best].to_numpy(), cast(Any, p["source"].tolist()))
        for y, s, p in zip(labels, combined, parts, strict=True)
    ]
    return mean, alone, best, paired_bootstrap_auc(compared)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, help="folder that holds the corpora")
    parser.add_argument("--work", type=Path, default=Path("runs"), help="holds kept vectors")
    parser.add_argument("--rivals", type=Path, default=Path("runs"), help="holds the rivals' kept tokens")
    parser.add_argument("--models", default=None, help="names with commas; every trained model")
    parser.add_argument("--output", type=Path, default=Path("assets/models/combined"))
    chosen = parser.parse_args(arguments)
    names = [n for n in models.resolve(chosen.models or "all") if n != "combined"]
    folders = [chosen.corpora / name for name in PROFILE_OF]
    own, general = tables(names, folders, chosen.work, chosen.rivals)
    combined = fit_combined(*own, general=general)
    mean, alone, best, difference = lead(own[0], names)
    combined.training = {
        **combined.training,
        "mean_auc": round(mean, 5),
        "best_single": best,
        "lead": [round(v, 5) for v in (difference.value, difference.low, difference.high, difference.p)],
    }
    combined.save(chosen.output)
    console = Console()
    console.print(f"combined {mean:.4f}; {', '.join(f'{n} {a:.4f}' for n, a in alone.items())}")
    console.print(
        f"less {best}: {difference.value:+.4f} ({difference.low:+.4f} to {difference.high:+.4f}), p {difference.p:.3f}"
    )
    for profile, formula in combined.formulas.items():
        console.print(profile, ", ".join(f"{p.name} {p.weight:.2f}" for p in formula.parts))


if __name__ == "__main__":
    main()
