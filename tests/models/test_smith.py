"""SMITH against the paper's equations written out, and the contract of a matcher, on small untrained networks."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize, relu

import colde
from colde.errors import ModelError
from colde.models.registry import CARDS, spec
from colde.models.shared.bi_cross_encoder import ProjectedWords, checkpoint_tensors
from colde.models.smith.smith import Smith
from colde.models.smith.smith_network import SmithConfig, SmithNetwork
from colde.models.smith.smith_pretraining import choose_blocks, mask_words
from colde.text.document import Document
from colde.training.baseline_fit import build

FORMS = {n: SmithConfig(**spec(n).model) for n in ("smith", "smith:np", "smith:wp", "smith:short")}
SMALL = SmithConfig(width=32, heads=4, inner=48, tokens=16, blocks=6, sentence_layers=2, document_layers=2)
COMBINE = ["normal", "sum-concat", "mean-concat", "attention"]
SHORT = "The pilot waits for the tide."
LONG = " ".join(
    f"Keel {i} and mast {i * 7 % 31} rot in harbour {i * 3 % 17} while the {['tide', 'crew', 'fog'][i % 3]} comes."
    for i in range(60)
)


def network(config: SmithConfig = SMALL, seed: int = 0) -> SmithNetwork:
    """A network whose parts are all large enough to be seen."""
    torch.manual_seed(seed)
    made = SmithNetwork(config)
    with torch.no_grad():
        for parameter in made.parameters():
            if parameter.requires_grad and parameter.dim() and config.sentence == "own":
                parameter.add_(0.1 * torch.randn_like(parameter))
    return made.eval()


def texts() -> list[Document]:
    headings = "# The tide\n\n" + LONG[:900] + "\n\n# The crew\n\n" + LONG[900:1500]
    return [colde.read_text(t) for t in (SHORT, LONG, headings)]


@pytest.fixture(scope="module", params=["smith", "smith:short"])
def model(request: pytest.FixtureRequest) -> Smith:
    small = SMALL if request.param == "smith" else replace(FORMS["smith:short"], width=32, inner=48)
    return Smith(network(small), card=CARDS[request.param])


class TestNetwork:
    def test_sizes_are_the_papers(self) -> None:
        config = FORMS["smith"]
        assert (config.tokens, config.blocks, config.width, config.heads) == (32, 48, 256, 4)  # 5.2.3
        assert (config.document_layers, config.masked_blocks, config.dropout) == (3, 2, 0.1)
        short = FORMS["smith:short"]
        assert (short.tokens, short.blocks) == (128, 4)  # 5.2.1

    def test_forms_differ_as_in_the_paper(self) -> None:
        assert FORMS["smith"] == SmithConfig()
        assert (FORMS["smith:wp"].pretrain_words, FORMS["smith:wp"].pretrain_blocks) == (True, False)
        for name in ("smith:np", "smith:short"):
            with pytest.raises(ModelError, match="no pre-training"):
                build(spec(name), spec(name).model).pretrain([])

    @pytest.mark.parametrize("combine", COMBINE)
    def test_one_document_written_out(self, combine: str) -> None:
        net = network(replace(SMALL, combine=combine))  # type: ignore[arg-type]
        prepared = net.prepare(texts()[2])
        h = []
        for i, j in pairwise(prepared.first.tolist()):  # block by block, without any padding
            ids = torch.from_numpy(prepared.ids[i:j]).long()
            sentence = net.sentence
            x = sentence.norm(sentence.words(ids) + sentence.place.weight[: j - i])  # eq. 1
            h.append(normalize(relu(net.block(sentence.layers(x[None])[0, 0])), dim=-1))
        blocks = torch.stack(h)
        found = net.document((blocks + net.place.weight[: len(h)])[None])[0, 0]
        if combine == "attention":
            share = torch.softmax(blocks @ net.weigh.weight.T @ net.query.weight[0], 0)
            beside = sum(s * b for s, b in zip(share, blocks, strict=True))
        else:
            beside = blocks.sum(0) if combine == "sum-concat" else blocks.mean(0)
        if combine != "normal":
            found = torch.cat([found, beside])
        expected = normalize(net.dense(found), dim=-1)
        torch.testing.assert_close(net.vectors([prepared])[0], expected, atol=1e-5, rtol=1e-4)
        assert net.dense.in_features == (32 if combine == "normal" else 64)

    def test_levels_are_what_the_vectors_are_made_from(self) -> None:
        net = network()
        prepared = [net.prepare(d) for d in texts()]
        vectors, levels = net.levels(prepared)
        torch.testing.assert_close(vectors, net.vectors(prepared), atol=1e-5, rtol=1e-4)
        assert levels.attention[~levels.mask].abs().max() == 0
        torch.testing.assert_close(levels.attention.sum(1), torch.ones(3))
        lower, last = net.document.layers  # the first block's attention, by hand, for the longest document
        row = int(levels.mask.sum(1).argmax())
        x = lower(levels.blocks[row : row + 1] + net.place.weight[: levels.blocks.shape[1]])[0]
        w_q, w_k, _ = last.self_attn.in_proj_weight.chunk(3)
        b_q, b_k, _ = last.self_attn.in_proj_bias.chunk(3)
        heads = [
            torch.softmax((x[0] @ w_q[p].T + b_q[p]) @ (x @ w_k[p].T + b_k[p]).T / math.sqrt(8), -1)
            for p in (slice(8 * k, 8 * k + 8) for k in range(4))
        ]
        torch.testing.assert_close(levels.attention[row], torch.stack(heads).mean(0), atol=1e-5, rtol=1e-4)

    def test_the_order_of_blocks_and_of_words_counts(self) -> None:
        net = network()
        prepared = net.prepare(texts()[1])
        cut = int(prepared.first[1])
        turned = replace(prepared, ids=np.concatenate([prepared.ids[:cut], prepared.ids[cut:][::-1]]))
        swapped = prepared.ids.copy()
        swapped[[2, 3]] = swapped[[3, 2]]
        for other in (turned, replace(prepared, ids=swapped)):
            assert not torch.allclose(net.vectors([prepared]), net.vectors([other]), atol=1e-4)

    def test_the_short_form_trains_the_top_of_the_packaged_encoder(self, hugging_face: Any) -> None:
        net = SmithNetwork(FORMS["smith:short"])
        stored = checkpoint_tensors(net)
        tuned = {n.split("layer.")[1].split(".")[0] for n in stored if n.startswith("sentence.")}
        assert tuned == {"5"}
        assert sum(v.numel() for v in stored.values()) * 2 < 8e6  # bytes as float16
        blocks = net.eval().prepare(texts()[1])
        ids = torch.from_numpy(blocks.ids[: blocks.first[1]]).long()[None]
        theirs = hugging_face(ids).last_hidden_state
        torch.testing.assert_close(net.sentence(ids, torch.ones_like(ids, dtype=torch.bool)), theirs)


@pytest.mark.slow
class TestPretraining:
    def test_blocks_loss_is_equations_4_to_7(self, monkeypatch: pytest.MonkeyPatch) -> None:
        net = network(replace(SMALL, dropout=0.0))
        prepared = [net.prepare(d) for d in texts()[1:]]
        seen: list[torch.Tensor] = []

        def remember(mask: torch.Tensor, number: int, generator: torch.Generator | None) -> torch.Tensor:
            seen.append(choose_blocks(mask, number, generator))
            return seen[-1]

        monkeypatch.setattr("colde.models.smith.smith_network.choose_blocks", remember)
        loss = net.pretrain(prepared, torch.Generator().manual_seed(3))
        (hidden,) = seen
        assert hidden.sum(1).tolist() == [2, 2]
        # the same masks again, then the equations letter by letter
        net.requires_grad_(False)
        ids, words = net.padded(prepared)
        masked, chosen = mask_words(ids, words, 0.15, 5, torch.Generator().manual_seed(3), 30_522)
        states = net.sentence(masked, words)
        counts = [len(p.first) - 1 for p in prepared]
        h = [normalize(relu(net.block(s[:, 0])), dim=-1) for s in states.split(counts)]
        predicted, true = [], []
        for blocks, where in zip(h, hidden, strict=True):
            document = blocks.clone()
            for k in where.nonzero().flatten():
                document[k] = net.hidden_block  # 4.2.1
            out = net.document((document + net.place.weight[: len(blocks)])[None])[0]
            predicted += [out[k] for k in where.nonzero().flatten()]
            true += [blocks[k] for k in where.nonzero().flatten()]
        number = len(true)
        sp = 0.0
        for i in range(number):
            for j in range(number):
                sims = [math.exp(float(predicted[j] @ t)) for t in true]  # eq. 4
                if i == j:
                    sp -= math.log(sims[i] / sum(sims)) / number  # eq. 5, 6
        wp = 0.0
        for block, place in chosen.nonzero().tolist():
            logits = net.predict(states[block, place][None], net.sentence.words.table)[0].double()
            wp -= float(logits.log_softmax(0)[ids[block, place]]) / int(chosen.sum())
        assert float(loss.detach()) == pytest.approx(sp + wp, rel=1e-4)  # eq. 7
        net.config = replace(net.config, pretrain_blocks=False)
        words_alone = net.pretrain(prepared, torch.Generator().manual_seed(3))
        assert float(words_alone) == pytest.approx(wp, rel=1e-4)

    def test_words_are_hidden_as_bert_does(self) -> None:
        generator = torch.Generator().manual_seed(0)
        lengths = torch.tensor([32] * 400 + [3] + [4] * 20)
        ids = torch.randint(1000, 30_000, (len(lengths), 32), generator=generator)
        words = torch.arange(32) < lengths.unsqueeze(1)
        masked, chosen = mask_words(ids, words, 0.15, 5, generator, 30_522)
        assert chosen[:400].sum(1).tolist() == [4] * 400  # 15 % of 29
        assert chosen[400].sum() == 0 and chosen[401:].sum(1).tolist() == [1] * 20
        last = lengths.unsqueeze(1)
        place = torch.arange(32)
        assert not chosen[(place == 0) | (place >= last - 2)].any()  # never [CLS], [SEP] or padding
        assert (masked == ids)[~chosen].all()
        shown = masked[chosen]
        assert (shown == 103).float().mean() == pytest.approx(0.8, abs=0.04)
        assert (shown == ids[chosen]).float().mean() == pytest.approx(0.1, abs=0.03)
        many = mask_words(ids, words, 0.5, 5, generator, 30_522)[1]
        assert many[:400].sum(1).tolist() == [5] * 400
        assert (many[:400].float().mean(0)[1:30] > 0.1).all()  # any place

    def test_blocks_are_drawn_anew_and_never_all(self) -> None:
        mask = torch.arange(6) < torch.tensor([1, 2, 3, 6]).unsqueeze(1)
        generator = torch.Generator().manual_seed(1)
        drawn = torch.stack([choose_blocks(mask, 2, generator) for _ in range(200)])
        assert (drawn.sum(2) == torch.tensor([0, 1, 2, 2])).all()
        assert not drawn[:, ~mask].any()
        assert (drawn.float().mean(0)[3] > 0.2).all()

    @pytest.mark.parametrize("blocks", [True, False])
    def test_reaches_every_part_it_should(self, blocks: bool) -> None:
        net = network(replace(SMALL, pretrain_blocks=blocks)).train()
        net.pretrain([net.prepare(d) for d in texts()]).backward()  # type: ignore[no-untyped-call]
        left = {n.split(".")[0] for n, p in net.named_parameters() if p.grad is None}
        fine_tuned = {"log_scale", "offset", "dense"}
        assert left == (fine_tuned if blocks else fine_tuned | {"block", "place", "document"})

    def test_texts_without_words_cost_nothing(self) -> None:
        net = network()
        assert float(net.pretrain([net.prepare(Document("", ()))]).detach()) == 0

    def test_learns_to_tell_blocks_and_words(self) -> None:
        torch.manual_seed(0)
        net = SmithNetwork(replace(SMALL, dropout=0.0, masked_words=0.1))
        prepared = [net.prepare(d) for d in texts()[1:]]
        optimiser = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=3e-3)
        generator = torch.Generator().manual_seed(0)
        losses = []
        for _ in range(40):
            loss = net.pretrain(prepared, generator)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            losses.append(float(loss.detach()))
        assert np.mean(losses[-5:]) < 0.6 * np.mean(losses[:5])


class TestMatcher:
    def test_maps(self, model: Smith) -> None:
        _, a, b = model.encode(texts())
        maps = model.match(a, b).maps
        assert set(maps) == {
            "block", "section", "within_a_block", "within_b_block",
            "within_a_block_attention", "within_b_block_attention",
            "contribution_section", "contribution_chunk", "contribution_sentence",
        }  # fmt: skip
        assert maps["section"].values.shape == (1, len(b.section_spans))
        np.testing.assert_allclose(np.diag(maps["within_a_block"].values), 1, atol=1e-5)

    def test_counts_its_parameters(self) -> None:
        net = network()
        tables = sum(m.table.numel() for m in net.modules() if isinstance(m, ProjectedWords))
        assert tables == 30_522 * 384
        expected = tables + sum(p.numel() for p in net.parameters())
        assert Smith(net, card=CARDS["smith"]).parameters == expected


def test_begins_as_means_without_what_all_have_in_common() -> None:
    """Untrained, blocks with the same words are alike and others are not; documents spread around zero."""
    subjects = (
        "pilot tide bar swell harbour",
        "crust oven flour yeast loaf",
        "verdict court judge jury appeal",
    )
    random = np.random.default_rng(0)
    documents = []
    for subject in subjects:
        for _ in range(4):
            sentences = [" ".join(random.permutation(subject.split())) + ". " for _ in range(12)]
            documents.append(colde.read_text("".join(sentences)))
    torch.manual_seed(0)
    untrained = SmithNetwork(SmithConfig(dropout=0.0)).eval()
    prepared = [untrained.prepare(d) for d in documents]
    with torch.no_grad():
        before = untrained.vectors(prepared)
        pairs = torch.combinations(torch.arange(12))
        untrained.init_from_data(before, pairs)
        after = untrained.vectors(prepared)
    same = pairs[:, 0] // 4 == pairs[:, 1] // 4
    for vectors in (before, after):
        cosines = (vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(1)
        assert cosines[same].min() > cosines[~same].max()
    assert after.mean(0).norm() < 0.1 < before.mean(0).norm()
    logits = untrained.pair_logits(after[pairs[:, 0]], after[pairs[:, 1]])
    assert (
        float(logits.detach().mean()) == pytest.approx(0, abs=0.05)
        and 0.9 < float(logits.detach().std()) < 1.1
    )
