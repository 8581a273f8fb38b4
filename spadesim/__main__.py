"""Makes ``python -m spadesim`` the same as the command ``spadesim``."""

import sys

from spadesim.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
