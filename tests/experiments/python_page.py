#!/usr/bin/env python3
"""python_page.py COMMAND SOURCE_DIR: the Python of docs/python.md does what the page says.

Its blocks are run one after another in one program, as in a notebook, in a folder of their own from which the instances
of the sources are seen; what each prints is compared with the block of text that follows it. Exit code 0, or 1 with the
first difference.
"""
import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path


def blocks(page):
    """Each block of Python with the text that it should print, empty where none follows."""
    for code, text in re.findall(r'^```python\n(.*?)^```\n(?:\s*```text\n(.*?)^```\n)?', page, re.M | re.S):
        yield code, text


def main(command, source):
    root = Path(source).resolve()
    page = (root / 'docs/python.md').read_text(encoding='utf-8')
    os.environ['PATH'] = f'{Path(command).resolve().parent}:{os.environ["PATH"]}'
    count, names = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.symlink(root / 'experiments', 'experiments')
        for code, expected in blocks(page):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, 'docs/python.md', 'exec'), names)  # the page is ours
            count += 1
            if printed.getvalue() != expected:
                print(f'expected\n{expected}after\n{code}not\n{printed.getvalue()}')
                return 1
        os.chdir('/')
    print(count, 'blocks')
    return 0 if count >= 4 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
