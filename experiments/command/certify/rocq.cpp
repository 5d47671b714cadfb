/// The directory is complete by itself: the theory's sources with their `_CoqProject` in `theory`, `Certificate.v`,
/// and `certificate.integers` for the extracted checker.
/// A compiled file of the theory is kept as long as its source and those before it are the same.
#include "experiments/command/certify/rocq.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <vector>

#include "experiments/command/reproduce/catalogue.hpp"
#include "model/base/output_file.hpp"
#include "model/base/process.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certificate_codec.hpp"
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

/// Whether the file had another text.
bool renew(const fs::path& path, const std::string& text) {
    const bool alike = fs::exists(path) && fs::file_size(path) == text.size();
    if (alike && base::read_text(path.string(), text.size() + 1) == text) return false;
    base::write_file(path.string(), text);
    return true;
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

    void compile_theory(const std::vector<std::string>& names, const std::vector<bool>& changed) {
        bool stale = false;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const fs::path source = directory_ / "theory" / names[i];
            stale = stale || changed[i] || !fs::exists(fs::path(source).replace_extension(".vo"));
            if (!stale) continue;
            const base::ProcessEnd end = compile(source);
            if (!end.good()) throw Error(fmt::format("Rocq does not compile its theory, {}: {}", names[i], end.err));
        }
    }
    [[nodiscard]] base::ProcessEnd compile(const fs::path& source) const {
        return base::run_process(compiler_,
                                 {"-q", "-Q", (directory_ / "theory").string(), "Schedproof", source.string()});
    }

  private:
    fs::path directory_, compiler_;
};

}  // namespace

RocqAnswer hand_to_rocq(const std::string& certificate, const std::string& directory, bool run) {
    const std::string text = base::read_text(certificate, certify::max_certificate_bytes);
    const auto file = certify::read_certificate(certify::read_document(text, certificate), certificate);
    const rocq::TheoremFile theorem = rocq::theorem_file(file.certificate);
    const fs::path root = directory, sources = root / "theory";
    base::make_directory(sources.string());
    const std::vector<std::string> names = theory_sources();
    std::vector<bool> changed;
    for (const std::string& name : names) changed.push_back(renew(sources / name, embedded_file(theory + name)));
    (void)renew(sources / "_CoqProject", embedded_file(theory + "_CoqProject"));
    const fs::path target = root / "Certificate.v";
    (void)renew(target, theorem.text);
    base::write_file((root / "certificate.integers").string(), theorem.integers.bytes());
    RocqAnswer answer;
    answer.text = theorem.level == 3 ? fmt::format("rocq          level 3, a theorem about the chain: {} in {}\n",
                                                   theorem.statement, target.string())
                                     : fmt::format("rocq          level 1, the logic alone: {} in {}; {}\n",
                                                   theorem.statement, target.string(), theorem.gap);
    if (!run) return answer;
    Rocq rocq(root);
    rocq.compile_theory(names, changed);
    const base::ProcessEnd end = rocq.compile(target);
    answer.closed = end.good();
    answer.text += end.good() ? "\n" + end.out : "refused       by Rocq: " + end.err + "\n";
    return answer;
}

}  // namespace schedproof::cli
