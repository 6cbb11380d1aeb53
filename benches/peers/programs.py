"""Programs that the comparisons run: catena, and a Python interpreter with the peers."""

import os
import pathlib
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def catena(given):
    """Returns the program at this path, or else builds catena from the repository."""
    if given:
        return pathlib.Path(given).resolve()
    subprocess.run(["cargo", "build", "--release", "--bin", "catena"], cwd=REPOSITORY, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")
    return REPOSITORY / target / "release/catena"


def python_with(packages, name, given):
    """Returns the Python at this path, or else the Python of a venv of this name with the packages installed."""
    if given:
        return given
    folder = REPOSITORY / "target/peers" / name
    python = folder / "bin/python"
    if not python.exists():
        print(f"# a venv with {', '.join(packages)}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python
