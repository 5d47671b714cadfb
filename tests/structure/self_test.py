"""Synthetic snippets that measure.py must read rightly; each check has a mutant that must change its answer."""

import cpp_text
import measure

FUNCTION = '''namespace a {{

/// {comment}
template <class T, class... Rest>
[[nodiscard]] int first(const std::map<int, T>& in, Rest&&... rest) {{
{body}    return 0;
}}

}}  // namespace a
'''

HARD = '''namespace a {
const std::vector<Row> table{{"{", 1'000'000}, {"}", 2}};
const auto text = R"x({ "unbalanced )x";
#define MACRO(name) void name() {
struct Plain {
    int value{3};
    std::string name = "x{";
  private:
    char c = '{';  // a brace in a comment: {
};
class Made final : public Plain {
  public:
    explicit Made(int v) : one_{v}, two_(v), three_{v, v} {
        if (v > 0) ++two_;
    }
    Made(const Made&) = default;
    auto begin() const noexcept -> Iterator { return {one_, {two_}}; }
    bool operator==(const Made& other) const {
        return one_ == other.one_;
    }
  private:
    int one_, two_;
};
void call() {
    run({1, 2}, [&](int i) { return i; });
}
const auto lambda = [](int i) {
    return i;
};
const std::vector<Case> cases = {
    {"one", [](int i) {
         return i;
     }},
};
int last() { return 1; }
}
'''

BLOCK = '''    std::size_t count = 0;
    for (const Row& row : rows) {
        if (row.empty()) continue;  // a remark
        count += row.size();
        total = std::max(total, count);
        if (total > limit) throw LimitExceeded("rows");
        visit(row, count);
        ++seen[row.front()];
    }
'''

failures = []


def expect(what, condition):
    if not condition:
        failures.append(what)
        print(f'self-test: {what}: failed')


class FakeTree:
    def __init__(self, texts):
        self.text = texts
        self.paths = list(texts)
        self.code = {p: t for p, t in texts.items() if not p.startswith(('tests/', 'docs/'))}


def function_of(body_lines, comment='What it computes.', first=''):
    return FUNCTION.format(comment=comment, body=first + '    use("{", \'}\');  // }\n' * body_lines)


def figure(figures, name):
    return next(f for f in figures if f.name == name)


def test_functions():
    found = cpp_text.functions(HARD)
    names = [f.name for f in found]
    expect('functions are found by name',
           names == ['Made', 'begin', 'operator==', 'call', 'lambda', 'lambda', 'last'])
    expect('all functions are found, nothing else is', len(found) == 7)
    expect('a constructor with braced members ends at its body', found[0].lines == 3)
    expect('lines are counted from the declaration', cpp_text.functions(function_of(3))[0].lines == 7)
    expect('a mutant with an unbalanced brace in a string would be noticed',
           cpp_text.functions(function_of(3))[0].end == function_of(3).split('\n').index('}') + 1)

    def long(text):
        return figure(measure.long_functions(FakeTree({'model/a.cpp': text})), 'long-functions').value

    expect('60 lines are allowed', long(function_of(56)) == 0)
    expect('61 lines need a reason', long(function_of(57)) == 1)
    reason = 'Long: its state stays in registers.'
    expect('a comment that says why is a reason', long(function_of(57, reason)) == 0)
    expect('so is one that opens the body', long(function_of(57, first=f'    // {reason}\n')) == 0)
    expect('so is a line below others', long(function_of(57, 'Adds the rows.\n/// ' + reason)) == 0)
    expect('a comment about something else is none', long(function_of(57, 'Adds the rows.')) == 1)
    expect('one that only speaks of length is none', long(function_of(57, 'Longer than others: the lines ...')) == 1)
    expect('a mark without a reason is none', long(function_of(57, 'Long: yes.')) == 1)
    expect('41 lines are counted',
           figure(measure.long_functions(FakeTree({'model/a.cpp': function_of(37)})), 'functions-over-40').value == 1)
    fields = ('    static const Record<Row> fields{\n' + '        field("a", [](const Row& r) { return r.a; }, "A.").unit("s"),\n' * 70 +
              '        field("b", &Row::b, "B.")};\n')
    listed = FUNCTION.format(comment='The fields.', body=fields)
    expect('a table in the form of a function is as long as it is', long(listed) == 0)
    expect('one that computes is not', long(listed.replace('    return 0;', '    if (x) f(x);\n' * 9 + '    return 0;')) == 1)
    expect('nor are nine blocks of control flow',
           long(function_of(0, first='    for (int i : in) {\n' + '        use(i,\n            i);\n' * 4 + '    }\n' * 1) .replace(
               '    return 0;', ('    if (x) {\n' + '        use(x);\n' * 7 + '    }\n') * 9 + '    return 0;')) == 1)
    expect('40 are not',
           figure(measure.long_functions(FakeTree({'model/a.cpp': function_of(36)})), 'functions-over-40').value == 0)


def test_duplicates():
    def pairs(first, second):
        return cpp_text.duplicates({'model/a.cpp': first, 'model/b.cpp': second})

    def counted(first, second):
        return [d for d in pairs(first, second) if not cpp_text.boilerplate(d.lines)]

    indented = '#include <map>\nint f() {\n' + BLOCK.replace('    ', '        ').replace('// a remark', '') + '}\n'
    expect('an indented copy is found', len(counted(BLOCK, indented)) == 1)
    expect('a copy is found once', len(pairs(BLOCK + BLOCK.replace('count', 'other'), BLOCK)) == 1)
    expect('the lines of both are named', [(d.first_begin, d.second_begin) for d in pairs(BLOCK, indented)] == [(1, 3)])
    expect('another message makes no other block', len(counted(BLOCK, BLOCK.replace('"rows"', '"items"'))) == 1)
    expect('another operator does', not pairs(BLOCK, BLOCK.replace('total > limit', 'total >= limit')))
    expect('six lines are allowed', not pairs(BLOCK, BLOCK.replace('    ++seen[row.front()];\n', '')
                                              .replace('std::size_t count = 0;', '')))
    expect('copies within a file are found', len(cpp_text.duplicates({'model/a.cpp': BLOCK + 'int x;\n' + BLOCK})) == 1)
    rows = ''.join(f'    {{"name{i}", Kind::summary, {i}}},\n' for i in range(9))
    expect('rows of a table are boilerplate', pairs(rows, rows) and not counted(rows, rows))
    uses = ''.join(f'using explore::{name};\n' for name in 'abcdefghi')
    expect('using-declarations are boilerplate', pairs(uses, uses) and not counted(uses, uses))
    steps = ''.join(f'    .{step}(of("x", {step}))\n' for step in ('id', 'by', 'of', 'at', 'holds', 'fails', 'also'))
    expect('steps of a builder are boilerplate', pairs(steps, steps) and not counted(steps, steps))
    lambdas = steps.replace('))', ' + [] { return 1; }))')
    expect('steps that compute are not', len(counted(lambdas, lambdas)) == 1)
    expect('returns are no declarations', counted('return f(x);\n' * 8, 'return f(x);\n' * 8))


def test_other_figures():
    def value(measured, texts, name):
        return figure(measured(FakeTree(texts)), name).value

    same = {'model/core/law.hpp': '', 'experiments/workload/law.hpp': ''}
    role = {'policies/sharing/registry.hpp': '', 'policies/queueing/registry.hpp': ''}
    expect('a shared basename is reported', value(measure.shared_basenames, same, 'shared-basenames') == 1)
    expect('that of a role is not', value(measure.shared_basenames, role, 'shared-basenames') == 0)
    many = {f'model/core/{i}.hpp': '' for i in range(11)}
    expect('a folder of eleven files needs a README', value(measure.folders_without_readme, many,
                                                            'folders-without-readme') == 1)
    expect('one with a README has it', value(measure.folders_without_readme, {**many, 'model/core/README.md': ''},
                                             'folders-without-readme') == 0)
    essay = '/// What.\n///\n/// Why.\n' + 'int x;\n' * 200
    expect('an essay is three lines of ///', value(measure.comments, {'model/a.cpp': essay}, 'essays') == 1)
    expect('two are none', value(measure.comments, {'model/a.cpp': essay[len('/// What.\n'):]}, 'essays') == 0)
    expect('a long source without one is reported', value(measure.comments, {'model/a.cpp': 'int x;\n' * 151},
                                                          'long-sources-without-essay') == 1)
    expect('a header of 201 lines needs a reason', value(measure.long_files, {'model/a.hpp': 'int x;\n' * 201},
                                                         'long-files') == 1)
    expect('a source of as many does not', value(measure.long_files, {'model/a.cpp': 'int x;\n' * 201},
                                                 'long-files') == 0)
    expect('one that says why has it',
           value(measure.long_files, {'model/a.hpp': '/// What.\n///\n/// Long: the phases share one state.\n' +
                                      'int x;\n' * 201}, 'long-files') == 0)
    expect('101 lines need an opening', value(measure.comments, {'model/a.cpp': 'int x;\n' * 101},
                                              'unopened-sources') == 1)
    expect('the essay of their header is one',
           value(measure.comments, {'model/a.cpp': 'int x;\n' * 101, 'model/a.hpp': essay}, 'unopened-sources') == 0)
    expect('with one they have it', value(measure.comments, {'model/a.cpp': '/// What.\n' + 'int x;\n' * 101},
                                          'unopened-sources') == 0)
    for word, text in (('judge', 'struct Judge;'), ('course', '/// courses of offers'), ('lottery', 'LotteryOf'),
                       ('reading', '/// this reading differs'), ('plain view', 'plain_slot()'),
                       ('subject', 'Subject s;'),
                       ('asked', '// as asked, so be it'), ('by hand', 'by_hand()'), ('wording', '// wording')):
        expect(f'the retired word "{word}" is counted',
               value(measure.retired_words, {'model/a.cpp': text}, 'retired-words') == 1)
    innocent = '/// of course, reading a file; subject to limits; a task slot; handle; plain text\n'
    expect('innocent words are not', value(measure.retired_words, {'model/a.cpp': innocent}, 'retired-words') == 0)
    ratio = {'model/a.cpp': 'x\n' * 100, 'tests/model/a_test.cpp': 'x\n' * 40, 'tests/README.md': 'x\n' * 99}
    expect('the ratio counts sources', value(measure.test_ratio, ratio, 'test-ratio') == 0.4)


def main():
    test_functions()
    test_duplicates()
    test_other_figures()
    print('self-test: ' + (f'{len(failures)} failed' if failures else 'all passed'))
    return 1 if failures else 0
