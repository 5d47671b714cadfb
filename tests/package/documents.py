#!/usr/bin/env python3
"""documents.py PREFIX: every link of the installed documents leads to an installed file, and every example of the help runs
in another folder. Exit code 0, or 1 with what does not."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LINK = re.compile(r'```.*?```|`[^`\n]*`|\]\(([^()\s]+)\)', re.DOTALL)
# Take minutes, or need a cluster or files of the user; of the last, a test of the command runs some.
LEFT_OUT = ('--slurm', '--collect', '--quick --all', '--full', 'merge ', 'import ', ' --trace')


def dead_links(root):
    seen, dead = 0, []
    for page in sorted(root.rglob('*.md')):
        for match in LINK.finditer(page.read_text(encoding='utf-8')):
            target = (match.group(1) or '#').partition('#')[0]
            if not target or re.match(r'[a-z][a-z0-9+.-]*:', target):
                continue
            seen += 1
            if not (page.parent / target).exists():
                dead.append(f'{page.relative_to(root)}: {target}')
    if seen < 100:
        dead.append(f'{seen} links only')
    return dead


def examples(program):
    """The command lines below `Example:` in the help of each subcommand."""
    def ask(*words):
        return subprocess.run([program, *words, '--help'], check=True, capture_output=True, text=True).stdout

    def below(text):
        part = text.split('Subcommands:\n')
        return re.findall(r'^  ([a-z][a-z-]*) ', part[1], re.MULTILINE) if len(part) > 1 else []

    lines = []
    for name in below(ask()):
        for words in [(name, part) for part in below(ask(name))] or [(name,)]:
            lines += re.findall(r'^  (schedproof .*)$', ask(*words).split('Example:\n')[-1], re.MULTILINE)
    return lines


def failing_examples(program, scratch):
    failures, ran = [], 0
    environment = dict(os.environ, PATH=f'{program.parent}:{os.environ["PATH"]}')
    for line in dict.fromkeys(examples(program)):
        if any(word in line for word in LEFT_OUT):
            continue
        ended = subprocess.run(['sh', '-c', line], cwd=scratch, env=environment, capture_output=True, text=True,
                               stdin=subprocess.DEVNULL)
        ran += 1
        if ended.returncode != 0:
            failures.append(f'{line}: exit code {ended.returncode}: {ended.stderr.strip()}')
    for picture in ('cluster.svg', 'chain.svg'):
        drawn = pathlib.Path(scratch, picture)
        if not drawn.exists() or '</svg>' not in drawn.read_text(encoding='utf-8'):
            failures.append(f'{picture} is not drawn')
    if ran < 15:
        failures.append(f'{ran} examples only')
    return failures


def main():
    prefix = pathlib.Path(sys.argv[1])
    wrong = dead_links(prefix / 'share')
    with tempfile.TemporaryDirectory() as scratch:
        wrong += failing_examples(prefix / 'bin/schedproof', scratch)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
