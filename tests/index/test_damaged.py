"""Whatever stands in a row of an index, a search ends with hits or with an error that says how to mend the index.

Values of an index are sizes and places in memory: a column outside a sparse matrix once ended the process.
"""

from __future__ import annotations

import json
import random
import shutil
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from safetensors.numpy import load as tensors
from safetensors.numpy import save

from colde import ingest, models
from colde.cli import main
from colde.errors import ColdeError, StoreError
from colde.index import Index
from colde.index.index_results import Level
from colde.index.index_schema import CHUNKS, DOCUMENTS, schemas
from colde.ingest.sandbox.protocol import pack, unpack
from colde.serve import jobs
from colde.text.document import Document
from tests.index.light import store_of, write_files

pytestmark = pytest.mark.slow

Row = dict[str, Any]
NAME = "file001.md"
INTEGERS = (None, -1, 0, 1, 7, 2**31 - 1, -(2**31))
TEXTS = (None, "", "\x00", "x') OR ('' = '", "é" * 5_000)
NUMBERS = (float("nan"), float("inf"), -1.0, 0.5, 2.0**18, 3e9, -3e9, 1e38)
FEW = 3
"""Values that a column is tried with."""
ARRAYS = ("vector", "states", "mass", "word_places", "word_weights", "spoken")


@pytest.fixture(scope="module")
def model() -> models.Matcher:
    """The model that an index has by default."""
    return models.load("colde_words")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, model: models.Matcher) -> Path:
    """An index of three documents."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLDE_SANDBOX", "off")
        Index(folder / "index", loader=lambda name: model).add([write_files(folder / "files", 3)])
    return folder


@pytest.fixture(scope="module")
def query(whole: Path) -> Document:
    return ingest.read_text((whole / "files" / NAME).read_text())


@pytest.fixture
def index(whole: Path, tmp_path: Path, model: models.Matcher, query: Document, monkeypatch) -> Index:
    """A copy of it; the query is encoded once."""
    shutil.copytree(whole / "index", tmp_path / "index")
    made = Index(tmp_path / "index", loader=lambda name: model)
    encoded = made._encode(query)
    monkeypatch.setattr(made, "_encode", lambda document: encoded)
    return made


def held(index: Index, table: str) -> Row:
    """The first row of a document in a table."""
    store = store_of(index)
    columns = list(schemas(store.meta.dimension, store.meta.passages)[table].names)
    ids = [row["id"] for row in store.rows(DOCUMENTS, ["id"], f"name = '{NAME}'")]
    return store.rows_of(table, columns, ids)[0]


def put(index: Index, row: Row, **values: Any) -> None:
    """Put other values into this row of a document."""
    table = store_of(index).table(DOCUMENTS)
    table.delete(f"id = '{row['id']}'")
    table.add(pa.Table.from_pylist([{**row, **values}], schema=table.schema))


def used(index: Index, query: Document, level: Level = "document") -> str:
    """What comes of using the index: nothing where all went well, or the error."""
    said = ""
    for use in (
        lambda: [hit.to_dict() for hit in index.search(query, level=level)],
        lambda: [pack(index.read(d.id)) for d in index.documents() if d.name == NAME],
        lambda: [d.to_dict() for d in index.documents()],
    ):
        try:
            json.dumps(use(), allow_nan=False)
        except ColdeError as error:
            said = str(error)
    return said


def is_help(message: str) -> bool:
    """Whether an error names the document, and the command that mends the index."""
    return f"a damaged row of the document {NAME}" in message and "colde index remove" in message


def mended(index: Index, row: Row, files: Path) -> bool:
    """Whether the document can be removed and added again, as the error says."""
    index.remove(row["id"][:12])
    return index.add([files]).added == [NAME]


@pytest.mark.parametrize("name", ARRAYS)
def test_a_number_out_of_range_is_an_error_that_says_how_to_mend_it(index, query, whole, name: str) -> None:
    row = held(index, DOCUMENTS)
    arrays = tensors(row["arrays"])
    for number in NUMBERS:
        changed = arrays[name].astype(np.float32)
        changed.flat[changed.size // 2] = number
        put(index, row, arrays=save({**arrays, name: changed}))
        message = used(index, query)
        assert not message or is_help(message)
        assert message or np.isfinite(number)
    assert mended(index, row, whole / "files")


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays: {**arrays, "word_places": arrays["word_places"][:-1]},
        lambda arrays: {**arrays, "word_places": arrays["word_places"][::-1].copy()},
        lambda arrays: {**arrays, "word_places": arrays["word_places"][:, None].copy()},
        lambda arrays: {**arrays, "word_weights": arrays["word_weights"].astype(bool)},
        lambda arrays: {**arrays, "states": arrays["states"][:, :-1].copy()},
        lambda arrays: {**arrays, "states": arrays["states"][:0].copy()},
        lambda arrays: {**arrays, "mass": np.zeros((), np.float32)},
        lambda arrays: {**arrays, "vector": arrays["vector"][:7].copy()},
        lambda arrays: {name: values for name, values in arrays.items() if name != "spoken"},
        lambda arrays: {},
    ],
)
def test_arrays_of_another_shape_are_such_an_error(
    index, query, change: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> None:
    row = held(index, DOCUMENTS)
    put(index, row, arrays=save(change(tensors(row["arrays"]))))
    assert is_help(used(index, query))


def packed(values: Any) -> bytes:
    return zlib.compress(json.dumps(values).encode())


@pytest.mark.parametrize(
    "change",
    [
        lambda values, section: section.__setitem__(1, 10**9),
        lambda values, section: section.__setitem__(0, -5),
        lambda values, section: section.__setitem__(2, "x"),
        lambda values, section: section.__setitem__(5, "owner"),
        lambda values, section: section[6].append([0, 10**12, []]),
        lambda values, section: section[6][0].__setitem__(2, [[1, 2]]),
        lambda values, section: section[7].append([-1, 3]),
        lambda values, section: values.update(pages=float("inf")),
        lambda values, section: values.update(sections=[]),
        lambda values, section: values.pop("text"),
    ],
)
def test_a_document_of_another_form_is_such_an_error(
    index, query, change: Callable[[dict[str, Any], list[Any]], object]
) -> None:
    row = held(index, DOCUMENTS)
    values = json.loads(zlib.decompress(row["packed"]))
    change(values, values["sections"][0])
    put(index, row, packed=packed(values))
    assert is_help(used(index, query))


def test_a_document_that_expands_without_end_is_such_an_error(index, query, monkeypatch) -> None:
    monkeypatch.setattr("colde.index.index_rows.MAX_DOCUMENT_BYTES", 100_000)
    row = held(index, DOCUMENTS)
    put(index, row, packed=zlib.compress(b" " * 1_000_000))
    assert is_help(used(index, query))


@pytest.mark.parametrize("table", [DOCUMENTS, CHUNKS])
def test_any_value_of_any_column_ends_in_hits_or_in_an_error(index, query, table: str, monkeypatch) -> None:
    draw = random.Random(5)
    store, row = store_of(index), held(index, table)
    rows = store.rows
    key, level = ("id", "document") if table == DOCUMENTS else ("document", "passage")
    damaged: Row = {}

    def changed(name: str, columns: Sequence[str], where: str | None = None) -> list[Row]:
        found = rows(name, columns, where)
        for one in found if name == table else []:
            one.update({c: v for c, v in damaged.items() if c in columns and one.get(key) == row[key]})
        return found

    monkeypatch.setattr(store, "rows", changed)
    for column, value in row.items():
        for damaged[column] in draw.sample(others(value, draw), FEW):
            message = used(index, query, level)
            own = column in ("name", "id")  # what an error would name
            assert not message or is_help(message) or own, (column, str(damaged)[:80], message)
        del damaged[column]
    assert not used(index, query)


def others(value: Any, draw: random.Random) -> list[Any]:
    """Values that may stand in the place of this one."""
    if value == b"":
        return [None, b"\x00", b"x", b"\xff" * 9]
    if isinstance(value, bytes):
        flipped = bytearray(value)
        for _ in range(3):
            flipped[draw.randrange(len(value))] ^= 1 << draw.randrange(8)
        return [None, b"", value[: draw.randrange(len(value))], value + b"\x00", bytes(flipped)]
    if isinstance(value, list):
        changed = [[*value] for _ in NUMBERS]
        for one, number in zip(changed, NUMBERS, strict=True):
            one[draw.randrange(len(value))] = number
        return [[0.0] * len(value), [None, *value[1:]], None, *changed]
    return list(INTEGERS if isinstance(value, int) else TEXTS)


def test_command_line_and_service_say_it(index, query, whole, capfd, monkeypatch) -> None:
    row = held(index, DOCUMENTS)
    arrays = tensors(row["arrays"])
    arrays["word_places"][-1] = 3e9
    put(index, row, arrays=save(arrays))
    file = str(whole / "files" / NAME)
    assert main(["index", "search", file, "--index", str(index.folder)]) == 3
    said = capfd.readouterr().err
    assert is_help(said) and "Traceback" not in said
    search = jobs.Search(index.folder, None, query.text, 10, "document")
    with pytest.raises(StoreError, match="word_places holds indices outside"):
        search(lambda progress: None, models.load)
    assert main(["index", "remove", row["id"][:12], "--index", str(index.folder)]) == 0
    assert main(["index", "search", file, "--index", str(index.folder), "--json"]) == 0
    assert len(json.loads(capfd.readouterr().out)["hits"]) == 2


def test_a_rebuild_names_the_damaged_document_and_leaves_the_index_as_it_was(index) -> None:
    row = held(index, DOCUMENTS)
    put(index, row, packed=b"nothing")
    with pytest.raises(StoreError) as caught:
        index.rebuild()
    assert is_help(str(caught.value))
    index.remove(NAME)
    assert len(index.rebuild().added) + len(index.documents()) >= 2
    assert len(index.documents()) == 2


@pytest.mark.parametrize("name", ["RustPanic", "PanicException"])
def test_what_breaks_the_library_is_an_error_in_words(index, name: str) -> None:
    broken = type(name, (BaseException,), {})
    with pytest.raises(StoreError, match="the index cannot be used"), store_of(index).translated_errors():
        raise broken("rust future panicked")


def test_a_document_comes_back_as_it_was(query) -> None:
    assert unpack(json.dumps(pack(query)).encode()) == query
