#!/usr/bin/env python3
"""Measure the structure of the source tree, and of a build folder, against the project's targets.

Prints one table: figure, measured, target, ok or missed. Exit code 1 when a target is missed; figures without a target,
such as seconds, which depend on the machine, are only reported.

example:
  tests/structure/measure.py                          # the sources
  tests/structure/measure.py --build build/release    # and the build
  tests/structure/measure.py --list duplicates        # where a figure comes from
  tests/structure/measure.py --target duplicates=40   # with another target
"""

import argparse
import os
import re
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build_graph  # noqa: E402
import cpp_text  # noqa: E402

CODE_FOLDERS = ('model', 'policies', 'proofs', 'checks', 'experiments')

# Names of a role that stands once in each family or subcommand: there the folder tells the headers apart.
ROLE_NAMES = set('''
    added_policy agreement any_policy capacity case claim claims codec conditions decode evidence exact family fluid_model generate generator
    instance kernel mutants policy problem properties property reader reference_model registered_policies registry request run
    requests schedule shrink shrinker statements statement system theorem theorems trajectory types view witnesses worst
    writer options option_table'''.split())

# Words that docs/glossary.md retires: each with a stem without which a text has none of its forms, and these, as they
# stand in prose and in identifiers. A word that is right in another sense (text, word, slot, outcome, account, chance)
# cannot be counted and is left to the reader.
RETIRED = (
    ('reading', 'reading', r'(?<!for )(?<!on )(?<!writing and )\breadings?\b(?!, printing| (?:the|a|an|from|it|them|back)\b)|'
                r'_readings?\b|\breadings?_|Readings?[A-Z{(;]'),
    ('judge', 'judge', r'(?<![a-z])[Jj]udge(?:s|ment|ments)?(?![a-z])'),
    ('subject', 'subject', r'(?<![a-z])[Ss]ubjects?(?![a-z])(?! to\b)'),
    ('plain view', 'plain', r'\bplain_(?!fill\b|text\b)\w+|\bplain (?:reading|view|implementation)s?\b'),
    # Ids of claims and of their domains stay: `sharing.courses-end`, `courses`.
    ('course', 'course', r'(?<!of )(?<!["`(.-])\bcourses?\b|_courses?\b|\bcourses?_|Course(?![a-z])'),
    ('wording', 'wording', r'\bwordings?\b'),
    ('lottery', 'lotter', r'(?<![a-z])[Ll]otter(?:y|ies)(?![a-z])'),
    ('faulty', 'faulty', r'\bfaulty\b'),
    ('by hand', 'hand', r'\bby_hand\b|\b(?:baseline|loop|kernel)s? (?:written )?by hand\b'),
    ('left open', 'left open', r'\bleft open\b'),
    ('silent about', 'silent', r'\bsilent about\b'),
    ('asked (of a target)', 'asked', r'\bas asked\b|\btargets? asked\b|\basked targets?\b'),
    ('seed (a paper)', 'seed', r'\b(?:both|neither|either) seeds?\b'),
    ('specification N', 'specification', r'\b[Ss]pecification [0-9]'),
)
# The glossary and the changelog name the retired words, and this folder counts them.
MAY_NAME_RETIRED_WORDS = ('docs/glossary.md', 'CHANGELOG.md', 'tests/structure/')

# A comment says why a function or a file is long in a line, or in a paragraph from such a line on, that begins so.
REASON = re.compile(r'^Long: \S.{15,}', re.MULTILINE)

# Targets by figure; one without a target is only reported. Those of a build are measured with --build alone.
TARGETS = {
    'long-functions': ('<=', 0),
    'duplicates': ('<=', 20),
    'test-ratio': ('>=', 0.33),
    'shared-basenames': ('<=', 0),
    'folders-without-readme': ('<=', 0),
    'essays': ('>=', 151),
    'long-sources-without-essay': ('<=', 0),
    'unopened-sources': ('<=', 1),
    'functions-over-40': ('<=', 50),
    'long-files': ('<=', 0),
    'retired-words': ('<=', 0),
    'specification-citations': ('<=', 0),
    'policy-header-rebuilds': ('<=', 15),
    'claim-rebuilds-elsewhere': ('<=', 0),
}


class Figure:
    """One row of the table, and below it where it comes from."""

    def __init__(self, name, text, value, where=()):
        self.name, self.text, self.value, self.where = name, text, value, list(where)

    def target(self, targets):
        relation, bound = targets.get(self.name, (None, None))
        return f'{relation} {bound:g}' if relation else ''

    def verdict(self, targets):
        relation, bound = targets.get(self.name, (None, None))
        if relation is None:
            return ''
        return 'ok' if (self.value <= bound if relation == '<=' else self.value >= bound) else 'missed'


class Tree:
    """The sources and documents below a folder, read once; paths from that folder."""

    def __init__(self, root):
        self.root = root
        self.paths = []
        for top in CODE_FOLDERS + ('tests', 'docs'):
            for folder, inner, names in os.walk(os.path.join(root, top)):
                inner[:] = sorted(name for name in inner if name != '__pycache__' and not name.endswith('.results'))
                self.paths += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(names)]
        self.paths += sorted(name for name in os.listdir(root) if name.endswith('.md'))
        self.text = {path: self._read(path) for path in self.paths if path.endswith(('.hpp', '.cpp', '.md', '.def'))}
        self.code = {path: text for path, text in self.text.items()
                     if path.startswith(tuple(f'{top}/' for top in CODE_FOLDERS)) and not path.endswith('.md')}

    def _read(self, path):
        with open(os.path.join(self.root, path), encoding='utf-8') as file:
            return file.read()


def lines_of(text):
    return text.count('\n')


def opening(text):
    """The comment that a file begins with."""
    return cpp_text.comment_from(text.split('\n'), 0)


def has_essay(text):
    """Whether a file opens with three or more lines of ///."""
    lines = text.split('\n')
    return len(lines) > 2 and all(line.startswith('///') for line in lines[:3])


# ------------------------------------------------------------------------------------------------------ the sources


def long_functions(tree):
    offenders, justified, habit = [], 0, []
    for path, text in tree.code.items():
        lines = text.split('\n')
        for f in cpp_text.functions(text):
            if f.is_list:
                continue
            if f.lines > 40:
                habit.append(f'{path}:{f.begin}: {f.name}: {f.lines} lines')
            if f.lines <= 60:
                continue
            reason = cpp_text.comment_above(lines, f.begin) + '\n' + cpp_text.comment_from(lines, f.body)
            if REASON.search(reason):
                justified += 1
            else:
                offenders.append(f'{path}:{f.begin}: {f.name}: {f.lines} lines')
    return [Figure('long-functions', 'functions over 60 lines without a reason', len(offenders), offenders),
            Figure('justified-functions', 'functions over 60 lines with a reason', justified),
            Figure('functions-over-40', 'functions over 40 lines', len(habit), habit)]


def duplicates(tree):
    found = cpp_text.duplicates(tree.code)
    real = [d for d in found if not cpp_text.boilerplate(d.lines)]
    where = [f'{d.first}:{d.first_begin}-{d.first_end} = {d.second}:{d.second_begin}-{d.second_end}' for d in real]
    return [Figure('duplicates', 'pairs of equal runs over six lines, no boilerplate', len(real), where),
            Figure('all-duplicates', 'pairs of equal runs over six lines, all', len(found))]


def code_lines(text):
    """Lines that are neither empty nor a comment: an essay must not count against the tests."""
    return sum(1 for line in text.split('\n') if line.strip() and not line.strip().startswith('//'))


def test_ratio(tree):
    code = sum(code_lines(text) for text in tree.code.values())
    tests = sum(code_lines(text) for path, text in tree.text.items() if re.match(r'tests/.*\.[ch]pp$', path))
    return [Figure('code-lines', 'lines of code', code), Figure('test-lines', 'lines of tests', tests),
            Figure('test-ratio', 'lines of tests by lines of code', round(tests / max(code, 1), 3))]


def shared_basenames(tree):
    headers = {}
    for path in tree.code:
        if path.endswith('.hpp'):
            headers.setdefault(os.path.basename(path), []).append(path)
    shared = {name: paths for name, paths in headers.items() if len(paths) > 1}
    bad = {name: paths for name, paths in shared.items() if name[:-len('.hpp')] not in ROLE_NAMES}
    return [Figure('shared-basenames', 'basenames shared by headers that are no role of a family', len(bad),
                   [f'{name}: {", ".join(paths)}' for name, paths in sorted(bad.items())]),
            Figure('role-basenames', 'basenames shared by headers, all', len(shared))]


def folders_without_readme(tree):
    count = Counter(os.path.dirname(path) for path in tree.paths)
    # Data files, recorded by programs, need no guide.
    bad = [f'{folder}: {n} files' for folder, n in sorted(count.items())
           if n > 10 and folder and not folder.startswith('tests/data') and 'corpus' not in folder
           and f'{folder}/README.md' not in tree.text]
    return [Figure('folders-without-readme', 'folders of more than ten files without a README', len(bad), bad)]


def comments(tree):
    sources = {path: text for path, text in tree.code.items() if path.endswith('.cpp')}
    essays = [path for path, text in sources.items() if has_essay(text)]
    opened = [path for path, text in sources.items() if text.startswith('//')]
    bare = [f'{path}: {lines_of(text)} lines' for path, text in sorted(sources.items(), key=lambda s: -lines_of(s[1]))
            if lines_of(text) > 150 and not has_essay(text)]
    silent = [f'{path}: {lines_of(text)} lines' for path, text in sorted(sources.items(), key=lambda s: -lines_of(s[1]))
              if lines_of(text) > 100 and not text.startswith('//')
              and not has_essay(tree.text.get(path[:-len('.cpp')] + '.hpp', ''))]
    comment = sum(line.lstrip().startswith('//') for text in sources.values() for line in text.split('\n'))
    share = comment / max(1, sum(lines_of(text) for text in sources.values()))
    return [Figure('sources', 'sources', len(sources)),
            Figure('opening-comments', 'sources that open with a comment', len(opened)),
            Figure('unopened-sources', 'sources over 100 lines that open without a comment, as do their headers', len(silent), silent),
            Figure('essays', 'sources that open with an essay (three lines or more)', len(essays)),
            Figure('long-sources-without-essay', 'sources over 150 lines without an essay', len(bare), bare),
            Figure('comment-share', 'share of comment lines in sources', round(share, 3))]


def long_files(tree):
    bad = [f'{path}: {lines_of(text)} lines' for path, text in tree.code.items()
           if lines_of(text) > (200 if path.endswith('.hpp') else 400) and not REASON.search(opening(text))]
    return [Figure('long-files', 'headers over 200 and sources over 400 lines without a reason', len(bad), bad)]


def retired_words(tree):
    counts, files = Counter(), {}
    for path, text in tree.text.items():
        if path.startswith(MAY_NAME_RETIRED_WORDS):
            continue
        lower = text.lower()
        for word, stem, pattern in RETIRED:
            n = len(re.findall(pattern, text)) if stem in lower else 0
            if n:
                counts[word] += n
                files.setdefault(word, []).append(f'{path} {n}')
    specification = counts.pop('specification N', 0)
    where = [f'{word}: {n}: {", ".join(files[word])}' for word, n in counts.most_common()]
    return [Figure('specification-citations', 'citations of a numbered specification', specification,
                   files.get('specification N', [])),
            Figure('retired-words', 'retired words of the glossary', sum(counts.values()), where)]


SOURCE_FIGURES = (long_functions, duplicates, test_ratio, shared_basenames, folders_without_readme, comments,
                  long_files, retired_words)


# -------------------------------------------------------------------------------------------------------- the build


def build_figures(tree, build):
    graph = build_graph.BuildGraph(build)
    command = graph.objects_of('schedproof_command')
    everything = graph.objects_of('all') | command
    seconds = graph.wall_seconds()
    compiled = {name: time for name, time in seconds.items() if name in command or name.endswith(('.gch', '.pch'))}
    missing = len(command - set(seconds))
    slowest = sorted(compiled.items(), key=lambda item: -item[1])[:15]

    policies = {path: graph.rebuilt(path) for path in tree.code
                if re.match(r'policies/queueing/[^/]+\.hpp$', path) and 'constexpr PolicyInfo info' in tree.code[path]}
    worst_first = sorted(policies.items(), key=lambda item: -len(item[1]))
    claims = {path: graph.rebuilt(path) for path in tree.code if re.match(r'checks/\w+/claims/\w+\.cpp$', path)}
    elsewhere = [f'{path}: {build_graph.short(o)}' for path, objects in sorted(claims.items())
                 for o in sorted(objects) if not of_family(o, path)]

    return [
        Figure('objects', 'objects of the whole build', len(everything)),
        Figure('command-objects', 'objects of the command', len(command)),
        Figure('command-seconds', 'wall seconds of these, one after another'
               + (f' ({missing} not in the log)' if missing else ''), round(sum(compiled.values()), 1),
               [f'{time:6.1f} s {build_graph.short(name)}' for name, time in slowest]),
        Figure('policy-header-rebuilds', 'objects rebuilt by touching a queueing policy, at worst',
               len(worst_first[0][1]) if worst_first else 0,
               [f'{path}: {len(objects)} objects, {len(objects & command)} of the command'
                for path, objects in worst_first]),
        Figure('claim-rebuilds', 'objects rebuilt by touching a file of claims, at worst',
               max((len(objects) for objects in claims.values()), default=0),
               [f'{path}: {", ".join(build_graph.short(o) for o in sorted(objects))}'
                for path, objects in sorted(claims.items())]),
        Figure('claim-rebuilds-elsewhere', 'objects of another family that touching a claim rebuilds', len(elsewhere),
               elsewhere),
    ]


def of_family(output, path):
    """Whether an object, of one source or of a unity batch, is of the same folder checks/FAMILY as the path."""
    family = path.split('/')[1]
    return output.startswith('checks/') and re.search(f'[/_]{family}[/_]', output) is not None


# -------------------------------------------------------------------------------------------------------- the table


def table(figures, targets):
    rows = [('figure', 'measured', 'target', '')]
    rows += [(f.text, f'{f.value:g}', f.target(targets), f.verdict(targets)) for f in figures]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for i, row in enumerate(rows):
        print(f'{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:<{widths[2]}}  {row[3]}'.rstrip())
        if i == 0:
            print('-' * (sum(widths) + 6))


def targets_with(changes):
    targets = dict(TARGETS)
    for change in changes:
        name, _, bound = change.partition('=')
        if name not in targets:
            raise SystemExit(f'measure.py: no target is named {name}; there are: {", ".join(sorted(targets))}')
        try:
            targets[name] = (targets[name][0], float(bound))
        except ValueError:
            raise SystemExit(f'measure.py: --target {name} needs a number, not "{bound}"') from None
    return targets


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--source', default=os.path.dirname(os.path.dirname(here)), help='the tree (default: this one)')
    parser.add_argument('--build', help="a build folder of Ninja: its log and graph are measured, too")
    parser.add_argument('--target', action='append', default=[], metavar='NAME=NUMBER', help='replace a target')
    parser.add_argument('--list', nargs='*', metavar='NAME', help='list where these figures come from (default: all)')
    parser.add_argument('--self-test', action='store_true', help='check that this script notices what it should')
    arguments = parser.parse_args()
    if arguments.self_test:
        import self_test
        return self_test.main()
    targets = targets_with(arguments.target)
    tree = Tree(arguments.source)
    if not tree.code:
        raise SystemExit(f'measure.py: {arguments.source} holds no sources')
    figures = [figure for measure in SOURCE_FIGURES for figure in measure(tree)]
    if arguments.build:
        figures += build_figures(tree, arguments.build)
    table(figures, targets)
    for f in figures:
        missed = f.verdict(targets) == 'missed'
        if f.where and (missed or (arguments.list is not None and (not arguments.list or f.name in arguments.list))):
            print(f'\n{f.name}: {f.text}')
            print('\n'.join('  ' + line for line in f.where))
    return 1 if any(f.verdict(targets) == 'missed' for f in figures) else 0


if __name__ == '__main__':
    sys.exit(main())
