"""`python -m colde.cli` is `colde`."""

import sys

from colde.cli import main

sys.exit(main())
