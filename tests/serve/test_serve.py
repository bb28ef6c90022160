"""The service answers as the command line does, tells how far it is, and refuses what is too much."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import threading
from typing import Any

import pytest

from colde.assets import asset
from colde.errors import ModelError, ReadError, StoreError
from colde.index.store import storage_at
from colde.ingest.sandbox.process_pool import Reader
from colde.serve.rate_limits import RateLimit, ServeLimits
from colde.serve.responses import body_of, status_of
from tests.index.light import Light, load
from tests.patience import PATIENCE

pytest.importorskip("fastapi")

from colde.serve.job_queue import JobQueue
from colde.serve.routes import _events, create_app

LAMPS = b"# Lamps\n\n## Wick\n\n" + b"The keeper trimmed the wick and lit the lamp at dusk. " * 5
TIDES = b"# Tides\n\n## Moon\n\n" + b"The tide rises twice a day and the keeper lit the lamp. " * 5
PAIR = {"a": ("a.md", LAMPS), "b": ("b.md", TIDES)}
WORDS = {"model": "tfidf"}
FORM_HEAD = b"--b\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n"
"""The beginning of a form with a file."""


def test_it_says_how_it_is(client) -> None:
    assert client.get("/health").json()["status"] == "ok"
    assert client.get("/ready").json() == {"status": "ready"}
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/read", "/compare", "/what-if", "/search"} <= paths.keys()
    assert client.get("/docs").status_code == 404


def test_a_file_is_read(client) -> None:
    found = client.post("/read", files={"file": PAIR["a"]}).json()
    assert (found["title"], found["source"]) == ("Lamps", "a.md")


def test_two_files_are_compared(client) -> None:
    found = client.post("/compare", files=PAIR, data=WORDS)
    assert found.status_code == 200
    assert found.json()["models"][0]["name"] == "tfidf"
    assert found.json()["maps"]["tfidf"]["section"]["values"]


def test_progress_comes_as_events_and_the_result_last(client) -> None:
    found = client.post("/compare", files=PAIR, data=WORDS, headers={"Accept": "text/event-stream"})
    assert found.headers["content-type"].startswith("text/event-stream")
    events = [dict(line.split(": ", 1) for line in e.splitlines()) for e in found.text.strip().split("\n\n")]
    assert events[-1]["event"] == "result"
    assert json.loads(events[-1]["data"])["models"][0]["name"] == "tfidf"
    assert all(e["event"] == "progress" for e in events[:-1])


def test_who_waits_is_told_the_place_in_the_queue() -> None:
    async def watch() -> list[str]:
        workshop = JobQueue(ServeLimits())
        with workshop.places[0].turns.take("another", cost=5.0):
            events = _events(workshop.submit("me", lambda report, load: "{}", ["tfidf"], 100))
            first = await anext(events)
        return [event.decode() for event in [first, *[event async for event in events]]]

    first, *_, last = asyncio.run(watch())
    event, data = first.strip().splitlines()
    place = json.loads(data.removeprefix("data: "))
    assert event == "event: queue"
    assert (place["place"], place["of"]) == (1, 2), "what needs least is done first"
    assert place["seconds"] > 0
    assert last == "event: result\ndata: {}\n\n"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (ValueError("odd"), 500),
        (ReadError("a.md", "corrupt", "it is broken"), 422),
        (ReadError("\ud800.md", "corrupt", "it is broken"), 422),
        (SystemExit(3), 500),
        ('{"text": "\ud800"}', 500),  # cannot be sent as UTF-8
    ],
    ids=repr,
)
def test_every_stream_ends_with_a_result_or_an_error(answer: object, status: int) -> None:
    def work(report: object, load: object) -> str:
        if isinstance(answer, BaseException):
            raise answer
        return str(answer)

    async def watch() -> list[bytes]:
        return [event async for event in _events(JobQueue(ServeLimits()).submit("me", work, [], 1))]

    last = asyncio.run(watch())[-1].decode()
    assert last.startswith("event: error\ndata: {") and last.endswith("}\n\n")
    assert json.loads(last.partition("data: ")[2])["status"] == status


def test_foreign_names_get_nothing(served) -> None:
    client = served(address="http://evil.example")
    assert client.get("/health").status_code == 400
    assert client.get("/health", headers={"Host": "localhost:8600"}).status_code == 200
    assert served(address="http://evil.example", local=False).get("/health").status_code == 200


def test_a_web_page_elsewhere_cannot_use_it(served) -> None:
    client = served(origins=("https://notes.example",), address="http://127.0.0.1:8600")

    def status(**headers: str) -> int:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return int(client.post("/read", files={"file": PAIR["a"]}, headers=named).status_code)

    assert status() == 200, "a program"
    assert status(origin="http://127.0.0.1:8600", sec_fetch_site="same-origin") == 200
    for origin in (
        "http://evil.example",
        "http://127.0.0.1:8501",
        "http://localhost:8600",
        "null",
        "https://127.0.0.1",
    ):
        assert status(origin=origin) == 403, origin
    assert status(sec_fetch_site="cross-site") == status(sec_fetch_site="same-site") == 403
    assert status(origin="https://notes.example", sec_fetch_site="cross-site") == 200
    asked = {"origin": "https://notes.example", "access-control-request-method": "POST"}
    assert client.options("/read", headers=asked).headers["access-control-allow-origin"] == asked["origin"]
    assert client.options("/read", headers={**asked, "origin": "http://evil.example"}).status_code == 403
    assert client.app.state.service.workshop.active_requests == 0


def test_an_error_of_a_stream_is_an_event(client) -> None:
    files = {**PAIR, "b": ("b.md", b"Too short.")}
    found = client.post("/compare", files=files, data=WORDS, headers={"Accept": "text/event-stream"})
    event, data = found.text.strip().rsplit("\n\n", 1)[-1].splitlines()
    assert event == "event: error"
    assert json.loads(data.removeprefix("data: "))["error"]["reason"] == "too_short"


def test_parts_are_left_out(client) -> None:
    more = b"\n\n## More\n\n" + b"Ships keep away from rocks by charts. " * 6
    first = {**PAIR, "a": ("a.md", LAMPS + more)}
    found = client.post("/what-if", files=first, data={**WORDS, "without": "a:1"})
    assert found.status_code == 200, found.text
    assert client.post("/what-if", files=first, data=WORDS).status_code == 422
    assert client.post("/what-if", files=first, data={**WORDS, "without": "nonsense"}).status_code == 422


def test_text_of_templates_is_set_aside_unless_it_is_included(client) -> None:
    form = b"I declare that this report is my own work and that I have named every source that I used in it."
    files = [(side, (name, form + b"\n\n" + text)) for side, (name, text) in PAIR.items()]
    files += [
        ("template", ("form.md", form)),
        ("template", ("other.md", b"Another form, of a few words more.")),
    ]
    sent = client.post("/compare", files=files, data=WORDS).json()
    assert "template" in [item["what"] for item in sent["set_aside"]["b"]]
    kept = client.post("/compare", files=files, data={**WORDS, "include": "template"}).json()
    assert "template" not in [item["what"] for item in kept["set_aside"]["b"]]
    without = client.post("/what-if", files=files, data={**WORDS, "without": "a:0"})
    assert without.status_code == 422 and "template" in without.text, "section 0 is set aside"
    assert client.post("/compare", files=files, data={**WORDS, "include": "nonsense"}).status_code == 422


def test_an_index_is_searched_with_a_file_or_a_text(folder, served) -> None:
    client = served(folder / "index", loader=load)
    text = (folder / "files" / "file001.md").read_bytes()
    hits = client.post("/search", files={"file": ("x.md", text)}, data={"limit": "2"}).json()["hits"]
    assert [hits[0]["name"], len(hits)] == ["file001.md", 2]
    found = client.post("/search", data={"text": text.decode(), "by": "passage"})
    assert found.json()["hits"][0]["name"] == "file001.md"
    assert client.post("/search", data={"text": "x", "by": "magic"}).status_code == 422


def test_an_encoder_is_named_and_a_folder_is_none(client, tmp_path) -> None:
    named = client.post("/compare", files=PAIR, data={**WORDS, "encoder": "packaged"})
    assert named.json()["encoder"]["name"] == "packaged"
    refused = client.post("/compare", files=PAIR, data={**WORDS, "encoder": str(tmp_path)})
    assert refused.status_code in (400, 422) and "encoder" in refused.text


def test_a_path_is_no_model(client, tmp_path) -> None:
    for path in (str(asset("models", "tfidf")), str(tmp_path), "../x"):
        found = client.post("/compare", files=PAIR, data={"model": path})
        assert found.status_code == 400 and "there is no model named" in found.json()["error"]["message"]
        found = client.post("/what-if", files=PAIR, data={"model": path, "without": "a:0"})
        assert found.status_code == 400


@pytest.mark.parametrize(
    ("path", "sent", "status", "reason", "said"),
    [
        ("/compare", {"files": {**PAIR, "b": ("b.pdf", b"%PDF no")}, "data": WORDS}, 422, "corrupt", "b.pdf"),
        ("/compare", {"files": PAIR, "data": {"model": "nonsense"}}, 400, None, "nonsense"),
        ("/compare", {"files": PAIR, "data": {**WORDS, "profile": "nonsense"}}, 400, None, "nonsense"),
        ("/read", {}, 422, None, "file: missing"),
        ("/read", {"data": {"file": "SECRET"}}, 422, None, "file: not of the type it has"),
        ("/search", {"data": {"text": "SECRET", "limit": "-1"}}, 422, None, "limit: not of the type it has"),
        ("/nowhere", {}, 404, None, "Not Found"),
        (
            "/read",
            {"content": b"x", "headers": {"content-type": "multipart/form-data"}},
            400,
            None,
            "boundary",
        ),
    ],
)
def test_a_request_of_another_form_has_errors_of_the_same_form(
    client, path, sent, status, reason, said
) -> None:
    found = client.post(path, **sent)
    error = found.json()["error"]
    assert (found.status_code, error["reason"]) == (status, reason) and said in error["message"]
    assert error.keys() >= {"reason", "message"} and "SECRET" not in found.text
    if reason is None:
        assert error.keys() == {"reason", "message"}


def test_too_large_and_too_often_are_refused(served) -> None:
    client = served(limits=ServeLimits(body=3_000, per_minute=3))
    assert client.post("/read", files={"file": ("a.md", b"x" * 5_000)}).status_code == 413
    chunks = (b"x" * 1_000 for _ in range(9))
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    assert client.post("/read", content=chunks, headers=kind).status_code == 413
    assert [client.post("/read", files={"file": PAIR["a"]}).status_code for _ in range(2)] == [200, 200]
    refused = client.post("/read", files={"file": PAIR["a"]})
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    assert client.get("/health").status_code == 200


@pytest.mark.parametrize("drips", [False, True])
def test_a_body_that_never_ends_is_refused_after_a_time(drips: bool) -> None:
    app = create_app(limits=ServeLimits(body_seconds=0.2), warm=())
    answer: list[dict[str, Any]] = []
    parts = itertools.chain([FORM_HEAD], itertools.repeat(b"x", 500) if drips else ())

    async def receive() -> dict[str, Any]:
        for part in parts:
            await asyncio.sleep(0.01 if drips else 0)
            return {"type": "http.request", "body": part, "more_body": True}
        await asyncio.sleep(60)
        raise AssertionError("it waited for the rest")

    async def send(message: dict[str, Any]) -> None:
        answer.append(message)

    asyncio.run(app(request_scope(), receive, send))
    assert answer[0]["status"] == 408 and b"did not arrive completely within 0.2 seconds" in answer[1]["body"]


def request_scope(*headers: tuple[bytes, bytes]) -> dict[str, Any]:
    kind, host = (b"content-type", b"multipart/form-data; boundary=b"), (b"host", b"localhost")
    return {
        "type": "http", "method": "POST", "path": "/read", "headers": [kind, host, *headers], "client": ("1.2.3.4", 5),
        "query_string": b"", "http_version": "1.1", "scheme": "http", "root_path": "", "raw_path": b"/read",
        "server": ("localhost", 80), "asgi": {"version": "3.0"},
    }  # fmt: skip


def test_all_bodies_together_have_a_limit() -> None:
    """Bodies that do not end, counted as they arrive; the room is there again when they have gone."""
    app = create_app(limits=ServeLimits(body=4_000, total=10_000), warm=())
    budget = app.state.service.budget

    async def post(
        size: int, rest: asyncio.Event | None = None, *headers: tuple[bytes, bytes]
    ) -> tuple[int, Any]:
        answer: list[Any] = []
        parts = [(FORM_HEAD + b"x" * (size - len(FORM_HEAD)), True), (b"\r\n--b--\r\n", False)]

        async def receive() -> dict[str, Any]:
            if len(parts) == 1 and rest is not None:
                await rest.wait()
            body, more = parts.pop(0) if parts else (b"", False)
            return {"type": "http.request", "body": body, "more_body": more}

        async def send(message: dict[str, Any]) -> None:
            answer.append(message)

        await app(request_scope(*headers), receive, send)
        return answer[0]["status"], dict(answer[0]["headers"]).get(b"retry-after")

    async def run() -> None:
        rest = asyncio.Event()
        held = [asyncio.create_task(post(3_000, rest)) for _ in range(3)]
        while budget.used < 9_000:
            await asyncio.sleep(0.001)
        assert await post(2_000) == (503, b"5"), "counted as it arrives"
        assert await post(500, None, (b"content-length", b"2000")) == (503, b"5"), "announced"
        assert (await post(800))[0] == 200, "one that fits"
        rest.set()
        assert [status for status, _ in await asyncio.gather(*held)] == [200] * 3
        assert (await post(2_000))[0] == 200
        assert budget.used == 0

    asyncio.run(run())


def test_too_much_at_once_and_too_long_are_refused(served) -> None:
    go = threading.Event()

    def slow(name: str) -> Light:
        go.wait(PATIENCE)
        return Light()

    client = served(limits=ServeLimits(active_requests=1), loader=slow)
    first = threading.Thread(target=lambda: client.post("/compare", files=PAIR, data={"model": "colde"}))
    first.start()
    while not client.app.state.service.workshop.active_requests:
        threading.Event().wait(0.01)
    assert client.post("/compare", files=PAIR, data=WORDS).status_code == 503
    go.set()
    first.join()
    late = served(limits=ServeLimits(seconds=-1))
    assert late.post("/compare", files=PAIR, data=WORDS).status_code == 504


def test_metrics_count_requests_and_no_text_is_logged(client, caplog) -> None:
    with caplog.at_level("INFO"):
        client.post("/compare", files=PAIR, data=WORDS)
    assert 'colde_requests_total{path="/compare",status="200"} 1.0' in client.get("/metrics").text
    (line,) = [r.getMessage() for r in caplog.records if r.name == "colde.serve.requests"]
    found = json.loads(line)
    assert found.keys() == {"method", "path", "status", "client", "bytes", "seconds"}
    assert not any(word in caplog.text for word in ("keeper", "a.md", "wick"))


def test_a_client_has_requests_again_after_a_while() -> None:
    now = [0.0]
    limit = RateLimit(2, clock=lambda: now[0])
    assert [limit.wait("x") for _ in range(3)] == [0, 0, 30]
    assert limit.wait("y") == 0
    now[0] = 31
    assert limit.wait("x") == 0


def test_each_error_has_its_status() -> None:
    assert status_of(ReadError("x", "too_large", "so large")) == 413
    assert status_of(StoreError("x")) == 409
    assert status_of(ModelError("x")) == 400
    assert status_of(ZeroDivisionError("the keeper")) == 500
    assert "keeper" not in json.dumps(body_of(ZeroDivisionError("the keeper")))


def test_a_reader_that_is_killed_harms_its_own_request_alone(client, monkeypatch) -> None:
    """The process that parses the file is killed between question and answer."""
    monkeypatch.setenv("COLDE_SANDBOX", "on")
    real, killed = Reader.exchange, []

    def ask(child: Reader, *arguments: Any) -> dict[str, Any]:
        if not killed:
            killed.append(child.process.pid)
            os.kill(child.process.pid, signal.SIGKILL)
        return real(child, *arguments)

    monkeypatch.setattr(Reader, "exchange", ask)
    refused = client.post("/read", files={"file": PAIR["a"]})
    assert (refused.status_code, refused.json()["error"]["reason"]) == (422, "corrupt")
    assert "the reader crashed on this file" in refused.json()["error"]["message"]
    assert client.post("/read", files={"file": PAIR["a"]}).status_code == 200
    assert client.app.state.service.workshop.active_requests == 0


def test_work_that_dies_ends_its_own_request_alone(served) -> None:
    class Dies(Light):
        def encode(self, *arguments, **more):
            raise MemoryError("the keeper")

    client = served(loader=lambda name: Dies())
    found = client.post("/compare", files=PAIR, data={"model": "colde"})
    assert (found.status_code, found.json()["error"]["message"]) == (500, "this is a bug: MemoryError")
    assert client.post("/read", files={"file": PAIR["a"]}).status_code == 200


def test_an_index_is_searched_while_another_program_writes_and_a_damaged_one_is_named(folder, served) -> None:
    text = {"text": (folder / "files" / "file001.md").read_text()}
    client = served(folder / "index", loader=load)
    with storage_at(folder / "index").lock():
        assert client.post("/search", data=text).json()["hits"][0]["name"] == "file001.md"
    for path in (folder / "index" / "documents.lance").rglob("*.lance"):
        path.write_bytes(b"nothing")
    refused = client.post("/search", data=text)
    assert refused.status_code == 409
    assert "the index cannot be used" in refused.json()["error"]["message"]
    assert client.get("/health").status_code == 200
