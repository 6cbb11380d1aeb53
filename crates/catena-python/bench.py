"""Prints how fast catena moves the rope of scenes/compare.ron, beside NumPy alone.

    python crates/catena-python/bench.py
"""

import pathlib
import sys
import time

import catena

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "tests"))
import rope  # noqa: E402


def best(work, times):
    """The shortest of some times, in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def main():
    frames = 600
    scene = catena.Scene.read(HERE.parents[1] / "scenes" / "compare.ron")
    print(f"{frames} frames of 64 steps, 16 nodes; catena on one thread, the best of five runs")
    for panel, alone in enumerate((rope.semi_implicit_euler, rope.constraint_verlet)):
        label = scene.labels[panel]
        # One method alone: the other panel is left out of the text.
        lines = scene.text.splitlines(keepends=True)
        kept = [line for line in lines if "label:" not in line or label in line]
        one = catena.Scene.parse("".join(kept))
        assert one.labels == [label]
        of_catena = best(lambda: one.simulate(frames, threads=1), 5)
        of_numpy = best(lambda: alone(frames), 1)
        print(
            f"{label:<20} catena {1e3 * of_catena:7.2f} ms   NumPy {1e3 * of_numpy:9.1f} ms"
            f"   {of_numpy / of_catena:7.0f} times as fast"
        )


if __name__ == "__main__":
    main()
