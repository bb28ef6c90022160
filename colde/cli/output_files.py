"""Output files: none overwrites an input, each is written completely or not at all, and JSON steers no terminal."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import Any

import click

from colde.cli.options import Settings, path_option, print_error
from colde.errors import ColdeError, MissingExtraError

STANDARD_OUTPUT = Path("-")

_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def check_outputs(inputs: Iterable[str | Path | None], *targets: Path | None) -> None:
    """Refuse an output file that cannot be written or is one of the inputs, before minutes of work.

    Args:
        inputs: files and folders that are read, or None.
        targets: files that will be written, or None.

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
            raise click.UsageError(
                f"{target} cannot be written: you have no permission to write to the folder {target.parent}"
            )
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
    """Whether two names lead to one regular file, through links of either kind; names without a file are compared."""
    try:
        if one.exists() and other.exists():
            return one.is_file() and one.samefile(other)
        return one.resolve() == other.resolve()
    except (OSError, ValueError):  # a name no file can have
        return False


def _contains_file(folder: Path, target: Path) -> bool:
    return any(same_file(target, inside) for inside in folder.iterdir() if inside.is_file())


@dataclass(frozen=True, slots=True)
class Outputs:
    """Paths of the results; None for what is not asked for.

    Attributes:
        json, jsonl: a file, compressed where its name ends with `.gz`, or `STANDARD_OUTPUT`.
        csv: a folder for tables.
        table: a file for the only table, as CSV; xlsx: the same as a spreadsheet.
        matrix: an image, SVG or PNG by its ending.
    """

    json: Path | None = None
    html: Path | None = None
    csv: Path | None = None
    table: Path | None = None
    xlsx: Path | None = None
    graphml: Path | None = None
    docx: Path | None = None
    pdf: Path | None = None
    matrix: Path | None = None
    jsonl: Path | None = None

    @property
    def files(self) -> tuple[Path | None, ...]:
        """All that is a file on disk."""
        data = (None if target == STANDARD_OUTPUT else target for target in (self.json, self.jsonl))
        return *data, self.html, self.table, self.xlsx, self.graphml, self.docx, self.pdf, self.matrix

    @property
    def any(self) -> bool:
        """Whether a result is asked for, so that no report is printed."""
        return any(target is not None for target in (*self.files, self.json, self.jsonl, self.csv))

    def check(self, inputs: Iterable[str | Path | None]) -> None:
        """Refuse outputs that cannot be written, before minutes of work.

        Raises:
            click.UsageError: as `check_outputs`; or the folder for tables is a file, or two results are to be printed.
        """
        if self.json == self.jsonl == STANDARD_OUTPUT:
            raise click.UsageError("--json and --jsonl cannot both be printed: name a file for one of them")
        check_outputs(inputs, *self.files)
        if self.csv is not None and self.csv.exists() and not self.csv.is_dir():
            raise click.UsageError(f"{self.csv} is a file: name a folder for the tables")

    def write(
        self,
        settings: Settings,
        *,
        json: Callable[[], str | Iterable[str]],
        jsonl: Callable[[], Iterable[str]] = tuple,
        tables: Callable[[], Iterable[tuple[str, str]]] = tuple,
        inputs: Sequence[str | Path | None] = (),
        **contents: Callable[[], Content],
    ) -> None:
        """Write the results that are asked for; only these are made. One that fails does not keep the others back.

        Args:
            tables: names and contents of the tables.
            inputs: files that no table may overwrite.
            contents: of the other files, by the names of their attributes.

        Raises:
            Exception: the first that making or writing a result raised, after all others were written. A line on
                standard error names each result that is not written.
        """
        failures: list[Exception] = []

        @contextmanager
        def writing(target: Path) -> Iterator[None]:
            try:
                yield
                settings.note(f"wrote {target}")
            except BrokenPipeError:
                raise
            except Exception as error:
                if failures or not isinstance(error, click.ClickException):
                    print_error(f"colde: {target} is not written: {error_text(error)}")
                failures.append(error)

        if self.csv is not None:
            with writing(self.csv):
                _write_tables(self.csv, tables(), inputs)
        if self.json not in (None, STANDARD_OUTPUT):
            contents["json"] = lambda: _json_content(self.json, json())
        if self.jsonl not in (None, STANDARD_OUTPUT):
            contents["jsonl"] = lambda: _json_content(self.jsonl, jsonl())
        for name in self.__dataclass_fields__:
            target = getattr(self, name)
            if target is not None and name in contents:
                with writing(target):
                    write_text(target, contents[name]())
        if self.json == STANDARD_OUTPUT:  # last, since who reads it may close it
            print_json(json())
        if self.jsonl == STANDARD_OUTPUT:
            print_json(jsonl(), end="")
        if failures:
            raise failures[0]


def _json_content(target: Path | None, text: str | Iterable[str]) -> Content:
    pieces = map(escape_control_characters, _pieces(text))
    return _gzipped(pieces) if target is not None and target.suffix == ".gz" else pieces


def _gzipped(pieces: Iterable[str]) -> Iterator[bytes]:
    compressor = zlib.compressobj(wbits=31)  # the format of gzip
    for piece in pieces:
        yield compressor.compress(piece.encode())
    yield compressor.flush()


def _pieces(text: str | Iterable[str]) -> Iterable[str]:
    return (text,) if isinstance(text, str) else text


def error_text(error: Exception) -> str:
    """What an exception says, with its kind where that is no error of the user's."""
    if isinstance(error, click.ClickException):
        return error.format_message()
    return str(error) if isinstance(error, ColdeError) else f"{type(error).__name__}: {error}"


IMAGE_SUFFIXES = (".svg", ".png")
OPTIONS = (
    path_option(
        "--json",
        "FILE|-",
        "Everything as JSON, compressed if FILE ends with .gz; - prints it and nothing else.",
    ),
    path_option(
        "--jsonl",
        "FILE|-",
        "A line of JSON for each document, score, shared passage and change, or pair; - prints them.",
    ),
    path_option("--html", "FILE", "One self-contained page."),
    path_option("--docx", "FILE", "The report as a Word document."),
    path_option("--pdf", "FILE", "The report as PDF."),
    path_option("--csv", "DIR", "A folder of tables: scores, shared passages, maps."),
    path_option(
        "--matrix", "FILE.svg|FILE.png", "An image of a map with its labels and scale (see --matrix-map)."
    ),
    path_option("--graphml", "FILE", "For many documents: a graph of the similar ones."),
)


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that name files, as `outputs`."""

    @wraps(command)
    def run(*positional: Any, **given: Any) -> Any:
        outputs = Outputs(**{name: given.pop(name) for name in Outputs.__dataclass_fields__ if name in given})
        check_formats(outputs)
        return command(*positional, outputs=outputs, **given)

    decorated: Callable[..., Any] = run
    for option in reversed(OPTIONS):
        decorated = option(decorated)
    return decorated


def check_formats(outputs: Outputs) -> None:
    """Refuse files that cannot be made here, before minutes of work.

    Raises:
        click.UsageError: an image of another format.
        MissingExtraError: the packages for PDF and PNG are not installed.
    """
    suffix = "" if outputs.matrix is None else outputs.matrix.suffix.lower()
    if outputs.matrix is not None and suffix not in IMAGE_SUFFIXES:
        raise click.UsageError(f"{outputs.matrix} must end with {' or '.join(IMAGE_SUFFIXES)}")
    if outputs.pdf is not None or suffix == ".png":
        from colde.report.printed.typesetting import MISSING_EXTRA, can_typeset

        if not can_typeset():
            raise MissingExtraError(MISSING_EXTRA)


def _write_tables(
    folder: Path, tables: Iterable[tuple[str, str]], inputs: Sequence[str | Path | None]
) -> None:
    def files() -> Iterator[tuple[Path, str]]:
        for name, table in tables:
            check_inputs_kept(inputs, [folder / name])
            yield folder / name, table

    make_folder(folder)
    write_files(files())


def make_folder(folder: Path) -> None:
    """Make a folder where there is none.

    Raises:
        click.UsageError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be made: {error.strerror or error}") from error


Content = str | bytes | Iterable[str | bytes]
"""What a file holds: a text, bytes, or pieces of them."""


def write_text(target: Path, text: Content) -> None:
    """Write a file completely or not at all; what is no regular file (a pipe, /dev/null) is written directly.

    Raises:
        click.UsageError: it cannot be written.
    """
    write_files([(target, text)])


def write_files(files: Iterable[tuple[Path, Content]]) -> None:
    """Write all of several files or none: each under a temporary name first.

    Args:
        files: may be an iterator: each file is written before the next is made.

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
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", json_text)


def indented_json(value: Any) -> str:
    """Strict JSON (no NaN) with a line for each field."""
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)


def print_json(json_text: str | Iterable[str], end: str = "\n") -> None:
    """Write JSON or its pieces, and `end`, to standard output completely.

    An unbuffered stream may take a part of a piece and return its length.

    Raises:
        click.UsageError: standard output takes no more, because the disk is full for example.
    """
    sys.stdout.flush()
    stream = sys.stdout.buffer
    try:
        for piece in chain(map(escape_control_characters, _pieces(json_text)), [end]):
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
