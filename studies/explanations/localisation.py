"""Does the brightest cell show the passage that two documents share?

python -m studies.explanations.localisation CORPORA [--pairs 11] [--half held] [--memory FILE.npz] [--models
colde,passages]

`passages` is the passages map and evidence of CoLDE alone, at a fraction of the cost.

A passage is planted in both documents of a pair of validation documents: word for word, lightly edited, or told in
other words. Sentences of the second document that already share a run of eight words with the first are taken out
of it, since they would be right answers, too (`--keep-copies` leaves them in).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from colde import models
from colde.encoders.sentence_encoder import CachedSentenceEncoder, shared_sentence_encoder
from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_math import cosines, group_sums, normalised
from colde.explain import passage_matching
from colde.models.colde.document_encoding import ColdeEncoding
from colde.models.colde.matcher import Colde
from colde.results.similarity_map import Array
from studies.arguments import command_line
from studies.explanations.passage_maps import PassageMapModel
from studies.explanations.planting import (
    CORPORA,
    FORMS,
    Host,
    Planted,
    hosts,
    plant,
    without_shared_sentences,
    written,
)
from studies.explanations.vector_memory import VectorStore

ACROSS = 0.125
"""Share of the passages through which a section border goes."""

Ranks = dict[tuple[str, str, bool], list[int]]  # what was ranked, form, related → ranks of the right answer


class FromMemory(CachedSentenceEncoder):
    """The reader as the models use it, its vectors from a `VectorStore`."""

    def __init__(self, memory: VectorStore) -> None:
        super().__init__(shared_sentence_encoder().encoder)
        self._memory = memory

    def read_batch(self, found: Sentences, some: NDArray[np.int64]) -> Array:
        return normalised(self._memory.ids([found.ids[i] for i in some]))


def centred(a: Array, b: Array) -> Array:
    """Cosines after subtracting the mean of the two documents' mean vectors."""
    a, b = normalised(a), normalised(b)
    centre = (a.mean(0) + b.mean(0)) / 2
    return cosines(a - centre, b - centre)


def chunk_means(e: ColdeEncoding) -> Array:
    """Token-weighted means of the unit vectors of the sentences of each chunk: [chunks, width]."""
    return group_sums(e.states * e.mass[:, None], e.found.segment_chunk, len(e.chunk_spans))


def rank(values: Array, a: Sequence[bool], b: Sequence[bool]) -> int:
    """Place, from 1, of the best cell that holds both passages; cells without a value come last."""
    values = np.nan_to_num(values, nan=-np.inf)
    right = np.outer(a, b).astype(bool)
    return 1 + int((values[~right] >= values[right].max()).sum())


def measure(
    host: Host, a: Planted, b: Planted, model: models.Matcher | PassageMapModel, rng: random.Random
) -> dict[str, int]:
    """Rank of the right answer in every chunk map, and among the evidence (0: not there at all)."""
    one, two = model.encode([a.document, b.document])
    in_a, in_b = ([p.touches(c) for c in e.chunk_spans] for p, e in ((a, one), (b, two)))
    size = (len(in_a), len(in_b))
    maps = {"random": np.random.default_rng(rng.randrange(2**31)).random(size).astype(np.float32)}
    if isinstance(one, ColdeEncoding) and isinstance(two, ColdeEncoding):
        means = chunk_means(one), chunk_means(two)
        maps["raw cosine"] = cosines(*means)
        maps["raw cosine, centred"] = centred(*means)
    result = model.match(one, two)
    for name, found in result.maps.items():
        if found.values.shape == size and found.rows == one.chunk_spans and found.columns == two.chunk_spans:
            maps[f"map {name}"] = found.values
    if "map chunk_attention" in maps:
        maps["attention × raw cosine"] = maps["map chunk_attention"] * np.maximum(maps["raw cosine"], 0)
    ranks = {name: rank(values, in_a, in_b) for name, values in maps.items()}
    ranks["evidence"] = 0
    for place, evidence in enumerate(result.evidence, 1):
        if a.touches(evidence.a) and b.touches(evidence.b):
            ranks["evidence"] = place
            break
    return ranks


def interval(hits: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval of a share, 95 %."""
    p, w = hits / n, z * z / n
    half = z * np.sqrt(p * (1 - p) / n + w / (4 * n))
    return max(0.0, (p + w / 2 - half) / (1 + w)), min(1.0, (p + w / 2 + half) / (1 + w))


def table(ranks: Ranks) -> str:
    """Markdown: a row a ranking, a column a form and kind of pair; hit@1 (interval), hit@5, MRR."""
    lines = []
    for related in (False, True):
        lines += ["", f"{'related' if related else 'unrelated'}: hit@1 (95 %), hit@5, MRR", ""]
        lines += [f"| | {' | '.join(FORMS)} |", "| --- |" + " --- |" * len(FORMS)]
        for name in dict.fromkeys(k[0] for k in ranks):
            cells = []
            for form in FORMS:
                r = np.array(ranks[name, form, related])
                low, high = interval(int((r == 1).sum()), len(r))
                mrr = np.mean([1 / x if x else 0.0 for x in r])
                in_five = np.mean((r >= 1) & (r <= 5))
                cells.append(f"{np.mean(r == 1):.2f} ({low:.2f}–{high:.2f}) {in_five:.2f} {mrr:.2f}")
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--pairs", type=int, default=11, help="pairs of each corpus and label")
    parser.add_argument("--half", choices=("all", "chosen", "held"), default="held")
    parser.add_argument("--models", default="colde")
    parser.add_argument("--memory", type=Path)
    parser.add_argument("--encoder", type=Path, help="folder of another encoder with the same tokenizer")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep-copies", action="store_true")
    options = parser.parse_args()
    passage_matching.MOST_SENTENCES = 0  # the sentence map is not asked for here
    memory = VectorStore(options.memory, options.encoder)
    texts = written(options.half)
    everything = hosts(options.corpora, options.pairs, options.seed)
    for name in options.models.split(","):
        model = PassageMapModel(memory) if name == "passages" else models.load(name)
        if isinstance(model, Colde):
            model.embedder.reader = FromMemory(memory)
        ranks: Ranks = defaultdict(list)
        removed = 0
        for n, host in enumerate(everything):
            rng = random.Random(f"{options.seed} {options.half} {n}")
            passage = rng.choice([p for p in texts if p.field in (CORPORA[host.corpus], "general")])
            second = host.b if options.keep_copies else without_shared_sentences(host.b, host.a)
            removed += sum(1 for _ in host.b.sentences()) - sum(1 for _ in second.sentences())
            across, place = rng.random() < ACROSS, rng.random()
            a = plant(host.a, passage.original, rng, across=across)
            for form in FORMS:
                b = plant(second, passage.form(form), random.Random(place), across=across)
                for what, r in measure(host, a, b, model, rng).items():
                    ranks[what, form, host.related].append(r)
        memory.save()
        pairs = len(everything) // 2
        print(f"\n{name}: {pairs} pairs a cell, passages: {options.half}, sentences removed: {removed}")
        print(table(ranks))


if __name__ == "__main__":
    main()
