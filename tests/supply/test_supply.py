"""What the program is made of: licences that fit, a bill of materials, hashes for every pin, an audit that can fail."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import json
import re
import sys
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "supply"))


def load(name: str) -> ModuleType:
    return importlib.import_module(name)


def test_nothing_at_run_time_comes_under_the_gpl_alone() -> None:
    licences = load("licences")
    found = {name: licences.declared(name) for name in licences.pinned()}
    assert len(found) > 80
    assert [name for name, said in found.items() if not licences.fits(said)] == []


@pytest.mark.parametrize(
    ("said", "fit"),
    [
        (("MIT",), True),
        (("GPL-3.0-only",), False),
        (("GPL-2.0-or-later OR MIT",), True),
        (("MIT AND AGPL-3.0-only",), False),
        (("GNU General Public License v3 (GPLv3)",), False),
        (("BSD License", "GNU General Public License (GPL)"), True),
        (("LGPL-2.1-only",), True),
        (("GPL-2.0-only WITH Classpath-exception-2.0",), True),
        ((), False),
    ],
)
def test_what_fits(said: tuple[str, ...], fit: bool) -> None:
    assert load("licences").fits(said) is fit


def test_the_bill_names_every_pin_with_its_licence_and_needs() -> None:
    bill, again = load("sbom").bill(), load("sbom").bill()
    assert bill == again and (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    parts = {part["name"]: part for part in bill["components"]}
    assert {name: part["version"] for name, part in parts.items()} == load("licences").pinned()
    assert all(part["licenses"] for part in parts.values())
    refs = {part["bom-ref"] for part in parts.values()} | {bill["metadata"]["component"]["bom-ref"]}
    assert len(refs) == len(parts) + 1
    needs = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    assert needs.keys() == refs and all(set(found) <= refs for found in needs.values())
    numpy, pandas = parts["numpy"]["bom-ref"], parts["pandas"]["bom-ref"]
    assert numpy in needs[pandas]


def locked(name: str) -> dict[str, str]:
    """Versions in a lock file, in which every package has a hash."""
    found = {}
    for entry in re.split(r"\n(?=[a-z0-9])", (ROOT / name).read_text(encoding="utf-8")):
        if pin := re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", entry):
            assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), f"{pin[1]} has no hash"
            found[pin[1]] = pin[2]
    return found


@pytest.mark.parametrize("torch", ["cpu", "cuda"])
def test_every_pin_has_hashes_in_the_lock_and_nothing_else_has(torch: str) -> None:
    built = locked(f"supply/torch-{torch}.lock")
    others = {name: v for name, v in built.items() if not name.startswith(("nvidia-", "cuda-", "triton"))}
    assert locked("requirements.lock") | others == load("licences").pinned()
    assert others.keys() == {"torch"}


def test_what_builds_and_tests_the_program_has_hashes_too() -> None:
    pins = load("licences").pinned
    assert locked("supply/dev.lock") == pins(ROOT / "requirements-dev.txt")
    assert locked("supply/s3.lock") == pins(ROOT / "requirements-s3.txt")
    builders = locked("supply/build.lock")
    assert "hatchling" in builders and builders.items() <= locked("supply/dev.lock").items()


def test_no_lock_file_but_that_of_torch_for_processors_names_an_index() -> None:
    locks = [ROOT / "requirements.lock", *(ROOT / "supply").glob("*.lock")]
    assert len(locks) == 6
    named = {
        path.name: re.findall(r"^-.*|\S+://\S+", path.read_text(encoding="utf-8"), re.M) for path in locks
    }
    (index,) = named.pop("torch-cpu.lock")
    assert index.startswith("--index-url https://") and not any(named.values())


@pytest.mark.parametrize("name", ["Makefile", "Dockerfile"])
def test_nothing_is_installed_without_hashes(name: str) -> None:
    """But the program itself, which is built without another package being fetched."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    variables = dict(re.findall(r"^(\w+) :?= (.*)$", text, re.M))
    for _ in range(3):
        text = re.sub(r"\$\((\w+)\)", lambda match: variables.get(match[1], match[0]), text)
    recipes = [line for line in text.splitlines() if line.startswith(("\t", "RUN"))]
    installs = [part for line in recipes for part in re.findall(r"pip install [^;&]*", line)]
    assert len(installs) >= 2
    for install in installs:
        assert "--no-deps" in install and "extra-index-url" not in install
        locked_only = "--require-hashes" in install and "-r " in install
        assert locked_only != bool(re.search(r"--no-build-isolation (-e )?\.", install)), install


def test_the_page_of_licences_is_up_to_date() -> None:
    licences = load("licences")
    assert licences.PAGE.read_text(encoding="utf-8") == licences.page(), "make licences"


@pytest.mark.parametrize(
    ("vulnerabilities", "status"),
    [([], 0), ([{"id": "X-1", "fix_versions": ["2"]}], 1), ([{"id": "X-2", "fix_versions": []}], 0)],
    ids=["none", "mended", "not mended"],
)
def test_the_audit_fails_for_what_can_be_mended(
    vulnerabilities: list[dict[str, object]], status: int
) -> None:
    packages = [{"name": name, "version": "1", "vulns": []} for name in load("licences").pinned()]
    packages[0]["vulns"] = vulnerabilities
    found, lines = load("audit").judge(json.dumps({"dependencies": packages}), "")
    assert found == status
    assert ("X-" in lines[0]) is bool(vulnerabilities)


def test_an_audit_that_did_not_take_place_is_no_clean_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit = load("audit")
    assert audit.judge("", "ERROR: connection failed") == (2, ["could not audit: ERROR: connection failed"])
    packages = [{"name": name, "version": "1", "vulns": []} for name in load("licences").pinned()]
    left_out = [{"name": packages[0]["name"], "skip_reason": "not found"}, *packages[1:]]
    for some in (packages[1:], left_out):
        status, (line,) = audit.judge(json.dumps({"dependencies": some}), "")
        assert status == 2 and line.startswith("could not audit: no answer for altair")
    monkeypatch.setattr(audit, "COMMAND", (sys.executable, "-c", "raise SystemExit('no network')"))
    assert audit.main() == 2
    monkeypatch.setattr(audit, "COMMAND", (str(tmp_path / "missing"),))
    assert audit.main() == 2
    assert capsys.readouterr().out.count("could not audit: ") == 2


def test_every_pin_is_imported_or_says_what_needs_it() -> None:
    imported = imported_packages()
    distributions = importlib.metadata.packages_distributions()
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        pin, _, reason = line.partition("#")
        if not pin.strip():
            continue
        name = plain(pin.partition("==")[0])
        modules = {module for module, owners in distributions.items() if name in map(plain, owners)}
        assert bool(modules & imported) != bool(reason), line
        if match := re.fullmatch(r" for (.*)", reason):
            for other in match[1].split(", "):
                needs = [
                    plain(re.split(r"[^\w.-]", need)[0]) for need in importlib.metadata.requires(other) or ()
                ]
                assert name in needs, line


def test_what_is_imported_is_pinned_or_belongs_to_an_extra_that_make_setup_leaves_out() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    left_out = {
        plain(re.split(r"[^\w.-]", need)[0])
        for extra in ("cloud", "cluster", "mcp")
        for need in project["optional-dependencies"][extra]
    }
    pinned = {plain(name) for name in load("licences").pinned()}
    distributions = importlib.metadata.packages_distributions()
    others = imported_packages() - set(sys.stdlib_module_names) - {"colde", "colde_explorer_app", "studies"}
    assert {"torch", "streamlit", "lxml"} <= others
    for module in others:
        owners = {plain(owner) for owner in distributions.get(module, [module])}
        assert owners & pinned or owners & left_out, module


def test_what_a_pin_needs_is_pinned() -> None:
    """On this machine and this Python; `pip install --no-deps` looks at no needs."""
    pinned = {plain(name) for name in load("licences").pinned()} | GPU_ONLY
    for name in load("licences").pinned():
        for need in map(Requirement, importlib.metadata.requires(name) or ()):
            wanted = need.marker is None or need.marker.evaluate({"extra": ""})
            assert not wanted or plain(need.name) in pinned, f"{name} needs {need}"


GPU_ONLY = {"triton", "cuda-bindings", "cuda-toolkit"} | {
    f"nvidia-{part}" for part in ("cudnn-cu13", "cusparselt-cu13", "nccl-cu13", "nvshmem-cu13")
}
"""What the build of torch for NVIDIA GPUs needs; supply/torch-cuda.lock has it."""


def plain(name: str) -> str:
    """A package's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


@cache
def imported_packages() -> frozenset[str]:
    """Top-level modules that files of the product import."""
    modules: set[str] = set()
    for path in [*(ROOT / "colde").rglob("*.py"), *(ROOT / "app").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module.partition(".")[0])
    return frozenset(modules)
