"""Compares a glb or usda export, read by Blender (pip install bpy), with the numbers of `catena trace`.

    python blender.py EXPORT TRACE.csv [PICTURE.png]

Each panel has one body (a cloth or a rope), and possibly a figure, whose skins are compared if the table has rows of
them (with_skins.py). Blender's z axis points upwards, so the script converts axes back. Between frames, positions must be
means. With PICTURE, Blender draws the middle frame.
"""

import sys

import bpy
import numpy as np

from common import Report, rings, trace

path, table = sys.argv[1:3]
bodies = trace(table)
report = Report()
frame_time = next(iter(bodies.values()))[2][1]

bpy.ops.wm.read_factory_settings(use_empty=True)
render = bpy.context.scene.render
render.fps = max(1, round(1 / frame_time))
render.fps_base = render.fps * frame_time
if path.endswith(".glb"):
    bpy.ops.import_scene.gltf(filepath=path)
else:
    bpy.ops.wm.usd_import(filepath=path)
# Blender adds balls to show joints.
kinds = ("MESH", "CURVES", "CURVE")
items = [it for it in bpy.data.objects if it.type in kinds and not it.name.startswith("Icosphere")]


def vertices(item):
    """Positions of the vertices of an object at the current frame, with y upwards."""
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    if item.type == "MESH":
        mesh = evaluated.to_mesh()
        flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", flat)
        evaluated.to_mesh_clear()
    elif item.type == "CURVES":
        points = evaluated.data.attributes["position"].data
        flat = np.empty(3 * len(points), dtype=np.float32)
        points.foreach_get("vector", flat)
    else:
        flat = np.array([value for point in evaluated.data.splines[0].points for value in point.co[:3]])
    world = np.array(evaluated.matrix_world, dtype=float)
    places = flat.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]
    return np.stack([places[:, 0], places[:, 2], -places[:, 1]], axis=1)


def nodes_of(item, expected):
    found = vertices(item)
    if path.endswith(".glb") and len(found) == 8 * (expected.shape[-2] + 2) + 2:
        return rings(found, expected.shape[-2])
    return found


def is_skin(item):
    return any(modifier.type == "ARMATURE" for modifier in item.modifiers)


# Skins come after the bodies, as in the table.
items.sort(key=is_skin)
if len(items) > len(bodies):
    bare = [item for item in items if not is_skin(item)]
    print(f"skins without rows in the table, which are not compared: {len(items) - len(bare)}")
    items = bare
assert len(items) == len(bodies), (items, bodies.keys())
for item, (places, _, _) in zip(items, bodies.values()):
    # Bones rotate between frames, so points move along arcs.
    is_straight = not is_skin(item)
    for frame in range(len(places)):
        bpy.context.scene.frame_set(frame)
        report.add(f"{item.type}, vertices", nodes_of(item, places), places[frame], 1e-6)
        if is_straight and frame + 1 < len(places) and frame % 10 == 0:
            bpy.context.scene.frame_set(frame, subframe=0.5)
            mean = (places[frame] + places[frame + 1]) / 2
            report.add("vertices between frames", nodes_of(item, places), mean, 1e-6)

if len(sys.argv) > 3:
    scene = bpy.context.scene
    middle = len(places) // 2
    scene.frame_set(middle)
    points = np.concatenate([vertices(item) for item in items])
    center, size = (points.min(axis=0) + points.max(axis=0)) / 2, np.ptp(points, axis=0).max()
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = (center[0] + 0.8 * size, -center[2] - 1.6 * size, center[1] + 0.6 * size)
    target = bpy.data.objects.new("target", None)
    target.location = (center[0], -center[2], center[1])
    track = camera.constraints.new("TRACK_TO")
    track.target = target
    light = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    light.rotation_euler = (0.6, 0.3, 0)
    light.data.energy = 4
    for thing in (camera, target, light):
        scene.collection.objects.link(thing)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("world")
    scene.world.color = (0.8, 0.8, 0.8)
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 16
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = 640, 480
    scene.render.filepath = sys.argv[3]
    bpy.ops.render.render(write_still=True)
report.end()
