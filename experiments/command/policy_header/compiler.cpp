/// A policy file becomes a program that prints what the file's structs say of themselves (describe.hpp), or, in the
/// families whose policies are code, a shared object that hands them over (hand_over.hpp).
///
/// The preprocessor's output shows which structs the file defines; then a function that asks each of them is compiled
/// with the file. That is the file itself, not what the preprocessor made of it, since errors quote its lines and the
/// library's. Compiler and program run within limits, since a text that the user wrote decides how long they take. What
/// the program writes is not believed: it becomes rules through the reader of printed rules.
#include "experiments/command/policy_header/compiler.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "experiments/command/policy_header/diagnosis.hpp"
#include "experiments/command/policy_header/outside_calls.hpp"
#include "experiments/command/policy_header/process_end.hpp"
#include "model/base/process.hpp"
#include "model/base/sha256.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::cli::policy_header {

namespace fs = std::filesystem;

namespace {

using base::ProcessEnd;
using queueing::language::Op;
using queueing::language::Tree;

constexpr base::ProcessLimits compiler_limits{
    .time = std::chrono::seconds(300), .processor = std::chrono::seconds(60), .memory = std::uint64_t{4} << 30U};
constexpr base::ProcessLimits program_limits{.time = std::chrono::seconds(300),
                                             .processor = std::chrono::seconds(10),
                                             .memory = std::uint64_t{1} << 30U,
                                             .file = std::uint64_t{1} << 24U};

std::vector<std::string> words(const char* variable) {
    const char* text = std::getenv(variable);
    std::vector<std::string> list;
    for (const std::string_view word : base::split_words(text == nullptr ? "" : text)) list.emplace_back(word);
    return list;
}

/// Whether the compiler says of itself that its memory has ended. Lines that quote a source, and messages about one,
/// may hold the same words.
bool ran_out_of_memory(std::string_view said) {
    for (const std::string_view line : base::split(said, '\n')) {
        if (line.starts_with(' ')) continue;
        const auto has = [&](const char* words) { return line.find(words) != std::string_view::npos; };
        if (has(": error: ") || has(": note: ") || has(": warning: ")) continue;
        if (has("out of memory") || has("virtual memory exhausted") || has("bad_alloc") ||
            has("signal terminated program"))
            return true;
    }
    return false;
}

/// The complaint about a file that did not compile.
InputError refused(const ProcessEnd& end, const std::string& path, const std::string& name) {
    static const std::regex undefined(R"(undefined reference to [`'](.*)')");
    if (end.how == ProcessEnd::How::out_of_time)
        return InputError::in_file(name,
                                   fmt::format("expected a policy that compiles within {} s", end.out_of->count()));
    if (ran_out_of_memory(end.err))
        return InputError::in_file(
            name, fmt::format("expected a policy that compiles in {} GiB of memory", compiler_limits.memory >> 30U));
    const Diagnosis diagnosis = diagnose(end.err, path);
    if (!diagnosis.sentence.empty() && diagnosis.line > 0)
        return InputError::at_column(name, diagnosis.line, diagnosis.column, diagnosis.sentence);
    if (std::smatch match; std::regex_search(end.err, match, undefined))
        return InputError::in_file(
            name,
            fmt::format("expected a policy that is data: its code calls {}, which no header defines", match[1].str()));
    return InputError::in_file(
        name, diagnosis.sentence.empty()
                  ? "the compiler refuses it: " + base::shown(end.err, 300)
                  : fmt::format("the compiler refuses it: {}: {}", diagnosis.elsewhere, diagnosis.sentence));
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
            DescribedStruct described{
                structs_[position], text(), text(), text(), texts(), texts(), texts(), text(), {}};
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
    [[nodiscard]] std::vector<std::string> texts() {
        std::size_t count = 0;
        in_ >> count;
        std::vector<std::string> list;
        while (in_ && list.size() < count) list.push_back(text());
        return list;
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
            if (op < 0 || op >= static_cast<int>(queueing::language::operations.size())) return {};
            std::vector<const Tree*> last;
            for (std::size_t k = parts.size() - children; k < parts.size(); ++k) last.push_back(&parts[k]);
            const Tree whole = Tree::over(static_cast<Op>(op), a, b, last);
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
        text += fmt::format("    schedproof::cli::policy_header::describe<::{}>(out, {});\n", structs[i].name, i);
    return text + "    std::fputs(\"end\", out);\n    return std::fclose(out);\n}\n";
}

/// The files behind the colon of a rule of make: separated by white space, which a backslash takes into a name or, at
/// the end of a line, does away with.
std::vector<std::string> prerequisites(std::string_view rule) {
    std::vector<std::string> files;
    std::string file;
    const auto end = [&] {
        if (!file.empty()) files.push_back(std::move(file));
        file.clear();
    };
    for (std::size_t i = rule.find(": ") + 1; i < rule.size(); ++i) {
        const bool escaped = rule[i] == '\\' && i + 1 < rule.size();
        if (escaped && rule[i + 1] == '\n')
            ++i;
        else if (escaped && (rule[i + 1] == ' ' || rule[i + 1] == '#'))
            file += rule[++i];
        else if (rule[i] == ' ' || rule[i] == '\n')
            end();
        else
            file += rule[i];
    }
    end();
    return files;
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

Compilation::Compilation(Compiler compiler, fs::path headers, std::string path, std::string name)
    : compiler_(std::move(compiler)), headers_(std::move(headers)), path_(std::move(path)), name_(std::move(name)) {
    const std::string source = (folder_.path() / "preprocessed.cpp").string(),
                      preprocessed = (folder_.path() / "preprocessed.ii").string();
    write(source, fmt::format("#include \"{}\"\n", path_));
    compile(source, {"-E", "-o", preprocessed});
    std::string text = base::read_file(preprocessed);
    scan_ = policy_header::scan(text, path_, headers_.string());
    // The folder has another name each time.
    for (std::size_t at = 0; (at = text.find(source, at)) != std::string::npos;) text.erase(at, source.size());
    digest_ = base::sha256(text);
    std::erase(scan_.files, source);
    if (const auto& found = scan_.two_faced)
        throw InputError::at_line(
            found->file == path_ ? name_ : found->file, found->line,
            fmt::format("expected code that is the same in the compiler and in the run, without {}",
                        base::shown(found->word)));
}

void Compilation::compile(const std::string& source, std::initializer_list<std::string> arguments) const {
    std::vector<std::string> all = compiler_.options;
    all.insert(all.end(), {"-std=c++20", "-w", "-I" + headers_.string(), source});
    all.insert(all.end(), arguments);
    const ProcessEnd end = base::run_process(compiler_.program, std::move(all), compiler_limits);
    if (!end.good()) throw refused(end, path_, name_);
}

std::vector<DescribedStruct> Compilation::described() const {
    const auto file = [&](const char* part) { return (folder_.path() / part).string(); };
    write(file("asks.cpp"),
          fmt::format("#include \"{}\"\n#include \"experiments/command/policy_header/describe.hpp\"\n", path_) +
              program_of(scan_.structs));
    compile(file("asks.cpp"), {"-O0", "-o", file("asks")});

    const ProcessEnd end = base::run_process(file("asks"), {file("answer")}, program_limits);
    const auto effect = [&](const std::string& what) {
        return InputError::in_file(name_, "expected a policy that is only data, but code of this file " + what);
    };
    if (const std::string wrong = misbehaviour(end, program_limits); !wrong.empty()) throw effect(wrong);
    std::ifstream answer(file("answer"), std::ios::binary);
    if (auto structs = Description(answer, scan_.structs).structs()) return std::move(*structs);
    throw effect("ends the program before it has said what its rules are");
}

std::vector<std::string> Compilation::make_shared_object(std::string_view family, std::string_view added_header,
                                                         const fs::path& object) const {
    std::string text = fmt::format(
        "#include \"{}\"\n#include \"{}\"\n#include \"experiments/command/policy_header/hand_over.hpp\"\n"
        "extern \"C\" void schedproof_hand_over(std::vector<schedproof::cli::policy_header::HandedOver>& to) {{\n"
        "    const auto make = []<class P>() {{ return schedproof::{}::added<P>(); }};\n",
        path_, added_header, family);
    // Errors of the family's rules are then errors at the line of the struct.
    for (const DefinedStruct& one : scan_.structs)
        text += fmt::format(
            "#line {0} \"{1}\"\n    schedproof::cli::policy_header::hand_over<::{2}>(to, \"{2}\", {0}, make);\n",
            one.line, path_, one.name);
    const std::string source = (folder_.path() / "hands_over.cpp").string();
    write(source, text + "}\n");
    const std::string rule = (folder_.path() / "hands_over.d").string();
    // -O2 takes longer to compile, and policies answer no sooner.
    compile(source, {"-O1", "-fPIC", "-shared", "-MMD", "-MF", rule, "-o", object.string()});
    if (const auto call = outside_call(compiler_, object, name_))
        throw InputError::in_file(name_,
                                  fmt::format("expected a policy that only answers, but its code calls {}", *call));
    if (const auto variable = kept_variable(compiler_, object, name_))
        throw InputError::in_file(
            name_,
            fmt::format("expected a policy that only answers, but its code keeps {} from call to call", *variable));
    std::vector<std::string> files = prerequisites(base::read_file(rule));
    std::erase(files, source);
    return files;
}

}  // namespace schedproof::cli::policy_header
