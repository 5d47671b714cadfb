#!/usr/bin/env bash
# run_all.sh BENCHMARK...: runs every benchmark, also after one that misses a target; fails if any did.
missed=0
for benchmark in "$@"; do
  printf '\n== %s\n' "$(basename "$benchmark")"
  "$benchmark" || missed=1
done
exit $missed
