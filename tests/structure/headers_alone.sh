#!/usr/bin/env bash
# headers_alone.sh COMPILER SOURCE_DIR: fails unless each header of the project compiles by itself.
set -uo pipefail
compiler=$1
cd "$2" || exit 2
# A header that lacks an include must be noticed, or this check proves nothing.
echo 'inline std::string no_include_here;' | "$compiler" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null && exit 3
mapfile -t headers < <(find model policies proofs checks experiments tests -name '*.hpp' | LC_ALL=C sort)
[ ${#headers[@]} -ge 60 ] || { echo "found only ${#headers[@]} headers"; exit 4; }
alone() {
  local said
  said=$("$1" -std=c++20 -I. -DSCHEDPROOF_SOURCE_DIR='""' -DSCHEDPROOF_COMMAND='""' -fsyntax-only -x c++ "$2" 2>&1) && return
  printf 'does not compile alone: %s\n%s\n' "$2" "$said"
  return 255
}
export -f alone
printf '%s\n' "${headers[@]}" | xargs -P "$(nproc)" -I{} bash -c 'alone "$0" "$1"' "$compiler" {}
