"""What the program is made of, as a software bill of materials (CycloneDX 1.5, JSON).

    python supply/sbom.py > sbom.json

The packages of requirements.txt with their licences and what each needs of the others, from what is installed. The
same installation gives the same bytes: there is no date in it.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from importlib import metadata
from typing import Any

from licences import declared, pinned

OWN = "colde-explorer"


def bill() -> dict[str, Any]:
    """The bill of materials as JSON values."""
    pins = pinned()
    parts = [_component(name, version) for name, version in pins.items()]
    own = _component(OWN, metadata.version(OWN)) | {"type": "application"}
    needs = [{"ref": own["bom-ref"], "dependsOn": [p["bom-ref"] for p in parts]}]
    for name, part in zip(pins, parts, strict=True):
        known = {_plain(n): _purl(n, v) for n, v in pins.items()}
        needed = sorted({known[n] for n in _needs(name) if n in known})
        needs.append({"ref": part["bom-ref"], "dependsOn": needed})
    found: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own},
        "components": parts,
        "dependencies": needs,
    }
    content = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(found, sort_keys=True))
    return {**found, "serialNumber": f"urn:uuid:{content}"}


def _component(name: str, version: str) -> dict[str, Any]:
    licences = declared(name)
    if len(licences) == 1 and metadata.metadata(name).get("License-Expression"):
        said: list[dict[str, Any]] = [{"expression": licences[0]}]
    else:
        said = [{"license": {"name": licence}} for licence in licences]
    purl = _purl(name, version)
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "licenses": said,
        "purl": purl,
    }


def _purl(name: str, version: str) -> str:
    return f"pkg:pypi/{_plain(name)}@{version}"


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _needs(name: str) -> set[str]:
    """What a package needs, its extras left out."""
    wanted = [text for text in metadata.requires(name) or () if "extra ==" not in text]
    return {_plain(found[0]) for text in wanted if (found := re.match(r"[A-Za-z0-9._-]+", text))}


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")
