"""Options and arguments that several commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from colde.encoders.encoder_names import AUTO
from colde.errors import ModelError
from colde.judge.profiles import DETECT, GENERAL, profile_table
from colde.results.verdicts.prior import BALANCED
from colde.text.document import Role

if TYPE_CHECKING:
    from rich.console import Console

    from colde.results.comparison import Comparison

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What `click.option` returns."""

path_parameter = click.Path(path_type=Path)
"""A path that is checked where it is opened, so that the error names what it is for."""


def location_parameter(value: str) -> Path | str:
    """The folder of an index, or its URI as it stands: a path would lose one of the slashes."""
    from colde.index.storage.index_storage import is_uri  # not before an index is asked for

    return value if is_uri(value) else Path(value)


@dataclass
class Settings:
    """Settings of one run of the command line."""

    quiet: bool = False
    debug: bool = False

    def note(self, message: str) -> None:
        """Print a line to standard error, unless `--quiet` is given."""
        if not self.quiet:
            print_error(message)

    def note_warnings(self, name: str, warnings: Iterable[object]) -> None:
        """Print a line for each warning of a document: `colde: a.pdf: page 2 has no text`."""
        for warning in warnings:
            self.note(f"colde: {name}: {warning}")

    def note_comparison(self, comparison: Comparison) -> None:
        """Print a line for each warning of the two documents of a comparison."""
        for document, warnings in zip(
            (comparison.a, comparison.b), comparison.warnings.values(), strict=True
        ):
            self.note_warnings(document.source, warnings)


def print_error(message: str) -> None:
    """Print a line to standard error; where nobody reads it any more, nothing more is printed, and the work goes on."""
    try:
        click.echo(one_line(message), err=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


pass_settings = click.make_pass_decorator(Settings)


def _flag(name: str, help: str) -> Option:
    def remember(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value:
            setattr(context.ensure_object(Settings), name, True)

    return click.option(
        f"--{name}", is_flag=True, is_eager=True, expose_value=False, callback=remember, help=help
    )


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--quiet` and `--debug`, and the settings as first argument."""
    command = _flag("debug", "Show the traceback of an error.")(pass_settings(command))
    return _flag("quiet", "No progress, no notes: only the result and errors.")(command)


profile_option = click.option(
    "--profile",
    metavar="|".join((DETECT, *profile_table())),
    default=DETECT,
    show_default=True,
    help="The kind of documents, which sets threshold and calibration: auto detects it, general is for all kinds "
    "together. Or name a profile that a checkpoint contains.",
)


fitted_profile_option = click.option(
    "--profile",
    metavar="|".join(profile_table()),
    default=GENERAL,
    show_default=True,
    help="The kind of documents, which sets threshold and calibration. Or name a profile that a checkpoint contains.",
)
"""As `profile_option`, for commands that do not judge single pairs."""


def checked_profile(profile: str, names: Sequence[str]) -> str:
    """The profile, which ships or is one of these models'.

    Raises:
        click.BadParameter: there is none of that name.
    """
    from colde.comparison.checks import check_profile

    try:
        check_profile(profile, names)
    except ModelError as error:
        raise click.BadParameter(str(error), param_hint="--profile") from None
    return profile


def path_option(names: str, metavar: str, help: str, **more: Any) -> Option:
    """An option whose value is a path.

    Args:
        names: the option, and the name of its parameter where it is another: `--json json_path`.
    """
    return click.option(*names.split(), type=path_parameter, metavar=metavar, help=help, **more)


def json_flag(help: str) -> Option:
    """`--json`: the result as JSON on standard output, as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=help)


password_option = click.option(
    "--password", envvar="COLDE_PASSWORD", help="Opens an encrypted PDF (or set COLDE_PASSWORD)."
)


def model_option(**more: Any) -> Option:
    """`--model NAME,…|all`, resolved to the names of trained models; the defaults where it is not given."""

    def resolve(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
        from colde import models

        return models.resolve(value)

    return click.option(
        "--model",
        "names",
        metavar="NAME,…|all",
        callback=resolve,
        help="Models by name, or all trained ones; see colde models.",
        **more,
    )


reference_option = path_option(
    "--reference",
    "DIR",
    "Judge against the documents of this folder (files or a corpus, no labels) instead of the profile's.",
)


encoder_option = click.option(
    "--encoder",
    metavar="auto|packaged|multilingual|NAME|FOLDER",
    default=AUTO,
    show_default=True,
    help="The sentence encoder: a folder in Hugging Face's format, or a name where a hub can be reached. auto: the "
    "packaged one for English texts, and for others the multilingual one if colde-explorer[languages] is "
    "installed.",
)


class FilesOption(click.Option):
    """An option of one file or several: `A B --template FILE FILE`, or `--template FILE --template FILE A B`.

    Several files after one name are taken where what they belong to stands before it: two documents, or a folder.
    """

    def add_to_parser(self, parser: Any, context: click.Context) -> None:
        super().add_to_parser(parser, context)
        option = next(o for name, o in parser._long_opt.items() if name in self.opts)
        take_one = option.process

        def take(value: Any, state: Any) -> None:
            take_one(value, state)
            complete = len(state.largs) >= 2 or any(Path(name).is_dir() for name in state.largs)
            while complete and state.rargs and not state.rargs[0].startswith("-"):
                take_one(state.rargs.pop(0), state)

        option.process = take


template_option = click.option(
    "--template",
    "templates",
    cls=FilesOption,
    multiple=True,
    metavar="FILE…",
    help="Set aside the text of these files: a form, a cover sheet, standard terms.",
)


class Share(click.types.FloatParamType):
    """A share of related pairs, above 0 and below 1."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> float:
        share: float = super().convert(value, parameter, context)
        if not 0 < share < 1:
            self.fail("a share between 0 and 1, such as 0.05 for five in a hundred", parameter, context)
        return share


prior_option = click.option(
    "--prior",
    type=Share(),
    metavar="SHARE",
    default=BALANCED,
    show_default=True,
    help=(
        "The share of pairs that you expect to be related. Probabilities are computed for it; thresholds and "
        "verdicts of the models stay the same."
    ),
)


def split_list(value: str | None) -> list[str]:
    """The names in a comma list."""
    return [name.strip() for name in (value or "").split(",") if name.strip()]


def include_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--include ROLE,…|all`: what was set aside in reading and shall be compared after all."""
    from colde.text.sections.section_edits import role_names

    return click.option(
        "--include",
        metavar="ROLE,…|all",
        callback=_parse_roles,
        help=f"Compare what is set aside, too: {', '.join(role_names())}, or all. Boilerplate is front matter, "
        "acknowledgements, licences and standard sentences; standard is text of many documents of the reference.",
    )(command)


def _parse_roles(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[Role, ...]:
    from colde.text.sections.section_edits import parse_roles

    try:
        return () if value is None else parse_roles(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def warm_up_reader(*files: str) -> bool:
    """Start the process that reads files while this one imports; return whether all files exist.

    Without one of them nothing is read, so no process is started.
    """
    all_exist = all(Path(file).is_file() for file in files)
    from colde import ingest

    if all_exist and ingest.sandboxed():
        from colde.ingest import sandbox

        sandbox.warm_up()
    return all_exist


def registered_model(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Callback of an option or argument that names one model or a variant of it, trained or not."""
    from colde import models

    try:
        models.card(value)
    except ModelError as error:
        raise click.BadParameter(str(error)) from None
    return value


def console() -> Console:
    """Standard output for a report; the command ends without an error where it is closed (`colde … | head`)."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # Rich would end the program with status 1

    return Output()


def one_line(message: str) -> str:
    """The message on one line, without characters that could steer a terminal (file names may hold any)."""
    return "".join(c if c.isprintable() else " " for c in " ".join(message.split()))
