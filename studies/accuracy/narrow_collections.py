"""Which threshold holds in collections narrower than the corpus of their profile: a fixed one, or one that moves.

    python -m studies.accuracy.narrow_collections ../shared/corpora --words runs/colde_words

Collections are single books, elsewhere six clusters of a corpus by the vectors of its documents (k-means). In each the
pairs with a new document are judged by the threshold of the whole corpus as it is, by the same in units of the spread
of random pairs of the collection, and moved by the difference of their means; beside them the best threshold of the
collection. Accuracy, every pair counting the same. The word vectors know nothing of the documents held out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans

from colde import models
from colde.judge.profile_fit import best_threshold
from colde.judge.profiles import corpora
from colde.results.similarity_map import Array
from colde.training.colde_models.colde_corpus import VectorCorpus
from colde.training.colde_models.colde_fit import load_network
from colde.training.corpora.development_split import BOOKS
from colde.training.corpora.held_out import HeldOutPairs
from studies.accuracy.unseen_documents import held_back
from studies.arguments import command_line
from studies.tables import table_row

CLUSTERS, FEWEST, RANDOM = 6, 40, 2_000
Scorer = Callable[[np.ndarray], Array]


def collections(corpus: VectorCorpus, known: HeldOutPairs) -> np.ndarray:
    """The collection of each document in `known.ids`: its book, or its cluster."""
    if corpus.name in BOOKS:
        return np.unique([name.split("/")[0] for name in known.ids], return_inverse=True)[1]
    means = np.stack([corpus.chunks[int(p)].means.mean(0) for p in known.positions])
    return np.asarray(KMeans(CLUSTERS, n_init=3, random_state=0).fit(means - means.mean(0)).labels_)


def accuracies(known: HeldOutPairs, of: np.ndarray, score: Scorer) -> str:
    """By each threshold, and the number of pairs."""
    pairs, labels = known.pairs, known.labels
    scores = score(pairs).astype(np.float64)
    threshold = best_threshold(scores, labels, np.ones(len(labels)))
    random = np.random.default_rng(0)

    def drawn(documents: np.ndarray) -> Array:
        some = documents[random.integers(len(documents), size=(RANDOM, 2))]
        return score(some[some[:, 0] != some[:, 1]])

    all_scores = drawn(np.arange(len(known.ids)))
    rows = []
    for collection in np.unique(of):
        inside = np.flatnonzero((of[pairs] == collection).all(1) & (known.new_documents > 0))
        if len(inside) < FEWEST:
            continue
        usual = drawn(np.flatnonzero(of == collection))
        tried = np.quantile(scores[inside], np.linspace(0, 1, 201))
        best = max(float(np.mean((scores[inside] >= t) == labels[inside])) for t in tried)
        ways = (
            threshold,
            threshold * usual.std() / all_scores.std(),
            threshold + usual.mean() - all_scores.mean(),
        )
        rows.append(
            (len(inside), *(float(np.mean((scores[inside] >= t) == labels[inside])) for t in ways), best)
        )
    table = np.array(rows)
    means = np.average(table[:, 1:], axis=0, weights=table[:, 0])
    return " | ".join(f"{v:.3f}" for v in means) + f" | {int(table[:, 0].sum())} in {len(rows)}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--sentences", "--counts")
    parser.add_argument("--words", type=Path, default=Path("runs/colde_words"))
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in corpora()]
    network = load_network(models.checkpoint("colde"))
    settings = {"sentences": str(chosen.sentences), "counts": str(chosen.counts)}
    print("| | corpus | as it stands | by the spread | by the mean | the best there | pairs |")
    for part in held_back(folders, settings, chosen.words, network):
        known, of = part.known, collections(part.corpus, part.known)
        for title, name in {"CoLDE + words": "colde_words", "CoLDE": "colde", "TF-IDF": "exact"}.items():
            score = partial(part.scores, name, known.profile)
            print(table_row([title, known.name, accuracies(known, of, score)]), flush=True)


if __name__ == "__main__":
    main()
