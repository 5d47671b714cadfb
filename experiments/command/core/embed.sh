#!/bin/sh
# embed.sh ROOT OUTPUT FILE...: rows of a C++ initialiser, the path of each file below ROOT and its text. A file that
# would not change is left as it is, so that nothing is compiled again.
set -eu
root=$1 output=$2
shift 2
for file; do
  if grep -qF ')embedded"' "$file"; then
    echo "embed.sh: $file holds the mark that ends a text" >&2
    exit 1
  fi
  printf '{"%s", R"embedded(' "${file#"$root"/}"
  cat "$file"
  printf ')embedded"},\n'
done >"$output.part"
if cmp -s "$output.part" "$output"; then rm "$output.part"; else mv "$output.part" "$output"; fi
