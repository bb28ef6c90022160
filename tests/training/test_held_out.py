"""Parts of held-out pairs: they name the same documents, labels and related pairs as the complete set."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from colde.training.corpora.held_out import HeldOutPairs

DOCUMENTS, PAIRS = 40, 90


def held_out(seed: int) -> HeldOutPairs:
    random = np.random.default_rng(seed)
    related = np.triu(random.random((DOCUMENTS, DOCUMENTS)) < 0.2, 1)
    return HeldOutPairs(
        "stones",
        "papers",
        tuple(f"stone-{i}" for i in random.permutation(DOCUMENTS)),
        random.integers(0, DOCUMENTS, (PAIRS, 2)),
        random.integers(0, 2, PAIRS),
        sparse.csr_matrix(related | related.T),
        random.permutation(1_000)[:DOCUMENTS],
        random.integers(0, 3, PAIRS),
    )


def named(pairs: HeldOutPairs) -> list[tuple[str, str, int, int]]:
    """Names, label and number of new documents of each pair."""
    return [
        (pairs.ids[i], pairs.ids[j], int(label), int(new))
        for (i, j), label, new in zip(pairs.pairs, pairs.labels, pairs.new_documents, strict=True)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_a_subset_names_the_same_documents(seed: int) -> None:
    complete = held_out(seed)
    rows = np.random.default_rng(seed).permutation(PAIRS)[:25]
    part = complete.subset(rows)
    assert named(part) == [named(complete)[row] for row in rows]
    assert set(part.ids) == {name for a, b, *_ in named(part) for name in (a, b)}
    place = [complete.ids.index(name) for name in part.ids]
    assert part.positions.tolist() == complete.positions[place].tolist()
    assert (part.related.toarray() == complete.related.toarray()[np.ix_(place, place)]).all()


def test_a_sample_takes_pairs_with_a_new_document_first() -> None:
    complete = held_out(0)
    new = int((complete.new_documents > 0).sum())
    assert 10 < new < PAIRS
    assert (complete.sample(10, seed=1).new_documents > 0).all()
    more = complete.sample(new + 5, seed=1)
    assert len(more.labels) == new + 5
    assert int((more.new_documents > 0).sum()) == new
    assert complete.sample(10, seed=1).pairs.tolist() == complete.sample(10, seed=1).pairs.tolist()
