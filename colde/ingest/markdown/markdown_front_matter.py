"""Front matter of Markdown files in YAML or TOML: the title and the abstract."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_YAML = re.compile(r"\A---[ \t]*\n(.*?)(?:\n|(?<=---\n))(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)\n\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_KEY = re.compile(r"\s*(?:#.*\n\s*)*[\w-]+\s*:(?:\s|\Z)")
_TITLE_LINE = re.compile(r"^title\s*[:=]\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_TEMPLATE = re.compile(r"(?:\s*(?:#.*|\{[{%].*)(?:\n|\Z))*\s*")
_MAX_CHARACTERS = 50_000  # a longer beginning between two rules is text


class FrontMatter(NamedTuple):
    """What the front matter of a file says of it, and the Markdown below it."""

    title: str
    abstract: str
    body: str


def split_front_matter(text: str) -> FrontMatter:
    """The front matter, empty where there is none: text between two rules is text, not front matter."""
    for pattern, parse in ((_YAML, _parse_yaml), (_TOML, _parse_toml)):
        match = pattern.match(text[:_MAX_CHARACTERS])
        if match is None:
            continue
        fields = parse(match[1])
        if fields is None:
            continue
        return FrontMatter(
            " ".join(_text_of(fields, "title").split()), _text_of(fields, "abstract"), text[match.end() :]
        )
    return FrontMatter("", "", text)


def _text_of(fields: dict[str, Any], name: str) -> str:
    """A field as text, whatever the case of its name; empty for lists and tables."""
    value = next((v for k, v in fields.items() if isinstance(k, str) and k.lower() == name), "")
    return value.strip() if isinstance(value, str) else ""


def _parse_yaml(front: str) -> dict[str, Any] | None:
    """The fields, all scalars as text; those that are not quite YAML by their lines; None for what has no fields."""
    import yaml

    try:
        fields = yaml.load(front, Loader=yaml.BaseLoader)  # makes nothing but text, lists and tables
    except (yaml.YAMLError, RecursionError, ValueError):
        if _TEMPLATE.fullmatch(front):
            return {}
        fields = _title_line(front) if _KEY.match(front) else ""
    if fields is None:  # comments alone
        return {}
    return fields if isinstance(fields, dict) else None


def _parse_toml(front: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(front)
    except (tomllib.TOMLDecodeError, RecursionError):
        return _title_line(front)


def _title_line(front: str) -> dict[str, Any]:
    match = _TITLE_LINE.search(front)
    return {"title": match[1].strip("\"'")} if match else {}
