"""The side of a peer: a process that runs jobs with given settings and reports results and processor time.

A server imports its peer and compiles what it needs once, so neither counts. It reads one JSON object of settings per line and
prints one line `RESULT {"seconds": …, "prepared": …, "result": …}` for each.
"""

import json
import sys
import time


def serve(jobs, version):
    """Runs jobs[settings["job"]](**other settings) for each line of standard input.

    A job is a generator: it first yields, after its preparation, and then yields its result. Only the second part counts, as
    processor time of all threads of the process; the time of the preparation is reported separately.
    """
    print("RESULT", json.dumps({"version": version}), flush=True)
    for line in sys.stdin:
        settings = json.loads(line)
        work = jobs[settings.pop("job")](**settings)
        begin = time.process_time()
        next(work)
        start = time.process_time()
        result = next(work)
        seconds = time.process_time() - start
        print("\nRESULT", json.dumps({"seconds": seconds, "prepared": start - begin, "result": result}), flush=True)
