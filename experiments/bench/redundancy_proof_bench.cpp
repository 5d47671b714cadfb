/// Proofs about redundancy policies for all arrivals and sizes: seconds from question to certificate, beside the
/// seconds that the checker needs.
///
/// Targets on one core: whole runs of SRPT with four jobs 1 s and with five 15 s; the dominance lemmas (interval and
/// arrival, and SRPT+R against SRPT) with the static lemma for 16 jobs 2 s in all; the drift of LAPS+R for up to ten
/// jobs, five machines and four betas 3 s in all, at either speed; Fair+R with four jobs 2 s. The baseline of each line
/// is the checker, which runs the same code along the same paths without a solver. What bounds it: an exact linear
/// program of about 0.1 ms per obligation, of which whole runs have several per job and path; then Z3 at forks.
/// Exit code 1 when a target is missed, or a proof is not found or not accepted.
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "experiments/bench/stopwatch.hpp"
#include "model/core/errors.hpp"
#include "proofs/redundancy/theorem_proof.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::redundancy;

struct Task {
    std::string policy, statement, shape, bound;
};

/// Theorems with one target for all of them.
struct Group {
    std::string name;
    double target;  ///< seconds
    std::vector<Task> tasks;
};

std::vector<Task> drift(const std::string& policy, const std::string& statement, const std::string& bound) {
    std::vector<Task> all;
    for (const char* beta : {"1/4", "1/2", "3/4", "1"})
        for (int machines = 1; machines <= 5; ++machines)
            all.push_back({policy, statement, fmt::format("n10-m{}-b{}-det", machines, beta), bound});
    return all;
}

std::vector<Task> fair(const std::string& shape, const std::string& constant) {
    return {{"fair+r", "fair-dual-feasible-cap", shape, constant}, {"fair+r", "fair-dual-value-cap", shape, "1/2"}};
}

std::vector<Group> groups() {
    return {
        {"SRPT, n=4, M=2", 1, {{"srpt+r", "srpt-dual-feasible", "n4-m2-det", "1/2"}}},
        {"SRPT, n=5, M=2", 15, {{"srpt+r", "srpt-dual-feasible", "n5-m2-det", "1/2"}}},
        {"SRPT, n=5, M=3", 15, {{"srpt+r", "srpt-dual-feasible", "n5-m3-det", "2/3"}}},
        {"dominance lemmas, n<=6, static n<=16",
         2,
         {{"srpt", "dominance-step", "n6-m5-det", "0"},
          {"srpt", "dominance-arrival", "n6-m5-det", "0"},
          {"srpt+r", "redundancy-step", "n6-m5-det", "0"},
          {"srpt+r", "srpt-static", "n16-m5-det", "4/5"}}},
        {"LAPS+R drift, s=2+2b+2e, 200 states", 3, drift("laps+r", "laps-drift", "1")},
        {"LAPS+R drift, s=1+b+e, 200 states", 3, drift("laps+r", "laps-drift-strong", "2")},
        {"LAPS+R:all drift, s=1+b+e, 200 states", 3, drift("laps+r:all", "laps-drift-strong-all", "1")},
        {"Fair+R, n=4, M=2 (det)", 2, fair("n4-m2-det", "1/2")},
        {"Fair+R, n=4, M=3 (two-point:3,0)", 2, fair("n4-m3-two-point:3,0", "2/3")},
        {"SRPT+R <= SRPT, n=3, M=4", 0, {{"srpt+r", "redundancy-helps", "n3-m4-two-point:3,0", "1"}}},
        {"SRPT+R <= SRPT, n=4, M=4", 0, {{"srpt+r", "redundancy-helps", "n4-m4-two-point:3,0", "1"}}},
    };
}

/// Whether the group's target is met.
bool print_row(const Group& group) {
    double proving = 0, checking = 0;
    std::size_t leaves = 0, obligations = 0;
    for (const Task& task : group.tasks) {
        const Theorem theorem{task.statement, parse_shape(task.shape), Rational::parse(task.bound).value()};
        double start = bench::thread_seconds();
        const TheoremProof found = prove(task.policy, theorem);
        proving += bench::thread_seconds() - start;
        if (found.certificate() == nullptr) throw OracleConflict(task.statement + " " + task.shape + ": no proof");
        start = bench::thread_seconds();
        if (const std::string wrong = rejection(*found.certificate()); !wrong.empty()) throw OracleConflict(wrong);
        checking += bench::thread_seconds() - start;
        for (const proof::ExploredProof& proof : found.certificate()->proofs) {
            leaves += proof.leaves.size();
            for (const auto& leaf : proof.leaves) obligations += leaf.size();
        }
    }
    const bool good = group.target == 0 || proving <= group.target;
    fmt::print("{:<42} {:>8.2f} {:>8} {:>8.2f} {:>8} {:>12} {:>8.1f}x{}\n", group.name, proving,
               group.target == 0 ? "-" : fmt::format("{:.0f}", group.target), checking, leaves, obligations,
               proving / checking, good ? "" : "  MISSED");
    return good;
}

}  // namespace

int main() {
    fmt::print("proofs for all arrivals and sizes, one core\n{:<42} {:>8} {:>8} {:>8} {:>8} {:>12} {:>9}\n", "theorem",
               "seconds", "target", "checked", "leaves", "obligations", "ratio");
    bool reached = true;
    for (const Group& group : groups()) reached = print_row(group) && reached;
    fmt::print("{}\n", reached ? "every target reached" : "SOME TARGET MISSED");
    return reached ? 0 : 1;
}
