"""C++ sources as text: comments taken away, functions found, repeated runs of lines found.

This is no parser. It relies on the house style (clang-format, Google, four spaces): balanced braces, one statement a
line, no function body produced by a macro. It separates comments and literals from code exactly, so that a brace in a
string never counts.
"""

import re
from dataclasses import dataclass, field

# One alternative per kind of token that may hide a brace or a quote. An apostrophe after a digit separates digits.
TOKEN = re.compile(
    r'''(?P<line_comment>//[^\n]*)
      | (?P<block_comment>/\*.*?\*/)
      | (?P<raw>(?:\b(?:u8|u|U|L))?R"(?P<delimiter>[^()\\ \n]*)\(.*?\)(?P=delimiter)")
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<number>\b[0-9][0-9a-zA-Z_.]*(?:'[0-9a-zA-Z_.]+)+)
      | (?P<character>'(?:\\.|[^'\\\n])+')''',
    re.VERBOSE | re.DOTALL)


def blanked(text, comments=True, literals=True):
    """The text with comments and the contents of literals replaced by spaces; newlines stay, so positions stay."""

    def spaces(match):
        kind = match.lastgroup if match.lastgroup != 'delimiter' else 'raw'
        whole = match.group()
        if kind in ('line_comment', 'block_comment'):
            return re.sub(r'[^\n]', ' ', whole) if comments else whole
        if kind == 'number' or not literals:
            return whole
        return whole[0] + re.sub(r'[^\n]', ' ', whole[1:-1]) + whole[-1]

    return TOKEN.sub(spaces, text)


@dataclass
class Function:
    """A function, or a lambda that no function surrounds."""
    name: str
    begin: int  # first line of its declaration, from 1
    end: int  # line of the closing brace
    body: int  # line of the opening brace

    statements: int = 0  # of its body itself, not of what is nested in it

    @property
    def lines(self):
        return self.end - self.begin + 1

    @property
    def is_list(self):
        """Whether it is a table in the form of a function, such as the fields of an answer: few statements, one long."""
        return self.statements <= 8 and self.lines > 5 * self.statements


NO_FUNCTION = re.compile(r'^(?:template\s*<.*>\s*)?(?:(?:inline|export)\s+)?'
                         r'(?:namespace|struct|class|enum|union|extern)\b', re.DOTALL)
TRAILER = r'(?:\s*(?:const|mutable|noexcept|override|final|constexpr|&&?|requires\b.*|->.*))*\s*$'
AFTER_PARAMETERS = re.compile(r'\)' + TRAILER, re.DOTALL)
LAMBDA = re.compile(r'\[[^\[\]]*\]\s*(?:<[^{}]*>\s*)?(?:\([^{}]*\))?' + TRAILER, re.DOTALL)
MEMBER_INITIALISER = re.compile(r'\)[^;]*[^:]:\s*(?!:).*[\w>]\s*$', re.DOTALL)
AFTER_INITIALISERS = re.compile(r'\)[^;]*[^:]:\s*(?!:)[^;]*\}$', re.DOTALL)


def functions(text):
    """The outermost functions and lambdas of a file, in order."""
    code = blanked(text)
    code = re.sub(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', lambda m: re.sub(r'[^\n]', ' ', m.group()), code,
                  flags=re.MULTILINE)
    partner, open_braces = {}, []
    for at, c in enumerate(code):
        if c == '{':
            open_braces.append(at)
        elif c == '}' and open_braces:
            partner[open_braces.pop()] = at

    found = []

    def line_of(at):
        return code.count('\n', 0, at) + 1

    at = start = depth = 0  # start: where the declaration at hand begins; depth: of parentheses
    while at < len(code):
        c = code[at]
        if c in '()':
            depth += 1 if c == '(' else -1
        if c in ';}' and depth <= 0:
            start = at + 1
        if c == ':' and re.search(r'\b(?:public|private|protected)\s*$', code[max(start, at - 20):at]):
            start = at + 1
        if c != '{' or at not in partner:
            at += 1
            continue
        head, close = code[start:at], partner[at]
        declaration = head.strip()
        following = code[close + 1:close + 200].lstrip()[:1]
        if following in (',', '{') and not NO_FUNCTION.match(declaration) and MEMBER_INITIALISER.search(declaration):
            at = close + 1  # one member's braces; the body is still to come
            continue
        is_lambda = LAMBDA.search(declaration) is not None
        # A call of a function or of a constructor may have a braced argument; the parentheses are still open there.
        is_function = depth <= 0 and not NO_FUNCTION.match(declaration) and '(' in declaration and (
            AFTER_PARAMETERS.search(declaration) is not None or AFTER_INITIALISERS.search(declaration) is not None)
        if is_function or is_lambda:
            begin = start + len(head) - len(head.lstrip())
            found.append(Function(name_of(declaration), line_of(begin), line_of(close), line_of(at),
                                  statements(code[at + 1:close])))
            at = close + 1
            if depth <= 0:
                start = at
            continue
        if not (depth > 0 or declaration.endswith(('=', ',', '(', 'return')) or not declaration):
            start = at + 1  # a namespace, a class, a table: what stands in it is searched
        at += 1
    return found


def statements(body):
    """How many statements end, or blocks of control flow begin, outside of all parentheses and of braces of values."""
    count = depth = 0
    for at, c in enumerate(body):
        if c in '({':
            # The braces of if, for and the like belong to the body; those of a value or of a lambda do not.
            if c == '{' and depth == 0 and re.search(r'(?:\)|\belse|\bdo|\btry|[;{}])\s*$', body[:at][-80:]) and \
                    not re.search(r'\][^;{}]*$', body[:at][-200:]):
                count += 1
                continue
            depth += 1
        elif c in ')}':
            depth = max(0, depth - 1)
        elif c == ';' and depth == 0:
            count += 1
    return count


def name_of(declaration):
    before = re.sub(r'^template\s*<[^()]*?>\s*(?=\w)', '', declaration, flags=re.DOTALL)
    match = re.search(r'([\w:~]+|operator\s*\S+?)\s*\(', before)
    return match.group(1) if match else 'lambda'


def comment_above(lines, begin):
    """The comment that ends on the line above line `begin`."""
    at = begin - 2
    taken = []
    while at >= 0 and lines[at].strip().startswith('//'):
        taken.append(lines[at].strip().lstrip('/').strip())
        at -= 1
    return '\n'.join(reversed(taken))


def comment_from(lines, at):
    """The comment that begins at index `at`."""
    taken = []
    while at < len(lines) and lines[at].strip().startswith('//'):
        taken.append(lines[at].strip().lstrip('/').strip())
        at += 1
    return '\n'.join(taken)


# ------------------------------------------------------------------------------------------------------- duplicates

SKIPPED = re.compile(r'^(?:[{}()\[\];,\s]*|#.*|(?:inline )?namespace\b.*|using namespace\b.*|'
                     r'(?:public|private|protected):|template ?<[^(]*>)$')


def normalised(text):
    """(line number, line) of the lines that count for duplicates: code without comments, indentation and empty lines.

    Literals are replaced by "" and 0: two blocks that differ in a message only are one block with a parameter.
    """
    kept = []
    code = TOKEN.sub(lambda m: '""' if m.lastgroup in ('string', 'raw', 'delimiter') else m.group(),
                     blanked(text, literals=False))
    for number, line in enumerate(code.split('\n'), 1):
        line = re.sub(r"\b[0-9][\w.']*", '0', ' '.join(line.split()))
        if not SKIPPED.match(line):
            kept.append((number, line))
    return kept


# Lines of these forms state data or names; a run of them repeats a form, not an algorithm.
BOILERPLATE = (
    ('rows of a table', re.compile(r'^[\w:]*[{"][\w:.{}(), "-]*[,}"]$|^(?:true|false|0)[}),]*$')),
    ('using-declarations', re.compile(r'^using [\w:]+(?: = [\w:<>, ]+)?;$')),
    ('lines of a registry', re.compile(r'^[A-Z][A-Z0-9_]*\(.*\)[;,]?$')),
    ('steps of a builder, designated members', re.compile(r'^\.\w+(?:\(| = )[\w:., "{}()-]*;?$')),
    ('data members', re.compile(r'^(?:const |static constexpr )?[\w:]+(?:<[^()]*>)?[&*]? \w+(?:(?: = |\{)[^()]*)?;$')),
    ('declarations', re.compile(r'^(?:\[\[nodiscard\]\] )?[\w:<>,&* ]+ \w+\([^(){}]*\)(?: const)?(?: noexcept)?;$')),
    ('parameters of a declaration', re.compile(r'^(?:const )?[\w:]+(?:<[^()]*>)?[&*]? \w+[,)]$')),
)


def boilerplate(lines):
    """Whether at most two lines of a run have none of the forms above. A return is a declaration by form only."""
    return sum(line.startswith('return') or not any(form.match(line) for _, form in BOILERPLATE) for line in lines) <= 2


@dataclass
class Duplicate:
    first: str
    first_begin: int
    first_end: int
    second: str
    second_begin: int
    second_end: int
    lines: list = field(repr=False, default_factory=list)


def duplicates(texts, least=7):
    """The pairs of equal runs of at least `least` counted lines, each as long as it can be; `texts`: path -> text."""
    files = {path: normalised(text) for path, text in sorted(texts.items())}
    places = {}
    for path, lines in files.items():
        for i in range(len(lines) - least + 1):
            places.setdefault(tuple(line for _, line in lines[i:i + least]), []).append((path, i))
    seen, found = set(), []
    for path, lines in files.items():
        for i in range(len(lines) - least + 1):
            for other, j in places[tuple(line for _, line in lines[i:i + least])]:
                if (other, j) <= (path, i) or (path, i, other, j) in seen:
                    continue
                length = 0
                while (i + length < len(lines) and j + length < len(files[other]) and
                       lines[i + length][1] == files[other][j + length][1] and not (path == other and i + length >= j)):
                    if length >= least - 1:
                        seen.add((path, i + length - least + 1, other, j + length - least + 1))
                    length += 1
                if length < least:
                    continue  # the two overlap
                found.append(Duplicate(path, lines[i][0], lines[i + length - 1][0], other, files[other][j][0],
                                       files[other][j + length - 1][0], [line for _, line in lines[i:i + length]]))
    return found
