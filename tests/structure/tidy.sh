#!/usr/bin/env bash
# tidy.sh SOURCE_DIR BUILD_DIR: fails unless clang-tidy has nothing to say of the sources, with the checks of .clang-tidy.
# The sources are read in the batches in which they are compiled, so that each header is parsed once for each batch.
set -uo pipefail
build=$(cd "$2" && pwd) || exit 2
cd "$1" || exit 2
mapfile -t units < <(python3 - "$build" <<'PYTHON'
import json, os, sys
for entry in json.load(open(os.path.join(sys.argv[1], "compile_commands.json"))):
    name = entry["file"]
    if "/Unity/" in name or not name.startswith(sys.argv[1] + "/"):
        print(name)
PYTHON
)
[ ${#units[@]} -ge 40 ] || { echo "found only ${#units[@]} units"; exit 4; }
# clang reads no header that g++ has precompiled.
database=$(mktemp -d)
trap 'rm -r "$database"' EXIT
sed -E 's# -Winvalid-pch# #; s# --param=ggc-min-heapsize=[0-9]*# #; s# -include [^ ]*cmake_pch.hxx##' "$build/compile_commands.json" >"$database/compile_commands.json"
# A slip in a source that a batch includes is reported: what HeaderFilterRegex leaves out would be read in vain.
mkdir "$database/tests"
echo 'int slip() { int Miscalled = 0; return Miscalled; }' >"$database/tests/slip.cpp"
echo '#include "tests/slip.cpp"' >"$database/batch.cxx"
clang-tidy --quiet --config-file=.clang-tidy "$database/batch.cxx" -- -std=c++20 "-I$database" 2>/dev/null |
  grep 'tests/slip.cpp.*readability-identifier-naming' >/dev/null || { echo "sources of a batch are not reported"; exit 4; }
printf '%s\n' "${units[@]}" | sort -u | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p "$database" --warnings-as-errors='*'
