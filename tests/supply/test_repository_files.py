"""The files that hosts of repositories read: the workflow of continuous integration, issue forms, the citation."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import colde

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))


@pytest.fixture(scope="module")
def workflow() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return found


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_a_job_can_only_read_and_has_no_secret(workflow: dict[str, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    assert not any("permissions" in job for job in workflow["jobs"].values())
    assert "secrets" not in WORKFLOW.read_text(encoding="utf-8").replace("no secret", "")
    events = workflow[True]  # YAML reads `on` as a truth value
    assert events.keys() == {"push", "pull_request"}, "with pull_request_target strangers' code could write"
    checkouts = [step for step in steps(workflow) if "checkout" in step.get("uses", "")]
    assert len(checkouts) == len(workflow["jobs"])
    assert all(step["with"] == {"persist-credentials": False} for step in checkouts)


def test_actions_are_named_by_commit_with_their_version_beside() -> None:
    lines = [line for line in WORKFLOW.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    assert len(lines) > 5
    for line in lines:
        assert re.search(r"uses: actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), line


def test_every_supported_python_runs_the_tests_and_the_wheel(workflow: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = [re.fullmatch(r"Programming Language :: Python :: (\d\.\d+)", c) for c in project["classifiers"]]
    supported = [match[1] for match in found if match]
    for job in ("test", "wheel"):
        assert workflow["jobs"][job]["strategy"]["matrix"]["python"] == supported


def test_what_is_kept_between_runs_hangs_on_the_lock_files(workflow: dict[str, Any]) -> None:
    caches = [step["with"] for step in steps(workflow) if "actions/cache@" in step.get("uses", "")]
    assert len(caches) == 3
    for cache in caches:
        for pattern in re.findall(r"'([^']+)'", cache["key"]):
            assert list(ROOT.glob(pattern)), pattern
        assert "supply/*.lock" in cache["key"]


def test_commands_of_the_workflow_are_there(workflow: dict[str, Any]) -> None:
    commands = "\n".join(step.get("run", "") for step in steps(workflow))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for line in re.findall(r"^make (.*)", commands, re.MULTILINE):
        assert set(line.split()) <= targets
    for path in re.findall(r"(?:supply|\.ci)/[\w.]+", commands):
        assert (ROOT / path).is_file()


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_what_a_host_asks_for(form: Path) -> None:
    content = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= content.keys()
    fields = [field for field in content["body"] if field["type"] != "markdown"]
    names = [field["id"] for field in fields]
    assert fields and len(set(names)) == len(names)
    for field in fields:
        assert field["type"] in ("textarea", "input") and field["attributes"]["label"]


def test_the_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors", "references"} <= citation.keys()
    assert str(citation["version"]) == colde.__version__
    assert citation["license"] == "MIT"


def test_links_of_the_files_for_contributors_lead_somewhere() -> None:
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "supply/LICENCES.md"):
        page = ROOT / name
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (page.parent / target).exists(), f"{name}: {target}"
