"""Integrates the rope of scenes/compare.ron with NumPy only, as described in docs/physics.md.

Sums are written in the order of that page, because the rope is chaotic: an additional rounding in
the first frame grows to 10^-9 after some hundred frames.
"""

import numpy as np

START, END, NODES = np.array([0.0, 200.0]), np.array([-400.0, 200.0]), 16
STIFFNESS, MASS, GRAVITY = 100.0, 1.0, np.array([0.0, -1.0])
FRAME_TIME, SUBSTEPS = 1.0, 64
DRAG, DAMPING = 0.01, 0.00005
DT = FRAME_TIME / SUBSTEPS


def length(d):
    """Lengths of vectors along the last axis."""
    return np.sqrt(d[..., 0] * d[..., 0] + d[..., 1] * d[..., 1])


def at_start():
    """Equidistant nodes from start to end, and the lengths of segments."""
    x = START + (END - START) * np.arange(NODES)[:, None] / (NODES - 1)
    return x, length(x[1:] - x[:-1])


def semi_implicit_euler(frames):
    """v' = v + a dt, x' = x + v' dt with springs, gravity and drag; node 0 is pinned."""
    x, rest = at_start()
    v = np.zeros_like(x)
    positions, velocities = np.empty((frames, NODES, 2)), np.empty((frames, NODES, 2))
    for frame in range(frames):
        positions[frame], velocities[frame] = x, v
        for _ in range(SUBSTEPS):
            d = x[1:] - x[:-1]
            span = length(d)
            pull = (STIFFNESS * (span - rest) / span)[:, None] * d
            force = np.zeros_like(x)
            force[:-1] += pull
            force[1:] -= pull
            force += MASS * GRAVITY
            force -= DRAG * v
            v = v + DT * force / MASS
            v[0] = 0.0
            x = x + DT * v
    return positions, velocities


def constraint_verlet(frames):
    """Corrects the lengths of segments one after the other: each end takes half of the correction,
    or the free end all of it next to the pin. Then x' = x + (1 - d)(x - x_last) + g dt²."""
    x, rest = at_start()
    last = x.copy()
    positions = np.empty((frames, NODES, 2))
    for frame in range(frames):
        positions[frame] = x
        for _ in range(SUBSTEPS):
            for a in range(NODES - 1):
                d = x[a + 1] - x[a]
                span = length(d)
                shift = d / span * (span - rest[a])
                if a == 0:
                    x[1] -= shift
                else:
                    x[a] += 0.5 * shift
                    x[a + 1] -= 0.5 * shift
            moved = x + (1.0 - DAMPING) * (x - last) + GRAVITY * DT**2
            moved[0] = x[0]
            last, x = x, moved
    return positions
