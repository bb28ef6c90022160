"""The pretrained encoder with CoLDE's section and chunk embeddings (3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from colde.encoders.encoder import TOKENS_PER_BATCH, batches, encoder_folder, load_hugging_face
from colde.errors import ModelError
from colde.models.colde.config import ColdeConfig
from colde.models.lora import add_low_rank
from colde.models.masked import masked_mean


class StructuredEncoder(nn.Module):
    """The encoder with section and chunk embeddings added to its input (3.1, figure 3); both start at zero.

    Without augmentation (CoLDE−Aug; 4.5.1) they stay there.
    """

    def __init__(self, encoder: nn.Module, config: ColdeConfig) -> None:
        super().__init__()
        self.encoder = encoder
        self.section = nn.Embedding(config.section_rows, config.width)
        self.chunk = nn.Embedding(config.chunk_rows, config.width)
        nn.init.zeros_(self.section.weight)
        nn.init.zeros_(self.chunk.weight)
        self.section.requires_grad_(config.augment)
        self.chunk.requires_grad_(config.augment)

    def forward(self, ids: Tensor, mask: Tensor, section: Tensor, chunk: Tensor) -> Tensor:
        """ids, mask [chunks, tokens]; section p, chunk q [chunks] → mean states [chunks, width]."""
        words = cast(Any, self.encoder).get_input_embeddings()(ids)  # T_r: [chunks, tokens, width]
        place = self.section(section.clamp(max=self.section.num_embeddings - 1)) + self.chunk(
            chunk.clamp(max=self.chunk.num_embeddings - 1)
        )  # S_p + C_q: [chunks, width]
        states: Tensor = self.encoder(
            inputs_embeds=words + place.unsqueeze(1), attention_mask=mask
        ).last_hidden_state
        return masked_mean(states, mask)


@dataclass(frozen=True, slots=True)
class ChunkInput:
    """One chunk of a batch: its tokens, and its numbers for the section and chunk embeddings (3.1)."""

    ids: Tensor  # [tokens]
    section: int
    chunk: int


def encode_chunk_inputs(
    encoder: StructuredEncoder,
    places: Sequence[ChunkInput],
    tokens: int = TOKENS_PER_BATCH,
    bf16: bool = False,
    gradient: Tensor | None = None,
) -> Tensor:
    """Vectors of chunks in micro-batches of like length: [chunks, width].

    Args:
        tokens: padded tokens a micro-batch.
        gradient: [chunks, width], of the loss with respect to the vectors: then each micro-batch's part of it is
            added to the gradients of the encoder's parameters.
    """
    device = encoder.section.weight.device
    found: dict[int, Tensor] = {}
    for rows in batches([len(p.ids) for p in places], tokens):
        some = [places[i] for i in rows]
        ids = pad_sequence([p.ids for p in some], batch_first=True).to(device)
        mask = pad_sequence([torch.ones_like(p.ids) for p in some], batch_first=True).to(device)
        section = torch.tensor([p.section for p in some], device=device)
        chunk = torch.tensor([p.chunk for p in some], device=device)
        with (
            torch.set_grad_enabled(gradient is not None),
            torch.autocast(device.type, torch.bfloat16, enabled=bf16),
        ):
            states = encoder(ids, mask, section, chunk).float()
        if gradient is not None:
            torch.autograd.backward([states], [gradient[torch.from_numpy(rows)].to(device)])
        found.update(zip(rows.tolist(), states.detach(), strict=True))
    return torch.stack([found[i] for i in range(len(places))])


def load_base(config: ColdeConfig) -> nn.Module:
    """The pretrained encoder named in the config."""
    return load_hugging_face(encoder_folder(config.encoder))


def structured_encoder(config: ColdeConfig) -> StructuredEncoder:
    """The pretrained encoder with its new embeddings; what `config.fine_tuned` names can be trained, no more.

    Raises:
        ModelError: the setting is none of frozen, lora, top:N, all.
    """
    base = load_base(config)
    kind, _, number = config.fine_tuned.partition(":")
    for parameter in base.parameters():
        parameter.requires_grad_(kind == "all")
    if kind == "lora":
        add_low_rank(base, config.rank, float(config.rank))
    elif kind == "top" and number.isdigit():
        for layer in cast(Any, base).encoder.layer[-int(number) :]:
            layer.requires_grad_(True)
    elif kind not in ("frozen", "all"):
        raise ModelError(f"fine_tuned is {config.fine_tuned!r}; there are: frozen, lora, top:N, all")
    return StructuredEncoder(base, config)
