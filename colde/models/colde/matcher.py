"""CoLDE as a Matcher: encode and match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from colde.encoders.frozen import EncodedDocument, FrozenEncoder, shared_frozen_encoder
from colde.encoders.vectors import chunks_by_section, normalised
from colde.errors import ModelError
from colde.explain import passages
from colde.explain.level_maps import topic_maps
from colde.judge.calibration import Profile
from colde.judge.profiles import GENERAL
from colde.models.base import Card
from colde.models.checkpoint import read_config, read_tensors, write_checkpoint
from colde.models.colde.config import ChannelWeights, ColdeConfig, Mixture
from colde.models.colde.contribution import contributions
from colde.models.colde.encoder import ChunkInput, StructuredEncoder, encode_chunk_inputs, structured_encoder
from colde.models.colde.encoding import ColdeEncoding
from colde.models.colde.late import centred, late_similarity
from colde.models.colde.meanings import ATTENTION_MEANING, SECTION_MEANING, TOPIC_MEANINGS
from colde.models.colde.network import ColdeNetwork, runs_of_sections
from colde.models.colde.word_channel import WordChannel
from colde.models.integrated import VectorParts, integrated_parts
from colde.models.masked import pad
from colde.models.registry import CARDS
from colde.results.encoding import Encoding, encoded_as
from colde.results.maps import Array, SimilarityMap
from colde.results.pair import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.score import Coverage, ScorePart
from colde.text.document import Document, Span
from colde.text.term_weights import shipped_statistics, word_cosines

OWN_PASSES = 48  # chunks of a document up to which each is taken apart by itself
FEWEST_PASSES = 8


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
        shares: ChannelWeights | None = None,
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
        self.mixture = Mixture.of(network.config.mixture) if words is not None else Mixture()
        self.shares = shares or self.mixture.weights(GENERAL)
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

    def for_profile(self, profile: str, reference: Sequence[Encoding] = ()) -> Colde:
        """Take the channel weights of a profile, and centre on the reference if there is one."""
        network = self.network
        if reference:
            means = [normalised(encoded_as(e, ColdeEncoding).states).mean(0) for e in reference]
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
            shares=self.mixture.weights(profile, reference=bool(reference)),
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
        spoken = [self.word_vectors(_texts(d, _sections(d))) for d in documents] if pair else []

        def report(stage: Stage) -> Callable[[int, int], None]:
            def on_window(done: int, total: int) -> None:
                if on_progress is not None:
                    partial = self._partial(documents, spoken) if pair else {}
                    on_progress(Progress(stage, done, total, partial=partial))

            return on_window

        states = self.frozen.encode_chunks(documents, report(Stage.CHUNKS))
        if explain:
            self.frozen.encode_sentences(documents, report(Stage.SENTENCES))
        return [self._encoding(d, s, explain) for d, s in zip(documents, states, strict=True)]

    @torch.inference_mode()
    def _encoding(self, document: Document, states: EncodedDocument, explain: bool) -> Encoding:
        chunks = self._chunk_states(states)
        held = chunks_by_section(list(document.compared()), states.chunked.chunks)
        spans = tuple(span for span, _ in held)
        text = "\n".join(_texts(document, _sections(document)))
        whole = self.network(chunks.unsqueeze(0), torch.ones(1, len(chunks), dtype=torch.bool)).numpy()
        sections = chunk_vectors = None
        if explain:
            sections = self._section_vectors(chunks, [rows for _, rows in held])
            sections = self._joined(sections, self.word_vectors(_texts(document, spans)))
            texts = _texts(document, states.chunked.chunks)
            chunk_vectors = self._joined(self.network.single(chunks).numpy(), self.word_vectors(texts))
            assert states.sentences is not None
        return ColdeEncoding(
            document=document,
            coverage=Coverage(states.chunked.tokens, states.chunked.tokens),
            vector=self._joined(whole, self.word_vectors([text]))[0],
            sections=sections,
            chunks=chunk_vectors,
            section_spans=spans,
            chunk_spans=states.chunked.chunks,
            sentences=states.sentences if explain else None,
            states=chunks.numpy(),
            late=centred(chunks.numpy(), self.network.centre.numpy()) if self.shares.late else None,
            words=None if self.words is None else self.words.rows([text]).astype(np.float32),
        )

    @torch.inference_mode()
    def word_vectors(self, texts: Sequence[str]) -> Array | None:
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

    def _chunk_states(self, states: EncodedDocument) -> Tensor:
        """Encoder states [chunks, width]: the frozen ones, or those of a trained encoder."""
        if self.structured is None:
            return torch.from_numpy(states.chunks)
        places = [ChunkInput(torch.from_numpy(ids).long(), 0, q) for q, ids in enumerate(states.chunked.ids)]
        return encode_chunk_inputs(self.structured, places)

    def _section_vectors(self, chunks: Tensor, rows: Sequence[Sequence[int]]) -> Array:
        """[sections, projection]: each real section attends to the next, the last to the first (cyclic)."""
        found = []
        for run in runs_of_sections([len(r) for r in rows]):
            taken = [*run, (run[-1] + 1) % len(rows)]  # and the one the last attends to
            values, mask = pad([chunks[list(rows[i])] for i in taken])
            following = torch.arange(1, len(taken) + 1).clamp(max=len(run))
            found.append(self.network(values, mask, following)[: len(run)].numpy())
        return np.concatenate(found)

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
                for run in runs_of_sections([len(held[i][1]) for i in ready]):
                    some = [ready[k] for k in run]
                    out[some] = self.network(*pad([chunks[held[i][1]] for i in some])).numpy()
            vectors.append(self._joined(out, words))
            spans.append(tuple(span for span, _ in held))
        with np.errstate(invalid="ignore"):
            likeness = np.clip(vectors[0] @ vectors[1].T, -1, 1)
        section = SimilarityMap(
            likeness, spans[0], spans[1], "cosine", SECTION_MEANING, role="topic", level="section"
        )
        return {"section": section}

    # match --------------------------------------------------------------------------------------------

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The score; section and chunk maps across and within the documents (figure 4b, 4c), attention, passages."""
        parts = self._parts(a, b)
        score = score_of(parts)
        if not explain:
            return PairResult(score, a.coverage, b.coverage, parts=parts)
        maps, evidence = passages.shared_passages(a, b, self.card.name)
        maps = self._maps(a, b) | maps | self.contributions(a, b)
        return PairResult(score, a.coverage, b.coverage, maps, tuple(evidence), parts)

    def contributions(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """What made the score; needs no more than what a score needs."""
        left, right = encoded_as(a, ColdeEncoding), encoded_as(b, ColdeEncoding)
        parts = self._parts(a, b)
        vectors = self.shares.words + self.shares.dense
        return contributions(
            left,
            right,
            parts,
            score_of(parts),
            words=self.words,
            share=self.shares.words / vectors if vectors else 0.0,
            heads=(self.head_parts(left), self.head_parts(right)) if self.shares.dense > 0 else None,
        )

    def head_parts(self, encoding: ColdeEncoding) -> VectorParts:
        """What each chunk brings to the network's vector, on the way from the centre of the background.

        A derivative costs a pass over all chunks: in documents of hundreds, neighbours share one.
        """
        chunks = self.network.center_and_scale(torch.from_numpy(encoding.states))
        most = max(FEWEST_PASSES, OWN_PASSES**2 // max(1, len(chunks)))
        return integrated_parts(self.network.unscaled, chunks, most=most)

    def _parts(self, a: Encoding, b: Encoding) -> tuple[ScorePart, ...]:
        """The channels of the score: the vectors' cosine (4.2), chunks, plain words; their weights sum to 1.

        Texts without a telling word are judged by the rest.
        """
        one, other = encoded_as(a, ColdeEncoding), encoded_as(b, ColdeEncoding)
        assert one.vector is not None and other.vector is not None
        parts = [("vectors", self.shares.dense + self.shares.words, float(one.vector @ other.vector))]
        if self.shares.late:
            assert one.late is not None and other.late is not None
            parts.append(("chunks", self.shares.late, late_similarity(one.late, other.late)))
        if self.shares.exact:
            assert one.words is not None and other.words is not None
            if one.words.nnz and other.words.nnz:
                cosine = float(word_cosines(one.words, other.words)[0, 0])
                parts.append(("words", self.shares.exact, cosine))
        whole = sum(weight for _, weight, _ in parts)
        return tuple(ScorePart(name, weight / whole, value) for name, weight, value in parts)

    @torch.inference_mode()
    def _maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        found = topic_maps(a, b, *TOPIC_MEANINGS)
        if self.network.config.recurrent:
            attention = self.network.chunk_attention(
                torch.from_numpy(encoded_as(a, ColdeEncoding).states),
                torch.from_numpy(encoded_as(b, ColdeEncoding).states),
            )
            found["chunk_attention"] = SimilarityMap(
                attention.numpy(),
                a.chunk_spans,
                b.chunk_spans,
                "attention",
                ATTENTION_MEANING,
                role="attention",
                level="chunk",
                limits=(0.0, 1.0),
            )
        return found


def score_of(parts: Sequence[ScorePart]) -> float:
    """The score that parts add up to, from −1 to 1."""
    return float(np.clip(sum(p.weight * p.value for p in parts), -1.0, 1.0))


def _sections(document: Document) -> list[Span]:
    return [Span(s.start, s.end) for _, s in document.compared()]


def _texts(document: Document, spans: Sequence[Span]) -> list[str]:
    return [document.text[s.start : s.end] for s in spans]
