"""Token ids to one vector a text: the mean of the last states of an encoder.

It runs over packed texts, without padding, in the precision that `colde.encoders.runtime` chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from colde.assets import WEIGHTS, weights_hash
from colde.encoders.cancellation import poll_cancel
from colde.encoders.packed_bert import frozen_bert, length_runs, text_means
from colde.encoders.runtime import compute_dtype
from colde.errors import ModelError
from colde.results.similarity_map import Array
from colde.text.chunks import packaged_encoder

PACKAGED = "packaged"
"""The name of the encoder that comes with the program."""

TOKENS_PER_BATCH = 4096
"""Tokens a batch: 8 chunks of 512, or 128 sentences of 32."""

Ids = NDArray[np.int32]


class Encoder(Protocol):
    """Vectors of token id sequences; the same ids always give the same vector."""

    dimension: int
    tag: str  # names weights and precision: vectors of different tags are not the same

    def mean_states(self, ids: Sequence[Ids]) -> Array:
        """Texts, the longest first, special tokens included → [texts, dimension], not normalised."""
        ...

    def token_states(self, ids: Sequence[Ids], layers: int | None = None) -> list[Array]:
        """States of the tokens of texts, special tokens included: [tokens, dimension] each; `mean_states` their means.

        Args:
            layers: after so many of them; None for all.
        """
        ...


class PackedEncoder:
    """The encoder over packed texts; bf16 takes under a third of the time and moves a cosine by .0045 at most."""

    def __init__(self, folder: Path, dtype: torch.dtype | None = None) -> None:
        self._dtype = compute_dtype() if dtype is None else dtype
        self._bert = frozen_bert(folder, self._dtype)
        self.tag = f"packed-{self._dtype}-{weights_hash(folder)[:16]}"
        self.dimension = self._bert.embeddings.words.embedding_dim
        self._device = torch.device("cpu")

    def to_gpu(self) -> None:
        """Run on this process's GPU from now on; vectors differ from those of the processor by rounding alone.

        The weights are those that the process shares, so this is for a process that encodes and does nothing else.

        Raises:
            ModelError: torch sees none.
        """
        if not torch.cuda.is_available():
            raise ModelError("torch sees no GPU here: install a torch with CUDA, or encode without GPUs")
        if self._device.type != "cuda":
            self._device = torch.device("cuda")
            self._bert.to(self._device)
            self.tag += "-cuda"

    @torch.inference_mode()
    def mean_states(self, ids: Sequence[Ids]) -> Array:
        """Texts, those of one length side by side → [texts, dimension], not normalised."""
        runs = length_runs(np.array([len(i) for i in ids], dtype=np.int64))
        tokens = torch.from_numpy(np.concatenate(ids).astype(np.int64)).to(self._device)
        return np.asarray(text_means(self._bert(tokens, runs), runs).cpu().numpy(), dtype=np.float32)

    @torch.inference_mode()
    def token_states(self, ids: Sequence[Ids], layers: int | None = None) -> list[Array]:
        """States of the tokens of texts in any order, special tokens included: [tokens, dimension] each.

        Args:
            layers: after so many of them; None for all.
        """
        found: list[Array] = [np.zeros((0, self.dimension), np.float32)] * len(ids)
        for batch in batches([len(i) for i in ids]):
            some = [ids[i] for i in batch]
            runs = length_runs(np.array([len(i) for i in some], dtype=np.int64))
            tokens = torch.from_numpy(np.concatenate(some).astype(np.int64)).to(self._device)
            x = self._bert.embeddings(tokens, runs)
            for layer in list(self._bert.layers)[:layers]:
                x = layer(x, runs)
            states = x.float().cpu().numpy()
            ends = np.cumsum([len(i) for i in some])
            for i, own in zip(batch, np.split(states, ends[:-1]), strict=True):
                found[int(i)] = np.asarray(own, dtype=np.float32)
            poll_cancel()
        return found


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
    """The packaged encoder, or that of a folder."""
    return PackedEncoder(folder or packaged_encoder())


def shared_encoder(name: str = PACKAGED) -> PackedEncoder:
    """One for the process: `packaged`, a folder, or a Hugging Face name where a hub is reachable."""
    return _packed(encoder_folder(name))


@lru_cache(maxsize=2)
def _packed(folder: Path) -> PackedEncoder:
    return PackedEncoder(folder)


def batches(lengths: Sequence[int], tokens: int = TOKENS_PER_BATCH) -> Iterator[NDArray[np.int64]]:
    """Positions of texts, batch by batch, longest first; a batch holds at most `tokens` with its padding."""
    order = np.argsort([-n for n in lengths], kind="stable")
    at = 0
    while at < len(order):
        size = max(1, tokens // max(1, lengths[order[at]]))
        yield order[at : at + size]
        at += size


def encode_ids(encoder: Encoder, ids: Sequence[Ids]) -> Array:
    """Vectors of all texts, [texts, dimension], not normalised, in the order given; equal texts are encoded once."""
    first: dict[bytes, int] = {}
    of = np.array([first.setdefault(i.tobytes(), len(first)) for i in ids], dtype=np.int64)
    own = [ids[i] for i in np.unique(of, return_index=True)[1]] if len(ids) else []
    out = np.zeros((len(own), encoder.dimension), dtype=np.float32)
    for batch in batches([len(i) for i in own]):
        out[batch] = encoder.mean_states([own[i] for i in batch])
        poll_cancel()
    return out[of]
