"""Write a comment on a pull request: what changed between the two versions of each document in it.

    python comment_changes.py BASE HEAD > comment.md

Run it in a checkout that holds both commits. It needs Git and the command `colde`, and no other package. The comment is
empty where no document changed. Texts of documents are escaped: they cannot name people, link or format the comment.
"""

from __future__ import annotations

import html
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCUMENTS = ("*.docx", "*.md", "*.odt", "*.pdf", "*.rst", "*.tex", "*.txt")
MOST_DOCUMENTS = 20
MOST_CHANGES = 20
"""Changes of a document that are listed."""
MOST_CHARACTERS = 300
"""Characters of a sentence."""
MOST_COMMENT = 60_000
"""Characters of the comment; GitHub takes 65,536."""


def main(base: str, head: str) -> None:
    """Write the comment to standard output."""
    documents = list(changed_documents(base, head))
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        for old, new in documents[:MOST_DOCUMENTS]:
            files = [Path(folder) / f"{side}{Path(new).suffix}" for side in ("old", "new")]
            for file, commit, name in zip(files, (base, head), (old, new), strict=True):
                file.write_bytes(git("show", f"{commit}:{name}"))
            parts.append(section(old, new, *files))
    if len(documents) > MOST_DOCUMENTS:
        parts.append(f"{len(documents) - MOST_DOCUMENTS} more documents changed.\n")
    sys.stdout.write(shortened(parts))


def changed_documents(base: str, head: str) -> Iterator[tuple[str, str]]:
    """Old and new path of each document that the head changed since it left the base."""
    listed = git(
        "diff",
        "--name-status",
        "-z",
        "--find-renames",
        "--diff-filter=MR",
        f"{base}...{head}",
        "--",
        *DOCUMENTS,
    )
    fields = iter(listed.decode().split("\0")[:-1])
    for status in fields:
        old = next(fields)
        yield old, next(fields) if status.startswith("R") else old


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], check=True, capture_output=True).stdout


def section(old: str, new: str, old_file: Path, new_file: Path) -> str:
    """What the comment says about a document."""
    name = code(new) if old == new else f"{code(old)} → {code(new)}"
    command = [
        "colde",
        "compare",
        str(old_file),
        str(new_file),
        "--model",
        "tfidf",
        "--quiet",
        "--jsonl",
        "-",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"<h3>{name}</h3>\n<p>Not compared: {code(done.stderr.strip())}</p>\n"
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    changes = [line for line in lines if line["type"] == "change"]
    if not changes:
        return f"<h3>{name}</h3>\n<p>No change of the text.</p>\n"
    rows = "\n".join(row(change) for change in changes[:MOST_CHANGES])
    more = len(changes) - MOST_CHANGES
    count = f"{len(changes)} changes, most important first" if len(changes) > 1 else "1 change"
    return (
        f"<h3>{name}</h3>\n<p>{count}{f'; {more} more are not listed' if more > 0 else ''}</p>\n"
        f"<table>\n<tr><th>kind</th><th>before</th><th>after</th></tr>\n{rows}\n</table>\n"
    )


def row(change: dict[str, Any]) -> str:
    marks = change.get("marks", {})
    before, after = (
        sentence(change[side], marks.get(side, ()), tag) for side, tag in (("a", "del"), ("b", "ins"))
    )
    return f"<tr><td>{html.escape(change['kind'])}</td><td>{before}</td><td>{after}</td></tr>"


def sentence(place: dict[str, Any] | None, marks: list[list[int]], tag: str) -> str:
    """A sentence with its changed words marked."""
    if place is None:
        return ""
    text, pieces, at = place["text"][:MOST_CHARACTERS], [], 0
    for start, end in marks:
        first, last = (max(0, min(len(text), offset - place["start"])) for offset in (start, end))
        if at <= first < last:
            pieces += [code(text[at:first]), f"<{tag}>{code(text[first:last])}</{tag}>"]
            at = last
    pieces.append(code(text[at:]))
    return "".join(pieces) + ("…" if len(place["text"]) > MOST_CHARACTERS else "")


def code(text: str) -> str:
    """A text on one line in which GitHub makes no links, names no people and formats nothing."""
    line = " ".join(text.splitlines())
    return f"<code>{html.escape(line)}</code>" if line else ""


def shortened(parts: list[str]) -> str:
    """The parts that fit into one comment."""
    kept: list[str] = []
    left = MOST_COMMENT
    for part in parts:
        left -= len(part) + 1
        if left < 0:
            kept.append(f"{len(parts) - len(kept)} more documents do not fit into the comment.\n")
            break
        kept.append(part)
    return "\n".join(kept)


if __name__ == "__main__":
    main(*sys.argv[1:3])
