#!/usr/bin/env bash
# build_plan.sh SOURCE_DIR: what the launcher says of a build before it begins, on a build tree of two steps whose log is
# known.
set -euo pipefail
fail() { printf 'build_plan.sh: %s\n' "$*" >&2; exit 1; }
expect() { [ "$1" = "$2" ] || fail "expected '$2', not '$1'"; }

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
# The function alone: the launcher itself would build.
eval "$(sed -n '/^plan_of() {$/,/^}$/p' "$1/schedproof")"
nproc() { echo 2; }

expect "$(plan_of all)" 'about fifteen minutes on two cores'

cat >"$build/build.ninja" <<'NINJA'
rule compile
  command = cp $in $out || true -o $out
build build.ninja: phony
build one.o: compile one.cpp
build two.o: compile two.cpp
build three.o: compile three.cpp
build all: phony one.o two.o three.o
NINJA
touch "$build/one.cpp" "$build/two.cpp" "$build/three.cpp"
ninja -C "$build" all >/dev/null
expect "$(plan_of all)" '0 steps, about 0 min 0 s'

# One took 80 seconds, another 50: side by side on two cores no less than the longest.
awk 'BEGIN { OFS = "\t" } /^#/ { print; next } { $1 = 0; $2 = $4 == "one.o" ? 80000 : 50000; print }' \
  "$build/.ninja_log" >"$build/log"
mv "$build/log" "$build/.ninja_log"
sleep 0.1
touch "$build/one.cpp" "$build/two.cpp"
expect "$(plan_of all)" '2 steps, about 1 min 20 s'
touch "$build/three.cpp"
expect "$(plan_of all)" '3 steps, about 1 min 30 s'
expect "$(plan_of one.o)" '1 steps, about 1 min 20 s'
cat >>"$build/build.ninja" <<'NINJA'
build four.o: compile one.cpp
NINJA
expect "$(plan_of four.o)" '1 steps, about 1 min 0 s'
echo 'the launcher says what a build takes'
