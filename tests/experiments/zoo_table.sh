#!/bin/sh
# zoo_table.sh COMMAND PAGE: the table of docs/zoo.md is the one that the command makes, letter by letter. Takes half an
# hour on two cores. With SCHEDPROOF_UPDATE_DOCS set it writes the page anew.
set -eu
command=$1 page=$2
made=$(mktemp)
trap 'rm -f "$made" "$made.page"' EXIT
"$command" zoo --table --format markdown | grep '^|' >"$made"
awk -v made="$made" '
  /^<!-- end of verdicts -->/ { inside = 0; while ((getline line < made) > 0) print line }
  !inside { print }
  /^<!-- verdicts -->/ { inside = 1 }' "$page" >"$made.page"
if [ -n "${SCHEDPROOF_UPDATE_DOCS:-}" ]; then
  cp "$made.page" "$page"
else
  diff -u "$page" "$made.page"
fi
