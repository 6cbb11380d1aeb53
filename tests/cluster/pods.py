"""Runs the commands of the pods of a Kubernetes job: pods.py JOB PROGRAM. The current folder is the volume."""

import os
import subprocess
import sys
from pathlib import Path

import yaml

job, program = sys.argv[1:]
here = Path.cwd()


def run(pod, **variables):
    """Runs the container of a pod, with paths of its volumes mapped to paths of this machine."""
    container = pod["containers"][0]
    places = {"/shared": here}
    for volume in pod["volumes"]:
        if "configMap" in volume:
            # `kubectl create configmap` names the files in the order of the job's comments.
            folder = here / "source"
            folder.mkdir(exist_ok=True)
            for item, source in zip(volume["configMap"]["items"], sources, strict=True):
                (folder / item["path"]).write_bytes(Path(source).read_bytes())
            places["/source"] = folder
    words = []
    for word in container["command"]:
        for place, folder in places.items():
            if word == place or word.startswith(place + "/"):
                word = str(folder) + word[len(place):]
        # Kubernetes replaces $(NAME) of known variables, and $$ by $.
        words.append(word.replace("$$", "$"))
    environment = os.environ | variables | {"PATH": f"{here / 'bin'}:{os.environ['PATH']}"}
    subprocess.run(words, cwd=here, env=environment, check=True)


(here / "bin").mkdir()
(here / "bin" / "catena").symlink_to(program)
comments = [line[1:].strip() for line in Path(job).read_text().splitlines() if line.startswith("#")]
options = " ".join(line for line in comments if "--from-file=file-" in line).replace("\\ ", " ")
words = subprocess.run(["bash", "-c", f"printf '%s\\0' {options}"], capture_output=True, check=True, text=True)
sources = [word.split("=", 2)[2] for word in words.stdout.split("\0") if word]

shards, *behind = yaml.safe_load_all(Path(job).read_text())
assert shards["spec"]["completionMode"] == "Indexed"
for index in reversed(range(shards["spec"]["completions"])):
    run(shards["spec"]["template"]["spec"], JOB_COMPLETION_INDEX=str(index))
for step in behind:
    assert step["spec"]["suspend"] is True
    run(step["spec"]["template"]["spec"])
