#!/usr/bin/env bash
# debian.sh BUILD_DIR VERSION: makes the Debian package, unpacks it into a folder, and does there what its user would.
set -euo pipefail
fail() { printf 'debian.sh: %s\n' "$*" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cpack --config "$1/CPackConfig.cmake" -G DEB -B "$scratch" >log 2>&1 || { cat log; fail 'could not make the package'; }
package=$(ls ./*.deb)
[ "$(dpkg-deb -f "$package" Package)" = schedproof ] || fail 'another name'
[ "$(dpkg-deb -f "$package" Version)" = "$2" ] || fail 'another version'
depends=$(dpkg-deb -f "$package" Depends)
for library in libc6 libgmp10 libflint libfmt libz3 libssl3 libgvc6 coinor-libclp libqsopt-ex libtomlplusplus; do
  [[ $depends == *$library* ]] || fail "does not depend on $library: $depends"
done

dpkg-deb -x "$package" root
mkdir empty && cd empty
program=$scratch/root/usr/bin/schedproof
export HOME=$scratch/home
[ "$("$program" --version)" = "schedproof $2" ] || fail 'says another version'
cp "$scratch/root/usr/share/schedproof/instances/m2-half.toml" .
[ -f "$scratch/root/usr/share/doc/schedproof/docs/policies/patient.policy" ] || fail "the tutorial's policies are missing"
"$program" new-policy my-rule >/dev/null
"$program" kernel m2-half.toml --queues 2,1 --policy-file my-rule.hpp >cpp.txt
"$program" new-policy my-rule --text --from my-rule.hpp >/dev/null
"$program" kernel m2-half.toml --queues 2,1 --policy-file my-rule.policy >text.txt
cmp cpp.txt text.txt || fail 'a policy is another one as a text'
"$program" prove throughput-optimal --for-all --policy-file my-rule.hpp --certificate c.json | grep -q 'Proved' || fail 'no proof'
"$scratch/root/usr/bin/schedproof-certify" c.json >/dev/null || fail 'the certificate is not accepted'
"$program" validate my-rule.hpp >verdicts.txt || fail 'its policy is not validated'
grep -q '^score .*stable on m2-half' verdicts.txt || { cat verdicts.txt; fail 'no score'; }
echo '#error seen' >>"$scratch/root/usr/include/schedproof/model/queueing/policy.hpp"
! "$program" kernel m2-half.toml --queues 2,1 --policy-file my-rule.hpp >own.txt 2>&1 && grep -q seen own.txt ||
  { cat own.txt; fail "the package's own headers are not used"; }
echo "$package: $(stat -c %s "$scratch/$package") bytes; depends on $depends"
