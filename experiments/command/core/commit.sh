#!/bin/sh
# commit.sh ROOT OUTPUT: the commit of a source tree as a literal of C++, empty where ROOT is no repository of its own.
# A file that would not change is left as it is, so that nothing is compiled again.
root=$1 output=$2
described=
if [ -e "$root/.git" ]; then described=$(git -C "$root" describe --always --abbrev=12 2>/dev/null); fi
printf '"%s"\n' "$described" >"$output.part" || exit 1
if cmp -s "$output.part" "$output"; then rm "$output.part"; else mv "$output.part" "$output"; fi
