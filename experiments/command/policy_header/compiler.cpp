/// A policy file becomes a program that prints what the file's structs say of themselves (describe.hpp).
///
/// The preprocessor's output shows which structs the file defines; then a `main` that asks each of them is compiled
/// with the file. That is the file itself, not what the preprocessor made of it, since errors quote its lines and the
/// library's. Compiler and program run within limits, since a text that the user wrote decides how long they take. What
/// the program writes is not believed: it becomes rules through the reader of printed rules.
#include "experiments/command/policy_header/compiler.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>

#include "experiments/command/policy_header/diagnosis.hpp"
#include "model/base/process.hpp"
#include "model/base/split.hpp"
#include "model/base/temporary_directory.hpp"
#include "model/base/text.hpp"
#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::command::policy_header {

namespace fs = std::filesystem;

namespace {

using base::ProcessEnd;
using queueing::language::Op;
using queueing::language::Tree;

constexpr base::ProcessLimits compiler_limits{.time = std::chrono::seconds(60), .memory = std::uint64_t{4} << 30U};
constexpr base::ProcessLimits program_limits{
    .time = std::chrono::seconds(10), .memory = std::uint64_t{1} << 30U, .file = std::uint64_t{1} << 24U};

std::vector<std::string> words(const char* variable) {
    const char* text = std::getenv(variable);
    std::vector<std::string> list;
    for (const std::string_view word : base::split_words(text == nullptr ? "" : text)) list.emplace_back(word);
    return list;
}

/// The complaint about a file that did not compile.
InputError refused(const ProcessEnd& end, const std::string& path, const std::string& name) {
    static const std::regex undefined(R"(undefined reference to [`'](.*)')");
    if (end.how == ProcessEnd::How::out_of_time)
        return InputError::in_file(
            name, fmt::format("expected a policy that compiles within {} s", compiler_limits.time->count()));
    for (const char* words : {"out of memory", "virtual memory exhausted", "bad_alloc", "signal terminated program"})
        if (end.err.find(words) != std::string::npos)
            return InputError::in_file(name, fmt::format("expected a policy that compiles in {} GiB of memory",
                                                         compiler_limits.memory >> 30U));
    const Diagnosis diagnosis = diagnose(end.err, path);
    if (!diagnosis.sentence.empty() && diagnosis.line > 0)
        return InputError::at_column(name, diagnosis.line, diagnosis.column, diagnosis.sentence);
    if (std::smatch match; std::regex_search(end.err, match, undefined))
        return InputError::in_file(
            name,
            fmt::format("expected a policy that is data: its code calls {}, which no header defines", match[1].str()));
    return InputError::in_file(
        name, fmt::format("the compiler refuses it: {}",
                          diagnosis.sentence.empty() ? base::shown(end.err, 300) : diagnosis.sentence));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Why the program's answer is not to be taken, or nothing.
std::string misbehaviour(const ProcessEnd& end) {
    if (end.how == ProcessEnd::How::out_of_time)
        return fmt::format("still runs after {} s", program_limits.time->count());
    if (end.how == ProcessEnd::How::signalled)
        return fmt::format("was ended by signal {} ({}), with at most {} GiB of memory{}", end.code,
                           ::strsignal(end.code), program_limits.memory >> 30U,
                           end.err.empty() ? "" : ": " + base::shown(first_line(end.err), 200));
    if (!end.out.empty() || !end.err.empty())
        return fmt::format("prints {}", base::shown(first_line(end.out.empty() ? end.err : end.out)));
    if (end.code != 0) return fmt::format("ends the program with exit code {}", end.code);
    return "";
}

/// What the program has written.
class Description {
  public:
    Description(std::istream& in, const std::vector<DefinedStruct>& structs) : in_(in), structs_(structs) {}

    /// None when the program did not come to its end.
    [[nodiscard]] std::optional<std::vector<DescribedStruct>> structs() {
        std::vector<DescribedStruct> list;
        for (std::string word; in_ >> word;) {
            if (word == "end") return list;
            std::size_t position = 0;
            bool ruled = false;
            in_ >> position >> ruled;
            if (!in_ || position >= structs_.size()) return {};
            DescribedStruct described{structs_[position], text(), text(), text(), {}};
            if (ruled) described.rules = rules();
            if (!in_ || (ruled && !described.rules)) return {};
            list.push_back(std::move(described));
        }
        return {};
    }

  private:
    [[nodiscard]] std::string text() {
        std::size_t size = 0;
        in_ >> size;
        in_.get();
        if (!in_ || size > program_limits.file) return "";
        std::string bytes(size, ' ');
        in_.read(bytes.data(), static_cast<std::streamsize>(size));
        return bytes;
    }
    [[nodiscard]] std::optional<queueing::Rules> rules() {
        std::size_t arrangement = 0;
        in_ >> arrangement;
        const std::optional<Tree> route = tree(), serve = tree();
        if (!route || !serve || arrangement > static_cast<std::size_t>(queueing::Arrangement::single)) return {};
        try {
            return queueing::Rules({static_cast<queueing::Arrangement>(arrangement)}, {*route}, {*serve});
        } catch (const ContractViolation&) {
            return {};
        }
    }
    [[nodiscard]] std::optional<Tree> tree() {
        std::size_t size = 0;
        in_ >> size;
        std::vector<Tree> parts;
        for (std::size_t i = 0; i < size && in_; ++i) {
            int op = 0;
            std::size_t children = 0;
            std::int64_t a = 0, b = 0;
            in_ >> op >> children >> a >> b;
            if (!in_ || size > Tree::capacity || children > 3 || children > parts.size()) return {};
            if (op < 0 || op > static_cast<int>(Op::negation)) return {};
            const Tree* last = parts.data() + parts.size() - children;
            const auto made = static_cast<Op>(op);
            const Tree whole = children == 0   ? Tree::node(made, a, b)
                               : children == 1 ? Tree::node(made, a, b, last[0])
                               : children == 2 ? Tree::node(made, a, b, last[0], last[1])
                                               : Tree::node(made, a, b, last[0], last[1], last[2]);
            parts.resize(parts.size() - children);
            parts.push_back(whole);
        }
        return parts.size() == 1 ? std::optional(parts.front()) : std::nullopt;
    }

    std::istream& in_;
    const std::vector<DefinedStruct>& structs_;
};

std::string program_of(const std::vector<DefinedStruct>& structs) {
    std::string text =
        "\nint main(int, char** arguments) {\n    std::FILE* out = std::fopen(arguments[1], \"wb\");\n"
        "    if (out == nullptr) return 1;\n";
    for (std::size_t i = 0; i < structs.size(); ++i)
        text += fmt::format("    schedproof::command::policy_header::describe<::{}>(out, {});\n", structs[i].name, i);
    return text + "    std::fputs(\"end\", out);\n    return std::fclose(out);\n}\n";
}

void write(const fs::path& path, std::string_view text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw InputError::in_file(path.string(), "expected room for a program to be compiled");
}

}  // namespace

std::string Compiler::identity() const {
    std::error_code error;
    const fs::path real = fs::canonical(program, error);
    std::string text = fmt::format("{} {} {}", real.string(), fs::file_size(real, error),
                                   fs::last_write_time(real, error).time_since_epoch().count());
    for (const std::string& option : options) text += " " + option;
    return text;
}

std::optional<Compiler> find_compiler() {
    std::vector<std::string> given = words("CXX"), flags = words("CXXFLAGS");
    const bool chosen = !given.empty();
    for (const std::string& name :
         chosen ? std::vector{given.front()} : std::vector<std::string>{"c++", "g++", "clang++"})
        if (const auto program = base::find_program(name)) {
            Compiler compiler{*program, flags};
            if (chosen) compiler.options.insert(compiler.options.begin(), given.begin() + 1, given.end());
            return compiler;
        }
    if (chosen)
        throw InputError::at_key("CXX", "expected a C++ compiler that is installed, not " + base::shown(given.front()));
    return {};
}

Compiled compile(const Compiler& compiler, const fs::path& headers, const std::string& path, const std::string& name) {
    const base::TemporaryDirectory folder;
    const auto file = [&](const char* part) { return (folder.path() / part).string(); };
    const auto run = [&](std::initializer_list<std::string> arguments) {
        std::vector<std::string> all = compiler.options;
        all.insert(all.end(), {"-std=c++20", "-w", "-I" + headers.string(), file("asks.cpp")});
        all.insert(all.end(), arguments);
        const ProcessEnd end = base::run_process(compiler.program, std::move(all), compiler_limits);
        if (!end.good()) throw refused(end, path, name);
    };
    const std::string includes =
        fmt::format("#include \"{}\"\n#include \"experiments/command/policy_header/describe.hpp\"\n", path);
    write(file("asks.cpp"), includes);
    run({"-E", "-o", file("asks.ii")});
    Scan found = scan(base::read_file(file("asks.ii")), path);
    std::erase(found.files, file("asks.cpp"));
    write(file("asks.cpp"), includes + program_of(found.structs));
    run({"-O0", "-o", file("asks")});

    const ProcessEnd end = base::run_process(file("asks"), {file("answer")}, program_limits);
    const auto effect = [&](const std::string& what) {
        return InputError::in_file(name, "expected a policy that is data: code of this file " + what);
    };
    if (const std::string wrong = misbehaviour(end); !wrong.empty()) throw effect(wrong);
    std::ifstream answer(file("answer"), std::ios::binary);
    if (auto structs = Description(answer, found.structs).structs())
        return {std::move(*structs), std::move(found.files)};
    throw effect("ends the program before it has said what its rules are");
}

}  // namespace schedproof::command::policy_header
