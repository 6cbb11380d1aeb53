"""Semi-implicit Euler that moves each mass before the force on the next one is computed."""
from math import hypot

nodes, k, dt = 6, 100.0, 1 / 32
x = [[-80.0 * i, 200.0] for i in range(nodes)]
v = [[0.0, 0.0] for _ in range(nodes)]
print("frame,node,x,y")
for frame in range(101):
    for i in range(nodes):
        print(f"{frame},{i},{x[i][0]!r},{x[i][1]!r}")
    for _ in range(32):
        for i in range(1, nodes):
            f = [0.0, -1.0]
            for j in (i - 1, i + 1):
                if j == nodes:
                    continue
                d = [x[j][0] - x[i][0], x[j][1] - x[i][1]]
                length = hypot(*d)
                f = [f[a] + k * (length - 80.0) * d[a] / length for a in (0, 1)]
            v[i] = [v[i][a] + dt * f[a] for a in (0, 1)]
            x[i] = [x[i][a] + dt * v[i][a] for a in (0, 1)]
