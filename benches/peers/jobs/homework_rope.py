"""The rope of the homework in C++ and in catena, with the same methods and steps.

The error is the distance of the tips of the two programs, relative to the length of the rope. Times are of whole processes.
"""

import json
import math
import subprocess

REFERENCE = "each other, same method and steps"
METHODS = {
    "euler": "integrator: SemiImplicitEuler, drag: 0.01",
    "verlet": "integrator: ConstraintVerlet(damping: 0.00005)",
}
# Method, nodes and steps.
CASES = [("euler", 16, 1_000_000), ("euler", 100_000, 640), ("verlet", 16, 1_000_000), ("verlet", 100_000, 640)]


def scene(method, nodes, steps):
    return f"""(base: (
        gravity: (0, -1), frames: 2, frame_time: {steps / 64!r}, substeps: {steps}, {METHODS[method]},
        rope: (start: (0, 200), end: ({-400.0 / 15 * (nodes - 1)!r}, 200), nodes: {nodes}, stiffness: 100, mass: 1, pins: [0]),
    ))"""


def command(method, nodes, steps):
    """Words of the peer's program."""
    return [method, str(nodes), str(steps)]


def own_words(own, case):
    nodes = case[1]
    return ["trace", own.scene(scene(*case)), "--unlimited", "--nodes", str(nodes - 1), "-o", own.folder / "tip.csv"]


def difference(own, program, case):
    """Distance of the two tips, relative to the length of the rope."""
    own.spent(*own_words(own, case))
    told = subprocess.run([program, *command(*case)], capture_output=True, text=True, check=True)
    tip = json.loads(told.stdout)["tip"]
    lines = (own.folder / "tip.csv").read_text().splitlines()
    row = dict(zip(lines[0].split(","), lines[-1].split(",")))
    return math.dist(tip, (float(row["x"]), float(row["y"]))) / (400.0 / 15 * (case[1] - 1))
