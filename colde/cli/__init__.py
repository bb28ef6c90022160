"""The command line: `colde COMMAND …`.

Every command is a file in a folder here. This file runs them, and turns their end into an exit status and an error
into one line on standard error.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path

import click

import colde
from colde.cli.comparing import chart, compare, history, ledger, read, redline, verify, what_if
from colde.cli.indexes import encode, encode_corpus, index, sources
from colde.cli.models_and_corpora import corpus, evaluate, fit, mistakes, models, new_model, score, train
from colde.cli.options import Settings, print_error
from colde.cli.serving import app, mcp, serve
from colde.errors import Cancelled, CheckpointError, ColdeError, CorpusError, ReadError, StoreError

DONE, BUG, USAGE, UNREADABLE, INTERRUPTED = 0, 1, 2, 3, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(colde.__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Compare two long documents, and see why they are alike.

    \b
    Example:
      colde compare report.pdf draft.docx
    """


for command in (
    read.read,
    compare.compare,
    redline.redline,
    verify.verify,
    what_if.what_if,
    chart.chart,
    ledger.ledger,
    models.models,
    corpus.corpus,
    train.train,
    fit.fit,
    score.score,
    evaluate.evaluate,
    mistakes.mistakes,
    encode.encode,
    index.index,
    sources.sources,
    history.history,
    encode_corpus.encode_corpus,
    app.app,
    serve.serve,
    mcp.mcp,
    new_model.new_model,
):
    cli.add_command(command)


def main(args: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status.

    0 done, 2 usage, 3 an input that cannot be read or compared, 4 a report that differs, 130 interrupted, 1 a bug.
    """
    settings = Settings()
    _open_closed_streams()
    _tolerate_narrow_encodings()
    try:
        with warnings.catch_warnings():
            if not sys.warnoptions:
                warnings.simplefilter("ignore")  # warnings of libraries are for programmers
            return _run(list(sys.argv[1:] if args is None else args), settings)
    except (Exception, KeyboardInterrupt) as error:
        status, message = _status_and_message(error)
        _discard_stdout()
        if settings.debug:
            traceback.print_exc()
        print_error(f"colde: {message}")
        return status


def _run(args: list[str], settings: Settings) -> int:
    try:
        with cli.make_context("colde", args, obj=settings) as context:
            _check_current_folder()
            cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:  # --help and --version
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return USAGE
    except BrokenPipeError:  # `colde … | head` has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _check_current_folder() -> None:
    """Raise UsageError where the current folder was removed: neither torch nor names of files work there."""
    try:
        Path.cwd()
    except OSError as error:
        raise click.UsageError(
            f"the current folder cannot be used ({error.strerror}): change to another folder"
        ) from None


def _open_closed_streams() -> None:
    """Send to nowhere what is written to a stream that the caller closed (`colde … >&-`).

    Else the next file that is opened would take the place of the stream.
    """
    for number, name in ((0, "stdin"), (1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, open(number, "r" if number == 0 else "w", encoding="utf-8"))  # noqa: SIM115, PTH123


def _discard_stdout() -> None:
    """Drop what standard output did not take; the interpreter would try again at its end and hide the exit status."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_UNUSABLE_NAMES = (errno.ENAMETOOLONG, errno.EACCES, errno.EPERM)
_MAX_NAME = 80  # characters of a file name in a message


def _status_and_message(error: BaseException) -> tuple[int, str]:
    """Exit status and message of the error that stopped a command."""
    match error:
        case click.UsageError():
            hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
            return USAGE, error.format_message().removesuffix(".") + hint
        case click.ClickException():
            return USAGE, error.format_message()
        case KeyboardInterrupt() | click.Abort() | Cancelled():
            return INTERRUPTED, "interrupted"
        case ReadError() | CorpusError() | CheckpointError() | StoreError():
            return UNREADABLE, str(error)
        case ColdeError():  # a model that is missing or not trained, an extra that is not installed
            return USAGE, str(error)
        case OSError() if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return (
                USAGE,
                f"there is no room left on the disk ({error.strerror}): free some, or name another place",
            )
        case OSError() if error.errno in _UNUSABLE_NAMES and error.filename is not None:
            file_name = os.fsdecode(error.filename)
            shown = file_name if len(file_name) <= _MAX_NAME else f"{file_name[:_MAX_NAME]}…"
            return USAGE, f"{shown} cannot be used ({error.strerror}): check its name and its permissions"
        case _:
            return BUG, (
                f"this is a bug: {type(error).__name__}: {error}: "
                "please report it with what --debug prints for the same command"
            )


def _tolerate_narrow_encodings() -> None:
    """Print a question mark for a character that the terminal cannot show, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
