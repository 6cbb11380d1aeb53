#!/usr/bin/env python3
"""Measures how long catena and SciPy's DOP853 take to compute the position of a rope to an error of 1e-9 of its length.

    python3 benches/peers/accuracy.py [--catena PATH] [--python PATH] [--pairs 15] [--methods DormandPrince8,DormandPrince]

A rope of 1 m and 1 kg hangs from a pin and is released straight, 20 degrees from the vertical. Its springs follow Hooke's law, and
its own weight stretches it by 1 %; gravity is the only force. Both programs compute the positions of its nodes after 3 s.

The error is the distance of the worst node from a reference. The reference is DOP853 with the smallest tolerance that it accepts;
catena's own run with a tolerance of 1e-14 has to confirm it. The script first finds, for each program, the loosest tolerance that
reaches 1e-9, in quarters of a decade. Then it times whole processes in turn (catena, SciPy, catena, SciPy, ...) and reports the
median of the ratios of the pairs. Without --python, the script makes a venv and installs SciPy into it.
"""

import argparse
import csv
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from programs import REPOSITORY, catena, python_with

HERE = pathlib.Path(__file__).resolve().parent
SCIPY = ["numpy==2.4.6", "scipy==1.17.1"]
GOALS = {16: 20.0, 64: 12.0}
ERROR = 1e-9
# Maximum difference between the two references.
DOUBT = 0.1 * ERROR
SECONDS, GRAVITY, ANGLE = 3.0, 9.81, 20.0
# SciPy's smallest relative tolerance.
TIGHTEST = 2.3e-14
# Substeps per run, which catena divides as its tolerance requires. The longer they are, the stricter its limit on velocity errors.
STEPS = 30


def say(text):
    print(f"# {text}", file=sys.stderr, flush=True)


class Rope:
    """Parameters of the rope, shared by both programs."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.mass = 1.0 / nodes
        self.stiffness = 100.0 * GRAVITY * (nodes - 1)
        self.end = math.sin(math.radians(ANGLE)), -math.cos(math.radians(ANGLE))

    def scene(self, method, tolerance):
        return f"""Scene(base: (
            frames: 2, frame_time: {SECONDS!r}, substeps: {STEPS}, gravity: (0, {-GRAVITY!r}),
            integrator: {method}(tolerance: {tolerance!r}),
            rope: (start: (0, 0), end: {self.end!r}, nodes: {self.nodes}, stiffness: {self.stiffness!r}, mass: {self.mass!r}),
        ))"""


class Programs:
    def __init__(self, catena, python, scratch):
        self.catena_path, self.python, self.scratch = catena, python, scratch

    def catena(self, rope, method, tolerance):
        """The command, and the function that reads what it wrote."""
        scene, table = self.scratch / "rope.ron", self.scratch / "rope.csv"
        scene.write_text(rope.scene(method, tolerance))

        def positions():
            with table.open(newline="") as file:
                rows = [row for row in csv.DictReader(file) if row["frame"] == "1"]
            return [(float(row["x"]), float(row["y"])) for row in rows]

        return [self.catena_path, "trace", scene, "-o", table], positions

    def scipy(self, rope, tolerance):
        table = self.scratch / "scipy.txt"
        numbers = [rope.nodes, rope.stiffness, rope.mass, GRAVITY, *rope.end, SECONDS, tolerance]

        def positions():
            lines = table.read_text().splitlines()
            return [tuple(float(word) for word in line.split()) for line in lines]

        command = [self.python, HERE / "scipy_dop853.py", *map(repr, numbers), table]
        return command, positions


def timed(command):
    """Wall time and processor time of a process that must succeed."""
    start = time.perf_counter()
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {child.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime


def result(program):
    command, positions = program
    timed(command)
    return positions()


def apart(some, others):
    return max(math.dist(a, b) for a, b in zip(some, others, strict=True))


def loosest(program, reference):
    """The loosest tolerance whose result is accurate enough, and its error."""
    for quarter in range(20, 56):
        tolerance = float(f"{10.0 ** (-0.25 * quarter):.3g}")
        error = apart(result(program(tolerance)), reference)
        if error <= ERROR:
            return tolerance, error
    sys.exit("no tolerance is small enough")


def measure(programs, nodes, methods, pairs):
    """Rows of the table for a rope."""
    rope = Rope(nodes)
    say(f"{nodes} nodes: reference")
    reference = result(programs.scipy(rope, TIGHTEST))
    doubt = apart(result(programs.catena(rope, "DormandPrince8", 1e-14)), reference)
    if doubt > DOUBT:
        sys.exit(f"the references of {nodes} nodes are {doubt:.1e} apart")
    theirs, their_error = loosest(lambda tolerance: programs.scipy(rope, tolerance), reference)
    peer = programs.scipy(rope, theirs)[0]
    for method in methods:
        ours, error = loosest(lambda t, m=method: programs.catena(rope, m, t), reference)
        say(f"{nodes} nodes: {method} {ours:.2e}, SciPy {theirs:.2e}")
        command = programs.catena(rope, method, ours)[0]
        runs = [(timed(command), timed(peer)) for _ in range(pairs)]
        wall = [b[0] / a[0] for a, b in runs]
        processor = statistics.median(b[1] / a[1] for a, b in runs)
        middle = [statistics.median(run[side][0] for run in runs) for side in (0, 1)]
        yield (f"| {nodes} | {method} | {ours:.1e}, {error:.1e} | {theirs:.1e}, {their_error:.1e} "
               f"| {middle[0] * 1e3:.1f} ms, {middle[1] * 1e3:.0f} ms | {statistics.median(wall):.1f}x "
               f"| {min(wall):.1f} to {max(wall):.1f} | {processor:.1f}x | {GOALS[nodes]:g}x |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--catena", metavar="PATH",
                        help="the program to measure [default: built from the repository]")
    parser.add_argument("--python", metavar="PATH", help="a Python that has SciPy [default: a venv]")
    parser.add_argument("--pairs", type=int, default=15, help="pairs per row [default: 15]")
    parser.add_argument("--methods", default="DormandPrince8,DormandPrince", metavar="A,B",
                        help="methods of catena [default: %(default)s]")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="accuracy-") as name:
        python = python_with(SCIPY, "scipy", options.python)
        programs = Programs(catena(options.catena), python, pathlib.Path(name))
        load = os.getloadavg()[0]
        print("| nodes | method | catena: tolerance, error | SciPy: tolerance, error | catena, SciPy "
              "| ratio | pairs from-to | ratio of processor time | goal |")
        print("| --- " * 9 + "|")
        for nodes in GOALS:
            for line in measure(programs, nodes, options.methods.split(","), options.pairs):
                print(line, flush=True)
        print(f"\nLoad of the machine: {load:.2f} at the start, {os.getloadavg()[0]:.2f} at the end.")


if __name__ == "__main__":
    main()
