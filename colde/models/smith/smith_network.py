"""The network of SMITH (4.1).

words of a block + positions → sentence level Transformer → state of [CLS] → dense, ReLU, L2 → h_i
h_i + block position → document level Transformer → state of the first block → dense, L2 → vector
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize, relu

from colde.assets import packaged_encoder
from colde.encoders.bert.padded_bert import PaddedBert
from colde.errors import ModelError
from colde.models.shared.bi_cross_encoder import CosineBiEncoder, ProjectedWords, pad_token_ids
from colde.models.shared.masked_pooling import masked_mean, pad
from colde.models.shared.network_input import DocumentTokens, ModelInput, document_tokens
from colde.models.smith.sentence_blocks import Blocks, document_blocks
from colde.models.smith.smith_pretraining import WordPrediction, choose_blocks, mask_words, prediction_loss
from colde.text.document import Document

VALUES = 3.0  # factor of the mean of many words before the layer norm


@dataclass(frozen=True, slots=True)
class SmithConfig:
    """Sizes and switches; each constant beside its source in the paper.

    `sentence_layers`: the paper's final model has 6; with 2 it is worse by 0.1 to 0.6 points of accuracy (table 6), at
    a third of the work. The pre-training times of 5.2.3 are for 2 and 3 layers.
    """

    sentence: Literal["own", "packaged"] = "own"  # packaged: SMITH-Short, pretrained (5.2.1)
    tokens: int = 32  # a block, special tokens counted (5.2.3)
    blocks: int = 48  # a document, at most (5.2.3)
    width: int = 256  # H1 = H2 (5.2.3)
    heads: int = 4  # A1 = A2 (5.2.3)
    inner: int = 512  # feed-forward; the paper is silent
    sentence_layers: int = 2  # L1
    document_layers: int = 3  # L2 (5.2.1)
    tuned: int = 1  # packaged: top layers that are trained; the paper trains all
    combine: Literal["normal", "sum-concat", "mean-concat", "attention"] = "normal"  # 4.1.4, table 7
    dropout: float = 0.1  # 5.2.3
    pretrain_words: bool = True  # off: SMITH-NP (5.2.1)
    pretrain_blocks: bool = True  # off: SMITH-WP (5.2.1)
    masked_words: float = 0.15  # share of a block's word pieces; BERT's, which 4.2 follows
    most_masked_words: int = 5  # a block
    masked_blocks: int = 2  # a document (5.2.3)


class SentenceEncoder(nn.Module):
    """A block's word pieces to the state of its [CLS]: eq. 1 and the sentence level Transformer (4.1.2)."""

    def __init__(self, config: SmithConfig) -> None:
        super().__init__()
        self.size = config.width
        self.words = ProjectedWords(config.width)
        self.place = nn.Embedding(config.tokens, config.width)
        self.norm = nn.LayerNorm(config.width)  # after the sum, with dropout, as in BERT
        self.dropout = nn.Dropout(config.dropout)
        self.layers = transformer(config, config.sentence_layers)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """[blocks, tokens], [blocks, tokens] → [blocks, tokens, width]."""
        return through(self.layers, self._embedded(ids), mask)

    def first(self, ids: Tensor, mask: Tensor) -> Tensor:
        """The states of [CLS] alone: [blocks, tokens], [blocks, tokens] → [blocks, width]."""
        return first_state_through(self.layers, self._embedded(ids), mask)[0]

    def _embedded(self, ids: Tensor) -> Tensor:
        """Eq. 1: [blocks, tokens] → [blocks, tokens, width]."""
        return cast(Tensor, self.dropout(self.norm(self.words(ids) + self.place.weight[: ids.shape[1]])))


class PackagedSentenceEncoder(nn.Module):
    """SMITH-Short's: the packaged encoder, of which only the top layers are trained."""

    def __init__(self, config: SmithConfig) -> None:
        super().__init__()
        self.encoder = PaddedBert.load(packaged_encoder(), dropout=config.dropout)
        self.encoder.requires_grad_(False)
        self.size = self.encoder.config.hidden_size
        layers = self.encoder.encoder.layer
        layers[len(layers) - config.tuned :].requires_grad_(True)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """[blocks, tokens], [blocks, tokens] → [blocks, tokens, size]."""
        return cast(Tensor, self.encoder(ids, mask))

    def first(self, ids: Tensor, mask: Tensor) -> Tensor:
        """The states of [CLS] alone: [blocks, tokens], [blocks, tokens] → [blocks, size]."""
        return cast(Tensor, self(ids, mask))[:, 0]


class Levels(NamedTuple):
    """Blocks of some documents and the attention over them.

    Attributes:
        blocks: [documents, blocks, width], h: unit vectors of the sentence level, without positions.
        mask: [documents, blocks], True where a block is.
        attention: [documents, blocks], of the first block in the last document layer, mean of the heads; each row
            sums to 1.
    """

    blocks: Tensor
    mask: Tensor
    attention: Tensor


class SmithNetwork(CosineBiEncoder):
    """SMITH: two levels of Transformers, one vector a document."""

    input_type = Blocks

    def __init__(self, config: SmithConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        has_own_layers = config.sentence == "own"
        self.sentence: SentenceEncoder | PackagedSentenceEncoder
        self.sentence = SentenceEncoder(config) if has_own_layers else PackagedSentenceEncoder(config)
        self.block = nn.Linear(self.sentence.size, width)
        self.place = nn.Embedding(config.blocks, width)
        self.document = transformer(config, config.document_layers)
        self.dense = nn.Linear(width if config.combine == "normal" else 2 * width, width)
        if config.combine == "attention":
            self.weigh = nn.Linear(width, width, bias=False)  # W
            self.query = nn.Linear(width, 1, bias=False)  # v
        if has_own_layers and config.pretrain_words:
            self.predict = WordPrediction(width)
            if config.pretrain_blocks:
                self.hidden_block = nn.Parameter(torch.randn(width) / width**0.5)  # ĥ (4.2.1)
        fresh = [m for name, m in self.named_modules() if not name.startswith("sentence.encoder")]
        initialise(fresh)
        initialise_as_identity(fresh)
        for dense in (self.block, self.dense):
            nn.init.orthogonal_(dense.weight)
        if isinstance(self.sentence, SentenceEncoder):
            self.sentence.words.centre()

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> Blocks:
        tokens = document_tokens(document) if tokens is None else tokens
        return document_blocks(document, tokens, self.config.tokens, self.config.blocks)

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, width], L2-normalised."""
        return self.levels(documents)[0]

    @torch.no_grad()
    def init_from_data(self, vectors: Tensor, pairs: Tensor) -> None:
        """Subtract the mean of all vectors first, by the bias of the last layer.

        Untrained, with the mean: average cosine 0.97, AUC on 150 pairs of papers 0.71; without it 0.74.
        """
        length = self.config.width**0.5  # of a layer-normed state; the untrained dense layer keeps it
        shift = -length * vectors.mean(0)
        self.dense.bias.copy_(shift)
        super().init_from_data(normalize(length * vectors + shift, dim=-1), pairs)

    def levels(self, documents: Sequence[ModelInput]) -> tuple[Tensor, Levels]:
        """Vectors as above, and what they were made from."""
        first = self.sentence.first(*self.padded(documents))
        h, mask = self.block_vectors(first, documents)
        vectors, attention = self.read_blocks(h, mask)
        return vectors, Levels(h, mask, attention)

    def block_vectors(self, first: Tensor, documents: Sequence[ModelInput]) -> tuple[Tensor, Tensor]:
        """States of [CLS] of all blocks [blocks, size] → h [documents, blocks, width] and its mask."""
        h = normalize(relu(self.block(first)), dim=-1)
        return pad(torch.split(h, [len(cast(Blocks, d).first) - 1 for d in documents]))

    def read_blocks(self, h: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The document level: [documents, blocks, width], [documents, blocks] → vectors [documents, width] and the
        first block's attention [documents, blocks]."""
        state, attention = first_state_through(self.document, self._with_positions(h), mask)
        return self.combined(h, mask, state), attention

    def contextual(self, h: Tensor, mask: Tensor) -> Tensor:
        """States of all blocks: [documents, blocks, width], [documents, blocks] → [documents, blocks, width]."""
        return through(self.document, self._with_positions(h), mask)

    def _with_positions(self, h: Tensor) -> Tensor:
        return h + self.place.weight[: h.shape[1]]

    def combined(self, h: Tensor, mask: Tensor, state: Tensor) -> Tensor:
        """4.1.4: the first block's state [documents, width], joined with the combined blocks; dense, L2."""
        if self.config.combine != "normal":
            state = torch.cat([state, self.combine_blocks(h, mask)], dim=-1)
        return normalize(self.dense(state), dim=-1)

    def combine_blocks(self, h: Tensor, mask: Tensor) -> Tensor:
        """Sum, mean or weighted sum Σ h_i softmax(h_i W v) of the blocks: [documents, width]."""
        if self.config.combine == "mean-concat":
            return masked_mean(h, mask)
        if self.config.combine == "sum-concat":
            return (h * mask.unsqueeze(-1)).sum(1)
        share = self.query(self.weigh(h)).squeeze(-1).masked_fill(~mask, -torch.inf).softmax(-1)
        return torch.einsum("di,diw->dw", share, h)

    def padded(self, documents: Sequence[ModelInput]) -> tuple[Tensor, Tensor]:
        """Ids and mask of all blocks of all documents: [blocks, tokens] twice."""
        rows = []
        for document in (cast(Blocks, d) for d in documents):
            rows += [document.ids[i:j] for i, j in pairwise(document.first)]
        return pad_token_ids(rows, self.device)

    def pretrain(self, documents: Sequence[ModelInput], generator: torch.Generator | None = None) -> Tensor:
        """Eq. 7 for a batch of documents: masked words, and masked blocks where the config has them (4.2).

        Args:
            generator: of the masks, on the CPU; by default torch's own.

        Raises:
            ModelError: a form without pre-training (NP, Short).
        """
        if not hasattr(self, "predict"):
            raise ModelError("this form of SMITH has no pre-training; set pretrain_steps to 0")
        config = self.config
        table = cast(SentenceEncoder, self.sentence).words.table
        ids, words = self.padded(documents)
        masked, chosen = mask_words(
            ids.cpu(), words.cpu(), config.masked_words, config.most_masked_words, generator, len(table)
        )
        chosen = chosen.to(ids.device)
        states = self.sentence(masked.to(ids.device), words)
        logits = self.predict(states[chosen], table)  # [masked words, vocabulary]
        loss = prediction_loss(logits, ids[chosen])
        if config.pretrain_blocks:
            h, mask = self.block_vectors(states[:, 0], documents)
            hidden = choose_blocks(mask.cpu(), config.masked_blocks, generator).to(mask.device)
            seen = torch.where(hidden.unsqueeze(-1), self.hidden_block, h)
            scores = self.contextual(seen, mask)[hidden] @ h[hidden].T  # eq. 4: [B, B]
            loss = loss + prediction_loss(scores, torch.arange(len(scores), device=scores.device))
        return loss


def transformer(config: SmithConfig, layers: int) -> nn.TransformerEncoder:
    """Layers as in BERT: layer norm after each part, GELU."""
    layer = nn.TransformerEncoderLayer(
        config.width, config.heads, config.inner, config.dropout, activation="gelu", batch_first=True
    )
    return nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)


def through(layers: nn.TransformerEncoder, x: Tensor, mask: Tensor) -> Tensor:
    """[batch, items, width], [batch, items] → [batch, items, width]."""
    return cast(Tensor, layers(x, src_key_padding_mask=~mask))


def first_state_through(layers: nn.TransformerEncoder, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """As `through`, but the last layer computes the first item alone, the only one that is used.

    Returns:
        Its states [batch, width], and its attention in the last layer [batch, items], mean of the heads.
    """
    *lower, last = list(layers.layers)
    for layer in lower:
        x = layer(x, src_key_padding_mask=~mask)
    first = x[:, :1]
    seen, weights = last.self_attn(first, x, x, key_padding_mask=~mask)
    first = last.norm1(first + last.dropout1(seen))
    hidden = last.linear2(last.dropout(last.activation(last.linear1(first))))
    return last.norm2(first + last.dropout2(hidden))[:, 0], weights[:, 0]


def initialise(modules: Sequence[nn.Module]) -> None:
    """Initialise as BERT: weights normal with standard deviation 0.02, biases zero."""
    for module in modules:
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.MultiheadAttention):
            nn.init.normal_(module.in_proj_weight, std=0.02)
            nn.init.zeros_(module.in_proj_bias)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@torch.no_grad()
def initialise_as_identity(modules: Sequence[nn.Module]) -> None:
    """Initialise attention as a mean of its inputs: values and outputs are a rotation and its inverse.

    With BERT's initialisation all documents are nearly equal at first (mean cosine 0.998, untrained AUC on 150 pairs of
    papers 0.55; here 0.71), which pre-training alone would have to undo.
    """
    for module in modules:
        if isinstance(module, nn.MultiheadAttention):
            width = module.embed_dim
            rotation = nn.init.orthogonal_(torch.empty(width, width))
            module.in_proj_weight[2 * width :] = VALUES * rotation
            module.out_proj.weight.copy_(rotation.T)
