"""`colde redline A B`: both texts in one file, with what was inserted, deleted and moved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from colde.cli.comparing.compare_options import CompareOptions, compare_files
from colde.cli.comparing.review_files import decisions_of, note_unplaced, open_review
from colde.cli.options import Settings, common_options, password_option, path_option, warm_up_reader
from colde.cli.output_files import Outputs, check_formats
from colde.cli.progress_bar import ProgressBar
from colde.encoders.encoder_names import AUTO
from colde.judge.profiles import DETECT
from colde.results.verdicts.prior import BALANCED

MODEL = "tfidf"
"""No score is in a redline; this model costs least."""


@click.command()
@click.argument("a")
@click.argument("b")
@path_option(
    "--docx", "FILE", "A Word document with tracked changes: accept all gives B, reject all gives A."
)
@path_option("--pdf", "FILE", "A PDF with insertions underlined and deletions struck out.")
@path_option(
    "--review review_path", "FILE", "A review saved by the explorer: its decisions and notes are comments."
)
@password_option
@common_options
def redline(
    settings: Settings,
    a: str,
    b: str,
    docx: Path | None,
    pdf: Path | None,
    review_path: Path | None,
    password: str | None,
) -> None:
    """Write a redline of A and B, two versions of one document: the text of B, and what differs in A.

    Two Word files give the newer one with its own formatting and tracked changes, also in tables, notes and lists.
    Other files give a clean Word document of the text.

    \b
    Example:
      colde redline contract_v1.docx contract_v2.docx --docx redline.docx
      colde redline contract_v1.pdf contract_v2.docx --docx redline.docx --pdf redline.pdf
      colde redline contract_v1.docx contract_v2.docx --review reviewed.review.json --docx redline.docx
    """
    outputs = Outputs(docx=docx, pdf=pdf)
    if not outputs.any:
        raise click.UsageError("name --docx FILE, --pdf FILE or both")
    outputs.check((a, b, review_path))
    check_formats(outputs)
    review = open_review(review_path) if review_path is not None else None
    warm_up_reader(a, b)

    from colde import models
    from colde.report.redline.redline_files import redline_docx, redline_note, redline_pdf

    options = CompareOptions((MODEL,), DETECT, None, BALANCED, (), (), AUTO, password)
    with ProgressBar(settings) as bar:
        comparison, _ = compare_files(bar, a, b, options, models.load)
        if review is not None and review_path is not None:
            comparison = replace(comparison, review=decisions_of(review_path, review, comparison))
        settings.note_comparison(comparison)

        def write_docx() -> bytes:
            bar.stage("tracking changes")
            file = redline_docx(comparison, (Path(a).read_bytes(), Path(b).read_bytes()))
            if file.note and file.note != redline_note(comparison):
                settings.note(f"note: {file.note}")
            return file.data

        if note := redline_note(comparison):
            settings.note(f"note: {note}")
        note_unplaced(settings, comparison)
        outputs.write(settings, json=str, docx=write_docx, pdf=lambda: redline_pdf(comparison))
