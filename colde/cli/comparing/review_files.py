"""Review files as an input of commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from colde.cli.options import Settings

if TYPE_CHECKING:
    from colde.report.content.review_export import Review
    from colde.results.comparison import Comparison
    from colde.results.saved.review_decisions import Decisions


def open_review(file: Path) -> Review:
    """The review of a file.

    Raises:
        click.UsageError: it cannot be read.
    """
    from colde.report.content.review_export import MAX_FILE_BYTES, ReviewError, read_review
    from colde.strict_json import JsonError, read_limited

    try:
        return read_review(read_limited(file, MAX_FILE_BYTES))
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}") from error
    except (ReviewError, JsonError) as error:
        raise click.UsageError(f"{file}: {error}") from error


def decisions_of(file: Path, review: Review, comparison: Comparison) -> Decisions:
    """The decisions of a review about this pair, in either order of its texts."""
    a, b = comparison.a, comparison.b
    if review.fits(a, b):
        return review.decisions
    if review.fits(b, a):
        return review.decisions.swapped()
    raise click.UsageError(f"{file} is a review of other texts, or of another version of these")


def note_unplaced(settings: Settings, comparison: Comparison) -> None:
    """Print how many decisions are on passages that are not in the list."""
    from colde.report.content.reviewed_passages import unplaced_note

    if note := unplaced_note(comparison):
        settings.note(f"note: {note}")
