"""Make the background corpus of sentences: assets/models/background/sentences.safetensors.

python -m studies.explanations.background_sentences CORPUS… --kept FOLDER [--memory FILE.npz] [--output FILE]

Of each corpus 250 training documents (none stands in a validation pair), of each document 25 sentences of eight word
pieces and more, drawn evenly over its chunks; vectors of the packaged encoder, 128 numbers of a byte each.
FOLDER keeps the sentences of the corpora, as `python -m studies.papers.sentence_vectors` does.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from colde.assets import asset
from colde.encoders.vector_math import normalised
from colde.explain.background_corpus import SENTENCES, BackgroundSentences
from colde.results.similarity_map import Array
from colde.training.corpora.sentence_vectors import load_layout, sample, valid_names
from studies.arguments import command_line
from studies.explanations.vector_memory import VectorStore

DOCUMENTS, MOST, WIDTH = 250, 25, 128
SHORTEST = 8  # word pieces
TOKENS = 1_280
"""Drawn of a document before its sentences are: every part of it may come up."""


def drawn(corpus: Path, kept: Path, memory: VectorStore) -> list[Array]:
    """Of each document drawn its sentences: [sentences, dimension]."""
    layouts = load_layout(corpus, kept)
    unseen = valid_names(corpus)
    training = [d for d, name in enumerate(layouts.names) if name not in unseen]
    random = np.random.default_rng(0)
    vectors = []
    for d in np.sort(random.permutation(training)[:DOCUMENTS]):
        rows = layouts.of(d)
        some = (
            sample(layouts.tokens[rows], layouts.chunk[rows], TOKENS, np.random.default_rng(d)) + rows.start
        )
        some = some[layouts.tokens[some] >= SHORTEST]
        some = np.sort(random.permutation(some)[:MOST])
        if len(some):
            ids = [layouts.flat[layouts.offsets[s] : layouts.offsets[s + 1]].astype(np.int32) for s in some]
            vectors.append(memory.ids(ids))
    return vectors


def save_background(background: BackgroundSentences, path: Path) -> None:
    """Write the sentences to a safetensors file, which `colde.explain.background_corpus.read_background` reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    tensors = {
        "projection": background.projection.astype(np.float16),
        "vectors": background.vectors,
        "scale": np.array([background.scale], np.float32),
        "first": background.first.astype(np.int32),
        "kind": background.kind.astype(np.int8),
    }
    save_file({k: np.ascontiguousarray(v) for k, v in tensors.items()}, path)


def main() -> None:
    parser = command_line(__doc__, "--memory")
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=asset("models", "background", SENTENCES))
    options = parser.parse_args()
    memory = VectorStore(options.memory)
    kinds = [drawn(corpus, options.kept, memory) for corpus in options.corpora]
    memory.save()
    background = build_background(kinds, WIDTH)
    save_background(background, options.output)
    sentences, size = len(background.vectors), options.output.stat().st_size / 1e6
    print(f"{sentences:,} sentences of {len(background.first):,} documents, {size:.1f} MB")


def build_background(kinds: list[list[Array]], width: int) -> BackgroundSentences:
    """Put together the sentences of documents of several kinds, as few numbers each as `width`.

    The projection is onto the directions in which the sentences differ most from nothing: without a mean taken off, so
    that products stay near cosines.

    Args:
        kinds: of each kind the documents, of each document its sentences [sentences, dimension].
    """
    documents = [normalised(d) for kind in kinds for d in kind]
    every = np.concatenate(documents)
    _, axes = np.linalg.eigh(every.T.astype(np.float64) @ every)
    projection = axes[:, ::-1][:, :width].astype(np.float16).astype(np.float32)
    projected = every @ projection
    scale = float(np.abs(projected).max()) / 127
    return BackgroundSentences(
        projection,
        np.rint(projected / scale).astype(np.int8),
        scale,
        np.cumsum([0, *(len(d) for d in documents[:-1])]),
        np.repeat(np.arange(len(kinds)), [len(kind) for kind in kinds]),
    )


if __name__ == "__main__":
    main()
