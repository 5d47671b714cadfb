#!/usr/bin/env python3
"""batches_test.py BUILD SOURCE_DIR: names in unnamed namespaces differ among all sources that may share a batch.

Batches of sources (schedproof_compile_fast in CMakeLists.txt) are made by size, so their borders move when a file grows,
and two files that were compiled apart yesterday may be compiled together today. What a compiler says only then is said
here at once: a name defined twice in the same unnamed namespace of a folder, or of a namespace of tests. Functions may
share a name where their parameters differ. A name in an unnamed namespace of schedproof::queueing is no word of the policy
language either, for headers of that namespace use the language's. Where a source uses a whole namespace that lies in
its own, the two hold no namespaces of the same name, for a header of a later source of the batch would find both. Exit code
0, or 1 with each name and its files.
"""
import json
import pathlib
import re
import sys

import cpp_text

OPENS = re.compile(r'^(?:inline )?namespace(?: ([\w:]+))? \{')
TYPE = re.compile(r'^(?:template <.*> )?(?:struct|class|enum class|enum|union) (\w+)(?: final)?(?: :[^;]*)? ?\{')
ALIAS = re.compile(r'^(?:template <.*> )?using (\w+) =')
VARIABLE = re.compile(r'^(?:\[\[\w+\]\] )?(?:inline |static |constexpr |const |thread_local )+[\w:<>,&* ]*?\b(\w+)(?:\[\w*\])?'
                      r'(?: =(?: |$)|\{|;)')
FUNCTION = re.compile(r'^(?:template <.*> )?(?:\[\[\w+\]\] )?(?:\w[\w:]*(?:<.*>)?[ &*]+)+(\w+)\((.*)$', re.DOTALL)


def parameters(text):
    """The types of a list of parameters, as written, without the names."""
    depth, at = 1, 0
    while at < len(text) and depth > 0:
        depth += {'(': 1, ')': -1}.get(text[at], 0)
        at += 1
    inside, parts, depth, start = text[:at - 1], [], 0, 0
    for i, c in enumerate(inside + ','):
        depth += {'(': 1, '<': 1, '{': 1, ')': -1, '>': -1, '}': -1}.get(c, 0)
        if c == ',' and depth == 0:
            parts.append(inside[start:i])
            start = i + 1
    return tuple(re.sub(r'(?<=[\w>&*]) *\b\w+$', '', re.sub(r'\s*=.*', '', part.strip())).strip() for part in parts)


def names(text):
    """(namespaces, name, types of parameters or none) of what unnamed namespaces of a source define."""
    spaces, found = [], set()
    closes = [line.startswith('}  // namespace') for line in text.split('\n')]  # as clang-format has it
    lines = re.sub(r'^#.*', '', cpp_text.blanked(text), flags=re.MULTILINE).split('\n')
    for number, line in enumerate(lines):
        opened = OPENS.match(line)
        if opened:
            spaces.append(opened.group(1) or '')
        elif closes[number] and spaces:
            spaces.pop()
        elif '' in spaces and line and line[0] not in ' }':
            head, place = ' '.join(part.strip() for part in lines[number:number + 6]), '::'.join(spaces)
            # A template's parameters stand on a line of their own, which says nothing of the name.
            if re.match(r'^template <.*>$', line.strip()):
                continue
            named = TYPE.match(head) or ALIAS.match(head)
            if named:
                found.add((place, named.group(1), None))
            elif FUNCTION.match(head) and not VARIABLE.match(line):
                called = FUNCTION.match(head)
                found.add((place, called.group(1), parameters(called.group(2))))
            elif VARIABLE.match(line):
                found.add((place, VARIABLE.match(line).group(1), None))
    return found


def clashes(sources):
    """Names that two of the sources (path -> text) define, with their paths."""
    seen = {}
    for path, text in sources.items():
        for place, name, types in names(text):
            seen.setdefault((place, name), {}).setdefault(types, []).append(path)
    wrong = []
    for (place, name), kinds in sorted(seen.items()):
        everywhere = sorted({path for paths in kinds.values() for path in paths})
        # A type or a variable hides every other thing of its name; functions hide those with the same parameters.
        if None in kinds and len(everywhere) > 1:
            wrong.append((name, everywhere))
        else:
            wrong += [(name, sorted(paths)) for types, paths in kinds.items() if len(paths) > 1]
    return wrong


def words_of_language(table):
    return set(re.findall(r'^OPERATION\(\w+, \w+, (\w+)', table, re.MULTILINE))


def hidden_words(sources, words):
    """(name, paths) of what hides a word of the policy language."""
    return [(name, [path]) for path, text in sources.items() for place, name, _ in sorted(names(text), key=str)
            if place == 'schedproof::queueing::' and name in words]


def inner_namespaces(headers):
    """Named namespace -> names of those inside it, over the texts of all headers."""
    inner = {}
    for text in headers:
        spaces = ['']
        for line in text.split('\n'):
            opened = OPENS.match(line)
            if opened:
                spaces.append(spaces[-1])
                for part in filter(None, (opened.group(1) or '').split('::')):
                    inner.setdefault(spaces[-1], set()).add(part)
                    spaces[-1] = f'{spaces[-1]}::{part}' if spaces[-1] else part
            elif line.startswith('}  // namespace') and len(spaces) > 1:
                spaces.pop()
    return inner


def ambiguous(sources, inner):
    """(name, paths) of namespaces inside a source's own, and inside one of its own that it uses whole."""
    wrong = []
    for path, text in sources.items():
        own = next((found.group(1) for line in text.split('\n') if (found := OPENS.match(line))), None)
        for used in re.findall(r'^using namespace (?:::)?([\w:]+);', text, re.MULTILINE):
            inside = used if used.startswith(f'{own}::') else f'{own}::{used}'
            wrong += [(name, [path]) for name in sorted(inner.get(inside, set()) & inner.get(own, set()))]
    return wrong


def groups(build):
    """Target and group -> sources of its batches; a batch's number is the end of its name."""
    found = {}
    for command in json.loads(pathlib.Path(build, 'compile_commands.json').read_text()):
        batch = pathlib.Path(command['file'])
        numbered = re.match(r'(unity_.*)_\d+_cxx\.cxx$', batch.name)
        if numbered and batch.exists():
            sources = re.findall(r'^#include "(.*)"', batch.read_text(), re.MULTILINE)
            found.setdefault((batch.parent.parent.name, numbered.group(1)), []).extend(sources)
    return found


def self_test():
    """Each kind of clash is noticed, and what is none is not."""
    def two(first, second):
        return clashes({name: f'namespace a {{\n\nnamespace {{\n\n{text}\n\n}}  // namespace\n\n}}  // namespace a\n'
                        for name, text in (('first', first), ('second', second))})

    f = 'int f(const std::map<int, A>& a, B b) {\n    return 1;\n}'
    deeper = inner_namespaces(f'namespace {outer} {{\n{{}}\nnamespace detail {{\n}}  // namespace detail\n}}  // namespace {outer}\n'
                              for outer in ('a::b', 'a::b::c'))
    return (two('struct Row {\n    int a;\n};', 'struct Row final : Base {\n};') and two('using R = A;', 'using R = B;') and
            two(f, f.replace(' b)', ' other)').replace('& a', '& c')) and two(f, 'constexpr int f = 3;') and
            two('constexpr char half[] =\n    "1";', 'constexpr std::array<int, 2> half{1, 2};') and
            two('template <class T>\nvoid run(T t) {\n}', 'template <class T>\nvoid run(T of) {\n}') and
            two(f.replace('f(', 'h(') + '\n\n' + f, f) and
            not two(f, f.replace('B b', 'C b')) and not two(f, f.replace('f(', 'g(')) and not two('// struct Row {', 'struct Row {\n};') and
            hidden_words({'a': 'namespace schedproof::queueing {\nnamespace {\nint local(int a) {\n}\n}  // namespace\n'},
                         words_of_language('OPERATION(set, word, local, local, "")\n')) and
            not two('int f(int a) {\n    int row = 1;\n}', 'int g(int a) {\n    int row = 1;\n}') and
            ambiguous({'a': 'namespace a::b {\nnamespace {\n\nusing namespace c;\n'}, deeper) == [('detail', ['a'])] and
            not ambiguous({'a': 'namespace a::b::d {\nnamespace {\n\nusing namespace c;\n'}, deeper))


def main():
    found = groups(sys.argv[1])
    wrong = [] if self_test() else ['a clash is not noticed']
    if not found:
        wrong.append('no batches: this test needs a build with SCHEDPROOF_UNITY')
    words = words_of_language(pathlib.Path(sys.argv[2], 'model/queueing/language/operations.def').read_text())
    if 'local' not in words:
        wrong.append('the table of the language is not understood')
    inner = inner_namespaces(header.read_text() for folder in ('model', 'policies', 'proofs', 'checks', 'experiments', 'tests')
                             for header in pathlib.Path(sys.argv[2], folder).rglob('*.hpp'))
    for sources in found.values():
        texts = {path: pathlib.Path(path).read_text() for path in sources}
        wrong += [f'{name}: in {", ".join(paths)}' for name, paths in clashes(texts)]
        wrong += [f'{name}, a word of the policy language: in {paths[0]}' for name, paths in hidden_words(texts, words)]
        wrong += [f'{name}, a namespace inside one that is used whole and beside it: in {paths[0]}'
                  for name, paths in ambiguous(texts, inner)]
    print('\n'.join(sorted(set(wrong))) if wrong else f'{len(found)} groups, no name in two sources of one')
    sys.exit(bool(wrong))


main()
