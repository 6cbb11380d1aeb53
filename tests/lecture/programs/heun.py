"""Heun's method with NumPy, drag 0.01; frames from 1, y downwards."""
import numpy as np

nodes, k, c, h = 6, 100.0, 0.01, 1 / 100
x = np.stack([-80.0 * np.arange(nodes), np.full(nodes, 200.0)], axis=1)
v = np.zeros_like(x)


def slope(x, v):
    d = x[1:] - x[:-1]
    length = np.sqrt((d * d).sum(axis=1))
    pull = d / length[:, None] * (k * (length - 80.0))[:, None]
    f = -c * v
    f[:-1] += pull
    f[1:] -= pull
    f[:, 1] -= 1.0
    f[0] = 0.0
    return v, f


print("frame,node,x,y")
for frame in range(1, 62):
    for i, (a, b) in enumerate(x):
        print(f"{frame},{i},{a:.7f},{-b:.7f}")
    for _ in range(100):
        v1, a1 = slope(x, v)
        v2, a2 = slope(x + h * v1, v + h * a1)
        x, v = x + h / 2 * (v1 + v2), v + h / 2 * (a1 + a2)
