"""S-BERT and S-LONG: against other implementations where untrained, and what every matcher must hold.

The networks here are not trained, or moved at random; none is ever shown.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import colde
from colde.assets import packaged_encoder
from colde.models.s_bert.s_bert import SBert, SBertConfig, SBertNetwork
from colde.models.s_long.s_long import SLong, SLongConfig, SLongNetwork
from colde.models.shared.bi_cross_encoder import checkpoint_tensors
from colde.models.shared.mean_states import MeanStatesEncoding, MeanStatesMatcher
from colde.models.shared.network_input import ModelInput
from colde.results.encoding import require_encoding
from colde.text.chunks import default_tokenizer
from colde.text.document import Document
from studies.speed.sliding_attention_speed import longformer
from tests.models.small import small_matcher

TIDES = (
    "# Tides\n\nThe tide comes in over the bar. Harbour pilots wait for the wind to drop.\n\n# Bread\n\n"
    "Bread rises in a warm oven. The crust is done when it sounds hollow."
)
SHIPS = "# Ships\n\nPilots take ships over the bar at high tide. They read wind and swell first."
KINDS = {"s_bert": SBert, "s_long": SLong}


@pytest.fixture(params=list(KINDS))
def matcher(request: pytest.FixtureRequest) -> MeanStatesMatcher[Any]:
    found: MeanStatesMatcher[Any] = small_matcher(request.param)
    return found


def document(text: str) -> Document:
    return colde.read_text(text)


def ids_of(text: str) -> list[int]:
    tokenizer = default_tokenizer()
    return [tokenizer.first, *tokenizer([text])[0].ids.tolist(), tokenizer.last]


def mean_state(bert: Any, ids: list[int]) -> np.ndarray:
    with torch.inference_mode():
        states = bert(input_ids=torch.tensor([ids])).last_hidden_state
    return np.asarray(states[0].mean(0).numpy())


def test_untrained_s_bert_is_mean_pooling_of_the_packaged_encoder(hugging_face: Any) -> None:
    built = SBertNetwork(SBertConfig()).eval()
    text = "A lighthouse lens bends light into a narrow beam. " * 80  # more than 512 tokens
    prepared = built.prepare(document(text))
    assert prepared.size == 512
    expected = mean_state(hugging_face, [*ids_of(text.strip())[:511], ids_of("")[-1]])
    with torch.inference_mode():
        np.testing.assert_allclose(built.vectors([prepared])[0].numpy(), expected, atol=2e-5)


def test_untrained_s_bert_is_what_sentence_transformers_computes() -> None:
    st = pytest.importorskip("sentence_transformers")
    modules = st.sentence_transformer.modules if hasattr(st, "sentence_transformer") else st.models
    folder = str(packaged_encoder())
    reference = st.SentenceTransformer(
        modules=[modules.Transformer(folder), modules.Pooling(384, pooling_mode="mean")], device="cpu"
    )
    text = "Harbour pilots read tide, wind and swell before they bring a ship over the bar."
    built = SBertNetwork(SBertConfig()).eval()
    with torch.inference_mode():
        ours = built.vectors([built.prepare(document(text))])[0].numpy()
    np.testing.assert_allclose(ours, reference.encode(text), atol=2e-5)


def test_untrained_s_long_is_the_encoder_within_its_window(hugging_face: Any) -> None:
    built = SLongNetwork(SLongConfig()).eval()
    text = (
        "A lighthouse lens bends light into a narrow beam over the sea. " * 17
    )  # 240 tokens, all within 256
    prepared = built.prepare(document(text))
    assert 200 < prepared.size < 256
    with torch.inference_mode():
        ours = built.vectors([prepared])[0].numpy()
    np.testing.assert_allclose(ours, mean_state(hugging_face, prepared.ids.tolist()), atol=2e-5)


@pytest.mark.parametrize("lengths", [(700,), (33, 16, 130, 97), (64,), (1,)])
def test_s_long_is_hugging_faces_longformer(lengths: tuple[int, ...], hugging_face: Any) -> None:
    random = torch.Generator().manual_seed(0)
    built = SLongNetwork(SLongConfig(tokens=1024, window=64)).eval()
    texts = [torch.randint(999, 30_000, (n,), generator=random) for n in lengths]
    expected = longformer(hugging_face, 64, 1024)
    states, mask = built.states([ModelInput(t.numpy().astype(np.int32)) for t in texts])
    for row, text in enumerate(texts):
        overall = torch.zeros(1, len(text), dtype=torch.long)
        overall[0, 0] = 1
        with torch.inference_mode():
            theirs = expected(input_ids=text[None], global_attention_mask=overall).last_hidden_state[0]
        torch.testing.assert_close(states[row][mask[row]], theirs, atol=5e-5, rtol=1e-4)


def test_a_token_sees_its_window_and_no_further() -> None:
    """Through one layer: [CLS] aside, which sees all, a state depends on 16 tokens either side (and on [CLS])."""
    built = SLongNetwork(SLongConfig(tokens=256, window=32)).eval()
    built.encoder.bert.encoder.layer = built.encoder.bert.encoder.layer[:1]
    built.encoder.overall = built.encoder.overall[:1]
    ids = ids_of("tide bar pilot wind harbour ship swell dawn " * 15)
    changed = list(ids)
    changed[60] = ids_of("bread")[1]
    with torch.inference_mode():
        one, other = (built.states([ModelInput(np.array(i, np.int32))])[0][0] for i in (ids, changed))
    moved = (one - other).abs().amax(-1) > 1e-6
    assert set(torch.nonzero(moved).flatten().tolist()) == {0, *range(60 - 16, 60 + 16 + 1)}


def test_what_is_trained() -> None:
    sizes = {}
    for name, kind in KINDS.items():
        built = kind.build({})
        sizes[name] = sum(v.numel() for v in checkpoint_tensors(built).values()) * 2 / 1e6
        assert all("embeddings" not in n for n in checkpoint_tensors(built))
    assert 7.0 < sizes["s_bert"] < 7.2 and 0.8 < sizes["s_long"] < 1.0  # megabytes of float16
    low_rank = SBertNetwork(SBertConfig(rank=4))
    assert sum(v.numel() for v in checkpoint_tensors(low_rank).values()) < 200_000


def test_score_is_the_sum_of_its_parts(matcher: MeanStatesMatcher[Any]) -> None:
    """Without headings the sentences and the two special tokens are everything."""
    a, b = matcher.encode([document("The tide comes in. Pilots wait."), document("Ships wait for the tide.")])
    one, other = (require_encoding(e, MeanStatesEncoding) for e in (a, b))
    special = [e.raw - e.by_sentence.means.sum(0) for e in (one, other)]
    left, right = one.by_sentence.means.sum(0), other.by_sentence.means.sum(0)
    scale = np.linalg.norm(one.raw) * np.linalg.norm(other.raw)
    whole = left @ right / scale
    rest = (special[0] @ right + left @ special[1] + special[0] @ special[1]) / scale
    assert whole + rest == pytest.approx(matcher.match(a, b).score, abs=1e-5)
    states = matcher.network.states([matcher.network.prepare(a.document)])[0][0].detach().numpy()
    np.testing.assert_allclose(special[0], (states[0] + states[-1]) / len(states), atol=1e-5)


def test_maps(matcher: MeanStatesMatcher[Any]) -> None:
    a, b = matcher.encode([document(TIDES), document(SHIPS)])
    result = matcher.match(a, b)
    maps = result.maps
    levels = ("section", "chunk", "sentence")
    assert set(maps) == {"section", "sentence", *(f"contribution_{level}" for level in levels)}
    assert maps["contribution_sentence"].values.sum() == pytest.approx(result.score, abs=1e-5)
    read = [a.document.text[s.start : s.end] for s in maps["sentence"].rows]
    assert read[0] == "The tide comes in over the bar." and len(read) == 4
    assert maps["section"].values.shape == (2, 1)
    itself = matcher.match(a, a).maps
    np.testing.assert_allclose(np.diag(itself["sentence"].values), 1, atol=1e-5)
