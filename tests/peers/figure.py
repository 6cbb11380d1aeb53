#!/usr/bin/env python3
"""Makes scenes/figure.glb: a walking figure of 20 bones for scenes and tests.

    pip install numpy scikit-image
    python3 tests/peers/figure.py scenes/figure.glb

The body is a triangle mesh of the smooth union of capsules around bones; weights decrease with the
distance from each capsule. The clips are "Walk" (a cycle of 1.2 s), "Wave" (the right arm, 0.8 s) and "Nod"
(the head, 1.6 s), all with LINEAR keys.
"""
import json
import struct
import sys

import numpy as np
from skimage.measure import marching_cubes

# Name, parent, joint in metres (y up, z ahead), and the capsules around the bone:
# (from, to, radius at from, radius at to), in the bind pose.
BONES = [
    ("root", None, (0, 0, 0), []),
    ("hips", "root", (0, 0.95, 0), [((-0.07, 0.94, 0), (0.07, 0.94, 0), 0.105, 0.105)]),
    ("spine", "hips", (0, 1.07, 0), [((0, 1.02, 0), (0, 1.18, 0.01), 0.11, 0.115)]),
    ("chest", "spine", (0, 1.22, 0), [((-0.08, 1.33, 0), (0.08, 1.33, 0), 0.12, 0.12),
                                      ((0, 1.22, 0.01), (0, 1.36, 0), 0.12, 0.11)]),
    ("neck", "chest", (0, 1.46, 0), [((0, 1.44, 0), (0, 1.54, 0.01), 0.052, 0.05)]),
    ("head", "neck", (0, 1.54, 0.01), [((0, 1.61, 0.02), (0, 1.68, 0.01), 0.082, 0.092)]),
]
for side, x in (("left", 1), ("right", -1)):
    BONES += [
        (f"{side}_shoulder", "chest", (0.05 * x, 1.41, 0),
         [((0.08 * x, 1.41, 0), (0.16 * x, 1.40, 0), 0.065, 0.062)]),
        (f"{side}_upper_arm", f"{side}_shoulder", (0.18 * x, 1.40, 0),
         [((0.18 * x, 1.39, 0), (0.25 * x, 1.14, 0), 0.056, 0.043)]),
        (f"{side}_forearm", f"{side}_upper_arm", (0.25 * x, 1.13, 0),
         [((0.25 * x, 1.13, 0), (0.30 * x, 0.90, 0.02), 0.043, 0.032)]),
        (f"{side}_hand", f"{side}_forearm", (0.305 * x, 0.88, 0.02),
         [((0.307 * x, 0.87, 0.02), (0.32 * x, 0.77, 0.03), 0.036, 0.026)]),
        (f"{side}_thigh", "hips", (0.09 * x, 0.90, 0),
         [((0.095 * x, 0.88, 0), (0.105 * x, 0.52, 0), 0.088, 0.058)]),
        (f"{side}_shin", f"{side}_thigh", (0.105 * x, 0.50, 0),
         [((0.105 * x, 0.50, 0), (0.11 * x, 0.13, -0.01), 0.058, 0.04)]),
        (f"{side}_foot", f"{side}_shin", (0.11 * x, 0.09, -0.01),
         [((0.11 * x, 0.05, -0.03), (0.115 * x, 0.04, 0.14), 0.042, 0.034)]),
    ]
NAMES = [bone[0] for bone in BONES]
PLACES = {name: np.array(at, float) for name, _, at, _ in BONES}
CELL = 0.0215


def distance(points, capsule):
    """Distance from a capsule whose radius changes along it."""
    a, b, ra, rb = capsule
    a, b = np.array(a, float), np.array(b, float)
    way = b - a
    share = np.clip(((points - a) @ way) / (way @ way), 0, 1)
    return np.linalg.norm(points - (a + share[:, None] * way), axis=1) - (ra + share * (rb - ra))


def field(points, softness=0.022):
    """The smooth union of all capsules, and the distance from the nearest capsule of each bone.

    Capsules of one bone are joined as smoothly as those of two: a crease would cut through the
    cells of the grid, and what is left of it there is jagged.
    """
    each = np.full((len(BONES), len(points)), 9.0)
    union = np.zeros(len(points))
    for k, (_, _, _, capsules) in enumerate(BONES):
        for capsule in capsules:
            found = distance(points, capsule)
            each[k] = np.minimum(each[k], found)
            union += np.exp(-found / softness)
    return -softness * np.log(union), each


def mesh():
    low, high = np.array([-0.48, -0.06, -0.24]), np.array([0.48, 1.86, 0.30])
    counts = np.ceil((high - low) / CELL).astype(int)
    axes = [low[k] + CELL * np.arange(counts[k]) for k in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1)
    values, _ = field(grid.reshape(-1, 3))
    points, faces, _, _ = marching_cubes(values.reshape(counts), 0.0, spacing=(CELL,) * 3)
    points = points + low
    h = 1e-4
    normals = np.stack([field(points + h * e)[0] - field(points - h * e)[0] for e in np.eye(3)], 1)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    a, b, c = (points[faces[:, k]] for k in range(3))
    turned = np.einsum("ij,ij->i", np.cross(b - a, c - a), normals[faces[:, 0]]) < 0
    faces[turned] = faces[turned][:, ::-1]
    _, each = field(points)
    weights = np.exp(-np.maximum(each, 0) / 0.016) * (each < 0.12)
    order = np.argsort(-weights, axis=0, kind="stable")[:4].T
    kept = np.take_along_axis(weights.T, order, 1)
    kept[kept < 0.01 * kept[:, :1]] = 0
    kept /= kept.sum(1)[:, None]
    return points, normals, faces, order, kept


def about(axis, degrees):
    half = np.radians(degrees) / 2
    return [*(np.array(axis, float) * np.sin(half)), np.cos(half)]


def product(*turns):
    x, y, z, w = turns[0]
    for bx, by, bz, bw in turns[1:]:
        x, y, z, w = (w * bx + x * bw + y * bz - z * by, w * by - x * bz + y * bw + z * bx,
                      w * bz + x * by - y * bx + z * bw, w * bw - x * bx - y * by - z * bz)
    return [x, y, z, w]


X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def clips():
    """Name -> (times, rotations of bones, translations of bones)."""
    steps = 24
    times = np.linspace(0, 1.2, steps + 1)
    phase = 2 * np.pi * np.arange(steps + 1) / steps
    turns = {}
    for side, shift in (("left", 0.0), ("right", np.pi)):
        p = phase + shift
        sign = 1 if side == "left" else -1
        bend = (1 - np.cos(p - 0.9)) * (0.5 + 0.5 * np.cos(p - 0.4))
        turns[f"{side}_thigh"] = [about(X, a) for a in -4 - 26 * np.sin(p)]
        turns[f"{side}_shin"] = [about(X, a) for a in 6 + 26 * bend]
        turns[f"{side}_foot"] = [about(X, a) for a in 8 * np.sin(p + 0.6)]
        turns[f"{side}_upper_arm"] = [product(about(X, a), about(Z, -4 * sign))
                                      for a in 22 * np.sin(p)]
        turns[f"{side}_forearm"] = [about(X, a) for a in -22 - 12 * np.sin(p - 0.5)]
    sway = zip(-6 * np.sin(phase), 2.5 * np.cos(phase))
    turns["hips"] = [product(about(Y, a), about(Z, b)) for a, b in sway]
    turns["spine"] = [about(Y, a) for a in 5 * np.sin(phase)]
    turns["chest"] = [product(about(Y, a), about(X, 3)) for a in 6 * np.sin(phase)]
    turns["head"] = [about(Y, a) for a in -5 * np.sin(phase)]
    rest = PLACES["hips"] - PLACES["root"]
    bob = [(rest + (0, -0.018 + 0.014 * np.cos(2 * q), 0)).tolist() for q in phase]
    walk = (times, turns, {"hips": bob})
    times = np.linspace(0, 0.8, 9)
    swing = np.sin(2 * np.pi * times / 0.8)
    wave = (times, {
        "right_upper_arm": [product(about(Z, -118), about(X, -10))] * 9,
        "right_forearm": [product(about(Z, -38 + a), about(X, -10)) for a in 28 * swing],
        "right_hand": [about(Z, a) for a in 14 * swing],
    }, {})
    times = np.linspace(0, 1.6, 9)
    nod = (times, {"head": [about(X, a) for a in 12 * np.sin(2 * np.pi * times / 1.6)]}, {})
    return {"Walk": walk, "Wave": wave, "Nod": nod}


class Buffer:
    """Buffer views and accessors over the bytes of a file."""

    def __init__(self):
        self.bytes, self.views, self.accessors = b"", [], []

    def add(self, array, kind, target=None, bounds=False):
        component = {"float32": 5126, "uint16": 5123, "uint8": 5121}[str(array.dtype)]
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": array.nbytes}
        if target:
            view["target"] = target
        self.views.append(view)
        self.bytes += array.tobytes()
        accessor = {"bufferView": len(self.views) - 1, "componentType": component,
                    "count": len(array), "type": kind}
        if bounds:
            flat = array.reshape(len(array), -1)
            accessor["min"], accessor["max"] = flat.min(0).tolist(), flat.max(0).tolist()
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def f32(values):
    return np.ascontiguousarray(values, dtype=np.float32)


def main(path):
    points, normals, faces, joints, weights = mesh()
    buffer = Buffer()
    joints = np.where(weights > 0, joints, 0).astype(np.uint8)
    primitive = {
        "attributes": {
            "POSITION": buffer.add(f32(points), "VEC3", 34962, True),
            "NORMAL": buffer.add(f32(normals), "VEC3", 34962),
            "JOINTS_0": buffer.add(joints, "VEC4", 34962),
            "WEIGHTS_0": buffer.add(f32(weights), "VEC4", 34962),
        },
        "indices": buffer.add(faces.astype(np.uint16).reshape(-1), "SCALAR", 34963),
        "material": 0,
    }
    inverse = np.tile(np.eye(4, dtype=np.float32), (len(BONES), 1, 1))
    for k, name in enumerate(NAMES):
        inverse[k, 3, :3] = -PLACES[name]  # column-major
    nodes = []
    for name, parent, at, _ in BONES:
        place = PLACES[name] - (PLACES[parent] if parent else 0)
        node = {"name": name, "translation": [round(float(v), 6) for v in place]}
        children = [k for k, bone in enumerate(BONES) if bone[1] == name]
        nodes.append({**node, "children": children} if children else node)
    nodes.append({"name": "figure", "mesh": 0, "skin": 0})
    animations = []
    for name, (times, turns, places) in clips().items():
        samplers, channels = [], []
        at = buffer.add(f32(times), "SCALAR", bounds=True)
        for target, kind, tracks in (("rotation", "VEC4", turns), ("translation", "VEC3", places)):
            for bone, values in tracks.items():
                output = buffer.add(f32(values), kind)
                samplers.append({"input": at, "output": output, "interpolation": "LINEAR"})
                channels.append({"sampler": len(samplers) - 1,
                                 "target": {"node": NAMES.index(bone), "path": target}})
        animations.append({"name": name, "samplers": samplers, "channels": channels})
    clay = {"baseColorFactor": [0.42, 0.33, 0.25, 1], "metallicFactor": 0}
    skin = {"name": "figure", "skeleton": 0, "joints": list(range(len(BONES))),
            "inverseBindMatrices": buffer.add(inverse, "MAT4")}
    document = {
        "asset": {"version": "2.0", "generator": "catena, tests/peers/figure.py"},
        "scene": 0, "scenes": [{"nodes": [0, len(nodes) - 1]}], "nodes": nodes,
        "meshes": [{"name": "figure", "primitives": [primitive]}],
        "materials": [{"name": "clay", "pbrMetallicRoughness": clay}],
        "skins": [skin], "animations": animations, "accessors": buffer.accessors,
        "bufferViews": buffer.views, "buffers": [{"byteLength": len(buffer.bytes)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    data = buffer.bytes + b"\0" * (-len(buffer.bytes) % 4)
    size = 12 + 8 + len(text) + 8 + len(data)
    with open(path, "wb") as file:
        file.write(struct.pack("<III", 0x46546C67, 2, size))
        file.write(struct.pack("<II", len(text), 0x4E4F534A) + text)
        file.write(struct.pack("<II", len(data), 0x004E4942) + data)
    print(f"{path}: {len(points)} vertices, {len(faces)} triangles, {len(BONES)} bones, {size} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
