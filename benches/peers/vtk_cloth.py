#!/usr/bin/env python3
"""Draws a picture like that of scenes/cloth_sphere.ron many times with VTK, and prints the milliseconds of each frame.

    vtk_cloth.py FRAMES [PICTURE]

The picture has 1280x720 pixels with 8 samples per pixel. It shows two panels of a cloth of 30x30 quads over a ball on a ground,
with the shadows of one light. The nodes move a little from frame to frame, so that VTK cannot reuse cached results. A frame
ends when its pixels are in an array of bytes. PICTURE is an output file for the last frame, for inspection.
"""

import math
import sys
import time

import numpy
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

QUADS = 30
SIZE = (1280, 720)
BALL = ((0.15, 0.35, 0.1), 0.3)


def positions(frame):
    """Nodes of a cloth that lies on the ball and hangs from it, in waves."""
    side = QUADS + 1
    across, down = numpy.meshgrid(numpy.linspace(-0.5, 0.5, side), numpy.linspace(-0.5, 0.5, side))
    (x, y, z), radius = BALL
    away = numpy.sqrt((across - x) ** 2 + (down - z) ** 2)
    on_ball = y + numpy.sqrt(numpy.maximum((radius + 0.02) ** 2 - away**2, 0.0))
    wave = 0.02 * numpy.sin(9.0 * across + 0.2 * frame) * numpy.cos(7.0 * down)
    height = numpy.where(away < radius, on_ball, y + 0.05 - 0.6 * (away - radius)) + wave * (away > radius)
    return numpy.stack([across, numpy.maximum(height, 0.02), down], axis=-1).reshape(-1, 3)


def cloth():
    """A mesh of triangles, and its movable points."""
    points = vtk.vtkPoints()
    points.SetDataTypeToDouble()
    points.SetNumberOfPoints((QUADS + 1) ** 2)
    cells = vtk.vtkCellArray()
    for row in range(QUADS):
        for column in range(QUADS):
            first = row * (QUADS + 1) + column
            for corners in ((0, 1, QUADS + 2), (0, QUADS + 2, QUADS + 1)):
                cells.InsertNextCell(3, [first + corner for corner in corners])
    data = vtk.vtkPolyData()
    data.SetPoints(points)
    data.SetPolys(cells)
    return data


def actor(source, color):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    shown = vtk.vtkActor()
    shown.SetMapper(mapper)
    shown.GetProperty().SetColor(*color)
    return shown


def panel(window, index):
    """One panel, and its cloth."""
    renderer = vtk.vtkOpenGLRenderer()
    renderer.SetViewport(0.5 * index, 0.0, 0.5 * (index + 1), 1.0)
    renderer.SetBackground(1, 1, 1)
    data = cloth()
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputData(data)
    normals.SplittingOff()
    renderer.AddActor(actor(normals, (0.0, 0.45, 0.7)))
    ball = vtk.vtkSphereSource()
    ball.SetCenter(*BALL[0])
    ball.SetRadius(BALL[1])
    ball.SetThetaResolution(64)
    ball.SetPhiResolution(32)
    renderer.AddActor(actor(ball, (0.8, 0.8, 0.8)))
    ground = vtk.vtkPlaneSource()
    ground.SetOrigin(-2, 0, -2)
    ground.SetPoint1(-2, 0, 2)
    ground.SetPoint2(2, 0, -2)
    renderer.AddActor(actor(ground, (0.9, 0.9, 0.92)))
    light = vtk.vtkLight()
    light.SetPositional(True)
    light.SetPosition(4, 10, 6)
    light.SetFocalPoint(0, 0, 0)
    light.SetConeAngle(15)
    renderer.AddLight(light)
    shadows = vtk.vtkShadowMapPass()
    passes = vtk.vtkRenderPassCollection()
    passes.AddItem(shadows.GetShadowMapBakerPass())
    passes.AddItem(shadows)
    sequence = vtk.vtkSequencePass()
    sequence.SetPasses(passes)
    camera_pass = vtk.vtkCameraPass()
    camera_pass.SetDelegatePass(sequence)
    renderer.SetPass(camera_pass)
    camera = renderer.GetActiveCamera()
    camera.SetPosition(1.1, 1.3, 2.1)
    camera.SetFocalPoint(-0.05, 0.3, 0)
    camera.SetViewAngle(32)
    window.AddRenderer(renderer)
    renderer.ResetCameraClippingRange()
    return data


def main():
    frames = int(sys.argv[1])
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(*SIZE)
    cloths = [panel(window, index) for index in range(2)]
    window.Render()
    renderer = [line for line in window.ReportCapabilities().splitlines() if "renderer string" in line]
    print(*renderer, f"{window.GetMultiSamples()} samples", sep=", ", file=sys.stderr)
    pixels = vtk.vtkUnsignedCharArray()
    for frame in range(frames):
        start = time.perf_counter()
        for data in cloths:
            data.GetPoints().SetData(numpy_to_vtk(positions(frame), deep=True))
            data.Modified()
        window.Render()
        window.GetRGBACharPixelData(0, 0, SIZE[0] - 1, SIZE[1] - 1, 0, pixels)
        assert vtk_to_numpy(pixels).size == 4 * SIZE[0] * SIZE[1]
        print(f"{1e3 * (time.perf_counter() - start):.3f}", flush=True)
    if len(sys.argv) > 2:
        grab = vtk.vtkWindowToImageFilter()
        grab.SetInput(window)
        writer = vtk.vtkPNGWriter()
        writer.SetFileName(sys.argv[2])
        writer.SetInputConnection(grab.GetOutputPort())
        writer.Write()


if __name__ == "__main__":
    main()
