"""Fixtures with the paths of the repository, its scenes and the program."""

import os
import pathlib
import signal
import subprocess

import pytest

# Tests that a shell starts in the background would otherwise ignore SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def root():
    """Root folder of the repository."""
    return ROOT


@pytest.fixture
def scenes():
    """The folder of scenes."""
    return ROOT / "scenes"


@pytest.fixture
def program():
    """Runs the program catena, which CATENA names, and returns its output."""
    path = os.environ.get("CATENA", "")
    assert path, "set CATENA to the program catena that is built of the same sources"

    def run(*args, cwd=None):
        done = subprocess.run(
            [path, *map(str, args)], cwd=cwd, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
