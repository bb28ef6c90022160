"""How well formats are read that no test document has: documents with truth, converted by other programs.

    .venv/bin/python -m studies.reading.converted_formats ../shared/documents --keep converted

The folder is that of `readers_compared`. Its Word and Markdown files are converted by pandoc (EPUB, OpenDocument, RTF,
LaTeX, DocBook, JATS, TEI, notebooks), LibreOffice and AbiWord (OpenDocument, RTF; LibreOffice also EPUB). Programs
that are not installed are named and left out. With `--keep` the converted files stay, as first files for fuzzing.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from colde.errors import ReadError
from studies.arguments import command_line
from studies.reading.readers_compared import OURS, measure, predict, scorer, table

SECONDS = 120  # for a conversion
PANDOC = {
    "epub3": ".epub", "epub2": ".epub", "odt": ".odt", "rtf": ".rtf", "latex": ".tex", "docbook5": ".xml",
    "jats_archiving": ".xml", "tei": ".xml", "ipynb": ".ipynb",
}  # fmt: skip
"""Formats that pandoc writes, with their suffixes."""


@dataclass(frozen=True, slots=True)
class Maker:
    """A program that converts documents: its name, its command, and the kinds that it writes with their suffixes."""

    name: str
    command: str
    kinds: dict[str, str]
    arguments: Callable[[str, Path, Path], list[str]]


def _pandoc(kind: str, source: Path, target: Path) -> list[str]:
    return ["pandoc", "--standalone", "--to", kind, "--output", str(target), str(source)]


def _libreoffice(kind: str, source: Path, target: Path) -> list[str]:
    folder = str(target.parent)
    return ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", kind,
            "--outdir", folder, str(source)]  # fmt: skip


def _abiword(kind: str, source: Path, target: Path) -> list[str]:
    return ["abiword", f"--to={kind}", "-o", str(target), str(source)]


MAKERS = (
    Maker("pandoc", "pandoc", PANDOC, _pandoc),
    Maker(
        "LibreOffice",
        "soffice",
        {"odt": ".odt", "fodt": ".fodt", "rtf": ".rtf", "epub": ".epub"},
        _libreoffice,
    ),
    Maker("AbiWord", "abiword", {"odt": ".odt", "rtf": ".rtf"}, _abiword),
)


def sources(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Word and Markdown files with their truth."""
    for truth in sorted(folder.glob("*/*.truth.json")):
        for suffix in (".docx", ".md"):
            path = truth.with_name(truth.name.removesuffix(".truth.json") + suffix)
            if path.exists():
                yield path, truth


_WORD = Maker("pandoc", "pandoc", {"docx": ".docx"}, _pandoc)
"""Makes the Word files that the other programs convert, which read no Markdown."""


def convert(maker: Maker, kind: str, source: Path, folder: Path) -> Path | None:
    """The converted file; None where it cannot be made or, which is printed, not be read."""
    folder.mkdir(parents=True, exist_ok=True)
    if source.suffix == ".md" and maker.command != "pandoc":
        word = convert(_WORD, "docx", source, folder)
        if word is None:
            return None
        source = word
    target = folder / (source.stem + maker.kinds[kind])
    try:
        subprocess.run(
            maker.arguments(kind, source, target), capture_output=True, timeout=SECONDS, check=True
        )
    except (subprocess.SubprocessError, OSError):
        return None
    try:
        predict(target)
    except ReadError as error:
        print(f"{kind} by {maker.name}: {error}")
        return None
    return target


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keep", type=Path, help="folder for the converted files")
    asked = parser.parse_args()
    score = scorer(asked.folder).score
    missing = [maker.name for maker in MAKERS if shutil.which(maker.command) is None]
    if missing:
        print("not installed:", ", ".join(missing))
    rows = {}
    with tempfile.TemporaryDirectory() as temporary:
        kept = asked.keep or Path(temporary)
        for maker in MAKERS:
            for kind in maker.kinds if maker.name not in missing else ():
                made = [
                    (path, truth)
                    for source, truth in sources(asked.folder)
                    if (path := convert(maker, kind, source, kept / f"{maker.name}-{kind}")) is not None
                ]
                if made:
                    rows[f"{kind} by {maker.name} ({len(made)})"] = measure(OURS, made, score, None)
    print(f"\n{table('documents', rows)}")


if __name__ == "__main__":
    main()
