"""Every bundled question, and whether it is answered in the seconds that its file states.

python experiments/answer_all.py         # all of them, each with nothing compiled before
python experiments/answer_all.py seats   # or some
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from spadesim.questions import load_experiment

HERE = Path(__file__).parent


def answer(name: str) -> bool:
    """Answer a question by its command; whether that took no longer than its file states."""
    stated = load_experiment(HERE / f"{name}.toml").values["seconds"]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-m", "spadesim", "run", str(HERE / f"{name}.toml"), "--quiet"],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "SPADESIM_CACHE_DIR": cache},
        )
    seconds = time.monotonic() - begun
    print(f"{name}: {seconds:.0f} s of {stated}\n  {done.stdout.strip()}", flush=True)
    return bool(seconds <= stated)


if __name__ == "__main__":
    names = sys.argv[1:] or sorted(file.stem for file in HERE.glob("*.toml"))
    late = [name for name in names if not answer(name)]
    sys.exit(f"late: {', '.join(late)}" if late else 0)
