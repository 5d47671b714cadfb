"""Verdicts about scheduling policies, from Python.

A Service is a `schedproof serve --stdio` that runs beside this program and answers questions, many at a time. Only the
standard library is needed; tables are data frames where pandas is there.

    from schedproof import Service

    with Service() as ask:
        answer = ask.stable(policy, instance)
        print(answer.verdict, answer.by)

A policy is its text, a path to its file, or the name of a registered one; an instance is its text or a path. Files are
read here: the service reads those of `instances` alone.
"""
import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

__all__ = ["Answer", "Picture", "Refused", "Service", "picture", "table", "verdict"]


class Refused(ValueError):
    """The question means nothing: a key, a policy or an instance is wrong. The text says where."""


def _exact(value):
    """Exact numbers as fractions, wherever they stand."""
    if isinstance(value, dict):
        if set(value) == {"exact", "approx"}:
            return Fraction(value["exact"])
        return {name: _exact(item) for name, item in value.items()}
    return [_exact(item) for item in value] if isinstance(value, list) else value


class Answer:
    """What a question came to. Its fields are those of `schedproof schema serve`; exact numbers are fractions.

    verdict      stable, transient, proved, refuted, measured, unknown, ...
    says         the theorem, what was seen, or the reason
    by, why_not  the argument that settled it, and those that did not, with reasons
    load         rho* of the instance, or None
    lower, upper the interval of a mean, or None
    certificate  its text, if it was asked for
    """

    def __init__(self, fields):
        self.fields = _exact(fields)

    def __getattr__(self, name):
        try:
            return self.__dict__["fields"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self):
        return f"<{self.ask or 'answer'}: {self.verdict}>"

    def sampled_mean(self, quantity):
        """Mean and half width of the 95 % interval of a sampled quantity, such as "tasks in system"."""
        for row in self.sampled:
            if row["quantity"] == quantity:
                return row["mean"], row["half_width"]
        raise KeyError(f"{quantity!r} is none of {', '.join(row['quantity'] for row in self.sampled)}")

    def _repr_markdown_(self):
        lines = [f"**{self.verdict}**" + (f" by {self.by}" if self.by else "")]
        if self.lower is not None:
            lines.append(f"mean in [{float(self.lower):.6g}, {float(self.upper):.6g}]")
        return "\n\n".join(lines + [self.says])


def _text(named):
    """The text of what a path names; text and names as they are."""
    return named.read_text(encoding="utf-8") if isinstance(named, os.PathLike) else named


class Service:
    """A running `schedproof serve`. Safe to use from several threads.

    command    the program, by name or path
    instances  paths of instances that questions may name, which then are not sent again
    threads    questions at a time; None: as many as the machine runs
    seconds, megabytes  the most that a question may use; `seconds=` and so on of a question ask for less
    """

    def __init__(self, command="schedproof", instances=(), threads=None, seconds=60, megabytes=2048):
        words = [command, "serve", "--stdio", "--seconds", str(seconds), "--megabytes", str(megabytes)]
        for path in instances:
            words += ["--instance", str(path)]
        if threads is not None:
            words += ["--threads", str(threads)]
        self._lock = threading.Lock()
        self._closed = False
        self._waiting = deque()
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                                         text=True, encoding="utf-8", bufsize=1)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # ---- questions ----

    def capacity(self, instance, **more):
        """The load of an instance: above 1 no policy is stable."""
        return self.ask("capacity", instance=instance, **more)

    def stable(self, policy, instance, **more):
        """Whether the instance is stable or transient under the policy, by a proof; or unknown."""
        return self.ask("stable", policy=policy, instance=instance, **more)

    def every_cluster(self, policy, levels=2, **more):
        """Whether every cluster with so many levels and a load below 1 is stable under the policy."""
        return self.ask("every-cluster", policy=policy, levels=levels, **more)

    def mean(self, policy, instance, digits=3, **more):
        """An exact interval of the mean number of tasks, of a width of 10^-digits."""
        return self.ask("mean", policy=policy, instance=instance, digits=digits, **more)

    def counterexample(self, policy, instance, claim, **more):
        """A claim of `schedproof list claims` on the instance; where it is refuted, the state at which it fails."""
        return self.ask("counterexample", policy=policy, instance=instance, claim=claim, **more)

    def hunt(self, policy, **more):
        """A small cluster, `instance` of the answer, on which the policy is transient although its load is below 1."""
        return self.ask("hunt", policy=policy, **more)

    def simulate(self, policy, instance, slots=100_000, **more):
        """Sampled means, and growth from the empty state and from a large one. They prove nothing."""
        return self.ask("simulate", policy=policy, instance=instance, slots=slots, **more)

    def ask(self, ask, **question):
        """The answer, once it is there. Throws Refused."""
        return self.submit(ask, **question).result()

    def submit(self, ask, **question):
        """A Future of the answer, so that many questions are settled at a time."""
        budget = {key: question.pop(key) for key in ("seconds", "megabytes", "cells") if key in question}
        request = {"ask": ask, **{key: _text(value) for key, value in question.items()}}
        if budget:
            request["budget"] = budget
        line = json.dumps(request) + "\n"
        future = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the service was closed")
            if self._process.poll() is not None:
                raise RuntimeError(self._complaint())
            self._waiting.append(future)
            try:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            except BrokenPipeError:
                self._waiting.remove(future)
                raise RuntimeError(self._complaint()) from None
        return future

    # ---- life ----

    def _read(self):
        try:
            for line in self._process.stdout:
                answer = Answer(json.loads(line))
                future = self._waiting.popleft()
                if not future.set_running_or_notify_cancel():
                    continue  # whoever asked has given it up
                if answer.verdict == "error":
                    future.set_exception(Refused(answer.says))
                else:
                    future.set_result(answer)
        except ValueError:
            pass  # it ended in the middle of a line
        finally:
            self._process.wait()
            end = CancelledError("the service was closed") if self._closed else RuntimeError(self._complaint())
            while self._waiting:
                future = self._waiting.popleft()
                if future.set_running_or_notify_cancel():
                    future.set_exception(end)

    def _complaint(self):
        self._errors.seek(0)
        return self._errors.read().strip() or "the service has ended"

    def close(self):
        """Ends the service, and with it whatever is being settled."""
        self._closed = True
        self._process.kill()  # first: then nothing that is being written waits any longer
        self._process.wait()
        self._reader.join()
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._errors.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


_shared, _shared_lock = None, threading.Lock()


def verdict(policy, instance, **more):
    """`stable`, `transient` or `unknown`, by a service that is started at the first call and kept."""
    global _shared
    with _shared_lock:
        if _shared is None or _shared._process.poll() is not None:
            _shared = Service()
        service = _shared
    return service.stable(policy, instance, **more).verdict


def table(answers):
    """Answers by name as a table: a data frame where pandas is there, else a list of dictionaries."""
    keys = ("verdict", "by", "load", "lower", "upper")
    rows = [{"name": name, **{key: answer.fields.get(key) for key in keys}} for name, answer in answers.items()]
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows).set_index("name")


class Picture:
    """A picture that a notebook shows."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg


def picture(instance, command="schedproof"):
    """Task types, servers by rack, and how the optimum splits the work of an instance: a text or a path."""
    if shutil.which(command) is None:
        raise RuntimeError(f"there is no program {command}")
    with tempfile.TemporaryDirectory() as folder:
        text = _text(instance)
        name = "instance.json" if text.lstrip().startswith("{") else "instance.toml"
        file, drawn = Path(folder) / name, Path(folder) / "picture.svg"
        file.write_text(text, encoding="utf-8")
        run = subprocess.run([command, "capacity", str(file), "--picture", str(drawn), "--quiet"],
                             capture_output=True, text=True)
        if run.returncode != 0:
            raise Refused(run.stderr.strip())
        return Picture(drawn.read_text(encoding="utf-8"))
