#!/bin/sh
# build.sh COQC OCAMLFIND THEORY WORK PROGRAM: compiles the theory in the folder WORK, extracts the checker there, and
# compiles it with main.ml to PROGRAM.
set -eu
coqc=$1 ocamlfind=$2 theory=$3 work=$4 program=$5
mkdir -p "$work/theory" "$(dirname "$program")"
cp "$theory/extraction/Extract.v" "$theory/extraction/main.ml" "$work"
for file in $(grep '\.v$' "$theory/_CoqProject"); do
  cp "$theory/$file" "$work/theory/$file"
  "$coqc" -q -Q "$work/theory" Schedproof "$work/theory/$file"
done
cd "$work"  # Extract.v writes checker.ml and checker.mli to the current folder
"$coqc" -q -Q theory Schedproof Extract.v
"$ocamlfind" ocamlopt -package zarith -linkpkg checker.mli checker.ml main.ml -o "$program"
