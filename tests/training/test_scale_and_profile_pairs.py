"""The scale a run of cosines begins with, and figures measured on a part of the validation pairs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor

from colde import models
from colde.errors import ModelError
from colde.models.shared.bi_cross_encoder import MAX_LOG_SCALE, CosineBiEncoder
from colde.models.shared.network_input import DocumentTokens, ModelInput
from colde.text.document import Document
from colde.training.baseline_fit import SCORES
from colde.training.pair_networks.pair_batches import PairBatch
from colde.training.pair_networks.pair_training import PairwiseConfig, fit_scale
from colde.training.pair_networks.prepared_corpora import PreparedCorpus
from colde.training.training_run import train
from tests.training.toys import ToyConfig, ToyCross

pytestmark = pytest.mark.slow


class Given(CosineBiEncoder):
    """The vector of a document is (cos, sin) of its only id in thousandths, so that cosines are known."""

    def __init__(self) -> None:
        super().__init__()
        self.config = ToyConfig()

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        raise NotImplementedError

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        angle = torch.tensor([float(d.ids[0]) / 1000 for d in documents])
        return torch.stack([angle.cos(), angle.sin()], 1)


def batch(thousandths: Sequence[int]) -> PairBatch:
    """Pairs of the first document with each other one."""
    documents = tuple(ModelInput(np.array([t], dtype=np.int32)) for t in (0, *thousandths))
    pairs = np.array([(0, k) for k in range(1, len(documents))])
    return PairBatch(documents, pairs, np.zeros(len(pairs), dtype=np.int64))


def test_logits_of_the_first_batch_have_mean_0_and_deviation_1() -> None:
    network, first = Given(), batch([100, 500, 900, 1300, 2000])
    fit_scale(network, first, PairwiseConfig())
    vectors = network.vectors(first.documents)
    logits = network.pair_logits(vectors[first.pairs[:, 0]], vectors[first.pairs[:, 1]]).detach().numpy()
    assert logits.mean() == pytest.approx(0, abs=1e-5)
    assert logits.std(ddof=1) == pytest.approx(1, abs=1e-4)
    cosines = np.cos([0.1, 0.5, 0.9, 1.3, 2.0])
    assert network.log_scale.exp().item() == pytest.approx(1 / cosines.std(ddof=1), rel=1e-4)


def test_the_scale_of_equal_cosines_is_held() -> None:
    network = Given()
    fit_scale(network, batch([700, 700, 700]), PairwiseConfig())
    assert network.log_scale.item() == pytest.approx(MAX_LOG_SCALE)
    assert network.offset.item() == pytest.approx(-np.exp(MAX_LOG_SCALE) * np.cos(0.7), rel=1e-5)


def test_without_vectors_there_is_no_scale() -> None:
    with pytest.raises(ModelError, match="fit_scale to false"):
        fit_scale(ToyCross(), batch([1, 2]), PairwiseConfig())


def corpus_of(labels: Sequence[int]) -> PreparedCorpus:
    """Validation pair k is of the documents 2k and 2k + 1; training has the pair of 0 and 2, which is similar."""
    count = len(labels)
    documents = tuple(ModelInput(np.array([k], dtype=np.int32)) for k in range(2 * count))
    return PreparedCorpus(
        "toy",
        tuple(f"d{k}" for k in range(2 * count)),
        documents,
        {"train": np.array([[0, 2]]), "valid": np.arange(2 * count).reshape(-1, 2)},
        {"train": np.array([1]), "valid": np.asarray(labels)},
        profile="toy",
    )


def test_a_part_of_the_pairs_and_their_documents_alone() -> None:
    labels = np.arange(40) % 3 == 0
    corpus = corpus_of(labels.astype(int).tolist())
    for most in (5, 17, 40, None):
        found = corpus.held_out(most)
        assert len(found.pairs) == min(most or 40, 40)
        named = [tuple(found.ids[k] for k in pair) for pair in found.pairs]
        assert len(set(named)) == len(named) and len(found.ids) == 2 * len(named)
        for (a, b), label in zip(named, found.labels, strict=True):
            k = int(a[1:]) // 2
            assert (a, b) == (f"d{2 * k}", f"d{2 * k + 1}") and bool(label) == bool(labels[k])
    smaller, larger = (set(corpus.sampled_valid(k).tolist()) for k in (5, 17))
    assert smaller < larger


def test_a_run_measures_on_so_many_pairs_and_keeps_their_scores(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    training = {"steps": 2, "pairs": 8, "validate_every": 2, "profile_pairs": 30, "unrelated_pairs": 40}
    path.write_text(json.dumps({"model": {"tokens": 24, "layers": 1, "rank": 2}, "training": training}))
    folder = train("s_bert", [corpus], tmp_path / "run", path)
    measured = models.load(folder).profiles["toy"].measured
    assert measured["pairs"] == 30
    with np.load(folder / SCORES, allow_pickle=False) as kept:
        scores = kept["toy"]
    assert scores.shape == (30,)
    with (corpus / "valid.tsv").open() as file:
        labels = np.array([int(line.split("\t")[2]) for line in list(file)[1:]])
    chosen = np.sort(np.random.default_rng(0).permutation(len(labels))[:30])
    assert measured["auc"] == pytest.approx(roc_auc_score(labels[chosen], scores), abs=1e-4)
