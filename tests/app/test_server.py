"""The explorer as a server: how it starts, what it answers, what it reads of the current folder, what it keeps."""

from __future__ import annotations

import asyncio
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import pytest
from colde_explorer_app.security_headers import HEADERS, Headers
from streamlit import config
from streamlit.runtime.memory_session_storage import MemorySessionStorage

from colde.cli.serving.app import main_page, streamlit_command, streamlit_options
from tests.patience import PATIENCE
from tests.programs import run_program, run_python, serving

HOSTILE = """
[server]
address = "0.0.0.0"
port = 1
enableAgentApi = true
enableStaticServing = true
enableXsrfProtection = false
enableCORS = false
maxUploadSize = 9000
allowedHosts = ["evil.example"]
corsAllowedOrigins = ["http://evil.example"]
trustedUserHeaders = {"X-User" = "name"}
[browser]
gatherUsageStats = true
[client]
showErrorDetails = "full"
"""
CLOSES = """
import asyncio, sys, threading
import colde_explorer_app.server as server
from colde_explorer_app.server import sweep

class Session:
    def __init__(self):
        self.id, self.ended = "a", False
    def shutdown(self):
        self.ended = True

class Info:
    session = Session()

runtime = server.app._create_runtime()
store = runtime._session_mgr._session_storage
store._cache._ttl = 1000.0
store.save(Info)
assert sweep() == 0 and not Info.session.ended
store._cache._timer = lambda: 1e12
assert sweep() == 1 and Info.session.ended
assert sweep() == 0
print("swept")

async def serve():
    assert server.FIRST_PAGE not in sys.modules
    async with server.serving(server.app):
        for thread in threading.enumerate():
            if thread.name == "first page":
                thread.join()
        assert server.FIRST_PAGE in sys.modules

asyncio.run(serve())
print("imported")
"""

OPEN = """
import sys
import colde_explorer_app.session.comparison_jobs as jobs
from concurrent.futures import Executor, Future
from streamlit.testing.v1 import AppTest
from colde.cli.serving.app import main_page
jobs.warm_up = lambda: None
page = AppTest.from_file(str(main_page()), default_timeout=600).run()
assert not page.exception, page.exception
assert page.button(key="compare").label == "Compare"
print(" ".join(sorted({"torch", "transformers", "spacy", "sklearn"} & set(sys.modules))) or "none", "loaded")
"""

COMPARE = """
class Now(Executor):
    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        future.set_result(fn(*args, **kwargs))
        return future

jobs.worker = Now
for side, name in enumerate(("a.txt", "b.txt")):
    page.file_uploader[side].upload(name, b"The marigold keeper trimmed the lamp at dusk. " * 9)
    page.run()
page.multiselect(key="taking_part").set_value(["tfidf"]).run()
page.button(key="compare").click().run()
assert not page.exception and not page.error, page.exception
print("compared" if page.session_state["state.Comparing"].request else "")
"""


@pytest.fixture(scope="module")
def hostile_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of downloads, somebody else's code and settings among them."""
    folder = tmp_path_factory.mktemp("downloads")
    for name in ("streamlit", "json", "click", "colde", "starlette"):
        code = f"open({str(folder / 'ran')!r}, 'w').write({name!r})\nraise SystemExit(9)\n"
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(HOSTILE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def served(hostile_folder: Path) -> Iterator[tuple[str, Path]]:
    """The address of the explorer, started in that folder by `colde app`, and the folder."""
    program = Path(sys.executable).with_name("colde")
    env = {"STREAMLIT_SERVER_ENABLE_AGENT_API": "true"}
    with serving(lambda port: [program, "app", "--port", str(port)], cwd=hostile_folder, env=env) as address:
        yield address, hostile_folder


def _get(url: str, **headers: str) -> tuple[int, dict[str, str]]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}
    except HTTPError as error:
        with error:
            return error.code, {name.lower(): value for name, value in error.headers.items()}
    except (URLError, OSError):
        return 0, {}


def _websocket(address: str, origin: str | None) -> int:
    """The status of the answer to a page that opens its websocket."""
    host = address.removeprefix("http://").rstrip("/")
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    headers |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} | (
        {} if origin is None else {"Origin": origin}
    )
    connection = HTTPConnection(host, timeout=PATIENCE)
    try:
        connection.request("GET", "/_stcore/stream", headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def test_the_command_runs_this_python_on_the_server_beside_the_main_page() -> None:
    program = streamlit_command(8600)
    assert program[0] == sys.executable
    server = main_page().with_name("server.py")
    assert str(server) in program and server.is_file() and main_page().is_file()
    assert program[-2:] == ["--server.port", "8600"]


def test_in_a_container_it_listens_for_others_and_answers_to_the_names_of_this_machine() -> None:
    program = streamlit_command(8600, "0.0.0.0")
    given = [value for name, value in pairwise(program) if name == "--server.address"]
    assert given == ["0.0.0.0"]
    names = [value for name, value in pairwise(program) if name == "--server.allowedHosts"]
    assert names == ["localhost", "127.0.0.1"]


def test_code_and_settings_in_the_current_folder_do_nothing(served: tuple[str, Path]) -> None:
    address, folder = served
    assert not (folder / "ran").exists()
    status, headers = _get(address, Accept="text/html", **{"Accept-Encoding": "gzip"})
    assert status == 200 and "content-encoding" not in headers, (
        "packed, it could not be told where its server is"
    )
    for name, value in HEADERS.items():
        assert headers[name.lower()] == value
    assert _get(f"{address}/_stcore/metrics")[0] == 404
    assert _get(f"{address}/_stcore/metrics/")[0] == 404
    assert _get(address, Host="evil.example")[0] in (400, 403, 421)
    foreign = _get(f"{address}/_stcore/health", Origin="http://evil.example")[1]
    assert "access-control-allow-origin" not in foreign
    assert _get(f"{address}/_stcore/agent/sessions")[0] in (404, 405)


def test_only_the_page_itself_may_open_its_websocket(served: tuple[str, Path]) -> None:
    address = served[0]
    assert _websocket(address, address.rstrip("/")) == _websocket(address, None) == 101
    for origin in ("http://127.0.0.1:1", "http://localhost", "http://evil.example", "null"):
        assert _websocket(address, origin) == 403, origin


def test_settings_go_as_flags_and_win(hostile_folder: Path) -> None:
    program = streamlit_command(8600)
    assert program[1:3] == ["-P", "-m"], "-P keeps the current folder out"
    run = program.index("run")
    shown = run_program(*program[:run], "config", "show", *program[run + 2 :], cwd=hostile_folder)
    assert not (hostile_folder / "ran").exists()
    said = tomllib.loads(shown[shown.index("[global]") :])
    assert said["server"]["address"] == "127.0.0.1" and said["server"]["port"] == 8600
    assert said["server"]["allowedHosts"] == ["localhost", "127.0.0.1"]
    assert said["server"]["maxUploadSize"] == 50
    assert said["server"]["enableXsrfProtection"] is said["server"]["enableCORS"] is True
    assert said["server"]["enableAgentApi"] is said["server"]["enableStaticServing"] is False
    assert said["browser"]["gatherUsageStats"] is False
    assert said["client"]["showErrorDetails"] == "type"


def test_every_setting_is_one_that_streamlit_knows() -> None:
    names = [flag.removeprefix("--") for flag in streamlit_options() if flag.startswith("--")]
    assert set(names) <= set(config._config_options_template)


def test_the_settings_beside_the_server_keep_everything_on_this_computer() -> None:
    text = (main_page().parent / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    settings = tomllib.loads(text)
    assert settings["server"]["address"] == "127.0.0.1"
    assert settings["server"]["enableXsrfProtection"] is True
    assert settings["server"]["maxUploadSize"] == 50
    assert settings["browser"]["gatherUsageStats"] is False
    assert "http" not in text
    # with a full garbage collection after every look, five sessions that watch their comparisons stop each other
    assert "runner.postScriptGC" in config._config_options_template
    assert settings["runner"]["postScriptGC"] is False


def test_sessions_of_closed_pages_are_swept_away_by_the_clock_and_a_start_imports_the_first_page() -> None:
    assert run_python("-c", CLOSES).split() == ["swept", "imported"]


def test_the_first_page_loads_no_heavy_library_and_nothing_of_an_upload_is_written(tmp_path: Path) -> None:
    """Two files are read and compared; no file in the home or among the temporary ones has a word of them."""
    folders = {name: str(tmp_path) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    printed = run_python(
        "-c", OPEN + COMPARE, cwd=tmp_path, env=folders | {"COLDE_CACHE": "on", "COLDE_SANDBOX": "on"}
    )
    assert printed.split() == ["none", "loaded", "compared"]
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in written if b"marigold" in path.read_bytes().lower()]
    assert not [path for path in written if path.suffix in (".npy", ".npz", ".safetensors")]


def test_the_store_of_sessions_is_the_one_that_is_swept() -> None:
    assert hasattr(MemorySessionStorage()._cache, "expire")


def answered(app: Any, path: str) -> list[dict[str, Any]]:
    """What the middleware sends for a path."""
    sent: list[dict[str, Any]] = []

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "path": path, "method": "GET", "headers": []}
    asyncio.run(Headers(app)(scope, receive, send))
    return sent


@pytest.mark.parametrize("pieces", [[b"<html><head><title>", b"</title>"], [b"<html><head>"]])
def test_the_page_is_told_where_its_server_is(pieces: list[bytes]) -> None:
    length = sum(map(len, pieces))

    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"%d" % length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for piece in pieces:
            more = piece is not pieces[-1]
            await send({"type": "http.response.body", "body": piece, "more_body": more})

    sent = answered(app, "/collection")
    body = b"".join(m.get("body", b"") for m in sent)
    assert b'<head><script>window.__streamlit={BACKEND_BASE_URL:location.origin+""}</script>' in body
    assert dict(sent[0]["headers"])[b"content-length"] == b"%d" % len(body)


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/base/_stcore/metrics"])
def test_metrics_are_closed_and_answers_carry_the_headers(path: str) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("asked for what is closed")

    sent = answered(app, path)
    assert sent[0]["status"] == 404
    names = {name.decode().lower() for name, _ in sent[0]["headers"]}
    assert {name.lower() for name in HEADERS} <= names
