#!/usr/bin/env python3
"""Compares the rigid bodies of an export in all four formats, read by OpenUSD, VTK and trimesh, at every frame.

    python3 tests/peers/export/solids.py FOLDER NAME

FOLDER has lantern.glb, lantern.usda, vtp/ and obj/ of a scene called `lantern`; NAME is the item, such as `lantern`. The
points of the item in the USD stage, moved by OpenUSD, must be those that VTK and trimesh read, within 1e-6.
"""

import pathlib
import sys

import numpy as np
import trimesh
import vtk
from pxr import Usd, UsdGeom
from vtk.util.numpy_support import vtk_to_numpy

BOUND = 1e-6


def usd_points(stage, name, frame):
    """Points of an item in the scene, moved by OpenUSD."""
    for prim in stage.Traverse():
        if prim.GetTypeName() == "Mesh" and prim.GetParent().GetName() == name:
            points = np.array(UsdGeom.Mesh(prim).GetPointsAttr().Get())
            matrix = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(frame))
            return points @ matrix[:3, :3] + matrix[3, :3]
    raise SystemExit(f"the stage has no mesh in an Xform called {name}")


def vtp_points(path):
    """All points of a frame without a node, in order."""
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    data = reader.GetOutput()
    node = vtk_to_numpy(data.GetPointData().GetArray("node"))
    return vtk_to_numpy(data.GetPoints().GetData())[node == -1]


def obj_points(path, name):
    """Points of an object of an OBJ file."""
    points, is_inside = [], False
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["o"]:
            is_inside = words[1] == name
        elif words[:1] == ["v"] and is_inside:
            points.append([float(word) for word in words[1:]])
    return np.array(points)


def main():
    folder, name = pathlib.Path(sys.argv[1]), sys.argv[2]
    scene = next(folder.glob("*.usda")).stem
    stage = Usd.Stage.Open(str(folder / f"{scene}.usda"))
    worst, moved = 0.0, 0.0
    first = usd_points(stage, name, stage.GetStartTimeCode())
    for path in sorted((folder / "vtp").glob("frame_*.vtp")):
        frame = int(path.stem.split("_")[1])
        points = usd_points(stage, name, frame)
        moved = max(moved, np.abs(points - first).max())
        others = [vtp_points(path), obj_points(folder / "obj" / f"frame_{frame:05}.obj", name)]
        worst = max([worst] + [np.abs(points - other[: len(points)]).max() for other in others])
    loaded = trimesh.load(folder / f"{scene}.glb", process=False)
    transform, geometry = loaded.graph[name]
    mesh = loaded.geometry[geometry]
    at_first = mesh.vertices @ transform[:3, :3].T + transform[:3, 3]
    worst = max(worst, np.abs(at_first - first).max())
    merged = mesh.copy()
    merged.merge_vertices(merge_norm=True)
    print(f"{name}: maximum difference {worst:.2g}, moved by {moved:.3g}, closed: {merged.is_watertight}, "
          f"volume {merged.volume:.6g}")
    sys.exit(0 if worst <= BOUND and moved > 0 else 1)


if __name__ == "__main__":
    main()
