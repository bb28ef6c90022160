"""The page of all commands, from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from colde.cli import cli
from colde.ingest.formats import FORMATS, format_labels
from studies.tables import markdown_table


def command_reference() -> str:
    """A section for each command: usage, help, example, and a table of its options."""
    return "\n\n".join(_section(path, command) for path, command in commands())


def commands() -> Iterator[tuple[str, click.Command]]:
    """All commands that do something, with their names: `colde index add`."""
    yield from _below("colde", cli)


def options(command: click.Command) -> list[click.Option]:
    """The options of a command that its help shows."""
    return [p for p in command.params if isinstance(p, click.Option) and not p.hidden]


def reading_formats() -> str:
    """A table of the formats that are read, with the suffixes of their files."""
    rows = ([row.label, " ".join(f"`{s}`" for s in row.suffixes)] for row in FORMATS)
    return markdown_table(["format", "suffixes"], rows)


def _below(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield name, command
        return
    for part, sub in sorted(command.commands.items()):
        yield from _below(f"{name} {part}", sub)


def _section(path: str, command: click.Command) -> str:
    context = click.Context(command, info_name=path)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    text, example = _help_parts(command)
    parts = [f"## {path}", text, f"```text\n{usage}\n```"]
    if example:
        parts.append(f"Example:\n\n```text\n{example}\n```")
    rows = [[_names(option), _describe(option)] for option in options(command)]
    parts.append(markdown_table(["option", "meaning"], rows))
    return "\n\n".join(parts)


def _help_parts(command: click.Command) -> tuple[str, str]:
    """The text of a help as Markdown, and its example."""
    text = inspect.cleandoc(command.help or "").replace("FORMATS", format_labels())
    text, _, example = text.partition("\b\nExample:\n")
    paragraphs = []
    for paragraph in text.split("\n\n"):
        kept = paragraph.strip()
        if kept.startswith("\b\n"):
            paragraphs.append(f"```text\n{kept.removeprefix(chr(8) + chr(10))}\n```")
        elif kept:
            paragraphs.append(" ".join(kept.split()))
    return "\n\n".join(paragraphs), inspect.cleandoc(f"\n{example}") if example else ""


def _names(option: click.Option) -> str:
    value = "" if option.is_flag or option.count else f" {option.metavar or option.type.name.upper()}"
    return ", ".join(f"`{name}{value}`" for name in (*option.opts, *option.secondary_opts)).replace(
        "|", "\\|"
    )


def _describe(option: click.Option) -> str:
    words = " ".join((option.help or "").split()).replace("|", "\\|").replace("<", "&lt;")
    extra = option.get_help_extra(click.Context(click.Command("colde")))
    notes = [f"default `{extra['default']}`"] if "default" in extra else []
    if isinstance(option.type, click.Choice):
        notes.append("one of " + ", ".join(f"`{c}`" for c in option.type.choices))
    if option.multiple:
        notes.append("may be given several times")
    if option.required:
        notes.append("required")
    return f"{words} ({'; '.join(notes)})" if notes else words
