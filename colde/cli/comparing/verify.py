"""`colde verify REPORT A B`: a report checked against the files that it is about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from colde.cli.comparing.compare_options import CompareOptions, compare_files, read_files
from colde.cli.options import (
    Settings,
    common_options,
    encoder_option,
    password_option,
    reference_option,
    template_option,
    warm_up_reader,
)
from colde.cli.progress_bar import ProgressBar
from colde.encoders.encoder_names import AUTO, MULTILINGUAL, PACKAGED
from colde.errors import ModelError, PartError
from colde.text.sections.section_edits import parse_roles

if TYPE_CHECKING:
    from colde.comparison.model_run import RunOptions
    from colde.report.content.report_record import CarriedRecord, WordSentences
    from colde.report.verification.report_check import Check
    from colde.results.comparison import Comparison

DIFFERS = 4
"""Exit status where something does not agree."""
MAX_REPORT_BYTES = 2**30


@click.command()
@click.argument("report", type=click.Path(path_type=Path))
@click.argument("a")
@click.argument("b")
@template_option
@reference_option
@encoder_option
@password_option
@click.pass_context
@common_options
def verify(
    settings: Settings,
    context: click.Context,
    report: Path,
    a: str,
    b: str,
    templates: tuple[str, ...],
    reference: Path | None,
    encoder: str,
    password: str | None,
) -> None:
    """Check a report (JSON, HTML, DOCX, PDF) against the files A and B: compare them again as it was done then.

    Name the encoder, the templates and the reference set that the report was made with, where there were any.

    Prints what agrees and what differs: files, texts, version, weights, templates, review, and the content of the
    report. Ends with status 0 where all agrees, and 4 where something differs.

    \b
    Example:
      colde verify report.pdf thesis.pdf source.docx
      colde verify result.json homework_1.docx homework_2.docx --template form.docx
    """
    data = _read(report)
    from colde.report.content.report_record import find_record

    carried = find_record(data)
    options = _options(carried, reference, templates, encoder, password)
    warm_up_reader(a, b)
    with ProgressBar(settings) as bar:
        hashes = _template_hashes(bar, templates, password)
        again = _compared(bar, a, b, options, carried)
        bar.stage("checking the report")
        from colde.report.verification.report_check import check_content, check_record

        checks = [*check_record(carried, again.record, hashes), check_content(data, carried, again)]
    _print(checks)
    if any(check.agrees is False for check in checks):
        context.exit(DIFFERS)


def _read(report: Path) -> bytes:
    from colde.strict_json import JsonError, read_limited

    try:
        return read_limited(report, MAX_REPORT_BYTES)
    except OSError as error:
        raise click.UsageError(f"{report} cannot be read: {error.strerror}") from error
    except JsonError as error:
        raise click.UsageError(f"{report}: {error}") from error


def _options(
    carried: CarriedRecord,
    reference: Path | None,
    templates: tuple[str, ...],
    encoder: str,
    password: str | None,
) -> CompareOptions:
    """The settings of the report, which names no file to load: the user names an encoder that does not ship."""
    from colde import models

    stored = carried.record.settings
    shipped = stored.encoder in (PACKAGED, MULTILINGUAL)
    if encoder == AUTO and not shipped:
        raise ModelError(
            f"the report was made with the encoder {stored.encoder!r}, which is not packaged: name it with --encoder"
        )
    for name in carried.models:
        models.card(name)
    try:
        include = parse_roles(",".join(stored.include)) if stored.include else ()
    except ValueError as error:
        raise click.UsageError(f"the record of the report is damaged ({error})") from error
    return CompareOptions(
        carried.models,
        stored.profile,
        reference,
        stored.prior,
        include,
        templates,
        encoder if encoder != AUTO else stored.encoder,
        password,
    )


def _template_hashes(bar: ProgressBar, templates: tuple[str, ...], password: str | None) -> tuple[str, ...]:
    from colde.results.saved.record import text_hash

    return tuple(map(text_hash, read_files(bar, templates, password)))


def _compared(
    bar: ProgressBar, a: str, b: str, options: CompareOptions, carried: CarriedRecord
) -> Comparison:
    """The comparison made again, as the report says that it was made."""
    from colde import models
    from colde.comparison.questions.deletion_test import with_faithfulness
    from colde.passages.find_passages import find_passages
    from colde.results.shared_text import EXCLUSIONS

    excluded = carried.record.excluded_spans()
    comparison, reference_set = compare_files(bar, a, b, options, models.load, excluded)
    left_out = tuple(x for x in EXCLUSIONS if x in carried.record.settings.leave_out)
    if carried.measured:
        bar.stage("leaving passages out")
        comparison = with_faithfulness(comparison, reference=reference_set, loader=models.load)
    if left_out and comparison.sentences is not None:
        shared = find_passages(comparison.a, comparison.b, comparison.sentences, left_out)
        comparison = replace(comparison, shared=shared)
    if carried.words is not None:
        bar.stage("explaining two sentences word by word")
        comparison = _with_words(comparison, carried.words, reference=reference_set, loader=models.load)
    return comparison


def _with_words(comparison: Comparison, words: WordSentences, **options: Unpack[RunOptions]) -> Comparison:
    """The comparison with the map of these sentences; without it where it has no such sentences."""
    from colde.comparison.questions.word_by_word import with_word_map, word_contributions

    try:
        return with_word_map(comparison, word_contributions(comparison, *words.spans, words.model, **options))
    except (ModelError, PartError):
        return comparison


def _print(checks: Iterable[Check]) -> None:
    from colde.report.formatting import clean

    words = {True: "agrees", False: "DIFFERS", None: "not checked"}
    for check in checks:
        line = f"{words[check.agrees]:11}  {check.what}"
        click.echo(f"{line}: {clean(check.detail)}" if check.detail else line)
