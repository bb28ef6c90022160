"""`colde compare A B`: a pair of documents on the terminal, or in files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from colde.cli.comparing.compare_options import CompareOptions, compare_files
from colde.cli.comparing.review_files import decisions_of, note_unplaced, open_review
from colde.cli.options import Settings, checked_profile, console, warm_up_reader
from colde.cli.output_files import Outputs, check_inputs_kept, make_folder
from colde.cli.progress_bar import ProgressBar
from colde.encoders.encoder_names import AUTO, PACKAGED

if TYPE_CHECKING:
    from colde.comparison.questions.word_by_word import WordContributions
    from colde.results.comparison import Comparison
    from colde.results.shared_text import Exclusion

SentencePair = tuple[int | None, int | None]
"""Numbers of a sentence of either text; None for the two that add most."""


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Settings of a comparison of two documents, beyond those of many.

    Attributes:
        leave_out: kinds of passage that the table of shared text does not count.
        sentences: the two to explain word by word.
        review: file with a reviewer's decisions and notes; annotate: folder for the PDFs with their shared passages.
        matrix_map: the map whose image is written, `MAP` or `MODEL.MAP`; None for the default.
    """

    leave_out: tuple[Exclusion, ...]
    sentences: SentencePair | None
    review: Path | None
    annotate: Path | None
    matrix_map: str | None = None


def compare_pair(
    settings: Settings, files: tuple[str, str], options: CompareOptions, outputs: Outputs, pair: PairOptions
) -> None:
    """Compare two files, and print or write the result."""
    inputs = (*files, *options.inputs)
    outputs.check(inputs)
    review = open_review(pair.review) if pair.review is not None else None
    if pair.annotate is not None and pair.annotate.exists() and not pair.annotate.is_dir():
        raise click.UsageError(f"{pair.annotate} is a file: name a folder for the PDFs")
    comparison, words = _compare(settings, files, options, outputs, pair)
    if pair.review is not None and review is not None:
        comparison = replace(comparison, review=decisions_of(pair.review, review, comparison))
        note_unplaced(settings, comparison)
    if outputs.any or pair.annotate is not None:
        try:
            if pair.annotate is not None:
                _annotate(settings, comparison, files, pair.annotate, options.password)
        finally:
            _write_outputs(settings, comparison, words, inputs, outputs, pair.matrix_map)
        return
    from colde.report.terminal.terminal_report import print_report, print_words

    print_report(comparison, console())
    if words is not None:
        print_words(comparison, words, console())


def _compare(
    settings: Settings, files: tuple[str, str], options: CompareOptions, outputs: Outputs, pair: PairOptions
) -> tuple[Comparison, WordContributions | None]:
    """The comparison, with its deletion tests where a file will hold them, and the map of words asked for."""
    ready = warm_up_reader(*files)
    from colde.models.preload import Preload
    from colde.results.shared_text import SENTENCE_ENCODER

    checked_profile(options.profile, options.names)
    names = {*options.names, SENTENCE_ENCODER} if options.encoder in (AUTO, PACKAGED) else options.names
    words = None
    with ProgressBar(settings) as bar, Preload(names if ready else ()) as loader:
        comparison, reference_set = compare_files(bar, *files, options, loader)
        if outputs.json is not None or outputs.html is not None:
            bar.stage("leaving passages out")
            from colde.comparison.questions.deletion_test import with_faithfulness

            comparison = with_faithfulness(comparison, reference=reference_set, loader=loader)
        if pair.sentences is not None:
            bar.stage("explaining two sentences word by word")
            from colde.comparison.questions.word_by_word import word_contributions

            words = word_contributions(comparison, *pair.sentences, reference=reference_set, loader=loader)
    if pair.leave_out:
        from colde.passages.find_passages import find_passages

        assert comparison.sentences is not None
        shared = find_passages(comparison.a, comparison.b, comparison.sentences, pair.leave_out)
        comparison = replace(comparison, shared=shared)
    return comparison, words


def _write_outputs(
    settings: Settings,
    comparison: Comparison,
    words: WordContributions | None,
    inputs: Sequence[str | Path | None],
    outputs: Outputs,
    matrix_map: str | None,
) -> None:
    """Write the files asked for; note the documents' warnings and which models give no probability."""
    from colde.report.tables.json_lines import comparison_lines
    from colde.report.wording.verdict import missing_verdict_notes

    settings.note_comparison(comparison)
    for sentence in missing_verdict_notes(comparison.models):
        settings.note(f"note: {sentence}")
    with_words = comparison
    if words is not None:
        from colde.comparison.questions.word_by_word import with_word_map

        with_words = with_word_map(comparison, words)
    outputs.write(
        settings,
        json=with_words.json_pieces,
        jsonl=lambda: comparison_lines(comparison),
        html=lambda: _html(comparison),
        tables=lambda: _tables(comparison),
        docx=lambda: _docx(comparison),
        pdf=lambda: _pdf(comparison),
        matrix=lambda: _matrix_image(with_words, matrix_map, outputs.matrix),
        inputs=inputs,
    )


def _html(comparison: Comparison) -> Iterator[str]:
    from colde.report.html.html_report import html_pieces

    return html_pieces(comparison)


def _tables(comparison: Comparison) -> Iterator[tuple[str, str]]:
    from colde.report.content.review_export import comparison_tables

    return comparison_tables(comparison)


def _docx(comparison: Comparison) -> bytes:
    from colde.report.printed.docx_report import to_docx

    return to_docx(comparison)


def _pdf(comparison: Comparison) -> bytes:
    from colde.report.printed.pdf_report import to_pdf

    return to_pdf(comparison)


def _matrix_image(comparison: Comparison, name: str | None, target: Path | None) -> str | bytes:
    """An image of a map, PNG or SVG by the ending of its file.

    Args:
        name: `MAP` or `MODEL.MAP`; None for the default.
    """
    from colde.report.maps.matrix_drawing import draw_matrix
    from colde.report.printed.pdf_report import to_png

    model, _, map_name = (name or "").rpartition(".")
    try:
        drawing = draw_matrix(comparison, map_name or None, model or None)
    except KeyError as error:
        raise click.UsageError(str(error.args[0])) from error
    if target is not None and target.suffix.lower() == ".png":
        return to_png(drawing, (comparison.a.language, comparison.b.language))
    return drawing.to_svg()


def _annotate(
    settings: Settings,
    comparison: Comparison,
    files: tuple[str, str],
    folder: Path,
    password: str | None,
) -> None:
    from colde.ingest import sandbox
    from colde.ingest.formats import format_of
    from colde.report.printed.pdf_annotations import passage_annotations

    make_folder(folder)
    try:
        for side, name, document in (("a", files[0], comparison.a), ("b", files[1], comparison.b)):
            format = format_of(document)
            if format is None or not format.has_pages:
                settings.note(f"note: {name} is not a PDF and has no pages to annotate")
                continue
            notes = passage_annotations(comparison, "a" if side == "a" else "b")
            target = folder / f"{side}.{Path(name).stem}.annotated.pdf"
            check_inputs_kept(files, [target])
            target.write_bytes(sandbox.annotate_in_sandbox(Path(name).read_bytes(), name, notes, password))
            settings.note(f"wrote {target} ({len(notes)} notes)")
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be written: {error.strerror}") from error
