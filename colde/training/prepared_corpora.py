"""Documents of a corpus as a baseline reads them, kept as token ids: training needs no text after this.

    texts → sentences (kept for all baselines) → `BaselineNetwork.prepare` → one npz a corpus and network

A machine that has these files trains without the corpora.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colde.assets import file_hash
from colde.corpus.corpus_folder import DOCUMENTS, read_documents, read_pairs, read_records, record_to_document
from colde.errors import CorpusError
from colde.judge.profiles import profile_of
from colde.models.shared.bi_cross_encoder import BaselineNetwork
from colde.models.shared.network_input import ModelInput
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document, Sentence
from colde.training.corpus_cache import is_intact
from colde.training.labelled_pairs import DocumentIds

SPLITS = ("train", "valid")
EVERY = 50  # documents between two reports


@dataclass(frozen=True, slots=True)
class PreparedCorpus:
    """One corpus as a network reads it.

    Attributes:
        ids: document ids; documents: what the network reads of each.
        pairs: split → [pairs, 2], positions in `ids`; labels: split → [pairs].
        profile: the profile its validation pairs fit.
    """

    name: str
    ids: tuple[str, ...]
    documents: tuple[ModelInput, ...]
    pairs: Mapping[str, NDArray[np.int64]]
    labels: Mapping[str, NDArray[np.int64]]
    profile: str

    def valid_documents(self, most: int | None = None) -> NDArray[np.int64]:
        """Positions of the documents in validation pairs, or in at most so many of them, rising."""
        return np.unique(self.pairs["valid"][self.sampled_valid(most)])

    def sampled_valid(self, most: int | None) -> NDArray[np.int64]:
        """Positions of `sampled_positions` among the validation pairs."""
        return sampled_positions(len(self.pairs["valid"]), most)

    def for_profiles(self, most: int | None = None) -> PreparedValidationPairs:
        """At most so many validation pairs and their documents, as `fit_profiles` asks for them."""
        names = self.valid_documents(most)
        position = np.full(len(self.ids), -1)
        position[names] = np.arange(len(names))
        ends = position[np.concatenate([self.pairs[split] for split in SPLITS])]
        similar = np.concatenate([self.labels[split] for split in SPLITS]) == 1
        i, j = ends[similar & (ends >= 0).all(1)].T
        chosen = self.sampled_valid(most)
        related = sparse.csr_matrix(
            (np.ones(2 * len(i), dtype=bool), (np.r_[i, j], np.r_[j, i])), shape=(len(names), len(names))
        )
        return PreparedValidationPairs(
            self.name,
            self.profile,
            DocumentIds(tuple(self.ids[d] for d in names)),
            ValidPairs(position[self.pairs["valid"][chosen]], self.labels["valid"][chosen]),
            related,
        )


def sampled_positions(count: int, most: int | None) -> NDArray[np.int64]:
    """At most so many of `count` pairs, rising and always the same; a smaller part lies in a larger one."""
    return np.sort(np.random.default_rng(0).permutation(count)[:most])


@dataclass(frozen=True, slots=True)
class ValidPairs:
    """pairs: [pairs, 2]; labels: [pairs]."""

    pairs: NDArray[np.int64]
    labels: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PreparedValidationPairs:
    """A `ProfileCorpus` of documents that are kept as a network reads them.

    Attributes:
        whole: the documents in validation pairs; valid: positions among them.
        related: [whole, whole], pairs that training or validation calls similar.
    """

    name: str
    profile: str
    whole: DocumentIds
    valid: ValidPairs
    related: sparse.csr_matrix


def prepare_corpus(
    network: BaselineNetwork, corpus: Path, kept: Path, on_progress: OnProgress | None = None
) -> PreparedCorpus:
    """Read the corpus as the network does, or take what is kept; the corpus may be missing then.

    Raises:
        CorpusError: neither the corpus nor its prepared form is there, or the form was made of another corpus.
    """
    path = kept / f"{corpus.name}-{_cache_file_name(network)}.npz"
    here = (corpus / DOCUMENTS).is_file()
    if path.is_file() and not here and not is_intact(path):
        raise CorpusError(f"{path}: damaged; prepare it again where {corpus} is, and copy it here")
    if path.is_file() and is_intact(path):
        stored = np.load(path, allow_pickle=False)
        if here and str(stored["digest"]) != digest(corpus):
            raise CorpusError(f"{path} was made of another {corpus}; remove it")
        return _restored(corpus.name, stored, network.kind)
    if not here:
        raise CorpusError(f"{corpus} is no corpus, and {path} is not there")
    splits = {split: read_pairs(corpus / f"{split}.tsv") for split in SPLITS}
    wanted = {name for pairs in splits.values() for p in pairs for name in (p.source, p.target)}
    ids: list[str] = []
    documents: list[ModelInput] = []
    texts = (
        documents_with_cached_sentences(corpus, kept, wanted, on_progress)
        if network.sentences
        else read_documents(corpus, sentences=False)
    )
    for name, document in texts:
        if name in wanted:
            ids.append(name)
            documents.append(network.prepare(document))
            if on_progress is not None and len(ids) % EVERY == 0:
                on_progress(Progress(Stage.PREPARING, len(ids), len(wanted), subject=corpus.name))
    position = {name: i for i, name in enumerate(ids)}
    arrays: dict[str, Any] = {"ids": np.array(ids), "digest": np.array(digest(corpus))}
    for split, pairs in splits.items():
        try:
            ends = [(position[p.source], position[p.target]) for p in pairs]
        except KeyError as error:
            raise CorpusError(f"{corpus}: a pair names the document {error}, which is not there") from None
        if any(p.label is None for p in pairs):
            raise CorpusError(f"{corpus}: a pair in {split}.tsv has no label")
        arrays[f"pairs.{split}"] = np.array(ends, np.int64).reshape(-1, 2)
        arrays[f"labels.{split}"] = np.array([p.label for p in pairs], np.int64)
    for field in fields(network.kind):
        arrays |= _flattened(f"field.{field.name}", [getattr(d, field.name) for d in documents])
    _save(path, arrays)
    return _restored(corpus.name, arrays, network.kind)


def documents_with_cached_sentences(
    corpus: Path, kept: Path, wanted: Collection[str], on_progress: OnProgress | None = None
) -> Iterator[tuple[str, Document]]:
    """Id and Document of the records that are `wanted`; their sentences are found once and kept: that takes longest."""
    which = hashlib.sha256("\n".join(sorted(wanted)).encode()).hexdigest()[:8]
    path = kept / f"{corpus.name}-sentences-{digest(corpus)}-{which}.npz"
    if not is_intact(path):
        counts: list[int] = []
        spans: list[tuple[int, int]] = []
        texts = (record_to_document(record) for name, record in read_records(corpus) if name in wanted)
        for done, document in enumerate(texts, 1):
            for section in document.sections:
                counts.append(len(section.sentences))
                spans.extend((s.start, s.end) for s in section.sentences)
            if on_progress is not None and done % EVERY == 0:
                on_progress(Progress(Stage.SPLITTING, done, len(wanted), subject=f"of {corpus.name}"))
        _save(path, {"counts": np.array(counts), "spans": np.array(spans, np.int64).reshape(-1, 2)})
    stored = np.load(path, allow_pickle=False)
    ends, spans_all = np.cumsum(stored["counts"]), stored["spans"].tolist()
    at = 0
    for name, record in read_records(corpus):
        if name not in wanted:
            continue
        document = record_to_document(record, sentences=False)
        sections = []
        for section in document.sections:
            first, last = int(ends[at] - stored["counts"][at]), int(ends[at])
            sections.append(replace(section, sentences=tuple(Sentence(*s) for s in spans_all[first:last])))
            at += 1
        yield name, replace(document, sections=tuple(sections))


def digest(corpus: Path) -> str:
    """Hash everything the prepared form depends on: documents and labelled pairs."""
    parts = [file_hash(corpus / name) for name in (DOCUMENTS, *(f"{s}.tsv" for s in SPLITS))]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def _cache_file_name(network: BaselineNetwork) -> str:
    """Names what `prepare` depends on: the network's class, or its kind of reading, and the settings it reads by."""
    settings = json.dumps(network.input_settings(), sort_keys=True)
    cls = type(network)
    return f"{cls.cache_name or cls.__name__.lower()}-{hashlib.sha256(settings.encode()).hexdigest()[:12]}"


def _flattened(name: str, rows: Sequence[NDArray[np.int32]]) -> dict[str, Any]:
    """Arrays of one field, end to end, with their shapes' first sizes; all but the first size are the same."""
    return {
        f"{name}.counts": np.array([len(r) for r in rows], np.int64),
        f"{name}.values": np.concatenate(rows) if rows else np.zeros(0, np.int32),
    }


def _restored(name: str, stored: Mapping[str, Any], kind: type[ModelInput]) -> PreparedCorpus:
    parts = {}
    for field in fields(kind):
        counts = stored[f"field.{field.name}.counts"]
        parts[field.name] = np.split(stored[f"field.{field.name}.values"], np.cumsum(counts)[:-1])
    ids = tuple(str(i) for i in stored["ids"])
    return PreparedCorpus(
        name,
        ids,
        tuple(kind.of({k: v[d] for k, v in parts.items()}) for d in range(len(ids))),
        {s: stored[f"pairs.{s}"] for s in SPLITS},
        {s: stored[f"labels.{s}"] for s in SPLITS},
        profile_of(name),
    )


def _save(path: Path, arrays: Mapping[str, Any]) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.part.npz")
    np.savez_compressed(temporary, **arrays)
    temporary.rename(path)
