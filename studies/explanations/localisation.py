"""Does the brightest cell show the passage that two documents share?

    python -m studies.explanations.localisation CORPORA --models colde,passages --memory FILE.npz

`passages` is the passages map of CoLDE alone, at a fraction of the cost.

A passage is planted in both documents of a pair of validation documents: word for word, lightly edited, or in other
words. Sentences of the second document that already share a run of eight words with the first are taken out of it,
since they would be right answers, too (`--keep-copies` leaves them in).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import binomtest

from colde import models
from colde.alignment import sentence_similarity
from colde.encoders.vector_math import centred, cosines, group_sums
from colde.judge.profiles import profile_of
from colde.models.base import Matcher
from colde.models.colde.document_encoding import ColdeEncoding
from colde.models.colde.matcher import Colde
from colde.results.similarity_map import Array
from colde.text.document import Document
from studies.arguments import command_line
from studies.explanations.planting import (
    FORMS,
    Host,
    Planted,
    Written,
    hosts,
    plant,
    without_shared_sentences,
    written,
)
from studies.explanations.vector_memory import PassageMapModel, StoredSentenceEncoder, VectorStore
from studies.tables import markdown_table

ACROSS = 0.125
"""Share of the passages through which a section border goes."""

Ranks = dict[tuple[str, str, bool], list[int]]  # what was ranked, form, related → ranks of the right answer


def chunk_means(e: ColdeEncoding) -> Array:
    """Token-weighted means of the unit vectors of the sentences of each chunk: [chunks, width]."""
    return group_sums(e.states * e.mass[:, None], e.layout.segment_chunk, len(e.chunk_spans))


def rank(values: Array, a: Sequence[bool], b: Sequence[bool]) -> int:
    """Place, from 1, of the best cell that holds both passages; cells without a value come last."""
    values = np.nan_to_num(values, nan=-np.inf)
    right = np.outer(a, b).astype(bool)
    return 1 + int((values[~right] >= values[right].max()).sum())


def measure(a: Planted, b: Planted, model: Matcher | PassageMapModel, rng: random.Random) -> dict[str, int]:
    """Rank of the right answer in every chunk map."""
    one, two = model.encode([a.document, b.document])
    in_a, in_b = ([p.touches(c) for c in e.chunk_spans] for p, e in ((a, one), (b, two)))
    size = (len(in_a), len(in_b))
    maps = {"random": np.random.default_rng(rng.randrange(2**31)).random(size).astype(np.float32)}
    if isinstance(one, ColdeEncoding) and isinstance(two, ColdeEncoding):
        means = chunk_means(one), chunk_means(two)
        maps["raw cosine"] = cosines(*means)
        maps["raw cosine, centred"] = cosines(*centred(*means))
    result = model.match(one, two)
    for name, similarity_map in result.maps.items():
        if (
            similarity_map.values.shape == size
            and similarity_map.rows == one.chunk_spans
            and similarity_map.columns == two.chunk_spans
        ):
            maps[f"map {name}"] = similarity_map.values
    if "map chunk_attention" in maps:
        maps["attention × raw cosine"] = maps["map chunk_attention"] * np.maximum(maps["raw cosine"], 0)
    return {name: rank(values, in_a, in_b) for name, values in maps.items()}


def add_ranks(
    ranks: Ranks,
    host: Host,
    second: Document,
    passage: Written,
    model: Matcher | PassageMapModel,
    rng: random.Random,
) -> None:
    """Plant a passage in a pair in each form, and add the ranks of the right answer."""
    across, place = rng.random() < ACROSS, rng.random()
    a = plant(host.a, passage.original, rng, across=across)
    for form in FORMS:
        b = plant(second, passage.form(form), random.Random(place), across=across)
        for name, value in measure(a, b, model, rng).items():
            ranks[name, form, host.related].append(value)


def table(ranks: Ranks) -> str:
    """Markdown: a row a ranking, a column a form and kind of pair; hit@1 (interval), hit@5, MRR."""
    parts = []
    for related in (False, True):
        parts.append(f"\n{'related' if related else 'unrelated'}: hit@1 (95 %), hit@5, MRR\n")
        names = dict.fromkeys(key[0] for key in ranks)
        rows = ([name, *(_hits(ranks[name, form, related]) for form in FORMS)] for name in names)
        parts.append(markdown_table(["", *FORMS], rows))
    return "\n".join(parts)


def _hits(ranks: Sequence[int]) -> str:
    r = np.array(ranks)
    low, high = binomtest(int((r == 1).sum()), len(r)).proportion_ci(method="wilson")
    mrr = np.mean([1 / x if x else 0.0 for x in r])
    in_five = np.mean((r >= 1) & (r <= 5))
    return f"{np.mean(r == 1):.2f} ({low:.2f}–{high:.2f}) {in_five:.2f} {mrr:.2f}"


def main() -> None:
    parser = command_line(__doc__, "corpora", "--memory", "--seed")
    parser.add_argument("--pairs", type=int, default=11, help="pairs of each corpus and label")
    parser.add_argument("--half", choices=("all", "chosen", "held"), default="held")
    parser.add_argument("--models", default="colde")
    parser.add_argument("--encoder", type=Path, help="folder of another encoder with the same tokenizer")
    parser.add_argument("--keep-copies", action="store_true")
    options = parser.parse_args()
    sentence_similarity.MOST_PAIRS = 0  # the sentence map is not asked for here
    memory = VectorStore(options.memory, options.encoder)
    texts = written(options.half)
    everything = hosts(options.corpora, options.pairs, options.seed)
    for name in options.models.split(","):
        model = PassageMapModel(memory) if name == "passages" else models.load(name)
        if isinstance(model, Colde):
            model.sentence_encoder = StoredSentenceEncoder(memory)
        ranks: Ranks = defaultdict(list)
        removed = 0
        for n, host in enumerate(everything):
            rng = random.Random(f"{options.seed} {options.half} {n}")
            passage = rng.choice([p for p in texts if p.field in (profile_of(host.corpus), "general")])
            second = host.b if options.keep_copies else without_shared_sentences(host.b, host.a)
            removed += sum(1 for _ in host.b.sentences()) - sum(1 for _ in second.sentences())
            add_ranks(ranks, host, second, passage, model, rng)
        memory.save()
        pairs = len(everything) // 2
        print(f"\n{name}: {pairs} pairs a cell, passages: {options.half}, sentences removed: {removed}")
        print(table(ranks))


if __name__ == "__main__":
    main()
