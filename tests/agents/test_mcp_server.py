"""The server for agents, asked by a real client: one session over standard input and output, the other in memory."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

import colde
from colde.agents import agent_tools, mcp_server
from colde.agents.agent_tools import AgentTools, ToolUseError
from colde.agents.allowed_folders import AllowedFolders, NotAllowedError
from colde.assets import asset
from colde.errors import MissingExtraError, ModelError

A = "The keeper opens the gate at dawn. No boat may pass without a lamp. The clerk keeps a ledger of all the fees.\n"
B = A.replace("dawn", "noon")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "allowed"
    folder.mkdir()
    for name, text in (("a.txt", A), ("b.txt", B)):
        (folder / name).write_text(text, encoding="utf-8")
    (tmp_path / "secret.txt").write_text(A, encoding="utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    return folder


Calls = Sequence[tuple[str, dict[str, Any]]]


def ask(server: Any, calls: Calls) -> tuple[set[str], list[Any]]:
    """The tools of a server, and its answers to a client that calls some of them."""
    from mcp import Client

    async def session() -> tuple[set[str], list[Any]]:
        async with Client(server) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            return tools, [await client.call_tool(name, arguments) for name, arguments in calls]

    return anyio.run(session)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_program_is_asked_over_standard_input_and_output(root: Path) -> None:
    from mcp.client.stdio import StdioServerParameters

    command = [*["-P", "-m", "colde", "mcp", "--root"], str(root)]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    calls = [("read_document", {"path": path}) for path in ("a.txt", "../secret.txt")]
    tools, (inside, outside) = ask(server, calls)
    assert tools >= {"read_document", "compare_documents", "list_changes", "list_passages"}
    assert json.loads(inside.content[0].text)["untrusted_text"] == A.strip()
    assert outside.is_error and "no such file below the allowed folders" in outside.content[0].text


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_session_of_a_client(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every tool; and nothing is printed, since on standard output the server answers."""
    colde.Index(root / "held.index").add([root / "b.txt"])
    capfd.readouterr()
    pair = {"a": "a.txt", "b": "b.txt"}
    calls: dict[str, dict[str, Any]] = {
        "read_document": {"path": "a.txt"},
        "compare_documents": {**pair, "model": "tfidf"},
        "list_changes": pair,
        "list_passages": pair,
        "find_counterparts": {**pair, "start": 35, "end": 67},
        "chart_requirements": {"a": "a.txt", "others": ["b.txt"], "rows": "sentences"},
        "search_index": {"path": "a.txt", "index": "held.index"},
        "list_sources": {"path": "a.txt", "index": "held.index"},
    }
    tools, answers = ask(mcp_server.mcp_server([root]), list(calls.items()))
    assert capfd.readouterr().out == ""
    assert tools == calls.keys() and not any(answer.is_error for answer in answers), answers
    values = {name: json.loads(answer.content[0].text) for name, answer in zip(calls, answers, strict=True)}
    assert values["read_document"]["untrusted_text"] == A.strip()
    assert values["compare_documents"]["changes"] == 1
    (change,) = values["list_changes"]["items"]
    assert "dawn" in change["a"]["untrusted_text"] and "noon" in change["b"]["untrusted_text"]
    assert values["list_passages"]["total"] >= 1
    best = values["find_counterparts"]["counterparts"][0]
    assert "No boat may pass without a lamp." in best["b"]["untrusted_text"]
    row = values["chart_requirements"]["items"][1]
    assert "No boat may pass" in row["a"]["untrusted_text"] and row["cells"][0]["found"] is True
    (hit,) = values["search_index"]["items"]
    assert hit["name"] == "b.txt" and "lamp" in hit["passages"][0]["found"]["untrusted_text"]
    sources = values["list_sources"]
    assert [source["name"] for source in sources["sources"]] + sources["versions"] == ["b.txt"]


@pytest.mark.parametrize("name", ["../secret.txt", "link.txt", "/etc/passwd", "missing.txt", "", "a\0b", "."])
def test_files_outside_the_folders_are_not_read(root: Path, name: str) -> None:
    with pytest.raises(NotAllowedError):
        AllowedFolders([root]).file(name)


@pytest.mark.parametrize("name", ["..", "a.txt", "missing", "/etc", "with_link"])
def test_folders_outside_the_folders_are_not_searched(root: Path, name: str) -> None:
    (root / "with_link").mkdir()
    (root / "with_link" / "documents").symlink_to(root.parent / "secret.txt")
    with pytest.raises(NotAllowedError):
        AllowedFolders([root]).folder(name)


def test_a_folder_below_is_searched(root: Path) -> None:
    (root / "inside").mkdir()
    (root / "inside" / "again.txt").symlink_to(root / "a.txt")
    assert AllowedFolders([root]).folder("inside") == (root / "inside").resolve()


def test_a_chart_of_more_documents_than_an_answer_takes_is_refused(root: Path) -> None:
    tools = AgentTools(AllowedFolders([root]))
    for others in ([], ["b.txt"] * (agent_tools.MOST_OTHERS + 1)):
        with pytest.raises(ToolUseError, match="name 1 to 4"):
            tools.chart_requirements("a.txt", others)


def test_sources_are_listed_in_parts(root: Path) -> None:
    extra = "Far away the miller grinds grain for the town, and the mill wheel turns all day and all night. "
    (root / "long.txt").write_text(A + extra * 3, encoding="utf-8")
    colde.Index(root / "held.index").add([root / "b.txt"])
    tools = AgentTools(AllowedFolders([root]))
    listed = tools.list_sources("long.txt", "held.index", limit=1)
    assert listed["sources"] and listed["sources"][0]["name"] == "b.txt"
    passage = listed["items"][0]
    assert (
        passage["source"] == 1 and "lamp" in passage["a"]["untrusted_text"] + passage["b"]["untrusted_text"]
    )
    assert listed["next"] == (1 if listed["total"] > 1 else None)


def test_files_below_the_folders_are_read_by_either_path(root: Path) -> None:
    folders = AllowedFolders([root])
    assert folders.file("a.txt") == folders.file(str(root / "a.txt")) == (root / "a.txt").resolve()


def test_answers_are_short_and_go_on(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_tools, "MOST_CHARACTERS", 40)
    tools = AgentTools(AllowedFolders([root]))
    first = tools.read_document("a.txt")
    rest = [first["untrusted_text"]]
    while first["next"] is not None:
        first = tools.read_document("a.txt", first["next"])
        rest.append(first["untrusted_text"])
    assert "".join(rest) == A.strip() and all(len(text) <= 40 for text in rest)
    listed = tools.list_passages("a.txt", "b.txt", limit=1)
    assert len(listed["items"]) == 1 and listed["next"] == (1 if listed["total"] > 1 else None)


def test_without_the_extra_the_error_names_the_command(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_server, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="pip install"):
        mcp_server.mcp_server([root])


def test_a_path_is_no_model(root: Path) -> None:
    tools = AgentTools(AllowedFolders([root]))
    for name in (str(asset("models", "tfidf")), str(root.parent), "../x"):
        with pytest.raises(ModelError):
            tools.compare_documents("a.txt", "b.txt", model=name)
    assert tools.compare_documents("a.txt", "b.txt", model="tfidf")["model"] == "tfidf"
