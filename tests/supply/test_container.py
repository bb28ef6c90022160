"""Dockerfile and compose.yaml hold against the repository: what they copy, run and ask for is there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from colde.cli import cli

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def api() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert found.keys() == {"services", "volumes"}
    assert found["services"].keys() == {"api"}
    service: dict[str, Any] = found["services"]["api"]
    return service


def instructions(name: str) -> list[str]:
    """What stands behind each instruction of this name, lines joined."""
    joined = DOCKERFILE.replace("\\\n", " ")
    return [line.split(None, 1)[1] for line in joined.splitlines() if line.startswith(f"{name} ")]


def test_what_is_copied_is_there_and_is_not_left_out() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for line in instructions("COPY"):
        if "--from" in line:
            continue
        for name in line.split()[:-1]:
            assert (ROOT / name).exists()
            assert name not in ignored
    assert {"colde", "app", "assets", "pyproject.toml", "README.md", "LICENSE"}.isdisjoint(ignored)


def test_every_command_is_one_that_colde_has(api) -> None:
    commands = [json.loads(line) for line in instructions("CMD")]
    (serve,) = [command for command in commands if command[0] == "colde"]
    for command in (serve, api["command"]):
        program, name, *options = command
        assert program == "colde"
        known = {o for p in cli.commands[name].params for o in p.opts}  # type: ignore[attr-defined]
        assert {option for option in options if option.startswith("-")} <= known
    said = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    filling = re.search(r"api (colde index add .*)", said)
    assert filling is not None
    helped = CliRunner().invoke(cli, [*shlex.split(filling[1])[1:3], "--help"])
    assert helped.exit_code == 0


def test_it_runs_without_root_on_a_file_system_that_can_be_read_only(api) -> None:
    users = instructions("USER")
    assert users == ["colde"]
    assert f"--uid {api['user'].split(':')[0]} " in DOCKERFILE
    assert api["read_only"] is True
    assert (api["cap_drop"], api["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
    assert all(port.startswith("127.0.0.1:") for port in api["ports"]), "it knows no users"
    assert "COLDE_CACHE=off" in DOCKERFILE


def test_the_index_lies_in_the_volume_and_the_port_is_the_one_that_is_asked(api) -> None:
    (volume,) = api["volumes"]
    assert api["command"][-1].startswith(volume.split(":")[1] + "/")
    (port,) = instructions("EXPOSE")
    assert api["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert f"127.0.0.1:{port}/ready" in DOCKERFILE
    default = next(p for p in cli.commands["serve"].params if p.name == "port").default  # type: ignore[attr-defined]
    assert default == int(port)


def test_what_is_installed_is_what_serving_needs() -> None:
    pinned = {
        re.split(r"[=<>\[ ;]", line)[0].lower()
        for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    }
    assert {"fastapi", "uvicorn", "python-multipart", "prometheus-client", "lancedb", "streamlit"} <= pinned
