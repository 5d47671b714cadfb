#!/usr/bin/env python3
"""python_service.py COMMAND SOURCE_DIR [--search]: the Python module asks and ends as it says.

With --search: the example of a search prints what docs/serve.md shows. Exit code 0, or 1 with the first difference.
"""
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from fractions import Fraction
from pathlib import Path

ENDLESS = {"policy": "balanced-pandas", "instance": "router-h3", "slots": 10**9}


def expect(holds, what):
    if not holds:
        print("expected:", what)
        sys.exit(1)


def refused(call, words):
    from schedproof import Refused
    try:
        call()
    except Refused as error:
        expect(words in str(error), f"{words!r} in {error}")
        return
    expect(False, f"a refusal with {words!r}")


def check_module(command, root):
    from schedproof import Answer, Service, picture, table
    h3 = root / "experiments/instances/router-h3.toml"
    with Service(command, instances=[h3], threads=2) as ask:
        load = ask.capacity(h3)
        expect(load.load == Fraction(469, 480) and load.verdict == "inside", "the load of router-h3")
        expect(ask.capacity("router-h3").fields == load.fields, "the same by name")
        mean = ask.mean("jsq-maxweight", root / "experiments/instances/m2-half.toml", digits=2)
        expect(mean.lower < mean.upper <= mean.lower + Fraction(1, 100), "a narrow interval")
        expect("mean in [4.5" in mean._repr_markdown_(), "its interval in a notebook")
        runs = ask.simulate(root / "experiments/zoo/gate.policy", "router-h3", slots=2000, replications=3, seed=5)
        expect(runs.sampled_mean("tasks in system")[0] > 0, "a sampled mean")
        refused(lambda: ask.stable("fifoo", "router-h3"), "did you mean 'fifo'?")
        refused(lambda: ask.ask("stable", policy="fifo", instance="router-h3", polcy="x"), "did you mean 'policy'?")
        limited = ask.simulate(**ENDLESS, seconds=1)
        expect(limited.verdict == "unknown" and "limit time: 1 s" in limited.says, "a limit")
        futures, threads = {}, []
        for i in range(8):  # from several threads, each its own answer
            def put(i=i):
                futures[i] = ask.submit("capacity", instance="router-h3", id=str(i))
            threads.append(threading.Thread(target=put))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect(all(future.result().id == str(i) for i, future in futures.items()), "each its own answer")
        expect(len(table({"one": load, "two": mean})) == 2, "a table of two rows")
        # More than wait at a time, while a slow one is settled and the input stays open.
        slow = ask.submit("simulate", **ENDLESS, seconds=1)
        many = [ask.submit("capacity", instance="router-h3") for _ in range(40)]
        expect(all(future.result(timeout=60).verdict == "inside" for future in many), "an answer to each of many")
        expect(slow.result().verdict == "unknown", "a limit")
        left = ask.submit("simulate", **ENDLESS)
        time.sleep(0.2)
        begin = time.monotonic()
    expect(time.monotonic() - begin < 20, "what is being settled ends with the service")
    expect(isinstance(left.exception(), CancelledError), "a question that was given up")
    try:
        ask.capacity("router-h3")
        expect(False, "an error once the service is closed")
    except (RuntimeError, ValueError):
        pass
    with Service(command, instances=["none.toml"]) as ask:
        try:
            ask.capacity("none")
            expect(False, "an error")
        except RuntimeError as error:
            expect("none.toml" in str(error), f"the reason, not {error}")
    expect("<svg" in picture(h3, command)._repr_svg_(), "a picture")
    expect(isinstance(load, Answer), "an answer")


def check_search(command, root):
    page = (root / "docs/serve.md").read_text(encoding="utf-8")
    shown = re.search(r"^\$ experiments/python/search.py [^\n]*\n(.*?)^```", page, re.M | re.S).group(1)
    printed = subprocess.run([sys.executable, root / "experiments/python/search.py", command], check=True,
                             capture_output=True, text=True).stdout
    expect(printed == shown, f"as the page shows:\n{printed}")


def main(command, source, *what):
    root = Path(source).resolve()
    sys.path.insert(0, str(root / "experiments/python"))
    (check_search if what else check_module)(command, root)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
