#!/usr/bin/env python3
"""Run the steps of the build servers' files in a page, one by one, in the current folder.

Usage: ci_steps.py PAGE [POLICY]

The page's blocks of YAML are read as a workflow of GitHub Actions (jobs, steps, run) or as a job of GitLab (before_script,
script); its blocks without a language that begin with `schedproof ` are commands as well, the one that begins with `policy: `
is written to router.policy first, and the one that begins with `family = ` to cluster.toml. Left out are steps that install
packages. Prints each step; exit code 1 when one fails, 2 when there is none. With a file POLICY that stands in for the
page's, every step of the files is run, whatever becomes of it, and its exit code is printed.
"""
import os
import re
import shutil
import subprocess
import sys

import yaml


def blocks(page):
    """Language and text of each block of code."""
    return re.findall(r'^```(\w*)\n(.*?)^```$', page, re.MULTILINE | re.DOTALL)


def steps_of(document):
    """The shell steps of a workflow, or of the jobs of a pipeline, in their order."""
    if 'jobs' in document:
        return [step['run'] for job in document['jobs'].values() for step in job['steps'] if 'run' in step]
    return [line for job in document.values() for part in ('before_script', 'script') for line in job.get(part, [])]


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        code = blocks(file.read())
    steps = []
    for language, text in code:
        if language == 'yaml':
            steps += steps_of(yaml.safe_load(text))
        elif not language and text.startswith('schedproof ') and len(sys.argv) == 2:
            steps.append(text)
        elif not language and text.startswith(('policy: ', 'family = ')):
            with open('router.policy' if text.startswith('policy') else 'cluster.toml', 'w', encoding='utf-8') as file:
                file.write(text)
    if len(sys.argv) > 2:
        shutil.copy(sys.argv[2], 'router.policy')
    steps = [step for step in steps if 'apt-get install' not in step]
    environment = dict(os.environ, GITHUB_STEP_SUMMARY='summary.md')
    for step in steps:
        print('$ ' + step.strip(), flush=True)
        ended = subprocess.run(['bash', '-e', '-o', 'pipefail', '-c', step], env=environment, check=False)
        if len(sys.argv) > 2:
            print(f'exit {ended.returncode}')
        elif ended.returncode != 0:
            sys.exit(f'ci_steps.py: exit code {ended.returncode}')
    return 0 if steps else 2


if __name__ == '__main__':
    sys.exit(main())
