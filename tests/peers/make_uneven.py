"""Writes uneven.gltf, a figure with many peculiarities of files by different exporters.

    python3 make_uneven.py > ../figures/uneven.gltf

Children come before their parents, joints are in another order than nodes, the armature has a scale of 0.01, the node of a skinned
mesh has its own transform, a node has a matrix, quaternions are not normalised, each animation moves one channel (LINEAR in
normalised 16 bits, STEP, CUBICSPLINE), weights in floats and in normalised bytes have arbitrary sums (one vertex has no weights),
positions are sparse, a skin has no inverse bind matrices, and one mesh is a strip without indices.
"""

import base64
import json
import math
import struct

data, views, accessors = bytearray(), [], []
CODES = {"b": 5120, "B": 5121, "h": 5122, "H": 5123, "I": 5125, "f": 5126}
SHAPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


def view(kind, rows, pad=0):
    """A buffer view of rows with padding bytes after each row."""
    while len(data) % 4:
        data.append(0)
    start = len(data)
    for row in rows:
        data.extend(struct.pack(f"<{len(row)}{kind}", *row) + bytes(pad))
    found = {"buffer": 0, "byteOffset": start, "byteLength": len(data) - start}
    if pad:
        found["byteStride"] = struct.calcsize(f"<{len(rows[0])}{kind}") + pad
    views.append(found)
    return len(views) - 1


def accessor(kind, rows, normalized=False, pad=0):
    found = {"bufferView": view(kind, rows, pad), "componentType": CODES[kind], "count": len(rows), "type": SHAPES[len(rows[0])]}
    if normalized:
        found["normalized"] = True
    accessors.append(found)
    return len(accessors) - 1


def sparse(base, rows, changes):
    found = {"componentType": 5126, "count": len(rows), "type": SHAPES[len(rows[0])]}
    if base:
        found["bufferView"] = view("f", rows)
    found["sparse"] = {
        "count": len(changes),
        "indices": {"bufferView": view("B", [[k] for k in sorted(changes)]), "componentType": 5121},
        "values": {"bufferView": view("f", [changes[k] for k in sorted(changes)])},
    }
    # Accessors of positions need bounds.
    rows = [changes.get(k, row) for k, row in enumerate(rows)]
    found["min"], found["max"] = [[bound(column) for column in zip(*rows)] for bound in (min, max)]
    accessors.append(found)
    return len(accessors) - 1


def turn(axis, degrees, length=1.0):
    sine, cosine = math.sin(math.radians(degrees) / 2), math.cos(math.radians(degrees) / 2)
    return [length * part for part in [axis[0] * sine, axis[1] * sine, axis[2] * sine, cosine]]


def shorts(q):
    return [round(32767 * part) for part in q]


def times(*values):
    return accessor("f", [[value] for value in values])


X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]
WRIST, BODY, ARMATURE, ELBOW, ROOT, SLEEVE = range(6)
nodes = [
    {"name": "wrist", "translation": [0, 60, 0], "rotation": turn(Z, 10, 0.97)},
    {"name": "body", "mesh": 0, "skin": 0, "translation": [5, -3, 2], "rotation": turn(X, 40)},
    {"name": "armature", "children": [ELBOW], "scale": [0.01, 0.01, 0.01], "rotation": turn(X, 90, 1.02)},
    {"name": "elbow", "children": [WRIST], "translation": [0, 50, 0], "rotation": turn(Y, 25, 0.9998)},
    # A rotation by -90° about x, and a shift to the side.
    {"name": "root", "children": [BODY, ARMATURE, SLEEVE], "matrix": [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0.25, 0, 0, 1]},
    {"name": "sleeve", "mesh": 1, "skin": 1},
]

# A strip of 12 vertices along y; two of them differ from the base of the accessor.
places = [[(k % 2) * 0.2 - 0.1, k // 2 * 0.25, 0.05 * (k % 3)] for k in range(12)]
body = {
    "POSITION": sparse(True, [[0, 0, 9] if k in (3, 8) else place for k, place in enumerate(places)], {3: places[3], 8: places[8]}),
    "JOINTS_0": accessor("B", [[0, 1, 2, 0] for _ in places]),
    # Sums from 60 to 255, and one of 0.
    "WEIGHTS_0": accessor("B", [[0, 0, 0, 0] if k == 5 else [20 * k, 60, 255 - 20 * k if k % 2 else 3, 0][:4] for k in range(12)], True),
}
triangles = [corner for k in range(10) for corner in ([k, k + 1, k + 2] if k % 2 == 0 else [k, k + 2, k + 1])]
flat = [[(k % 2) * 20 - 10, k // 2 * 30, 4 * (k % 3)] for k in range(8)]
sleeve = {
    # All positions are in the sparse part, over a base of zeros.
    "POSITION": sparse(False, flat, dict(enumerate(flat))),
    "JOINTS_0": accessor("H", [[1, 0, 0, 0] for _ in flat], pad=4),
    "WEIGHTS_0": accessor("f", [[0.2 + 0.1 * k, 0.9 - 0.1 * k if k % 2 else 0.0, 0, 0] for k in range(8)], pad=8),
}
inverse = [
    [100, 0, 0, 0, 0, 100, 0, 0, 0, 0, 100, 0, 0, -110, 0, 1],
    [100, 0, 0, 0, 0, 100, 0, 0, 0, 0, 100, 0, 0, -50, 0, 1],
    [100, 0, 0, 0, 0, 100, 0, 0, 0, 0, 100, 0, 0, 0, 0, 1],
]
skins = [
    {"joints": [WRIST, ELBOW, ARMATURE], "inverseBindMatrices": accessor("f", inverse)},
    {"joints": [ELBOW, WRIST]},
]


def animation(node, path, interpolation, input, output):
    return {
        "channels": [{"sampler": 0, "target": {"node": node, "path": path}}],
        "samplers": [{"input": input, "output": output, "interpolation": interpolation}],
    }


bend = [shorts(turn(Y, 25)), shorts(turn(Z, 95)), shorts([-part for part in turn(X, -70)]), shorts(turn(Y, 25))]
still, slow = [0, 0, 0], [0.3, -0.2, 0.1, 0.05]
animations = [
    animation(ELBOW, "rotation", "LINEAR", times(0, 0.5, 1.25, 2), accessor("h", bend, True)),
    animation(ELBOW, "translation", "LINEAR", times(0.25, 1.75), accessor("f", [[0, 50, 0], [10, 40, -20]])),
    animation(WRIST, "rotation", "CUBICSPLINE", times(0, 1, 1.5), accessor("f", [
        slow, turn(Z, 10, 0.97), [0.5, 0.5, -1, 0], [0.4, 0, 0.2, -0.3], turn(X, 120, 1.03), slow, slow, turn(Y, -60), slow])),
    animation(WRIST, "translation", "CUBICSPLINE", times(0.1, 0.9), accessor("f", [
        still, [0, 60, 0], [40, 0, 5], [-10, 20, 0], [15, 45, 12], still])),
    animation(ARMATURE, "scale", "STEP", times(0, 0.7, 1.4), accessor("f", [[0.01] * 3, [0.0125, 0.01, 0.0075], [0.01] * 3])),
]

primitives = [
    {"attributes": body, "indices": accessor("H", [[corner] for corner in triangles])},
    {"attributes": sleeve, "mode": 5},
]
print(json.dumps({
    "asset": {"version": "2.0", "generator": "catena's tests/peers/make_uneven.py"},
    "scene": 0,
    "scenes": [{"nodes": [ROOT]}],
    "nodes": nodes,
    "meshes": [{"name": name, "primitives": [primitive]} for name, primitive in zip(["Body", "Sleeve"], primitives)],
    "skins": skins,
    "animations": animations,
    "accessors": accessors,
    "bufferViews": views,
    "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
}, indent=1))
