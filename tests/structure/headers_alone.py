#!/usr/bin/env python3
"""headers_alone.py COMPILER SOURCE_DIR: fails unless each header of the project compiles by itself.

Most of the time of such a compilation goes to a few headers of libraries, so these are precompiled: before a header come
those of them that it includes itself, directly or through other headers of the project, and no others. That hides
nothing. Where a header of the project lacks an include, another that is checked by itself reads before it what it lacks
only if it includes that too; and the first that does not provide for itself is checked without.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOTS = ('model', 'policies', 'proofs', 'checks', 'experiments', 'tests')
COSTLY = ('boost/multiprecision/gmp.hpp', 'boost/container/small_vector.hpp')


def includes(path):
    return re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE)


def replaced_by(name):
    """The folder whose headers are read in place of others of the same names, if the header is of one."""
    before, folder, _ = str(name).partition('/instead/')
    return before + folder if folder else ''


def closures(headers):
    """What each header includes, directly or not, itself among it."""
    direct = {str(h): includes(h) for h in headers}

    def closure(name, seen):
        if name not in seen:
            seen.add(name)
            for included in direct.get(name, ()):
                closure(included, seen)
        return seen

    return {name: closure(name, set()) for name in direct}


class Compiler:
    def __init__(self, program, folder):
        self.command = [program, '-std=c++20', '-I.', '-DSCHEDPROOF_SOURCE_DIR=""', '-DSCHEDPROOF_COMMAND=""']
        self.folder = folder
        self.precompiled = {}

    def precompile(self, costly):
        """The headers `costly` in one, which `-include` finds compiled."""
        if costly and costly not in self.precompiled:
            header = os.path.join(self.folder, f'costly{len(self.precompiled)}.hpp')
            pathlib.Path(header).write_text(''.join(f'#include <{name}>\n' for name in costly))
            subprocess.run([*self.command, '-x', 'c++-header', header, '-o', header + '.gch'], check=True)
            self.precompiled[costly] = header

    def complaint(self, source, costly):
        """What the compiler says of a source text or file: nothing if it compiles."""
        instead = ['-I' + replaced_by(source)] if replaced_by(source) else []
        before = ['-include', self.precompiled[costly]] if costly else []
        program, *options = self.command
        ended = subprocess.run([program, *instead, *options, *before, '-fsyntax-only', '-x', 'c++', source],
                               capture_output=True, text=True)
        return ended.stderr if ended.returncode else ''


def main():
    program, source_dir = sys.argv[1:]
    os.chdir(source_dir)
    headers = sorted(h for root in ROOTS for h in pathlib.Path(root).rglob('*.hpp'))
    if len(headers) < 60:
        sys.exit(f'found only {len(headers)} headers')
    costly = {name: tuple(c for c in COSTLY if c in seen) for name, seen in closures(headers).items()}
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(program, folder)
        for group in set(costly.values()):
            compiler.precompile(group)
        # A header that lacks an include must be noticed in each group, or this check proves nothing.
        for group in set(costly.values()):
            slip = pathlib.Path(folder) / 'slip.hpp'
            slip.write_text('inline std::regex no_include_here;\n')
            if not compiler.complaint(str(slip), group):
                sys.exit(f'a header without its includes compiles after {group}')
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            said = list(pool.map(lambda name: compiler.complaint(name, costly[name]), costly))
    for name, complaint in zip(costly, said):
        if complaint:
            print(f'does not compile alone: {name}\n{complaint}')
    print(f'{len(headers)} headers, {sum(map(bool, said))} do not compile alone')
    sys.exit(any(said))


main()
