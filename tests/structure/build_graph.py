"""What a build folder of Ninja knows: how long each object took, and which objects a changed file rebuilds.

Ninja's log holds wall times only, and its dependency log the files that each object read when it was last compiled.
Nothing is built, and no file is touched.
"""

import os
import re
import subprocess


class BuildGraph:
    def __init__(self, build, ninja='ninja'):
        self.build = os.path.abspath(build)
        self.ninja = ninja
        # The folder that was configured, which the graph's paths begin with, need not be the folder measured.
        self.source = self._cache('CMAKE_HOME_DIRECTORY')
        self.configured = self._cache('CMAKE_CACHEFILE_DIR')
        self.readers = {}  # file (path from the source folder where it is below that) -> outputs that read it
        self._read_dependencies()

    def _cache(self, key):
        with open(os.path.join(self.build, 'CMakeCache.txt')) as cache:
            for line in cache:
                if line.startswith(key + ':'):
                    return line.rstrip('\n').split('=', 1)[1]
        raise SystemExit(f'measure.py: {self.build}/CMakeCache.txt has no {key}')

    def _tool(self, *arguments):
        run = subprocess.run([self.ninja, '-C', self.build, '-t', *arguments], capture_output=True, text=True)
        if run.returncode != 0:
            raise SystemExit(f'measure.py: ninja -t {" ".join(arguments)} failed: {run.stderr.strip()}')
        return [line for line in run.stdout.split('\n') if not line.startswith('ninja: ')]

    def _relative(self, path):
        # Outputs are named from the build folder, sources by their whole paths.
        if path.startswith(self.configured + '/'):
            return path[len(self.configured) + 1:]
        if path.startswith(self.source + '/'):
            return path[len(self.source) + 1:]
        return path

    def _read_dependencies(self):
        output = None
        for line in self._tool('deps'):
            if line.startswith(' '):
                self.readers.setdefault(self._relative(line.strip()), set()).add(output)
            elif ': #deps' in line:
                output = line.split(': #deps')[0]

    def rebuilt(self, path):
        """The objects that a change of the file rebuilds, also through precompiled headers."""
        objects, waiting, seen = set(), [path], set()
        while waiting:
            for output in self.readers.get(waiting.pop(), ()):
                if output not in seen:
                    seen.add(output)
                    waiting.append(output)
                    if output.endswith('.o'):
                        objects.add(output)
        return objects

    def objects_of(self, target):
        """The objects that a target needs, by the build rules."""
        return {line for line in self._tool('inputs', target) if line.endswith('.o')}

    def wall_seconds(self):
        """Output -> wall seconds of its last compilation. With several jobs at a time they share the processors."""
        seconds = {}
        with open(os.path.join(self.build, '.ninja_log')) as log:
            for line in log:
                fields = line.rstrip('\n').split('\t')
                if len(fields) == 5 and re.search(r'\.(?:o|gch|pch)$', fields[3]):
                    seconds[self._relative(fields[3])] = (int(fields[1]) - int(fields[0])) / 1000
        return seconds


def short(output):
    """An object's name without CMake's folders."""
    return re.sub(r'(?:CMakeFiles/|Unity/unity_|\.dir|_cxx\.cxx\.o$|\.o$)', '', output)
