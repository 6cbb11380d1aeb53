"""Semi-implicit Euler with damping inside of springs, which the scene lacks. Seven digits."""
from math import hypot

nodes, k, damping, drag, dt = 6, 100.0, 0.1, 0.01, 1 / 64
x = [[-80.0 * i, 200.0] for i in range(nodes)]
v = [[0.0, 0.0] for _ in x]
print("frame,node,x,y")
for frame in range(61):
    for i, p in enumerate(x):
        print("%d,%d,%.7g,%.7g" % (frame, i, p[0], p[1]))
    for _ in range(64):
        f = [[-drag * w[0], -1.0 - drag * w[1]] for w in v]
        for i in range(nodes - 1):
            d = [x[i + 1][a] - x[i][a] for a in (0, 1)]
            length = hypot(*d)
            u = [d[a] / length for a in (0, 1)]
            speed = sum((v[i + 1][a] - v[i][a]) * u[a] for a in (0, 1))
            pull = k * (length - 80.0) + damping * speed
            for a in (0, 1):
                f[i][a] += pull * u[a]
                f[i + 1][a] -= pull * u[a]
        for i in range(1, nodes):
            v[i] = [v[i][a] + f[i][a] * dt for a in (0, 1)]
            x[i] = [x[i][a] + v[i][a] * dt for a in (0, 1)]
