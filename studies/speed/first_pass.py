"""How far CoLDE's score moves where sentences far from the other document get vectors of the first layers alone.

python -m studies.speed.first_pass CORPUS…

Vectors of the first layers are mapped to those of all layers by a ridge regression, fitted on documents of the training
pairs. In each validation pair the sentences are ranked by their best similarity to the other document in these vectors,
and a share of them gets its vector of all layers. Documents are cut at 2,000 words.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np

from colde import models
from colde.corpus.corpus_folder import read_pairs, record_to_document
from colde.encoders.sentence_encoder import CachedSentenceEncoder
from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_math import normalised
from colde.models.colde.matcher import Colde
from colde.models.colde.pair_attention import attend_pair
from colde.models.colde.provisional_score import partial_encoding
from colde.results.similarity_map import Array
from studies.arguments import command_line
from studies.corpora import beginning, records_by_name

LAYERS = 6
"""Of the packaged encoder."""
FIRST_LAYERS = (2, 3)
SHARES = (0.0, 0.25, 0.5, 0.75)
"""Of the sentences of both documents that get their vector of all layers."""
WORDS = 2000
FITTED, MEASURED = 60, 40
"""Documents and pairs of each corpus."""
RIDGE = 1.0

ByLayers = dict[int, Array]


def sentence_vectors(encoder: CachedSentenceEncoder, layout: Sentences) -> ByLayers:
    """Mean states of the sentences after each number of layers, all of them last: [sentences, width] each."""
    numbers = [*FIRST_LAYERS, LAYERS]
    states = encoder.encoder.states_of_layers(layout.ids, numbers)
    return {n: np.stack([text.mean(0) for text in of]) for n, of in zip(numbers, states, strict=True)}


def layouts_of(encoder: CachedSentenceEncoder, corpus: Path, names: set[str]) -> dict[str, Sentences]:
    records = records_by_name(corpus, names)
    return {n: encoder.layout(record_to_document(beginning(r, WORDS))) for n, r in records.items()}


def pair_names(path: Path, most: int) -> list[tuple[str, str]]:
    return [(pair.source, pair.target) for pair in islice(read_pairs(path), most)]


def with_constant(vectors: Array) -> Array:
    return np.hstack([normalised(vectors), np.ones((len(vectors), 1), np.float32)])


def fit(first: Array, complete: Array) -> Array:
    """[width + 1, width]: the linear map from vectors of the first layers to unit vectors of all."""
    x, y = with_constant(first).astype(np.float64), normalised(complete).astype(np.float64)
    return np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y).astype(np.float32)


def pair_score(model: Colde, layouts: list[Sentences], vectors: list[Array]) -> float:
    a, b = (
        partial_encoding(model.network, s.tokens, s.segment, v) for s, v in zip(layouts, vectors, strict=True)
    )
    return attend_pair(model.network, a, b).score


def fit_maps(encoder: CachedSentenceEncoder, corpora: list[Path]) -> ByLayers:
    """For each number of first layers, the map to vectors of all layers, fitted on documents of the training pairs."""
    training: list[ByLayers] = []
    for corpus in corpora:
        names = {n for pair in pair_names(corpus / "train.tsv", FITTED // 2) for n in pair}
        training += [sentence_vectors(encoder, s) for s in layouts_of(encoder, corpus, names).values()]
    complete = np.concatenate([v[LAYERS] for v in training])
    print(f"{len(complete):,} sentences fitted")
    return {n: fit(np.concatenate([v[n] for v in training]), complete) for n in FIRST_LAYERS}


def mixed_vectors(rough: list[Array], exact: list[Array], share: float) -> list[Array]:
    """The rough vectors, and the exact ones of that share of the sentences that are most similar to the other side."""
    similarity = rough[0] @ rough[1].T
    best = [similarity.max(1), similarity.max(0)]
    limit = np.quantile(np.concatenate(best), 1 - share) if share else np.inf
    return [
        np.where((b >= limit)[:, None], e, r).astype(np.float32)
        for b, e, r in zip(best, exact, rough, strict=True)
    ]


def measure(model: Colde, corpus: Path, maps: ByLayers, moved: dict[tuple[int, float], list[float]]) -> None:
    """Add to `moved` how far the score of each validation pair moves, by first layers and share."""
    encoder = model.sentence_encoder
    pairs = pair_names(corpus / "valid.tsv", MEASURED)
    layouts = layouts_of(encoder, corpus, {n for pair in pairs for n in pair})
    vectors = {n: sentence_vectors(encoder, layout) for n, layout in layouts.items()}
    for names in pairs:
        sides = [layouts[n] for n in names]
        exact = [normalised(vectors[n][LAYERS]) for n in names]
        score = pair_score(model, sides, exact)
        for first, fitted in maps.items():
            rough = [normalised(with_constant(vectors[n][first]) @ fitted) for n in names]
            for share in SHARES:
                change = pair_score(model, sides, mixed_vectors(rough, exact, share)) - score
                moved.setdefault((first, share), []).append(abs(change))


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path, nargs="+")
    corpora = parser.parse_args().corpora
    model = models.load("colde")
    assert isinstance(model, Colde)
    maps = fit_maps(model.sentence_encoder, corpora)
    moved: dict[tuple[int, float], list[float]] = {}
    for corpus in corpora:
        measure(model, corpus, maps, moved)
    print(f"{len(next(iter(moved.values())))} pairs measured")
    print("| first layers | sentences read by all layers | operations | score moves: mean | 95 % | most |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (first, share), values in moved.items():
        cost = (first + share * (LAYERS - first)) / LAYERS
        print(
            f"| {first} | {share:.0%} | {cost:.2f} | {np.mean(values):.4f} "
            f"| {np.quantile(values, 0.95):.4f} | {np.max(values):.4f} |"
        )


if __name__ == "__main__":
    main()
