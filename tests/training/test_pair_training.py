"""The trainer of the baselines: exact gradients, the same run in one or two parts, budgets, and that it learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from colde.errors import CorpusError, ModelError
from colde.results.progress import Progress
from colde.training.pair_networks.batch_scoring import score_pairs
from colde.training.pair_networks.cached_gradients import pair_gradients
from colde.training.pair_networks.pair_batches import PairBatch, draw_pairs
from colde.training.pair_networks.pair_training import PairwiseConfig, train_network, valid_auc
from colde.training.pair_networks.prepared_corpora import (
    PreparedCorpus,
    documents_with_cached_sentences,
    prepare_corpus,
)
from colde.training.steps.early_stopping import Best
from tests.corpora import toy_corpus
from tests.training.stopping import Stop, stop_at
from tests.training.toys import ToyBiEncoder, ToyCross

pytestmark = pytest.mark.slow

FILLER = ["the", "of", "a", "that", "when", "which", "over", "under", "with", "from", "then", "also", "while"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two small corpora; documents on one subject are similar; lengths differ a lot."""
    root = tmp_path_factory.mktemp("corpora")
    return [
        toy_corpus(
            root / name,
            ("tides", "bread", "clocks"),
            documents=8,
            seed=seed,
            paragraphs=(1, 5),
            words=8,
            filler=FILLER,
            train=40,
            valid=20,
        )
        for seed, name in enumerate(("acl", "toy"))
    ]


@pytest.fixture(scope="module")
def corpora(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> list[PreparedCorpus]:
    kept = tmp_path_factory.mktemp("prepared")
    return [prepare_corpus(ToyBiEncoder(), folder, kept) for folder in folders]


def fresh(seed: int = 0, kind: type = ToyBiEncoder) -> ToyBiEncoder:
    torch.manual_seed(seed)
    network: ToyBiEncoder = kind()
    return network


SHORT = PairwiseConfig(steps=10, pairs=10, learning_rate=1e-2, tokens=128, validate_every=4, save_minutes=0)


def grads(network: nn.Module) -> dict[str, Tensor]:
    return {n: p.grad.clone() for n, p in network.named_parameters() if p.grad is not None}


def gradients(network: nn.Module, batch: PairBatch, training: PairwiseConfig, seed: int) -> float:
    return pair_gradients(network, batch, seed, tokens=training.tokens, cached=training.cache_gradients)


def test_cached_gradients_are_the_plain_ones(corpora: list[PreparedCorpus]) -> None:
    batch = draw_pairs(corpora, 16, seed=1, step=0)
    assert len(list(batch.documents)) == len({id(d) for d in batch.documents})
    found = []
    for cached in (True, False):
        network = fresh().double().train()
        network.words.table = network.words.table.double()
        loss = gradients(network, batch, replace(SHORT, cache_gradients=cached), seed=5)
        found.append((loss, grads(network)))
    (loss_cached, cached_grads), (loss_plain, plain_grads) = found
    assert loss_cached == pytest.approx(loss_plain, abs=1e-6)
    assert cached_grads.keys() == plain_grads.keys() == {n for n, _ in fresh().named_parameters()}
    for name, value in plain_grads.items():
        torch.testing.assert_close(cached_grads[name], value, rtol=1e-4, atol=1e-7)
        assert value.abs().sum() > 0


@pytest.mark.parametrize("kind", [ToyBiEncoder, ToyCross])
def test_gradients_do_not_depend_on_the_micro_batches(kind: type, corpora: list[PreparedCorpus]) -> None:
    """Without dropout: against one forward pass over everything, written out."""
    batch = draw_pairs(corpora, 16, seed=1, step=3)
    network = fresh(kind=kind).eval()
    loss = gradients(network, batch, SHORT, seed=0)
    in_micro_batches = grads(network)
    network.zero_grad()
    if isinstance(network, ToyCross):
        logits = network.logits(
            [network.join(batch.documents[i], batch.documents[j]) for i, j in batch.pairs]
        )
    else:
        vectors = network.vectors(batch.documents)
        logits = network.pair_logits(vectors[batch.pairs[:, 0]], vectors[batch.pairs[:, 1]])
    plain = nn.functional.binary_cross_entropy_with_logits(logits, torch.from_numpy(batch.labels).float())
    plain.backward()
    assert loss == pytest.approx(plain.item(), abs=1e-6)
    for name, value in grads(network).items():
        torch.testing.assert_close(in_micro_batches[name], value, rtol=1e-4, atol=1e-6)


def test_batches_are_drawn_evenly_and_by_seed_and_step(corpora: list[PreparedCorpus]) -> None:
    sizes: list[list[int]] = [[], []]
    for step in range(4):
        batch = draw_pairs(corpora, 7, seed=0, step=step)
        again = draw_pairs(corpora, 7, seed=0, step=step)
        np.testing.assert_array_equal(batch.pairs, again.pairs)
        assert len(batch.labels) == 7
        own = {id(d) for d in corpora[0].documents}
        first = sum(id(batch.documents[i]) in own for i, _ in batch.pairs)
        sizes[0].append(first)
        sizes[1].append(7 - first)
    assert sum(sizes[0]) == sum(sizes[1]) == 14
    other = draw_pairs(corpora, 7, seed=1, step=0)
    assert not np.array_equal(
        [d.ids.sum() for d in other.documents], [d.ids.sum() for d in draw_pairs(corpora, 7, 0, 0).documents]
    )


def test_a_larger_corpus_can_have_a_larger_share(corpora: list[PreparedCorpus]) -> None:
    large, small = corpora[0], replace(corpora[1], labels={"train": corpora[1].labels["train"][:20]})
    small = replace(small, pairs={"train": corpora[1].pairs["train"][:20]})
    own = {id(d) for d in small.documents}
    for power, expected in ((0.0, 10), (0.5, 20 / 3), (1.0, 4)):  # 80 and 20 pairs
        counts = []
        for step in range(3):
            batch = draw_pairs([large, small], 20, seed=0, step=step, power=power)
            assert len(batch.labels) == 20
            counts.append(sum(id(batch.documents[i]) in own for i, _ in batch.pairs))
        assert np.ptp(counts) <= 1 and np.mean(counts) == pytest.approx(expected, abs=0.7)


def test_pre_training_alone_is_kept(corpora: list[PreparedCorpus]) -> None:
    network = fresh()
    before = {n: p.detach().clone() for n, p in network.named_parameters()}
    train_network(network, corpora, replace(SHORT, pretrain_steps=5, steps=0))
    moved = {n for n, p in network.named_parameters() if not torch.equal(p, before[n])}
    assert {"words.project.weight", "words.project.bias"} <= moved


@pytest.mark.parametrize("kind", [ToyBiEncoder, ToyCross])
def test_learns(kind: type, corpora: list[PreparedCorpus]) -> None:
    network = fresh(kind=kind)
    before = np.mean([valid_auc(network, c, SHORT) for c in corpora])
    best = train_network(
        network,
        corpora,
        replace(SHORT, steps=40, pairs=24, learning_rate=2e-2, tokens=2000, validate_every=10),
    )
    after = np.mean([valid_auc(network, c, SHORT) for c in corpora])
    assert after == pytest.approx(best.score)
    assert after > max(0.9, before)
    assert not network.training


@pytest.mark.parametrize("stop_step", [3, 5])
def test_stopped_in_pre_training_and_resumed_is_the_same(
    stop_step: int, corpora: list[PreparedCorpus], tmp_path: Path
) -> None:
    training = replace(SHORT, pretrain_steps=5, pretrain_documents=6)
    whole = fresh()
    best = train_network(whole, corpora, training, seed=3)
    run = {"training": training, "seed": 3, "state_in": tmp_path}
    with pytest.raises(Stop):
        train_network(fresh(), corpora, **run, on_progress=stop_at(stop_step))
    seen: list[int] = []
    parts = fresh(seed=77)  # its initial weights must not matter
    torch.manual_seed(99)
    again = train_network(parts, corpora, **run, resume=True, on_progress=lambda p: seen.append(p.done))
    assert seen[0] == (1 if stop_step == training.pretrain_steps else stop_step + 1)
    assert (again.score, again.step, again.tokens) == (best.score, best.step, best.tokens)
    for n, value in whole.state_dict().items():
        torch.testing.assert_close(parts.state_dict()[n], value, atol=0, rtol=0)


def test_a_finished_run_is_not_trained_again(corpora: list[PreparedCorpus], tmp_path: Path) -> None:
    first = fresh()
    train_network(first, corpora, SHORT, state_in=tmp_path)
    seen: list[Progress] = []
    second = fresh(seed=5)
    best = train_network(second, corpora, SHORT, state_in=tmp_path, resume=True, on_progress=seen.append)
    assert not seen and isinstance(best, Best) and best.step > 0
    assert torch.equal(first.words.project.weight, second.words.project.weight)


def test_the_best_weights_are_kept_not_the_last(corpora: list[PreparedCorpus]) -> None:
    training = replace(SHORT, steps=40, learning_rate=1.0, patience=2, validate_every=2)  # far too fast
    network = fresh()
    best = train_network(network, corpora, training)
    assert best.step < 40  # patience
    assert np.mean([valid_auc(network, c, training) for c in corpora]) == pytest.approx(best.score)


def test_stops_at_its_time_budget(corpora: list[PreparedCorpus]) -> None:
    seen: list[Progress] = []
    training = replace(SHORT, steps=100_000, minutes=0.01, patience=10**6, validate_every=10**6)
    best = train_network(fresh(), corpora, training, on_progress=seen.append)
    assert 0 < seen[-1].done < 100_000
    assert best.score > 0  # validated at the end all the same


def test_scores_do_not_depend_on_batches(corpora: list[PreparedCorpus]) -> None:
    corpus = corpora[0]
    pairs = corpus.pairs["valid"]
    for network in (fresh(), fresh(kind=ToyCross)):
        one = score_pairs(network, corpus.documents, pairs, tokens=1)
        many = score_pairs(network, corpus.documents, pairs, tokens=10_000)
        np.testing.assert_allclose(one, many, atol=1e-6)
        with torch.inference_mode():
            if isinstance(network, ToyCross):
                expected = [
                    network.logits([network.join(corpus.documents[i], corpus.documents[j])]).sigmoid()
                    for i, j in pairs
                ]
            else:
                expected = [
                    network.score(*(network.vectors([corpus.documents[k]]) for k in pair)) for pair in pairs
                ]
        np.testing.assert_allclose(one, torch.cat(expected).numpy(), atol=1e-6)
    both = score_pairs(fresh(kind=ToyCross), corpus.documents, pairs, both_orders=True)
    turned = score_pairs(fresh(kind=ToyCross), corpus.documents, pairs[:, ::-1], both_orders=True)
    np.testing.assert_allclose(both, turned, atol=1e-6)


def test_what_is_frozen_stays(corpora: list[PreparedCorpus]) -> None:
    network = fresh()
    network.offset.requires_grad_(False)
    table, offset = network.words.table.clone(), network.offset.detach().clone()
    train_network(network, corpora, SHORT)
    assert torch.equal(network.words.table, table) and torch.equal(network.offset, offset)


def test_pretraining_needs_an_objective(corpora: list[PreparedCorpus]) -> None:
    with pytest.raises(ModelError, match="pre-training"):
        train_network(fresh(kind=ToyCross), corpora, replace(SHORT, pretrain_steps=3))


def test_prepared_documents_are_enough(folders: list[Path], tmp_path: Path) -> None:
    network = ToyBiEncoder()
    first = prepare_corpus(network, folders[0], tmp_path)
    again = prepare_corpus(network, folders[0], tmp_path)
    gone = prepare_corpus(network, tmp_path / "elsewhere" / folders[0].name, tmp_path)
    for other in (again, gone):
        assert first.ids == other.ids
        for a, b in zip(first.documents, other.documents, strict=True):
            np.testing.assert_array_equal(a.ids, b.ids)
            assert b.ids.dtype == np.int32
        for split in ("train", "valid"):
            np.testing.assert_array_equal(first.pairs[split], other.pairs[split])
            np.testing.assert_array_equal(first.labels[split], other.labels[split])
    with pytest.raises(CorpusError, match="no corpus"):
        prepare_corpus(network, tmp_path / "nowhere", tmp_path)
    changed = tmp_path / "changed" / folders[0].name
    changed.mkdir(parents=True)
    for file in folders[0].iterdir():
        (changed / file.name).write_bytes(file.read_bytes())
    with (changed / "train.tsv").open("a") as out:
        out.write("tides-0\tbread-0\t0\n")
    with pytest.raises(CorpusError, match="another"):
        prepare_corpus(network, changed, tmp_path)


def test_kept_sentences_are_the_sentences(folders: list[Path], tmp_path: Path) -> None:
    from colde.corpus.corpus_folder import read_documents

    every = list(read_documents(folders[0]))
    plain = every[:1] + every[2:]  # a document in no pair is passed over
    wanted = {name for name, _ in plain}
    for _ in range(2):  # found, then taken from the file
        kept = list(documents_with_cached_sentences(folders[0], tmp_path, wanted))
        assert kept == plain
    fewer = {name for name, _ in plain[::2]}  # what is kept for some documents is not taken for others
    assert list(documents_with_cached_sentences(folders[0], tmp_path, fewer)) == plain[::2]


def test_for_profiles_a_corpus_has_the_same_pairs(folders: list[Path], corpora: list[PreparedCorpus]) -> None:
    from colde.corpus.corpus_folder import read_pairs

    found = corpora[0].held_out()
    rows = [(p.source, p.target, p.label) for p in read_pairs(folders[0] / "valid.tsv")]
    ids = found.ids
    named = [(ids[i], ids[j], y) for (i, j), y in zip(found.pairs, found.labels, strict=True)]
    assert named == rows
    alike = {
        frozenset((p.source, p.target))
        for split in ("train", "valid")
        for p in read_pairs(folders[0] / f"{split}.tsv")
        if p.label
    }
    for i, a in enumerate(ids):
        for j, b in enumerate(ids):
            assert bool(found.related[i, j]) == (frozenset((a, b)) in alike)
