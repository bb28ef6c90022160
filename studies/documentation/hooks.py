"""What MkDocs asks while it builds the site (`hooks` in mkdocs.yml).

A comment `<!-- generate: NAME -->` on a page stands for a part that is made from the code (GENERATED). README.md is the
front page. Links from pages to files of the repository that are no pages become plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mkdocs.structure.files import File

from studies import ROOT
from studies.documentation.command_reference import command_reference, reading_formats
from studies.documentation.counterparts_table import counterparts_table
from studies.documentation.findings import findings_table
from studies.documentation.json_reference import json_reference
from studies.documentation.model_reference import cards, recipes
from studies.documentation.page_labels import page_labels

GENERATED: dict[str, Callable[[], str]] = {
    "changelog": lambda: _repository_page("CHANGELOG.md"),
    "commands": command_reference,
    "contributing": lambda: _repository_page("CONTRIBUTING.md"),
    "counterparts": counterparts_table,
    "findings": findings_table,
    "formats": reading_formats,
    "front page": lambda: _repository_page("README.md"),
    "json fields": json_reference,
    "model cards": cards,
    "page labels": page_labels,
    "recipes": recipes,
}
"""What makes a part of a page, by the name in its comment."""

_COMMENT = re.compile(r"<!-- generate: ([a-z ]+) -->")
_TEST_MARK = re.compile(r"(?m)^# (?:tested|not run: .*)\n")
"""Lines that say to the tests what to do with a block."""

_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_PICTURES = ("assets/screenshots",)
"""Folders whose files the site shows."""


def on_files(files: Any, config: Any) -> Any:
    """Add the pictures that lie outside of docs/."""
    for folder in _PICTURES:
        for path in sorted((ROOT / folder).iterdir()):
            name = path.relative_to(ROOT).as_posix()
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, files: Any, **_: Any) -> str:
    """Put in what is generated, and leave out links that lead out of the site."""
    text = _TEST_MARK.sub("", generated(markdown))
    return _LINK.sub(lambda link: _link(link, page.file, files), text)


def generated(text: str) -> str:
    """A page with the generated parts in the place of their comments."""
    return _COMMENT.sub(lambda comment: GENERATED[comment[1]](), text)


def _repository_page(name: str) -> str:
    """A page of the repository's root; links are as seen from docs/."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return _LINK.sub(lambda link: f"{link[1]}[{link[2]}]({_from_docs(link[3])})", text)


def _from_docs(target: str) -> str:
    if "://" in target or target.startswith("#"):
        return target
    if target == "CONTRIBUTING.md":
        return "/log/contributing.md"
    if target == "CHANGELOG.md":
        return "/log/changelog.md"
    return f"/{target.removeprefix('docs/')}"


def _link(link: re.Match[str], file: Any, files: Any) -> str:
    """A link to a page or picture of the site, relative to the page; of anything else in the repository the text."""
    mark, text, target = link.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return link[0]
    path, _, anchor = target.partition("#")
    if _resolved(file.src_uri, path).startswith(tuple(f"../{folder}/" for folder in _PICTURES)):
        path = _resolved(file.src_uri, path).removeprefix("..")
    if path.startswith("/"):
        above = "../" * file.src_uri.count("/")
        path = f"{above}{path[1:]}"
    source = _resolved(file.src_uri, path)
    if files.get_file_from_path(source) is None and _in_repository(source):
        return text if text.startswith("`") else f"{text} (`{_in_repository(source)}`)"
    return f"{mark}[{text}]({path}{'#' if anchor else ''}{anchor})"


def _resolved(page: str, path: str) -> str:
    """A relative path as one from docs/."""
    parts = page.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1] if parts and parts[-1] != ".." else [*parts, ".."]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _in_repository(source: str) -> str | None:
    """The path from the repository's root of a target outside of docs/, or of one that README names as seen from it."""
    name = source.removeprefix("../")
    return name if (ROOT / name).exists() else None
