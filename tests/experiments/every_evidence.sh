#!/usr/bin/env bash
# every_evidence.sh COMMAND SOURCE_DIR EVIDENCE: of the evidence of all claims, both checkers accept the certificates, the
# second rejects altered ones, and counterexamples replay.
#
# Exit code 0, or 1 with what was not as it should be on standard output.
set -u
command=$1 source=$2 evidence=$3
root=$(mktemp -d) shared=$(mktemp -d)
trap 'rm -rf "$root" "$shared"' EXIT
wrong=0

cp -r "$evidence/." "$root"
python3 "$source/tests/experiments/validate.py" "$(dirname "$command")/../schemas/check.schema.json" "$root/check.json" || wrong=1
# No claim has a box so large that states share the entries of its table.
"$command" mean "$source/experiments/instances/m2-half.toml" -p join-shortest-queue --box 240 \
  --certificate "$shared/shared.certificate.json" -o /dev/null || wrong=1
grep -q '"renamings"' "$shared/shared.certificate.json" || { echo "no states share entries"; wrong=1; }
# Nor does a table of one prove less than 0.
sed 's|A = "1/2", B = "1/2"|A = "0", B = "0"|' "$source/experiments/instances/m2-half.toml" >"$shared/none.toml"
"$command" optimum-policy "$shared/none.toml" --box 3 --certificate "$shared/bound.certificate.json" -o /dev/null || wrong=1
"$command" mean "$source/experiments/instances/m2-half.toml" -p jsq-maxweight --box 9 --certificate "$shared/mean.certificate.json" \
  -o /dev/null || wrong=1
# Nor is there a mean of squares of queues.
"$command" mean "$source/experiments/instances/m2-half.toml" -p generalized-cmu --of cost --digits 3 \
  --certificate "$shared/cost.certificate.json" -o /dev/null || wrong=1
# Nor is any about unlike servers.
unlike=$source/experiments/instances/n-system.toml
"$command" prove drift "$unlike" -p balanced-pandas --certificate "$shared/unlike-drift.certificate.json" -o /dev/null || wrong=1
"$command" mean "$unlike" -p generalized-cmu --box 20 --certificate "$shared/unlike-mean.certificate.json" -o /dev/null || wrong=1
"$command" optimum-policy "$unlike" --box 6 --certificate "$shared/unlike-bound.certificate.json" -o /dev/null || wrong=1
"$command" prove transience "$source/experiments/instances/unlike.toml" -p random-any \
  --certificate "$shared/unlike-transience.certificate.json" -o /dev/null || wrong=1
# Nor has any a table of one queue's length, with statuses of servers besides or without.
nonpreemptive=$source/experiments/instances/n-in-time.toml
sed 's|117/100|143/125|; s|9/25|44/125|' "$nonpreemptive" >"$shared/lower.toml"
for system in "$source/experiments/instances/n-system-preemptive.toml" "$shared/lower.toml"; do
  table=$shared/table-$(basename "$system" .toml).certificate.json
  "$command" prove transience "$system" --policy-file "$source/docs/policies/shared-first.policy" --certificate "$table" \
    -o /dev/null || wrong=1
  grep -q '"table"' "$table" || { echo "$table: no table"; wrong=1; }
done
# Nor is any about batches.
batches=$source/experiments/instances/batches.toml
sed 's|servers = 1|servers = 2|; s|{s0 = "1"}|{s0 = "1", s1 = "1/2"}|' "$batches" >"$shared/batches.toml"
"$command" mean "$batches" -p fifo --certificate "$shared/batches-mean.certificate.json" -o /dev/null || wrong=1
"$command" prove drift "$shared/batches.toml" -p join-shortest-queue --certificate "$shared/batches-drift.certificate.json" \
  -o /dev/null || wrong=1
"$command" optimum-policy "$shared/batches.toml" --box 12 --certificate "$shared/batches-bound.certificate.json" -o /dev/null || wrong=1
sed 's|"3/10"|"9/10"|' "$shared/batches.toml" >"$shared/many.toml"
"$command" prove transience "$shared/many.toml" -p fifo --certificate "$shared/batches-transience.certificate.json" -o /dev/null || wrong=1
# Nor is any about every cluster in continuous time.
"$command" show "$source/experiments/instances/m2-half.toml" --in-continuous-time --as toml -o "$shared/in-time.toml" || wrong=1
sed 's|^preemption = .*||; s|^\[options\]|[options]\npreemption = "resume"|' "$shared/in-time.toml" >"$shared/interrupted.toml"
for policy in jsq-maxweight balanced-pandas; do
  for time in continuous continuous-interrupted; do
    "$command" prove throughput-optimal --for-all --time $time -p $policy \
      --certificate "$shared/every-$policy-$time.certificate.json" -o /dev/null || wrong=1
  done
  for time in in-time interrupted; do
    "$command" prove throughput-optimal "$shared/$time.toml" -p $policy --certificate "$shared/one-$policy-$time.certificate.json" \
      -o /dev/null || wrong=1
  done
done
# Nor about rules of bounded regret.
for rule in gate sticky two-choices spread; do
  "$command" zoo $rule --guard 3 -o "$shared/$rule.policy" || wrong=1
  "$command" zoo "$shared/$rule.policy" --table --slots 0 --instance "$source/experiments/instances/router-t2.toml" \
    --evidence "$shared/guarded" -o /dev/null || wrong=1
  mv "$shared/guarded/$rule-guarded-every-cluster-2.json" "$shared/$rule-guarded.certificate.json" || wrong=1
done
# Nor is any about a family of loads. The command ends with 1 where the policy is shown not to be optimal.
families=$source/experiments/instances/slack
"$command" prove heavy-traffic "$families-one-type.toml" -p wang-jsq-maxweight --certificate "$shared/wang.certificate.json" \
  --collapse-certificate "$shared/wang-collapse.certificate.json" -o /dev/null || wrong=1
"$command" prove heavy-traffic "$families-two-levels.toml" -p jsq-maxweight --certificate "$shared/ray.certificate.json" \
  --collapse-certificate "$shared/ray-collapse.certificate.json" --lower-certificate "$shared/two-levels.certificate.json" \
  -o /dev/null
[ $? = 1 ] || { echo "jsq-maxweight on two levels: not refuted"; wrong=1; }
"$command" prove heavy-traffic "$families-two-levels.toml" -p pandas --certificate "$shared/pandas.certificate.json" -o /dev/null || wrong=1
"$command" prove heavy-traffic "$families-shared.toml" -p join-shortest-queue --certificate "$shared/shared-jsq.certificate.json" \
  --lower-certificate "$shared/shared-lower.certificate.json" -o /dev/null || wrong=1
for below in bound mean; do grep -q '"lower": "-' "$shared/$below.certificate.json" || { echo "$below: not below 0"; wrong=1; }; done
certificates=("$root"/*.certificate.json "$shared"/*.certificate.json) bundles=("$root"/*/counterexample.json)
"$command" certify "${certificates[@]}" >"$root/certified" || { grep -v '^accepted' "$root/certified" | head -n 20; wrong=1; }
node "$source/tests/site/certificate_test.mjs" "$source/experiments/site/certificate" "$root" "$shared" --seconds 1 >"$root/second" ||
  { grep '^FAILED' "$root/second" | head -n 20; tail -n 1 "$root/second"; wrong=1; }
node "$source/tests/site/regret_rules_test.mjs" "$source/experiments/site/certificate" >"$root/regret" || { cat "$root/regret"; wrong=1; }
for bundle in "${bundles[@]}"; do
  "$command" check --replay "${bundle%/*}" >"$root/replayed" || { cat "$root/replayed"; wrong=1; }
done
echo "${#certificates[@]} certificates, ${#bundles[@]} counterexamples"
exit $wrong
