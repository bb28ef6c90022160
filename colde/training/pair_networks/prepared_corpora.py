"""Documents of a corpus as a baseline reads them, kept as token ids: training needs no text after this.

    texts → sentences (kept for all baselines) → `BaselineNetwork.prepare` → one npz a corpus and network

A machine that has these files trains without the corpora.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde.corpus.corpus_folder import (
    documents_file,
    read_documents,
    read_pairs,
    read_records,
    record_to_document,
)
from colde.errors import CorpusError
from colde.judge.profiles import profile_of
from colde.models.shared.bi_cross_encoder import BaselineNetwork
from colde.models.shared.network_input import ModelInput
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document, Sentence
from colde.training.corpora.corpus_cache import SPLITS, cached_arrays, corpus_and_pairs_digest, is_intact
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.corpora.labelled_pairs import pair_arrays, symmetric_matrix

EVERY = 50  # documents between two reports


@dataclass(frozen=True, slots=True)
class PreparedCorpus:
    """A corpus as a network reads it.

    Attributes:
        ids: of the documents; documents: the network's input for each.
        pairs: split → [pairs, 2], positions in `ids`; labels: split → [pairs].
        profile: the profile that is fitted on the validation pairs.
    """

    name: str
    ids: tuple[str, ...]
    documents: tuple[ModelInput, ...]
    pairs: Mapping[str, NDArray[np.int64]]
    labels: Mapping[str, NDArray[np.int64]]
    profile: str

    def sampled_valid(self, most: int | None) -> NDArray[np.int64]:
        """Positions of at most `most` validation pairs, always the same; a smaller sample is part of a larger one."""
        return np.sort(np.random.default_rng(0).permutation(len(self.pairs["valid"]))[:most])

    def held_out(self, most: int | None = None) -> HeldOutPairs:
        """The validation pairs, `most` of them if there are more, and the documents in them."""
        rows = self.sampled_valid(most)
        documents = np.unique(self.pairs["valid"][rows])
        position = np.full(len(self.ids), -1)
        position[documents] = np.arange(len(documents))
        ends = position[np.concatenate([self.pairs[split] for split in SPLITS])]
        similar = np.concatenate([self.labels[split] for split in SPLITS]) == 1
        return HeldOutPairs(
            name=self.name,
            profile=self.profile,
            ids=tuple(self.ids[d] for d in documents),
            pairs=position[self.pairs["valid"][rows]],
            labels=self.labels["valid"][rows],
            related=symmetric_matrix(ends[similar & (ends >= 0).all(1)], len(documents)),
            positions=documents,
        )


def prepare_corpus(
    network: BaselineNetwork, corpus: Path, kept: Path, on_progress: OnProgress | None = None
) -> PreparedCorpus:
    """The corpus as the network reads it, from the folder `kept` if it is there; the corpus may then be missing.

    Raises:
        CorpusError: corpus and prepared file are missing, or the file was made of another corpus.
    """
    path = kept / f"{corpus.name}-{_cache_file_name(network)}.npz"
    present = documents_file(corpus) is not None
    if path.is_file() and not present and not is_intact(path):
        raise CorpusError(f"{path}: damaged; prepare it again where {corpus} is, and copy it here")
    if not path.is_file() and not present:
        raise CorpusError(f"{corpus} is no corpus, and {path} is not there")
    arrays = cached_arrays(path, lambda: _prepared_arrays(network, corpus, kept, on_progress))
    if present and str(arrays["digest"]) != corpus_and_pairs_digest(corpus):
        raise CorpusError(f"{path} was made of another {corpus}; remove it")
    return _restored(corpus.name, arrays, network.input_type)


def _prepared_arrays(
    network: BaselineNetwork, corpus: Path, kept: Path, on_progress: OnProgress | None
) -> dict[str, Any]:
    """All documents in labelled pairs as the network reads them, and the pairs."""
    splits = {split: read_pairs(corpus / f"{split}.tsv") for split in SPLITS}
    wanted = {name for pairs in splits.values() for p in pairs for name in (p.source, p.target)}
    texts = (
        documents_with_cached_sentences(corpus, kept, wanted, on_progress)
        if network.sentences
        else read_documents(corpus, sentences=False)
    )
    documents: dict[str, ModelInput] = {}
    for name, document in texts:
        if name in wanted:
            documents[name] = network.prepare(document)
            if on_progress is not None and len(documents) % EVERY == 0:
                on_progress(Progress(Stage.PREPARING, len(documents), len(wanted), subject=corpus.name))
    arrays: dict[str, Any] = {
        "ids": np.array(list(documents)),
        "digest": np.array(corpus_and_pairs_digest(corpus)),
    }
    position = {name: i for i, name in enumerate(documents)}
    for split, pairs in splits.items():
        arrays[f"pairs.{split}"], arrays[f"labels.{split}"] = pair_arrays(pairs, position, corpus)
    for field in fields(network.input_type):
        arrays |= _flattened(f"field.{field.name}", [getattr(d, field.name) for d in documents.values()])
    return arrays


def documents_with_cached_sentences(
    corpus: Path, kept: Path, wanted: Collection[str], on_progress: OnProgress | None = None
) -> Iterator[tuple[str, Document]]:
    """Id and Document of the records that are `wanted`; `kept` stores their sentences, which take longest to split."""
    which = hashlib.sha256("\n".join(sorted(wanted)).encode()).hexdigest()[:8]
    path = kept / f"{corpus.name}-sentences-{corpus_and_pairs_digest(corpus)}-{which}.npz"
    stored = cached_arrays(path, lambda: _sentence_spans(corpus, wanted, on_progress))
    ends, spans = np.cumsum(stored["counts"]), stored["spans"].tolist()
    at = 0
    for name, record in read_records(corpus):
        if name not in wanted:
            continue
        document = record_to_document(record, sentences=False)
        sections = []
        for section in document.sections:
            first, last = int(ends[at] - stored["counts"][at]), int(ends[at])
            sections.append(replace(section, sentences=tuple(Sentence(*s) for s in spans[first:last])))
            at += 1
        yield name, replace(document, sections=tuple(sections))


def _sentence_spans(
    corpus: Path, wanted: Collection[str], on_progress: OnProgress | None
) -> dict[str, NDArray[np.int64]]:
    """The number of sentences of every section, and their spans."""
    counts: list[int] = []
    spans: list[tuple[int, int]] = []
    texts = (record_to_document(record) for name, record in read_records(corpus) if name in wanted)
    for done, document in enumerate(texts, 1):
        for section in document.sections:
            counts.append(len(section.sentences))
            spans.extend((s.start, s.end) for s in section.sentences)
        if on_progress is not None and done % EVERY == 0:
            on_progress(Progress(Stage.SPLITTING, done, len(wanted), subject=f"of {corpus.name}"))
    return {"counts": np.array(counts), "spans": np.array(spans, np.int64).reshape(-1, 2)}


def _cache_file_name(network: BaselineNetwork) -> str:
    """A file name with all that `prepare` depends on: the network's class or `cache_name`, and its input settings."""
    settings = json.dumps(network.input_settings(), sort_keys=True)
    cls = type(network)
    return f"{cls.cache_name or cls.__name__.lower()}-{hashlib.sha256(settings.encode()).hexdigest()[:12]}"


def _flattened(name: str, rows: Sequence[NDArray[np.int32]]) -> dict[str, Any]:
    """Arrays of one field, concatenated, and the length of each; their other dimensions are the same."""
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
