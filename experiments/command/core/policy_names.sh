#!/usr/bin/env bash
# policy_names.sh SOURCE_DIR FILE: writes where names of policies stand in the sources, a line FILE:LINE:"NAME" each, and of
# the rules that follow them FILE:LINE:rules, FILE:LINE:route( and FILE:LINE:serve(, as a C++ literal. Headers come first: a
# registry repeats names, or holds those of variants. A file that would not change is left as it is, so that nothing is
# compiled again.
set -euo pipefail
cd "$1"
{
  echo 'R"names('
  LC_ALL=C grep -HnoE '"[a-z][a-z0-9+-]*(:[a-z0-9-]+)?"|\bRules rules[{]|\b(route|serve)[(]' policies/*/*.hpp policies/*/registry.cpp |
    sed 's/:Rules rules[{]$/:rules/'
  echo ')names"'
} >"$2.new"
if cmp -s "$2.new" "$2"; then rm "$2.new"; else mv "$2.new" "$2"; fi
