"""Verlet with lengths as constraints, and ten times the damping of the homework. Six digits."""
from math import hypot

nodes, dt, damping, rest = 6, 1 / 64, 0.0005, 80.0
x = [[-rest * i, 200.0] for i in range(nodes)]
last = [list(p) for p in x]
print("frame,node,x,y")
for frame in range(61):
    for i, p in enumerate(x):
        print("%d,%d,%g,%g" % (frame, i, p[0], p[1]))
    for _ in range(64):
        for i in range(nodes - 1):
            d = [x[i + 1][a] - x[i][a] for a in (0, 1)]
            length = hypot(*d)
            share = (length - rest) / length
            own = 0.0 if i == 0 else 0.5
            for a in (0, 1):
                x[i][a] += own * share * d[a]
                x[i + 1][a] -= (1 - own) * share * d[a]
        for i in range(1, nodes):
            g = [0.0, -1.0]
            new = [x[i][a] + (1 - damping) * (x[i][a] - last[i][a]) + g[a] * dt * dt for a in (0, 1)]
            last[i], x[i] = x[i], new
