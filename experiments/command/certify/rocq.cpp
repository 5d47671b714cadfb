/// The directory is complete by itself: the theory's sources with their `_CoqProject` in `theory`, `Certificate.v`,
/// and `certificate.integers` for the extracted checker.
/// A compiled file of the theory is kept as long as its source and those before it are the same. Before a source is
/// written anew, what was compiled of it and of those after it is removed, so that a run that ends early leaves nothing
/// behind that the next would take for compiled.
#include "experiments/command/certify/rocq.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <vector>

#include "experiments/command/reproduce/catalogue.hpp"
#include "model/base/output_file.hpp"
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

/// Removes what was compiled of these sources from the given one on.
void forget_from(const fs::path& folder, const std::vector<std::string>& names, std::size_t first) {
    for (std::size_t i = first; i < names.size(); ++i) fs::remove(compiled(folder / names[i]));
}

void write_theory(const fs::path& folder, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string text = embedded_file(theory + names[i]);
        if (holds(folder / names[i], text)) continue;
        forget_from(folder, names, i);
        base::write_file((folder / names[i]).string(), text);
    }
    base::write_file((folder / "_CoqProject").string(), embedded_file(theory + "_CoqProject"));
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

    void compile_theory(const std::vector<std::string>& names) {
        const fs::path folder = directory_ / "theory";
        std::size_t first = 0;
        while (first < names.size() && fs::exists(compiled(folder / names[first]))) ++first;
        forget_from(folder, names, first);
        for (std::size_t i = first; i < names.size(); ++i)
            if (const base::ProcessEnd end = compile(folder / names[i]); !end.good())
                throw Error(fmt::format("Rocq does not compile its theory, {}: {}", names[i], end.err));
    }
    [[nodiscard]] base::ProcessEnd compile(const fs::path& source) const {
        return base::run_process(compiler_,
                                 {"-q", "-Q", (directory_ / "theory").string(), "Schedproof", source.string()});
    }

  private:
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
    base::write_file((root / "certificate.integers").string(), theorem.integers.bytes());
    RocqAnswer answer;
    answer.text = theorem.level == 3 ? fmt::format("rocq          level 3, a theorem about the chain: {} in {}\n",
                                                   theorem.statement, target.string())
                                     : fmt::format("rocq          level 1, the logic alone: {} in {}; {}\n",
                                                   theorem.statement, target.string(), theorem.gap);
    if (!run) return answer;
    Rocq rocq(root);
    rocq.compile_theory(names);
    const base::ProcessEnd end = rocq.compile(target);
    answer.closed = end.good();
    answer.text += end.good() ? "\n" + end.out : "refused       by Rocq: " + end.err + "\n";
    return answer;
}

}  // namespace schedproof::cli
