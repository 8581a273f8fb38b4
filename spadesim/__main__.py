"""Makes ``python -m spadesim`` the same as the command ``spadesim``."""

import sys

if __name__ == "__main__":
    try:
        from spadesim.cli.app import main

        code = main()
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
