#!/usr/bin/env python3
"""search.py [COMMAND]: an example of a search over routing rules that lets proofs decide.

It starts at a gate as a production router ships it: send a request to a worker that holds its data, unless the loads
are too far apart. A step changes one part of the rule: how a load is measured, when the holder is left, or the
threshold. What counts is, in this order, whether the rule is proved stable on every cluster with two levels, on how
many of some clusters it is proved stable less those on which it is proved transient, and a certified mean on a small
one, if five seconds give one. So the search cannot be misled by a simulation that looks steady, and it ends at a rule
that no single change betters.
"""
import sys
from fractions import Fraction
from pathlib import Path

from schedproof import Refused, Service

INSTANCES = Path(__file__).resolve().parent.parent / "instances"
CLUSTERS = ["router-h3", "router-t2"]  # on which verdicts count
SMALL = "m2-half"  # on which means are certified

LOADS = {
    "requests": "server_length",
    "work": "server_workload",
    "requests over rate": "server_length / rate",
    "work over rate": "server_workload / rate",
}
GATES = {
    "the fleet is uneven": "when(greatest(servers, {load}) - least(servers, {load}) > {margin}, argmin(servers, {load}), local)",
    "its holder is far above the least": "first_of(where(local, {load} <= least(servers, {load}) + {margin}), argmin(servers, {load}))",
    "always": "argmin(servers, {load})",
}
THRESHOLDS = [64, 8, 1]
NO_MEAN = Fraction(-10**9)


def policy(load, gate, threshold):
    """The rule's text. A threshold counts tasks, and is converted to what the load is measured in."""
    over = {"requests": "", "work": " / rate", "requests over rate": " / rate", "work over rate": " / rate / rate"}[load]
    route = GATES[gate].format(load=LOADS[load], margin=f"tasks({threshold}){over}")
    return f"""policy: candidate
keep: per_server_and_level
route: {route}
serve: first_of(most_local(nonempty(own_levels)), own)
"""


def neighbours(rule):
    load, gate, threshold = rule
    yield from ((other, gate, threshold) for other in LOADS if other != load)
    yield from ((load, other, threshold) for other in GATES if other != gate)
    if gate != "always":
        yield from ((load, gate, other) for other in THRESHOLDS if other != threshold)


class Search:
    def __init__(self, service):
        self.service = service
        self.known = {}

    def scores(self, rules):
        """Those that are not known yet are asked for at once."""
        asked = {}
        for rule in rules:
            if rule in self.known:
                continue
            text = policy(*rule)
            asked[rule] = (self.service.submit("every-cluster", policy=text, levels=2, cells=500),
                           [self.service.submit("stable", policy=text, instance=name, cells=500) for name in CLUSTERS],
                           self.service.submit("mean", policy=text, instance=SMALL, digits=2, seconds=5))
        for rule, answers in asked.items():
            self.known[rule] = self.score(*answers)
        return {rule: self.known[rule] for rule in rules}

    @staticmethod
    def score(every, verdicts, mean):
        try:
            proved = every.result().verdict == "proved"
        except Refused:  # the language says why; such a rule is worse than any other
            return False, -len(CLUSTERS) - 1, NO_MEAN
        verdicts = [answer.result().verdict for answer in verdicts]
        upper = mean.result().upper
        return proved, verdicts.count("stable") - verdicts.count("transient"), NO_MEAN if upper is None else -upper

    def run(self, rule):
        while True:
            score = self.scores([rule])[rule]
            load, gate, threshold = rule
            margin = "" if gate == "always" else f" by {threshold} requests"
            mean = f"mean at most {float(-score[2]):.2f}" if score[2] > NO_MEAN else "no certified mean"
            print(f"least {load}, {gate}{margin}: every cluster {'proved' if score[0] else 'not proved'}, "
                  f"clusters {score[1]:+d}, {mean}")
            others = self.scores(list(neighbours(rule)))
            best = max(others, key=others.get)
            if others[best] <= score:
                return rule
            rule = best


def main(command="schedproof"):
    with Service(command, instances=[INSTANCES / f"{name}.toml" for name in [*CLUSTERS, SMALL]]) as service:
        found = Search(service).run(("requests", "the fleet is uneven", 64))
    print(policy(*found), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
