"""Train CoLDE's network over the multilingual encoder on a sample of the English corpora:

python -m studies.languages.train_network CORPORA --sentences FOLDER

It reads the documents whose vectors are in the folder, where `studies.papers.sentence_vectors --encoder multilingual
--tokens 1500` or `studies.languages.fit_thresholds` has put them. Writes
assets/models/multilingual/network.safetensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from safetensors.torch import save_file

from colde.assets import asset
from colde.corpus.corpus_folder import read_pairs
from colde.encoders.encoder_names import MULTILINGUAL
from colde.encoders.encoders_by_name import shared_encoder
from colde.judge.profiles import corpora as shipped_corpora
from colde.models.checkpoint import build_config
from colde.models.colde.network import ColdeConfig
from colde.models.colde.out_of_domain import NETWORK
from colde.models.registry import spec
from colde.training.colde_models.colde_corpus import VectorCorpus
from colde.training.colde_models.colde_fit import train_network
from colde.training.colde_models.colde_objective import ColdeTraining
from colde.training.corpora.development_split import unseen
from colde.training.corpora.labelled_pairs import pair_graph
from colde.training.corpora.sentence_vectors import (
    TOKEN_BUDGETS,
    StoredVectors,
    load_layout,
    open_stored_vectors,
)
from colde.training.training_run import TrainingRun
from studies.arguments import command_line
from studies.languages.fit_thresholds import TOKENS


def known_vectors(stored: StoredVectors) -> StoredVectors:
    """The sentences whose vectors are computed."""
    ready = np.asarray(stored.ready) == 1
    before = np.concatenate(([0], np.cumsum(ready)))
    return StoredVectors(
        stored.sentence[ready],
        before[stored.first].astype(np.int64),
        np.asarray(stored.vectors[ready]),
        np.ones(int(ready.sum()), np.uint8),
    )


def read_corpus(corpus: Path, folder: Path) -> VectorCorpus:
    """A corpus whose pairs are those of documents with vectors; the development pairs are the validation pairs."""
    layout = load_layout(corpus, folder, encoder=MULTILINGUAL)
    budgets = dict.fromkeys(TOKEN_BUDGETS, TOKENS)
    stored = known_vectors(open_stored_vectors(corpus, folder, layout, MULTILINGUAL, budgets))
    known = {name for name, count in zip(layout.names, np.diff(stored.first), strict=True) if count}
    train, valid = (
        [p for p in read_pairs(corpus / f"{split}.tsv") if {p.source, p.target} <= known]
        for split in ("train", "valid")
    )
    new = unseen(valid, frozenset(name for p in train for name in (p.source, p.target)))
    trained, held_out = (pair_graph(pairs, layout.names, corpus) for pairs in (train, valid))
    return VectorCorpus(corpus.name, layout, stored, trained, held_out, held_out, held_out, new)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--sentences", "--seed")
    chosen = parser.parse_args(arguments)
    folders = [chosen.corpora / name for name in shipped_corpora()]
    corpora = [read_corpus(folder, chosen.sentences) for folder in folders]
    config = ColdeConfig(encoder=MULTILINGUAL, width=shared_encoder(MULTILINGUAL).dimension)
    with TemporaryDirectory() as output:
        run = TrainingRun(spec("colde"), folders, Path(output), seed=chosen.seed)
        training = build_config(ColdeTraining, run.training, "training")
        network, record = train_network(run, config, training, corpora)
    print(record["history"][-1])
    weights = {
        "project.weight": network.project.weight.detach().half(),
        "attention.log_sharpness": network.attention.log_sharpness.detach(),
    }
    save_file(weights, asset("models", MULTILINGUAL, NETWORK))


if __name__ == "__main__":
    main()
