"""CoLDE as a Matcher: encode, compare, maps, evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from colde import passages
from colde.document import Document, Span
from colde.errors import ModelError
from colde.models.base import GENERAL, Card, OnProgress, Profile, Progress
from colde.models.checkpoint import read_config, read_tensors, write_checkpoint
from colde.models.colde.config import OWN, SHARES, STRANGE, ColdeConfig, Shares
from colde.models.colde.encoder import Place, StructuredEncoder, encode_places, structured_encoder
from colde.models.colde.late import centred, late_similarity
from colde.models.colde.meanings import ATTENTION_MEANING, CHUNK_MEANING, SECTION_MEANING, WITHIN_MEANING
from colde.models.colde.network import ColdeNetwork
from colde.models.colde.words import WordChannel
from colde.models.masked import pad
from colde.models.registry import CARDS
from colde.runtime.frozen import FrozenEncoder, States, shared_frozen_encoder
from colde.similarity import Array, Encoding, Evidence, Reading, SimilarityMap
from colde.vectors import chunks_by_section, cosines, normalised
from colde.words import packed, shipped_statistics, unpacked, word_cosines


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
        words: WordChannel | None = None,
        training: Mapping[str, Any] | None = None,
        shares: Shares = SHARES["general"],
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
        self.words = words
        self.shares = shares if words is not None else Shares()
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
        if config.fine_tuned != "frozen":
            structured = structured_encoder(config)
            own = {
                k.removeprefix("structured."): v for k, v in tensors.items() if k.startswith("structured.")
            }
            structured.load_state_dict(own, strict=False)  # the pretrained tensors are not stored
        words = None
        if config.words:
            words = WordChannel(config.words, shipped_statistics()).restore(tensors)
        return cls(
            network,
            card=card,
            profiles=stored.profiles,
            structured=structured,
            words=words,
            training=stored.training,
        )

    def within(self, profile: str, reference: Sequence[Encoding] = ()) -> Colde:
        """The same for documents of a profile: with its shares of the score, and centred on the reference if given."""
        network, shares = self.network, SHARES.get(profile, OWN)
        if reference:
            shares = STRANGE if profile == GENERAL else shares
            means = [normalised(e.arrays["states"]).mean(0) for e in reference]
            network = deepcopy(network)
            network.centre.copy_(torch.from_numpy(np.mean(means, axis=0)))
        return Colde(
            network,
            card=self.card,
            profiles=self.profiles,
            frozen=self.frozen,
            structured=self.structured,
            words=self.words,
            training=self.training,
            shares=shares,
        )

    def save(self, folder: Path) -> None:
        tensors = {f"network.{k}": v for k, v in self.network.state_dict().items()}
        if self.structured is not None:
            for name, value in self.structured.named_parameters():
                if value.requires_grad:
                    tensors[f"structured.{name}"] = value.detach()
        if self.words is not None:
            tensors |= self.words.stored()
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
        own = sum(p.numel() for p in self.network.parameters())
        return base + own + (self.words.table.numel() if self.words is not None else 0)

    # encode -------------------------------------------------------------------------------------------

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section and chunk vectors; with `explain` sentence vectors too.

        With two documents, progress carries a section map of what is encoded so far.
        """
        pair = explain and on_progress is not None and len(documents) == 2
        spoken = [self._spoken(_texts(d, _sections(d))) for d in documents] if pair else []

        def report(stage: str) -> Callable[[int, int], None]:
            def on_window(done: int, total: int) -> None:
                if on_progress is not None:
                    partial = self._partial(documents, spoken) if pair else {}
                    on_progress(Progress(stage, done, total, partial))

            return on_window

        states = self.frozen.encode_chunks(documents, report("chunks"))
        if explain:
            self.frozen.encode_sentences(documents, report("sentences"))
        return [self._encoding(d, s, explain) for d, s in zip(documents, states, strict=True)]

    @torch.inference_mode()
    def _encoding(self, document: Document, states: States, explain: bool) -> Encoding:
        chunks = self._chunk_states(states)
        held = chunks_by_section(list(document.compared()), states.chunked.chunks)
        spans = tuple(span for span, _ in held)
        arrays: dict[str, Array] = {"states": chunks.numpy()}
        if self.shares.late:
            arrays["late"] = centred(chunks.numpy(), self.network.centre.numpy())
        text = "\n".join(_texts(document, _sections(document)))
        if self.words is not None:
            arrays |= packed("words", self.words.rows([text]))
        whole = self.network(chunks.unsqueeze(0), torch.ones(1, len(chunks), dtype=torch.bool)).numpy()
        sections = chunk_vectors = None
        if explain:
            sections = self._section_vectors(chunks, [rows for _, rows in held])
            sections = self._joined(sections, self._spoken(_texts(document, spans)))
            texts = _texts(document, states.chunked.chunks)
            chunk_vectors = self._joined(self.network.single(chunks).numpy(), self._spoken(texts))
            assert states.sentences is not None
            arrays["sentences"] = states.sentences
        return Encoding(
            document=document,
            reading=Reading(states.chunked.tokens, states.chunked.tokens),
            vector=self._joined(whole, self._spoken([text]))[0],
            sections=sections,
            chunks=chunk_vectors,
            section_spans=spans,
            chunk_spans=states.chunked.chunks,
            arrays=arrays,
        )

    @torch.inference_mode()
    def _spoken(self, texts: Sequence[str]) -> Array | None:
        """Vectors of the words channel, [texts, words], or None where it takes no part."""
        if self.words is None or not self.shares.words:
            return None
        return cast(Array, self.words(self.words.known(self.words.rows(texts))).numpy())

    def _joined(self, dense: Array, spoken: Array | None) -> Array:
        """Vectors of length one whose dot product is the weighted mean of both channels' cosines.

        A text without a known word has its dense vector and zeros.

        Args:
            dense: [texts, projection]; spoken: [texts, words] or None; both of length one.
        """
        if spoken is None:
            return dense
        share = self.shares.words / (self.shares.words + self.shares.dense)
        return normalised(np.concatenate(((1 - share) ** 0.5 * dense, share**0.5 * spoken), axis=1))

    def _chunk_states(self, states: States) -> Tensor:
        """Encoder states [chunks, width]: the frozen ones, or those of a trained encoder."""
        if self.structured is None:
            return torch.from_numpy(states.chunks)
        places = [Place(torch.from_numpy(ids).long(), 0, q) for q, ids in enumerate(states.chunked.ids)]
        return encode_places(self.structured, places)

    def _section_vectors(self, chunks: Tensor, rows: Sequence[Sequence[int]]) -> Array:
        """[sections, projection]: each real section attends to the next, the last to the first (cyclic)."""
        values, mask = pad([chunks[list(r)] for r in rows])
        following = (torch.arange(len(rows)) + 1) % len(rows)
        return cast(Array, self.network(values, mask, following).numpy())

    @torch.inference_mode()
    def _partial(
        self, documents: Sequence[Document], spoken: Sequence[Array | None]
    ) -> dict[str, SimilarityMap]:
        """The section map of a pair as far as it is known: sections whose chunks are all encoded."""
        vectors, spans = [], []
        for document, words in zip(documents, spoken, strict=True):
            states = self.frozen.states(document)
            held = chunks_by_section(list(document.compared()), states.chunked.chunks)
            out = np.full((len(held), self.network.config.projection), np.nan, dtype=np.float32)
            ready = [i for i, (_, rows) in enumerate(held) if states.known[rows].all()]
            if ready:
                chunks = torch.from_numpy(states.chunks)
                values, mask = pad([chunks[held[i][1]] for i in ready])
                out[ready] = self.network(values, mask).numpy()
            vectors.append(self._joined(out, words))
            spans.append(tuple(span for span, _ in held))
        with np.errstate(invalid="ignore"):
            likeness = np.clip(vectors[0] @ vectors[1].T, -1, 1)
        return {"section": SimilarityMap(likeness, spans[0], spans[1], "cosine", SECTION_MEANING)}

    # compare ------------------------------------------------------------------------------------------

    def compare(self, a: Encoding, b: Encoding) -> float:
        """Cosine of the two document vectors (4.2), and by the profile's shares of plain words and of chunks."""
        assert a.vector is not None and b.vector is not None
        parts = [(self.shares.dense + self.shares.words, float(a.vector @ b.vector))]
        if self.shares.late:
            parts.append((self.shares.late, late_similarity(a.arrays["late"], b.arrays["late"])))
        if self.shares.exact:
            rows = unpacked("words", a.arrays), unpacked("words", b.arrays)
            if all(r.nnz for r in rows):  # texts without a telling word are judged by the rest
                parts.append((self.shares.exact, float(word_cosines(*rows)[0, 0])))
        total = sum(share * value for share, value in parts) / sum(share for share, _ in parts)
        return float(np.clip(total, -1.0, 1.0))

    @torch.inference_mode()
    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """Section and chunk maps across and within the documents (figure 4b, 4c), attention, passages, sentences."""
        found = {"section": _section_map(a, b, SECTION_MEANING), "chunk": _chunk_map(a, b, CHUNK_MEANING)}
        found |= passages.maps(a, b)
        if self.network.config.recurrent:
            attention = self.network.chunk_attention(
                torch.from_numpy(a.arrays["states"]), torch.from_numpy(b.arrays["states"])
            )
            found["chunk_attention"] = SimilarityMap(
                attention.numpy(), a.chunk_spans, b.chunk_spans, "attention", ATTENTION_MEANING
            )
        for side, e in (("a", a), ("b", b)):
            found[f"within_{side}_section"] = _section_map(e, e, WITHIN_MEANING)
            found[f"within_{side}_chunk"] = _chunk_map(e, e, WITHIN_MEANING)
        return found

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Passages both documents share, strongest first."""
        return passages.evidence(a, b, self.card.name)


def _sections(document: Document) -> list[Span]:
    return [Span(s.start, s.end) for _, s in document.compared()]


def _texts(document: Document, spans: Sequence[Span]) -> list[str]:
    return [document.text[s.start : s.end] for s in spans]


def _section_map(a: Encoding, b: Encoding, meaning: str) -> SimilarityMap:
    assert a.sections is not None and b.sections is not None
    return SimilarityMap(cosines(a.sections, b.sections), a.section_spans, b.section_spans, "cosine", meaning)


def _chunk_map(a: Encoding, b: Encoding, meaning: str) -> SimilarityMap:
    assert a.chunks is not None and b.chunks is not None
    return SimilarityMap(cosines(a.chunks, b.chunks), a.chunk_spans, b.chunk_spans, "cosine", meaning)
