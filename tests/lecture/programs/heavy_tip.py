"""Semi-implicit Euler of a rope whose last mass is three times as heavy, which no candidate has."""
from math import hypot

nodes, k, h = 6, 100.0, 1 / 64
mass = [1.0] * (nodes - 1) + [3.0]
x = [[-80.0 * i, 200.0] for i in range(nodes)]
v = [[0.0, 0.0] for _ in range(nodes)]
print("frame,node,x,y")
for frame in range(61):
    for i, (a, b) in enumerate(x):
        print(f"{frame},{i},{a:.9f},{b:.9f}")
    for _ in range(64):
        f = [[0.0, -m] for m in mass]
        for i in range(nodes - 1):
            d = [x[i + 1][0] - x[i][0], x[i + 1][1] - x[i][1]]
            length = hypot(*d)
            for c in (0, 1):
                pull = k * (length - 80.0) * d[c] / length
                f[i][c] += pull
                f[i + 1][c] -= pull
        for i in range(1, nodes):
            for c in (0, 1):
                v[i][c] += h * f[i][c] / mass[i]
                x[i][c] += h * v[i][c]
