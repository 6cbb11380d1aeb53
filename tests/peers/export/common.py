"""Shared code of the readers of exports: reads `catena trace` and compares numbers."""

import csv
import sys

import numpy as np


def trace(path):
    """Positions and velocities by (panel, body), each as an array of frames, nodes and axes."""
    rows = {}
    frames = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            frame = int(row["frame"])
            if not frames or frames[-1] != frame:
                frames.append(frame)
            place = [float(row.get(axis) or 0) for axis in ("x", "y", "z")]
            speed = [float(row.get(axis) or 0) for axis in ("vx", "vy", "vz")]
            body = rows.setdefault((int(row["panel"]), int(row["body"])), {})
            body.setdefault(frame, []).append((float(row["time"]), place, speed))
    found = {}
    for key, by_frame in rows.items():
        table = [by_frame[frame] for frame in sorted(by_frame)]
        places = np.array([[node[1] for node in nodes] for nodes in table])
        speeds = np.array([[node[2] for node in nodes] for nodes in table])
        times = np.array([nodes[0][0] for nodes in table])
        found[key] = (places, speeds, times)
    return found


class Report:
    """Maximum difference of each comparison. Exits with 1 if one exceeds its bound."""

    def __init__(self):
        self.rows = {}

    def add(self, what, found, expected, most):
        found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
        if found.shape != expected.shape:
            sys.exit(f"{what}: {found.shape} numbers, not {expected.shape}")
        worst = float(np.abs(found - expected).max()) if found.size else 0.0
        before = self.rows.get(what, (0.0, most, 0))
        self.rows[what] = (max(before[0], worst), most, before[2] + found.size)

    def end(self):
        failed = False
        for what, (worst, most, count) in self.rows.items():
            is_fine = worst <= most
            failed |= not is_fine
            verdict = "fine" if is_fine else "MISSED"
            print(f"{verdict}: {what}: maximum difference {worst:.3g} (bound {most:g}), {count} numbers")
        if not self.rows:
            sys.exit("nothing was compared")
        sys.exit(1 if failed else 0)


def rings(points, nodes, sides=8):
    """Centers of the rings of a rope's tube, without the tip and the extra ring at each end."""
    inner = points[1 + sides : -1 - sides].reshape(nodes, sides, 3)
    return inner.mean(axis=1)
