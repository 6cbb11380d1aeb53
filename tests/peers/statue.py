"""Writes scenes/statue.obj: a closed bust on a pedestal, as a collider for cloth.

    python3 tests/peers/statue.py > scenes/statue.obj

The mesh has rings around the y axis, which are wider at the shoulders, and a nose.
"""

import math

AROUND = 28
# Height, half width along x, half depth along z, and shift along z.
RINGS = [
    (0.00, 0.200, 0.200, 0.00), (0.08, 0.200, 0.200, 0.00), (0.10, 0.150, 0.150, 0.00),
    (0.40, 0.130, 0.130, 0.00), (0.43, 0.180, 0.160, 0.00), (0.47, 0.190, 0.160, 0.00),
    (0.50, 0.150, 0.110, 0.00), (0.56, 0.210, 0.120, 0.00), (0.62, 0.260, 0.125, 0.00),
    (0.67, 0.255, 0.115, 0.00), (0.705, 0.200, 0.095, 0.00), (0.725, 0.110, 0.075, 0.01),
    (0.76, 0.062, 0.065, 0.02), (0.80, 0.060, 0.065, 0.03), (0.83, 0.075, 0.085, 0.04),
    (0.87, 0.090, 0.105, 0.04), (0.92, 0.100, 0.115, 0.035), (0.97, 0.100, 0.118, 0.03),
    (1.02, 0.090, 0.108, 0.025), (1.055, 0.066, 0.080, 0.02), (1.075, 0.034, 0.042, 0.02),
]


def point(ring, k):
    y, wide, deep, shift = ring
    angle = 2 * math.pi * k / AROUND
    x, z = wide * math.sin(angle), shift + deep * math.cos(angle)
    if k == 0 and 0.86 < y < 0.98:
        z += 0.035 if y < 0.9 else 0.02
    return x, y, z


def main():
    print("# A bust on a pedestal, made by tests/peers/statue.py")
    points = [(0.0, RINGS[0][0], 0.0)]
    points += [point(ring, k) for ring in RINGS for k in range(AROUND)]
    points.append((0.0, 1.083, 0.02))
    for x, y, z in points:
        print(f"v {x:.4f} {y:.4f} {z:.4f}")
    number = lambda ring, k: 2 + ring * AROUND + k % AROUND
    for k in range(AROUND):
        print("f", 1, number(0, k + 1), number(0, k))
    for ring in range(len(RINGS) - 1):
        for k in range(AROUND):
            print("f", number(ring, k), number(ring, k + 1), number(ring + 1, k + 1), number(ring + 1, k))
    last = len(RINGS) - 1
    for k in range(AROUND):
        print("f", number(last, k), number(last, k + 1), len(points))


main()
