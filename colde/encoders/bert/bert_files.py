"""The files of a BERT in Hugging Face's format: config.json and model.safetensors.

RoBERTa, XLM-RoBERTa and CamemBERT compute the same from other positions: they count from the number of their padding
token plus one, so their first rows of positions are left out here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from torch import Tensor

from colde import strict_json
from colde.assets import WEIGHTS
from colde.errors import ModelError
from colde.strict_json import JsonError

CONFIG = "config.json"
BERT, ROBERTA = "bert", ("roberta", "xlm-roberta", "camembert")
"""Values of `model_type` in config.json."""
POSITIONS = "embeddings.position_embeddings.weight"


Size = Annotated[int, Meta(gt=0, le=2**24)]


class _BertConfig(Struct):
    """The entries of config.json that are used, of networks of any size."""

    layer_norm_eps: Annotated[float, Meta(gt=0, lt=1)]
    num_attention_heads: Size
    num_hidden_layers: Size
    model_type: str = BERT
    hidden_act: str | None = None
    position_embedding_type: str | None = None
    pad_token_id: Annotated[int, Meta(ge=0, le=2**24)] | None = None


@dataclass(frozen=True, slots=True)
class BertFiles:
    """`config` with the names of the format, `tensors` without the prefix `bert.` or `roberta.`."""

    config: dict[str, Any]
    tensors: dict[str, Tensor]


def reads_as_bert(config: dict[str, Any]) -> bool:
    """Whether `bert_files` reads an encoder with this config.json."""
    positions = config.get("position_embedding_type") or "absolute"
    known = config.get("model_type", BERT) in (BERT, *ROBERTA)
    return known and config.get("hidden_act") == "gelu" and positions == "absolute"


def read_encoder_config(folder: Path) -> dict[str, Any]:
    """config.json of an encoder's folder; raises ModelError where there is none."""
    try:
        config: dict[str, Any] = strict_json.read_file(folder / CONFIG, dict[str, Any])
    except (OSError, JsonError) as error:
        raise ModelError(f"{folder}: no encoder of Hugging Face's format ({error})") from None
    return config


@contextmanager
def bert_files(folder: Path) -> Iterator[BertFiles]:
    """The files of a folder.

    Raises:
        ModelError: the folder has no BERT, another kind of encoder, or lacks an entry that the `with` block uses.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        config = read_encoder_config(folder)
        strict_json.convert(config, _BertConfig)
        if not reads_as_bert(config):
            raise ValueError(config["model_type"], config.get("hidden_act"))
        loaded = load_file(folder / WEIGHTS).items()
        tensors = {k.removeprefix("bert.").removeprefix("roberta."): v.float() for k, v in loaded}
        if config.get("model_type") in ROBERTA:
            tensors[POSITIONS] = tensors[POSITIONS][config["pad_token_id"] + 1 :]
            config["max_position_embeddings"] = len(tensors[POSITIONS])
        yield BertFiles(config, tensors)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"{folder}: no BERT encoder of Hugging Face's format ({error!r})") from None
