"""The programs that a comparison runs: catena, and a Python that has the peers."""

import os
import pathlib
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def catena(given):
    """The program of this path, or else a new build of the repository."""
    if given:
        return pathlib.Path(given).resolve()
    subprocess.run(["cargo", "build", "--release", "--bin", "catena"], cwd=REPOSITORY, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")
    return REPOSITORY / target / "release/catena"


def python_with(packages, name, given):
    """The Python of this path, or else that of a venv of this name with the packages."""
    if given:
        return given
    folder = REPOSITORY / "target/peers" / name
    python = folder / "bin/python"
    if not python.exists():
        print(f"# a venv with {', '.join(packages)}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python
