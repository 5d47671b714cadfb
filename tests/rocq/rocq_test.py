#!/usr/bin/env python3
"""rocq_test.py SELECTION COMMAND SOURCE_DIR THEORY [EXTRACTED]: certificates are closed in Rocq at the level that is expected of them,
altered ones and other statements are refused, the theorems for every cluster are proved, and the slot and the event of the theory have
the laws of those in C++. THEORY is the folder where the theory was compiled, with that for every cluster. SELECTION is `all` for a
case of each kind, or `everything` for the others.

Every case proves a theorem, exports it and has Rocq compile it, so the trees of the C++ are compared node by node with
the questions of the theory's policy. Cases begin with a copy of THEORY; one of `everything` has `certify --run` compile the theory,
and coqchk check it. Tasks run at once on all cores, each in a folder of its own. Exit code 0, or 1 with what was not as it should be
on standard output.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from fractions import Fraction
from functools import partial

SELECTION, COMMAND, SOURCE, THEORY = sys.argv[1:5]
EXTRACTED = sys.argv[5] if len(sys.argv) > 5 else ""  # the checker extracted from the theory, where it is built
# Instance, policy, Lyapunov function ("" for one that is searched for), options of the instance that differ, expected level;
# the policy's name in Policies.v.
CASES = [
    ("m2-half", "balanced-pandas", "workload-squares", {}, 3, "balanced_pandas"),
    ("m2-half", "join-shortest-queue", "squares", {}, 3, "join_shortest_queue"),
    ("m2-half", "join-shortest-queue", "squares", {"unmatched": "phantom"}, 3, "join_shortest_queue"),
    ("m2-half", "jsq-maxweight", "regret", {}, 3, "jsq_maxweight"),
    ("m2-half", "wang-jsq-maxweight", "regret", {}, 3, "wang_jsq_maxweight"),
    ("m2-half", "generalized-cmu", "regret", {}, 3, "generalized_cmu"),
    ("m2-half", "join-shortest-queue", "squares", {"routing": "sequential"}, 3, "join_shortest_queue"),
    ("m2-half", "jsq-maxweight", "regret", {"scarcity": "uniform-subset"}, 3, "jsq_maxweight"),
    ("m2-half", "jsq-maxweight", "regret", {"empty-target": "conserved"}, 3, "jsq_maxweight"),
    ("m2-half", "pandas:plain", "", {}, 3, "pandas_plain"),
    ("m2-half", "pandas:rackaware", "", {"counting": "waiting"}, 3, "pandas_rackaware"),
]
# Of events in continuous time: servers, or the rack of each; the rates of the levels; the servers that hold each type's data, and
# its rates where it has its own; the policy, by its name here and in Policies.v. The racks of the third cluster alternate, and a
# type has data in both, so that the order of offers is not that of the ids.
TWO = (["", ""], ["4/5", "1/5"], [("0",), ("1",)])
RACKS = (["r0", "r0", "r1"], ["5/2", "2", "1/4"], [("0",), ("12",)])
MIXED = (["r0", "r1", "r0", "r1", "r2"], ["3", "2", "1"], [("01",), ("3",), ("12",)])
OWN_RATES = (["", "", ""], ["2", "1/2"], [("0", "2", "1/2"), ("12", "7/3", "1")])
# Here servers look at the longest queues alone, whether a task waits there or not, so several may start after an event, and in
# several rounds.
LONGEST = "policy: longest\nkeep: per_server\nroute: argmin(local, length)\nserve: argmax(reachable, length)\n"
EVENT_CASES = [
    (RACKS, LONGEST, "(Policy per_server (Argmin Local Length) (Argmax Reachable Length))"),
    (MIXED, "jsq-maxweight", "jsq_maxweight"),
    (RACKS, "balanced-pandas", "balanced_pandas"),
    (MIXED, "generalized-cmu", "generalized_cmu"),
    (TWO, "wang-jsq-maxweight", "wang_jsq_maxweight"),
    (RACKS, "pandas:plain", "pandas_plain"),
    (TWO, "join-shortest-queue", "join_shortest_queue"),
    (RACKS, "jsq-maxweight", "jsq_maxweight"),
    (MIXED, "pandas:rackaware", "pandas_rackaware"),
    (OWN_RATES, "generalized-cmu", "generalized_cmu"),
    (OWN_RATES, "balanced-pandas", "balanced_pandas"),
]
wrong = []


def run(*words, expected=0):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != expected:
        wrong.append(f"{' '.join(words)}: code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def coqc(root, source, expected=0):
    return run("coqc", "-q", "-Q", root, "", "-Q", f"{root}/theory", "Schedproof", source, expected=expected)


def folder_of(root, name, copied="theory"):
    """A new folder with a copy of the compiled theory, of that for every cluster as well ("everything"), or of "nothing"."""
    folder = f"{root}/{name}"
    os.makedirs(folder)
    if copied != "nothing":
        shutil.copytree(THEORY, f"{folder}/theory", ignore=None if copied == "everything" else shutil.ignore_patterns("every_cluster"))
    return folder


def instance_file(root, name, options):
    text = open(f"{SOURCE}/experiments/instances/{name}.toml").read()
    if options:
        text += "\n[options]\n" + "".join(f'{key} = "{value}"\n' for key, value in options.items())
    path = f"{root}/{name}.toml"
    open(path, "w").write(text)
    return path


def closed(root, case):
    """Proves and closes one case; returns the certificate's file, or None."""
    instance, policy, function, options, level, _ = case
    certificate = f"{root}/certificate.json"
    chosen = ("--lyapunov", function) if function else ("--find-lyapunov",)
    run(COMMAND, "prove", "drift", instance_file(root, instance, options), "-p", policy, *chosen, "--certificate", certificate,
        "-o", os.devnull)
    if not os.path.exists(certificate):
        return None
    started = time.time()
    text = run(COMMAND, "certify", certificate, "--rocq", root, "--run")
    print(f"{instance} {policy} {options or ''}: {time.time() - started:.1f} s")
    if f"level {level}" not in text or "Closed under the global context" not in text:
        wrong.append(f"{case}: {text}")
    return certificate


def altered_theorem(root, number, statement, old, new):
    """One constant that the theorem names is altered: Rocq must refuse the file."""
    text = open(f"{root}/Certificate.v").read()
    if old not in text:
        wrong.append(f"the file of {statement} has no {old!r} to be altered")
    os.makedirs(f"{root}/altered-{number}")
    path = f"{root}/altered-{number}/Certificate.v"
    open(path, "w").write(text.replace(old, new))
    done = subprocess.run(["coqc", "-q", "-Q", f"{root}/theory", "Schedproof", path], capture_output=True, text=True)
    if done.returncode == 0:
        wrong.append(f"{statement}: accepted with {new!r} for {old!r}")


def altered_theorems(root, statement, alterations):
    return [partial(altered_theorem, root, number, statement, *alteration) for number, alteration in enumerate(alterations)]


def probability(move):
    return Fraction(move["probability"]["exact"])


def stated(state, names):
    """A state of `kernel` as a term."""
    serving = "; ".join("Idle" if s == "idle" else f"Phantom {names.index(s[8:])}" if s.startswith("phantom:") else
                        f"Busy {names.index(s)}" for s in state["serving"])
    return f"({state['queues']}, [{serving}])".replace(",", ";").replace("];", "],", 1)


# [agree l m]: two laws have the same probabilities; m has each state once.
SAME_LAW = """
Definition same_state (x y : state) := equal_vec (fst x) (fst y) && listed (snd x) (map (fun f => [f]) (snd y)).
Definition mass (l : law state) (x : state) := E (fun y => if same_state x y then 1 else 0)%Q l.
Definition agree (l m : law state) := forallb (fun e => Qeq_bool (mass l (snd e)) (fst e)) m && Qeq_bool (E (fun _ => 1)%Q l) (E (fun _ => 1)%Q m).
"""


def outcomes_of(law, names):
    """The law that `kernel` prints as a term."""
    total = sum(probability(move) for move in law["next"])
    if total != 1:
        wrong.append(f"the law of kernel sums to {total}")
    return "; ".join("(({0.numerator} # {0.denominator})%Q, {1})".format(probability(move), stated(move["state"], names))
                     for move in law["next"])


def same_law(root, certificate, name, states=4):
    """The rules of the exported policy are those of Policies.v by this name; and from random states, the law of a slot by
    `kernel` and by the theory, of a family at slack 0. `kernel` merges equal next states."""
    held = json.load(open(certificate))
    rng = random.Random(21)
    cluster, policy = (re.sub("[^A-Za-z0-9]", "_", name) for name in (held["instance"]["name"], held["policy"]))
    cluster = f"({cluster}_cluster 0)" if "slack" in held["instance"] else f"{cluster}_cluster"
    source = f"""From Coq Require Import ZArith QArith List Bool.
From Schedproof Require Import Law Affine Cluster Kernel Drift Policies.
Require Import Certificate.
Import ListNotations.
Open Scope Z_scope.
Goal {policy}_policy = {name}. reflexivity. Qed.
""" + SAME_LAW
    queues = len(held["proofs"][-1]["space"]["symbols"])
    for number in range(states):
        chosen = [rng.choice(own) for own in held["statement"]["statuses"]]
        inside = [sum(s != "idle" and s["status"] == "busy" and s["queue"] == q for s in chosen) for q in range(queues)]
        names = json.loads(run(COMMAND, "kernel", f"{root}/{held['instance']['name']}.toml", "-p", held["policy"],
                               "--format", "json"))["queue_names"]
        law = json.loads(run(
            COMMAND, "kernel", f"{root}/{held['instance']['name']}.toml", "-p", held["policy"], "--format", "json",
            "--queues", ",".join(str(n + rng.randint(0, 2)) for n in inside),
            "--serving", ",".join("idle" if s == "idle" else "phantom:" * (s["status"] == "phantom") + names[s["queue"]]
                                  for s in chosen)))
        source += (f"Example state_{number} : agree (chain {cluster} {policy}_policy {stated(law['state'], names)})\n"
                   f"  [{outcomes_of(law, names)}] = true. Proof. vm_cast_no_check (eq_refl true). Qed.\n")
    open(f"{root}/Laws.v", "w").write(source)
    coqc(root, f"{root}/Laws.v")


def timed_instance(root, described, preemption):
    """A cluster in continuous time, as an instance file and as terms: the cluster and the rates of its arrivals."""
    racks, rates, types = described
    streams = [Fraction(number + 2, 5) for number in range(len(types))]
    levels = ["local", "rack", "remote"] if len(rates) == 3 else ["local", "remote"]
    path = f"{root}/timed.toml"
    with open(path, "w", encoding="utf-8") as file:
        file.write('family = "queueing"\nname = "timed"\nsource = "a test"\ntime = "continuous"\n')
        file.write("levels = [" + ", ".join(f'{{name = "{name}", rate = "{rate}"}}' for name, rate in zip(levels, rates)) + "]\n")
        file.write("servers = [" + ", ".join(f'{{name = "s{m}"' + f', rack = "{rack}"' * (rack != "") + "}"
                                             for m, rack in enumerate(racks)) + "]\n")
        file.write("types = [" + ", ".join(
            f'{{name = "T{t}", replicas = [' + ", ".join(f'"s{m}"' for m in kind[0]) + "]" +
            (", rates = [" + ", ".join(f'"{rate}"' for rate in kind[1:]) + "]") * (len(kind) > 1) +
            "}" for t, kind in enumerate(types)) + "]\n")
        file.write('arrivals = {kind = "poisson", values = [' + ", ".join(f'"{rate}"' for rate in streams) + "]}\n")
        file.write(f'options = {{preemption = "{preemption}"}}\n')

    def distance(m, n):
        return 0 if m == n else 1 if racks[m] and racks[m] == racks[n] else len(rates) - 1

    def term(rows, ending):
        return "[" + "; ".join("[" + "; ".join(row) + "]" for row in rows) + f"]{ending}"

    everyone = range(len(racks))
    tables = list(dict.fromkeys([kind[1:] or tuple(rates) for kind in types]))
    cluster = " ".join([
        f"Cluster {len(racks)}", term([[rate.replace("/", " # ") for rate in table] for table in tables], "%Q"),
        "[" + "; ".join(str(tables.index(kind[1:] or tuple(rates))) for kind in types) + "]%nat",
        term([[str(min(distance(m, int(n)) for n in kind[0])) for m in everyone] for kind in types], "%nat"),
        term([[str(distance(m, n)) for n in everyone] for m in everyone], "%nat"),
        "[" + "; ".join("1" for _ in types) + "] []", "(Options sequential in_system idle_again conserved lowest_index)"])
    return path, cluster, "[" + "; ".join(f"{rate.numerator} # {rate.denominator}" for rate in streams) + "]%Q"


def event_law(root, number, preemption, states=7):
    """At states along a walk from the empty one, which are settled, the law of an event by `kernel` is that by the theory. The
    walk prefers arrivals, so that queues grow and servers help each other."""
    described, policy, name = EVENT_CASES[number]
    root = folder_of(root, f"event-{number}-{preemption}")
    instance, cluster, streams = timed_instance(root, described, preemption)
    interrupts = "resume" if preemption == "resume" else "no_preemption"
    source = f"""From Coq Require Import ZArith QArith List Bool.
From Schedproof Require Import Law Affine Cluster Language Kernel EventKernel Drift Policies.
Import ListNotations.
Open Scope Z_scope.
Definition timed := {cluster}.
""" + SAME_LAW
    chosen_policy = ("-p", policy)
    if policy == LONGEST:
        with open(f"{root}/longest.policy", "w", encoding="utf-8") as file:
            file.write(policy)
        chosen_policy = ("--policy-file", f"{root}/longest.policy")
    rng = random.Random(number)
    at = []
    for visited in range(3 * states):
        law = json.loads(run(COMMAND, "kernel", instance, *chosen_policy, "--format", "json", *at))
        names = law["queue_names"]
        if visited % 3 == 2:
            state = stated(law["state"], names)
            source += (f"Example law_{visited} : agree (event_chain timed {streams} {interrupts} {name} {state})\n"
                       f"  [{outcomes_of(law, names)}] = true. Proof. vm_cast_no_check (eq_refl true). Qed.\n")
            if preemption == "none":
                source += f"Example settled_{visited} : settled timed {name} {state} = true. Proof. reflexivity. Qed.\n"
        following = [move["state"] for move in law["next"]]
        longest = max(sum(state["queues"]) for state in following)
        if rng.random() < 3 / 4:
            following = [state for state in following if sum(state["queues"]) == longest]
        chosen = rng.choice(following)
        at = ["--queues", ",".join(map(str, chosen["queues"])), "--serving", ",".join(chosen["serving"])]
    with open(f"{root}/Laws.v", "w", encoding="utf-8") as file:
        file.write(source)
    coqc(root, f"{root}/Laws.v")


# Of m2-half in continuous time: the policy, and whether tasks are interrupted.
TIMED_DRIFTS = [
    ("jsq-maxweight", "none"),
    ("balanced-pandas", "resume"),
    ("wang-jsq-maxweight", "none"),
    ("generalized-cmu", "none"),
    ("jsq-maxweight", "resume"),
    ("pandas:plain", "none"),
]


def timed_file(root, preemption):
    """m2-half in continuous time."""
    path = f"{root}/in-time.toml"
    run(COMMAND, "show", f"{SOURCE}/experiments/instances/m2-half.toml", "--in-continuous-time", "--as", "toml", "-o", path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace('preemption = "none"', f'preemption = "{preemption}"'))
    return path


def timed_drift(root, number):
    """A drift in continuous time: the trees of the C++ ask first whether a state is settled, and then what an event does. Of
    the first the file is altered, and there is no level 3 for a mean."""
    policy, preemption = TIMED_DRIFTS[number]
    root = folder_of(root, f"timed-{number}")
    instance, certificate = timed_file(root, preemption), f"{root}/certificate.json"
    run(COMMAND, "prove", "drift", instance, "-p", policy, "--certificate", certificate, "-o", os.devnull)
    text = run(COMMAND, "certify", certificate, "--rocq", root, "--run")
    if "level 3" not in text or "event_chain" not in text or "Closed under the global context" not in text:
        wrong.append(f"{policy}, {preemption}: {text}")
    if os.path.exists(f"{root}/certificate.integers"):
        wrong.append(f"{policy}, {preemption}: integers of another theorem")
    if number != 0:
        return []
    run(COMMAND, "mean", instance, "-p", "join-shortest-queue", "--box", "8", "--certificate", f"{root}/mean.json", "-o", os.devnull)
    text = run(COMMAND, "certify", f"{root}/mean.json", "--rocq", f"{root}/mean")
    if "level 1" not in text or "in continuous time the theory closes drifts alone" not in text:
        wrong.append(f"a mean in continuous time: {text}")
    with open(f"{root}/Certificate.v", encoding="utf-8") as file:
        threshold = int(re.search(r"measured_below measure (\d+) in", file.read()).group(1))
    return altered_theorems(root, "a drift in continuous time", [
        ("(4 # 5)%Q", "(3 # 5)%Q"), ("streams : list Q := [(1 # 2)%Q; (1 # 2)%Q]", "streams : list Q := [(1 # 2)%Q; (3 # 5)%Q]"),
        ("empty_is := conserved", "empty_is := wasted"), (" no_preemption ", " resume "), ("(TimesRate Length)", "Length"),
        (f"2 {threshold} measure", f"2 {threshold - 1} measure"), (f"< {threshold})", f"< {threshold - 1})"),
        ("inject_Z 2", "inject_Z 3"), ("[Idle; Busy 0; Busy 1]", "[Idle; Busy 0]")])


def level_one(root):
    """A theorem that the theory has no statement for is closed at level 1; its altered trees and identities are refused."""
    root = folder_of(root, "level_one")
    certificate = f"{root}/certificate.json"
    run(COMMAND, "prove", "throughput-optimal", "--for-all", "-p", "balanced-pandas", "--certificate", certificate, "-o", os.devnull)
    text = run(COMMAND, "certify", certificate, "--rocq", root, "--run")
    if "level 1, the logic alone" not in text or "Closed under the global context" not in text:
        wrong.append(text)
    extracted(root, "1")
    coqc(root, shutil.copy(f"{SOURCE}/tests/rocq/Logic_refused.v", root))


def every_cluster(root):
    """The theorems for every cluster, from the compiled theory; their instances, one of which is the cluster of the first case's
    certificate; and what they must not be true of."""
    root = folder_of(root, "every_cluster", copied="everything")
    closed(root, CASES[0])
    text = coqc(root, shutil.copy(f"{SOURCE}/tests/rocq/Every_cluster.v", root))
    page = open(f"{SOURCE}/docs/rocq.md").read()
    shown = [page[page.index(f"```\n{name}_throughput_optimal") + 4:].split("```")[0] for name in ("balanced_pandas", "event_jsq_maxweight")]
    if text.count("Closed under the global context") != 18 or "Axioms" in text or any(statement not in text for statement in shown):
        wrong.append(f"every cluster: {text}")


def altered_rule(root, number, files, old, new):
    """The theorems for every cluster about rules that differ in a word: the proof of the last file must not go through."""
    root = folder_of(root, f"altered_rule-{number}", copied="everything")
    theory = f"{root}/theory"
    rules = open(f"{theory}/Policies.v").read()
    if old not in rules:
        wrong.append(f"Policies.v has no {old!r} to be altered")
    open(f"{theory}/Policies.v", "w").write(rules.replace(old, new))
    for source in ["Policies"] + [f"every_cluster/{file}" for file in files[:-1]]:
        coqc(root, f"{theory}/{source}.v")
    refusal = coqc(root, f"{theory}/every_cluster/{files[-1]}.v", expected=1)
    if "it is expected to have type" not in " ".join(refusal.split()):
        wrong.append(f"{files[-1]} with {new!r} for {old!r}: {refusal}")


ALTERED_RULES = [
    (["BalancedPandas"], "Argmin Servers (OverRate ServerWorkload)", "Argmax Servers (OverRate ServerWorkload)"),
    (["BalancedPandas"], "Argmin Servers (OverRate ServerWorkload)", "Argmin Servers ServerWorkload"),
    (["BalancedPandas"], "(FirstOf (MostLocal (Where OwnLevels HasWork)) Own)", "Own"),
    (["JsqMaxWeight"], "HasWork) (TimesRate Length)) Own)", "HasWork) Length) Own)"),
    (["JsqMaxWeight", "WangMaxWeight"], "(Argmin (Unite Local Common) Length)", "(Argmin Local Length)"),
    (["JsqMaxWeight", "WangMaxWeight"], "(TimesRate Servable)", "Servable"),
    (["JsqMaxWeight", "GeneralizedCmu"], "(TimesRate MarginalCost)", "MarginalCost"),
]


def closed_with_alterations(root, statement, prove, alterations, integers=True, folder=None):
    """Proves and closes a theorem at level 3; Rocq must refuse its file with each constant altered, which are further tasks.
    Without integers the extracted checker has nothing to read."""
    root = folder_of(root, folder or statement)
    certificate = f"{root}/certificate.json"
    run(COMMAND, *prove, "--certificate", certificate, "-o", os.devnull)
    text = run(COMMAND, "certify", certificate, "--rocq", root, "--run")
    if "level 3" not in text or f"\n{statement}\n" not in text or "Closed under the global context" not in text:
        wrong.append(f"{statement}: {text}")
    if integers:
        extracted(root, "3")
    elif os.path.exists(f"{root}/certificate.integers"):
        wrong.append(f"{statement}: integers of another theorem")
    return altered_theorems(root, statement, alterations)


def mean(root):
    """A mean of a small box."""
    return closed_with_alterations(
        root, "mean_between",
        ["mean", f"{SOURCE}/experiments/instances/m2-half.toml", "-p", "join-shortest-queue", "--box", "8"],
        [("(4 # 5)%Q", "(3 # 4)%Q"), ("with_statuses (0, [1; 1]) []", "with_statuses (0, [1; 2]) []"),
         ("(83 # 125)", "(84 # 125)"), ("serve := Own", "serve := Reachable")])


def transience(root):
    """A policy that is transient."""
    return closed_with_alterations(
        root, "transient",
        ["prove", "transience", f"{SOURCE}/experiments/instances/m2-uneven.toml", "--policy-file", f"{SOURCE}/docs/policies/slip.policy"],
        [("W statuses 1 10 40", "W statuses 2 10 40"), ("W statuses 1 10 40", "W statuses 1 10 9"), ("serve := Own", "serve := Reachable"),
         ("inject_Z 1641 /", "inject_Z 1640 /")])


def near_boundary(root, instance, policy, name, alterations):
    """A mean near the boundary, at every slack of a family. `name`: of the policy in Policies.v."""
    folder = f"{instance}-{policy}"
    further = closed_with_alterations(
        root, "tasks_at_every_slack",
        ["prove", "heavy-traffic", f"{SOURCE}/experiments/instances/{instance}.toml", "-p", policy], alterations,
        integers=False, folder=folder)
    instance_file(f"{root}/{folder}", instance, {})
    same_law(f"{root}/{folder}", f"{root}/{folder}/certificate.json", name)
    return further


def without_collapse(root):
    """The policy loses nothing but near the empty state. Of the alterations the first four lower a bound, two of them in the
    statement alone; then the ends of the family are exchanged, the family is longer, or what is proved is about another
    policy, function or set of states."""
    return near_boundary(root, "slack-one-type", "jsq-maxweight", "jsq_maxweight", [
        ("(4 # 25)", "(3 # 25)"), ("(9 # 50)", "(8 # 50)"), ("/ sigma + (9 # 50)", "/ sigma + (8 # 50)"), ("c := ((4 # 25)", "c := ((3 # 25)"),
        ("Moving (1 # 1)%Q (-1 # 1)%Q [1]%nat; Moving (0 # 1)%Q (1 # 1)%Q [0]%nat",
         "Moving (9 # 10)%Q (1 # 1)%Q [1]%nat; Moving (1 # 10)%Q (-1 # 1)%Q [0]%nat"),
        ("(1 # 10)", "(1 # 5)"), ("eps <= (1 # 10))", "eps <= (1 # 5))"), ("TimesRate Length", "Length"), ("[3; 0]", "[2; 0]"),
        ("[1]%nat.", "[]%nat."), ("factor_at eps", "factor_at (2 * eps)")])


def with_collapse(root):
    """Exponential forms bound what is lost. Lowered are b, K, kappa and the constant before q^(-n); rho is raised, a form
    altered."""
    return near_boundary(root, "slack-one-type", "wang-jsq-maxweight", "wang_jsq_maxweight", [
        ("(28393 # 5000)", "(28 # 5)"), ("(17 # 6)", "(16 # 6)"), ("(5 # 24)", "(4 # 24)"), ("(53151 # 1000000)", "(54 # 1000)"),
        ("(5 # 24) * (inject_Z n", "(4 # 24) * (inject_Z n"), ("Linear [5; 0; (-5)]", "Linear [5; 0; (-6)]"),
        ("/ sigma * (153 # 128)", "/ sigma * (154 # 128)")])


def with_rest(root):
    """Tasks that neither the workload nor a form bounds have a function of their own."""
    return near_boundary(root, "slack-two-levels", "pandas:plain", "pandas_plain", [
        ("|}) 17)", "|}) 16)"), ("Rest 8 [0; 6]", "Rest 8 [0; 5]"), ("Product 10 (0", "Product 9 (0")])


def every_policy(root):
    """A mean below which no policy is. The last alteration leaves a law of less arrivals."""
    return closed_with_alterations(
        root, "no_policy_below", ["optimum-policy", f"{SOURCE}/experiments/instances/m2-half.toml", "--box", "8"],
        [("(5329 # 8000)", "(5330 # 8000)"), (" 8 (1396965376) ", " 8 (1396965377000) "), ("servers := 2", "servers := 3"),
         ("[[(4 # 5)%Q; (1 # 5)%Q]; [(4", "[[(4 # 5)%Q]; [(4"), ("level_of_task := [[0; 1]", "level_of_task := [[0; 0]"),
         ("[((1 # 2)%Q, [1; 0]%nat); ((1 # 2)%Q, [0; 0]%nat)]", "[((2 # 5)%Q, [1; 0]%nat); ((3 # 5)%Q, [0; 0]%nat)]")],
        integers=False)


def below_zero(root):
    """Where nothing arrives a table proves a little less than 0 of every policy."""
    root = folder_of(root, "below_zero")
    certificate = f"{root}/certificate.json"
    with open(f"{SOURCE}/experiments/instances/m2-half.toml", encoding="utf-8") as given, open(f"{root}/none.toml", "w", encoding="utf-8") as none:
        none.write(given.read().replace('A = "1/2", B = "1/2"', 'A = "0", B = "0"'))
    run(COMMAND, "optimum-policy", f"{root}/none.toml", "--box", "3", "--certificate", certificate, "-o", os.devnull)
    with open(certificate, encoding="utf-8") as file:
        if '"lower": "-' not in file.read():
            wrong.append("below_zero: the bound is not below 0")
    text = run(COMMAND, "certify", certificate, "--rocq", root, "--run")
    if "level 3" not in text or "Closed under the global context" not in text:
        wrong.append(f"below_zero: {text}")


def gate(root):
    """A gate over two workers: a rule of which comparisons depend on others, so that their order is compared."""
    root = folder_of(root, "gate")
    certificate = f"{root}/certificate.json"
    run(COMMAND, "prove", "transience", f"{SOURCE}/experiments/instances/router-t2.toml", "--policy-file",
        f"{SOURCE}/experiments/zoo/gate.policy", "--certificate", certificate, "-o", os.devnull)
    text = run(COMMAND, "certify", certificate, "--rocq", root, "--run")
    if "level 3" not in text or "Closed under the global context" not in text:
        wrong.append(f"gate: {text}")


def extracted(root, level):
    """What C++ and Rocq accept the extracted checker accepts, and of twenty streams altered at one byte it refuses many.
    Not all: some alterations leave a true statement, such as a table's entry raised where nothing is tight. At level 1
    the constraints are the statement, and one that no refutation uses may be any."""
    if not EXTRACTED:
        return
    text = run(EXTRACTED, f"{root}/certificate.integers")
    if f"level {level}" not in text:
        wrong.append(f"extracted: {text}")
    stream = open(f"{root}/certificate.integers", "rb").read()
    rng, refused = random.Random(5), 0
    for _ in range(20):
        at = rng.randrange(1, len(stream))
        open(f"{root}/altered.integers", "wb").write(stream[:at] + bytes([stream[at] ^ 2]) + stream[at + 1:])
        refused += subprocess.run([EXTRACTED, f"{root}/altered.integers"], capture_output=True).returncode != 0
    if refused < (15 if level == "3" else 3):
        wrong.append(f"extracted: only {refused} of 20 altered streams are refused")
    for cut in (stream[:-1], stream + b"\0"):
        open(f"{root}/altered.integers", "wb").write(cut)
        run(EXTRACTED, f"{root}/altered.integers", expected=2)


def usage(root, certificate):
    """What the options do not fit is said before anything is written."""
    folder = f"{root}/usage"
    for words, message in [([certificate, "--run"], "needs --rocq DIR"),
                           ([certificate, certificate, "--rocq", folder], "expected one certificate"),
                           ([certificate, "--rocq", folder, "--format", "json"], "expected --format text")]:
        if message not in run(COMMAND, "certify", *words, expected=2):
            wrong.append(f"{words} is not refused by '{message}'")
    without = dict(os.environ, PATH="/nowhere")
    done = subprocess.run([COMMAND, "certify", certificate, "--rocq", folder, "--run"], capture_output=True, text=True, env=without)
    if done.returncode != 2 or "apt-get install coq" not in done.stderr:
        wrong.append(f"without coqc: {done.stdout}{done.stderr}")


def refused(root):
    coqc(root, shutil.copy(f"{SOURCE}/tests/rocq/Refused.v", root))


def from_nothing(root):
    """Here `--run` compiles the theory that it needs, and coqchk checks all of it."""
    root = folder_of(root, "nothing", copied="nothing")
    closed(root, CASES[0])
    run("coqchk", "-silent", "-Q", root, "", "-Q", f"{root}/theory", "Schedproof", "Certificate")


def first_case(root):
    """What is tried on this certificate are further tasks."""
    root = folder_of(root, "first")
    certificate = closed(root, CASES[0])
    same_law(root, certificate, CASES[0][-1])
    extracted(root, "3")
    return [partial(refused, root), partial(usage, root, certificate)] + altered_theorems(root, "a drift", [
        ("(4 # 5)%Q", "(3 # 5)%Q"), ("OverRate ServerWorkload", "ServerWorkload"),
        (" 16 14 measure", " 16 13 measure"), ("[Idle; Busy 0; Busy 1]", "[Idle; Busy 0]"),
        ("routes := batch", "routes := sequential"), ("< 14)", "< 13)"), ("inject_Z 16", "inject_Z 17")])


def another_case(root, number):
    root = folder_of(root, f"case-{number}")
    certificate = closed(root, CASES[number])
    if certificate is not None:
        same_law(root, certificate, CASES[number][-1])
        extracted(root, "3")


def timed(task):
    """Runs a task; returns the further tasks that it leaves."""
    started, further = time.time(), []
    try:
        further = task() or []
    except Exception:
        wrong.append(traceback.format_exc())
    print(f"{' '.join(map(str, (task.func.__name__, *task.args[1:])))}: {time.time() - started:.1f} s")
    return further


# Of the numbered cases and alterations, those of the selection `all`: each function, and a rule of each theorem.
NUMBERS_OF_ALL = {"another_case": (1, 3, 9), "altered_rule": (0, 3), "event_law": (0, 1, 2, 3, 4), "timed_drift": (0, 1)}


def tasks_of(root, selection):
    if selection == "all":
        tasks = [first_case, every_cluster, every_policy, mean, transience, without_collapse, with_collapse, gate, level_one]
    else:
        tasks = [from_nothing, below_zero, with_rest]
    chosen = [partial(task, root) for task in tasks]
    for number, rule in enumerate(ALTERED_RULES):
        if (number in NUMBERS_OF_ALL["altered_rule"]) == (selection == "all"):
            chosen.append(partial(altered_rule, root, number, *rule))
    for number in range(len(EVENT_CASES)):
        if (number in NUMBERS_OF_ALL["event_law"]) == (selection == "all"):
            chosen += [partial(event_law, root, number, preemption) for preemption in ("none", "resume")]
    for number in range(len(TIMED_DRIFTS)):
        if (number in NUMBERS_OF_ALL["timed_drift"]) == (selection == "all"):
            chosen.append(partial(timed_drift, root, number))
    for number in range(1, len(CASES)):
        if (number in NUMBERS_OF_ALL["another_case"]) == (selection == "all"):
            chosen.append(partial(another_case, root, number))
    return chosen


def main():
    if SELECTION not in ("all", "everything"):
        sys.exit(f"rocq_test.py: expected 'all' or 'everything', not {SELECTION!r}")
    with tempfile.TemporaryDirectory() as root, ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = {pool.submit(timed, task) for task in tasks_of(root, SELECTION)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {pool.submit(timed, task) for future in done for task in future.result()}
    print("\n".join(wrong) if wrong else "all closed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
