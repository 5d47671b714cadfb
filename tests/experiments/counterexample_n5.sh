#!/usr/bin/env bash
# counterexample_n5.sh SCHEDPROOF SOURCE_DIR: Counterexample N5 from both sides, found and then checked without a solver.
# Under Balanced-Pandas the limit is at least 168/143 times the bound of every policy, under generalised c-mu at most
# 12/11 times; so the first has more tasks at every slack up to one that is printed. Takes a quarter of an hour.
set -euo pipefail
command=$1 family=$2/experiments/instances/slack-three-levels.toml
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
exit=0
"$command" prove heavy-traffic "$family" -p balanced-pandas --against generalized-cmu --format json \
  --certificate "$work/above.json" --against-certificate "$work/below.json" -o "$work/answer.json" || exit=$?
[ "$exit" = 1 ] || { echo "expected exit code 1, not $exit"; exit 1; }
python3 - "$work/answer.json" <<'PYTHON'
import json, sys
answer = json.load(open(sys.argv[1]))
found = answer["verdict"], answer["factor"]["exact"], answer["comparison"]["verdict"]
assert found == ("above-bound", "168/143", "more"), found
print("more tasks at every slack up to", answer["comparison"]["up_to"]["exact"])
PYTHON
"$command" certify "$work/above.json" "$work/below.json" | tee "$work/accepted"
tr -s ' \n' ' ' <"$work/accepted" >"$work/line"
grep -q 'at least 168/143 times the bound of every policy' "$work/line"
grep -q 'the mean number of tasks is at most 12/11 times that' "$work/line"
