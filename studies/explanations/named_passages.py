"""In how many pairs is a passage named? In unrelated ones it should be few, and what is named should be worth it.

python -m studies.explanations.named_passages CORPUS… [--pairs 100] [--memory FILE.npz] [--show 10]

A passage is named where the strongest evidence reaches the limit of the verdict (`colde.results.match.STANDS_OUT`).
Validation pairs, no document twice; texts that both documents share word for word (eight words and more) stay in.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from colde.explain import passage_matching
from colde.results.match import STANDS_OUT, Match
from colde.text.document import Document
from studies.arguments import command_line
from studies.explanations.passage_maps import PassageMapModel
from studies.explanations.planting import hosts
from studies.explanations.vector_memory import VectorStore

QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0)


def quote(document: Document, evidence: Match, side: str) -> str:
    passage = evidence.a if side == "a" else evidence.b
    return " ".join(document.text[passage.start : passage.end].split())[:150]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--pairs", type=int, default=100, help="of each corpus and label")
    parser.add_argument("--memory", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="strongest passages of unrelated pairs to print")
    options = parser.parse_args()
    passage_matching.MOST_SENTENCES = 0  # the sentence map is not asked for here
    memory = VectorStore(options.memory)
    model = PassageMapModel(memory)
    print(f"| corpus | pairs | related | named (≥ {STANDS_OUT}) | strongest weight at {QUANTILES} |")
    print("| --- | --- | --- | --- | --- |")
    for corpus in options.corpora:
        found = hosts(corpus.parent, options.pairs, options.seed, only=corpus.name)
        shown: list[tuple[float, str]] = []
        for related in (False, True):
            strongest = []
            for host in (h for h in found if h.related == related):
                evidence = model.match(*model.encode([host.a, host.b])).evidence
                first = evidence[0] if evidence else None
                strongest.append((first.weight, first.stands_out) if first else (0.0, False))
                if first and not related:
                    lines = [f"{first.weight:.2f} worth {first.rarity} {first.kind}"]
                    lines += [f"    {quote(d, first, s)}" for d, s in ((host.a, "a"), (host.b, "b"))]
                    shown.append((first.weight, "\n".join(lines)))
            weights = np.array([w for w, _ in strongest])
            named = np.mean([n for _, n in strongest])
            row = " ".join(f"{q:.2f}" for q in np.quantile(weights, QUANTILES))
            print(
                f"| {corpus.name} | {len(strongest)} | {'yes' if related else 'no'} | {named:.3f} | {row} |"
            )
        memory.save()
        for _, lines in sorted(shown, reverse=True)[: options.show]:
            print(lines)


if __name__ == "__main__":
    main()
