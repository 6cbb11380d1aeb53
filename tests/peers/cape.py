#!/usr/bin/env python3
"""Makes scenes/cape.obj: a cape with folds, cut to hang from the shoulders of scenes/figure.glb.

    pip install numpy
    python3 tests/peers/cape.py scenes/cape.obj

The back is towards +z. The upper edge, the group "collar", is behind both shoulders and the
neck. From there the cloth hangs down and becomes wider, in folds that grow towards the hem.
"""
import sys

import numpy as np

ROWS, COLUMNS, FOLDS = 24, 43, 5


def collar(u):
    """A point of the upper edge, for u from -1 (left shoulder) to 1 (right shoulder)."""
    x = 0.2 * np.sin(1.35 * u) / np.sin(1.35)
    return x, 1.455 + 0.03 * (1 - u * u), 0.045 + 0.065 * (1 - u**2)


def points():
    """Rows from the collar to the hem."""
    u = np.linspace(-1, 1, COLUMNS)
    x, y, z = collar(u)
    wave = np.cos(np.pi * FOLDS * u)
    for v in np.linspace(0, 1, ROWS):
        deep = 0.004 + 0.028 * v**0.7
        # Out over the shoulder blades first, then down.
        out = 0.085 * np.sqrt(min(v / 0.12, 1.0)) * (1 - 0.5 * u**2) + 0.12 * v
        yield np.stack([x * (1 + 0.75 * v), y - 1.06 * v, z + out + deep * (wave + 1)], 1)


def main(path):
    rows = list(points())
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write("# A cape, made by tests/peers/cape.py\n")
        for row in rows:
            for at in row:
                file.write("v {:.4f} {:.4f} {:.4f}\n".format(*at))
        node = lambda row, column: row * COLUMNS + column + 1
        for row in range(ROWS - 1):
            # All nodes of a group are pinned, so the collar is a band of two rows.
            if row < 2:
                file.write("g collar\n" if row == 0 else "g cape\n")
            for column in range(COLUMNS - 1):
                a, b = node(row, column), node(row, column + 1)
                c, d = node(row + 1, column), node(row + 1, column + 1)
                # Diagonals alternate, so that the cloth has no preferred direction.
                faces = [(a, c, b), (b, c, d)] if (row + column) % 2 else [(a, c, d), (a, d, b)]
                for face in faces:
                    file.write("f {} {} {}\n".format(*face))
    print(f"{path}: {ROWS * COLUMNS} nodes, {2 * (ROWS - 1) * (COLUMNS - 1)} triangles")


if __name__ == "__main__":
    main(sys.argv[1])
