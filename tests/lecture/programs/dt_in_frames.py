"""A step of 1/substeps, so that a frame of 1/60 s counts as a second. SI units; NumPy's float32."""
import numpy as np

nodes, k, mass = 4, np.float32(50), np.float32(0.1)
rest = np.float32(0.25)
substeps = 64
dt = np.float32(1) / np.float32(substeps)
x = np.zeros((nodes, 2), np.float32)
x[:, 0] = -rest * np.arange(nodes, dtype=np.float32)
v = np.zeros_like(x)
g = np.array([0, -9.81], np.float32)
print("frame,node,x,y")
for frame in range(31):
    for i in range(nodes):
        print(f"{frame},{i},{x[i, 0]},{x[i, 1]}")
    for _ in range(substeps):
        d = x[1:] - x[:-1]
        length = np.sqrt((d * d).sum(axis=1, keepdims=True))
        pull = k * (length - rest) * d / length
        f = mass * g - np.float32(0.05) * v
        f[:-1] += pull
        f[1:] -= pull
        v[1:] += dt * f[1:] / mass
        x[1:] += dt * v[1:]
