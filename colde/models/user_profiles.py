"""Profiles that a user fitted for a trained model with `colde fit`, in a folder of the user.

Each is a JSON file `MODEL-FINGERPRINT/PROFILE.json`. The fingerprint is that of the model's scores: a model with other
weights has other scores, so a threshold that was fitted for the old ones does not apply to it.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from colde import strict_json
from colde.errors import ModelError
from colde.judge.calibration import Profile
from colde.judge.profiles import DETECT, NONE, profile_table
from colde.models.checkpoint import StoredConfig, profile_from_json, profile_to_json, write_json
from colde.strict_json import JsonError

LOG = logging.getLogger(__name__)
NAME = re.compile(r"\w[\w-]{0,63}")
RESERVED = (DETECT, NONE)
"""Names that `--profile` takes for something else than a profile."""


class _ProfileFile(Struct):
    """A file of `save_user_profile`."""

    fitted_for: str
    profile: dict[str, Any]


def profiles_folder() -> Path | None:
    """`COLDE_PROFILES`, else `$XDG_DATA_HOME/colde/profiles`, else ~/.local/share/colde/profiles.

    None where `COLDE_PROFILES` is `off`, and where there is no home.
    """
    chosen = os.environ.get("COLDE_PROFILES", "")
    if chosen.lower() in {"off", "0", "no"}:
        return None
    if chosen:
        return Path(chosen)
    try:
        data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    except RuntimeError:  # a user without a home
        return None
    return data / "colde" / "profiles"


def check_name(name: str) -> None:
    """Raise ModelError for a name that no profile can have."""
    if not NAME.fullmatch(name):
        raise ModelError(
            f"{name!r} is not a valid name of a profile: use letters, digits, - and _, at most 64"
        )
    if name in RESERVED:
        raise ModelError(f"{name!r} cannot name a profile: --profile {name} means something else")


def user_profiles(model: StoredConfig) -> Mapping[str, Profile]:
    """The user's profiles for a model, by name; a damaged file is left out, with a warning that names it."""
    folder = profiles_folder()
    if folder is None or not os.access(folder, os.R_OK | os.X_OK):
        return {}
    profiles: dict[str, Profile] = {}
    for path in sorted((folder / _model_folder(model)).glob("*.json")):
        if not NAME.fullmatch(path.stem) or path.stem in profile_table():
            continue
        try:
            file = strict_json.read_file(path, _ProfileFile)
            if file.fitted_for != _fingerprint(model):
                raise JsonError("it was fitted for another model")
            profiles[path.stem] = profile_from_json(path.stem, file.profile)
        except (OSError, JsonError) as error:
            LOG.warning(f"the profile {path} is ignored, because the file is damaged ({error})")
    return profiles


def unusable_reason(profile: str, model: StoredConfig) -> str:
    """Why a profile of the user does not apply to a model; empty where there is none for other weights of it."""
    folder = profiles_folder()
    if folder is None or not NAME.fullmatch(profile):
        return ""
    others = (path.parent.name.rpartition("-")[0] for path in folder.glob(f"*/{profile}.json"))
    if _file_name(model.name) not in others or (folder / _model_folder(model) / f"{profile}.json").is_file():
        return ""
    return (
        f"the profile {profile!r} was fitted for other weights of {model.name}; fit it again: "
        f"colde fit {model.name} --corpus DIR --profile {profile}"
    )


def profile_path(profile: str, model: StoredConfig) -> Path:
    """The file of a user's profile for a model.

    Raises:
        ModelError: a name that no profile can have, or no folder for profiles.
    """
    check_name(profile)
    folder = profiles_folder()
    if folder is None:
        raise ModelError(
            "there is no folder for profiles: set COLDE_PROFILES to one, or name one with --output"
        )
    return folder / _model_folder(model) / f"{profile}.json"


def save_user_profile(profile: Profile, model: StoredConfig) -> Path:
    """Store a profile for a model in the user's folder; returns the file."""
    path = profile_path(profile.name, model)
    entry = {"model": model.name, "fitted_for": _fingerprint(model), "profile": profile_to_json(profile)}
    write_json(path, entry)
    return path


def _fingerprint(model: StoredConfig) -> str:
    """Hash of what the model's scores depend on.

    A model without weights takes its word statistics from the program: what changes them changes its thresholds, too.
    """
    return model.fingerprint(judged=model.weights is None)


def _model_folder(model: StoredConfig) -> str:
    return f"{_file_name(model.name)}-{_fingerprint(model)[:12]}"


def _file_name(model: str) -> str:
    return re.sub(r"[^\w.-]", "-", model)
