"""Runge-Kutta 4 of all masses together; the positions of the last mass alone, with times."""
from math import hypot

nodes, k, h = 6, 100.0, 1 / 8


def slope(s):
    x, v = s[:nodes], s[nodes:]
    a = [[0.0, -1.0] for _ in x]
    for i in range(nodes - 1):
        d = [x[i + 1][0] - x[i][0], x[i + 1][1] - x[i][1]]
        length = hypot(*d)
        f = [k * (length - 80.0) * part / length for part in d]
        a[i] = [a[i][0] + f[0], a[i][1] + f[1]]
        a[i + 1] = [a[i + 1][0] - f[0], a[i + 1][1] - f[1]]
    a[0] = [0.0, 0.0]
    return v + a


def moved(s, slopes, h):
    return [[p[0] + h * q[0], p[1] + h * q[1]] for p, q in zip(s, slopes)]


s = [[-80.0 * i, 200.0] for i in range(nodes)] + [[0.0, 0.0] for _ in range(nodes)]
print("t,x,y")
for frame in range(61):
    print(f"{float(frame)},{s[nodes - 1][0]:.10f},{s[nodes - 1][1]:.10f}")
    for _ in range(8):
        k1 = slope(s)
        k2 = slope(moved(s, k1, h / 2))
        k3 = slope(moved(s, k2, h / 2))
        k4 = slope(moved(s, k3, h))
        mean = [[(a[c] + 2 * b[c] + 2 * d[c] + e[c]) / 6 for c in (0, 1)] for a, b, d, e in zip(k1, k2, k3, k4)]
        s = moved(s, mean, h)
