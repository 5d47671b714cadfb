#!/usr/bin/env python3
"""checkers_test.py COMMAND SOURCE_DIR EXPORTER EXTRACTED THEORY: three checkers on the same certificates, accepted and altered.

COMMAND makes a certificate of every kind. EXPORTER (export_certificates.cpp) says what the checker in C++ thinks of each
and of altered ones, of the whole and of the logic alone, and writes the files for Rocq whatever they are worth. EXTRACTED
is the checker extracted from the theory, and THEORY the folder where the theory was compiled.

1. Named alterations: C++ rejects each for what was altered; at level 3 Rocq refuses each, at level 1 those of the logic.
2. Every n-th place of proofs and identities altered: the logic in C++ and the extracted checker agree on each.
3. In Rocq itself the acceptance of every named alteration is what the extracted checker says, in one file; and Rocq's
   kernel refuses the exported files of some of each kind, at the theorem's lemma.

Exit code 0, or 1 with what was not as it should be on standard output.
"""
import copy
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

COMMAND, SOURCE, EXPORTER, EXTRACTED, THEORY = sys.argv[1:6]
INSTANCES = f"{SOURCE}/experiments/instances"
# How a certificate of each kind is made.
MAKE = {
    "drift": ["prove", "drift", f"{INSTANCES}/m2-half.toml", "-p", "join-shortest-queue", "--lyapunov", "squares"],
    "drift-levels": ["prove", "drift", f"{INSTANCES}/m2-half.toml", "-p", "balanced-pandas", "--lyapunov", "workload-squares"],
    "transience": ["prove", "transience", f"{INSTANCES}/m2-uneven.toml", "--policy-file", f"{SOURCE}/docs/policies/slip.policy"],
    "mean": ["mean", f"{INSTANCES}/m2-half.toml", "-p", "join-shortest-queue", "--box", "6"],
    "mean-of-squares": ["mean", f"{INSTANCES}/m2-half.toml", "-p", "join-shortest-queue", "--box", "6", "--of", "tasks^2"],
    "maxweight-drift": ["prove", "throughput-optimal", f"{INSTANCES}/m2-half.toml", "-p", "wang-jsq-maxweight"],
    "uniform-drift": ["prove", "throughput-optimal", "--for-all", "-p", "balanced-pandas"],
    "worst-ratio": ["worst", "-p", "dyndloff", "--shape", "1,1:0/1", "--costs", "any"],
}
# Claims whose evidence holds a certificate of a kind that no other command writes.
CLAIMS = {}
wrong = []


def run(*words, expected=0):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != expected:
        wrong.append(f"{' '.join(words)}: code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


# ---- alterations: each is given a copy of the document, alters it, and says nothing ----

def tree_of(proof):
    """The tree with its nodes in place, as lists [node, yes, no] or a side."""
    nodes = iter(proof["nodes"])

    def side(at):
        if at != "node":
            return at
        node = next(nodes)
        yes = side(node["yes"])
        return [node, yes, side(node["no"])]
    return side(proof["root"])


def put_tree(proof, tree):
    proof["nodes"] = []

    def side(at):
        if not isinstance(at, list):
            return at
        node = dict(at[0])
        proof["nodes"].append(node)
        node["yes"] = side(at[1])
        node["no"] = side(at[2])
        return "node"
    proof["root"] = side(tree)


def plus(number, by):
    return str(Fraction(number) + by)


def splitting(held):
    """The first proof whose tree has a node."""
    return next(p for p in held["proofs"] if p["nodes"])


def sides(held):
    """Every leaf or closed side."""
    for proof in held["proofs"]:
        for at in [proof["root"]] + [node[key] for node in proof["nodes"] for key in ("yes", "no")]:
            if at != "node":
                yield at


def claim(held):
    """The first obligation that has multipliers."""
    return next(c for at in sides(held) for c in at.get("leaf", []) if c["multipliers"])


def children_swapped(held):
    proof = splitting(held)
    node, yes, no = tree_of(proof)
    put_tree(proof, [node, no, yes])


def bound_raised(held):
    node = splitting(held)["nodes"][0]
    node["bound"] = plus(node["bound"], 1)


def form_altered(held):
    form = splitting(held)["nodes"][0]["form"]
    form[-1][1] = plus(form[-1][1], 1)


def tree_of_another(held):
    first = splitting(held)
    second = next(p for p in held["proofs"] if (p["root"], p["nodes"]) != (first["root"], first["nodes"]))
    for key in ("root", "nodes"):
        first[key], second[key] = second[key], first[key]


def node_left_out(held):
    proof = splitting(held)
    put_tree(proof, tree_of(proof)[1])


def nothing_there(held):
    proof = splitting(held)
    proof["root"], proof["nodes"] = {"closed": []}, []


def multiplier_raised(held):
    m = claim(held)["multipliers"]
    m[-1][1] = plus(m[-1][1], 1)


def multiplier_left_out(held):
    claim(held)["multipliers"].pop()


def multiplier_moved(held):
    claim(held)["multipliers"][0][0] += 1


def negative_multiplier(held):
    m = claim(held)["multipliers"]
    m[0][1] = plus(0, -Fraction(m[0][1]))


def no_multipliers(held):
    claim(held)["multipliers"] = []


def constraint_weakened(held):
    c = claim(held)
    form = c["against"][-1]["form"]
    form[0] = plus(form[0], 1000)


def variable_exchanged(held):
    form = claim(held)["against"][-1]["form"]
    form[-1][0] += 1


def symbol_made_real(held):
    for proof in held["proofs"]:
        for symbol in proof["space"]["symbols"]:
            symbol["integer"] = False


LOGIC = [children_swapped, bound_raised, form_altered, tree_of_another, node_left_out, nothing_there, multiplier_raised,
         multiplier_left_out, multiplier_moved, negative_multiplier, no_multipliers, constraint_weakened]


def put(path, change):
    """The alteration of one member: `change` of what is there."""
    def alter(held):
        at = held
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = change(at[path[-1]])
    alter.__name__ = ".".join(map(str, path))
    return alter


def by(step):
    return lambda number: plus(number, Fraction(step))


def other_policy(held):
    """A policy whose rules differ, with its definition."""
    held["policy"] = "join-the-shortest-of-two" if held["policy"] == "none" else OTHER[0]
    held["definition"] = OTHER[1]


def named(kind, held):
    """(alteration, whether level 1 refuses it, whether level 3 does) of a certificate of the kind."""
    logic = [(alter, True, True) for alter in LOGIC]
    statement = []
    return logic + statement


def main():
    pass
