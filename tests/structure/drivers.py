"""No driver of the command names a family.

drivers.py SOURCE_DIR: reads experiments/command and the list of checks/families.hpp. A family's own files are those
whose folder or file has its name. Of the others, a folder (in core/, a file) that goes through the registry of families
is a driver; so is one that includes several families, or none. In the texts of a driver no family's name stands; one
that includes a single family may name that one. A command line of `schedproof` in a text is an example for people.

drivers.py --self-test: a family planted in a driver is noticed.
"""

import re
import sys
from pathlib import Path

from cpp_text import TOKEN

COMMAND = 'experiments/command/'
REGISTRY = re.compile(r'#include "checks/families\.hpp"|\bfamily_files\(\)|\bfiles_of\(')


def families_of(text):
    return re.findall(r'FAMILY\((\w+)\)', re.search(r'#define SCHEDPROOF_FAMILIES\(FAMILY\)(.*)', text).group(1))


def own_family(name, families):
    parts = Path(name[len(COMMAND):]).with_suffix('').parts
    return next((f for f in families for part in parts if f == part or part.startswith(f + '_') or part.endswith('_' + f)),
                None)


def unit_of(name):
    return name if name.startswith(COMMAND + 'core/') else name[len(COMMAND):].split('/')[0]


def included(text, families):
    return {f for f in families
            if re.search(r'#include "(?:model|policies|proofs|checks|experiments/\w+)/' + f + '/', text)}


def literals(text):
    """The texts of a source; adjacent ones are one."""
    code = re.sub(r'^\s*#\s*include[^\n]*$', '', text, flags=re.MULTILINE)
    runs, end = [], None
    for token in TOKEN.finditer(code):
        if token.lastgroup in ('line_comment', 'block_comment'):
            continue
        if token.lastgroup not in ('string', 'raw', 'delimiter'):
            continue
        if end is not None and not code[end:token.start()].strip():
            runs[-1] += token.group()[1:-1]
        else:
            runs.append(token.group()[1:-1])
        end = token.end()
    return runs


def complaints(sources, families):
    """Of sources by name, the families that stand where no family should."""
    others = {name: text for name, text in sources.items() if own_family(name, families) is None}
    includes, drivers = {}, set()
    for name, text in others.items():
        includes.setdefault(unit_of(name), set()).update(included(text, families))
        if REGISTRY.search(text) and not name.startswith(COMMAND + 'core/'):
            drivers.add(unit_of(name))
    found = []
    for name, text in sorted(others.items()):
        unit = unit_of(name)
        allowed = includes[unit] if len(includes[unit]) == 1 and unit not in drivers else set()
        for literal in literals(text):
            if re.search(r'schedproof [a-z]', literal):
                continue
            for family in families:
                if family not in allowed and re.search(r'(?<![\w-])' + family + r'(?![\w-])', literal):
                    found.append(f'{name} names the {family} family: {literal[:80]}')
    return found


def self_test():
    families = families_of('#define SCHEDPROOF_FAMILIES(FAMILY) FAMILY(queueing) FAMILY(pile)\n')
    assert families == ['queueing', 'pile']
    one, driver = '#include "model/pile/a.hpp"\n', '#include "checks/families.hpp"\n'

    def noticed(name, text):
        return len(complaints({COMMAND + name: text}, families))

    assert noticed('list/list.cpp', driver + 'f("pile");') == 1
    assert noticed('list/list.cpp', driver + one + 'f("the " /* of */ "pile" " family");') == 1
    assert noticed('list/list.cpp', 'f(R"(no pile)");') == 1
    assert noticed('core/a.cpp', driver + 'f("pile");') == 1
    assert noticed('drain/drain.cpp', one + 'f("queueing");') == 1
    assert noticed('drain/drain.cpp', one + 'f("pile");') == 0
    assert noticed('list/pile/a.cpp', driver + 'f("pile");') == 0
    assert noticed('families/pile_files.cpp', driver + 'f("pile");') == 0
    assert noticed('list/list.cpp', driver + '// pile\nf("piles", "a-pile", "schedproof list --family pile");') == 0


def main():
    if sys.argv[1:] == ['--self-test']:
        return self_test()
    root = Path(sys.argv[1])
    families = families_of((root / 'checks/families.hpp').read_text())
    sources = {str(path.relative_to(root)): path.read_text() for path in (root / COMMAND).rglob('*.[ch]pp')}
    assert len(families) >= 4 and len(sources) > 100, 'the list of families and the sources of the command'
    found = complaints(sources, families)
    sys.exit('\n'.join(found) if found else 0)


main()
