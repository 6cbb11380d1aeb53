"""Prints the vertices of a glTF file under OpenUSD's dual quaternion skinning.

    pip install usd-core numpy
    python3 usd_skel.py FILE.gltf STEP COUNT > FILE.usd.txt

All animations (with LINEAR samplers only) are played at once, at COUNT times STEP seconds apart, starting at 0. For each time and
each skinned mesh, the script prints a line `mesh NAME COUNT at TIME`, and then one line per vertex with its position. The script
computes joint matrices in double precision, without catena's code or another reader; UsdSkel.SkinPoints blends them in single
precision. The script also does linear skinning, which must equal a plain sum.
"""

import base64
import json
import math
import pathlib
import sys
from urllib.parse import unquote

import numpy as np
from pxr import Gf, UsdSkel, Vt

KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class File:
    def __init__(self, path):
        self.root = json.loads(path.read_text())
        self.buffers = []
        for buffer in self.root["buffers"]:
            uri = buffer["uri"]
            if uri.startswith("data:"):
                self.buffers.append(base64.b64decode(uri.split(",", 1)[1]))
            else:
                self.buffers.append((path.parent / unquote(uri)).read_bytes())

    def elements(self, view, offset, kind, count, width):
        view = self.root["bufferViews"][view]
        start = view.get("byteOffset", 0) + offset
        kind = np.dtype(kind)
        stride = view.get("byteStride", 0) or kind.itemsize * width
        data = self.buffers[view["buffer"]]
        rows = [np.frombuffer(data, kind, width, start + i * stride) for i in range(count)]
        return np.array(rows, dtype=np.float64).reshape(count, width)

    def accessor(self, index):
        found = self.root["accessors"][index]
        count, width, kind = found["count"], WIDTHS[found["type"]], KINDS[found["componentType"]]
        values = np.zeros((count, width))
        if "bufferView" in found:
            values = self.elements(found["bufferView"], found.get("byteOffset", 0), kind, count, width)
        if "sparse" in found:
            sparse = found["sparse"]
            at, new = sparse["indices"], sparse["values"]
            at = self.elements(at["bufferView"], at.get("byteOffset", 0), KINDS[at["componentType"]], sparse["count"], 1)
            new = self.elements(new["bufferView"], new.get("byteOffset", 0), kind, sparse["count"], width)
            values[at[:, 0].astype(int)] = new
        if found.get("normalized"):
            values = np.maximum(values / np.iinfo(np.dtype(kind)).max, -1.0)
        return values


def rotation(q):
    x, y, z, w = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])


def slerp(a, b, s):
    if a @ b < 0:
        b = -b
    angle = 2 * math.atan2(np.linalg.norm(a - b), np.linalg.norm(a + b))
    if angle == 0:
        return a
    return (math.sin((1 - s) * angle) * a + math.sin(s * angle) * b) / math.sin(angle)


def unit(q):
    return q / np.linalg.norm(q)


def sampled(file, sampler, t, turns):
    assert sampler.get("interpolation", "LINEAR") == "LINEAR"
    times, values = file.accessor(sampler["input"])[:, 0], file.accessor(sampler["output"])
    if turns:
        values = np.array([unit(q) for q in values])
    k = int(np.searchsorted(times, t, side="right")) - 1
    if k < 0 or k + 1 >= len(times):
        return values[max(0, min(k, len(times) - 1))]
    s = (t - times[k]) / (times[k + 1] - times[k])
    return slerp(values[k], values[k + 1], s) if turns else (1 - s) * values[k] + s * values[k + 1]


def worlds(file, t):
    nodes = [dict(node) for node in file.root["nodes"]]
    for animation in file.root["animations"]:
        for channel in animation["channels"]:
            target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
            value = sampled(file, sampler, t, target["path"] == "rotation")
            nodes[target["node"]][target["path"]] = value
    found = [None] * len(nodes)

    def walk(index, above):
        node = nodes[index]
        if "matrix" in node:
            local = np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T
        else:
            local = np.eye(4)
            turn = rotation(unit(np.array(node.get("rotation", [0, 0, 0, 1]), dtype=np.float64)))
            local[:3, :3] = turn * np.array(node.get("scale", [1, 1, 1]))
            local[:3, 3] = node.get("translation", [0, 0, 0])
        found[index] = above @ local
        for child in node.get("children", []):
            walk(child, found[index])

    children = {child for node in nodes for child in node.get("children", [])}
    for index in set(range(len(nodes))) - children:
        walk(index, np.eye(4))
    return found


def skinned(points, indices, weights, matrices, method):
    moved = Vt.Vec3fArray.FromNumpy(points.astype(np.float32))
    # OpenUSD has row vectors, so matrices are transposed.
    joints = Vt.Matrix4dArray([Gf.Matrix4d(matrix.T.tolist()) for matrix in matrices])
    indices = Vt.IntArray.FromNumpy(indices.astype(np.int32).ravel())
    weights = Vt.FloatArray.FromNumpy(weights.astype(np.float32).ravel())
    assert UsdSkel.SkinPoints(method, Gf.Matrix4d(1), joints, indices, weights, 4, moved)
    return np.array(moved, dtype=np.float64)


def main():
    path, step, count = pathlib.Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    file = File(path)
    for k in range(count):
        time = k * step
        world = worlds(file, time)
        for node in file.root["nodes"]:
            if "skin" not in node:
                continue
            mesh, skin = file.root["meshes"][node["mesh"]], file.root["skins"][node["skin"]]
            attributes = mesh["primitives"][0]["attributes"]
            points, indices, weights = (file.accessor(attributes[name]) for name in ["POSITION", "JOINTS_0", "WEIGHTS_0"])
            weights /= weights.sum(axis=1, keepdims=True)
            inverse = file.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
            matrices = [world[joint] @ inverse[k] for k, joint in enumerate(skin["joints"])]

            mixed = np.einsum("vk,vkij->vij", weights, np.array(matrices)[indices.astype(int)])
            plain = np.einsum("vij,vj->vi", mixed, np.c_[points, np.ones(len(points))])[:, :3]
            linear = skinned(points, indices, weights, matrices, "classicLinear")
            off = np.abs(linear - plain).max()
            assert off < 5e-6, f"linear skinning is off by {off}"

            print(f"mesh {mesh.get('name', 'mesh')} {len(points)} at {time}")
            for place in skinned(points, indices, weights, matrices, "dualQuaternion"):
                print(*(f"{part:.9f}".rstrip("0").rstrip(".") for part in place))


main()
