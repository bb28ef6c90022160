"""Whether LibreOffice accepts the changes of a redline to the newer text, and rejects them to the older one.

    .venv/bin/python -m studies.redlines.libreoffice_check ../shared/reports

Needs LibreOffice (Debian's libreoffice-writer-nogui). The pairs are Word files of the folder and of our own with edited
versions, and samples as text. LibreOffice also writes the two versions of a pair anew, so that what it changes in any
file counts as no difference.
"""

from __future__ import annotations

import io
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import docx

import colde
from colde.alignment.document_alignment import align
from colde.ingest import read
from colde.ingest.docx.names import W
from colde.ingest.files.xml_parsing import parse_xml
from colde.report.redline.docxodus import track_changes
from colde.report.redline.redline_pieces import redline_paragraphs
from colde.report.redline.tracked_text import tracked_text
from studies.arguments import command_line
from studies.tables import markdown_table
from tests.ingest.docx_samples import parts_of
from tests.report.redline.edited_word_files import edited
from tests.report.redline.test_redline_files import REPORTS, rules, with_notes

MADE = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
EDITS = 12
SECONDS = 600
ACCEPT, REJECT, KEEP = ".uno:AcceptAllTrackedChanges", ".uno:RejectAllTrackedChanges", ""
TRACKED = ("ins", "del", "moveFrom", "moveTo")
MODULE = """<?xml version="1.0" encoding="UTF-8"?>
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Sub Resolve(jobs As String)
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  Dim word(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden"
  hidden(0).Value = True
  word(0).Name = "FilterName"
  word(0).Value = "MS Word 2007 XML"
  dispatcher = createUnoService("com.sun.star.frame.DispatchHelper")
  number = FreeFile
  Open jobs For Input As number
  Do While Not Eof(number)
    Line Input #number, job
    If Len(job) &gt; 0 Then
      parts = Split(job, "|")
      document = StarDesktop.loadComponentFromURL(parts(0), "_blank", 0, hidden())
      If Len(parts(2)) &gt; 0 Then
        dispatcher.executeDispatch(document.CurrentController.Frame, parts(2), "", 0, Array())
      End If
      document.storeToURL(parts(1), word())
      document.close(True)
    End If
  Loop
  Close number
End Sub
</script:module>
"""
LIBRARY = """<?xml version="1.0" encoding="UTF-8"?>
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false"
 library:passwordprotected="false"><library:element library:name="Module1"/></library:library>
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two versions as Word files, and their redline."""

    name: str
    older: bytes
    newer: bytes
    redline: bytes


def pairs(folder: Path) -> Iterator[Pair]:
    """Word files with edited versions, then samples as text."""
    files = {name: (folder / name).read_bytes() for name in REPORTS}
    files |= {"our own: lists and a table": rules(), "our own: notes": with_notes()}
    for name, older in files.items():
        newer = edited(older, 1, EDITS)
        yield Pair(name, older, newer, track_changes(older, newer, "x", MADE))
    for one, two in (("licence_v1.md", "licence_v2.md"), ("battery_oil.md", "battery_wax.md")):
        a, b = (colde.read(f"assets/samples/{name}") for name in (one, two))
        redline = tracked_text(redline_paragraphs(align(a, b)), (), "x", MADE)
        yield Pair(f"text: {one}", plain(a.text), plain(b.text), redline)


def plain(text: str) -> bytes:
    """A Word file of the lines of a text."""
    document = docx.Document()
    for line in text.split("\n"):
        document.add_paragraph(line)
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def written_by_libreoffice(files: dict[str, tuple[bytes, str]]) -> dict[str, bytes]:
    """Word files as LibreOffice writes them after a command, by their names."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run_libreoffice(folder, "--terminate_after_init")  # makes a profile, over any macro in it
        macros = folder / "profile" / "user" / "basic" / "Standard"
        macros.mkdir(parents=True, exist_ok=True)
        (macros / "Module1.xba").write_text(MODULE, encoding="utf-8")
        (macros / "script.xlb").write_text(LIBRARY, encoding="utf-8")
        jobs = []
        for number, (data, command) in enumerate(files.values()):
            (folder / f"{number}.docx").write_bytes(data)
            urls = [f"file://{quote(str(folder / f'{number}.{end}'))}" for end in ("docx", "out.docx")]
            jobs.append("|".join((*urls, command)))
        (folder / "jobs").write_text("\n".join(jobs) + "\n", encoding="utf-8")
        run_libreoffice(folder, f'macro:///Standard.Module1.Resolve("{folder / "jobs"}")')
        return {name: (folder / f"{number}.out.docx").read_bytes() for number, name in enumerate(files)}


def run_libreoffice(folder: Path, *arguments: str) -> None:
    """Run it with a profile of its own in a folder."""
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", profile, "--headless", "--norestore", *arguments]
    subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)


def lines(data: bytes) -> list[str]:
    """The text of a Word file, without blank lines and with single spaces."""
    return [" ".join(line.split()) for line in read(data, name="x.docx").text.split("\n") if line.strip()]


def tracked(data: bytes) -> int:
    """Changes that a Word file tracks."""
    return sum(
        len(list(parse_xml(part, name).iter(*(W + tag for tag in TRACKED))))
        for name, part in parts_of(data).items()
        if name.startswith("word/") and name.endswith(".xml")
    )


def main() -> None:
    """Print the table of docs/log/redline.md."""
    parser = command_line(__doc__)
    parser.add_argument("reports", type=Path, help="the folder with the reports")
    made = list(pairs(parser.parse_args().reports))
    files = {}
    for pair in made:
        files[f"{pair.name} older"] = pair.older, KEEP
        files[f"{pair.name} newer"] = pair.newer, KEEP
        files[f"{pair.name} accepted"] = pair.redline, ACCEPT
        files[f"{pair.name} rejected"] = pair.redline, REJECT
    written = written_by_libreoffice(files)
    rows = []
    for pair in made:
        older, newer, accepted, rejected = (
            written[f"{pair.name} {what}"] for what in ("older", "newer", "accepted", "rejected")
        )
        equal = lines(accepted) == lines(newer), lines(rejected) == lines(older)
        left = tracked(accepted) + tracked(rejected)
        rows.append(
            [pair.name, str(tracked(pair.redline)), *("yes" if e else "no" for e in equal), str(left)]
        )
        for what, one, two in (("accepted", accepted, newer), ("rejected", rejected, older)):
            for x, y in zip(lines(one), lines(two), strict=False):
                if x != y:
                    print(f"{pair.name}, {what}:\n  {x[:200]}\n  {y[:200]}\n")
                    break
    print(
        markdown_table(
            ["pair", "tracked changes", "accepted = newer", "rejected = older", "left tracked"], rows
        )
    )


if __name__ == "__main__":
    main()
