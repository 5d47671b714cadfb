#!/usr/bin/env bash
# latex.sh COMMAND SOURCE_DIR: pictures of TikZ and tables of LaTeX compile as an author puts them into a paper, with the
# packages that their first lines name and nothing else.
#
# Exit code 0, or 1 with what LaTeX said on standard output.
set -eu
command=$1 source=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
for program in pdflatex gnuplot; do
  command -v "$program" >/dev/null || { echo "$program is not installed (Debian packages texlive-latex-base, texlive-pictures)"; exit 1; }
done

cd "$source" # paths of instances are seen from here
half=experiments/instances/m2-half.toml
cat >"$root/near.policy" <<'END'
policy: near-50
let: abs = 2
keep: per_server
route: when(greatest(servers, length) - least(servers, length) > tasks(abs), argmin(servers, length), argmin(local, length))
serve: nonempty(own)
END
printf '[simulate]\ninstance = "%s"\npolicy-file = "%s"\nhorizon = 300\nreplications = 3\n[grid]\nabs = [1, 4, 16]\n' \
  "$half" "$root/near.policy" >"$root/sweep.toml"
"$command" simulate "$half" -p jsq-maxweight -p fifo --horizon 300 --replications 3 --picture "$root/series.tikz" \
  --title 'delay_of 100% & more {#1} ~ ^ \ $' --format latex -o "$root/one.tex"
"$command" sweep "$root/sweep.toml" --picture "$root/mean.tikz" --log-x --format latex -o "$root/points.tex"
"$command" gap "$half" -p jsq-maxweight -p join-shortest-queue --digits 1 --picture "$root/gap.tikz" --format latex \
  -o "$root/gap.tex"
"$command" mean "$half" -p jsq-maxweight --digits 2 --format latex -o "$root/mean.tex"
"$command" validate jsq-maxweight --only "$half" --cases 3 --slots 0 --no-mutants --format latex -o "$root/validate.tex"

cd "$root"
export TEXMFVAR=$root/texmf # fonts that LaTeX makes
packages=$(sed -n 's/^% In the preamble: *\(\\usepackage{[a-z-]*}\).*/\1/p' ./*.tikz ./*.tex | sort -u)
[ "$(printf '%s\n' "$packages" | wc -l)" = 2 ] || { echo "expected two packages, not: $packages"; exit 1; }
eval "$(sed -n 's/^% *\(gnuplot -e "set terminal tikz createstyle"\)$/\1/p' series.tikz)"
{
  printf '\\documentclass{article}\n%s\n\\begin{document}\n' "$packages"
  for file in *.tikz one.tex points.tex gap.tex mean.tex validate.tex; do printf '\\input{%s}\n\n' "$file"; done
  printf '\\end{document}\n'
} >paper.latex
pdflatex -interaction=nonstopmode -halt-on-error paper.latex >log || { tail -n 30 log; exit 1; }
[ -s paper.pdf ]
