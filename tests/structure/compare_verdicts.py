#!/usr/bin/env python3
"""Compare the verdicts of two answers of `schedproof check --format json`.

    compare_verdicts.py OLD.json NEW.json

Equal must be rows, expectations, outcomes, witnesses and findings with their details. Times may differ, and members that
only the new answer has. Exit code: 0 equal, 1 different, 2 usage.
"""
import json
import sys

IGNORED = {"seconds", "version"}


def differences(old, new, place):
    """Where what `old` says is not said by `new`, as lines of text."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            if key in IGNORED:
                continue
            if key not in new:
                yield f"{place}.{key}: missing"
            else:
                yield from differences(value, new[key], f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{place}: {len(old)} entries, then {len(new)}"
        for i, (a, b) in enumerate(zip(old, new)):
            yield from differences(a, b, f"{place}[{name(a, i)}]")
    elif old != new:
        yield f"{place}: {old!r}, then {new!r}"


def name(entry, position):
    """What identifies a row or a finding to a reader."""
    if isinstance(entry, dict) and "claim" in entry:
        return f"{entry['claim']}, {entry['policy']}, {entry['instance']}"
    if isinstance(entry, dict) and "oracle" in entry:
        return entry["oracle"]
    return position


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[1], encoding="utf-8") as old, open(arguments[2], encoding="utf-8") as new:
        before, after = json.load(old), json.load(new)
    found = list(differences(before, after, ""))
    for line in found:
        print(line)
    rows = before.get("rows", [])
    findings = sum(len(row["findings"]) for row in rows)
    print(f"{len(rows)} rows, {findings} findings: {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
