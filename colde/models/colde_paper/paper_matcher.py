"""CoLDE in the paper's own form: chunks of 512 tokens, attention between parts, Bi-LSTM, cosine (3, 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import normalize

from colde.encoders.cancellation import interruptible
from colde.encoders.encoder import encoder_folder
from colde.encoders.packed_bert import Bert
from colde.encoders.runtime import compute_dtype
from colde.encoders.sentence_layout import split_parts
from colde.encoders.vector_cache import VectorCache
from colde.encoders.vector_math import chunks_by_section
from colde.explain.contribution import contribution_maps, units_of
from colde.explain.level_maps import topic_maps
from colde.explain.match_selection import cell_matches
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.checkpoint import read_config, read_tensors
from colde.models.colde.map_meanings import TOPIC_MEANINGS
from colde.models.colde_paper.paper_config import PaperConfig
from colde.models.colde_paper.paper_encoder import ChunkInput, PaperEncoder, batches
from colde.models.colde_paper.paper_network import PaperNetwork
from colde.models.registry import CARDS
from colde.models.shared.integrated_gradients import VectorParts, integrated_parts, product
from colde.models.stored_matcher import StoredMatcher
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import ChunkedDocument, chunk_document, default_tokenizer
from colde.text.document import Chunk, Document

OWN_PASSES = 48
"""Chunks of a document up to which each is taken apart by itself; of more, neighbours share a derivative."""

FEWEST_PASSES = 8

MOST_EVIDENCE = 10

TOKENS = 2_048
"""Read at once: a cancelled comparison must not wait for more."""

CONTRIBUTION_MEANING = (
    "the vector of each document taken apart over its chunks by integrated Jacobians, approximate by what the residual "
    "states. Inside a chunk, which the encoder reads as one piece, its part is spread over the sentences by their "
    "length. A negative cell speaks against likeness; what the network gives for an empty document is the reference."
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PaperEncoding(Encoding):
    """A document's vectors and what they are made of.

    Attributes:
        states: [chunks, width], the encoder's; part: [chunks], p of each, from 0 without a gap.
    """

    states: Array
    part: NDArray[np.int64]


class PaperColde(StoredMatcher):
    """The network of the paper over the packaged encoder."""

    def __init__(
        self,
        network: PaperNetwork,
        encoder: PaperEncoder,
        *,
        card: Card | None = None,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
        tag: str | None = None,
    ) -> None:
        super().__init__(card or CARDS["colde_paper"], profiles, training)
        self.network = network.eval()
        self.encoder = encoder.eval()
        self._trained = encoder.trained()
        self._cache = VectorCache.from_environment(f"colde-paper-{compute_dtype()}-{tag}") if tag else None
        self.encoder.to(compute_dtype())
        interruptible(self.encoder.bert)

    @classmethod
    def fresh(cls, config: PaperConfig) -> PaperColde:
        """With everything above the encoder as it begins."""
        return cls(PaperNetwork(config), PaperEncoder(Bert.load(encoder_folder(config.encoder)), config))

    @classmethod
    def load(cls, folder: Path, card: Card | None = None) -> PaperColde:
        """A checkpoint: the network, and of the encoder what was trained."""
        stored = read_config(folder)
        config = PaperConfig(**stored.settings)
        tensors = read_tensors(folder)
        network = PaperNetwork(config)
        network.load_state_dict(_under("network.", tensors))
        encoder = PaperEncoder(Bert.load(encoder_folder(config.encoder)), config)
        encoder.load_state_dict(
            _under("encoder.", tensors), strict=False
        )  # the pretrained ones are not stored
        return cls(
            network,
            encoder,
            card=card,
            profiles=stored.profiles,
            training=stored.training,
            tag=stored.weights,
        )

    def settings(self) -> Mapping[str, Any]:
        return asdict(self.network.config)

    def tensors(self) -> Mapping[str, Tensor]:
        network = {f"network.{k}": v for k, v in self.network.state_dict().items()}
        return network | {f"encoder.{k}": v for k, v in self._trained.items()}

    @property
    def parameters(self) -> int:
        """Number of parameters of the encoder and of the network above it."""
        return sum(p.numel() for module in (self.encoder, self.network) for p in module.parameters())

    # encode -------------------------------------------------------------------------------------------

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section and chunk vectors."""
        found = [chunk_document(d, default_tokenizer()) for d in documents]
        total = sum(len(f.ids) for f in found)
        made, done = [], 0
        for document, chunked in zip(documents, found, strict=True):
            inputs, part = chunk_inputs(chunked.ids, self.network.config.parts)
            states = self._cache.load(chunked.ids) if self._cache is not None and chunked.ids else None
            if states is None:
                states = np.zeros((len(inputs), self.network.config.width), dtype=np.float32)
                for some in batches(inputs, TOKENS):
                    states[some] = self._states([inputs[i] for i in some])
                    done += len(some)
                    if on_progress is not None:
                        on_progress(Progress(Stage.CHUNKS, done, total))
                if self._cache is not None and chunked.ids:
                    self._cache.save(chunked.ids, states)
            else:
                done += len(inputs)
            made.append(self._encoding(document, chunked, states, part, explain))
        return made

    @torch.inference_mode()
    def _states(self, inputs: Sequence[ChunkInput]) -> Array:
        return np.asarray(self.encoder(inputs).numpy(), dtype=np.float32)

    @torch.inference_mode()
    def _encoding(
        self,
        document: Document,
        chunked: ChunkedDocument,
        states: Array,
        part: NDArray[np.int64],
        explain: bool,
    ) -> Encoding:
        held = chunks_by_section(list(document.compared()), chunked.chunks)
        read = torch.from_numpy(states)
        vector = self.network(read.unsqueeze(0), torch.from_numpy(part).unsqueeze(0))[0]
        sections = chunks = None
        if explain:
            sections = self.network.parts(read.unsqueeze(0), _sections(chunked.chunks).unsqueeze(0)).numpy()
            chunks = self.network.single(read).numpy()
        return PaperEncoding(
            document=document,
            coverage=Coverage(chunked.tokens, chunked.tokens),
            vector=np.asarray(vector.numpy(), dtype=np.float32),
            sections=sections,
            chunks=chunks,
            section_spans=tuple(span for span, _ in held),
            chunk_spans=chunked.chunks,
            states=states,
            part=part,
        )

    # match --------------------------------------------------------------------------------------------

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The cosine of the two vectors (4.2); section and chunk maps (figure 4b, 4c), and what made the score.

        Evidence: the chunks that add most to it, each once; the encoder reads a chunk as one piece.
        """
        one, other = require_encoding(a, PaperEncoding), require_encoding(b, PaperEncoding)
        assert one.vector is not None and other.vector is not None
        score = float(np.clip(one.vector @ other.vector, -1.0, 1.0))
        if not explain:
            return PairResult(score, a.coverage, b.coverage)
        parts = self._contributions(one, other, score)
        cells = parts["contribution_chunk"]
        evidence = cell_matches(
            a,
            b,
            cells.values,
            cells.rows,
            cells.columns,
            model=self.card.name,
            kind="adds to the score",
            most=MOST_EVIDENCE,
        )
        maps = topic_maps(a, b, *TOPIC_MEANINGS) | parts
        return PairResult(score, a.coverage, b.coverage, maps, tuple(evidence))

    def _contributions(self, a: PaperEncoding, b: PaperEncoding, score: float) -> dict[str, SimilarityMap]:
        units = units_of(a.document, a.chunk_spans), units_of(b.document, b.chunk_spans)
        left, right, owed = product(self._chunk_parts(a), self._chunk_parts(b))
        factors = [(units[0].spread @ left, units[1].spread @ right)]
        return contribution_maps(*units, factors, score, CONTRIBUTION_MEANING, reference=owed)

    def _chunk_parts(self, encoding: PaperEncoding) -> VectorParts:
        """Parts of the document's vector by chunk."""
        part = torch.from_numpy(encoding.part)
        steps = normalize(torch.from_numpy(encoding.states), dim=-1) * self.network.config.scale
        most = max(FEWEST_PASSES, OWN_PASSES**2 // max(1, len(steps)))
        return integrated_parts(lambda x: self.network.unscaled(x, part), steps, most=most)


def chunk_inputs(ids: Sequence[NDArray[np.int32]], parts: int) -> tuple[list[ChunkInput], NDArray[np.int64]]:
    """Chunks of a document as the encoder reads them, and the part p of each: numbers as in training."""
    part = split_parts(np.array([len(i) for i in ids], dtype=np.float64), parts)
    place = np.arange(len(part)) - np.searchsorted(part, part)
    return [ChunkInput(i, int(p), int(q)) for i, p, q in zip(ids, part, place, strict=True)], part


def _sections(chunks: Sequence[Chunk]) -> Tensor:
    """[chunks], the position of each chunk's section among those that hold one."""
    return torch.from_numpy(np.unique([c.section for c in chunks], return_inverse=True)[1])


def _under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}
