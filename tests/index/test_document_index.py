"""An index keeps each document once, finds it again, and says why it refuses."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from lancedb.table import LanceTable

from colde import ingest
from colde.errors import Cancelled, MissingExtraError, ModelError, ReadError, StoreError
from colde.index import Index
from colde.index.index_schema import CHUNKS, DOCUMENTS, SECTIONS
from colde.index.search import rankings, reciprocal_rank
from colde.index.store import shut_out, storage_at
from colde.text.sections.parts_without_headings import split_into_parts
from tests.encoders.hub_requests import count_fetches
from tests.index.adding import count
from tests.index.light import Light, load, rows_of, store_of, write_files


def test_what_is_added_is_listed_and_counted(index, files) -> None:
    held = index.documents()
    assert [d.name for d in held] == [f"file{k:03}.md" for k in range(6)]
    assert held[2].title == "Title 2"
    found = index.stats()
    assert (found.documents, found.sections, found.chunks) == (6, 12, 12)
    assert found.bytes > 1_000


def test_adding_twice_changes_nothing_and_reads_nothing(anywhere, files, monkeypatch) -> None:
    (files / "copy of 1.md").write_text((files / "file001.md").read_text())
    monkeypatch.setattr(ingest, "read", lambda *args, **more: pytest.fail("it was read again"))
    again = Index(anywhere.folder, loader=load).add([files, files / "file003.md"])
    assert (again.added, len(again.known), again.unread) == ([], 7, [])
    count(anywhere.folder, 6)


def test_the_same_content_in_another_format_is_known(index, tmp_path) -> None:
    """The bytes differ, what is read does not."""
    first = tmp_path / "files" / "file000.md"
    other = tmp_path / "windows.md"
    other.write_bytes(first.read_bytes().replace(b"\n", b"\r\n"))
    assert index.add([other]).known == ["windows.md"]


def test_a_bad_file_is_named_and_skipped(index, tmp_path) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    (folder / "short.md").write_text("Three short words.")
    (folder / "sub").mkdir()
    (folder / "sub" / "good.md").write_text("The tide comes in twice a day. " * 8)
    (folder / ".hidden.md").write_text("The tide goes out twice a day. " * 8)
    found = index.add([folder])
    assert found.added == ["sub/good.md"]
    assert {u.name: u.error.reason for u in found.unread} == {
        "broken.pdf": "corrupt",
        "short.md": "too_short",
    }
    assert next(d for d in index.documents() if d.name == "sub/good.md").folder == "sub"


def test_search_gives_the_best_first_with_the_passages_that_made_it(index, files) -> None:
    hits = index.search(files / "file004.md", limit=3)
    assert [hits[0].document.name, len(hits)] == ["file004.md", 3]
    assert hits[0].score == pytest.approx(1, abs=1e-5)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    query = ingest.read(files / "file004.md")
    passage = hits[0].passages[0]
    assert query.text[passage.query.start : passage.query.end] == passage.text
    assert passage.section in {"Lamps", "Words"}
    assert hits[0].to_dict()["passages"][0].keys() >= {"text", "section", "query"}


def test_a_rare_word_brings_up_its_document(index) -> None:
    query = ingest.read_text("Somebody asked about word3x7 and word3x9 in a letter of some length. " * 4)
    hits = index.search(query, limit=6)
    assert "words" in next(h for h in hits if h.document.name == "file003.md").found_by


def test_a_passage_is_found_in_the_part_that_holds_it(index, files) -> None:
    text = (files / "file002.md").read_text().rpartition("##")[2]
    hits = index.search(ingest.read_text("## " + text.strip() + "\n"), level="passage", limit=2)
    assert hits[0].document.name == "file002.md"
    assert hits[0].score > hits[1].score
    assert hits[0].probability is None


def test_one_sentence_finds_the_sentence_that_says_it(index) -> None:
    query = (
        "These words stand here alone and nowhere else: " + " ".join(f"word4x{i}" for i in range(15)) + "."
    )
    hit = index.search(ingest.read_text(query), level="passage", limit=1)[0]
    assert hit.document.name == "file004.md"
    assert hit.passages[0].text == query


def test_a_condition_leaves_documents_out(index, files) -> None:
    hits = index.search(files / "file004.md", where="name <> 'file004.md' AND format = 'markdown'")
    assert len(hits) == 5
    assert "file004.md" not in {h.document.name for h in hits}
    with pytest.raises(StoreError, match="nonsense"):
        index.search(files / "file004.md", where="nonsense = 1")


def test_what_is_removed_is_gone_from_every_table(anywhere, files) -> None:
    gone = anywhere.remove("file001.md")
    count(anywhere.folder, 5)
    assert gone.id not in rows_of(anywhere, CHUNKS, "document")
    anywhere.remove(anywhere.documents()[0].id[:12])
    assert anywhere.documents()[0].name == "file002.md"
    with pytest.raises(StoreError, match=r"no document named file001\.md"):
        anywhere.remove("file001.md")
    assert anywhere.add([files]).added == ["file000.md", "file001.md"]
    count(anywhere.folder, 6)


def test_a_document_gets_another_name(anywhere) -> None:
    renamed = anywhere.rename("file001.md", "essays/tower.md")
    assert (renamed.name, renamed.folder) == ("essays/tower.md", "essays")
    held = {d.name: d for d in anywhere.documents()}
    assert held["essays/tower.md"] == renamed and "file001.md" not in held and len(held) == 6
    assert anywhere.read(renamed.id).text
    assert anywhere.search(anywhere.read(renamed.id), where="folder = 'essays'")[0].document == renamed
    with pytest.raises(StoreError, match=r"no document named file001\.md"):
        anywhere.rename("file001.md", "other.md")


def test_two_documents_of_one_name_are_told_apart_by_id(index, tmp_path) -> None:
    other = tmp_path / "file000.md"
    other.write_text("Another text altogether, of quite a few words. " * 5)
    index.add([other])
    with pytest.raises(StoreError, match=r"2 documents named file000\.md: give one of the ids"):
        index.remove("file000.md")


def test_a_document_comes_out_as_it_went_in(index, files) -> None:
    held = next(d for d in index.documents() if d.name == "file003.md")
    assert index.read(held.id).text == ingest.read(files / "file003.md").text


def test_cancelled_it_keeps_what_was_done_and_goes_on(tmp_path, files) -> None:
    made = Index(tmp_path / "index", loader=load)

    def stop(progress) -> None:
        if progress.done == 4:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        made.add([files], on_progress=stop)
    assert made.stats().documents == 4
    model = Light()
    assert len(Index(made.folder, loader=lambda name: model).add([files]).added) == 2
    assert model.encoded == 2


def test_what_a_killed_program_left_is_swept_away_and_never_found(index, files) -> None:
    """Sections and chunks are written before the document they belong to."""
    store_of(index).table(DOCUMENTS).delete("name = 'file002.md'")
    other = Index(index.folder, loader=load)
    assert other.stats().chunks == 12
    assert len(other.search(files / "file002.md", level="passage", limit=10)) == 5
    assert other.add([files]).added == ["file002.md"]
    assert len(rows_of(index, CHUNKS, "document")) == len(rows_of(index, SECTIONS, "document")) == 12


def test_an_index_of_other_weights_is_refused_with_the_way_out(index, files) -> None:
    meta = json.loads((index.folder / "index.json").read_text())
    (index.folder / "index.json").write_text(json.dumps({**meta, "weights": "0" * 64}))
    other = Index(index.folder, loader=load)
    for use in (lambda: other.search(files / "file000.md"), lambda: other.add([files])):
        with pytest.raises(StoreError, match=r"other weights of colde.*colde index rebuild --index"):
            use()
    assert len(other.documents()) == 6
    other.rebuild()
    assert other.search(files / "file000.md")[0].document.name == "file000.md"
    now = json.loads((index.folder / "index.json").read_text())
    assert now == {**meta, "made": now["made"]}
    assert [p.name for p in index.folder.parent.iterdir() if "index" in p.name] == ["index"]


def test_an_index_of_version_1_becomes_one_of_this_version(anywhere, files) -> None:
    anywhere.rebuild()
    storage = anywhere.storage
    meta = json.loads(storage.read())
    store_of(anywhere).table(DOCUMENTS).drop_columns(["folder", "modified"])
    storage.write(json.dumps({**meta, "version": 1}).encode())
    other = Index(anywhere.folder, loader=load)
    assert [(d.folder, d.modified) for d in other.documents()] == [("", None)] * 6
    assert json.loads(storage.read()) == meta
    (files / "new.md").write_text("A new text with more than twenty words in it. " * 4)
    assert other.add([files]).added == ["new.md"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"version": 99, "model": "colde", "weights": "x", "dimension": 64}', "another version"),
        ('{"version": 2}', "damaged"),
        ('{"version": 2, "model": "colde", "weights": "x", "dimension": 0}', "damaged"),
        ('{"version": 2, "model": "colde", "weights": "x", "dimension": 1000000000000}', "damaged"),
        ('{"version": 2, "model": "colde", "weights": "x", "dimension": 64, "tables": "../x"}', "damaged"),
        (
            '{"version": 2, "model": "colde", "weights": "x", "dimension": 64, "tables": "rebuilt-x"}',
            "damaged",
        ),
        ("[]", "damaged"),
        ("", "damaged"),
    ],
)
def test_a_strange_index_is_refused(index, text: str, message: str) -> None:
    (index.folder / "index.json").write_text(text)
    with pytest.raises(StoreError, match=message):
        Index(index.folder, loader=load).documents()


def test_tables_that_were_damaged_are_an_error_in_words(index) -> None:
    for path in (index.folder / "chunks.lance").rglob("*.lance"):
        path.write_bytes(b"nothing")
    with pytest.raises(StoreError, match="the index cannot be used"):
        store_of(index).rows(CHUNKS, ["text"])


def test_a_folder_that_holds_other_things_is_left_alone(tmp_path, files) -> None:
    with pytest.raises(StoreError, match="contains no index, but other files"):
        Index(files, loader=load).add([files])
    with pytest.raises(StoreError, match="holds no index: make one"):
        Index(tmp_path / "nowhere", loader=load).documents()


def test_one_program_writes_at_a_time(anywhere, files) -> None:
    with storage_at(anywhere.folder).lock():
        with pytest.raises(StoreError, match="being written by another program"):
            Index(anywhere.folder, loader=load).add([files])
        assert len(Index(anywhere.folder, loader=load).documents()) == 6
    anywhere.add([files])


def test_a_table_refuses_what_was_begun_before_and_keeps_what_was_written(index) -> None:
    ours, before, racing = (store_of(index) for _ in range(3))
    table = ours.table(SECTIONS)
    rows = table.head(2)
    restore = table.restore

    def late(version: int) -> None:
        """Somebody writes between our look at the table and our first restoring."""
        racing.table(SECTIONS).add(rows)
        table.restore = restore
        restore(version)

    count = table.count_rows()
    table.restore = late
    shut_out(table)
    assert table.count_rows() == count + 2
    for begun in (before, racing):
        with pytest.raises(RuntimeError, match="incompatible"):
            begun.table(SECTIONS).add(rows)
    table.add(rows)
    assert store_of(index).count(SECTIONS) == count + 4


def test_a_model_whose_score_is_no_cosine_is_refused(tmp_path, files) -> None:
    class Other(Light):
        def match(self, a, b, *, explain=True):
            found = super().match(a, b)
            return type(found)(found.score / 2, found.coverage_a, found.coverage_b)

    with pytest.raises(ModelError, match="cannot be used for an index"):
        Index(tmp_path / "index", loader=lambda name: Other()).add([files])
    assert not (tmp_path / "index").exists()


def test_without_the_library_the_error_names_the_command(tmp_path, files, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "lancedb", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'colde-explorer\[index\]'"):
        Index(tmp_path / "index", loader=load).add([files])


def test_a_file_that_is_not_there_is_named(index) -> None:
    found = index.add([Path("missing.md")])
    assert [(u.name, u.error.reason) for u in found.unread] == [("missing.md", "not_found")]
    with pytest.raises(ReadError, match="not_found"):
        index.search("missing.md")


def test_ranks_are_joined_by_their_reciprocals() -> None:
    assert reciprocal_rank([["a", "b", "c"], ["c", "a"]]) == ["a", "c", "b"]
    assert reciprocal_rank([["b"], ["a"]]) == ["b", "a"]


def test_a_large_table_gets_an_approximate_index_and_finds_the_same(
    index, files, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr("colde.index.store.MIN_ROWS_FOR_VECTOR_INDEX", 60)
    query = ingest.read(files / "file003.md")
    exact = [(h.document.name, h.score) for h in index.search(query)]
    index.add([write_files(tmp_path / "many", 33)])
    columns = [i.columns for i in store_of(index).table(CHUNKS).list_indices()]
    assert sorted(columns) == [["text"], ["vector"]]
    assert [i.columns for i in store_of(index).table(DOCUMENTS).list_indices()] == [["text"]]
    found = [(h.document.name, h.score) for h in index.search(query, level="passage", limit=3)]
    assert found[0] == ("file003.md", pytest.approx(1, abs=1e-5))
    assert exact[0][0] == "file003.md"
    index.add([write_files(tmp_path / "later", 40)])  # rows that come later join it
    stats = store_of(index).table(CHUNKS).index_stats("vector_idx")
    assert (stats.num_indexed_rows, stats.num_unindexed_rows) == (80, 0)


@pytest.mark.parametrize("moment", [0, 1, 2, 3])
def test_killed_while_it_is_rebuilt_it_loses_nothing(index, monkeypatch, moment) -> None:
    """Before the new one has its index.json, before the first rename, between the two, and before the old one goes."""

    class Killed(BaseException):
        pass

    def kill(*args: object) -> None:
        raise Killed

    calls = iter(range(4))
    real = os.replace
    monkeypatch.setattr(
        "colde.index.document_index.os.replace", lambda a, b: kill() if next(calls) == moment else real(a, b)
    )
    monkeypatch.setattr("colde.index.storage.folder_storage.shutil.rmtree", kill)
    with pytest.raises(Killed):
        index.rebuild()
    monkeypatch.undo()
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    again = Index(index.folder, loader=load)
    assert len(again.documents()) == 6
    again.rebuild()
    assert (len(again.documents()), again.stats().chunks) == (6, 12)
    assert not [p for p in index.folder.parent.iterdir() if p.name.startswith("index.")]


def test_a_full_disk_loses_nothing_that_was_written(index, files, tmp_path, monkeypatch) -> None:
    more = write_files(tmp_path / "more", 9)

    add = LanceTable.add
    for name in (CHUNKS, DOCUMENTS):  # sections are written before, and have no document then

        def full(table: LanceTable, *rows: object, name: str = name, **more: object) -> object:
            if table.name == name:
                raise RuntimeError("lance error: IO error: No space left on device (os error 28)")
            return add(table, *rows, **more)

        with monkeypatch.context() as patched:
            patched.setattr(LanceTable, "add", full)
            with pytest.raises(OSError, match="No space left"):
                index.add([more])
        assert len(Index(index.folder, loader=load).documents()) == 6
    index.add([more])
    assert (len(index.documents()), index.stats().sections, index.stats().chunks) == (9, 18, 18)


def test_the_chunks_nearest_to_a_query_of_several_are_those_found_by_hand(index, files) -> None:
    text = "\n\n".join(p.read_text() for p in sorted(files.iterdir())[:3])
    query = Light().encode([split_into_parts(ingest.read_text(text))])[0]
    assert len(query.chunks) > 1
    store, best = store_of(index), {}
    for row in store.rows(CHUNKS, ["document", "vector"]):
        nearest = float((query.chunks @ np.asarray(row["vector"], np.float32)).max())
        best[row["document"]] = max(nearest, best.get(row["document"], -1.0))
    _, found = rankings(store, query, "document", None, 100)
    assert found == pytest.approx(best, abs=1e-5)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_an_index_has_no_encoder_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index(tmp_path / "index", loader=load)
    index.add([write_files(tmp_path / "files", 3)])
    file = tmp_path / "index" / "index.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"encoder": "someone/encoder"}), "utf-8")
    fetched = count_fetches(monkeypatch)
    with pytest.raises(ModelError, match="someone/encoder: this encoder is not on this machine"):
        Index(tmp_path / "index", loader=load).search(tmp_path / "files" / "file000.md")
    assert fetched == []
