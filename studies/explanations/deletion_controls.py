"""What an explanation adds to a control without training: deletion on related, unrelated and wrongly judged pairs.

    python -m studies.explanations.deletion_controls ../shared/corpora --sentences runs/sentences \\
      --json docs/results/deletion_controls.json --docs docs/results/explanations.md --asset assets/explanations.json

A contribution is a term of the score, so the score falls when the greatest terms are deleted: that a map beats a random
order says little. The control is the same network with a random rotation in place of its trained projection (CoLDE +
words: with random word vectors, too). Chunks are left out in the order of the model's contributions for each letter, in
that of the control's, by the strongest cosine, by TF-IDF and at random, and the loss is that of the model's score, a
mean over 10, 25 and 50 % of the text. Pairs are validation pairs; a kind of pair is its label and whether the model's
threshold judges it rightly. Of each document the first 2,000 tokens with stored vectors are read. Intervals: 95 %,
bootstrap over pairs; differences are paired.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from colde import models
from colde.corpus.corpus_folder import Pair, read_pairs
from colde.judge.profiles import profile_of
from studies.arguments import command_line
from studies.explanations.chunk_scores import (
    ChunkedDocument,
    ChunkScorer,
    Float64Array,
    StoredDocuments,
    scored,
    with_random_weights,
)
from studies.explanations.deletion import CHANCE, WORDS
from studies.explanations.deletion_curves import (
    CONTRIBUTION,
    COSINE,
    FEW,
    RANDOM_WEIGHTS,
    SHARES,
    measured,
)
from studies.release.made_with import record
from studies.significance import bootstrap_interval
from studies.tables import interval_text, markdown_table, read_json, replace_between, write_json

TOKENS = 2_000
"""Tokens read of each document."""
ORDERS = (CONTRIBUTION, RANDOM_WEIGHTS, COSINE, WORDS, CHANCE)
KINDS = {
    (1, True): "related",
    (0, False): "unrelated",
    (1, False): "related, judged unrelated",
    (0, True): "unrelated, judged related",
}
"""Kinds of pairs, by label and by whether the model calls the pair similar."""
BEGIN, END = "<!-- controls -->", "<!-- end of controls -->"

Losses = dict[str, float]
LabelledPairs = Sequence[tuple[Pair, ChunkedDocument, ChunkedDocument]]


def judged_pairs(
    model: ChunkScorer, threshold: float, pairs: LabelledPairs, count: int
) -> Iterator[tuple[str, int, ChunkedDocument, ChunkedDocument]]:
    """Validation pairs with their kind and a number, at most so many of each kind."""
    taken: dict[str, int] = defaultdict(int)
    for number, (pair, a, b) in enumerate(pairs):
        score = float(model.scores(a, b, a.all_chunks, b.all_chunks)[0])
        kind = KINDS[(int(pair.label or 0), score >= threshold)]
        if taken[kind] < count and len(a.spans) + len(b.spans) > 2:
            taken[kind] += 1
            yield kind, number, a, b


def losses(
    model: ChunkScorer, control: ChunkScorer, a: ChunkedDocument, b: ChunkedDocument, seed: int
) -> Losses:
    """Mean loss by order over `FEW` shares of the text, and the rank correlation of the control's order."""
    curves = measured(model, a, b, seed, control)
    few = [SHARES.index(share) for share in FEW]
    means = {name: float(np.mean(np.array(curves[name]["deletion"])[few])) for name in ORDERS}
    return means | {"correlation": curves[RANDOM_WEIGHTS].get("correlation", [float("nan")])[0]}


def summary(pairs: Sequence[Losses]) -> dict[str, Any]:
    """Losses by order, what contribution loses more than each, and how much of its gain over chance the control has."""
    values: dict[str, Float64Array] = {name: np.array([p[name] for p in pairs]) for name in ORDERS}
    gain = values[CONTRIBUTION].mean() - values[CHANCE].mean()
    return {
        "pairs": len(pairs),
        "loss": {name: _rounded(bootstrap_interval(v)) for name, v in values.items()},
        "more than": {
            name: _rounded(bootstrap_interval(values[CONTRIBUTION] - v))
            for name, v in values.items()
            if name != CONTRIBUTION
        },
        "correlation": round(float(np.nanmean([p["correlation"] for p in pairs])), 3),
        "gain without training": round(
            float((values[RANDOM_WEIGHTS].mean() - values[CHANCE].mean()) / gain), 3
        ),
    }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(v, 5) for v in values]


def tables(summaries: Mapping[str, Mapping[str, Any]]) -> str:
    """A row for each model and kind of pair."""
    rows = (
        [
            name,
            f"{kind}, {one['pairs']}",
            *(interval_text(one["loss"][order]) for order in ORDERS),
            interval_text(one["more than"][RANDOM_WEIGHTS], "+"),
            f"{100 * one['gain without training']:.0f} %",
            f"{one['correlation']:.2f}",
        ]
        for name, by_kind in summaries.items()
        for kind, one in by_kind.items()
    )
    heads = [
        "score of",
        "pairs",
        "loss by contribution",
        "by the control",
        "by cosine",
        "by TF-IDF",
        "at random",
    ]
    more = ["more than the control", "gain over random that the control has", "rank correlation"]
    return markdown_table([*heads, *more], rows)


def write_asset(path: Path, summaries: Mapping[str, Mapping[str, Any]]) -> None:
    """Put the control of related pairs beside the figures that the page shows."""
    asset = read_json(path, {"models": {}})
    for name, by_kind in summaries.items():
        related = by_kind[KINDS[1, True]]
        loss = {
            key: related["loss"][order][0]
            for key, order in (("loss", CONTRIBUTION), ("control", RANDOM_WEIGHTS), ("chance", CHANCE))
        }
        asset["models"][name]["control"] = {"pairs": related["pairs"], **loss}
    write_json(path, asset)
    record(path, list(summaries))


def main() -> None:
    parser = command_line(__doc__, "corpora", "--json")
    parser.add_argument(
        "--sentences", type=Path, required=True, help="vectors that sentence_vectors has stored"
    )
    parser.add_argument("--models", default="colde,colde_words")
    parser.add_argument("--only", default="acl,wiki,peps,textbooks", help="corpora")
    parser.add_argument("--pairs", type=int, default=10, help="of each kind and corpus")
    parser.add_argument(
        "--candidates", type=int, default=150, help="pairs of each label that are judged, of a corpus"
    )
    parser.add_argument("--docs", type=Path, help="page whose table is made anew")
    parser.add_argument("--asset", type=Path, help="file of the page; the control is put in")
    asked = parser.parse_args()
    names = asked.models.split(",")
    lines: dict[str, dict[str, list[Losses]]] = {n: {kind: [] for kind in KINDS.values()} for n in names}
    summaries: dict[str, dict[str, Any]] = {}
    for corpus in asked.only.split(","):
        folder = asked.corpora / corpus
        documents = StoredDocuments(
            folder, asked.sentences, read_pairs(folder / "valid.tsv"), asked.candidates, TOKENS
        )
        for name in names:
            profile = profile_of(corpus)
            model = scored(name, profile)
            control = with_random_weights(model)
            assert control is not None
            threshold = models.load(name).profiles[profile].threshold
            for kind, number, a, b in judged_pairs(model, threshold, documents.pairs, asked.pairs):
                lines[name][kind].append(losses(model, control, a, b, number))
            print(corpus, name, {kind: len(pairs) for kind, pairs in lines[name].items()}, flush=True)
        summaries = {name: {k: summary(v) for k, v in by.items() if v} for name, by in lines.items()}
        if asked.json is not None:  # after each corpus, so that a run that is stopped leaves figures
            write_json(asked.json, summaries)
    print(tables(summaries))
    if asked.docs is not None:
        replace_between(asked.docs, BEGIN, END, tables(summaries))
    if asked.asset is not None:
        write_asset(asked.asset, summaries)


if __name__ == "__main__":
    main()
