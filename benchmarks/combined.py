"""The combined verdict from tokens and scores that training has kept; sentences are read once, kept by content.

    python benchmarks/combined.py ../shared/corpora --baselines runs --output runs/combined --new

With `--new` the pairs are those with a document that stands in no training pair: what members know of documents they
were trained on would be weighed too high for those of a reader. Prints by how much the area under the ROC curve of the
combination, out of fold, is above that of the best model.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from results import run_folder, valid_scores
from rich.console import Console
from sklearn.metrics import roc_auc_score

from colde import models
from colde.data.corpus import read_documents, read_pairs
from colde.evaluation.bootstrap import Compared, Difference, paired_bootstrap_auc
from colde.judge.profiles import GENERAL, corpora, profile_of
from colde.models.base import ProfileAware
from colde.models.checkpoint import read_config
from colde.results.maps import Array
from colde.training.baselines import SCORES
from colde.training.combined import FOLDS, arrays, cross_fitted, fit_combined
from colde.training.combined_scores import UNRELATED, Tables
from colde.training.inputs import prepare_corpus, some_pairs
from colde.training.pairs import LabelledCorpus, labelled_corpus
from colde.training.profiles import unrelated_pairs
from colde.training.scoring import score_pairs
from colde.training.unseen import unseen

Scorer = Callable[[np.ndarray], Array]
"""Pairs of positions in `LabelledCorpus.whole` [pairs, 2] → scores [pairs]."""


def scorers(name: str, folder: Path, corpus: LabelledCorpus, baselines: Path) -> tuple[Scorer, Scorer]:
    """How a model scores the validation documents of a corpus under the corpus' profile and under `general`."""
    matcher: Any = models.load(name)
    if hasattr(matcher, "network"):
        prepared = prepare_corpus(matcher.network, folder, baselines / "prepared")
        place = {document: i for i, document in enumerate(prepared.ids)}
        places = np.array([place[document] for document in corpus.whole.ids])
        known = kept_scores(name, matcher, folder, baselines)

        def score(pairs: np.ndarray) -> Array:
            asked = places[pairs]
            found = np.array([known.get((a, b), np.nan) for a, b in asked.tolist()], dtype=np.float32)
            fresh = np.isnan(found)
            if fresh.any():
                found[fresh] = score_pairs(
                    matcher.network, prepared.documents, asked[fresh], both_orders=matcher.card.symmetric
                )
                known.update(zip(map(tuple, asked[fresh].tolist()), found[fresh].tolist(), strict=True))
            return found
    else:
        index = {document: i for i, document in enumerate(corpus.whole.ids)}
        encoded = {
            index[document]: matcher.encode([text], explain=False)[0]
            for document, text in read_documents(folder)
            if document in index
        }

        def scored_by(judge: Any) -> Scorer:
            return lambda pairs: np.array(
                [judge.match(encoded[i], encoded[j], explain=False).score for i, j in pairs],
                dtype=np.float32,
            )

        if not isinstance(matcher, ProfileAware):
            return scored_by(matcher), scored_by(matcher)
        return scored_by(matcher.for_profile(corpus.profile)), scored_by(matcher.for_profile(GENERAL))
    return score, score


def kept_scores(name: str, matcher: Any, folder: Path, baselines: Path) -> dict[tuple[int, int], float]:
    """Scores of validation pairs that the training of this very checkpoint has kept, by positions in its corpus."""
    run = run_folder(baselines, name, 0)
    if (
        not (run / SCORES).is_file()
        or read_config(run).weights != read_config(models.checkpoint(name)).weights
    ):
        return {}
    pairs, _, scores = valid_scores(matcher, run, [folder], baselines)[folder.name]
    return {(a, b): float(s) for (a, b), s in zip(pairs.tolist(), scores, strict=True)}


def tables(
    names: Sequence[str],
    folders: Sequence[Path],
    baselines: Path,
    most: int | None = None,
    unrelated: int = UNRELATED,
    seed: int = 0,
    new: bool = False,
) -> tuple[Tables, Tables]:
    """The tables of `fit_combined`, under the profile of each corpus and under `general`.

    Args:
        most: validation pairs of each corpus, the ones thresholds were fitted on; all where it is not given.
        unrelated: random pairs of each corpus.
        new: pairs with a document that stands in no training pair alone.
    """
    found: list[list[pd.DataFrame]] = [[], [], [], []]
    for folder in folders:
        corpus = labelled_corpus(folder)
        judged = new_pairs(folder) if new else np.arange(len(corpus.valid.labels))
        chosen, random = judged[some_pairs(len(judged), most)], unrelated_pairs(corpus, seed, unrelated)
        pairs, labels = corpus.valid.pairs[chosen], corpus.valid.labels[chosen]
        profile = profile_of(folder.name)
        sources = [corpus.whole.ids[i] for i in pairs[:, 0]]
        table = pd.DataFrame({"profile": profile, "source": sources, "label": labels})
        drawn = pd.DataFrame({"profile": [profile] * len(random)})
        here = [table, drawn, table.copy(), drawn.copy()]
        for name in names:
            for score, both in zip(
                scorers(name, folder, corpus, baselines), (here[:2], here[2:]), strict=True
            ):
                both[0][name], both[1][name] = score(pairs), score(random)
        for rows, part in zip(found, here, strict=True):
            rows.append(part)
    scores, background, general, general_background = (pd.concat(f, ignore_index=True) for f in found)
    return (scores, background), (general, general_background)


def new_pairs(folder: Path) -> NDArray[np.int64]:
    """Validation pairs with a document that stands in no training pair, by position: [pairs]."""
    known = frozenset(name for p in read_pairs(folder / "train.tsv") for name in (p.source, p.target))
    return np.flatnonzero(unseen(read_pairs(folder / "valid.tsv"), known))


def out_of_fold(scores: pd.DataFrame, names: Sequence[str], general: bool) -> pd.DataFrame:
    """The table with a column `combined`: probabilities by weights fitted without the source of the pair.

    Args:
        general: one formula for all profiles; else each has its own mean scores.
    """
    x, y, weights, sources = arrays(scores, names)
    profiles = np.full(len(y), GENERAL) if general else scores["profile"].to_numpy(dtype=str)
    return scores.assign(combined=cross_fitted(x, y, weights, sources, profiles, names, FOLDS))


def lead(scores: pd.DataFrame, names: Sequence[str]) -> tuple[str, dict[str, Difference]]:
    """The best single model, and by how much the AUC of `combined` is above its own, with the interval over sources.

    Returns:
        The differences: `joined`, one ranking of the pairs of all corpora, and `mean`, of the AUC of each.
    """
    parts = [rows for _, rows in scores.groupby("profile", sort=False)]
    areas = {n: np.mean([roc_auc_score(rows["label"], rows[n]) for rows in parts]) for n in names}
    best = max(areas, key=areas.__getitem__)
    compared = [
        Compared(
            rows["label"].to_numpy(),
            rows["combined"].to_numpy(),
            rows[best].to_numpy(),
            rows["source"].tolist(),
        )
        for rows in parts
    ]
    return best, {
        "joined": paired_bootstrap_auc(compared, pooling="joined"),
        "mean": paired_bootstrap_auc(compared, pooling="mean"),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, help="folder that holds the corpora")
    parser.add_argument(
        "--baselines", type=Path, default=Path("runs"), help="holds the baselines' kept tokens"
    )
    parser.add_argument("--models", default=None, help="names with commas; every trained model")
    parser.add_argument(
        "--pairs", type=int, help="validation pairs of each corpus; all where it is not given"
    )
    parser.add_argument("--unrelated", type=int, default=UNRELATED, help="random pairs of each corpus")
    parser.add_argument(
        "--new", action="store_true", help="pairs with a document that stands in no training pair alone"
    )
    parser.add_argument("--output", type=Path, default=Path("runs/combined"))
    chosen = parser.parse_args(arguments)
    names = [n for n in models.resolve(chosen.models or "all") if n != "combined"]
    folders = [chosen.corpora / name for name in corpora()]
    own, general = tables(names, folders, chosen.baselines, chosen.pairs, chosen.unrelated, new=chosen.new)
    combined = fit_combined(*own, general=general)
    combined.save(chosen.output)
    console = Console()
    for title, scores, pooled in (("own", own[0], False), ("general", general[0], True)):
        table = out_of_fold(scores, names, pooled)
        table.to_csv(chosen.output / f"{title}.csv", index=False)
        best, found = lead(table, names)
        for pooling, d in found.items():
            console.print(
                f"{title}, {pooling}: AUC {d.value:+.4f} ({d.low:+.4f} to {d.high:+.4f}) over {best}, p {d.p:.3f}"
            )
    for profile, formula in combined.formulas.items():
        console.print(profile, ", ".join(f"{p.name} {p.weight:.2f}" for p in formula.parts))


if __name__ == "__main__":
    main()
