#!/usr/bin/env bash
# every_page.sh COMMAND SOURCE_DIR EVIDENCE: the site of the evidence of all claims works in a browser.
#
# Exit code 0, or 1 with what was not as it should be on standard output.
set -eu
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
"$1" report --evidence "$3" --reproduced "$site/none" -o "$site/site" >"$site/made" || { cat "$site/made"; exit 1; }
PYTHONDONTWRITEBYTECODE=1 python3 "$2/tests/experiments/browser.py" "$1" "$site/site"
