"""Match-Ignition: its graph against networkx, its counts against the paper's, its network against Hugging Face's."""

from __future__ import annotations

import math
from typing import Any, cast

import networkx as nx
import numpy as np
import pytest
import torch
from transformers import AutoModel

import colde
from colde.models.cross_encoder.cross_encoder import PairInput
from colde.models.cross_encoder.word_filter import (
    WordFilter,
    kept,
    pagerank_importance,
    run_filtered,
    surviving_words,
)
from colde.models.match_ignition.match_ignition import (
    MatchIgnitionConfig,
    SentencesInput,
)
from colde.models.match_ignition.sentence_graph import (
    SentenceWords,
    best,
    fit,
    pagerank,
    sentence_words,
    similarities,
)
from colde.models.registry import spec
from colde.models.shared.bi_cross_encoder import input_of
from colde.text.chunks import default_tokenizer
from colde.text.document import Document
from tests.models.small import small_matcher, small_network

STRATEGIES = ("pagerank", "attention", "embedding_norm", "random")

A = """# Harbour

The harbour pilot boards every cargo ship before dawn. He reads the tide tables and the swell over the bar.
A good breakfast costs little in the town. Cargo ships wait outside the bar until the tide turns.

# Tide

The tide tables of the harbour were printed in London. Each captain pays the pilot a fee for the passage.
Nobody in the town reads poetry at breakfast. Ships with deep keels need the highest tide.
"""
B = """# Passage

Deep ships cross the bar at the highest tide. The captain and the pilot agree on a fee before the passage.
Gardens behind the church are full of roses. A pilot who knows the swell brings the cargo ship over the bar.

# Rest

The organ plays on Sundays. Tide tables tell the pilot when the harbour is open. Roses smell best after rain.
"""


@pytest.fixture(scope="module")
def pair() -> tuple[Document, Document]:
    return colde.read_text(A), colde.read_text(B)


def long_document(sentences: int) -> Document:
    random = np.random.default_rng(0)
    words = random.integers(5_000, size=(sentences, 6))
    return colde.read_text(" ".join(" ".join(f"keel{w}" for w in row) + "." for row in words))


# the sentence filter -----------------------------------------------------------------------------------


def test_a_graph_by_hand() -> None:
    a = sentence_words(["The cat sat on the red mat.", "Dogs!"])  # cat sat red mat; dogs
    b = sentence_words(["A red mat, a red cat.", "Dogs."])  # red mat red cat; dogs
    graph = similarities(a, b).toarray()
    assert graph[0, 2] == pytest.approx(3 / (math.log(4) + math.log(4)))  # cat, red, mat
    assert graph[1, 3] == 0  # one word each: log 1 + log 1
    assert np.count_nonzero(graph) == 2 and (graph == graph.T).all()


def test_stop_words_follow_the_language() -> None:
    assert len(sentence_words(["the of and harbour"]).words) == 1
    assert len(sentence_words(["der die das Hafen"], "de").words) == 1
    assert len(sentence_words(["der die das Hafen"], "xx-none").words) == 4
    assert len(sentence_words([])) == 0


def random_graph(nodes: int, seed: int) -> Any:
    random = np.random.default_rng(seed)
    weights = np.triu(random.random((nodes, nodes)) * (random.random((nodes, nodes)) < 0.15), 1)
    weights[:, 3] = weights[3, :] = 0  # a node without links
    return weights + weights.T


@pytest.mark.parametrize("seed", range(3))
def test_pagerank_is_that_of_networkx(seed: int) -> None:
    from scipy import sparse

    weights = random_graph(40, seed)
    expected = nx.pagerank(nx.from_numpy_array(weights), alpha=0.85, tol=1e-12, max_iter=500)
    np.testing.assert_allclose(
        pagerank(sparse.csr_matrix(weights)), [expected[i] for i in range(40)], atol=1e-6
    )


def test_a_graph_of_its_own_knows_nothing_of_the_other_text(pair: tuple[Document, Document]) -> None:
    joint, apart = small_network("match_ignition"), small_network("match_ignition", joint=False)
    a, b = (joint.prepare(d) for d in pair)
    alone = pagerank(similarities(SentenceWords(a.words, a.word_bounds, a.lengths), sentence_words([])))
    np.testing.assert_allclose(apart.choose(a, b).ranks_a, alone, atol=1e-9)
    beside = joint.choose(a, b).ranks_a
    assert np.abs(beside / beside.sum() - alone).max() > 1e-3


def test_pagerank_of_a_document_pair_is_that_of_networkx(pair: tuple[Document, Document]) -> None:
    words = [sentence_words([d.text[s.start : s.end] for _, s in d.sentences()]) for d in pair]
    graph = similarities(words[0], words[1])
    expected = nx.pagerank(nx.from_scipy_sparse_array(graph), alpha=0.85, tol=1e-12)
    ranks = pagerank(graph)
    np.testing.assert_allclose(ranks, list(expected.values()), atol=1e-6)
    assert ranks.sum() == pytest.approx(1)


def test_the_best_in_their_order() -> None:
    assert best(np.array([0.1, 0.4, 0.2, 0.4, 0.05]), 3).tolist() == [1, 2, 3]
    assert best(np.array([0.5]), 5).tolist() == [0]
    assert best(np.array([0.3, 0.3 + 1e-16, 0.3]), 2).tolist() == [0, 1]  # ties by position


@pytest.mark.parametrize(
    ("lengths", "budget", "expected"),
    [
        ([3, 4], 10, [3, 4]),
        ([3, 40, 9], 20, [3, 8, 8]),
        ([50, 50], 10, [5, 5]),
        ([9, 1, 9], 11, [5, 1, 5]),
    ],
)
def test_the_longest_sentences_are_cut(lengths: list[int], budget: int, expected: list[int]) -> None:
    assert fit(np.array(lengths, np.int32), budget).tolist() == expected


def test_what_is_read_are_the_best_sentences_in_their_order(pair: tuple[Document, Document]) -> None:
    network = small_network("match_ignition", sentences=2)
    a, b = (network.prepare(d) for d in pair)
    chosen = network.choose(a, b)
    assert len(chosen.a) == len(chosen.b) == 2
    joined = network.join(a, b)
    tokenizer = default_tokenizer()
    texts = [
        [d.text[s.start : s.end] for k, (_, s) in enumerate(d.sentences()) if k in at]
        for d, at in zip(pair, (chosen.a, chosen.b), strict=True)
    ]
    of_a, of_b = ([i for t in tokenizer(side) for i in t.ids.tolist()] for side in texts)
    cls, sep = tokenizer.first, tokenizer.last
    assert joined.ids.tolist() == [cls, *of_a, sep, *of_b, sep]
    assert joined.types.tolist() == [0] * (len(of_a) + 2) + [1] * (len(of_b) + 1)


def test_the_partner_is_what_the_graph_looks_at(pair: tuple[Document, Document]) -> None:
    """3.1: sentences that both documents speak of rise; roses and organs do not."""
    network = small_network("match_ignition")
    a, b = (network.prepare(d) for d in pair)
    text = pair[1].text
    kept_b = [
        text[s.start : s.end] for k, (_, s) in enumerate(pair[1].sentences()) if k in network.choose(a, b).b
    ]
    assert any("pilot" in s for s in kept_b) and not any("organ" in s for s in kept_b)


# the word filter ---------------------------------------------------------------------------------------


def test_counts_are_those_of_the_paper() -> None:
    """The example of 3.2.3: twelve layers, 400 words, 10 %."""
    counts = [int(kept(torch.tensor([400]), 0.1, number)) for number in range(12)]
    assert counts == [400, 360, 324, 291, 262, 236, 212, 191, 172, 154, 139, 125]


def test_ranks_of_words_are_those_of_networkx() -> None:
    torch.manual_seed(0)
    attention = torch.rand(1, 12, 12).softmax(-1)
    ranks = nx.pagerank(nx.from_numpy_array(attention[0].numpy(), create_using=nx.DiGraph), tol=1e-12)
    expected = attention[0].numpy() @ np.array(list(ranks.values()))
    found = pagerank_importance(attention, torch.ones(1, 12, dtype=torch.bool), 0.85, 100)
    np.testing.assert_allclose(found[0], expected, atol=1e-6)


def test_padding_never_enters_a_pagerank() -> None:
    torch.manual_seed(0)
    score = torch.randn(1, 9, 9)
    present = torch.arange(9)[None] < 6
    attention = score.masked_fill(~present[:, None], -torch.inf).softmax(-1)
    padded = pagerank_importance(attention, present, 0.85, 20)
    alone = pagerank_importance(attention[:, :6, :6], present[:, :6], 0.85, 20)
    torch.testing.assert_close(padded[:, :6], alone)
    assert (padded[:, 6:] == 0).all()


def test_special_tokens_survive_anything() -> None:
    value = torch.tensor([[0.0, 9.0, 8.0, 0.0, 7.0, 0.0, 99.0]])
    present = torch.tensor([[True] * 6 + [False]])
    special = torch.tensor([[True, False, False, True, False, True, False]])
    chosen, inside = surviving_words(value, present, special, torch.tensor([4]))
    assert chosen.tolist() == [[0, 1, 3, 5]] and inside.all()
    chosen, _ = surviving_words(value, present, special, torch.tensor([1]))
    assert chosen.tolist() == [[0, 3, 5]]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_surviving_words_layer_by_layer(pair: tuple[Document, Document], strategy: Any) -> None:
    network = small_network("match_ignition", strategy=strategy, ratio=0.2)
    joined = network.join(*(network.prepare(d) for d in pair))
    ids, types, mask, special = network.batch([joined])
    found = run_filtered(network.encoder, ids, types, mask, special, network.filter)
    count = len(joined.ids)
    counts = [int((found.layers >= number).sum()) for number in (1, 2, 3, 4)]
    assert counts == [math.floor(count * 0.8**k + 1e-9) for k in range(4)]
    assert (found.layers[special] == 4).all() and found.first.shape == (1, 32)


def test_without_filtering_it_is_the_network_of_hugging_face() -> None:
    """On the packaged encoder, with padding in the batch; its attention decides which words go on."""
    from colde.assets import packaged_encoder

    bert = AutoModel.from_pretrained(packaged_encoder(), attn_implementation="eager").eval()
    torch.manual_seed(0)
    ids = torch.randint(1_000, 30_000, (2, 40))
    mask = torch.arange(40)[None] < torch.tensor([[40], [23]])
    types = (torch.arange(40) > 15).long().expand(2, 40)
    special = torch.zeros_like(mask)
    with torch.inference_mode():
        out = bert(input_ids=ids, attention_mask=mask.long(), token_type_ids=types, output_attentions=True)
        found = run_filtered(bert, ids, types, mask, special, WordFilter(ratio=0))
        filtered = run_filtered(bert, ids, types, mask, special, WordFilter(ratio=0.2, strategy="attention"))
    torch.testing.assert_close(found.first, out.last_hidden_state[:, 0], atol=1e-5, rtol=1e-4)
    assert (found.layers == 6 * mask.long()).all()
    received = (out.attentions[0].mean(1) * mask.unsqueeze(2)).sum(1)  # [texts, tokens]
    for row, count in enumerate((32, 18)):
        best_words = received[row].masked_fill(~mask[row], -1).topk(count).indices
        assert set(torch.nonzero(filtered.layers[row] > 1)[:, 0].tolist()) == set(best_words.tolist())


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_padded_batch_equals_single_pairs(pair: tuple[Document, Document], strategy: Any) -> None:
    network = small_network("match_ignition", strategy=strategy)
    a, b = (network.prepare(d) for d in pair)
    short = network.prepare(colde.read_text("Pilots wait for the tide. Then they go."))
    pairs = [network.join(a, b), network.join(short, b), network.join(short, short)]
    with torch.inference_mode():
        together = network.logits(pairs)
        alone = torch.cat([network.logits([p]) for p in pairs])
    torch.testing.assert_close(together, alone, atol=1e-4, rtol=1e-4)


def test_the_filter_changes_what_the_network_says(pair: tuple[Document, Document]) -> None:
    with torch.inference_mode():
        logits = []
        for ratio in (0.0, 0.1, 0.3):
            network = small_network("match_ignition", ratio=ratio)
            logits.append(float(network.logits([network.join(*(network.prepare(d) for d in pair))])))
    assert len({round(x, 4) for x in logits}) == 3


# the matcher -------------------------------------------------------------------------------------------

NAMES = ("cross_encoder", "match_ignition", "match_ignition:sentences", "match_ignition:words")


@pytest.mark.parametrize("name", NAMES)
def test_maps_are_those_of_the_filters(pair: tuple[Document, Document], name: str) -> None:
    matcher = small_matcher(name)
    result = matcher.match(*matcher.encode(pair))
    maps = result.maps
    assert 0 < result.score < 1
    assert ("sentence" in maps) == (name in ("match_ignition", "match_ignition:sentences"))
    assert ("within_a_word_kept" in maps) == (name in ("match_ignition", "match_ignition:words"))
    assert not [m for m in maps.values() if m.role == "attention"], "it is nearly even"


@pytest.mark.parametrize("name", NAMES)
def test_long_texts_fit_into_the_network(name: str) -> None:
    matcher = small_matcher(name)
    a, b = (input_of(e) for e in matcher.encode([long_document(300), long_document(200)], explain=False))
    assert len(cast(Any, matcher).network.join(a, b).ids) <= cast(Any, matcher).network.config.tokens


def test_words_that_are_kept_are_whole_words(pair: tuple[Document, Document]) -> None:
    matcher = small_matcher("match_ignition")
    a, b = matcher.encode(pair)
    found = matcher.match(a, b).maps["within_a_word_kept"]
    words = {pair[0].text[s.start : s.end] for s in found.rows}
    assert {"harbour", "tide", "pilot"} <= words
    assert found.values.max() == 1 and found.values.min() >= 0.25  # four layers


def test_what_it_says_it_read_are_the_chosen_sentences() -> None:
    matcher = small_matcher("match_ignition", tokens=400)
    a, b = matcher.encode([long_document(40), long_document(30)])
    result = matcher.match(a, b)
    for e, coverage in ((a, result.coverage_a), (b, result.coverage_b)):
        sentences = [s for _, s in e.document.sentences()]
        whole = [
            s for s in sentences if not any(u.start < s.end and s.start < u.end for u in coverage.unread)
        ]
        assert len(whole) == 5
        assert coverage.tokens == e.coverage.tokens and coverage.tokens_read < e.coverage.tokens_read


def test_sentences_after_the_first_two_thousand_are_unread() -> None:
    matcher = small_matcher("match_ignition")
    encoded = matcher.encode([long_document(2_050)])[0]
    assert len(cast(SentencesInput, input_of(encoded)).lengths) == 2_000
    assert encoded.coverage.unread and encoded.coverage.tokens_read < encoded.coverage.tokens


def test_settings_are_those_of_the_paper() -> None:
    config = MatchIgnitionConfig()
    assert (config.sentences, config.damping, config.ratio, config.strategy) == (5, 0.85, 0.10, "pagerank")
    assert spec("match_ignition:sentences").model["ratio"] == 0
    assert not spec("match_ignition:words").model["sentence_filter"]


def test_origin_points_at_the_documents_own_tokens(pair: tuple[Document, Document]) -> None:
    network = small_network("match_ignition")
    prepared = [network.prepare(d) for d in pair]
    joined: PairInput = network.join(*prepared)
    for side in (0, 1):
        at = (joined.types == side) & (joined.origin >= 0)
        assert (joined.ids[at] == prepared[side].ids[joined.origin[at]]).all()
