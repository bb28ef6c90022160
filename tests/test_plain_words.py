"""Words of an earlier private vocabulary, and names that say nothing, stay out of the code and of what people read."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

NAMES = {
    "found": "name what it holds: maps, scores, matches",
    "own": "name what it holds",
    "said": "text, message, sentence",
    "met": "pair_attention",
    "meet": "attend_pair",
    "whole": "name what it holds",
    "breathe": "poll_cancel",
    "breathing": "interruptible",
    "spoken": "word_vector",
    "strange": "out_of_domain",
    "worth": "rarity, faithfulness or measured_quality",
}
"""Names that must not be given to anything, and better ones."""

PHRASES = {
    r"taken apart": "split into contributions",
    r"as it came": "frozen",
    r"what answers what": "matching words",
    r"\bbreathes?\b": "checks for cancellation",
    r"\blikeness": "similarity",
    r"whole score": "score",
}
"""Phrases that must not stand in a docstring or comment, nor in what people read, and better ones."""

IN_TEXTS = {
    r"(?<![\w.\]/])\.\d": "a zero before the point: 0.45",
    r"(?i)\btelling words\b": "distinctive words",
    r"(?i)\bacquittal\b": "a low score does not rule out copying",
    r"(?i)toss of a coin|coin toss": "near the threshold, a verdict is uncertain",
    r"million numbers": "M parameters",
    r"(?i)\bas it came\b": "frozen",
    r"(?i)\bthe like\b": "name it",
    r"(?i)\bwhat was aimed at\b": "goals",
}
"""Phrases that must not stand in documentation, page texts, notebooks and model cards, and better ones."""


def defined_names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that a file gives to functions, classes, parameters and variables, with their lines.

    Fields of classes are left out: some are keys of JSON results.
    """
    fields = {
        id(item.target)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, ast.AnnAssign)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
            yield node.id, node.lineno


def prose(text: str) -> Iterator[tuple[str, int]]:
    """Docstrings and comments, with the line where each begins."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (
            token.type == tokenize.STRING and token.string.startswith('"""')
        ):
            yield token.string, token.start[0]


def wrong_names(files: Iterable[Path]) -> list[str]:
    """Places where a Python file defines one of `NAMES`."""
    return [
        f"{path}:{line}: {name} ({NAMES[name.strip('_')]})"
        for path in files
        for name, line in defined_names(ast.parse(path.read_text(encoding="utf-8")))
        if name.strip("_") in NAMES
    ]


def wrong_terms(files: Iterable[Path]) -> list[str]:
    """Places where the prose of a Python file has one of `PHRASES`."""
    return [
        f"{path}:{line}: {phrase} ({better})"
        for path in files
        for text, line in prose(path.read_text(encoding="utf-8"))
        for phrase, better in PHRASES.items()
        if re.search(phrase, text)
    ]


@pytest.mark.parametrize("folder", ["colde", "app", "studies"])
def test_names_say_what_they_hold(folder: str) -> None:
    wrong = wrong_names(sorted((ROOT / folder).rglob("*.py")))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("folder", ["colde", "app", "studies"])
def test_prose_uses_the_terms_of_the_glossary(folder: str) -> None:
    wrong = wrong_terms(sorted((ROOT / folder).rglob("*.py")))
    assert not wrong, "\n".join(wrong)


def texts() -> Iterator[tuple[str, str]]:
    """What people read: pages of the documentation and the explorer, notebooks, labels and model cards."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    pages += [*(ROOT / "app").rglob("*.md"), *(ROOT / "studies").rglob("*.md")]
    for page in pages:
        yield page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8")
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        markdown = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        yield notebook.relative_to(ROOT).as_posix(), "\n".join(markdown)
    for card in (ROOT / "colde" / "models").rglob("*.toml"):
        yield (
            card.relative_to(ROOT).as_posix(),
            re.sub(r"(?m)^\w+ = [^\"\n]*$", "", card.read_text(encoding="utf-8")),
        )
    labels = ROOT / "colde" / "report" / "linked_view" / "labels.js"
    yield (
        labels.relative_to(ROOT).as_posix(),
        "\n".join(re.findall(r'"[^"\n]*"', labels.read_text(encoding="utf-8"))),
    )


def test_texts_are_plain() -> None:
    """Code between backquotes and in fenced or indented blocks is left out."""
    wrong = []
    for name, text in texts():
        prose_only = re.sub(r"```.*?```|`[^`\n]*`|(?m:^ {4}.*$)", "", text, flags=re.DOTALL)
        for phrase, better in (PHRASES | IN_TEXTS).items():
            wrong += [f"{name}: {match[0]} ({better})" for match in re.finditer(phrase, prose_only)]
    assert not wrong, "\n".join(wrong)
