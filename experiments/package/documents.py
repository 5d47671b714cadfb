#!/usr/bin/env python3
"""Install the documents, so that every link leads to a file that is installed too.

documents.py SOURCE_DIR DOCUMENTS DATA: README, changelog and docs/ go to the folder DOCUMENTS.
Instances and sweeps are in the folder DATA, with their own documents. A link to anything else of the sources becomes its
text.
"""
import os
import pathlib
import re
import shutil
import sys

# What is a document beyond docs/, by its place among the installed ones.
PLACES = {'README.md': 'README.md', 'CHANGELOG.md': 'CHANGELOG.md'}
DATA = {'experiments/instances': 'instances', 'experiments/sweeps': 'sweeps'}
LINK = re.compile(r'(```.*?```|`[^`\n]*`)|(!?)\[((?:[^][]|\[[^][]*\])*)\]\(([^()\s]+)\)', re.DOTALL)


class Documents:
    def __init__(self, source, documents, data):
        self.source, self.documents, self.data = source, documents, data
        self.places = dict(PLACES)
        for path in (source / 'docs').rglob('*'):
            if path.is_file():
                name = path.relative_to(source).as_posix()
                self.places[name] = name

    def installed(self, name):
        """Where a file or folder of the sources is installed, or None."""
        if name in self.places:
            return self.documents / self.places[name]
        if (self.source / name).is_dir() and any(place.startswith(name + '/') for place in self.places):
            return self.documents / name
        for folder, place in DATA.items():
            if name == folder or name.startswith(folder + '/'):
                return self.data / place / name[len(folder):].lstrip('/')
        return None

    def link(self, match, name):
        code, image, text, target = match.groups()
        if code is not None or re.match(r'[a-z][a-z0-9+.-]*:|#', target):
            return match.group()
        path, mark, anchor = target.partition('#')
        to = self.installed(os.path.normpath(os.path.join(os.path.dirname(name), path)))
        if to is None:
            return text
        begin = self.installed(name).parent
        return f'{image}[{text}]({os.path.relpath(to, begin)}{mark}{anchor})'

    def write(self):
        of_data = [path.relative_to(self.source).as_posix() for folder in DATA
                   for path in (self.source / folder).rglob('*.md')]
        for name in sorted([*self.places, *of_data]):
            to = self.installed(name)
            to.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith('.md'):
                text = (self.source / name).read_text(encoding='utf-8')
                to.write_text(LINK.sub(lambda match, name=name: self.link(match, name), text), encoding='utf-8')
            else:
                shutil.copyfile(self.source / name, to)


Documents(*map(pathlib.Path, sys.argv[1:4])).write()
