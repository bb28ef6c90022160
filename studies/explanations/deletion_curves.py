"""Deletion and insertion curves of what ships: does the score fall with what its contribution map calls strongest?

    python -m studies.explanations.deletion_curves ../shared/corpora --sentences runs/sentences \\
      --json docs/results/deletion_curves.json --asset assets/explanations.json

Related pairs with which nothing was trained: validation pairs and those of the development part. Chunks of both
documents are left out one after the other, those first that add most for their letters; beside it at random, by the
strongest raw cosine of MiniLM chunk vectors with a chunk of the other document, and by the strongest TF-IDF cosine. The
area over a curve is the mean loss of the score when 5, 10, …, 95 % of the text are left out (deletion), the area under
it the mean score of that much of the text alone (insertion). No document loses its last chunk.

`--sentences` is what `python -m studies.papers.sentence_vectors` has made: of a document of more than 6,000 tokens it
holds sentences drawn evenly from all chunks, and these stand for the document (`chunk_scores.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from colde.comparison.questions.deletion_test import first_share
from colde.encoders.vector_math import cosines
from colde.judge.profiles import profile_of
from colde.text.word_weights.term_weights import shipped_statistics, weighted, word_cosines
from studies.arguments import command_line
from studies.explanations.chunk_scores import (
    ChunkedDocument,
    ChunkScorer,
    Float64Array,
    scored,
    sides,
    with_random_weights,
)
from studies.explanations.deletion import CHANCE, WORDS, Place, by_value, model_free_orders, rest
from studies.explanations.explanation_tables import listed
from studies.release.made_with import record
from studies.tables import interval_text, markdown_table, table_row, write_json

SHARES = tuple(k / 20 for k in range(1, 20))
FEW = (0.1, 0.25, 0.5)
"""Shares of the text whose mean loss the page names."""
RANDOM = 5
CONTRIBUTION, COSINE = "contribution", "chunk cosine"
ORDERS = (CONTRIBUTION, CHANCE, COSINE, WORDS)
KINDS = ("deletion", "insertion")
RANDOM_WEIGHTS = "weights drawn anew"
"""The contribution of the same model with random numbers for its trained weights."""
DRAWS = 1_000


def measured(
    model: ChunkScorer, a: ChunkedDocument, b: ChunkedDocument, seed: int, anew: ChunkScorer | None = None
) -> dict[str, dict[str, list[float]]]:
    """By order: loss by deletion of each share of the text, and score of this share alone.

    Args:
        anew: `with_random_weights`, whose contributions are one more order, with their rank correlation to those of
            the model.
    """
    places: list[Place] = [(k, span) for k, side in enumerate((a, b)) for span in side.spans]
    trained = _per_letter(model, a, b, places)
    orders = {CONTRIBUTION: [by_value(places, trained)], **_orders(a, b, places, seed)}
    other = None if anew is None else _per_letter(anew, a, b, places)
    if other is not None:
        orders[RANDOM_WEIGHTS] = [by_value(places, other)]
    masks, at = _masks(places, [order for several in orders.values() for order in several]), len(a.tokens)
    scores = model.scores(a, b, masks[:, :at], masks[:, at:])
    score, rows = scores[0], scores[1:].reshape(-1, len(SHARES), 2)
    by_order, begin = {}, 0
    for name, several in orders.items():
        mean = rows[begin : begin + len(several)].mean(0)
        begin += len(several)
        by_order[name] = {"deletion": (score - mean[:, 0]).tolist(), "insertion": mean[:, 1].tolist()}
    if other is not None and len(places) > 2:
        by_order[RANDOM_WEIGHTS]["correlation"] = [float(spearmanr(trained, other).statistic)]
    return by_order


def _masks(places: Sequence[Place], orders: Sequence[Sequence[Place]]) -> Float64Array:
    """1 for each passage that stays: all of them, then for each order and share all but the first, and these alone."""
    index = {place: k for k, place in enumerate(places)}
    masks = [np.ones(len(places))]
    for order in orders:
        for gone in (part(order, share) for share in SHARES for part in (first_share, rest)):
            mask = np.ones(len(places))
            mask[[index[p] for p in gone]] = 0.0
            masks.append(mask)
    return np.array(masks)


def _per_letter(
    model: ChunkScorer, a: ChunkedDocument, b: ChunkedDocument, places: Sequence[Place]
) -> Float64Array:
    """What each chunk of both documents adds for each of its letters."""
    contributions = model.chunk_contributions(a, b)
    sums = np.concatenate([contributions.sum(1), contributions.sum(0)])
    return np.asarray(sums / [max(1, len(span)) for _, span in places])


def _orders(
    a: ChunkedDocument, b: ChunkedDocument, places: Sequence[Place], seed: int
) -> dict[str, list[list[Place]]]:
    words = word_cosines(*(weighted(s.word_counts, shipped_statistics()) for s in (a, b)))
    orders = model_free_orders(places, cosines(a.means, b.means), words, seed, RANDOM)
    return dict(zip((CHANCE, COSINE, WORDS), orders, strict=True))


def summary(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Areas with their 95 % intervals, drawn over the first documents of the pairs, and differences to contribution."""
    draws = _source_draws([line["source"] for line in lines])
    curves = [line["found"] for line in lines]
    figures: dict[str, Any] = {"pairs": len(lines)}
    if all(RANDOM_WEIGHTS in curve for curve in curves):
        random = _means(curves, RANDOM_WEIGHTS, "deletion")
        ranks = [c for curve in curves for c in curve[RANDOM_WEIGHTS].get("correlation", ())]
        figures["anew"] = {
            "deletion": _interval(random, draws),
            "less": _interval(_means(curves, CONTRIBUTION, "deletion") - random, draws),
            "correlation": round(float(np.nanmean(ranks)), 3),
        }
    few = [k for k, share in enumerate(SHARES) if any(abs(share - s) < 1e-9 for s in FEW)]
    for title, shares in (("area", list(range(len(SHARES)))), ("few", few)):
        figures[title] = {}
        for kind in KINDS:
            values = {name: _means(curves, name, kind, shares) for name in ORDERS}
            figures[title][kind] = {
                name: {
                    "mean": _interval(areas, draws),
                    "less": _interval(values[CONTRIBUTION] - areas, draws),
                }
                for name, areas in values.items()
            }
    return figures


def _source_draws(sources: Sequence[str]) -> list[NDArray[np.intp]]:
    """Draws of the sources with replacement; each brings all its pairs."""
    groups: dict[str, list[int]] = {}
    for k, source in enumerate(sources):
        groups.setdefault(source, []).append(k)
    members = [np.array(g) for g in groups.values()]
    random = np.random.default_rng(0)
    return [
        np.concatenate([members[i] for i in random.integers(0, len(members), len(members))])
        for _ in range(DRAWS)
    ]


def _means(
    curves: Sequence[Mapping[str, Any]], name: str, kind: str, shares: Sequence[int] | None = None
) -> Float64Array:
    """The mean over these shares of each pair's curve: [pairs]."""
    values = [np.array(curve[name][kind]) for curve in curves]
    return np.array([np.mean(points if shares is None else points[shares]) for points in values])


def _interval(values: Float64Array, draws: Sequence[NDArray[np.intp]]) -> list[float]:
    drawn = [float(values[d].mean()) for d in draws]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return [round(float(v), 5) for v in (values.mean(), low, high)]


def write_asset(path: Path, summaries: Mapping[str, Mapping[str, Any]], corpora: Sequence[str]) -> None:
    """Put the figures over all corpora into assets/explanations.json, beside those of explanation_tables.py."""
    asset = json.loads(path.read_text(encoding="utf-8"))
    for name, by_corpus in summaries.items():
        few = by_corpus["all"]["few"]
        figures: dict[str, Any] = {"pairs": by_corpus["all"]["pairs"], "corpus": listed(sorted(corpora))}
        for kind, orders in few.items():
            figures[kind] = orders[CONTRIBUTION]["mean"]
            figures[f"{kind} less chance"] = orders[CHANCE]["less"]
        asset["models"].setdefault(name, {"views": {}})["curves"] = figures
    write_json(path, asset)


def table(summaries: Mapping[str, Mapping[str, Any]], kind: str, value: str = "mean") -> str:
    """Areas, a row for each model and corpus; with `less` how far contribution is above the other orders."""
    rows = (
        [name, f"{corpus}, {one['pairs']}", *(interval_text(one["area"][kind][o][value]) for o in ORDERS)]
        for name, by_corpus in summaries.items()
        for corpus, one in by_corpus.items()
    )
    return markdown_table(["score of", "corpus, pairs", *ORDERS], rows)


def _print(summaries: Mapping[str, Mapping[str, Any]]) -> None:
    for kind in KINDS:
        print(f"\n{kind}\n\n{table(summaries, kind)}")
    print(f"\ndeletion, contribution less each order\n\n{table(summaries, 'deletion', 'less')}")
    print("\nweights drawn anew: rank correlation, area by deletion, contribution less it\n")
    for name, by_corpus in summaries.items():
        for corpus, values in ((c, one["anew"]) for c, one in by_corpus.items() if "anew" in one):
            print(table_row([name, corpus, values["correlation"], values["deletion"], values["less"]]))


def main() -> None:
    parser = command_line(__doc__, "corpora", "--json")
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--models", default="colde,colde_words,minilm,tfidf")
    parser.add_argument("--only", default="acl,wiki,peps", help="corpora")
    parser.add_argument("--pairs", type=int, default=400, help="of each corpus")
    parser.add_argument("--asset", type=Path, help="file of the page; figures of these models are put in")
    asked = parser.parse_args()
    names, corpora = asked.models.split(","), asked.only.split(",")
    lines: dict[str, dict[str, list[dict[str, Any]]]] = {name: {} for name in names}
    for corpus in corpora:
        pairs = sides(asked.corpora / corpus, asked.sentences, asked.pairs)
        for name in names:
            model = scored(name, profile_of(corpus))
            anew = with_random_weights(model)
            lines[name][corpus] = [
                {"source": source, "found": measured(model, a, b, seed, anew)}
                for seed, (source, a, b) in enumerate(pairs)
            ]
            print(f"{corpus} {name}: {len(pairs)} pairs", flush=True)
    summaries = {
        name: {
            **{corpus: summary(pair_lines) for corpus, pair_lines in by.items()},
            "all": summary([line for pair_lines in by.values() for line in pair_lines]),
        }
        for name, by in lines.items()
    }
    _print(summaries)
    if asked.asset is not None:
        write_asset(asked.asset, summaries, corpora)
        record(asked.asset, list(summaries))
    if asked.json is not None:
        asked.json.write_text(json.dumps(summaries, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
