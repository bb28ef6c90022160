"""`colde new-model`: the files of a model that passes the contract at once, to begin from."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from colde.cli.options import Settings, common_options, path_option
from colde.cli.output_files import write_text

CHECKOUT = Path("colde/models/registry.py")
"""Path of a file that marks the program's own checkout: there a new model joins those of the program."""


@click.command("new-model")
@click.argument("name")
@path_option("--into", "DIR", "Write a package of its own into this folder.")
@common_options
def new_model(settings: Settings, name: str, into: Path | None) -> None:
    """Write the files of a new model: class, description with recipe, and test.

    In a checkout of the program they join its models; elsewhere they are a small package that adds the model by an
    entry point once it is installed. The model they hold compares shared words; replace what it does.

    \b
    Example:
      colde new-model jaccard
    """
    _check_name(name)
    inside = into is None and CHECKOUT.is_file()
    folder = Path(into or (name if not inside else "."))
    targets = _checkout(name) if inside else _package(folder, name)
    _check_free([*targets, *(_same_name(name) if inside else ())])
    values = {
        "name": name,
        "module": f"colde.models.{name}" if inside else name,
        "class_name": "".join(part.title() for part in name.split("_")),
        "title": name.replace("_", " ").capitalize(),
    }
    for target, template in targets.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        text = files(__package__).joinpath(template).read_text(encoding="utf-8")
        write_text(target, Template(text).substitute(values))
        settings.note(f"wrote {target}")
    test = next(target for target, template in targets.items() if template == "test.py.txt")
    settings.note(f"test it:  python -m pytest {test}")
    if not inside:
        settings.note(f"add it:   pip install --no-deps --editable {folder}")
    settings.note(f"fit it:   colde train {name} --corpus DIR --output checkpoint")
    settings.note("use it:   colde compare A B --model checkpoint")


def _same_name(name: str) -> list[Path]:
    """Where the program may have a module or a package of this name: no two share one."""
    return [Path("colde/models") / name, *Path("colde").rglob(f"{name}.py")]


def _check_free(paths: Iterable[Path]) -> None:
    for path in paths:
        if path.exists():
            raise click.UsageError(f"{path} exists; name another model, or another folder with --into")


def _check_name(name: str) -> None:
    from colde.models.registry import specs

    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise click.BadParameter(f"{name!r} is no Python module: use small letters, digits and underscores")
    if name in specs():
        raise click.BadParameter(f"there is a model named {name} already")


def _checkout(name: str) -> dict[Path, str]:
    return {
        Path("colde/models") / f"{name}.py": "model.py.txt",
        Path("colde/models") / f"{name}.toml": "model.toml.txt",
        Path("tests/models") / f"test_{name}.py": "test.py.txt",
    }


def _package(folder: Path, name: str) -> dict[Path, str]:
    return {
        folder / "pyproject.toml": "pyproject.toml.txt",
        folder / f"{name}.py": "model.py.txt",
        folder / f"{name}.toml": "model.toml.txt",
        folder / f"test_{name}.py": "test.py.txt",
    }
