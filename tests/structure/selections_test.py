#!/usr/bin/env python3
"""selections_test.py CTEST BUILD SOURCE_DIR: each test is in one of three selections, and the launcher and the documents
name them.

A selection is a label: none (`./schedproof test`), `all` (what `test --all` adds, which .ci/run calls) or `everything`. What
a selection's tests need first, a fixture, is in a selection that is no longer. Exit code 0, or 1 with what is not so.
"""
import json
import pathlib
import re
import subprocess
import sys

LONGER = ('all', 'everything')


def labels_of(test):
    for one in test.get('properties', ()):
        if one['name'] == 'LABELS':
            return one['value']
    return []


def values_of(test, name):
    return next((one['value'] for one in test.get('properties', ()) if one['name'] == name), [])


def level(test):
    """0, 1 or 2; none where a test is in several selections."""
    mine = [label for label in labels_of(test) if label in LONGER]
    return None if len(mine) > 1 else LONGER.index(mine[0]) + 1 if mine else 0


def complaints(tests, launcher):
    wrong = [f'{test["name"]}: in several selections' for test in tests if level(test) is None]
    if wrong:
        return wrong
    setup = {}
    for test in tests:
        for fixture in values_of(test, 'FIXTURES_SETUP'):
            setup[fixture] = max(setup.get(fixture, 0), level(test))
    for test in tests:
        for fixture in values_of(test, 'FIXTURES_REQUIRED'):
            if setup.get(fixture, 0) > level(test):
                wrong.append(f'{test["name"]}: needs the fixture {fixture}, which a longer selection makes')
    # What each call of the launcher leaves out, by its own pattern.
    excluded = re.findall(r"selection=\((?:-LE '([^']*)')?\)", launcher)
    if len(excluded) != 3:
        return wrong + ['the launcher names not three selections']
    for most, pattern in enumerate(excluded):
        for test in tests:
            runs = not pattern or not any(re.search(pattern, label) for label in labels_of(test))
            if runs != (level(test) <= most):
                wrong.append(f'{test["name"]}: {"run" if runs else "not run"} by selection {most}')
    for most in range(3):
        if not any(level(test) == most for test in tests):
            wrong.append(f'no test is in selection {most}')
    return wrong


def self_test(tests, launcher):
    """Each kind of mistake is noticed, or this test proves nothing."""
    twice = {'name': 'twice', 'properties': [{'name': 'LABELS', 'value': ['all', 'everything']}]}
    needy = {'name': 'needy', 'properties': [{'name': 'FIXTURES_REQUIRED', 'value': ['late']}]}
    late = {'name': 'late', 'properties': [{'name': 'LABELS', 'value': ['everything']},
                                           {'name': 'FIXTURES_SETUP', 'value': ['late']}]}
    return (complaints(tests + [twice], launcher) and complaints(tests + [needy, late], launcher) and
            complaints(tests, launcher.replace("'^everything$'", "'^all$'")))


def main():
    ctest, build, source = sys.argv[1:]
    shown = subprocess.run([ctest, '--show-only=json-v1'], cwd=build, check=True, capture_output=True, text=True).stdout
    tests = json.loads(shown)['tests']
    launcher = pathlib.Path(source, 'schedproof').read_text()
    wrong = complaints(tests, launcher)
    if not self_test(tests, launcher):
        wrong.append('a mistake is not noticed')
    for name in ('README.md', 'CONTRIBUTING.md'):
        text = pathlib.Path(source, name).read_text()
        wrong += [f'{name} does not name `./schedproof test{option}`' for option in ('', ' --all', ' --everything')
                  if f'./schedproof test{option}' not in text]
    print('\n'.join(wrong) if wrong else ', '.join(f'{sum(level(t) == most for t in tests)} tests in selection {most}' for most in range(3)))
    sys.exit(bool(wrong))


main()
