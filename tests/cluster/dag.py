"""Runs the commands of the nodes of an HTCondor DAG, as parsed by HTCondor's own library: dag.py DAG PROGRAM."""

import os
import re
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("CONDOR_CONFIG", "/dev/null")
import htcondor2  # noqa: E402

dag, program = sys.argv[1:]
here = Path.cwd()
(here / "bin").mkdir()
(here / "bin" / "catena").symlink_to(program)
environment = os.environ | {"PATH": f"{here / 'bin'}:{os.environ['PATH']}"}

text = "\n".join(line for line in Path(dag).read_text().splitlines() if not line.lstrip().startswith("#"))
descriptions = dict(re.findall(r"^SUBMIT-DESCRIPTION (\S+) \{\n(.*?)^\}$", text, re.S | re.M))
rest = re.sub(r"^SUBMIT-DESCRIPTION .*?^\}$", "", text, flags=re.S | re.M)
jobs, variables, parents = {}, {}, {}
for line in rest.splitlines():
    match line.split():
        case ["JOB", node, description]:
            jobs[node] = descriptions[description]
        case ["VARS", node, *_]:
            variables[node] = dict(re.findall(r'(\w+)="([^"]*)"', line))
        case ["PARENT", *nodes, "CHILD", child]:
            parents.setdefault(child, []).extend(nodes)
        case []:
            pass
        case _:
            raise SystemExit(f"{line}: not a line of a DAG")


def words(arguments):
    """Splits `arguments` into words by HTCondor's rules for double quotes."""
    inner = re.fullmatch(r'"(.*)"', arguments, re.S)[1].replace('""', '"')
    found = re.findall(r"(?:[^\s']|'(?:[^']|'')*')+", inner)
    return [re.sub(r"'((?:[^']|'')*)'", lambda part: part[1].replace("''", "'"), word) for word in found]


done = set()
while len(done) < len(jobs):
    ready = [node for node in jobs if node not in done and set(parents.get(node, [])) <= done]
    assert ready, "the nodes wait for each other"
    for node in ready:
        own = "".join(f"{name} = {value}\n" for name, value in variables.get(node, {}).items())
        submit = htcondor2.Submit(own + jobs[node] + "queue\n")
        for name in ["request_memory", "allowed_execute_duration", "retry_until", "max_retries", "log", "output"]:
            assert submit.expand(name), name
        assert "$(" not in submit.expand("output"), submit.expand("output")
        subprocess.run([submit.expand("executable"), *words(submit.expand("arguments"))], env=environment, check=True)
        done.add(node)
