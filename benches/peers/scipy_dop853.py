#!/usr/bin/env python3
"""Simulates the hanging rope of accuracy.py with SciPy's DOP853, in vectorised code as a user would write it.

    python3 scipy_dop853.py NODES STIFFNESS MASS GRAVITY X Y TIME TOLERANCE FILE

The rope is pinned at the origin and starts straight, unstretched and at rest, with its end at (X, Y). The script writes the
final positions to FILE, one node per line, and prints the number of evaluations of the derivative.
"""

import sys

import numpy as np
from scipy.integrate import solve_ivp


def main():
    nodes = int(sys.argv[1])
    stiffness, mass, gravity, x, y, time, tolerance = map(float, sys.argv[2:9])
    end = np.array([[x], [y]])
    start = end * np.linspace(0.0, 1.0, nodes)
    rest = np.hypot(x, y) / (nodes - 1)
    half = 2 * nodes

    def slope(_, state):
        out = np.empty_like(state)
        out[:half] = state[half:]
        place = state[:half].reshape(2, nodes)
        spring = place[:, 1:] - place[:, :-1]
        length = np.sqrt(spring[0] * spring[0] + spring[1] * spring[1])
        spring *= (stiffness / mass) * (1.0 - rest / length)
        change = out[half:].reshape(2, nodes)
        change[0] = 0.0
        change[1] = -gravity
        change[:, :-1] += spring
        change[:, 1:] -= spring
        change[:, 0] = 0.0
        return out

    state = np.concatenate([start.ravel(), np.zeros(half)])
    done = solve_ivp(slope, (0.0, time), state, method="DOP853", t_eval=[time],
                     rtol=tolerance, atol=tolerance)
    if not done.success:
        sys.exit(done.message)
    np.savetxt(sys.argv[9], done.y[:half, -1].reshape(2, nodes).T, fmt="%.17g")
    print(done.nfev)


if __name__ == "__main__":
    main()
