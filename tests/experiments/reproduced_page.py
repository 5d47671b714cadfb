#!/usr/bin/env python3
"""The page of what was reproduced of the papers' figures: docs/reproduced.md.

reproduced_page.py COMMAND SOURCE_DIR                 check the page, and run three figures again
reproduced_page.py COMMAND SOURCE_DIR --from DIR ...  write it from the results of `reproduce --out DIR`

The page is current when it has every figure of `reproduce --list`, each with the digest of the declaration that there is
now. Of results at both scales the full ones are shown. The figures that are run again, at the scale of minutes, are
among those that take seconds, and the day chooses them: all have their turn within weeks.
"""

import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

QUICKEST = 0.25  # minutes, as a declaration states them
AGAIN = 3
HEAD = '''# What was reproduced

Every claim about a figure of the papers, with the verdict that `schedproof reproduce` found and what it rests on: of
the comparisons that decide it, the first. The scale is that of the runs: *full* is the papers' own, *quick* one of
minutes. What the verdicts mean, and how a figure is run again, is on [the papers' figures](reproduce.md).

A program writes this page from the runs (`tests/experiments/reproduced_page.py --from`), and a test compares the digest
of each figure's declaration with that of the runs.
'''


def catalogue(command):
    answer = subprocess.run([command, 'reproduce', '--list', '--format', 'json'], check=True, capture_output=True)
    return json.loads(answer.stdout)['figures']


def number(value):
    return 'not seen' if value is None else f'{value:.4g}'


def comparison(one):
    text = f'{one["what"]}: {number(one["value"])}'
    if one['half_width']:
        text += f' +- {one["half_width"]:.2g}'
    bounds = [f'{side} {one[side]:g}' for side in ('above', 'below') if side in one]
    return text + ', to be ' + ' and '.join(bounds)


def row(claim):
    telling = next((c for c in claim['comparisons'] if c['truth'] == claim['truth']), claim['comparisons'][0])
    verdict = claim['verdict'] if claim['as_expected'] else f'{claim["verdict"]} (expected: {claim["expected"]})'
    return f'| {claim["says"]} | {verdict} | {comparison(telling)} |'


def section(figure):
    runs = figure['replications']
    lines = [f'<a id="{figure["id"]}"></a>', f'### {figure["number"]}: {figure["title"]}', '',
             f'`{figure["id"]}`, {figure["scale"]} scale, {runs} replication{"" if runs == 1 else "s"}; declaration '
             f'`{figure["declaration_sha256"][:16]}`.', '', '| the paper says | verdict | comparison |', '|---|---|---|']
    return '\n'.join(lines + [row(claim) for claim in figure['claims']]) + '\n'


def results(folders):
    found = {}
    for folder in folders:
        for file in sorted(pathlib.Path(folder).glob('*/claims.json')):
            figure = json.loads(file.read_text())
            if figure['id'] not in found or figure['scale'] == 'full':
                found[figure['id']] = figure
    return found


def page(figures, found):
    parts, paper = [HEAD], None
    for figure in figures:
        result = found.get(figure['id'])
        if result is None:
            sys.exit(f'no result of {figure["id"]}')
        if result['declaration_sha256'] != figure['declaration_sha256']:
            sys.exit(f'the result of {figure["id"]} is of another declaration')
        if figure['paper'] != paper:
            paper = figure['paper']
            parts.append(f'## [{paper}]\n')
        parts.append(section(result))
    return '\n'.join(parts)


def check(figures, text):
    for figure in figures:
        entry = f'`{figure["id"]}`, '
        if entry not in text:
            sys.exit(f'docs/reproduced.md does not have {figure["id"]}; run it and write the page again')
        line = next(line for line in text.splitlines() if line.startswith(entry))
        if figure['declaration_sha256'][:16] not in line:
            sys.exit(f'docs/reproduced.md shows runs of another declaration of {figure["id"]}: run it again')
    shown = sum(line.startswith('### ') for line in text.splitlines())
    if shown != len(figures):
        sys.exit(f'docs/reproduced.md has {shown} figures, there are {len(figures)}')


def run_again(command, figures, source):
    quick = []
    for figure in figures:
        with open(source / figure['declaration'], 'rb') as file:
            if tomllib.load(file)['quick']['minutes'] <= QUICKEST:
                quick.append(figure['id'])
    day = datetime.date.today().toordinal()
    chosen = sorted({quick[(AGAIN * day + i) % len(quick)] for i in range(AGAIN)})
    print('run again:', *chosen, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([command, 'reproduce', *chosen, '--quick', '--format', 'csv', '--out', folder], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('command')
    parser.add_argument('source', type=pathlib.Path)
    parser.add_argument('--from', dest='folders', nargs='+', default=[])
    arguments = parser.parse_args()
    figures = catalogue(arguments.command)
    file = arguments.source / 'docs' / 'reproduced.md'
    if arguments.folders:
        file.write_text(page(figures, results(arguments.folders)))
        return
    check(figures, file.read_text())
    run_again(arguments.command, figures, arguments.source)


main()
