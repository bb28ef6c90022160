"""Fit thresholds and probabilities of two texts in one language over the multilingual encoder:

python -m studies.languages.fit_thresholds CORPORA --sentences FOLDER

Scores are those of a sample of validation pairs of the English corpora. They hold for other languages, since chapters
of a book have about the same scores in each of them (`studies.languages.translated_books`). Writes
assets/models/multilingual/profiles.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from colde.assets import asset
from colde.encoders.encoder_names import MULTILINGUAL
from colde.encoders.sentence_layout import split_segments
from colde.judge.profiles import profile_table
from colde.models.checkpoint import profile_to_json, write_json
from colde.models.colde.document_encoding import ColdeEncoding, encoding_of_segments, segment_states
from colde.models.colde.out_of_domain import PROFILES, OutOfDomainNetwork, encoder_network
from colde.models.colde.pair_attention import attend_pair
from colde.results.similarity_map import Array
from colde.training.corpora.held_out import HeldOutPairs, validation_pairs
from colde.training.corpora.sentence_vectors import (
    TOKEN_BUDGETS,
    CorpusLayout,
    MissingVectorWriter,
    StoredVectors,
    load_layout,
    open_stored_vectors,
)
from colde.training.profile_scores import UNRELATED, Scorings, fit_profiles
from studies.arguments import command_line

TOKENS = 1_500
"""Tokens that are read of each document."""
LANGUAGES = ("en", "de", "es", "fr", "it", "ja", "nl", "pt", "ru", "zh")
"""Languages in which scores were measured to be those of English."""


class CorpusScores:
    """Scores of the documents of a sample of a corpus, from stored sentence vectors."""

    def __init__(self, held_out: HeldOutPairs, layout: CorpusLayout, stored: StoredVectors) -> None:
        network = encoder_network(MULTILINGUAL)
        places = {name: place for place, name in enumerate(layout.names)}
        self.encodings = [_encoding(network, layout, stored, places[name]) for name in held_out.ids]
        self.network = network

    def __call__(self, pairs: NDArray[np.int64]) -> Array:
        """Scores of pairs of positions in the ids: [pairs]."""
        known = self.encodings
        return np.array(
            [attend_pair(self.network, known[i], known[j]).score for i, j in pairs], dtype=np.float32
        )


def _encoding(
    network: OutOfDomainNetwork, layout: CorpusLayout, stored: StoredVectors, document: int
) -> ColdeEncoding:
    kept, sentences = stored.of(document), layout.of(document)
    rows = stored.sentence[kept] - sentences.start
    tokens = layout.tokens[sentences]
    segment, _ = split_segments(tokens, layout.chunk[sentences])
    _, local = np.unique(segment[rows], return_inverse=True)
    units = np.asarray(stored.vectors[kept], dtype=np.float32)
    states, mass, _ = segment_states(tokens[rows], local, units)
    return encoding_of_segments(network, states, mass, _document_vector(network, states, mass))


def _document_vector(network: OutOfDomainNetwork, states: Array, mass: Array) -> Array:
    """z (5) of a document: [projection]; arguments as in `document_centre`."""
    x = network.center_and_scale(torch.from_numpy(states), network.document_centre(states, mass))
    z = network.vectors(x.unsqueeze(0), torch.from_numpy(mass).unsqueeze(0))[0]
    return np.asarray(z.detach().numpy(), dtype=np.float32)


def read_corpus(corpus: Path, folder: Path, profile: str, pairs: int) -> tuple[HeldOutPairs, CorpusScores]:
    """Validation pairs of a corpus, `pairs` with each label, and their scores; vectors are kept in `folder`."""
    held_out = _sample(validation_pairs(corpus, profile), pairs)
    (folder / corpus.name).mkdir(parents=True, exist_ok=True)
    layout = load_layout(corpus, folder, encoder=MULTILINGUAL)
    stored = open_stored_vectors(corpus, folder, layout, MULTILINGUAL, dict.fromkeys(TOKEN_BUDGETS, TOKENS))
    writer, wanted = MissingVectorWriter(MULTILINGUAL), frozenset(held_out.ids)
    for place, name in enumerate(layout.names):
        if name in wanted:
            writer.encode(layout, stored, np.arange(stored.first[place], stored.first[place + 1]))
    return held_out, CorpusScores(held_out, layout, stored)


def _sample(held_out: HeldOutPairs, count: int) -> HeldOutPairs:
    """So many pairs with each label, or all, and the documents in them."""
    random = np.random.default_rng(0)
    labelled = [np.flatnonzero(held_out.labels == label) for label in (1, 0)]
    return held_out.subset(np.concatenate([rows[random.permutation(len(rows))[:count]] for rows in labelled]))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--sentences")
    parser.add_argument("--pairs", type=int, default=110, help="of each corpus with each label")
    chosen = parser.parse_args(arguments)
    kinds = {info.corpus: name for name, info in profile_table().items() if info.corpus is not None}
    read = {
        corpus: read_corpus(chosen.corpora / corpus, chosen.sentences, kind, chosen.pairs)
        for corpus, kind in kinds.items()
    }
    held_out = [pairs for pairs, _ in read.values()]
    scorings = Scorings(lambda corpus, pairs: read[corpus.name][1](pairs))
    folders = [chosen.corpora / corpus for corpus in read]
    profiles = fit_profiles(scorings, held_out, folders, 0, UNRELATED, "cosine")
    for profile in profiles.values():
        print(profile.name, round(profile.threshold, 3), profile.measured)
    languages = {name: replace(profile, languages=LANGUAGES) for name, profile in profiles.items()}
    write_json(
        asset("models", MULTILINGUAL, PROFILES),
        {name: profile_to_json(profile) for name, profile in languages.items()},
    )


if __name__ == "__main__":
    main()
