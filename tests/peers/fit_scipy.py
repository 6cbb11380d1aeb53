"""Compares `catena fit` with SciPy's least_squares, which runs `catena trace` for each point.

    pip install scipy numpy
    python3 fit_scipy.py PATH_OF_CATENA

Both minimise the same sum of squares: that of a pendulum with noise. The estimates must agree to
1e-6, and catena must be 20 times as fast. Exits with 1 otherwise.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

SCENE = """Scene(base: (frames: 200, frame_time: 0.05, substeps: 10, gravity: (0, -9.81), integrator: Rk4,
    rope: (start: (0, 0), end: (1, -0.2), nodes: 2, stiffness: 300), drag: 0.1))"""
FIELDS = ["drag", "rope.stiffness"]
START = [0.1, 300.0]
TRUTH = [0.3, 500.0]


def trace(catena, scene, values):
    """Positions of the mass at each frame."""
    changes = [f"--set={field}={float(value)!r}" for field, value in zip(FIELDS, values)]
    run = subprocess.run(
        [catena, "trace", scene, "--nodes", "1", *changes], capture_output=True, text=True, check=True
    )
    rows = [line.split(",") for line in run.stdout.splitlines()[1:]]
    return np.array([[float(cell) for cell in row[5:7]] for row in rows])


def main():
    catena = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        scene = str(Path(folder) / "pendulum.ron")
        Path(scene).write_text(SCENE)
        exact = trace(catena, scene, TRUTH)
        data = exact + np.random.default_rng(38).normal(0, 0.01, exact.shape)
        points = str(Path(folder) / "points.csv")
        rows = [f"{frame},{float(x)!r},{float(y)!r}" for frame, (x, y) in enumerate(data)]
        Path(points).write_text("\n".join(["frame,x,y", *rows]) + "\n")

        begun = time.perf_counter()
        peer = least_squares(
            lambda values: (trace(catena, scene, values) - data).ravel(),
            START,
            x_scale=START,
            diff_step=1e-6,
            xtol=1e-13,
            ftol=1e-15,
            gtol=1e-15,
        )
        peer_time = time.perf_counter() - begun

        fit = [catena, "fit", scene, "--data", points, "--vary", ",".join(FIELDS), "--json", "-"]
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            run = subprocess.run(fit, capture_output=True, text=True, check=True)
            times.append(time.perf_counter() - begun)
        own = json.loads(run.stdout)
        estimates = np.array([entry["estimate"] for entry in own["parameters"]])

    apart = np.max(np.abs(estimates / peer.x - 1))
    ratio = peer_time / min(times)
    print(f"SciPy:  {peer.x} in {peer_time:.2f} s, {peer.nfev} iterations")
    print(f"catena: {estimates} in {min(times):.3f} s, {own['iterations']} iterations")
    print(f"estimates agree to {apart:.1e}; catena is {ratio:.0f} times as fast")
    return 0 if apart < 1e-6 and ratio > 20 else 1


if __name__ == "__main__":
    sys.exit(main())
