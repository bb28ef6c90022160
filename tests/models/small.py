"""Small networks of all baselines and of the papers' systems, with random weights as a checkpoint keeps them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import cache
from typing import Any

import torch
from transformers import BertConfig, BertModel

from colde.models.registry import spec
from colde.models.shared.bi_cross_encoder import checkpoint_tensors
from colde.training.baseline_fit import build

SMASH = {"words": 12, "hidden": 6, "most_tokens": 150, "most_words": 40}
SMITH = {
    "width": 32, "inner": 48, "tokens": 16, "blocks": 6, "document_layers": 2, "pretrain_words": False,
}  # fmt: skip
SMALL: Mapping[str, Mapping[str, Any]] = {
    "arc_i": {"words": 8, "features": 24, "out": 12, "tokens": 300},
    "dssm": {"buckets": 512, "rank": 8, "hidden": [24, 24], "out": 16},
    "s_bert": {"tokens": 64, "layers": 1, "encoder": "tiny"},
    "s_long": {"tokens": 96, "window": 32, "layers": 1, "encoder": "tiny"},
    "han": {"words": 12, "hidden": 6, "attention": 8, "most_tokens": 200},
    "smash_rnn": SMASH,
    "smash_rnn:p": SMASH,
    "smash_rnn:p+s": SMASH,
    "smith": SMITH,
    "smith:sum": SMITH,
    "smith:mean": SMITH,
    "smith:attention": SMITH,
    "cross_encoder": {"tokens": 120, "encoder": "tiny"},
    "match_ignition": {"tokens": 120, "encoder": "tiny"},
    "match_ignition:sentences": {"tokens": 120, "encoder": "tiny"},
    "match_ignition:words": {"tokens": 120, "encoder": "tiny"},
    "rnn": {"words": 8, "hidden": 6, "tokens": 40},
    "cnn": {"words": 8, "features": 7, "hidden": 12, "tokens": 60},
    "c_dssm": {"buckets": 512, "rank": 8, "features": 20, "out": 10, "words": 90},
    "simnet": {},
    "deepqa": {"words": 8, "features": 6, "hidden": 7, "tokens": 40},
    "match_pyramid": {"words": 8, "hidden": 9, "tokens": 60},
    "arc_ii": {"words": 8, "maps": 8, "hidden": 9, "tokens": 32},
    "duet": {"words": 8, "maps": 6, "places": 5, "hidden": 7, "field": 8, "tokens": 32},
    "re2": {"words": 8, "hidden": 6, "tokens": 40},
    "gru_han": {"words": 8, "hidden": 5, "attention": 7, "tokens": 60},
    "gru_han:cda": {"words": 8, "hidden": 5, "attention": 7, "tokens": 60},
    "cig": {"words": 8, "features": 5, "hidden": 6, "sentences": 12},
    "cig:siam": {"words": 8, "features": 5, "hidden": 6, "sentences": 12},
    "cig:global": {"words": 8, "features": 5, "hidden": 6, "sentences": 12},
    "transformer_xl": {"width": 8, "heads": 2, "inner": 9, "layers": 2, "segment": 5, "tokens": 40},
    "longformer": {"tokens": 64, "window": 8},
    "bert_han": {"hidden": 5, "attention": 7, "sentences": 4},
    "bert_han:cda": {"hidden": 5, "attention": 7, "sentences": 4},
}
"""Settings by model; the encoder `tiny` is that of `tiny_bert`."""


@cache
def tiny_bert() -> tempfile.TemporaryDirectory[str]:
    """A folder with a small random BERT of the packaged vocabulary; it exists as long as the process."""
    folder = tempfile.TemporaryDirectory()
    sizes = {"hidden_size": 32, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 64}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        bert = BertModel(BertConfig(**sizes, initializer_range=0.3), add_pooling_layer=False)
    bert.save_pretrained(folder.name)
    return folder


def small_network(name: str, seed: int = 1, **settings: Any) -> Any:
    """The network of a model, in evaluation mode."""
    values = {**spec(name).model, **SMALL[name], **settings}
    if values.get("encoder") == "tiny":
        values["encoder"] = tiny_bert().name
    network = build(spec(name), values, seed=seed).eval()
    random = torch.Generator().manual_seed(seed)
    for key, value in checkpoint_tensors(network).items():
        if key.endswith(".up"):  # of low-rank updates; at zero nothing below them learns at first
            value.copy_(0.1 * torch.randn(value.shape, generator=random))
        value.copy_(value.half())
    return network


def small_matcher(name: str, **settings: Any) -> Any:
    """A matcher around `small_network`."""
    return spec(name).matcher_class()(small_network(name, **settings), card=spec(name).card)
