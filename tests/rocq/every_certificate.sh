#!/usr/bin/env bash
# every_certificate.sh EVIDENCE EXPORTER EXTRACTED: the checker extracted from the theory in Rocq (proofs/rocq/extraction)
# accepts each certificate of the evidence of all claims, at every level that it has.
#
# Exit code 0, or 1 with what was not as it should be on standard output.
set -u
evidence=$1 exporter=$2 extracted=$3
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
wrong=0

"$exporter" "$root" "$evidence"/*.certificate.json >"$root/exported" || wrong=1
awk -F '\t' '$1 == "-" && $4 !~ /arithmetic alone/ || $2 != "-" || $3 != "-"' "$root/exported" | head -n 20 | grep . && wrong=1
for stream in "$root"/*.integers; do "$extracted" "$stream" >"$root/extracted" || { cat "$root/extracted"; wrong=1; }; done
exit $wrong
