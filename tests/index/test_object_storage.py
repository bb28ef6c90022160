"""An index on object storage, against a real S3 server on this machine: what holds in a folder holds there."""

from __future__ import annotations

import json
import os
import signal
import sys

import pytest

from colde import ingest
from colde.cli import main
from colde.errors import MissingExtraError, StoreError
from colde.index import Index
from colde.index.index_schema import DOCUMENTS, SECTIONS
from colde.index.shard_files import ObjectShards
from colde.index.storage import lease
from colde.index.storage.object_storage import ObjectStorage
from colde.index.store import read_meta, storage_at
from tests.index.adding import count, stopped
from tests.index.light import load, store_of, write_files
from tests.index.storage import BUCKET
from tests.programs import run_python

pytestmark = pytest.mark.xdist_group("s3")


def tops(index: Index) -> set[str]:
    assert isinstance(index.storage, ObjectStorage)
    return {path.split("/")[0] for path in index.storage.paths()}


def test_it_holds_and_finds_what_a_folder_does(remote, index, files) -> None:
    assert [d.to_dict() for d in remote.documents()] == [d.to_dict() for d in index.documents()]
    there, here = remote.stats(), index.stats()
    assert (there.documents, there.sections, there.chunks) == (here.documents, here.sections, here.chunks)
    assert there.bytes > 1_000
    for level in ("document", "passage"):
        there, here = (
            [h.to_dict() for h in i.search(files / "file004.md", limit=3, level=level)]
            for i in (remote, index)
        )
        assert there == here
        assert there[0]["name"] == "file004.md"
    assert remote.read(remote.documents()[3].id).text == ingest.read(files / "file003.md").text


def test_the_commands_take_its_uri(remote, capfd) -> None:
    assert main(["index", "stats", "--index", remote.folder, "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["documents"] == 6
    assert main(["index", "list", "--index", f"{remote.folder}/", "--json"]) == 0
    assert len(json.loads(capfd.readouterr().out)["documents"]) == 6
    assert main(["index", "remove", "file001.md", "--index", remote.folder]) == 0
    assert len(remote.documents()) in (5, 6), "an index that is open may show the state it was opened in"
    assert len(Index(remote.folder, loader=load).documents()) == 5


def test_a_lock_that_was_let_go_is_free_at_once(remote, files, monkeypatch) -> None:
    with (
        storage_at(remote.folder).lock(),
        pytest.raises(StoreError, match=r"being written by another program \(.*process \d+\): wait"),
    ):
        Index(remote.folder, loader=load).add([files])
    monkeypatch.setattr(lease.Lease, "_watch", lambda *of: pytest.fail("it waited for the lock"))
    remote.add([files])


@pytest.fixture
def silent(monkeypatch) -> None:
    """Holders of a lock give no sign, as if they were stopped, and lose it soon."""
    monkeypatch.setattr(lease, "RENEW_SECONDS", 3_600.0)
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.3)


def test_a_holder_that_gives_no_sign_loses_the_lock_and_writes_nothing_more(remote, silent) -> None:
    store, first = store_of(remote), remote.documents()[0].id
    with (
        store.writing(),
        storage_at(remote.folder).lock(),
        pytest.raises(StoreError, match="taken over by another program"),
    ):
        store.remove([first])
    assert len(Index(remote.folder, loader=load).documents()) == 6


def test_a_writer_that_was_stopped_too_long_writes_nothing_twice(uri, files) -> None:
    """Stopped behind the last proof that the lock is its own, it goes on when another one has written the same."""
    with stopped(uri, files) as (process, said):
        index = Index(uri, loader=load)
        assert len(index.add([files]).added) == 6
        before = index.storage.read()
        os.kill(process.pid, signal.SIGCONT)
        assert "was taken over by another program" in said.recv()
    count(uri, 6)
    assert index.storage.read() == before
    assert len(Index(uri, loader=load).add([files]).known) == 6, "it can be written to as before"
    assert index.storage.read() == before, "who was shut out once need not be shut out again"


def test_index_json_is_replaced_only_as_it_was_read(remote) -> None:
    """One that rebuilds, and was stopped before its last step, does not lose what was added meanwhile."""
    stopped, other = ObjectStorage(remote.folder), ObjectStorage(remote.folder)
    meta = stopped.read()
    stopped.write(meta.replace(b"{", b"{ ", 1))
    other._bump_meta()
    assert read_meta(other) == read_meta(remote.folder)
    with pytest.raises(StoreError, match="taken over"):
        stopped.write(meta)
    assert other.read() != meta


def test_the_lock_is_still_held_where_the_answer_to_a_turn_was_lost(uri) -> None:
    import obstore

    storage = ObjectStorage(uri)
    mine = lease.Lease(storage.store, "lock", uri)
    mine.acquire()
    try:
        before = mine._version
        mine.confirm()
        assert mine._version != before
        real, calls = obstore.put, []

        def twice(*args, **more):
            """The library asks again when it has heard nothing."""
            calls.append(args)
            real(*args, **more)
            return real(*args, **more)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(obstore, "put", twice)
            mine.confirm()
        assert calls
        mine._version = before  # the last answers never came
        mine.confirm()
        storage.delete("lock")
        with pytest.raises(StoreError, match="taken over"):
            mine.confirm()
    finally:
        mine.release()


def test_a_holder_that_turns_at_the_last_moment_keeps_the_lock(uri, silent, monkeypatch) -> None:
    storage = ObjectStorage(uri)
    mine, other = (lease.Lease(storage.store, "lock", uri) for _ in range(2))
    mine.acquire()
    real = other._watch

    def watch(seen):
        found = real(seen)
        mine.confirm()
        return found

    monkeypatch.setattr(other, "_watch", watch)
    with pytest.raises(StoreError, match="being written"):
        other.acquire()
    mine.confirm()
    mine.release()


def test_a_rebuilt_index_lies_in_a_folder_of_its_own_and_killed_meanwhile_it_loses_nothing(
    remote, files, monkeypatch
) -> None:
    storage = remote.storage
    meta = json.loads(storage.read())
    storage.write(json.dumps({**meta, "weights": "0" * 64}).encode())
    other = Index(remote.folder, loader=load)
    with pytest.raises(StoreError, match="other weights"):
        other.add([files])
    assert len(other.rebuild().added) == 6
    now = json.loads(storage.read())
    assert now == {**meta, "tables": "rebuilt-1", "made": now["made"]}
    assert tops(other) == {"index.json", "lock", "rebuilt-1"}
    assert other.search(files / "file000.md")[0].document.name == "file000.md"

    rebuild_until(other, "write", monkeypatch)
    again = Index(remote.folder, loader=load)
    assert len(again.documents()) == 6
    assert len(again.rebuild().known) == 6, "what was encoded is not encoded again"
    assert tops(again) == {"index.json", "lock", "rebuilt-2"}
    for number, moment in ((3, "_remove_replaced_tables"), (4, "remove")):
        rebuild_until(Index(remote.folder, loader=load), moment, monkeypatch)
        again = Index(remote.folder, loader=load)
        assert len(again.documents()) == 6
        assert tops(again) == {"index.json", "lock", f"rebuilt-{number - 1}", f"rebuilt-{number}"}
    assert len(again.rebuild().known) == 0
    assert tops(again) == {"index.json", "lock", "rebuilt-5"}
    count(remote.folder, 6)


def rebuild_until(index: Index, moment: str, monkeypatch) -> None:
    """A rebuild that is killed before index.json names the new one, when it does, or as the old one goes."""

    class Killed(BaseException):
        pass

    def kill(*args: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        if moment == "write":
            patched.setattr(ObjectStorage, "write", kill)
        else:
            real = ObjectStorage.replace

            def replace(self, fresh) -> None:
                patched.setattr(ObjectStorage, moment, kill)
                real(self, fresh)

            patched.setattr(ObjectStorage, "replace", replace)
        with pytest.raises(Killed):
            index.rebuild()


def test_a_shard_is_complete_when_its_documents_are_there(remote) -> None:
    shards = ObjectShards(str(remote.storage.shards()))
    shards.storage.put(f"{'0' * 64}/{SECTIONS}.parquet", b"of a worker that was killed as it wrote")
    assert not list(shards.complete())
    shards.storage.put(f"{'1' * 64}/{DOCUMENTS}.parquet", b"nothing")
    assert list(shards.complete()) == ["1" * 64]
    with pytest.raises(StoreError, match="is damaged"):
        shards.read("1" * 64)
    shards.clear()
    assert not list(shards.storage.paths())


def test_what_holds_other_things_or_nothing_is_said(uri, files, monkeypatch) -> None:
    with pytest.raises(StoreError, match="holds no index: make one"):
        Index(uri, loader=load).documents()
    ObjectStorage(uri).put("sub/photo.jpg", b"something")
    with pytest.raises(StoreError, match="contains no index, but other files"):
        Index(uri, loader=load).add([files])
    strange = ("ftp://bucket/name", f"s3://{BUCKET}", f"s3://{BUCKET}/", f"{uri}?x", f"{uri}#x", f"{uri}//x")
    for wrong in strange:
        with pytest.raises(StoreError, match="names no place for an index"):
            Index(wrong, loader=load)
    with pytest.raises(StoreError, match=r"NoSuchBucket.*credentials and endpoint"):
        Index("s3://nowhere/papers.index", loader=load).add([files])
    monkeypatch.setenv("AWS_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(StoreError, match="the storage refused access"):
        Index(uri, loader=load).documents()


def test_without_the_library_the_error_names_the_command(uri, monkeypatch) -> None:
    monkeypatch.delitem(sys.modules, "colde.index.storage.object_storage")
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'colde-explorer\[cloud\]'"):
        Index(uri, loader=load)


def test_many_workers_write_it(uri, tmp_path) -> None:
    pytest.importorskip("ray")
    files = write_files(tmp_path / "files", 20)
    script = (
        "import sys; from colde.index import ray_workers; from tests.index.light import load\n"
        "found = ray_workers.encode_corpus([sys.argv[1]], sys.argv[2], workers=2, loader=load)\n"
        "print(len(found.added), len(found.known), len(found.unread))"
    )
    for said in ("20 0 0", "0 20 0"):
        assert run_python("-c", script, files, uri, env={"COLDE_SANDBOX": "off"}).split("\n")[-2] == said
    count(uri, 20)
    assert "shards" not in tops(Index(uri, loader=load))
