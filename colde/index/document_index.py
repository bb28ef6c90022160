"""`colde.Index`: the few verbs of a collection on disk."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from colde import models as registry
from colde.comparison.fitted_model import JudgedDocument, PairJudge, over_encoder
from colde.comparison.model_run import Loader
from colde.corpus.digest_manifest import DigestManifest
from colde.corpus.document_sources import DocumentSource, UploadedSource, document_sources
from colde.encoders.encoder_names import AUTO, PACKAGED, choose_encoder, require_local_encoder
from colde.errors import StoreError
from colde.index import write_buffer
from colde.index.index_results import Added, Hit, IndexedDocument, Level, Stats, named_document
from colde.index.index_rows import (
    LIST_COLUMNS,
    document_of,
    encoding_of,
    indexed_document,
    match_row,
)
from colde.index.index_schema import CHUNKS, DOCUMENTS, SECTIONS, VERSION
from colde.index.index_weights import DEFAULT_MODEL, dimension_of, weights_of
from colde.index.passage_rows import passage_dimension
from colde.index.search import candidates, passages
from colde.index.sources.counted_sources import Sources
from colde.index.sources.find_sources import find_sources
from colde.index.sources.source_stretches import USUALLY_LEFT_OUT, Exclusions, SourceExclusion
from colde.index.storage.index_storage import IndexStorage
from colde.index.store import Location, Store, read_meta, storage_at
from colde.index.write_buffer import STORED_COLUMNS, DocumentAdder, StoredDocument, prepare_for_index
from colde.judge.calibration import Judgement
from colde.judge.profiles import DETECT, GENERAL
from colde.models.base import Matcher
from colde.results.encoding import Encoding
from colde.results.progress import OnProgress, Progress, Stage, ignore_progress
from colde.text.document import Document
from colde.text.not_compared.boilerplate import prepare_for_comparison


class Index:
    """A collection of documents on disk, searched by meaning and by words.

    Args:
        folder: of the index, or a URI on object storage (`s3://bucket/papers.index`); the first `add` creates it.
        model: name of the model that encodes, for a new index; others know theirs.
        encoder: name of the encoder, for a new index, as in `colde.compare`; an index that exists refuses another one.
        loader: loads a model by its name.

    Source: dense and lexical retrieval joined by reciprocal rank (Cormack et al. 2009), put in order by the model.

    Examples:
        >>> import colde, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> index = colde.Index(f"{folder}/samples.index")
        >>> added = index.add(["assets/samples/lens_history.md", "assets/samples/banks_money.md"])
        >>> [hit.document.name for hit in index.search("assets/samples/lens_physics.md", limit=1)]
        ['lens_history.md']
    """

    def __init__(
        self,
        folder: Location | IndexStorage,
        *,
        model: str | None = None,
        encoder: str | None = None,
        loader: Loader = registry.load,
    ) -> None:
        self.storage = storage_at(folder)
        self.folder = self.storage.where
        self._requested_model = model
        self._requested_encoder = encoder
        self._loader = loader
        self._loaded: Matcher | None = None
        self._opened: Store | None = None

    @property
    def exists(self) -> bool:
        """Whether the folder holds an index."""
        return self.storage.exists()

    @property
    def model(self) -> str:
        """Name of the model whose vectors it holds, or shall hold."""
        return read_meta(self.storage).model if self.exists else self._requested_model or DEFAULT_MODEL

    @property
    def encoder(self) -> str:
        """Name of the encoder that its vectors come from, or shall come from.

        Raises StoreError for another one than is asked for, ModelError or MissingExtraError for one that is not here.
        """
        asked = self._requested_encoder
        if not self.exists:
            return choose_encoder(asked or PACKAGED, ())
        name = read_meta(self.storage).encoder or PACKAGED
        if asked in (None, AUTO):
            require_local_encoder(name)
        elif asked != name:
            raise StoreError(
                f"{self.folder} was made with the encoder {name}, whose vectors cannot be compared with those of "
                f"{asked}: leave --encoder out, or add the files to a new index"
            )
        return choose_encoder(name, ())

    def add(
        self,
        paths: Iterable[str | os.PathLike[str] | UploadedSource],
        *,
        password: str | None = None,
        manifest: Path | None = None,
        on_progress: OnProgress | None = None,
    ) -> Added:
        """Add files, folders, corpora, or files of records. Documents that the index holds stay; a bad file is skipped.

        Stopped at any moment, it keeps what was written, and goes on from there when it is called again.

        Args:
            manifest: a file with which a later call opens only files that are new or changed (`DigestManifest`).
            on_progress: called before and after each document; raise `Cancelled` in it to stop.

        Raises:
            StoreError: the folder holds other things, was made with other weights, or another program writes to it.
        """
        named = [path if isinstance(path, UploadedSource) else Path(path) for path in paths]
        count = sum(1 for _ in document_sources(named))
        with DigestManifest(manifest) if manifest else nullcontext() as known:
            return self._add(document_sources(named), count, password, on_progress, known)

    def documents(self) -> list[IndexedDocument]:
        """What the index holds, by name."""
        rows = self._store().rows(DOCUMENTS, LIST_COLUMNS)
        return sorted((indexed_document(row) for row in rows), key=lambda d: (d.name, d.id))

    def read(self, id: str) -> Document:
        """A document of the index by its id; raises `StoreError` if there is none."""
        rows = self._store().rows_of(DOCUMENTS, ["id", "name", "packed"], [id])
        if not rows:
            raise StoreError(f"{self.folder} holds no document {id}")
        return document_of(rows[0])

    def search(
        self,
        query: Document | str | os.PathLike[str],
        *,
        limit: int = 10,
        level: Level = "document",
        where: str | None = None,
        profile: str = DETECT,
        on_progress: OnProgress | None = None,
    ) -> list[Hit]:
        """The most similar documents, best first, each with the passages that it shares with the query.

        Args:
            query: a document, or a file to read.
            level: `document` compares whole documents; `passage` finds those of which one chunk is nearest to one
                of the query's, for a paragraph or a section.
            where: a condition on name, folder, format and modified, in SQL: `format = 'pdf'`.
            profile: what counts as similar; `auto` judges each pair by the kind of its documents, as `colde.compare`.

        Raises:
            ReadError: the query cannot be read, or has fewer than 20 words.
            StoreError: there is no index, or one made with other weights.
        """
        from colde import ingest

        store = self._current_store()
        document = prepare_for_comparison(query if isinstance(query, Document) else ingest.read(query))
        encoded = self._encode(document)
        judge = PairJudge(self._model(), profile)
        model = judge.matcher(GENERAL if profile == DETECT else profile)
        scored = self._encoded_by(model, encoded)
        candidate_rows = candidates(store, encoded, scored, model, level, where, limit)
        rows = {row["id"]: row for row in self._rows([c.id for c in candidate_rows])}
        held: dict[str, list[dict[str, Any]]] = {}
        columns = ["document", "number", "section", "start", "end", "tokens", "vector"]
        for row in store.rows_of(CHUNKS, columns, rows):
            held.setdefault(row["document"], []).append(row)
        hits = []
        asked = judge.document(encoded.document)
        for done, c in enumerate(candidate_rows, 1):
            row, score, judged = rows[c.id], c.score, Judgement()
            if level == "document":
                score, judged = self._judged(judge, encoded, asked, row)
            shared = passages(encoded, encoding_of(row, held.get(c.id, [])), self.encoder)
            hits.append(
                Hit(
                    indexed_document(row), score, judged.probability, judged.similar, c.found_by, shared,
                    judged.no_verdict, judged.same_kind,
                )
            )  # fmt: skip
            if on_progress is not None:
                on_progress(Progress(Stage.SEARCHING, done, len(candidate_rows)))
        return sorted(hits, key=lambda hit: -hit.score)

    def sources(
        self,
        document: Document | str | os.PathLike[str],
        *,
        leave_out: Collection[SourceExclusion] = USUALLY_LEFT_OUT,
        fewest_words: int = 0,
        on_progress: OnProgress | None = None,
    ) -> Sources:
        """The documents that share passages with a document, those that share the most words first.

        Candidates come from the passages of the document, by their vectors and their words; the passages that each
        candidate shares are those of a comparison of the two.

        Args:
            document: or a file to read.
            leave_out: `versions`, documents of which the document is a version; `standard` sentences; `quotes`;
                `references`. `Sources.excluding` counts again with others.
            fewest_words: words of a passage that counts.

        Raises:
            ReadError: the document cannot be read, or has fewer than 20 words.
            StoreError: there is no index, or one that was made before passages were kept.
        """
        from colde import ingest

        read = document if isinstance(document, Document) else ingest.read(document)
        return find_sources(
            self._current_store(),
            prepare_for_index(prepare_for_comparison(read)),
            self.encoder,
            Exclusions(tuple(leave_out), fewest_words),
            on_progress or ignore_progress,
        )

    def _judged(
        self, judge: PairJudge, query: Encoding, asked: JudgedDocument, row: Mapping[str, Any]
    ) -> tuple[float, Judgement]:
        """Score and judgement of the query and a document of the index, as those of a comparison of the two."""
        other = judge.document(document_of(row))
        model = judge.matcher(judge.profile(asked, other))
        matched = match_row(self._encoded_by(model, query), row, model)
        names = ("the query", "the document")
        return matched.score, judge.judge(matched.score, asked, other, names, matched.self_similarity)

    def _encoded_by(self, model: Matcher, query: Encoding) -> Encoding:
        """The query as a model for a profile encodes it; its slow parts are cached."""
        return query if model is self._model() else model.encode([query.document], explain=False)[0]

    def remove(self, name: str) -> IndexedDocument:
        """Remove a document by its name or id (the beginning of one will do, eight characters at least).

        Raises:
            StoreError: there is none, or several.
        """
        document = named_document(self.documents(), name, self.folder)
        store = self._store()
        with store.writing():
            store.remove([document.id])
        store.compact()
        return document

    def rename(self, name: str, new_name: str) -> IndexedDocument:
        """Give a document another name; it is named as in `remove`, which raises the same errors."""
        document = named_document(self.documents(), name, self.folder)
        folder = new_name.rpartition("/")[0]
        store = self._store()
        with store.writing():
            store.update(document.id, {"name": new_name, "folder": folder})
        return replace(document, name=new_name, folder=folder)

    def stats(self) -> Stats:
        """How much it holds, and what it was made with."""
        store = self._store()
        meta = store.meta
        return Stats(
            documents=store.count(DOCUMENTS),
            sections=store.count(SECTIONS),
            chunks=store.count(CHUNKS),
            bytes=store.bytes(),
            model=meta.model,
            weights=meta.weights,
            encoder=self.encoder,
            version=meta.version,
        )

    def rebuild(self, *, on_progress: OnProgress | None = None) -> Added:
        """Encode every document again with the current weights, from the texts that the index holds.

        Stopped or killed, it leaves the index unchanged, and goes on from there when it is called again with the same
        weights. No other program can write meanwhile.

        Raises:
            StoreError: another program writes, or a document cannot be encoded; the message names it.
        """
        self._store()  # says what is missing
        with self.storage.rebuilding() as target:
            self._opened = None  # as it is now
            store = self._store()
            kept = [StoredDocument(row, self.read) for row in store.rows(DOCUMENTS, STORED_COLUMNS)]
            fresh = self._resume_rebuild(target, kept)
            outcome = fresh._add(sorted(kept, key=lambda r: r.name), len(kept), None, on_progress)
            if outcome.unread:
                raise StoreError(f"{outcome.unread[0].error}: the index was not changed")
            self.storage.replace(target)
        self._opened = None
        return outcome

    def _resume_rebuild(self, target: IndexStorage, kept: Sequence[StoredDocument]) -> Index:
        """The index that a stopped rebuild has begun, without documents removed since; else an empty one."""
        model, encoder = self.model, self.encoder
        fresh = Index(target, model=model, encoder=encoder, loader=self._loader)
        try:
            meta = read_meta(target)
            if (meta.version, meta.model, meta.weights) != (VERSION, model, weights_of(model, encoder)):
                raise StoreError(f"{target.where} was started by another version of this program")
            store = fresh._current_store()
            wanted = {entry.key for entry in kept}
            with store.writing():
                rows = store.rows(DOCUMENTS, STORED_COLUMNS)
                store.remove([row["id"] for row in rows if StoredDocument(row, fresh.read).key not in wanted])
        except StoreError:
            target.clear()
            fresh._opened = None
        return fresh

    def _add(
        self,
        wanted: Iterable[DocumentSource],
        count: int,
        password: str | None,
        on_progress: OnProgress | None,
        manifest: DigestManifest | None = None,
    ) -> Added:
        store = self.open_or_create()
        with store.writing():
            held = store.rows(DOCUMENTS, ["id", "file"])
            adder = DocumentAdder(
                self._model, self.encoder, (row["file"] for row in held), (row["id"] for row in held)
            )
            try:
                for done, entry in enumerate(wanted):
                    if on_progress is not None:
                        on_progress(Progress(Stage.INDEXING, done, count, subject=entry.name))
                    if (file := adder.digest(entry, manifest)) is not None:
                        adder.take(entry, file, password)
                        adder.write(store, write_buffer.BATCH)
            finally:
                adder.write(store)
            if adder.added:
                store.compact()
        if on_progress is not None:
            on_progress(Progress(Stage.INDEXING, count, count))
        return Added(adder.added, adder.known, adder.unread, adder.warnings)

    def _encode(self, document: Document) -> Encoding:
        return self._model().encode([prepare_for_index(document)])[0]

    def _rows(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        columns = [*LIST_COLUMNS, "packed", "vector", "arrays"]
        return self._store().rows_of(DOCUMENTS, columns, ids)

    def _model(self) -> Matcher:
        if self._loaded is None:
            self._loaded = over_encoder(self._loader(self.model), self.encoder)
        return self._loaded

    def open_or_create(self) -> Store:
        """The store, which is created if there is none."""
        if not self.exists:
            name, encoder = self.model, self.encoder
            made_with = weights_of(name, encoder), dimension_of(self._model())
            self._opened = Store.create(
                self.storage,
                name,
                *made_with,
                encoder if encoder != PACKAGED else "",
                passage_dimension(encoder),
            )
        return self._current_store()

    def _store(self) -> Store:
        """The store; opened again if another program has rebuilt the index."""
        if not self.exists or (self._opened is not None and self._opened.meta != read_meta(self.storage)):
            self._opened = None
        if self._opened is None:
            self._opened = Store(self.storage)  # says what is missing
        return self._opened

    def _current_store(self) -> Store:
        """The store, if its vectors come from the current weights."""
        store = self._store()
        meta = store.meta
        if meta.weights != weights_of(meta.model, self.encoder):
            raise StoreError(
                f"{self.folder} was made with other weights of {meta.model}, whose vectors cannot be compared with "
                f"those of this version: colde index rebuild --index {self.folder} encodes its documents again"
            )
        return store
