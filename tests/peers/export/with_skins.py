"""Adds rows for the skins of figures to a table of `catena trace`.

    catena trace SCENE -o SCENE.csv && catena export SCENE --format obj
    python with_skins.py SCENE.csv out/SCENE/obj figure > BOTH.csv

The arguments after the folder are names of the skins' objects in the OBJ export, where their vertices are as the rig's
`skinning` places them. The scene has one panel; the skins become additional bodies after its own.
"""

import csv
import sys
from pathlib import Path


def objects(path):
    """Vertices of an OBJ file by the name of their object."""
    found, name = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "o":
            name = rest
        elif kind == "v":
            found.setdefault(name, []).append(rest.split())
    return found


table, folder, *names = sys.argv[1:]
with open(table, newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
writer.writeheader()
writer.writerows(rows)
times = {int(row["frame"]): row["time"] for row in rows}
first = 1 + max(int(row["body"]) for row in rows)
for path, (frame, time) in zip(sorted(Path(folder).glob("frame_*.obj")), sorted(times.items()), strict=True):
    skins = objects(path)
    for body, name in enumerate(names, first):
        for node, (x, y, z) in enumerate(skins[name]):
            row = {"frame": frame, "time": time, "panel": 0, "body": body, "node": node, "x": x, "y": y, "z": z}
            writer.writerow({column: row.get(column, 0) for column in rows[0]})
