"""Störmer-Verlet with NumPy's float32: half a drift, a kick, half a drift."""
import numpy as np

f32 = np.float32
nodes, k, h = 6, f32(100), f32(1 / 16)
x = np.stack([-80 * np.arange(nodes), np.full(nodes, 200)], axis=1).astype(f32)
v = np.zeros_like(x)
print("t,id,pos_x,pos_y")
for frame in range(41):
    for i, (a, b) in enumerate(x):
        print(f"{frame},{i},{a!r},{b!r}".replace("np.float32(", "").replace(")", ""))
    for _ in range(16):
        x[1:] += h / f32(2) * v[1:]
        d = x[1:] - x[:-1]
        length = np.sqrt((d * d).sum(axis=1, dtype=f32))
        pull = d / length[:, None] * (k * (length - f32(80)))[:, None]
        f = np.zeros_like(x)
        f[:-1] += pull
        f[1:] -= pull
        f[:, 1] -= f32(1)
        v[1:] += h * f[1:]
        x[1:] += h / f32(2) * v[1:]
