"""Token ids to one vector a text: the mean of the last states of a Hugging Face encoder.

Two ways to run it, chosen by `load_encoder`: OpenVINO in bf16 where it is installed (`colde[fast]`), else torch.
Texts are sorted by length and put into batches by token count, so that little of the work goes into padding.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from colde.assets import WEIGHTS, file_hash
from colde.encoders.breath import breathe, breathing
from colde.encoders.cache import cache_folder
from colde.encoders.kept_network import kept_network
from colde.errors import MissingExtraError, ModelError
from colde.results.maps import Array
from colde.text.tokens import packaged_encoder

PACKAGED = "packaged"
"""The name of the encoder that comes with the program."""

NETWORK = "network.xml"

TOKENS_PER_BATCH = 4096
"""Padded tokens a batch: 8 chunks of 512, or 128 sentences of 32."""

Ids = NDArray[np.int32]
OnBatch = Callable[[NDArray[np.int64], Array], None]
"""Called with the positions of the texts of a batch and their vectors, as soon as they are known."""


class Encoder(Protocol):
    """Vectors of token id sequences; the same ids always give the same vector."""

    dimension: int
    tag: str  # names weights and precision: vectors of different tags are not the same

    def mean_states(self, ids: Tensor, mask: Tensor) -> Array:
        """ids, mask [batch, tokens] → [batch, dimension], not normalised."""
        ...


class MeanPooled(nn.Module):
    """A Hugging Face encoder and the masked mean of its last states."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        states: Tensor = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        keep = attention_mask.unsqueeze(-1).to(states.dtype)  # [batch, tokens, 1]
        pooled: Tensor = (states * keep).sum(1) / keep.sum(1)  # [batch, dimension]
        return pooled


class TorchEncoder:
    """The encoder as torch runs it; bf16 halves the time and moves a cosine by .002 at most."""

    def __init__(self, folder: Path, dtype: torch.dtype = torch.float32) -> None:
        self._pooled = breathing(MeanPooled(load_hugging_face(folder, dtype=dtype)).eval())
        self.tag = f"{dtype}-{file_hash(folder / WEIGHTS)[:16]}"
        self.dimension = int(self._pooled.encoder.config.hidden_size)  # type: ignore[union-attr, arg-type]

    def mean_states(self, ids: Tensor, mask: Tensor) -> Array:
        with torch.inference_mode():
            return np.asarray(self._pooled(ids, mask).float().numpy(), dtype=np.float32)


class OpenVinoEncoder:
    """The same encoder compiled by OpenVINO in bf16: about 2.3 times as fast as torch in float32 (docs/results.md).

    The converted network is kept in the user's cache folder, named by the hash of the weights, where there is one.
    """

    def __init__(self, folder: Path) -> None:
        ov = _openvino()
        core = ov.Core()
        weights = file_hash(folder / WEIGHTS)[:16]
        self.tag = f"openvino-bf16-{weights}"
        model = self._network(core, folder, f"{weights}-{ov.__version__[:8]}")
        self._compiled: Any = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "bf16"})
        self.dimension = int(model.outputs[0].partial_shape[1].get_length())

    def _network(self, core: Any, folder: Path, name: str) -> Any:
        """The converted network from the cache, or converted for this process alone where nothing can be kept."""

        def write(made: Path) -> None:
            _openvino().save_model(self._convert(folder), made / NETWORK, compress_to_fp16=False)

        cache = cache_folder()
        kept = None if cache is None else kept_network(cache / "openvino" / name, write)
        return self._convert(folder) if kept is None else core.read_model(kept / NETWORK)

    @staticmethod
    def _convert(folder: Path) -> Any:
        ov = _openvino()
        encoder = load_hugging_face(folder, attn_implementation="eager")
        example = torch.ones((2, 16), dtype=torch.int64)
        shape = ov.PartialShape([-1, -1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the tracer's remarks are about inputs this network never gets
            return ov.convert_model(
                MeanPooled(encoder).eval(),
                example_input={"input_ids": example, "attention_mask": example},
                input=[("input_ids", shape, ov.Type.i64), ("attention_mask", shape, ov.Type.i64)],
            )

    def mean_states(self, ids: Tensor, mask: Tensor) -> Array:
        out = self._compiled({"input_ids": ids.numpy(), "attention_mask": mask.numpy()})[0]
        return np.array(out, dtype=np.float32)


def _openvino() -> Any:
    """OpenVINO without its telemetry, which asks for www.google-analytics.com and writes an id into the home."""
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # OpenVINO has a stub for where it is not
    import openvino

    return openvino


def load_hugging_face(folder: Path | str, **options: Any) -> nn.Module:
    """A Hugging Face encoder from a folder, or by name where a hub is reachable; quiet, and never from a pickle."""
    from transformers import AutoModel
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    model: nn.Module = AutoModel.from_pretrained(folder, use_safetensors=True, **options)
    return model


def encoder_folder(name: str) -> Path:
    """The folder of an encoder: `packaged`, a folder, or a Hugging Face name, fetched where a hub is reachable.

    Raises:
        ModelError: no such folder, and no hub that has it.
    """
    if name == PACKAGED:
        return packaged_encoder()
    if Path(name).is_dir():
        return Path(name)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.safetensors"]))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError):
        raise ModelError(
            f"{name}: no such folder, and no hub with an encoder of that name can be reached; "
            f"name a folder with config.json, tokenizer.json and {WEIGHTS}"
        ) from None


def load_encoder(folder: Path | None = None) -> Encoder:
    """The fastest way that is installed; `COLDE_RUNTIME=torch` or `openvino` insists on one of them.

    Raises:
        MissingExtraError: OpenVINO is asked for and not installed.
    """
    folder = folder or packaged_encoder()
    wanted = os.environ.get("COLDE_RUNTIME", "auto")
    if wanted != "torch" and find_spec("openvino") is not None:
        return OpenVinoEncoder(folder)
    if wanted == "openvino":
        raise MissingExtraError("OpenVINO is not installed: pip install 'colde-explorer[fast]'")
    return TorchEncoder(folder)


def batches(lengths: Sequence[int], tokens: int = TOKENS_PER_BATCH) -> Iterator[NDArray[np.int64]]:
    """Positions of texts, batch by batch, longest first; a batch holds at most `tokens` with its padding."""
    order = np.argsort([-n for n in lengths], kind="stable")
    at = 0
    while at < len(order):
        size = max(1, tokens // max(1, lengths[order[at]]))
        yield order[at : at + size]
        at += size


def encode_ids(
    encoder: Encoder, ids: Sequence[Ids], *, on_batch: OnBatch | None = None, pad: int = 0
) -> Array:
    """Vectors of all texts, [texts, dimension], not normalised, in the order given."""
    out = np.zeros((len(ids), encoder.dimension), dtype=np.float32)
    for batch in batches([len(i) for i in ids]):
        rows = [torch.from_numpy(ids[i]).long() for i in batch]
        padded = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad)  # [batch, tokens]
        mask = nn.utils.rnn.pad_sequence([torch.ones_like(r) for r in rows], batch_first=True)
        out[batch] = encoder.mean_states(padded, mask)
        breathe()
        if on_batch is not None:
            on_batch(batch, out[batch])
    return out
