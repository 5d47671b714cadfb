#!/usr/bin/env bash
# Prints, as Markdown, every departure from a paper: the comment lines tagged `Deviation:` with their continuation.
cd "$(dirname "$0")/.." || exit 2
grep -rl 'Deviation:' --include='*.hpp' model policies proofs checks experiments | LC_ALL=C sort | while read -r file; do
  awk -v file="$file" '
    /\/\/\/ Deviation:/ { if (open) print "* `" file "`: " text; sub(/.*Deviation: */, ""); text = $0; open = 1; next }
    open && /^ *\/\/\/ [^ ]/ { sub(/^ *\/\/\/ */, ""); text = text " " $0; next }
    open { print "* `" file "`: " text; open = 0 }' "$file"
done
