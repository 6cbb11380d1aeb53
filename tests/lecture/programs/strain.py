"""k times the strain as a force: springs 80 times too soft. Verlet from positions, six decimals."""
from math import hypot

nodes, k, dt = 6, 100.0, 1 / 20
x = [[-80.0 * i, 200.0] for i in range(nodes)]
last = [list(p) for p in x]
print("frame,node,x,y")
for frame in range(101):
    for i, p in enumerate(x):
        print("%d,%d,%.6f,%.6f" % (frame, i, p[0], p[1]))
    for _ in range(20):
        f = [[0.0, -1.0] for _ in x]
        for i in range(nodes - 1):
            d = [x[i + 1][a] - x[i][a] for a in (0, 1)]
            length = hypot(*d)
            pull = k * (length - 80.0) / 80.0
            for a in (0, 1):
                f[i][a] += pull * d[a] / length
                f[i + 1][a] -= pull * d[a] / length
        for i in range(1, nodes):
            new = [2 * x[i][a] - last[i][a] + f[i][a] * dt * dt for a in (0, 1)]
            last[i], x[i] = x[i], new
