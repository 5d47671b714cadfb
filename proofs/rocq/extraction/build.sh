#!/bin/sh
# build.sh COQC OCAMLFIND SOURCES THEORY WORK PROGRAM: extracts the checker from the compiled theory in the folder THEORY, and
# compiles it with main.ml of SOURCES to PROGRAM; what is made in between lies in WORK.
set -eu
coqc=$1 ocamlfind=$2 sources=$3 theory=$4 work=$5 program=$6
mkdir -p "$work" "$(dirname "$program")"
cp "$sources/Extract.v" "$sources/main.ml" "$work"
cd "$work"  # Extract.v writes checker.ml and checker.mli to the current folder
"$coqc" -q -Q "$theory" Schedproof Extract.v
"$ocamlfind" ocamlopt -package zarith -linkpkg checker.mli checker.ml main.ml -o "$program"
