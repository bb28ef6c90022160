"""Encoders that `colde.encoders.bert.packed_bert` does not compute, through the library transformers, padded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from colde.assets import WEIGHTS, weights_hash
from colde.encoders.batches import padded_batches
from colde.encoders.bert.bert_files import read_encoder_config
from colde.encoders.cancellation import interruptible, poll_cancel
from colde.encoders.encoder import Ids, check_sizes, require_gpu, tokenizer_of
from colde.encoders.runtime import runtime
from colde.encoders.sentence_layout import LONGEST
from colde.errors import ModelError
from colde.meta_kernels import load_meta_kernels
from colde.results.similarity_map import Array

LAST = (-1,)
"""Instead of numbers of layers: all of them, and what the network does after the last."""


class TransformersEncoder:
    """Means of the last states of an encoder such as DistilBERT or MPNet, in float32; see `Encoder`.

    Code that comes with the weights does not run.
    """

    def __init__(self, name: str, folder: Path) -> None:
        """Load the encoder of a folder in Hugging Face's format.

        Raises:
            ModelError: the folder holds no encoder that transformers knows, or one of an encoder and a decoder.
        """
        load_meta_kernels()
        from transformers import AutoModel

        runtime()  # sets the number of threads
        read_encoder_config(folder)
        self.name = name
        self.tokenizer = tokenizer_of(folder)
        try:
            loaded: Any = AutoModel.from_pretrained(
                folder,
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                dtype=torch.float32,
            )
        except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
            what = " ".join(str(error).split())[:200]
            raise ModelError(
                f"{folder}: no encoder that transformers can load from {WEIGHTS} ({what})"
            ) from None
        if loaded.config.is_encoder_decoder:
            raise ModelError(f"{folder}: an encoder alone is needed, and this one has a decoder")
        self._network = interruptible(loaded.eval().requires_grad_(False))
        self.dimension = int(loaded.config.hidden_size)
        self.parameters = sum(p.numel() for p in loaded.parameters())
        self.tag = f"transformers-{weights_hash(folder)[:16]}"
        self._device = torch.device("cpu")
        rows = int(loaded.get_input_embeddings().num_embeddings)
        check_sizes(name, self.tokenizer, rows, getattr(loaded.config, "max_position_embeddings", LONGEST))

    def to_gpu(self) -> None:
        require_gpu()
        self._device = torch.device("cuda")
        self._network.to(self._device)

    @torch.inference_mode()
    def mean_states(self, ids: Sequence[Ids]) -> Array:
        means = np.zeros((len(ids), self.dimension), np.float32)
        for batch in padded_batches([len(i) for i in ids]):
            (states,), mask = self._states([ids[i] for i in batch])
            weights = mask.unsqueeze(-1).float()
            means[batch] = ((states * weights).sum(1) / weights.sum(1)).numpy()
            poll_cancel()
        return means

    def token_states(self, ids: Sequence[Ids], layers: int | None = None) -> list[Array]:
        (states,) = self.states_of_layers(ids, LAST if layers is None else [layers])
        return states

    @torch.inference_mode()
    def states_of_layers(self, ids: Sequence[Ids], layers: Sequence[int]) -> list[list[Array]]:
        none = np.zeros((0, self.dimension), np.float32)
        states: list[list[Array]] = [[none] * len(ids) for _ in layers]
        for batch in padded_batches([len(i) for i in ids]):
            of_layers, _ = self._states([ids[i] for i in batch], layers)
            for kept, of_texts in zip(states, of_layers, strict=True):
                for i, values in zip(batch, of_texts, strict=True):
                    kept[int(i)] = np.asarray(values[: len(ids[i])].numpy(), dtype=np.float32)
            poll_cancel()
        return states

    def _states(self, ids: Sequence[Ids], layers: Sequence[int] = LAST) -> tuple[list[Tensor], Tensor]:
        """States of texts after each number of layers, padded at the end, and the mask of their tokens."""
        size = max(len(i) for i in ids)
        padded = torch.zeros((len(ids), size), dtype=torch.int64)
        mask = torch.zeros((len(ids), size), dtype=torch.int64)
        for row, one in enumerate(ids):
            padded[row, : len(one)] = torch.from_numpy(one.astype(np.int64))
            mask[row, : len(one)] = 1
        output = self._network(
            input_ids=padded.to(self._device),
            attention_mask=mask.to(self._device),
            output_hidden_states=layers != LAST,
        )
        states = [output.last_hidden_state if n < 0 else output.hidden_states[n] for n in layers]
        return [of_layer.cpu() for of_layer in states], mask
