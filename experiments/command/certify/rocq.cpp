/// The directory is complete by itself: the theory's sources with their `_CoqProject` in `theory`, `Certificate.v`,
/// and `certificate.integers` for the extracted checker, where it reads such a statement.
/// Of the theory only what the certificate's file requires is compiled, independent files at once. A compiled file is
/// kept as long as its source and those before it are the same. Before a source is written anew, what was compiled of
/// it and of those after it is removed, so that a run that ends early leaves nothing behind that the next would take
/// for compiled.
#include "experiments/command/certify/rocq.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <vector>

#include "experiments/command/reproduce/catalogue.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/base/process.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "proofs/rocq/export/theorem_file.hpp"

namespace schedproof::cli {

namespace {

namespace fs = std::filesystem;

const std::string theory = "proofs/rocq/";

/// The sources of the theory, each after those that it uses.
std::vector<std::string> theory_sources() {
    std::vector<std::string> names;
    const std::string project = embedded_file(theory + "_CoqProject");
    for (std::size_t from = 0; from < project.size();) {
        const std::size_t end = std::min(project.find('\n', from), project.size());
        const std::string line = project.substr(from, end - from);
        if (line.ends_with(".v")) names.push_back(line);
        from = end + 1;
    }
    return names;
}

bool holds(const fs::path& path, const std::string& text) {
    return fs::exists(path) && fs::file_size(path) == text.size() &&
           base::read_text(path.string(), text.size() + 1) == text;
}

fs::path compiled(const fs::path& source) { return fs::path(source).replace_extension(".vo"); }

void write_theory(const fs::path& folder, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string text = embedded_file(theory + names[i]);
        if (holds(folder / names[i], text)) continue;
        for (std::size_t later = i; later < names.size(); ++later) fs::remove(compiled(folder / names[later]));
        base::write_file((folder / names[i]).string(), text);
    }
    base::write_file((folder / "_CoqProject").string(), embedded_file(theory + "_CoqProject"));
}

/// The sources that a file names after `From Schedproof Require Import`, up to a full stop.
std::set<std::string> required_by(const std::string& text) {
    constexpr std::string_view words = "From Schedproof Require Import";
    std::set<std::string> names;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at)) {
        at += words.size();
        std::istringstream modules(text.substr(at, text.find('.', at) - at));
        for (std::string module; modules >> module;) names.insert(module + ".v");
    }
    return names;
}

fs::path rocq_compiler() {
    if (const auto found = base::find_program("coqc")) return *found;
    throw InputError::at_key(
        "--run",
        "expected the program coqc; on Debian it comes with the package coq (apt-get install coq). "
        "Without --run the files are written for somebody who has it");
}

class Rocq {
  public:
    explicit Rocq(fs::path directory) : directory_(std::move(directory)), compiler_(rocq_compiler()) {}

    /// Compiles what `target` requires of the theory and is not compiled, or was compiled before what it requires.
    void compile_theory(const std::vector<std::string>& names, const std::string& target) {
        const fs::path folder = directory_ / "theory";
        std::set<std::string> needed = required_by(target), stale;
        for (auto name = names.rbegin(); name != names.rend(); ++name)
            if (needed.contains(*name)) needed.merge(required_by(embedded_file(theory + *name)));
        const auto uses_stale = [&](const std::string& name) {
            const std::set<std::string> used = required_by(embedded_file(theory + name));
            return std::any_of(used.begin(), used.end(),
                               [&](const std::string& other) { return stale.contains(other); });
        };
        for (const std::string& name : names) {
            if (fs::exists(compiled(folder / name)) && !uses_stale(name)) continue;
            fs::remove(compiled(folder / name));
            stale.insert(name);
        }
        for (;;) {
            std::vector<std::string> next;
            for (const std::string& name : stale)
                if (needed.contains(name) && !uses_stale(name)) next.push_back(name);
            if (next.empty()) return;
            compile_all(folder, next);
            for (const std::string& name : next) stale.erase(name);
        }
    }
    [[nodiscard]] base::ProcessEnd compile(const fs::path& source) const {
        return base::run_process(compiler_,
                                 {"-q", "-Q", (directory_ / "theory").string(), "Schedproof", source.string()});
    }

  private:
    void compile_all(const fs::path& folder, const std::vector<std::string>& names) const {
        base::for_each_index(names.size(), base::default_threads(), [&](std::size_t i) {
            if (const base::ProcessEnd end = compile(folder / names[i]); !end.good())
                throw Error(fmt::format("Rocq does not compile its theory, {}: {}", names[i], end.err));
        });
    }

    fs::path directory_, compiler_;
};

}  // namespace

RocqAnswer hand_to_rocq(const AnyCertificate& certificate, const std::string& directory, bool run) {
    const rocq::TheoremFile theorem = rocq::theorem_file(certificate);
    const fs::path root = directory, sources = root / "theory";
    base::make_directory(sources.string());
    const std::vector<std::string> names = theory_sources();
    write_theory(sources, names);
    const fs::path target = root / "Certificate.v";
    base::write_file(target.string(), theorem.text);
    const fs::path integers = root / "certificate.integers";
    if (const std::string bytes = theorem.integers.bytes(); bytes.empty())
        fs::remove(integers);
    else
        base::write_file(integers.string(), bytes);
    RocqAnswer answer;
    answer.text = theorem.level == 3 ? fmt::format("rocq          level 3, a theorem about the chain: {} in {}\n",
                                                   theorem.statement, target.string())
                                     : fmt::format("rocq          level 1, the logic alone: {} in {}; {}\n",
                                                   theorem.statement, target.string(), theorem.gap);
    if (!run) return answer;
    Rocq rocq(root);
    rocq.compile_theory(names, theorem.text);
    const base::ProcessEnd end = rocq.compile(target);
    answer.closed = end.good();
    answer.text += end.good() ? "\n" + end.out : "refused       by Rocq: " + end.err + "\n";
    return answer;
}

}  // namespace schedproof::cli
