#!/usr/bin/env bash
# format.sh SOURCE_DIR: fails unless every header and source is formatted as .clang-format says.
set -uo pipefail
cd "$1" || exit 2
# A formatter that accepts anything proves nothing.
printf 'int  main( ){}\n' | clang-format --dry-run --Werror 2>/dev/null && exit 3
git ls-files -z '*.hpp' '*.cpp' 2>/dev/null | xargs -0 -P "$(nproc)" -n 20 clang-format --dry-run --Werror
