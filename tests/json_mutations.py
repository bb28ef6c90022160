"""Damaged and hostile variants of a JSON file, for Hypothesis."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

TOKENS = (
    "null", "true", "false", "0", "-1", "1", "0.5", "-0.0", "1e308", "-1e308", "1e999", "-1e999", "5e-324", "NaN",
    "Infinity", "9" * 20, "9" * 400, "-" + "9" * 5000, '""', '"x"', '"\\ud800"', '"\\udc00 \\ud83d"', '"\\u0000"',
    '"\\u202e../../x"', '"' + "x" * 5000 + '"', "[]", "[[]]", "[null]", "[1, 1, 1, 1]", "{}", '{"a": null}',
    "[" * 200 + "]" * 200, "[" * 3000, '{"a":' * 3000,
)  # fmt: skip
"""JSON, and what is not JSON although some programs write it, in the place of a value."""

_MARK = "the value that is replaced"


@st.composite
def mutations(draw: st.DrawFn, text: str) -> bytes:
    """A file with one to three values replaced, removed, nested or doubled, and perhaps bytes changed or cut."""
    for _ in range(draw(st.integers(1, 3))):
        try:
            text = draw(_changed_value(json.loads(text)))
        except (ValueError, RecursionError):  # it is no JSON by now
            break
    data = text.encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(0, len(data)))
        data = (
            data[:at]
            + draw(st.sampled_from([b"", b"\xff", b"\x00", b"}", b"]", b'"', b","]))
            + data[at + 1 :]
        )
    if draw(st.integers(0, 9)) == 0:
        data = data[: draw(st.integers(0, len(data)))]
    return data


@st.composite
def _changed_value(draw: st.DrawFn, root: Any) -> str:
    parent, key = draw(st.sampled_from(_places({"root": root})))
    kind = draw(st.sampled_from(["token", "token", "token", "remove", "nest", "move", "double"]))
    token = json.dumps(_MARK)
    if kind == "token":
        parent[key], token = _MARK, draw(st.sampled_from(TOKENS))
    elif kind == "remove" and not (parent.keys() == {"root"} if isinstance(parent, dict) else False):
        del parent[key]
    elif kind == "nest":
        parent[key] = draw(st.sampled_from([[parent[key]], {"value": parent[key]}]))
    elif kind == "move":
        other, place = draw(st.sampled_from(_places(root) or [(parent, key)]))
        parent[key] = json.loads(json.dumps(other[place]))
    whole = parent["root"] if isinstance(parent, dict) and parent.keys() == {"root"} else root
    written = json.dumps(whole).replace(json.dumps(_MARK), token, 1)
    if kind == "double" and isinstance(key, str):
        name = json.dumps(key)
        written = written.replace(f"{name}:", f"{name}: {draw(st.sampled_from(TOKENS))}, {name}:", 1)
    return written


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Each place in a value, as its container and its key there."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in [(value, key), *_places(value[key])]]
