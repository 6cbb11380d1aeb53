"""This side of a peer: starts its server in a venv, sends settings and reads results."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# One thread for every library that might use more.
THREADS = {name: "1" for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "LP_NUM_THREADS")}


class Missing(Exception):
    """The reason why a peer cannot be compared."""


def environment():
    return {**os.environ, **THREADS}


def python(folder, name, packages):
    """The Python of a venv with these packages, which is made on first use. Raises Missing if they cannot be installed."""
    place = pathlib.Path(folder) / name
    found = place / "bin/python"
    if (place / "packages").exists() and (place / "packages").read_text().split() == packages:
        return found
    print(f"# a venv with {', '.join(packages)}", file=sys.stderr, flush=True)
    shutil.rmtree(place, ignore_errors=True)
    commands = [[sys.executable, "-m", "venv", place], [found, "-m", "pip", "install", "--quiet", *packages]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise Missing(f"{' '.join(packages)} cannot be installed: {last_line(done.stderr)}")
    (place / "packages").write_text("\n".join(packages))
    return found


def renew(interpreter, package):
    """Installs a local package again: the same path may have another build."""
    words = [interpreter, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", package]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"{package} cannot be installed: {last_line(done.stderr)}")


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip() and "notice" not in line]
    return lines[-1][:200] if lines else "no message"


class Peer:
    """A running server of a peer."""

    def __init__(self, python, script):
        # Some peers write files into their current folder.
        self.folder = tempfile.TemporaryDirectory(prefix="peer-")
        self.errors = tempfile.TemporaryFile("w+")
        self.child = subprocess.Popen(
            [pathlib.Path(python).absolute(), HERE / script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            text=True, env=environment(), cwd=self.folder.name)
        self.version, self.prepared = self.read()["version"], 0.0

    def read(self):
        for line in self.child.stdout:
            if line.startswith("RESULT "):
                return json.loads(line.removeprefix("RESULT "))
        self.child.wait()
        self.errors.seek(0)
        raise Missing(f"its process ended with {self.child.returncode}: {last_line(self.errors.read())}")

    def run(self, job, **settings):
        """Returns the result of a job and its processor time in seconds. `prepared` is the time of its preparation."""
        print(json.dumps({"job": job, **settings}), file=self.child.stdin, flush=True)
        answer = self.read()
        self.prepared = answer["prepared"]
        return answer["result"], answer["seconds"]

    def end(self):
        self.child.stdin.close()
        self.child.wait()
        self.errors.close()
        self.folder.cleanup()
