"""The choice of documents that no model is trained on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from colde.corpus.corpus_folder import Pair

_MAX_NEIGHBOURHOOD = 40  # documents


def held_out_documents(pairs: Sequence[Pair], share: float, seed: int = 0) -> frozenset[str]:
    """A share of the documents of these pairs, chosen so that few pairs have only one of their documents among them.

    The documents are neighbours in the graph of all pairs, grown from random ones, at most 40 from each.
    """
    random = np.random.default_rng(seed)
    neighbours: dict[str, list[str]] = defaultdict(list)
    for p in pairs:
        neighbours[p.source].append(p.target)
        neighbours[p.target].append(p.source)
    names = sorted(neighbours)
    wanted = int(share * len(names))
    chosen: set[str] = set()
    for start in random.permutation(names).tolist():
        grown, queue = 0, [start]
        while queue and grown < _MAX_NEIGHBOURHOOD and len(chosen) < wanted:
            name = queue.pop(0)
            if name not in chosen:
                chosen.add(name)
                grown += 1
                queue += [str(n) for n in random.permutation(sorted(set(neighbours[name])))]
        if len(chosen) >= wanted:
            break
    return frozenset(chosen)
