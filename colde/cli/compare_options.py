"""Options of a comparison, and two files compared by them, for `colde compare` and `colde what-if`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
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
from colde.text.document import Document, Role

if TYPE_CHECKING:
    from colde.comparison.model_run import Loader
    from colde.judge.reference import Reference
    from colde.results.comparison import Comparison


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
) -> tuple[Comparison, Reference | None]:
    """Read two files and compare them; the comparison, and the reference set where one was asked for."""
    from colde.comparison import pipeline
    from colde.comparison.standard_text import prepare_documents
    from colde.judge.reference import read_reference

    documents = read_files(bar, (a, b), options.password)
    reference_set = read_reference(options.reference, bar) if options.reference is not None else None
    templates = read_files(bar, options.templates, options.password)
    bar.stage("comparing")
    one, two = prepare_documents(documents, options.include, templates, reference_set)
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
    from colde import ingest

    documents = []
    for file in files:
        bar.stage(f"reading {file}")
        documents.append(ingest.read(file, password=password))
    return documents
