"""The work of requests as plain data, which can be done in this process or be sent to another one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from colde import ingest, models
from colde.comparison import pipeline
from colde.comparison.model_run import Loader
from colde.comparison.part_notation import parse_parts
from colde.comparison.questions import what_if
from colde.comparison.standard_text import prepare_documents
from colde.comparison.warm_up import warm_up
from colde.encoders.cancellation import reported_again
from colde.encoders.encoder_names import AUTO
from colde.errors import PartError, StoreError
from colde.index import Index
from colde.index.sources.source_stretches import USUALLY_LEFT_OUT, parse_source_exclusions
from colde.ingest.document_json import to_dict
from colde.judge.profiles import DETECT
from colde.results.comparison import Comparison
from colde.results.progress import OnProgress, Progress, Stage
from colde.serialise import to_json
from colde.text.document import Document, Role
from colde.text.sections.section_edits import parse_roles

NO_INDEX = "this service has no index: start it with colde serve --index DIR"


class Job(Protocol):
    """The work of one request; the answer is JSON."""

    def __call__(self, report: OnProgress, load: Loader) -> str: ...


@dataclass(frozen=True, slots=True)
class File:
    """An uploaded file."""

    data: bytes = field(repr=False)
    name: str

    def read(self, password: str | None = None) -> Document:
        """Raises `ReadError`."""
        return ingest.read(self.data, name=self.name, password=password)


@dataclass(frozen=True, slots=True)
class Read:
    """As `colde read --json`."""

    file: File
    password: str | None = field(default=None, repr=False)

    def __call__(self, report: OnProgress, load: Loader) -> str:
        return json.dumps(to_dict(self.file.read(self.password)), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """As `colde compare --json`.

    Attributes:
        include: what is compared although it is set aside, a comma list as of `--include`.
        templates: files whose text is set aside.
        encoder: `auto`, `packaged` or `multilingual`; no folder of this machine.
    """

    a: File
    b: File
    model: str | None = None
    profile: str = DETECT
    include: str | None = None
    templates: tuple[File, ...] = ()
    encoder: str = AUTO

    def __call__(self, report: OnProgress, load: Loader) -> str:
        return self.result(report, load).to_json()

    def result(self, report: OnProgress, load: Loader) -> Comparison:
        """The comparison of the two files."""
        names, include = models.registered_models(self.model), _roles(self.include)
        templates = [file.read() for file in self.templates]
        with reported_again(report, Progress(Stage.PREPARING, 0, 1)):
            a, b = prepare_documents([self.a.read(), self.b.read()], include, templates)
        return pipeline.compare(
            a, b, names, self.profile, encoder=self.encoder, on_progress=report, loader=load
        )


def _roles(names: str | None) -> tuple[Role, ...]:
    try:
        return parse_roles(names) if names is not None and names.strip() else ()
    except ValueError as error:
        raise PartError(str(error)) from None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """As `colde what-if --json`: exactly one of `without` and `only`."""

    compare: Compare
    without: str | None
    only: str | None

    def __call__(self, report: OnProgress, load: Loader) -> str:
        if (self.without is None) == (self.only is None):
            raise PartError("name what to leave out: one of without and only, as a:3,b:7-9")
        try:
            parts = parse_parts(self.without if self.without is not None else self.only or "")
        except ValueError as error:
            raise PartError(str(error)) from None
        before = self.compare.result(report, load)
        only = self.only is not None
        result = what_if.without(before, parts["a"], parts["b"], only=only, on_progress=report, loader=load)
        return to_json(result.to_dict())


@dataclass(frozen=True, slots=True)
class Search:
    """As `colde index search --json`, with a file or, where that is None, a text."""

    index: Path | str | None
    query: File | None
    text: str
    limit: int
    by: Literal["document", "passage"]

    def __call__(self, report: OnProgress, load: Loader) -> str:
        if self.index is None:
            raise StoreError(NO_INDEX)
        document = self.query.read() if self.query is not None else ingest.read_text(self.text)
        hits = Index(self.index, loader=load).search(
            document, limit=self.limit, level=self.by, on_progress=report
        )
        return to_json({"hits": [h.to_dict() for h in hits]})


@dataclass(frozen=True, slots=True)
class FindSources:
    """As `colde sources --json`, with a file or, where that is None, a text.

    Attributes:
        leave_out: what does not count, a comma list as of `--leave-out`; None for the default.
    """

    index: Path | str | None
    query: File | None
    text: str
    leave_out: str | None
    fewest_words: int

    def __call__(self, report: OnProgress, load: Loader) -> str:
        if self.index is None:
            raise StoreError(NO_INDEX)
        document = self.query.read() if self.query is not None else ingest.read_text(self.text)
        try:
            left_out = USUALLY_LEFT_OUT if self.leave_out is None else parse_source_exclusions(self.leave_out)
        except ValueError as error:
            raise PartError(str(error)) from None
        return (
            Index(self.index, loader=load)
            .sources(document, leave_out=left_out, fewest_words=self.fewest_words, on_progress=report)
            .to_json()
        )


@dataclass(frozen=True, slots=True)
class LoadModels:
    """Load models, and what else a comparison needs, before they are asked for."""

    names: Sequence[str]

    def __call__(self, report: OnProgress, load: Loader) -> str:
        if self.names:
            warm_up(self.names, load)
        return ""
