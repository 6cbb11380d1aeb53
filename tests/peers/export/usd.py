"""Compares a USDA export, read by OpenUSD (pip install usd-core), with the numbers of `catena trace`.

    python usd.py EXPORT.usda TRACE.csv

Points must equal the numbers of the trace in 32 bits, and between two time codes the mean of both. Skins
are baked, and must agree to 1e-6. First, the script runs all validators of OpenUSD.
"""

import sys

import numpy as np
from pxr import Sdf, Usd, UsdGeom, UsdSkel, UsdValidation

from common import Report, trace

path, table = sys.argv[1:3]
stage = Usd.Stage.Open(path)
context = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())
errors = [f"{error.GetName()}: {error.GetMessage()}" for error in context.Validate(stage)]
print("validators:", errors or "no errors")
if errors:
    sys.exit(1)
# Baking modifies a copy of the stage in memory.
copy = Sdf.Layer.CreateAnonymous(".usda")
copy.TransferContent(stage.GetRootLayer())
baked = Usd.Stage.Open(copy)
for prim in baked.Traverse():
    if prim.IsA(UsdSkel.Root):
        assert UsdSkel.BakeSkinning(UsdSkel.Root(prim))
bodies = trace(table)
report = Report()

frame_time = next(iter(bodies.values()))[2][1]
assert UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y and UsdGeom.GetStageMetersPerUnit(stage) == 1
report.add("time of a code", [1 / stage.GetTimeCodesPerSecond()], [frame_time], 1e-12)

root = stage.GetDefaultPrim()
groups = [prim for prim in root.GetChildren() if prim.IsA(UsdGeom.Xform)]
count = int(stage.GetEndTimeCode() - stage.GetStartTimeCode()) + 1
for panel, group in enumerate(groups):
    items = [UsdGeom.PointBased(prim) for prim in Usd.PrimRange(group) if prim.IsA(UsdGeom.PointBased)]
    for body, item in enumerate(items):
        is_skin = item.GetPrim().HasAPI(UsdSkel.BindingAPI)
        if is_skin:
            item = UsdGeom.PointBased(baked.GetPrimAtPath(item.GetPath()))
        if is_skin and (panel, body) not in bodies:
            print(f"{item.GetPath()} has no rows in the table, and is not compared")
            continue
        places = bodies[panel, body][0].astype(np.float32)
        points = item.GetPointsAttr()
        name = item.GetPrim().GetTypeName() + (" on bones" if is_skin else "")
        assert len(points.GetTimeSamples()) == count == len(places), item.GetPath()
        for frame in range(count):
            now = np.array(points.Get(frame))
            report.add(f"{name}, points", now, places[frame], 1e-6 if is_skin else 0)
            if is_skin:
                continue
            if frame + 1 < count:
                mean = (places[frame].astype(float) + places[frame + 1]) / 2
                report.add("points between frames", np.array(points.Get(frame + 0.5)), mean, 1e-6)
            low, high = np.array(item.GetExtentAttr().Get(frame))
            assert (now >= low).all() and (now <= high).all(), "the extent holds all points"
            if item.GetPrim().IsA(UsdGeom.Mesh):
                normals = np.array(item.GetNormalsAttr().Get(frame), dtype=float)
                assert np.allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-6)
                mesh = UsdGeom.Mesh(item.GetPrim())
                counts, corners = mesh.GetFaceVertexCountsAttr().Get(), mesh.GetFaceVertexIndicesAttr().Get()
                is_valid, why = UsdGeom.Mesh.ValidateTopology(corners, counts, len(now))
                assert is_valid, why

report.end()
