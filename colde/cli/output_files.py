"""Output files: never over an input, each whole or not at all, nothing in them that could steer a terminal."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import click

_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def check_outputs(inputs: Iterable[str | Path | None], *targets: Path | None) -> None:
    """Say now, not after minutes of work, that an output file cannot be written or is one of the inputs.

    Args:
        inputs: files and folders that are read; None is passed over.
        targets: files that will be written; None is passed over.

    Raises:
        click.UsageError: the folder is missing or closed, the target is a folder, an input (by whatever name), or
            named twice.
    """
    wanted = [t for t in targets if t is not None]
    for k, target in enumerate(wanted):
        folder = target.resolve().parent
        if target.is_dir():
            raise click.UsageError(f"{target} is a folder: name a file")
        if not folder.is_dir():
            raise click.UsageError(f"{target} cannot be written: there is no folder {target.parent}")
        if not os.access(folder, os.W_OK):
            raise click.UsageError(f"{target} cannot be written: the folder {target.parent} is closed to you")
        if any(same_file(target, other) for other in wanted[:k]):
            raise click.UsageError(f"{target} is named for two results: give each a file of its own")
    check_inputs_kept(inputs, wanted)


def check_inputs_kept(inputs: Iterable[str | Path | None], targets: Iterable[Path]) -> None:
    """Refuse targets that are an input, or a file in a folder that is one.

    Raises:
        click.UsageError: with the target's name.
    """
    read = [Path(i) for i in inputs if i is not None]
    for target in targets:
        for source in read:
            if same_file(target, source) or (source.is_dir() and _contains_file(source, target)):
                raise click.UsageError(f"{target} is an input and would be overwritten: name another file")


def same_file(one: Path, other: Path) -> bool:
    """Whether two names lead to one regular file, through links of either kind; names of no file by their places."""
    try:
        if one.exists() and other.exists():
            return one.is_file() and one.samefile(other)
        return one.resolve() == other.resolve()
    except (OSError, ValueError):  # a name no file can have
        return False


def _contains_file(folder: Path, target: Path) -> bool:
    return any(same_file(target, inside) for inside in folder.iterdir() if inside.is_file())


Content = str | bytes | Iterable[str]
"""What a file holds: a text, bytes, or the pieces of a long text."""


def write_text(target: Path, text: str | Iterable[str]) -> None:
    """Write a file whole or not at all; what is no regular file (a pipe, /dev/null) is written straight.

    Raises:
        click.UsageError: it cannot be written.
    """
    write_files([(target, text)])


def write_files(files: Iterable[tuple[Path, Content]]) -> None:
    """Write several files, all of them or none: under other names first, which then become theirs.

    Args:
        files: can be an iterator: each file is written before the next is made.

    Raises:
        click.UsageError: one of them cannot be written.
    """
    ready: list[tuple[Path, Path]] = []
    target = Path()
    try:
        for target, content in files:
            path = target.resolve()
            if path.exists() and not path.is_file():
                with path.open("wb") as file:
                    file.writelines(_encoded(content))
            else:
                ready.append((_write_temporary(path, content), path))
        for temporary, path in ready:
            os.replace(temporary, path)
    except OSError as error:
        raise click.UsageError(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        for temporary, _ in ready:
            temporary.unlink(missing_ok=True)


def _encoded(content: Content) -> Iterator[bytes]:
    pieces = (content,) if isinstance(content, str | bytes) else content
    return (piece if isinstance(piece, bytes) else piece.encode("utf-8") for piece in pieces)


def _write_temporary(path: Path, content: Content) -> Path:
    """The content in a new file beside `path`, with the rights a new file gets."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(_encoded(content))
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def escape_control_characters(json_text: str) -> str:
    """Spell control and bidirectional characters of JSON as \\uXXXX: they could steer a terminal."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text)


def print_json(json_text: str | Iterable[str]) -> None:
    """JSON, or its pieces, on standard output: all of it, or an error.

    An unbuffered stream may take a part of a piece and return its length.

    Raises:
        click.UsageError: standard output takes no more, because the disk is full for example.
    """
    sys.stdout.flush()
    stream = sys.stdout.buffer
    pieces = (json_text,) if isinstance(json_text, str) else json_text
    try:
        for piece in chain(map(escape_control_characters, pieces), ["\n"]):
            rest = memoryview(piece.encode())
            while rest:
                taken = stream.write(rest)
                if not taken:
                    raise OSError("it takes no more")
                rest = rest[taken:]
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.UsageError(f"standard output cannot be written: {error.strerror or error}") from error
