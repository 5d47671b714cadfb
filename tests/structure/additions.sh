#!/usr/bin/env bash
# additions.sh SOURCE_DIR GENERATOR [edits]: adds a policy, a claim, a subcommand, a primitive of the policy language, a field
# of an answer and a family to a copy of the sources, each by the edits that the architecture promises and no other, builds
# the command and uses them all. `edits`: builds nothing.
#
# Policy, claim and primitive are copies of existing ones under new names, so that this script does not depend on how any of
# them is written, only on the places below. The family is that of family/.
set -euo pipefail
source_dir=$1
generator=$2

policy_model=policies/queueing/join_shortest_queue.hpp # copied as the toy policy: JoinShortestQueue, join-shortest-queue
policy_file=policies/queueing/toy.hpp
policy_registry=policies/queueing/registry.cpp
claim_file=checks/sharing/claims/delay.cpp
claim_model=rule-nearly-tight # copied as the toy claim, with its mutant
claim_mutant=rule-doubled
subcommand_file=experiments/command/toy/toy.cpp
subcommand_registry=experiments/command/core/subcommands.def
operations=model/queueing/language/operations.def
primitive_model=most_local # copied as the primitive toy_local
answer_file=experiments/command/kernel/kernel.cpp
answer_field='field("state", &A::state,' # the toy field is written before it
family_model=tests/structure/family # files NAME.in, in the folders where a family's files stand
family_registry=checks/families.hpp

fail() { printf 'additions.sh: %s\n' "$*" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
copy=$scratch/source
mkdir "$copy"
git -C "$source_dir" ls-files -z | (cd "$source_dir" && tar --null --files-from=- --ignore-failed-read -cf - 2>/dev/null) |
  tar -C "$copy" -xf -
cd "$copy"
commit() { git add -A && git -c user.name=additions -c user.email=additions@localhost commit -qm "$1"; }
git init -q . && commit before

# edited WHAT NAMES...: the files changed or added since the last commit are exactly these.
edited() {
  local what=$1 expected found
  shift
  expected=$(printf '%s\n' "$@" | LC_ALL=C sort)
  found=$(git status --porcelain --untracked-files=all | cut -c4- | LC_ALL=C sort)
  [ "$found" = "$expected" ] || fail "$what should edit [$expected], but edits [$found]"
  printf '%s: %d file(s) edited\n' "$what" $#
  commit "$what"
}

# after FILE PATTERN LINE: writes the line after the one line that matches the pattern from its start.
after() {
  [ "$(grep -c "^$2" "$1")" = 1 ] || fail "$1 has no line, or several, like: $2"
  sed -i "s|^$2.*|&\n$3|" "$1"
}

sed 's/JoinShortestQueue/Toy/g; s/join-shortest-queue/toy/g' "$policy_model" >"$policy_file"
after "$policy_registry" '#include "policies/queueing/wang_jsq_maxweight.hpp"' '#include "policies/queueing/toy.hpp"'
after "$policy_registry" ' *entry<JoinShortestQueue>(),' '        entry<Toy>(),'
edited 'a queueing policy' "$policy_file" "$policy_registry"

python3 - "$claim_file" "$claim_model" "$claim_mutant" <<'PYTHON'
import re
import sys
path, model, mutant = sys.argv[1:]
text = open(path).read()
# The statement that registers the claim: up to the next empty line or the end of its function.
found = re.search(r'    claims\.push_back\(\s*claim\("' + model + r'".*?\)\);\n(?=\n|\})', text, re.DOTALL)
if not found:
    sys.exit(f'additions.sh: {path} registers no claim {model}')
copy = found.group().replace(f'"{model}"', '"toy-claim"').replace(f'"{mutant}"', '"toy-mutant"')
open(path, 'w').write(text[:found.end()] + '\n' + copy + text[found.end():])
PYTHON
edited 'a claim' "$claim_file"

mkdir "$(dirname "$subcommand_file")"
cat >"$subcommand_file" <<'CPP'
#include <cstdio>

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

Subcommand toy() {
    return {"toy", "say that it runs", "schedproof toy", {}, [](const OptionTable&) {
                std::puts("the toy runs");
                return 0;
            }};
}

}  // namespace schedproof::cli
CPP
after "$subcommand_registry" 'SUBCOMMAND(show, ' 'SUBCOMMAND(toy, whole)'
edited 'a subcommand' "$subcommand_file" "$subcommand_registry"

python3 - "$operations" "$primitive_model" <<'PYTHON'
import re
import sys
path, model = sys.argv[1:]
text = open(path).read()
row = re.search(r'^OPERATION\(\w+, \w+, ' + model + r', .*?\)\n(?=OPERATION|//|\n)', text, re.DOTALL | re.MULTILINE)
if not row:
    sys.exit(f'additions.sh: {path} has no primitive {model}')
# Of Rocq's theory it is no part, where its constructor would need a number of its own.
copy = re.sub(r',\s*\.rocq = \{.*?\}', '', row.group()).replace(f'{model}, {model}', 'toy_local, toy_local')
open(path, 'w').write(text[:row.end()] + copy + text[row.end():])
PYTHON
edited 'a primitive of the policy language' "$operations"

[ "$(grep -c "^ *$answer_field" "$answer_file")" = 1 ] || fail "$answer_file has no line, or several, like: $answer_field"
sed -i "s|^ *$answer_field|field(\"toy\", [](const A\&) { return 7; }, \"A toy.\"),\n&|" "$answer_file"
edited 'a field of an answer' "$answer_file"

family_files=()
while IFS= read -r model; do
  file=${model#"$family_model"/}
  file=${file%.in}
  mkdir -p "$(dirname "$file")"
  cp "$model" "$file"
  family_files+=("$file")
done < <(find "$family_model" -name '*.in')
((${#family_files[@]} > 0)) || fail "no files in $family_model"
sed -i 's/^#define SCHEDPROOF_FAMILIES(FAMILY).*/& FAMILY(piles)/' "$family_registry"
[ "$(git diff --numstat "$family_registry" | cut -f 1,2)" = $'1\t1' ] || fail 'a family should edit one line of the registry'
edited 'a family' "${family_files[@]}" "$family_registry"
[ "${3:-}" = edits ] && exit 0

# Unoptimised, since each part of the program runs once.
options=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DSCHEDPROOF_TESTS=OFF -DSCHEDPROOF_BENCHMARKS=OFF)
! command -v ccache >/dev/null || options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S . -B "$scratch/build" -G "$generator" "${options[@]}" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail 'could not configure'; }
cmake --build "$scratch/build" --target schedproof_command --parallel "$(nproc)" >"$scratch/log" 2>&1 ||
  { tail -n 60 "$scratch/log"; fail 'could not build'; }
schedproof=$scratch/build/bin/schedproof

"$schedproof" list policies >"$scratch/policies"
grep -q '^toy ' "$scratch/policies" || fail 'the policy is not listed'
"$schedproof" list claims >"$scratch/claims"
grep -q '^sharing.toy-claim ' "$scratch/claims" || fail 'the claim is not listed'
"$schedproof" check sharing.toy-claim >"$scratch/check" || { cat "$scratch/check"; fail 'the claim has not its expected verdict'; }
[ "$("$schedproof" toy)" = 'the toy runs' ] || fail 'the subcommand does not run'
"$schedproof" --help | grep -q 'say that it runs' || fail 'the subcommand is not in --help'
sed 's/most_local/toy_local/' experiments/zoo/gate.policy >"$scratch/toy.policy"
grep -q toy_local "$scratch/toy.policy" || fail 'no policy has the primitive that was copied'
for policy in experiments/zoo/gate.policy "$scratch/toy.policy"; do
  # The copy has no vector program, so another engine runs it, with other draws.
  "$schedproof" simulate experiments/instances/router-h3.toml --policy-file "$policy" --horizon 1000 --replications 2 |
    grep -q '^ *tasks' || fail "the policy $policy is not simulated"
  # With work at both levels of the first two servers, which are idle.
  "$schedproof" kernel experiments/instances/router-h3.toml --policy-file "$policy" --queues 2,1,3,1,0,2 |
    sed '/^policy/d' >"$scratch/$(basename "$policy").txt" || fail "the law of a slot of the policy $policy is not computed"
  # Refuted or proved; what matters is that both have the same cells.
  "$schedproof" prove drift experiments/instances/router-h3.toml --policy-file "$policy" --lyapunov weighted-work >"$scratch/proof" ||
    [ $? -lt 4 ] || { cat "$scratch/proof"; fail "the policy $policy is not executed on symbols"; }
  sed -n '/replay/d; s/, [0-9.]* s$//; p' "$scratch/proof" >>"$scratch/$(basename "$policy").txt"
done
cmp "$scratch/gate.policy.txt" "$scratch/toy.policy.txt" || fail 'the primitive is not what it was copied from'
"$schedproof" kernel experiments/instances/m2-half.toml -p join-shortest-queue --format json >"$scratch/kernel"
grep -q '"toy": 7' "$scratch/kernel" || fail 'the field is not in the JSON'
"$schedproof" kernel experiments/instances/m2-half.toml -p join-shortest-queue | grep -q '^toy *7' || fail 'the field is not in the text'
"$schedproof" schema kernel | grep -q '"A toy."' || fail 'the field is not in the schema'

# The family, by every driver.
cd "$scratch"
knows() { # knows WORDS ARGUMENTS...: the answer holds the words
  local words=$1
  shift
  "$schedproof" "$@" >"$scratch/answer" 2>&1 || { cat "$scratch/answer"; fail "the family: schedproof $* fails"; }
  grep -qF -- "$words" "$scratch/answer" || { cat "$scratch/answer"; fail "the family: schedproof $* does not say '$words'"; }
}
knows 'greedy-pile' list policies --family piles
knows 'piles.fewest-steps' list claims
knows 'Exhausted' check piles.fewest-steps
printf 'family = "piles"\nname = "ten"\nstones = 10\nmost = 4\n' >pile.toml
knows '10 stones, at most 4 at a time' show pile.toml
knows 'Exhausted' check piles.fewest-steps --instance pile.toml
knows 'piles.fewest-steps' validate greedy-pile
knows 'slow' new-policy slow --family piles
knows 'slow' validate slow.hpp
knows 'steps' simulate --policy-file slow.hpp -p greedy-pile -p slow --stones-at-most 4
knows '"steps"' simulate -p greedy-pile --format json
knows 'stones-at-most' completion bash
knows 'index.html' report piles.fewest-steps -o site
grep -q '<option>piles</option>' site/index.html || fail 'the family: the site cannot be filtered by it'
echo 'policy, claim, subcommand, primitive, field and family are there'
