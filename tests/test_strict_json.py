"""The strict decoder: every kind of damage is one error in one line that names the field, and nothing else is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec import Meta

from colde import strict_json
from colde.strict_json import JsonError


@dataclass(frozen=True, slots=True)
class Reading:
    name: str
    shares: tuple[Annotated[float, Meta(ge=0, le=1)], ...] = ()
    count: Annotated[int, Meta(ge=0)] = 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"name": "x", "shares": [0.5, 2]}', r"shares\[1\]: expected float <= 1.0"),
        ('{"name": "x", "shares": [null]}', r"shares\[0\]: expected float, got null"),
        ('{"name": "x", "shares": "half"}', "shares: expected array, got str"),
        ('{"name": "x", "count": true}', "count: expected int, got bool"),
        ('{"name": "x", "count": 1.5}', "count: expected int, got float"),
        ('{"name": "x", "count": -1}', "count: expected int >= 0"),
        ('{"name": null}', "name: expected str, got null"),
        ('{"shares": []}', "missing required field name"),
        ('{"name": "x", "shares": [NaN]}', "JSON is malformed"),
        ('{"name": "x", "shares": [1e999]}', r"shares\[\.\.\.\]: number out of range|shares.*out of range"),
        ('{"name": "x", "shares": [' + "9" * 400 + "]}", "out of range"),
        ('{"name": "\\ud800 and more text"}', "surrogate"),
        ('{"name": "\\ud800"}', "surrogate|truncated|malformed"),
        ('{"name": "x"', "truncated"),
        ("[" * 100_000, "expected object, got array"),
        ("", "truncated"),
        ("[]", "expected object, got array"),
    ],
)
def test_damage_is_one_line_that_names_the_field(text: str, message: str) -> None:
    with pytest.raises(JsonError, match=message) as caught:
        strict_json.decode(text.encode(), Reading)
    assert "\n" not in str(caught.value)


def test_what_is_right_stays_as_it_is() -> None:
    text = '{"name": "Größe \\ud83d\\ude00 \\u0000", "shares": [0, 1, 5e-1], "other": [[]], "count": 1, "count": 2}'
    assert strict_json.decode(text.encode(), Reading) == Reading("Größe 😀 \0", (0.0, 1.0, 0.5), 2)
    assert strict_json.convert({"name": "x", "shares": [1]}, Reading) == Reading("x", (1.0,))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff{}", "JSON is malformed"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"a": {"b": [1, ' + b"9" * 40 + b"]}}", "a.b.1: an integer beyond"),
        (b'{"a": ' + b"9" * 5000 + b"}", "out of range"),
    ],
)
def test_any_values_have_limits(data: bytes, message: str) -> None:
    with pytest.raises(JsonError, match=message):
        strict_json.decode_object(data)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(b'{"name": "x"}' + b" " * 1000)
    assert strict_json.read_file(file, Reading) == Reading("x")
    with pytest.raises(JsonError, match="more than 1,000 bytes"):
        strict_json.read_file(file, Reading, 1000)
    with pytest.raises(OSError, match="No such file"):
        strict_json.read_file(tmp_path / "none.json", Reading)


def test_plain_values_of_a_page_are_checked_like_a_file() -> None:
    values: list[Any] = [[], None, {"name": 3}, {"name": "x", "shares": ["0.5"]}]
    for value in values:
        with pytest.raises(JsonError):
            strict_json.convert(value, Reading)
