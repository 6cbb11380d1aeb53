"""Draws frames of an exported cloth with Blender, as scenes/cloth_sphere.ron shows it.

    python blender_frames.py EXPORT.glb ENGINE FRAMES FOLDER

EXPORT is one panel of the scene. The engine is BLENDER_WORKBENCH, BLENDER_EEVEE or CYCLES, with one thread and 8 samples. Blender's z axis
points upwards. Runs in a venv with bpy.
"""

import pathlib
import sys

import bpy

SAMPLES = 8


def main():
    export, engine, frames, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), pathlib.Path(sys.argv[4])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=export)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, radius=0.3, location=(0.15, -0.1, 0.35))
    bpy.ops.mesh.primitive_plane_add(size=4)
    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = (1.1, -2.1, 1.3)
    target = bpy.data.objects.new("target", None)
    target.location = (-0.05, 0, 0.3)
    camera.constraints.new("TRACK_TO").target = target
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.rotation_euler, sun.data.energy = (0.6, 0.3, 0), 4
    for item in (camera, target, sun):
        scene.collection.objects.link(item)
    scene.camera = camera
    render = scene.render
    render.engine, render.resolution_x, render.resolution_y = engine, 1280, 720
    render.threads_mode, render.threads = "FIXED", 1
    if engine == "CYCLES":
        scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.device = SAMPLES, False, "CPU"
    elif engine == "BLENDER_EEVEE":
        scene.eevee.taa_render_samples = SAMPLES
    else:
        scene.display.render_aa, scene.display.shading.show_shadows = str(SAMPLES), True
    for frame in range(frames):
        scene.frame_set(frame)
        render.filepath = str(folder / f"{engine}_{frame}.png")
        bpy.ops.render.render(write_still=True)


main()
