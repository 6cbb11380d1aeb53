"""The rope pair of scenes/compare.ron with matplotlib: one figure, and one savefig per frame.

The program is written as a student would write it: it makes the figure, lines and texts once, and for
each frame sets their data and saves the figure. The picture shows what catena draws: a title, and two
panels, each with a label, the rope with its nodes and its pin, and four numbers. With --ticks the axes
keep their ticks and numbers, as is matplotlib's default.

The simulation uses plain Python floats, which are faster than numpy for 16 nodes.
"""

import argparse
import json
import math
import os
import time

NODES = 16
STIFFNESS = 100.0
MASS = 1.0
GRAVITY = (0.0, -1.0)
START, END = (0.0, 200.0), (-400.0, 200.0)
FRAME_TIME = 1.0
SUBSTEPS = 64
DRAG = 0.01
DAMPING = 0.00005


class Rope:
    """A level rope at rest. Node 0 is pinned."""

    def __init__(self):
        last = NODES - 1
        self.x = [START[0] + i * (END[0] - START[0]) / last for i in range(NODES)]
        self.y = [START[1] + i * (END[1] - START[1]) / last for i in range(NODES)]
        self.vx = [0.0] * NODES
        self.vy = [0.0] * NODES
        self.last_x = self.x[:]
        self.last_y = self.y[:]
        self.rest = [
            math.hypot(self.x[i + 1] - self.x[i], self.y[i + 1] - self.y[i]) for i in range(last)
        ]

    def numbers(self):
        """Length, maximum strain and kinetic energy."""
        lengths = [
            math.hypot(self.x[i + 1] - self.x[i], self.y[i + 1] - self.y[i])
            for i in range(NODES - 1)
        ]
        strain = max((length - rest) / rest for length, rest in zip(lengths, self.rest))
        kinetic = sum(0.5 * MASS * (u * u + v * v) for u, v in zip(self.vx, self.vy))
        return sum(lengths), strain, kinetic


def semi_implicit_euler(rope, steps, dt):
    x, y, vx, vy, rest = rope.x, rope.y, rope.vx, rope.vy, rope.rest
    sqrt = math.sqrt
    gx, gy = GRAVITY[0] * MASS, GRAVITY[1] * MASS
    for _ in range(steps):
        # Each iteration keeps the force of the previous spring, so one pass does a step. The force of the
        # next spring is computed before the node moves, so it uses the positions before the step.
        dx, dy = x[1] - x[0], y[1] - y[0]
        length = sqrt(dx * dx + dy * dy)
        pull = STIFFNESS * (length - rest[0]) / length
        before_x, before_y = pull * dx, pull * dy
        for i in range(1, NODES):
            xi, yi, ui, vi = x[i], y[i], vx[i], vy[i]
            fx, fy = gx - before_x - DRAG * ui, gy - before_y - DRAG * vi
            if i < NODES - 1:
                dx, dy = x[i + 1] - xi, y[i + 1] - yi
                length = sqrt(dx * dx + dy * dy)
                pull = STIFFNESS * (length - rest[i]) / length
                before_x, before_y = pull * dx, pull * dy
                fx += before_x
                fy += before_y
            vx[i] = ui = ui + fx / MASS * dt
            vy[i] = vi = vi + fy / MASS * dt
            x[i] = xi + ui * dt
            y[i] = yi + vi * dt


def constraint_verlet(rope, steps, dt):
    x, y, last_x, last_y, rest = rope.x, rope.y, rope.last_x, rope.last_y, rope.rest
    sqrt = math.sqrt
    keep = 1.0 - DAMPING
    gx, gy = GRAVITY[0] * dt * dt, GRAVITY[1] * dt * dt
    for step in range(steps):
        if step == steps - 1:
            start_x, start_y = x[:], y[:]
        for j in range(NODES - 1):
            xa, ya, xb, yb = x[j], y[j], x[j + 1], y[j + 1]
            dx, dy = xb - xa, yb - ya
            length = sqrt(dx * dx + dy * dy)
            share = (length - rest[j]) / length
            if j == 0:
                x[1] = xb - share * dx
                y[1] = yb - share * dy
            else:
                sx, sy = 0.5 * share * dx, 0.5 * share * dy
                x[j], y[j] = xa + sx, ya + sy
                x[j + 1], y[j + 1] = xb - sx, yb - sy
        for i in range(1, NODES):
            xi, yi = x[i], y[i]
            x[i] = xi + keep * (xi - last_x[i]) + gx
            y[i] = yi + keep * (yi - last_y[i]) + gy
            last_x[i], last_y[i] = xi, yi
    # The reported velocity is the velocity of the last step.
    rope.vx = [(a - b) / dt for a, b in zip(x, start_x)]
    rope.vy = [(a - b) / dt for a, b in zip(y, start_y)]


PANELS = [
    ("Semi-implicit Euler", "#0072b2", semi_implicit_euler),
    ("Constraint Verlet", "#009e73", constraint_verlet),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--out", required=True)
    parser.add_argument("--ticks", action="store_true", help="keep the ticks of the axes")
    parser.add_argument("--verbose", action="store_true", help="print where the time went, as JSON")
    options = parser.parse_args()

    began = time.perf_counter()
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    os.makedirs(options.out, exist_ok=True)
    imported = time.perf_counter()

    figure, axes = plt.subplots(1, 2, figsize=(12.8, 7.2), dpi=100)
    figure.subplots_adjust(left=0.05, right=0.98, bottom=0.06, top=0.86, wspace=0.12)
    figure.suptitle("Semi-implicit Euler and Verlet on one rope")
    ropes, lines, texts = [], [], []
    for axis, (label, color, _) in zip(axes, PANELS):
        rope = Rope()
        axis.set_title(label)
        axis.set_aspect("equal")
        axis.set_xlim(-450, 450)
        axis.set_ylim(-450, 490)
        if not options.ticks:
            axis.set_xticks([])
            axis.set_yticks([])
        (line,) = axis.plot(rope.x, rope.y, "-o", color=color, linewidth=2, markersize=5)
        axis.plot([START[0]], [START[1]], "o", color="white", markeredgecolor="black")
        ropes.append(rope)
        lines.append(line)
        texts.append(axis.text(-430, -430, ""))

    simulating = 0.0
    for frame in range(options.frames):
        if frame > 0:
            start = time.perf_counter()
            for rope, (_, _, method) in zip(ropes, PANELS):
                method(rope, SUBSTEPS, FRAME_TIME / SUBSTEPS)
            simulating += time.perf_counter() - start
        for rope, line, text in zip(ropes, lines, texts):
            length, strain, kinetic = rope.numbers()
            line.set_data(rope.x, rope.y)
            text.set_text(
                f"time {frame * FRAME_TIME:.2f}   length {length:.2f}   "
                f"max strain {100 * strain:.4f}%   E kin {kinetic:.2f}"
            )
        figure.savefig(f"{options.out}/frame_{frame:05}.png", dpi=100)

    if options.verbose:
        total = time.perf_counter() - began
        parts = {"seconds": total, "import": imported - began, "simulation": simulating}
        parts["tips"] = [[rope.x[-1], rope.y[-1]] for rope in ropes]
        print(json.dumps(parts))


if __name__ == "__main__":
    main()
