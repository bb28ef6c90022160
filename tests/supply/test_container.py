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


PORTS = {"api": (8600, "serve", "/ready"), "app": (8501, "app", "/_stcore/health")}
"""Services: port, command, and what answers when it can be used."""


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert found.keys() == {"x-confined", "services", "volumes"}
    said: dict[str, dict[str, Any]] = found["services"]
    assert said.keys() == PORTS.keys()
    return said


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
            assert name == "." or list(ROOT.glob(name))
            assert name.split("/")[0] not in ignored
    assert {"colde", "app", "assets", "pyproject.toml", "README.md", "LICENSE"}.isdisjoint(ignored)


def test_every_command_is_one_that_colde_has(services) -> None:
    commands = [json.loads(line) for line in instructions("CMD")]
    (serve,) = [command for command in commands if command[0] == "colde"]
    for command in (serve, *(service["command"] for service in services.values())):
        program, name, *options = command
        assert program == "colde"
        known = {o for p in cli.commands[name].params for o in p.opts}  # type: ignore[attr-defined]
        assert {option for option in options if option.startswith("-")} <= known
    said = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    filling = re.search(r"api (colde index add .*)", said)
    assert filling is not None
    helped = CliRunner().invoke(cli, [*shlex.split(filling[1])[1:3], "--help"])
    assert helped.exit_code == 0


def test_the_base_image_is_named_by_its_digest() -> None:
    bases = {line.split(" AS ")[0] for line in instructions("FROM")}
    assert len(bases) == 1
    assert re.fullmatch(r"python:3\.11-slim-bookworm@sha256:[0-9a-f]{64}", bases.pop())


def test_it_runs_without_root_on_a_file_system_that_can_be_read_only(services) -> None:
    users = instructions("USER")
    assert users == ["colde"]
    assert "COLDE_CACHE=off" in DOCKERFILE
    for service in services.values():
        assert f"--uid {service['user'].split(':')[0]} " in DOCKERFILE
        assert service["read_only"] is True
        assert (service["cap_drop"], service["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
        assert all(port.startswith("127.0.0.1:") for port in service["ports"]), "it knows no users"


def test_the_index_lies_in_the_volume_and_the_port_is_the_one_that_is_asked(services) -> None:
    assert instructions("EXPOSE") == [" ".join(str(port) for port, _, _ in PORTS.values())]
    for name, (port, command, ready) in PORTS.items():
        service = services[name]
        (volume,) = service["volumes"]
        assert f"{service['command'][-1]}/".startswith(volume.split(":")[1] + "/")
        assert service["ports"] == [f"127.0.0.1:{port}:{port}"]
        default = next(p for p in cli.commands[command].params if p.name == "port").default  # type: ignore[attr-defined]
        assert service["command"][1] == command and default == port
        asked = " ".join(service["healthcheck"]["test"]) if "healthcheck" in service else DOCKERFILE
        assert f"127.0.0.1:{port}{ready}" in asked


def test_what_is_installed_is_what_serving_needs() -> None:
    pinned = {
        re.split(r"[=<>\[ ;]", line)[0].lower()
        for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    }
    assert {"fastapi", "uvicorn", "python-multipart", "prometheus-client", "lancedb", "streamlit"} <= pinned
