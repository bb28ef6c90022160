"""Labelled pairs that a model is not trained on: profiles are fitted on them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colde.corpus.corpus_folder import read_pairs
from colde.training.corpora.labelled_pairs import pair_graph


def _no_numbers() -> NDArray[np.int64]:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class HeldOutPairs:
    """Labelled pairs of a corpus that were not trained on.

    Attributes:
        name: of the corpus; profile: of the profile that is fitted.
        ids: of the documents in the pairs.
        pairs: [pairs, 2], positions in `ids`; labels: [pairs].
        related: [documents, documents], symmetric: pairs with the label 1, those of the training set included.
        positions: [documents], positions in the corpus as it is loaded for training; empty without one.
        new_documents: [pairs], how many of the two documents were not trained on; empty where nothing is trained.
    """

    name: str
    profile: str
    ids: tuple[str, ...]
    pairs: NDArray[np.int64]
    labels: NDArray[np.int64]
    related: sparse.csr_matrix
    positions: NDArray[np.int64] = field(default_factory=_no_numbers)
    new_documents: NDArray[np.int64] = field(default_factory=_no_numbers)

    def sample(self, most: int, seed: int) -> HeldOutPairs:
        """At most `most` of the pairs and the documents in them; pairs with a new document first."""
        random = np.random.default_rng(seed)
        order = np.argsort(-np.minimum(self.new_documents, 1), kind="stable")
        first = order[: max(most, int((self.new_documents > 0).sum()))]
        return self.subset(random.permutation(first)[:most])

    def subset(self, rows: NDArray[np.int64]) -> HeldOutPairs:
        """Some of the pairs, by their positions, and the documents in them."""
        used, pairs = np.unique(self.pairs[rows], return_inverse=True)
        return replace(
            self,
            ids=tuple(self.ids[d] for d in used),
            pairs=pairs.reshape(-1, 2),
            labels=self.labels[rows],
            related=sparse.csr_matrix(self.related[used][:, used]),
            positions=self.positions[used] if len(self.positions) else self.positions,
            new_documents=self.new_documents[rows] if len(self.new_documents) else self.new_documents,
        )


def validation_pairs(corpus: Path, profile: str) -> HeldOutPairs:
    """The pairs of valid.tsv. Those of train.tsv, where there is one, say which other documents are related."""
    valid, train = read_pairs(corpus / "valid.tsv"), corpus / "train.tsv"
    ids = tuple(sorted({name for p in valid for name in (p.source, p.target)}))
    known = frozenset(ids)
    others = [p for p in read_pairs(train) if {p.source, p.target} <= known] if train.is_file() else []
    graph = pair_graph(valid, ids, corpus)
    related = pair_graph([*others, *valid], ids, corpus).similar
    return HeldOutPairs(corpus.name, profile, ids, graph.pairs, graph.labels, related)
