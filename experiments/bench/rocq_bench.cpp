/// Rocq beside the checker in C++: its theory, the files that `certify --rocq` writes, the extracted checker, the
/// kernel.
///
/// Targets: the theory compiled in 15 s on all cores; on one, writing the files of a certificate at level 1 at most a
/// tenth of the time that checking it takes; of 8,448 nodes, the extracted checker at most 5 s and Rocq a minute; the
/// extracted checker at most three times the checker in C++; drift on two servers closed by Rocq in 2 s. The baseline
/// of each line is the checker in C++ on the same certificate. What bounds it: for files, integers written one after
/// another; for the extracted checker, rationals of Zarith, where C++ runs the policy's code besides; for Rocq, half of
/// a small file is loading its libraries. Where Rocq or the extracted checker is missing, its figures are left out, and
/// so named.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/bench/support.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/base/process.hpp"
#include "model/base/temporary_directory.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certify.hpp"
#include "proofs/rocq/export/theorem_file.hpp"

namespace {

using namespace schedproof;
namespace fs = std::filesystem;

struct CertificateCase {
    std::string name;
    std::vector<std::string> command;       ///< what makes the certificate
    std::optional<double> extracted, rocq;  ///< targets, in seconds
};

std::vector<CertificateCase> rows() {
    const auto instance = [](const char* name) {
        return fmt::format("{}/experiments/instances/{}.toml", SCHEDPROOF_SOURCE_DIR, name);
    };
    const auto drift = [&](const char* name) {
        return std::vector<std::string>{"prove",           "drift",      instance(name),     "--policy",
                                        "balanced-pandas", "--lyapunov", "workload-squares", "--max-cells",
                                        "200000"};
    };
    return {
        {"drift, m2-half", drift("m2-half"), {}, 2},
        {"drift, n2-pandas", drift("n2-pandas"), 5, 60},
        {"mean, m2-half, 11,705 rows",
         {"mean", instance("m2-half"), "--policy", "join-shortest-queue", "--digits", "9"},
         {},
         {}},
        {"worst ratio, three servers",
         {"worst", "--policy", "dyndloff", "--shape", "1,1,1:0/1/2", "--costs", "any"},
         {},
         {}},
    };
}

/// Processor time of the programs that have ended. Unit: second.
double children_seconds() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Processor time of a program that must succeed.
double seconds_of(const fs::path& program, const std::vector<std::string>& arguments) {
    const double before = children_seconds();
    if (const base::ProcessEnd end = base::run_process(program, arguments); !end.good())
        throw Error(fmt::format("{}: {}", program.string(), end.err));
    return children_seconds() - before;
}

/// Compiles all sources in `theory` as a user of Rocq does, by its own makefile; prints the time by the clock. Whether
/// the target was reached.
bool compile_theory(const fs::path& theory) {
    constexpr double target = 15;
    fs::copy(fs::path(SCHEDPROOF_SOURCE_DIR) / "proofs/rocq", theory);
    const double before = children_seconds();
    const double seconds = bench::wall_seconds([&] {
        seconds_of("/bin/sh", {"-c", fmt::format("cd '{}' && coq_makefile -f _CoqProject -o Makefile && make -j{}",
                                                 theory.string(), base::default_threads())});
    });
    fmt::print(
        "theory compiled: {:.1f} s by the clock, {} processes at once; target {:.0f} s; {:.1f} s of processor time{}\n",
        seconds, base::default_threads(), target, children_seconds() - before, seconds <= target ? "" : "  MISSED");
    return seconds <= target;
}

struct Figures {
    double check = std::numeric_limits<double>::infinity(), write = check, extracted = check;
    int level = 0;
    std::optional<double> rocq;
};

Figures measure(const CertificateCase& row, const fs::path& root, const std::optional<fs::path>& extracted,
                const std::optional<fs::path>& compiler) {
    const fs::path certificate = root / "certificate.json", source = root / "Certificate.v",
                   integers = root / "certificate.integers";
    std::vector<std::string> command = row.command;
    command.insert(command.end(), {"--certificate", certificate.string(), "--output", (root / "answer").string()});
    seconds_of(SCHEDPROOF_COMMAND, command);
    Figures of;
    for (int run = 0; run < (of.check < 1 ? 10 : 3); ++run) {
        const double start = bench::process_seconds();
        const certify::Finding finding = certify::check_file(certificate.string(), nullptr);
        if (!finding.accepted()) throw OracleConflict(row.name + ": " + finding.rejection);
        const double checked = bench::process_seconds();
        const rocq::TheoremFile file = rocq::theorem_file(*finding.certificate);
        base::write_file(source.string(), file.text);
        base::write_file(integers.string(), file.integers.bytes());
        const double written = bench::process_seconds();
        of.check = std::min(of.check, checked - start);
        of.write = std::min(of.write, written - checked);
        of.level = file.level;
        if (extracted) of.extracted = std::min(of.extracted, seconds_of(*extracted, {integers.string()}));
    }
    if (compiler)
        of.rocq = seconds_of(*compiler, {"-q", "-Q", (root / "theory").string(), "Schedproof", source.string()});
    return of;
}

/// Whether all targets were reached.
bool print(const CertificateCase& row, const Figures& of, bool with_extracted) {
    const double share = of.write / of.check, ratio = of.extracted / of.check;
    bool good = of.level == 3 || share <= 0.1;
    good = good && (!with_extracted || (ratio <= 3 && of.extracted <= row.extracted.value_or(of.extracted)));
    good = good && (!of.rocq || *of.rocq <= row.rocq.value_or(*of.rocq));
    fmt::print("{:<28} {:>5} {:>9.3f} {:>9.3f} {:>7.1f}% {:>19} {:>10}{}\n", row.name, of.level, of.check, of.write,
               100 * share, with_extracted ? fmt::format("{:.3f} ({:.2f}x)", of.extracted, ratio) : "-",
               of.rocq ? fmt::format("{:.1f}", *of.rocq) : "-", good ? "" : "  MISSED");
    std::fflush(stdout);
    return good;
}

}  // namespace

int main() {
    const base::TemporaryDirectory root;
    std::optional<fs::path> compiler = base::find_program("coqc");
    if (!base::find_program("make")) compiler.reset();
    std::optional<fs::path> extracted = fs::path(SCHEDPROOF_COMMAND).parent_path() / "schedproof-certify-rocq";
    if (!fs::exists(*extracted)) extracted.reset();
    if (!compiler) fmt::print("coqc or make is missing (packages coq, make): no figures of Rocq\n");
    if (!extracted) fmt::print("schedproof-certify-rocq was not built: no figures of the extracted checker\n");
    bool reached = true;
    if (compiler) reached = compile_theory(root.path() / "theory");
    fmt::print("seconds of processor time\n{:<28} {:>5} {:>9} {:>9} {:>8} {:>19} {:>10}\n", "certificate", "level",
               "check", "write", "of check", "extracted checker", "Rocq");
    for (const CertificateCase& row : rows())
        reached = print(row, measure(row, root.path(), extracted, compiler), extracted.has_value()) && reached;
    fmt::print("{}\n", reached ? "every target reached" : "SOME TARGET MISSED");
    return reached ? 0 : 1;
}
