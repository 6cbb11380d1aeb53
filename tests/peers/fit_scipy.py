"""Compares `catena fit` with SciPy's least_squares, which runs `catena trace` for each point.

    pip install scipy numpy
    python3 fit_scipy.py PATH_OF_CATENA [ROUNDS]

Both minimise the same sum of squares, for a pendulum and for a rope with noise. The estimates must
agree to 1e-6, and catena must be at least 20 times as fast. The programs run in turn, ROUNDS times
each, and their medians are compared. Times are processor times of this program and its children, so
other work on the machine does not count. The script also measures the start-up time of SciPy's runs of
`catena trace`, with the same number of runs over a single frame. Exits with 1 if a comparison fails.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

PENDULUM = """Scene(base: (frames: 200, frame_time: 0.05, substeps: 10, gravity: (0, -9.81), integrator: Rk4,
    rope: (start: (0, 0), end: (1, -0.2), nodes: 2, stiffness: 300), drag: 0.1))"""
ROPE = """Scene(base: (frames: 300, frame_time: 0.02, substeps: 20, gravity: (0, -9.81), integrator: SemiImplicitEuler,
    rope: (start: (0, 0), end: (0.6, -2.8), nodes: 20, stiffness: 1500, mass: 0.05, damping: 0.2), drag: 0.02))"""

# Name, scene, varied fields, start values of the search, true values, and amplitude of the noise.
CASES = [
    ("pendulum", PENDULUM, ["drag", "rope.stiffness"], [0.1, 300.0], [0.3, 500.0], 0.01),
    (
        "rope of 20 nodes",
        ROPE,
        ["drag", "rope.stiffness", "rope.damping", "gravity=(0, {})"],
        [0.02, 1500.0, 0.2, -9.81],
        [0.03, 1800.0, 0.3, -9.6],
        0.005,
    ),
]


def setting(field, value):
    """A `--set` argument for a field, or for a number inside its value."""
    text = repr(float(value))
    return field.replace("{}", text) if "{}" in field else f"{field}={text}"


def varied(field, value):
    """A `--vary` argument with a start value."""
    text = repr(float(value))
    return field.replace("{}", "{" + text + "}") if "{}" in field else f"{field}={text}"


def trace(catena, scene, fields, values, *options):
    """Positions of all nodes at each frame."""
    changes = [f"--set={setting(field, value)}" for field, value in zip(fields, values)]
    run = subprocess.run(
        [catena, "trace", scene, *changes, *options], capture_output=True, text=True, check=True
    )
    rows = [line.split(",") for line in run.stdout.splitlines()[1:]]
    return np.array([[float(cell) for cell in row[5:7]] for row in rows])


def processor_time():
    """Processor time of this program and its children so far, in seconds."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(it.ru_utime + it.ru_stime for it in used)


def timed(work):
    """Runs some work; returns its result and its processor time in seconds."""
    begun = processor_time()
    found = work()
    return found, processor_time() - begun


def compare(catena, folder, case, rounds):
    """Returns whether both programs agree on a case and catena is fast enough."""
    name, text, fields, start, truth, noise = case
    scene = str(Path(folder) / "scene.ron")
    Path(scene).write_text(text)
    exact = trace(catena, scene, fields, truth)
    data = exact + np.random.default_rng(38).normal(0, noise, exact.shape)
    nodes = len(exact) // int(text.split("frames: ")[1].split(",")[0])
    points = str(Path(folder) / "points.csv")
    rows = [f"{i // nodes},{i % nodes},{float(x)!r},{float(y)!r}" for i, (x, y) in enumerate(data)]
    Path(points).write_text("\n".join(["frame,node,x,y", *rows]) + "\n")
    points_of = [0]

    def residuals(values):
        points_of[0] += 1
        return (trace(catena, scene, fields, values) - data).ravel()

    def of_scipy():
        points_of[0] = 0
        return least_squares(
            residuals, start, x_scale=np.abs(start), diff_step=1e-6, xtol=1e-13, ftol=1e-15, gtol=1e-15
        )

    vary = ",".join(varied(field, value) for field, value in zip(fields, start))
    fit = [catena, "fit", scene, "--data", points, "--vary", vary, "--json", "-"]

    def of_catena():
        return subprocess.run(fit, capture_output=True, text=True, check=True)

    def of_starts():
        for _ in range(points_of[0]):
            trace(catena, scene, fields, start, "--frames", "1", "--nodes", "1")

    times = {"scipy": [], "catena": [], "starts": []}
    for _ in range(rounds):
        peer, spent = timed(of_scipy)
        times["scipy"].append(spent)
        times["starts"].append(timed(of_starts)[1])
        for _ in range(5):
            run, spent = timed(of_catena)
            times["catena"].append(spent)
    own = json.loads(run.stdout)
    estimates = np.array([entry["estimate"] for entry in own["parameters"]])
    apart = np.max(np.abs(estimates / peer.x - 1))
    peer_time, own_time, starts = (statistics.median(times[it]) for it in ("scipy", "catena", "starts"))
    ratio = peer_time / own_time
    print(f"{name}")
    print(f"  SciPy   {peer.x} in {peer_time:.3f} s, {points_of[0]} runs of catena; their start-up takes {starts:.3f} s")
    print(f"  catena  {estimates} in {own_time:.4f} s, {own['iterations']} iterations")
    print(f"  estimates differ by {apart:.1e}; catena is {ratio:.1f} times as fast")
    return apart < 1e-6 and ratio > 20


def main():
    catena, rounds = str(Path(sys.argv[1]).resolve()), int((sys.argv + ["3"])[2])
    with tempfile.TemporaryDirectory() as folder:
        results = [compare(catena, folder, case, rounds) for case in CASES]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
