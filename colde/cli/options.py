"""Parts that all commands share: common options, names of models and profiles, output files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from colde.errors import ModelError
from colde.judge.profiles import GENERAL, profile_table
from colde.results.prior import BALANCED
from colde.text.document import Role

if TYPE_CHECKING:
    from rich.console import Console

path_parameter = click.Path(path_type=Path)
"""A path that is checked where it is opened, so that its error says what was wanted of it."""


def location_parameter(value: str) -> Path | str:
    """The folder of an index, or its URI as it stands: a path would lose one of the slashes."""
    from colde.index.object_storage import is_uri  # not before an index is asked for

    return value if is_uri(value) else Path(value)


@dataclass
class Settings:
    """Settings of one run of the command line."""

    quiet: bool = False
    debug: bool = False

    def note(self, message: str) -> None:
        """A line for the user beside the result; `--quiet` leaves it out."""
        if not self.quiet:
            click.echo(one_line(message), err=True)


pass_settings = click.make_pass_decorator(Settings)


def _flag(name: str, help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def remember(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value:
            setattr(context.ensure_object(Settings), name, True)

    return click.option(
        f"--{name}", is_flag=True, is_eager=True, expose_value=False, callback=remember, help=help
    )


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--quiet` and `--debug`, and the settings as its first argument."""
    command = _flag("debug", "Show the traceback of an error.")(pass_settings(command))
    return _flag("quiet", "No progress, no notes: only the result and errors.")(command)


profile_option = click.option(
    "--profile",
    metavar="|".join(profile_table()),
    default=GENERAL,
    show_default=True,
    help="The kind of documents, which sets threshold and calibration; or a profile of a checkpoint's own.",
)


def checked_profile(profile: str, names: Sequence[str]) -> str:
    """The profile, if it ships or one of these models has it.

    Raises:
        click.BadParameter: it is not there.
    """
    from colde.comparison.pipeline import check_profile

    try:
        check_profile(profile, names)
    except ModelError as error:
        raise click.BadParameter(str(error), param_hint="--profile") from None
    return profile


password_option = click.option(
    "--password", envvar="COLDE_PASSWORD", help="Opens an encrypted PDF (or set COLDE_PASSWORD)."
)


def model_option(**more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
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


reference_option = click.option(
    "--reference",
    type=path_parameter,
    metavar="DIR",
    help="Judge against the documents of this folder (files or a corpus, no labels) instead of the profile's.",
)


def checked_prior(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Callback of an option that names a share of related pairs."""
    if value is not None and not 0 < value < 1:
        raise click.BadParameter("a share between 0 and 1, such as .05 for five in a hundred")
    return value


prior_option = click.option(
    "--prior",
    type=float,
    metavar="SHARE",
    default=BALANCED,
    show_default=True,
    callback=checked_prior,
    help="The share of pairs that you expect to be related; probabilities are for it, thresholds and verdicts stay.",
)


def include_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--include ROLE,…|all`: what was set aside in reading and shall be compared after all."""
    from colde.text.boilerplate import BOILERPLATE
    from colde.text.section_edits import PLURALS

    names = {name: role for role, plural in PLURALS.items() for name in (role, plural)}
    known = ", ".join(role if role == BOILERPLATE else plural for role, plural in PLURALS.items())

    def resolve(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[Role, ...]:
        asked = [name.strip().lower() for name in (value or "").split(",") if name.strip()]
        if value is not None and not asked:
            raise click.BadParameter(f"name what to include: {known}, or all")
        if unknown := [name for name in asked if name not in names and name != "all"]:
            raise click.BadParameter(f"nothing is set aside as {unknown[0]!r}; there are: {known}, and all")
        return tuple(role for role in PLURALS if "all" in asked or role in {names.get(a) for a in asked})

    return click.option(
        "--include",
        metavar="ROLE,…|all",
        callback=resolve,
        help=f"Compare what is set aside, too: {known} (front matter, acknowledgements and licences), or all.",
    )(command)


def warm_up_reader(*files: str) -> bool:
    """Let the process that reads files begin at once, beside the imports of this one; True if all files are there.

    Where one is missing, reading says so without it.
    """
    there = all(Path(file).is_file() for file in files)
    from colde import ingest

    if there and ingest.sandboxed():
        from colde.ingest import sandbox

        sandbox.warm_up()
    return there


def registered_model(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Callback of an option or argument that names one model or a variant of it, trained or not."""
    from colde import models

    try:
        models.card(value)
    except ModelError as error:
        raise click.BadParameter(str(error)) from None
    return value


def console() -> Console:
    """Standard output for a report; a reader who has had enough of it (`colde … | head`) ends the command quietly."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # Rich would end the program with status 1

    return Output()


def one_line(message: str) -> str:
    """The message on one line, without characters that could steer a terminal (file names may hold any)."""
    return "".join(c if c.isprintable() else " " for c in " ".join(message.split()))
