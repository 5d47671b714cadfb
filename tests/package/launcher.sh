#!/usr/bin/env bash
# launcher.sh SOURCE_DIR: the launcher finds its tree through symbolic links, runs what is built, configures anew a build
# folder that was copied along with the tree, and installs what tests need when all else is built. The programs that it
# calls are stand-ins that say what they were asked.
set -euo pipefail
fail() { printf 'launcher.sh: %s\n' "$*" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
scratch=$(cd "$scratch" && pwd -P)
tree=$scratch/tree
mkdir -p "$tree"/{model,policies,proofs,checks,experiments,tests} "$tree/build/release/bin" "$scratch/bin"
mkdir -p "$tree/experiments/command/core"
cp "$1/schedproof" "$tree/"
cp "$1/experiments/command/core/subcommands.def" "$tree/experiments/command/core/"
touch "$tree/CMakeLists.txt" "$tree/build/release/build.ninja"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$tree" >"$tree/build/release/CMakeCache.txt"
printf '#!/bin/sh\necho "$0 $*"\n' >"$tree/build/release/bin/schedproof"
cp "$tree/build/release/bin/schedproof" "$tree/build/release/bin/schedproof-exact"
printf '#!/bin/sh\necho "cmake $*" >>"$LOG"\n' >"$scratch/bin/cmake"
printf '#!/bin/sh\necho "ctest $*" >>"$LOG"\n' >"$scratch/bin/ctest"
# Packages named in the file $MISSING are missing until they are installed.
printf '#!/bin/sh\nfor p; do :; done\ngrep -qx "$p" "$MISSING" || echo installed\n' >"$scratch/bin/dpkg-query"
printf '#!/bin/sh\necho "apt-get $*" >>"$LOG"\n[ "$1" = install ] && : >"$MISSING"\nexit 0\n' >"$scratch/bin/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$scratch/bin/sudo"
chmod +x "$tree/build/release/bin/"* "$scratch/bin/"*
export LOG=$scratch/log MISSING=$scratch/missing PATH=$scratch/bin:$PATH
touch "$LOG" "$MISSING" "$tree/build/release/.built-schedproof_command"

# runs TREE LAUNCHER: the launcher runs that tree's command, with the arguments as they are.
runs() {
  local said
  said=$(cd / && "$2" list 'two words' 2>/dev/null) || fail "$2 fails"
  [ "$said" = "$1/build/release/bin/schedproof list two words" ] || fail "$2 runs: $said"
}
runs "$tree" "$tree/schedproof"
ln -s tree/schedproof "$scratch/link"
ln -s link "$scratch/link-to-link"
mkdir "$scratch/elsewhere" && ln -s ../link "$scratch/elsewhere/relative"
runs "$tree" "$scratch/link"
runs "$tree" "$scratch/link-to-link"
runs "$tree" "$scratch/elsewhere/relative"
[ ! -s "$LOG" ] || fail "what is built is built again: $(cat "$LOG")"

touch -d 'next minute' "$tree/model/newer.hpp"
runs "$tree" "$tree/schedproof"
grep -q '^cmake --build ' "$LOG" || fail 'a newer source is not built'
! grep -q -- --fresh "$LOG" || fail 'the build folder of the tree itself is configured anew'

: >"$LOG"
cp -a "$tree" "$scratch/copy"
runs "$scratch/copy" "$scratch/copy/schedproof"
grep -qx 'cmake --preset release --fresh' "$LOG" || fail 'the copied build folder is not configured anew'
grep -q "^cmake --build $scratch/copy/build/release " "$LOG" || fail 'the copy is not built in its own folder'

# asked PATTERNS...: the stand-ins were asked just these, one after another.
asked() {
  local line
  exec 3<"$LOG"
  for pattern; do
    read -r line <&3 || line='nothing more'
    [[ $line == $pattern ]] || fail "expected '$pattern', not '$line'"
  done
  ! read -r line <&3 || fail "not expected: $line"
  exec 3<&-
  : >"$LOG"
}
# tested ARGS...: the launcher tests a tree that is built.
tested() {
  touch "$tree/build/release/.built-all"
  "$tree/schedproof" test "$@" 2>/dev/null || fail "test $* fails"
}
touch -d 'last minute' "$tree/model/newer.hpp"
: >"$LOG"
tested -R Kernel
asked 'ctest * -LE ^(all|everything)$ -R Kernel'
echo coq >"$MISSING"
tested
asked 'ctest * -LE ^(all|everything)$'
tested --all -L rocq
asked 'apt-get update*' 'apt-get install * coq' 'cmake --preset release' 'cmake --build * --target all' 'ctest * -LE ^everything$ -L rocq'
tested --all
asked 'ctest * -LE ^everything$'
tested --everything -R Kernel
asked 'ctest --output-on-failure -j * -R Kernel'
# answers PROGRAM WORDS...: the launcher runs this program.
answers() {
  local program=$1 said
  shift
  said=$("$tree/schedproof" "$@" 2>/dev/null) || fail "$* fails"
  [ "$said" = "$tree/build/release/bin/$program $*" ] || fail "$* runs: $said"
}
touch "$tree/build/release/.built-schedproof_command"
answers schedproof capacity
[ ! -s "$LOG" ] || fail "what is built is built again: $(cat "$LOG")"
rm "$tree/build/release/.built-schedproof_command"
answers schedproof-exact capacity --help
asked 'cmake --build * --target schedproof_exact'
answers schedproof-exact capacity
asked
answers schedproof list
asked 'cmake --build * --target schedproof_command'
answers schedproof capacity
asked
echo 'the launcher finds its tree, and what it needs'
