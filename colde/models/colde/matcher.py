"""CoLDE as a Matcher: encode, compare, maps, evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from colde import passages
from colde.document import Document, Span
from colde.errors import ModelError
from colde.models.base import Card, OnProgress, Profile, Progress
from colde.models.checkpoint import read_config, read_tensors, write_checkpoint
from colde.models.colde.config import ColdeConfig
from colde.models.colde.encoder import Place, StructuredEncoder, encode_places, structured_encoder
from colde.models.colde.meanings import ATTENTION_MEANING, CHUNK_MEANING, SECTION_MEANING, WITHIN_MEANING
from colde.models.colde.network import ColdeNetwork
from colde.models.colde.words import WordChannel
from colde.models.masked import pad
from colde.models.registry import CARDS
from colde.runtime.frozen import FrozenEncoder, States, shared_frozen_encoder
from colde.similarity import Array, Encoding, Evidence, Reading, SimilarityMap
from colde.vectors import chunks_by_section, normalised
from colde.words import Counts, packed, shipped_statistics, unpacked, word_cosines


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
        self.training = training or {}

    @classmethod
    def load(cls, folder: Path, card: Card | None = None) -> Colde:
        """A checkpoint: the head, and the encoder's tensors where they were trained."""
        stored = read_config(folder)
        config = ColdeConfig(**{"words": 0, **stored.settings})
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
            words = WordChannel(config.words, shipped_statistics())
            words.load_state_dict({"table": tensors["words.table"]})
        return cls(
            network,
            card=card,
            profiles=stored.profiles,
            structured=structured,
            words=words,
            training=stored.training,
        )

    def save(self, folder: Path) -> None:
        tensors = {f"network.{k}": v for k, v in self.network.state_dict().items()}
        if self.structured is not None:
            for name, value in self.structured.named_parameters():
                if value.requires_grad:
                    tensors[f"structured.{name}"] = value.detach()
        if self.words is not None:
            tensors["words.table"] = self.words.table.detach()
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
        spans = tuple(span for span, _ in held)
        arrays: dict[str, Array] = {"states": chunks.numpy()}
        whole = self.network(chunks.unsqueeze(0), torch.ones(1, len(chunks), dtype=torch.bool)).numpy()
        text = "\n".join(document.text[s.start : s.end] for s in spans)
        vector = self._with_words(whole, "document", [text], arrays)[0]
        sections = chunk_vectors = None
        if explain:
            sections = self._section_vectors(chunks, [rows for _, rows in held])
            sections = self._with_words(sections, "section", _texts(document, spans), arrays)
            chunk_vectors = self.network.single(chunks).numpy()
            chunk_vectors = self._with_words(
                chunk_vectors, "chunk", _texts(document, states.chunked.chunks), arrays
            )
            assert states.sentences is not None
            arrays["sentences"] = states.sentences
        return Encoding(
            document=document,
            reading=Reading(states.chunked.tokens, states.chunked.tokens),
            vector=vector,
            sections=sections,
            chunks=chunk_vectors,
            section_spans=spans,
            chunk_spans=states.chunked.chunks,
            arrays=arrays,
        )

    def _with_words(self, dense: Array, name: str, texts: Sequence[str], arrays: dict[str, Array]) -> Array:
        """Vectors of length one whose dot product is the weighted mean of both channels' cosines.

        Args:
            dense: [texts, projection], of length one.
            name: the texts' TF-IDF rows are kept in `arrays` under this name.

        Returns:
            [texts, projection + words]; a text without a telling word has its dense vector and zeros.
        """
        if self.words is None:
            return dense
        rows = self.words.rows(texts)
        arrays.update(packed(name, rows))
        share = self.network.config.words_share
        trained = self.words(self.words.known(rows)).numpy()
        return normalised(np.concatenate(((1 - share) ** 0.5 * dense, share**0.5 * trained), axis=1))

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
    def _partial(self, documents: Sequence[Document]) -> dict[str, SimilarityMap]:
        """The section map of a pair as far as it is known: sections whose chunks are all encoded."""
        if len(documents) != 2:
            return {}
        vectors, spans, words = [], [], []
        for document in documents:
            states = self.frozen.states(document)
            held = chunks_by_section(list(document.compared()), states.chunked.chunks)
            out = np.full((len(held), self.network.config.projection), np.nan, dtype=np.float32)
            ready = [i for i, (_, rows) in enumerate(held) if states.known[rows].all()]
            if ready:
                chunks = torch.from_numpy(states.chunks)
                values, mask = pad([chunks[held[i][1]] for i in ready])
                out[ready] = self.network(values, mask).numpy()
            spans.append(tuple(span for span, _ in held))
            arrays: dict[str, Array] = {}
            vectors.append(self._with_words(out, "section", _texts(document, spans[-1]), arrays))
            words.append(arrays)
        likeness = self._likeness("section", vectors[0], vectors[1], words[0], words[1])
        return {"section": SimilarityMap(likeness, spans[0], spans[1], "cosine", SECTION_MEANING)}

    # compare ------------------------------------------------------------------------------------------

    def compare(self, a: Encoding, b: Encoding) -> float:
        """Cosine of the two document vectors (4.2), and a share of the cosine of their TF-IDF weights."""
        assert a.vector is not None and b.vector is not None
        return float(self._likeness("document", a.vector[None], b.vector[None], a.arrays, b.arrays)[0, 0])

    def _likeness(
        self, name: str, a: Array, b: Array, words_a: Mapping[str, Array], words_b: Mapping[str, Array]
    ) -> Array:
        """Of every row of a with every row of b, [rows of a, rows of b] in [−1, 1]: for texts of any size alike."""
        with np.errstate(invalid="ignore"):  # NaN: not encoded yet
            trained = np.clip(a @ b.T, -1.0, 1.0)
        share = self.network.config.exact_share
        if self.words is None or not share:
            return np.asarray(trained, dtype=np.float32)
        rows_a, rows_b = unpacked(name, words_a), unpacked(name, words_b)
        tell = np.outer(_any(rows_a), _any(rows_b))  # texts without a telling word are judged by the rest
        mixed = (1 - share) * trained + share * word_cosines(rows_a, rows_b)
        return np.asarray(np.where(tell, mixed, trained), dtype=np.float32)

    @torch.inference_mode()
    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """Section and chunk maps across and within the documents (figure 4b, 4c), attention, passages, sentences."""
        found = {
            "section": self._map("section", a, b, SECTION_MEANING),
            "chunk": self._map("chunk", a, b, CHUNK_MEANING),
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
            for level in ("section", "chunk"):
                found[f"within_{side}_{level}"] = self._map(level, e, e, WITHIN_MEANING)
        return found

    def _map(self, level: str, a: Encoding, b: Encoding, meaning: str) -> SimilarityMap:
        if level == "section":
            rows, columns, spans_a, spans_b = a.sections, b.sections, a.section_spans, b.section_spans
        else:
            rows, columns, spans_a, spans_b = a.chunks, b.chunks, a.chunk_spans, b.chunk_spans
        assert rows is not None and columns is not None
        values = self._likeness(level, rows, columns, a.arrays, b.arrays)
        return SimilarityMap(values, spans_a, spans_b, "cosine", meaning)

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Passages both documents share, strongest first."""
        return passages.evidence(a, b, self.card.name)


def _texts(document: Document, spans: Sequence[Span]) -> list[str]:
    return [document.text[s.start : s.end] for s in spans]


def _any(rows: Counts) -> Array:
    """[rows], 1 where a row holds a word."""
    return np.asarray(np.diff(rows.indptr) > 0, dtype=np.float32)
