"""Reads OpenEXR frames of catena with the OpenEXR library, and compares them with the PNG frames.

CATENA names the program [default: `catena`]. Needs: pip install OpenEXR numpy; and ffmpeg, which
composites a frame with alpha over a colour, to check the meaning of alpha.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import OpenEXR

CATENA = os.environ.get("CATENA", "catena")
SCENE = Path(__file__).parent.parent.parent / "scenes" / "cape.ron"
OPTIONS = ["--frames", "4", "--no-steady", "-q", "--size", "320x240", "--set", "background=Transparent",
           "--set", "decoration=Bare"]


def render(folder, name):
    out = Path(folder) / Path(name).suffix[1:]
    subprocess.run([CATENA, "render", SCENE, *OPTIONS, "--name", name, "--out", out], check=True)
    return out / name.replace("####", "0003")


def pixels(path, filters=()):
    """Pixels as ffmpeg decodes them, with straight alpha."""
    command = ["ffmpeg", "-v", "error", *filters, "-i", path, "-f", "rawvideo", "-pix_fmt", "rgba", "-"]
    raw = subprocess.run(command, check=True, capture_output=True).stdout
    return np.frombuffer(raw, np.uint8).reshape(240, 320, 4)


def light(channel):
    channel = channel / 255.0
    return np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)


def check(what, is_right):
    print("fine " if is_right else "WRONG", what)
    return is_right


def main():
    fine = []
    with tempfile.TemporaryDirectory() as folder:
        png, webp, exr = (pixels(render(folder, "f_####.png")), pixels(render(folder, "f_####.webp")),
                          render(folder, "f_####.exr"))
        fine.append(check("WebP has the pixels of PNG", np.array_equal(png, webp)))
        with OpenEXR.File(str(exr), separate_channels=True) as file:
            channels = {name: channel.pixels for name, channel in file.channels().items()}
    fine.append(check("channels: " + ", ".join(sorted(channels)), sorted(channels) == [
        "A", "B", "G", "N.X", "N.Y", "N.Z", "R", "Z", "id.body", "id.node", "motion.X", "motion.Y"]))
    kinds = {name: str(channel.dtype) for name, channel in channels.items()}
    whole = {name for name, kind in kinds.items() if kind == "uint32"}
    fine.append(check(f"whole numbers: {sorted(whole)}", whole == {"id.body", "id.node"}))
    alpha = png[..., 3] / 255.0
    fine.append(check("alpha", np.abs(channels["A"] - alpha).max() < 1e-6))
    for k, name in enumerate("RGB"):
        off = np.abs(channels[name] - light(png[..., k]) * alpha).max()
        fine.append(check(f"{name} is light times alpha, off by {off:.1e}", off < 1e-6))
    body = channels["id.body"] > 0
    length = np.sqrt(sum(channels[f"N.{axis}"].astype(float) ** 2 for axis in "XYZ"))
    fine.append(check(f"{body.sum()} pixels of bodies", body.sum() > 1000))
    fine.append(check("normals are units on bodies", np.abs(length[body] - 1).max() < 1e-4))
    fine.append(check("bodies have a depth", channels["Z"][body].max() < 1e3))
    fine.append(check("nothing has none", (channels["Z"] == np.float32(1e10)).sum() > 1000))
    fine.append(check("bodies are opaque inside", np.median(alpha[body]) == 1.0))
    sys.exit(not all(fine))


main()
