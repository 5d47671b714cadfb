#!/usr/bin/env bash
# headers_alone.sh COMPILER SOURCE_DIR: fails unless each header of the project compiles by itself.
set -u
compiler=$1
cd "$2" || exit 2
# A header that lacks an include must be noticed, or this check proves nothing.
echo 'inline std::string no_include_here;' | "$compiler" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null && exit 3
git ls-files --cached --others --exclude-standard -- 'model/*.hpp' 'policies/*.hpp' 'proofs/*.hpp' 'checks/*.hpp' 'experiments/*.hpp' |
  xargs -P "$(nproc)" -I{} sh -c '"$0" -std=c++20 -I. -fsyntax-only -x c++ "$1" 2>&1 | grep -v "pragma once in main file" | grep -E "error" && { echo "does not compile alone: $1"; exit 255; } || exit 0' "$compiler" {}
