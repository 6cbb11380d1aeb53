"""Compares a VTP export, read by VTK (pip install vtk), with the numbers of `catena trace`: all must be equal, bit for bit.

    python vtk_exact.py FOLDER TRACE.csv
"""

import pathlib
import sys
import xml.etree.ElementTree as tree

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from common import Report, trace

folder, table = pathlib.Path(sys.argv[1]), sys.argv[2]
bodies = trace(table)
report = Report()
(listing,) = folder.glob("*.pvd")
frames = tree.parse(listing).getroot().find("Collection").findall("DataSet")
places, speeds = (np.concatenate([body[kind] for body in bodies.values()], axis=1) for kind in (0, 1))
times = next(iter(bodies.values()))[2]
assert len(frames) == len(places)
for frame, entry in enumerate(frames):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(str(folder / entry.get("file")))
    reader.Update()
    assert reader.GetErrorCode() == 0
    data = reader.GetOutput()
    # Times of a trace are sums of steps, which differ in the last bit.
    report.add("times", [float(entry.get("timestep"))], [times[frame]], 1e-12 * (1 + times[frame]))
    assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == float(entry.get("timestep"))
    report.add("points", vtk_to_numpy(data.GetPoints().GetData()), places[frame], 0)
    point_data = data.GetPointData()
    report.add("velocities", vtk_to_numpy(point_data.GetArray("velocity")), speeds[frame], 0)
    speed = np.sqrt((speeds[frame] ** 2).sum(axis=1))
    report.add("speeds", vtk_to_numpy(point_data.GetArray("speed")), speed, 1e-15 * (1 + speed.max()))
    cells = data.GetNumberOfLines() + data.GetNumberOfPolys()
    assert cells == data.GetNumberOfCells() > 0
    for name in ("strain", "panel", "body", "part"):
        values = vtk_to_numpy(data.GetCellData().GetArray(name))
        assert len(values) == cells and np.isfinite(values).all(), name
    for index in range(0, data.GetNumberOfCells(), 97):
        cell = data.GetCell(index)
        owners = {point_data.GetArray("body").GetValue(cell.GetPointId(k)) for k in range(cell.GetNumberOfPoints())}
        assert owners == {data.GetCellData().GetArray("body").GetValue(index)}
report.end()
