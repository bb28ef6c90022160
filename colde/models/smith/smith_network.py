"""The network of SMITH (4.1) and its pre-training (4.2).

words of a block + positions → sentence level Transformer → state of [CLS] → dense, ReLU, L2 → h_i
h_i + block position → document level Transformer → state of the first block → dense, L2 → vector
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, gelu, linear, normalize, relu

from colde.encoders.padded_bert import PaddedBert
from colde.errors import ModelError
from colde.models.shared.bi_cross_encoder import CosineBiEncoder, ProjectedWords, pad_token_ids
from colde.models.shared.masked_pooling import masked_mean, pad
from colde.models.shared.network_input import DocumentTokens, ModelInput, document_tokens
from colde.models.smith.sentence_blocks import SPECIAL, Blocks, document_blocks
from colde.text.chunks import packaged_encoder
from colde.text.document import Document

MASK = 103  # [MASK] in the packaged encoder's vocabulary
RUNNING = 0.95  # share of the past in a running figure
VALUES = 3.0  # by so much a mean of many words is made stronger, before the layer norm


@dataclass(frozen=True, slots=True)
class SmithConfig:
    """Sizes and switches; each constant beside its source in the paper.

    `sentence_layers`: the paper ends with 6 and finds 2 worse by .1 to .6 points of accuracy (table 6), at a third
    of the work; 2 and 3 layers are also what its pre-training times are given for (5.2.3).
    """

    sentence: Literal["own", "packaged"] = (
        "own"  # packaged: SMITH-Short, a pretrained sentence encoder (5.2.1)
    )
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

    kind = Blocks

    def __init__(self, config: SmithConfig) -> None:
        super().__init__()
        self.config = config
        self.figures: dict[str, float] = {}  # running figures of pre-training
        width = config.width
        own = config.sentence == "own"
        self.sentence: SentenceEncoder | PackagedSentenceEncoder
        self.sentence = SentenceEncoder(config) if own else PackagedSentenceEncoder(config)
        self.block = nn.Linear(self.sentence.size, width)
        self.place = nn.Embedding(config.blocks, width)
        self.document = transformer(config, config.document_layers)
        self.dense = nn.Linear(width if config.combine == "normal" else 2 * width, width)
        if config.combine == "attention":
            self.weigh = nn.Linear(width, width, bias=False)  # W
            self.query = nn.Linear(width, 1, bias=False)  # v
        if own and config.pretrain_words:
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
        """Take what all vectors have in common out of them first, by the bias of the last layer.

        Untrained, with all in common left in: mean cosine .97, AUC on 150 pairs of papers .71; without it .74.
        """
        length = self.config.width**0.5  # of a layer-normed state; the untrained dense layer keeps it
        shift = -length * vectors.mean(0)
        self.dense.bias.copy_(shift)
        super().init_from_data(normalize(length * vectors + shift, dim=-1), pairs)

    def levels(self, documents: Sequence[ModelInput]) -> tuple[Tensor, Levels]:
        """Vectors as above, and what they were made from."""
        first = self.sentence.first(*self._padded(documents))
        h, mask = self.block_vectors(first, counts_of(documents))
        vectors, attention = self.read_blocks(h, mask)
        return vectors, Levels(h, mask, attention)

    def block_vectors(self, first: Tensor, counts: Sequence[int]) -> tuple[Tensor, Tensor]:
        """States of [CLS] of all blocks [blocks, size] → h [documents, blocks, width] and its mask."""
        h = normalize(relu(self.block(first)), dim=-1)
        return pad(torch.split(h, list(counts)))

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
        """4.1.4: the first block's state [documents, width], beside it what is taken of h; dense, L2."""
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

    def _padded(self, documents: Sequence[ModelInput]) -> tuple[Tensor, Tensor]:
        """Ids and mask of all blocks of all documents: [blocks, tokens] twice."""
        rows = []
        for document in documents:
            assert isinstance(document, Blocks)
            rows += [document.ids[i:j] for i, j in zip(document.first, document.first[1:], strict=False)]
        return pad_token_ids(rows, self.device)

    # pre-training -------------------------------------------------------------------------------------

    def pretrain(self, documents: Sequence[ModelInput], generator: torch.Generator | None = None) -> Tensor:
        """Eq. 7 for a batch of documents: masked words, and masked blocks where the config wants them.

        `figures` keeps running means of both losses and of how often the best guess is right.

        Args:
            generator: of the masks, on the CPU; by default torch's own.

        Raises:
            ModelError: a form without pre-training (NP, Short).
        """
        config = self.config
        if not hasattr(self, "predict"):
            raise ModelError("this form of SMITH has no pre-training; set pretrain_steps to 0")
        ids, words = self._padded(documents)
        masked, chosen = mask_words(
            ids.cpu(), words.cpu(), config.masked_words, config.most_masked_words, generator, len(self._table)
        )
        chosen = chosen.to(ids.device)
        states = self.sentence(masked.to(ids.device), words)
        logits = self.predict(states[chosen], self._table)  # [masked words, vocabulary]
        loss = self._loss("words", logits, ids[chosen])
        if config.pretrain_blocks:
            h, mask = self.block_vectors(states[:, 0], counts_of(documents))
            hidden = choose_blocks(mask.cpu(), config.masked_blocks, generator).to(mask.device)
            seen = torch.where(hidden.unsqueeze(-1), self.hidden_block, h)
            scores = self.contextual(seen, mask)[hidden] @ h[hidden].T  # eq. 4: [B, B]
            loss = loss + self._loss("blocks", scores, torch.arange(len(scores), device=scores.device))
        return loss

    def _loss(self, name: str, logits: Tensor, target: Tensor) -> Tensor:
        """Cross-entropy (eq. 5, 6), [B, classes] and [B]; 0 where there is nothing to predict."""
        if not len(target):
            return logits.sum()
        loss = cross_entropy(logits, target)
        right = (logits.detach().argmax(-1) == target).float().mean()
        for figure, value in ((f"{name}_loss", float(loss.detach())), (f"{name}_right", float(right))):
            before = self.figures.get(figure, value)
            self.figures[figure] = RUNNING * before + (1 - RUNNING) * value
        return loss

    @property
    def _table(self) -> Tensor:
        return cast(SentenceEncoder, self.sentence).words.table


class WordPrediction(nn.Module):
    """BERT's head: dense, GELU, layer norm, then the word table again, with a bias for each word piece."""

    def __init__(self, width: int, words: int = 30_522, table_width: int = 384) -> None:
        super().__init__()
        self.dense = nn.Linear(width, table_width)
        self.norm = nn.LayerNorm(table_width)
        self.bias = nn.Parameter(torch.zeros(words))

    def forward(self, states: Tensor, table: Tensor) -> Tensor:
        """[masked, width], [words, table width] → logits [masked, words]."""
        return linear(self.norm(gelu(self.dense(states))), table, self.bias)


def mask_words(
    ids: Tensor, words: Tensor, share: float, most: int, generator: torch.Generator | None, vocabulary: int
) -> tuple[Tensor, Tensor]:
    """Hide some word pieces of each block, as BERT does: 80 % by [MASK], 10 % by any other, 10 % stay as they are.

    Args:
        ids, words: [blocks, tokens], on the CPU; `words` is True where a token is, the special ones included.
        share, most: of a block's word pieces, at least one; special tokens are never hidden.

    Returns:
        The ids to read and where to predict, both [blocks, tokens].
    """
    length = words.sum(1, keepdim=True)  # [blocks, 1]
    place = torch.arange(ids.shape[1])
    body = (place > 0) & (place < length - (SPECIAL - 1))  # between [CLS] and [SEP] [SEP]
    count = (body.sum(1, keepdim=True) * share).round().clamp(1, most)
    draw = torch.rand(ids.shape, generator=generator).masked_fill(~body, 2.0)
    chosen = body & (draw.argsort(1).argsort(1) < count)
    how = torch.rand(ids.shape, generator=generator)
    other = torch.randint(vocabulary, ids.shape, generator=generator)
    shown = torch.where(how < 0.8, torch.full_like(ids, MASK), torch.where(how < 0.9, other, ids))
    return torch.where(chosen, shown, ids), chosen


def choose_blocks(mask: Tensor, number: int, generator: torch.Generator | None) -> Tensor:
    """Draw `number` blocks of each document, never all of them (4.2.1): [documents, blocks] → the same, bool."""
    draw = torch.rand(mask.shape, generator=generator).masked_fill(~mask, 2.0)
    count = (mask.sum(1, keepdim=True) - 1).clamp(max=number)
    return mask & (draw.argsort(1).argsort(1) < count)


def counts_of(documents: Sequence[ModelInput]) -> list[int]:
    """Blocks of each document."""
    return [len(cast(Blocks, d).first) - 1 for d in documents]


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
    """As `through`, but the last layer works for the first item alone, the only one that is used.

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
    """BERT's way: weights normal with deviation .02, biases zero."""
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
    """Let attention begin as a mean of what it sees: values and outputs as a rotation and its inverse.

    With BERT's numbers there all documents begin alike (mean cosine .998, untrained AUC on 150 pairs of papers .55;
    so .71), which pre-training alone would have to undo.
    """
    for module in modules:
        if isinstance(module, nn.MultiheadAttention):
            width = module.embed_dim
            rotation = nn.init.orthogonal_(torch.empty(width, width))
            module.in_proj_weight[2 * width :] = VALUES * rotation
            module.out_proj.weight.copy_(rotation.T)
