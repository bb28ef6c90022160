"""The pretrained encoder with CoLDE's section and chunk embeddings (3.1)."""

from __future__ import annotations

from typing import Any, cast

from torch import Tensor, nn

from colde.models.colde.config import ColdeConfig
from colde.models.masked import masked_mean
from colde.runtime.encoder import encoder_folder, load_hugging_face


class StructuredEncoder(nn.Module):
    """The encoder with section and chunk embeddings added to its input (3.1, figure 3); both start at zero."""

    def __init__(self, encoder: nn.Module, config: ColdeConfig) -> None:
        super().__init__()
        self.encoder = encoder
        self.section = nn.Embedding(config.section_rows, config.width)
        self.chunk = nn.Embedding(config.chunk_rows, config.width)
        nn.init.zeros_(self.section.weight)
        nn.init.zeros_(self.chunk.weight)

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


def load_base(config: ColdeConfig) -> nn.Module:
    """The pretrained encoder named in the config."""
    return load_hugging_face(encoder_folder(config.encoder))
