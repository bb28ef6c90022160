"""The files of a BERT in Hugging Face's format: config.json and model.safetensors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from colde.assets import WEIGHTS
from colde.errors import ModelError

CONFIG = "config.json"


@dataclass(frozen=True, slots=True)
class BertFiles:
    """`config` with the names of the format, `tensors` in float32 without the prefix `bert.`."""

    config: dict[str, Any]
    tensors: dict[str, Tensor]


@contextmanager
def bert_files(folder: Path) -> Iterator[BertFiles]:
    """The files of a folder.

    Raises:
        ModelError: the folder has no BERT, another kind of encoder, or lacks an entry that the `with` block uses.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        if config["hidden_act"] != "gelu":
            raise ValueError(config["hidden_act"])
        tensors = load_file(folder / WEIGHTS)
        yield BertFiles(config, {k.removeprefix("bert."): v.float() for k, v in tensors.items()})
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"{folder}: no BERT encoder of Hugging Face's format ({error!r})") from None
