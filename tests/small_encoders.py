"""Folders of small encoders with random weights, in Hugging Face's format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors

TEXT = "the lamp was lit by a keeper who had trimmed its wick before dusk"
SIZES: dict[str, Any] = {"vocab_size": 40, "max_position_embeddings": 300}
WIDE: dict[str, Any] = {
    **SIZES, "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64,
}  # fmt: skip
NETWORKS: dict[str, Callable[[], Any]] = {
    "bert": lambda: transformers.BertModel(transformers.BertConfig(**WIDE)),
    "xlm-roberta": lambda: transformers.XLMRobertaModel(
        transformers.XLMRobertaConfig(**{**WIDE, "type_vocab_size": 1, "pad_token_id": 1})
    ),
    "roberta": lambda: transformers.RobertaModel(
        transformers.RobertaConfig(**{**WIDE, "type_vocab_size": 1})
    ),
    "distilbert": lambda: transformers.DistilBertModel(
        transformers.DistilBertConfig(**SIZES, dim=32, n_layers=3, n_heads=4, hidden_dim=64)
    ),
}


def write_tokenizer(folder: Path) -> None:
    """tokenizer.json of 40 words at most; other words are unknown."""
    vocabulary = {
        word: at for at, word in enumerate(["<s>", "<pad>", "</s>", "<unk>", *dict.fromkeys(TEXT.split())])
    }
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def write_encoder(folder: Path, kind: str = "bert") -> Any:
    """A small encoder with random weights, large enough that each part matters; the network of transformers."""
    torch.manual_seed(0)
    network = NETWORKS[kind]().eval()
    for name, parameter in network.named_parameters():
        if "LayerNorm" not in name and "layer_norm" not in name:
            torch.nn.init.normal_(parameter, std=2.0 if "position" in name else 0.3)
    network.save_pretrained(folder)
    write_tokenizer(folder)
    return network
