"""CoLDE in the form of the paper: chunks of 512 tokens, attention between parts, Bi-LSTM, cosine (3, 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import normalize

from colde.encoders.bert.packed_bert import Bert
from colde.encoders.cancellation import interruptible
from colde.encoders.encoder_names import encoder_folder
from colde.encoders.runtime import compute_dtype
from colde.encoders.vector_cache import VectorCache
from colde.encoders.vector_math import chunks_by_section
from colde.explain.contribution import contribution_maps, units_of
from colde.explain.level_maps import topic_maps
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.checkpoint import read_config, read_tensors
from colde.models.colde.explanation import TOPIC_MEANINGS
from colde.models.colde_paper.paper_encoder import PaperEncoder, chunk_inputs, read_chunks
from colde.models.colde_paper.paper_network import PaperConfig, PaperNetwork
from colde.models.registry import CARDS
from colde.models.shared.integrated_gradients import VectorParts, integrated_parts, product
from colde.models.stored_matcher import StoredMatcher
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import ChunkedDocument, chunk_document, default_tokenizer
from colde.text.document import Document

SEPARATE_CHUNKS = 48
"""Chunks of a document up to which each has a derivative; in longer documents neighbours share one."""

FEWEST_PASSES = 8

TOKENS = 2_048
"""Tokens of a batch: a comparison can be cancelled after each batch."""

CONTRIBUTION_MEANING = (
    "what each chunk adds to the vector of its document, by integrated Jacobians. The parts are approximate; the "
    "residual states the error. The encoder reads a chunk as one piece, so its part is spread over its sentences by "
    "their length. The baseline is the score of an empty document. A negative cell lowers the score."
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PaperEncoding(Encoding):
    """A document's vectors and chunks.

    Attributes:
        states: [chunks, width], of the encoder; part: [chunks], p of each, from 0 without a gap.
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
    def load(cls, folder: Path, card: Card | None = None) -> PaperColde:
        """The model of a checkpoint, which holds the network and the trained part of the encoder."""
        stored = read_config(folder)
        config = stored.config(PaperConfig)
        tensors = read_tensors(folder)
        network = PaperNetwork(config)
        network.load_state_dict(_under("network.", tensors))
        encoder = PaperEncoder(Bert.load(encoder_folder(config.encoder)), config)
        encoder.load_state_dict(_under("encoder.", tensors), strict=False)  # pretrained ones are not stored
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

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section and chunk vectors."""
        chunked = [chunk_document(d, default_tokenizer()) for d in documents]
        done, total = 0, sum(len(c.ids) for c in chunked)

        def on_chunks(count: int) -> None:
            nonlocal done
            done += count
            if on_progress is not None:
                on_progress(Progress(Stage.CHUNKS, done, total))

        return [self._encoding(d, c, explain, on_chunks) for d, c in zip(documents, chunked, strict=True)]

    @torch.inference_mode()
    def _encoding(
        self, document: Document, chunked: ChunkedDocument, explain: bool, on_chunks: Callable[[int], None]
    ) -> Encoding:
        inputs, part = chunk_inputs(chunked.ids, self.network.config.parts_in_use)
        states = self._cache.load(chunked.ids) if self._cache is not None and inputs else None
        if states is not None:
            on_chunks(len(states))
        else:
            states = np.asarray(read_chunks(self.encoder, inputs, TOKENS, on_chunks).numpy(), np.float32)
            if self._cache is not None and inputs:
                self._cache.save(chunked.ids, states)
        x = torch.from_numpy(states)
        vector = self.network(x.unsqueeze(0), torch.from_numpy(part).unsqueeze(0))[0]
        sections = chunks = None
        if explain:
            section = np.unique([c.section for c in chunked.chunks], return_inverse=True)[1]
            sections = self.network.parts(x.unsqueeze(0), torch.from_numpy(section).unsqueeze(0)).numpy()
            chunks = self.network.single(x).numpy()
        by_section = chunks_by_section(list(document.compared()), chunked.chunks)
        return PaperEncoding(
            document=document,
            coverage=Coverage(chunked.tokens, chunked.tokens),
            vector=np.asarray(vector.numpy(), dtype=np.float32),
            sections=sections,
            chunks=chunks,
            section_spans=tuple(span for span, _ in by_section),
            chunk_spans=chunked.chunks,
            states=states,
            part=part,
        )

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The cosine of the two vectors (4.2), section and chunk maps (figures 4b, 4c), and contributions."""
        a, b = require_encoding(a, PaperEncoding), require_encoding(b, PaperEncoding)
        assert a.vector is not None and b.vector is not None
        score = float(np.clip(a.vector @ b.vector, -1.0, 1.0))
        if not explain:
            return PairResult(score, a.coverage, b.coverage)
        maps = topic_maps(a, b, *TOPIC_MEANINGS) | self._contributions(a, b, score)
        return PairResult(score, a.coverage, b.coverage, maps)

    def _contributions(self, a: PaperEncoding, b: PaperEncoding, score: float) -> dict[str, SimilarityMap]:
        units_a, units_b = units_of(a.document, a.chunk_spans), units_of(b.document, b.chunk_spans)
        left, right, reference = product(self._chunk_parts(a), self._chunk_parts(b))
        factors = [(units_a.spread @ left, units_b.spread @ right)]
        return contribution_maps(units_a, units_b, factors, score, CONTRIBUTION_MEANING, reference=reference)

    def _chunk_parts(self, encoding: PaperEncoding) -> VectorParts:
        part = torch.from_numpy(encoding.part)
        steps = normalize(torch.from_numpy(encoding.states), dim=-1) * self.network.config.scale
        most = max(FEWEST_PASSES, SEPARATE_CHUNKS**2 // max(1, len(steps)))
        return integrated_parts(lambda x: self.network.unscaled(x, part), steps, most=most)


def _under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}
