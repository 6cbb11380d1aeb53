"""A process with its processor time."""

import os
import subprocess


def timed(command, folder, environment=None):
    """Processor time in seconds of a command with its children, its exit code, and its output with messages."""
    words = [str(word) for word in command]
    with (folder / "output").open("w+", errors="replace") as output:
        child = subprocess.Popen(words, cwd=folder, stdout=output, stderr=output, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return usage.ru_utime + usage.ru_stime, child.returncode, output.read()
