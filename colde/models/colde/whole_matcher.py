"""CoLDE as a Matcher: one network, two paths to the score, every level the sum of the one below."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde.encoders.cache import VectorCache
from colde.encoders.vectors import normalised
from colde.explain import passages
from colde.explain.level_maps import topic_maps
from colde.judge.calibration import Profile
from colde.judge.profiles import GENERAL
from colde.models.base import Card
from colde.models.checkpoint import read_config, read_tensors, write_checkpoint
from colde.models.colde.condensed import condense, restore
from colde.models.colde.embedding import Embedder
from colde.models.colde.encoding import WholeEncoding, encoding_of
from colde.models.colde.meanings import SECTION_MEANING, TOPIC_MEANINGS
from colde.models.colde.pair import attention_map, contributions, meet
from colde.models.colde.provisional import provisional
from colde.models.colde.sentences import Sentences, read_sentences
from colde.models.colde.whole_config import WholeConfig
from colde.models.registry import CARDS
from colde.results.encoding import Encoding, encoded_as
from colde.results.maps import Array, SimilarityMap
from colde.results.pair import PairResult
from colde.results.progress import OnProgress, Progress, Provisional, Stage
from colde.text.document import Document, Span
from colde.text.tokens import default_tokenizer

MOST_PARTIAL = 12
"""Section maps and scores made while two documents are read; each costs as much as there is of both."""

SO_FAR = "Provisional, over the sentences read so far. "

FROZEN = 22_713_216
"""Numbers of the packaged encoder."""


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """Sentence vectors of a document: its text, the token ids of its sentences, [sentences, width]."""

    text: str
    ids: Sequence[NDArray[np.int32]]
    vectors: Array


_IN_USE: dict[tuple[str | None, int], _Read] = {}
"""What was read of documents that are still in use, by the network's weights: `colde_words` reads none anew."""


class WholeColde:
    """CoLDE, every part of it trained."""

    def __init__(
        self,
        embedder: Embedder,
        *,
        card: Card | None = None,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
        tag: str | None = None,
    ) -> None:
        self.embedder = embedder
        self.card = card or CARDS["colde"]
        self.profiles = profiles or {}
        self.training = training or {}
        self._tag = tag
        self._cache = VectorCache.from_environment(f"colde-sentences-{embedder.dtype}-{tag}") if tag else None

    @classmethod
    def load(cls, folder: Path, card: Card | None = None) -> WholeColde:
        """A checkpoint: everything that was trained."""
        stored = read_config(folder)
        return cls(
            _embedder(folder, stored.weights),
            card=card,
            profiles=stored.profiles,
            training=stored.training,
            tag=stored.weights,
        )

    def save(self, folder: Path) -> None:
        network = self.embedder.network
        write_checkpoint(
            folder,
            name=self.card.name,
            settings=asdict(network.config),
            tensors=network.state_dict(),
            profiles=self.profiles,
            parameters=self.parameters,
            training=self.training,
        )

    @property
    def parameters(self) -> int:
        """Of the encoder as it came, and of the network that is trained above it."""
        return FROZEN + sum(p.numel() for p in self.embedder.network.parameters())

    def for_profile(self, profile: str, reference: Sequence[Encoding] = ()) -> WholeColde:
        """The same; under `general` with a reference around the centre of its documents.

        Documents of a kind that was never trained on lie far from the centre of training, all to one side of it, and
        all look alike from there: papers, left out of training, had an AUC of .89 around their own centre and .83
        around that of the other kinds. Around the centre of training, kinds that were trained on are told apart better
        (docs/results.md).
        """
        if profile != GENERAL or not reference:
            return self
        centre = np.mean([encoded_as(e, WholeEncoding).mean for e in reference], axis=0)
        return WholeColde(
            self.embedder.centred(np.asarray(centre, dtype=np.float32)),
            card=self.card,
            profiles=self.profiles,
            training=self.training,
            tag=self._tag,
        )

    # encode -------------------------------------------------------------------------------------------

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Document, section, chunk and sentence vectors.

        With two documents, progress carries a section map and, from a quarter on, a score of what is read so far.
        """
        found = [
            read_sentences(d, default_tokenizer(), self.embedder.network.config.parts) for d in documents
        ]
        read = self._read(documents, found, on_progress, explain and len(documents) == 2)
        return [
            encoding_of(d, f, r, self.embedder.embed(f, r), explain=explain)
            for d, f, r in zip(documents, found, read, strict=True)
        ]

    def _read(
        self,
        documents: Sequence[Document],
        found: Sequence[Sentences],
        on_progress: OnProgress | None,
        partial: bool,
    ) -> list[Array]:
        """Sentence vectors of all documents, a batch of each in turn."""
        keys = [list(f.ids) for f in found]
        width = self.embedder.width
        kept = [self._known(d, k) for d, k in zip(documents, keys, strict=True)]
        read = [
            np.full((len(f.ids), width), np.nan, dtype=np.float32) if k is None else k
            for f, k in zip(found, kept, strict=True)
        ]
        for document, f, k, out in zip(documents, found, kept, read, strict=True):
            if k is None:
                self._take_sentences(document, f, out)
        todo = [
            [
                (d, some)
                for batch in self.embedder.batches(f)
                if len(some := batch[np.isnan(read[d][batch, 0])])
            ]
            for d, f in enumerate(found)
        ]
        turns = [turn for round_ in zip_longest(*todo) for turn in round_ if turn is not None]
        maps: dict[str, SimilarityMap] = {}
        score: Provisional | None = None
        for done, (d, some) in enumerate(turns, 1):
            read[d][some] = self.embedder.read(found[d], some)
            if on_progress is not None:
                if partial and done * MOST_PARTIAL // len(turns) > (done - 1) * MOST_PARTIAL // len(turns):
                    maps = self._partial(documents, found, read)
                    score = provisional(self.embedder, found, read)
                on_progress(Progress(Stage.SENTENCES, done, len(turns), partial=maps, provisional=score))
        if on_progress is not None and not turns:
            on_progress(Progress(Stage.SENTENCES, 1, 1))
        for d, (document, key, vectors) in enumerate(zip(documents, keys, read, strict=True)):
            if key:
                self._keep(document, key, vectors, fresh=bool(todo[d]))
        return read

    def _take_sentences(self, document: Document, found: Sentences, out: Array) -> None:
        """Take over what was read of the same text with other sections or fewer passages; the rest stays NaN."""
        known = _IN_USE.copy() if self._tag is not None else {}  # others may come and go meanwhile
        same = [r for (tag, _), r in known.items() if tag == self._tag and r.text is document.text]
        held = {ids.tobytes(): vector for r in same for ids, vector in zip(r.ids, r.vectors, strict=True)}
        for i, ids in enumerate(found.ids if held else ()):
            vector = held.get(ids.tobytes())
            if vector is not None:
                out[i] = vector

    def _known(self, document: Document, key: list[NDArray[np.int32]]) -> Array | None:
        """What is known of a document: while it is in use by any model over this network, then from the disk."""
        if (self._tag, id(document)) in _IN_USE:
            return _IN_USE[self._tag, id(document)].vectors
        return self._cache.load(key) if self._cache is not None and key else None

    def _keep(self, document: Document, key: list[NDArray[np.int32]], vectors: Array, *, fresh: bool) -> None:
        """Keep what was read of a document while it is in use, and on the disk where any of it is new."""
        place = self._tag, id(document)
        if self._tag is not None and place not in _IN_USE:
            _IN_USE[place] = _Read(document.text, key, vectors)
            weakref.finalize(document, _IN_USE.pop, place, None)
        if self._cache is not None and fresh:
            self._cache.save(key, vectors)

    def _partial(
        self, documents: Sequence[Document], found: Sequence[Sentences], read: Sequence[Array]
    ) -> dict[str, SimilarityMap]:
        """The section map over the sentences read so far; it settles with every batch."""
        vectors, spans = [], []
        for document, own, values in zip(documents, found, read, strict=True):
            sections, of = np.unique(own.section, return_inverse=True)
            summed = np.zeros((len(sections), self.embedder.network.config.projection), dtype=np.float32)
            known = ~np.isnan(values[:, 0])
            np.add.at(summed, of[known], self.embedder.projected(own, values)[known])
            summed[np.bincount(of[known], minlength=len(sections)) == 0] = np.nan  # nothing read of it yet
            vectors.append(normalised(summed))
            spans.append(tuple(Span(document.sections[i].start, document.sections[i].end) for i in sections))
        with np.errstate(invalid="ignore"):
            likeness = np.clip(vectors[0] @ vectors[1].T, -1, 1)
        meaning = SO_FAR + SECTION_MEANING
        section = SimilarityMap(
            likeness, spans[0], spans[1], "cosine", meaning, role="topic", level="section"
        )
        return {"section": section}

    def condense(self, encoding: Encoding) -> Mapping[str, Array]:
        """What a score needs of an encoding; see `Storable`."""
        return condense(encoded_as(encoding, WholeEncoding))

    def restore(self, arrays: Mapping[str, Array]) -> Encoding:
        """An encoding for scores alone; see `Storable`."""
        return restore(arrays)

    # match --------------------------------------------------------------------------------------------

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Both paths and their weighted sum; maps of every level (figure 4b, 4c), and what each cell adds to it."""
        one, other = encoded_as(a, WholeEncoding), encoded_as(b, WholeEncoding)
        met = meet(self.embedder.network, one, other)
        if not explain:
            return PairResult(met.score, a.coverage, b.coverage, parts=met.parts)
        maps, evidence = passages.shared_passages(a, b, self.card.name)
        maps = topic_maps(a, b, *TOPIC_MEANINGS) | maps | {"chunk_attention": attention_map(met, one, other)}
        maps |= contributions(met, one, other, met.score)
        return PairResult(met.score, a.coverage, b.coverage, maps, tuple(evidence), met.parts)


@lru_cache(maxsize=2)
def _embedder(folder: Path, weights: str | None) -> Embedder:
    """The network of a checkpoint; `colde` and `colde_words` share it."""
    embedder = Embedder.fresh(WholeConfig(**read_config(folder).settings))
    embedder.network.load_state_dict(read_tensors(folder))
    return embedder
