#!/usr/bin/env python3
"""Measure what a clone costs its users, as a ratio to another revision that is measured in the same hour on this machine.

Both revisions are cloned into a scratch folder, and each is asked for its first answer: the launcher configures, builds the
command and runs it. With --test the tests are built and run as well, with --ci what `.ci/run` runs. Packages are
installed before anything is timed. Processor time is that of all processes, user and system. Nothing else should run
meanwhile; where something did, processor time is off by less than wall time.

Prints one table: figure, of the other revision, of this one, ratio, the most that it may be. Exit code 1 when a ratio is above it,
a step of the build takes longer than 40 s of processor time, or a source is compiled alone by a list.

example:
  tests/structure/weight.py                     # against e7dfa986, the first build alone
  tests/structure/weight.py --against v0.2.0 --test
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

RATIO = 0.5
LONGEST_STEP = 40.0
CI_MINUTES = 40.0
FIRST_ANSWER = ('capacity', 'experiments/instances/n2-pandas.toml')
# Notes the processor time of each compilation.
LAUNCHER = '''#!/usr/bin/env python3
import resource, subprocess, sys
ended = subprocess.run(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
output = sys.argv[sys.argv.index('-o') + 1] if '-o' in sys.argv else ''
open({log!r}, 'a').write(f'{{used.ru_utime + used.ru_stime:.2f}} {{output}}\\n')
sys.exit(ended.returncode)
'''


def timed(command, folder, log, environment=None):
    """Seconds of processor and wall time of a command that must succeed."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with open(log, 'w') as file:
        ended = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                               env={**os.environ, **(environment or {})})
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode:
        sys.exit(f'{" ".join(command)} failed in {folder}; see {log}')
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


class Clone:
    def __init__(self, source, revision, folder):
        self.folder, self.revision, self.steps = folder, revision, folder + '.steps'
        subprocess.run(['git', 'clone', '-q', source, folder], check=True)
        subprocess.run(['git', '-C', folder, 'checkout', '-q', revision], check=True)
        self.launcher = folder + '.launcher'
        with open(self.launcher, 'w') as file:
            file.write(LAUNCHER.format(log=self.steps))
        os.chmod(self.launcher, 0o755)

    def asked(self, *arguments):
        return timed(['./schedproof', *arguments], self.folder, f'{self.folder}.{arguments[0]}.log',
                     {'CMAKE_CXX_COMPILER_LAUNCHER': self.launcher})

    def longest(self):
        """The longest step so far: its seconds, and its output."""
        with open(self.steps) as file:
            steps = [line.split(maxsplit=1) for line in file]
        return max(((float(step[0]), step[1].strip() if len(step) > 1 else '') for step in steps), default=(0.0, ''))

    def alone(self):
        """The sources that a list of the build names to be compiled alone."""
        with open(os.path.join(self.folder, 'CMakeLists.txt')) as file:
            found = re.search(r'set\(compiled_alone\b([^)]*)\)', file.read())
        return found.group(1).split() if found else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--against', default='e7dfa986', help='the other revision (default: e7dfa986)')
    parser.add_argument('--revision', default='HEAD', help='the revision that is measured (default: HEAD)')
    parser.add_argument('--test', action='store_true', help='build and run the tests too')
    parser.add_argument('--ci', action='store_true', help='run what .ci/run runs too')
    parser.add_argument('--keep', metavar='FOLDER', help='work in this new folder, and keep it')
    asked = parser.parse_args()
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    root = os.path.abspath(asked.keep) if asked.keep else tempfile.mkdtemp()
    os.makedirs(root, exist_ok=True)
    commit = subprocess.run(['git', '-C', source, 'rev-parse', asked.revision], check=True, capture_output=True, text=True).stdout.strip()
    try:
        other, this = Clone(source, asked.against, root + '/other'), Clone(source, commit, root + '/this')
        rows, missed = [], False

        def compared(name, arguments, wall_limit=None):
            nonlocal missed
            (cpu, wall), (cpu_now, wall_now) = other.asked(*arguments), this.asked(*arguments)
            for unit, then, now in (('CPU', cpu, cpu_now), ('wall', wall, wall_now)):
                rows.append((f'{name}, {unit}', f'{then:.0f} s', f'{now:.0f} s', f'{now / then:.2f}', f'{RATIO}'))
                missed = missed or now > RATIO * then
            missed = missed or (wall_limit is not None and wall_now > wall_limit)

        compared('first answer', FIRST_ANSWER)
        if asked.test:
            compared('test', ('test',))
        if asked.ci:
            compared('test --all', ('test', '--all'), CI_MINUTES * 60)
        (then, _), (now, step) = other.longest(), this.longest()
        rows.append((f'longest step ({step})', f'{then:.0f} s', f'{now:.0f} s', '', f'{LONGEST_STEP:.0f} s'))
        rows.append(('sources compiled alone by a list', str(len(other.alone())), str(len(this.alone())), '', '0'))
        missed = missed or now > LONGEST_STEP or bool(this.alone())
    finally:
        if not asked.keep:
            shutil.rmtree(root)
    head = ('figure', other.revision[:8], this.revision[:8], 'ratio', 'at most')
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(5)]
    for row in [head, *rows]:
        print('  '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    sys.exit(missed)


main()
