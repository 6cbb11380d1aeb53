"""The side of catena: its program, and its Python package in a server like those of the peers."""

import os
import pathlib
import subprocess


class Failed(Exception):
    """A command of catena that did not succeed."""


class Own:
    """Runs of catena in a folder. server is the Peer of the Python package."""

    def __init__(self, program, server, folder):
        self.program, self.server, self.folder = program, server, pathlib.Path(folder)

    def spent(self, *words):
        """Processor time of a command in seconds, from its start to its end, with all threads."""
        command = [str(word) for word in (self.program, *words)]
        with (self.folder / "output").open("w+") as output:
            child = subprocess.Popen(command, cwd=self.folder, stdout=output, stderr=output)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode:
                output.seek(0)
                raise Failed(f"{' '.join(command)} ended with {child.returncode}: {output.read()[-500:]}")
        return usage.ru_utime + usage.ru_stime

    def scene(self, text):
        """Writes the text of a scene into the folder."""
        path = self.folder / "job.ron"
        path.write_text(text)
        return path

    def simulate(self, text, node=None):
        """Positions of all nodes, or of one node, in each frame after the start, and the processor time of the simulation."""
        return self.server.run("simulate", path=str(self.scene(text)), node=node)
