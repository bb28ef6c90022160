"""Words of an earlier private vocabulary, and names that say nothing, stay out of the code."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
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
"""Phrases that must not stand in a docstring or comment, and better ones."""


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


@pytest.mark.parametrize("folder", ["colde", "app", "studies"])
def test_names_say_what_they_hold(folder: str) -> None:
    wrong = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        for name, line in defined_names(ast.parse(path.read_text(encoding="utf-8"))):
            if name.strip("_") in NAMES:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {name} ({NAMES[name.strip('_')]})")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("folder", ["colde", "app", "studies"])
def test_prose_uses_the_terms_of_the_glossary(folder: str) -> None:
    wrong = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        for text, line in prose(path.read_text(encoding="utf-8")):
            for phrase, better in PHRASES.items():
                if re.search(phrase, text):
                    wrong.append(f"{path.relative_to(ROOT)}:{line}: {phrase} ({better})")
    assert not wrong, "\n".join(wrong)
