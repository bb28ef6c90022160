"""Options of a comparison, and two files compared by them, for `colde compare` and `colde what-if`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from threading import Thread
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from colde.cli.options import (
    encoder_option,
    include_option,
    model_option,
    password_option,
    prior_option,
    profile_option,
    reference_option,
    template_option,
)
from colde.cli.progress_bar import ProgressBar
from colde.encoders.cores import usable_cores
from colde.text.document import Document, Role, Span

if TYPE_CHECKING:
    from colde.comparison.model_run import Loader
    from colde.judge.reference import Reference
    from colde.results.comparison import Comparison
    from colde.results.similarity_map import Letter


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """Settings for reading and comparing documents.

    Attributes:
        names: of the models.
        include: roles of sections that are compared although reading set them aside.
        templates: files whose text is set aside.
    """

    names: tuple[str, ...]
    profile: str
    reference: Path | None
    prior: float
    include: tuple[Role, ...]
    templates: tuple[str, ...]
    encoder: str
    password: str | None

    @property
    def inputs(self) -> tuple[str | Path, ...]:
        """The files and folders that are read besides the documents; no output may overwrite them."""
        return (*((self.reference,) if self.reference is not None else ()), *self.templates)


def compare_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a comparison, `--model` to `--password`, as `options`."""

    @wraps(command)
    def run(*positional: Any, **given: Any) -> Any:
        chosen = {name: given.pop(name) for name in CompareOptions.__dataclass_fields__}
        return command(*positional, options=CompareOptions(**chosen), **given)

    decorated: Callable[..., Any] = run
    options = (
        password_option,
        encoder_option,
        template_option,
        include_option,
        prior_option,
        reference_option,
        profile_option,
    )
    for option in options:
        decorated = option(decorated)
    return model_option()(decorated)


def compare_files(
    bar: ProgressBar,
    a: str,
    b: str,
    options: CompareOptions,
    loader: Loader,
    excluded: Mapping[Letter, Sequence[Span]] = MappingProxyType({}),
) -> tuple[Comparison, Reference | None]:
    """Read two files and compare them; the comparison, and the reference set where one was asked for.

    Args:
        excluded: sections of each that are left out.
    """
    reading = start_reading((a, b), options.password)
    from colde.comparison import pipeline  # imported while the files are read
    from colde.comparison.standard_text import prepare_documents
    from colde.judge.reference import read_reference
    from colde.text.sections.passage_removal import leave_out

    documents = finish_reading(bar, reading)
    reference_set = read_reference(options.reference, bar) if options.reference is not None else None
    templates = read_files(bar, options.templates, options.password)
    bar.stage("comparing")
    one, two = prepare_documents(documents, options.include, templates, reference_set)
    one, two = leave_out(one, excluded.get("a", ())), leave_out(two, excluded.get("b", ()))
    comparison = pipeline.compare(
        one,
        two,
        options.names,
        options.profile,
        reference=reference_set,
        prior=options.prior,
        encoder=options.encoder,
        on_progress=bar,
        loader=loader,
    )
    return comparison, reference_set


def read_files(bar: ProgressBar, files: Sequence[str], password: str | None) -> list[Document]:
    """The documents of these files; raises ReadError for the first that cannot be read."""
    return finish_reading(bar, start_reading(files, password))


def start_reading(files: Sequence[str], password: str | None) -> list[tuple[str, Future[Document]]]:
    """Start to read files in the background, in this order: as many at once as there are cores but one.

    That one is for the imports of this process. Nothing waits for the threads when the command ends early.
    """
    from colde import ingest

    reading: list[tuple[str, Future[Document]]] = [(file, Future()) for file in files]
    unread = iter(reading)

    def read_next() -> None:
        for file, document in unread:
            try:
                document.set_result(ingest.read(file, password=password))
            except BaseException as error:
                document.set_exception(error)

    for _ in range(min(len(reading), max(1, usable_cores() - 1))):
        Thread(target=read_next, name="reading", daemon=True).start()
    return reading


def finish_reading(bar: ProgressBar, reading: Sequence[tuple[str, Future[Document]]]) -> list[Document]:
    """The documents, as soon as all are read; raises ReadError for the first that cannot be read."""
    documents = []
    for file, document in reading:
        bar.stage(f"reading {file}")
        documents.append(document.result())
    return documents
