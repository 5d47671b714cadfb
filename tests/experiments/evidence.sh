#!/usr/bin/env bash
# evidence.sh COMMAND FOLDER: runs all claims and leaves their evidence in FOLDER, with the table of verdicts as verdicts.md.
set -eu
rm -rf "$2"
mkdir -p "$2"
"$1" check --evidence "$2" --format markdown -o "$2/verdicts.md"
