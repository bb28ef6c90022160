"""The figures of the page Where it is wrong: assets/mistakes.json, for CoLDE and CoLDE + words as they ship.

    python -m studies.accuracy.known_error_figures ../shared/corpora --sentences runs/sentences [--output
    assets/mistakes.json]

`--sentences` is what `python -m studies.papers.sentence_vectors` has made: scores come from the sentences kept there,
as thresholds do, and so do the small maps, so that nothing is encoded. Pairs whose vectors are not whole are left out.
`colde mistakes` does the same for any model and folder by reading every document anew. Titles, figures and small maps
go into the file; no text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from colde import models
from colde.corpus.corpus_folder import Pair, record_to_document
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.evaluation.known_errors import Drawn, JudgedPairs, mistakes, traits_of
from colde.evaluation.pair_scores import records_of
from colde.judge.calibration import judge
from colde.judge.profiles import corpora, profile_of
from colde.models.colde.matcher import Colde
from colde.models.colde.provisional_score import section_map
from colde.models.colde_words.mixture_matcher import ColdeWords
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import default_tokenizer
from colde.text.document import Document
from colde.training.colde_models.colde_corpus import VectorCorpus, load_vector_corpus
from colde.training.colde_models.colde_objective import pair_scores
from studies.arguments import command_line
from studies.release.made_with import record


def main() -> None:
    parser = command_line(__doc__, "corpora")
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=Path("assets/mistakes.json"))
    asked = parser.parse_args()
    by_model: dict[str, Any] = {
        name: {"title": models.cards()[name].title, "profiles": {}} for name in ("colde_words", "colde")
    }
    folders = [asked.corpora / name for name in corpora()]
    for folder in sorted(folders, key=lambda f: (f / "valid.tsv").stat().st_size):
        name, profile = folder.name, profile_of(folder.name)
        if not (asked.sentences / name / "vectors.bin").is_file():
            print(f"{name}: no sentence vectors, left out")
            continue
        corpus = load_vector_corpus(folder, asked.sentences, 0.0)  # what ships is trained on all pairs
        for model, result in _corpus(folder, corpus, profile).items():
            by_model[model]["profiles"][profile] = result
            counts = f"{result['missed']} missed, {result['called']} called of {result['pairs']}"
            print(f"{name} {model}: {counts}", flush=True)
        text = json.dumps({"models": by_model}, ensure_ascii=False, separators=(",", ":"))
        asked.output.write_text(text + "\n", encoding="utf-8")
    record(asked.output)


def _corpus(folder: Path, corpus: VectorCorpus, profile: str) -> dict[str, Any]:
    """Mistakes of both models on the validation pairs whose documents' vectors are there."""
    ready = np.array([corpus.kept.ready[corpus.kept.of(d)].all() for d in range(len(corpus.layouts.names))])
    rows = np.flatnonzero(ready[corpus.valid.pairs].all(1))
    if len(rows) < len(corpus.valid.pairs):
        print(
            f"{corpus.name}: {len(rows)} of {len(corpus.valid.pairs)} validation pairs, the rest is not read yet"
        )
    places, labels = corpus.valid.pairs[rows], corpus.valid.labels[rows]
    names = corpus.layouts.names
    pairs = [Pair(names[i], names[j], int(label)) for (i, j), label in zip(places, labels, strict=True)]
    records = records_of(folder, ((p.source, p.target) for p in pairs))
    document = cache(lambda key: record_to_document(records[key]))
    light = cache(lambda key: record_to_document(records[key], sentences=False))
    trained = frozenset(names[i] for i in np.unique(corpus.train.pairs))
    traits = traits_of(pairs, light, trained)
    by_model = {}
    for name in ("colde_words", "colde"):
        model = models.load(name)
        dense = partial(_dense, corpus, places)
        if isinstance(model, ColdeWords):
            model = model.for_profile(profile)
            scores = _mixed(model, dense(model.colde), pairs, light)
        else:
            assert isinstance(model, Colde)
            scores = dense(model)
        dense_model = model.colde if isinstance(model, ColdeWords) else model
        judged = [judge(float(s), model.profiles, profile) for s in scores]
        by_model[name] = mistakes(
            JudgedPairs.of(pairs, scores.tolist(), judged),
            traits,
            section_maps(corpus, dense_model, document),
            document,
        )
    return by_model


def section_maps(corpus: VectorCorpus, model: Colde, document: Callable[[str], Document]) -> Drawn:
    """The section map over the sentences whose vectors are kept: of a long document some of every chunk."""
    place = {name: d for d, name in enumerate(corpus.layouts.names)}

    def read(name: str) -> tuple[Document, Sentences, Array]:
        d, one_document = place[name], document(name)
        sentences = read_sentences(one_document, default_tokenizer())
        vectors = np.full((len(sentences.ids), corpus.kept.vectors.shape[1]), np.nan, dtype=np.float32)
        rows = corpus.kept.of(d)
        vectors[corpus.kept.sentence[rows] - corpus.layouts.first[d]] = corpus.kept.vectors[rows]
        return one_document, sentences, vectors

    def drawn(a: str, b: str) -> Mapping[str, SimilarityMap]:
        documents, sentences, vectors = zip(read(a), read(b), strict=True)
        return {"section": section_map(model.network, documents, sentences, vectors)}

    return drawn


@torch.inference_mode()
def _dense(corpus: VectorCorpus, places: np.ndarray, model: Colde) -> Array:
    return pair_scores(model.network, corpus, places)["score"]


@torch.inference_mode()
def _mixed(model: ColdeWords, dense: Array, pairs: list[Pair], document: Any) -> Array:
    """The weighted mean of the channels, as `ColdeWords.match` has it."""
    names = list(dict.fromkeys(n for p in pairs for n in (p.source, p.target)))
    place = {name: i for i, name in enumerate(names)}
    rows = model.words.rows([_compared(document(name)) for name in names])
    word_vectors = model.words(model.words.known(rows)).numpy()
    i, j = (
        np.array([place[n] for n in side])
        for side in zip(*((p.source, p.target) for p in pairs), strict=True)
    )
    exact = np.asarray(rows[i].multiply(rows[j]).sum(1)).ravel()
    weights = model.weights
    total = (
        weights.dense * dense
        + weights.words * (word_vectors[i] * word_vectors[j]).sum(-1)
        + weights.exact * exact
    ) / (weights.dense + weights.words + weights.exact)
    return np.asarray(total, dtype=np.float32)


def _compared(document: Document) -> str:
    return "\n".join(document.text[s.start : s.end] for _, s in document.compared())


if __name__ == "__main__":
    main()
