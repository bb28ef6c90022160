"""Make the background of the multilingual encoder, assets/models/background/multilingual.safetensors:

python -m studies.languages.language_means
"""

from __future__ import annotations

from collections.abc import Sequence

from safetensors.numpy import save_file

from colde.assets import asset
from colde.encoders.background_centre import SHIPPED, language_means
from colde.encoders.encoder_names import MULTILINGUAL
from studies.arguments import command_line


def main(arguments: Sequence[str] | None = None) -> None:
    command_line(__doc__).parse_args(arguments)
    save_file({"means": language_means(MULTILINGUAL)}, asset("models", "background", SHIPPED))


if __name__ == "__main__":
    main()
