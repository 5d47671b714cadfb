#!/bin/sh
# embed.sh ROOT OUTPUT FILE...: rows of a C++ initialiser, the path of each file below ROOT and its text.
set -eu
root=$1 output=$2
shift 2
for file; do
  printf '{"%s", R"declaration(' "${file#"$root"/}"
  cat "$file"
  printf ')declaration"},\n'
done >"$output.part"
mv "$output.part" "$output"
