"""CoLDE: Contrastive Long Document Encoder (Jha, Rakesh, Chandrashekar, Samavedhi, Reddy 2023).

    document → sections → chunks of 512 tokens
             → token + position + section + chunk embedding → encoder → one vector a chunk     (3.1, figure 3)
             → attention of a section's chunks over the next section's (4 heads) → Bi-LSTM      (3.2)
             → projection to 256 → supervised contrastive loss over all sections of a batch     (3.2, 3.3)

Trained with documents split into n_p sections; used on the whole document, which then is one section (4.2).

Two forms of the aggregation, by `ColdeConfig.form`: `paper` as above; `residual`, the default, in which
attention and Bi-LSTM correct an attention pool by a term that starts at zero (docs/departures.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from colde import passages
from colde.document import Document
from colde.errors import ModelError
from colde.models.base import Card, OnProgress, Profile, Progress
from colde.models.checkpoint import read_config, read_tensors, write_checkpoint
from colde.models.masked import AttentionPool, LastStates, masked_mean, pad
from colde.models.registry import CARDS
from colde.runtime.encoder import encoder_folder, load_hugging_face
from colde.runtime.frozen import FrozenEncoder, States, shared_frozen_encoder
from colde.similarity import Array, Encoding, Evidence, Reading, SimilarityMap
from colde.vectors import chunks_by_section, cosines


@dataclass(frozen=True, slots=True)
class ColdeConfig:
    """Sizes and switches; each constant beside its source."""

    form: Literal["residual", "paper"] = "residual"
    encoder: str = "packaged"  # or a folder, or a Hugging Face name; the paper: BERT-base (4.1.2)
    width: int = 384  # the encoder's hidden size
    heads: int = 4  # 4.1.2
    lstm: int = 256  # each way; 512 in all (4.1.2)
    projection: int = 256  # 4.1.2
    section_rows: int = 8  # sections beyond take the last row
    chunk_rows: int = 64  # chunks beyond take the last row
    pool_hidden: int = 128  # residual form
    scale: float = 8.0  # residual form: unit vectors are small numbers for tanh and LSTM
    dropout: float = 0.2
    augment: bool = True  # off: CoLDE−Aug (4.5.1): no split, no section and chunk embeddings
    recurrent: bool = True  # off: CoLDE−LSTM (4.5.2): mean of the chunks, no attention
    contrastive: bool = True  # off: CoLDE−CL (4.5.3): cosine objective, no split


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


class ColdeNetwork(nn.Module):
    """From chunk vectors to section vectors (3.2). A whole document is one section that attends to itself."""

    centre: Tensor

    def __init__(self, config: ColdeConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.register_buffer("centre", torch.zeros(width))
        self.dropout = nn.Dropout(config.dropout)
        paper = config.form == "paper"
        if config.recurrent:
            self.attention = nn.MultiheadAttention(width, config.heads, batch_first=True)
            self.states = LastStates(width, config.lstm)
        if not paper:
            self.pool = AttentionPool(width, config.pool_hidden)
            if config.recurrent:
                self.correction = nn.Linear(2 * config.lstm, width)
                nn.init.zeros_(self.correction.weight)
                nn.init.zeros_(self.correction.bias)
        inner = 2 * config.lstm if paper and config.recurrent else width
        self.project = nn.Linear(inner, config.projection, bias=paper)
        if not paper:
            nn.init.orthogonal_(self.project.weight)

    def prepare(self, chunks: Tensor) -> Tensor:
        """Encoder states [..., width] → unit vectors, centred, scaled."""
        return (normalize(chunks, dim=-1) - self.centre) * self.config.scale

    def attend(self, x: Tensor, mask: Tensor, following: Tensor) -> tuple[Tensor, Tensor]:
        """Chunks of section p over those of section p + 1 (3.2).

        Args:
            x: [sections, chunks, width]; mask: [sections, chunks].
            following: [sections], the position of each section's successor.

        Returns:
            Outputs [sections, chunks, width] and weights [sections, heads, chunks, chunks of the successor].
        """
        keys = x[following]
        out, weights = self.attention(
            x, keys, keys, key_padding_mask=~mask[following], average_attn_weights=False
        )
        return out, weights

    def forward(
        self, chunks: Tensor, mask: Tensor, following: Tensor | None = None, *, correct: bool = True
    ) -> Tensor:
        """Section vectors z: [sections, chunks, width], [sections, chunks] → [sections, projection], normalised.

        Without `following` every section attends to itself; without `correct` the residual form leaves its
        correction out (the first part of training, where it would be zero or noise).
        """
        x = self.dropout(self.prepare(chunks))
        if following is None:
            following = torch.arange(len(x), device=x.device)
        paper = self.config.form == "paper"
        pooled = masked_mean(x, mask) if paper else self.pool(x, mask)  # [sections, width]
        if self.config.recurrent and (paper or correct):
            attended, _ = self.attend(x, mask, following)
            last = self.states(x + attended, mask)  # [sections, 2 · lstm]
            pooled = last if paper else pooled + self.correction(last)
        return normalize(self.project(pooled), dim=-1)

    def single(self, chunks: Tensor) -> Tensor:
        """Each chunk as a section of its own: [chunks, width] → [chunks, projection], normalised.

        In the residual form without the correction: Bi-LSTM states of different chunks grow alike in training
        and a map made of them says nothing (docs/results.md).
        """
        if self.config.form == "paper":
            return self.forward(chunks.unsqueeze(1), torch.ones(len(chunks), 1, dtype=torch.bool))
        return normalize(self.project(self.prepare(chunks)), dim=-1)

    def chunk_attention(self, a: Tensor, b: Tensor) -> Tensor:
        """Attention of a's chunks over b's, mean of the heads: [chunks a, width], [chunks b, width] → rows sum to 1."""
        x, keys = self.prepare(a).unsqueeze(0), self.prepare(b).unsqueeze(0)
        _, weights = self.attention(x, keys, keys)
        return cast(Tensor, weights)[0]


class Colde:
    """CoLDE as a Matcher."""

    def __init__(
        self,
        network: ColdeNetwork,
        *,
        card: Card | None = None,
        profiles: Mapping[str, Profile] | None = None,
        frozen: FrozenEncoder | None = None,
        structured: StructuredEncoder | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        self.network = network.eval()
        self.card = card or CARDS["colde"]
        self.profiles = profiles or {}
        self.frozen = frozen or shared_frozen_encoder(network.config.encoder)
        if self.frozen.dimension != network.config.width:
            raise ModelError(
                f"the encoder {network.config.encoder} gives vectors of {self.frozen.dimension} numbers, the setting "
                f"`width` says {network.config.width}; set `width` to the encoder's hidden size"
            )
        self.structured = structured.eval() if structured is not None else None
        self.training = training or {}

    @classmethod
    def load(cls, folder: Path, card: Card | None = None) -> Colde:
        """A checkpoint: the head, and the encoder's tensors where they were trained."""
        stored = read_config(folder)
        config = ColdeConfig(**stored.settings)
        tensors = read_tensors(folder)
        network = ColdeNetwork(config)
        own = {k.removeprefix("network."): v for k, v in tensors.items() if k.startswith("network.")}
        network.load_state_dict(own)
        structured = None
        trained = {
            k.removeprefix("structured."): v for k, v in tensors.items() if k.startswith("structured.")
        }
        if trained:
            structured = StructuredEncoder(load_base(config), config)
            structured.load_state_dict(trained, strict=False)
        return cls(
            network, card=card, profiles=stored.profiles, structured=structured, training=stored.training
        )

    def save(self, folder: Path) -> None:
        tensors = {f"network.{k}": v for k, v in self.network.state_dict().items()}
        if self.structured is not None:
            for name, value in self.structured.named_parameters():
                if value.requires_grad:
                    tensors[f"structured.{name}"] = value.detach()
        write_checkpoint(
            folder,
            name=self.card.name,
            settings=asdict(self.network.config),
            tensors=tensors,
            profiles=self.profiles,
            parameters=self.parameters,
            training=self.training,
        )

    @property
    def parameters(self) -> int:
        base = 22_713_216 if self.structured is None else sum(p.numel() for p in self.structured.parameters())
        return base + sum(p.numel() for p in self.network.parameters())

    # encode -------------------------------------------------------------------------------------------

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section and chunk vectors; with `explain` sentence vectors too.

        With two documents, progress carries a section map of what is encoded so far.
        """

        def on_chunks(done: int, total: int) -> None:
            if on_progress is not None:
                on_progress(Progress("chunks", done, total, self._partial(documents) if explain else {}))

        def on_sentences(done: int, total: int) -> None:
            if on_progress is not None:
                on_progress(Progress("sentences", done, total, self._partial(documents)))

        states = self.frozen.encode_chunks(documents, on_chunks)
        if explain:
            self.frozen.encode_sentences(documents, on_sentences)
        return [self._encoding(d, s, explain) for d, s in zip(documents, states, strict=True)]

    @torch.inference_mode()
    def _encoding(self, document: Document, states: States, explain: bool) -> Encoding:
        chunks = self._chunk_states(states)
        held = chunks_by_section(list(document.compared()), states.chunked.chunks)
        everything = self.network(chunks.unsqueeze(0), torch.ones(1, len(chunks), dtype=torch.bool))
        arrays: dict[str, Array] = {"states": chunks.numpy()}
        sections = None
        if explain:
            sections = self._section_vectors(chunks, [rows for _, rows in held])
            assert states.sentences is not None
            arrays["sentences"] = states.sentences
        return Encoding(
            document=document,
            reading=Reading(states.chunked.tokens, states.chunked.tokens),
            vector=everything[0].numpy(),
            sections=sections,
            chunks=self.network.single(chunks).numpy(),
            section_spans=tuple(span for span, _ in held),
            chunk_spans=states.chunked.chunks,
            arrays=arrays,
        )

    def _chunk_states(self, states: States) -> Tensor:
        """Encoder states [chunks, width]: the frozen ones, or those of a trained encoder."""
        if self.structured is None:
            return torch.from_numpy(states.chunks)
        rows = []
        for q, ids in enumerate(states.chunked.ids):
            i = torch.from_numpy(ids).long().unsqueeze(0)
            rows.append(self.structured(i, torch.ones_like(i), torch.tensor([0]), torch.tensor([q])))
        return torch.cat(rows)

    def _section_vectors(self, chunks: Tensor, rows: Sequence[Sequence[int]]) -> Array:
        """[sections, projection]: each real section attends to the next, the last to the first (cyclic)."""
        values, mask = pad([chunks[list(r)] for r in rows])
        following = (torch.arange(len(rows)) + 1) % len(rows)
        return cast(Array, self.network(values, mask, following).numpy())

    @torch.inference_mode()
    def _partial(self, documents: Sequence[Document]) -> dict[str, SimilarityMap]:
        """The section map of a pair as far as it is known: sections whose chunks are all encoded."""
        if len(documents) != 2:
            return {}
        vectors, spans = [], []
        for document in documents:
            states = self.frozen.states(document)
            held = chunks_by_section(list(document.compared()), states.chunked.chunks)
            out = np.full((len(held), self.network.config.projection), np.nan, dtype=np.float32)
            ready = [i for i, (_, rows) in enumerate(held) if states.known[rows].all()]
            if ready:
                chunks = torch.from_numpy(states.chunks)
                values, mask = pad([chunks[held[i][1]] for i in ready])
                out[ready] = self.network(values, mask).numpy()
            vectors.append(out)
            spans.append(tuple(span for span, _ in held))
        with np.errstate(invalid="ignore"):
            values_ab = np.clip(vectors[0] @ vectors[1].T, -1, 1)
        return {"section": SimilarityMap(values_ab, spans[0], spans[1], "cosine", SECTION_MEANING)}

    # compare ------------------------------------------------------------------------------------------

    def compare(self, a: Encoding, b: Encoding) -> float:
        """Cosine of the two document vectors (4.2)."""
        assert a.vector is not None and b.vector is not None
        return float(np.clip(a.vector @ b.vector, -1.0, 1.0))

    @torch.inference_mode()
    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """Section and chunk maps across and within the documents (figure 4b, 4c), attention, passages, sentences."""
        assert a.sections is not None and b.sections is not None
        assert a.chunks is not None and b.chunks is not None
        found = {
            "section": SimilarityMap(
                cosines(a.sections, b.sections), a.section_spans, b.section_spans, "cosine", SECTION_MEANING
            ),
            "chunk": SimilarityMap(
                cosines(a.chunks, b.chunks), a.chunk_spans, b.chunk_spans, "cosine", CHUNK_MEANING
            ),
            **passages.maps(a, b),
        }
        if self.network.config.recurrent:
            weights = self.network.chunk_attention(
                torch.from_numpy(a.arrays["states"]), torch.from_numpy(b.arrays["states"])
            )
            found["chunk_attention"] = SimilarityMap(
                weights.numpy(), a.chunk_spans, b.chunk_spans, "attention", ATTENTION_MEANING
            )
        for side, e in (("a", a), ("b", b)):
            assert e.sections is not None and e.chunks is not None
            found[f"within_{side}_section"] = SimilarityMap(
                cosines(e.sections, e.sections), e.section_spans, e.section_spans, "cosine", WITHIN_MEANING
            )
            found[f"within_{side}_chunk"] = SimilarityMap(
                cosines(e.chunks, e.chunks), e.chunk_spans, e.chunk_spans, "cosine", WITHIN_MEANING
            )
        return found

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Passages both documents share, strongest first."""
        return passages.evidence(a, b, self.card.name)


SECTION_MEANING = (
    "Topic of whole sections: the cosine of CoLDE's section vectors. High where two sections are about the same "
    "matter; it does not say that they share a passage."
)
CHUNK_MEANING = (
    "Topic of chunks (up to 512 tokens): the cosine of CoLDE's chunk vectors. High where two stretches are about the "
    "same matter; a short shared passage hardly moves it."
)
ATTENTION_MEANING = (
    "Where CoLDE's attention looks: for each chunk of A, how its attention spreads over the chunks of B (each row sums "
    "to 1, mean of four heads). It shows where the model looked, not what made the score."
)
WITHIN_MEANING = (
    "The document compared with itself: which of its own parts are about the same matter (cosine of CoLDE's vectors; "
    "1 on the diagonal)."
)


def load_base(config: ColdeConfig) -> nn.Module:
    """The pretrained encoder named in the config."""
    return load_hugging_face(encoder_folder(config.encoder))
