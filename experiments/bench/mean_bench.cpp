/// Certified means of infinite chains: processor seconds from question to theorem, beside those of the checker.
///
/// Targets on one core: JSQ-MaxWeight on m2-half to a width of 1e-12 in 3 s and checked in 1 s, Wang to 1e-8 and
/// Balanced-Pandas to 1e-6 in 60 s; JSQ-MaxWeight on m2-uneven, at load 77/80, to 1e-4 in 10 min on two cores; a
/// million states in 3 min and 1 GiB; no policy below 0.66666591 on m2-half in 1 s. The baseline of each line is the
/// checker, which enumerates the same states without solving for a table, so the ratio is what searching costs. What
/// bounds it: the policy's code, run once per state and outcome, for the checker; for the search that and, from some
/// hundred thousand states on, going over the factors of the matrix.
#include <fmt/core.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checks/queueing/instances.hpp"
#include "experiments/bench/support.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/bounds/any_policy_proof.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::queueing;

struct Task {
    std::string name;
    double target;        ///< processor seconds
    double check_target;  ///< of the checker; 0: none
    double gib;           ///< most memory held; 0: none
    std::function<Certificate()> prove;
};

MeanGoal width(const char* wanted) {
    MeanGoal goal;
    goal.width = *Rational::parse(wanted);
    return goal;
}
MeanGoal box(std::uint32_t radius) {
    MeanGoal goal;
    goal.radius = radius;
    return goal;
}

std::function<Certificate()> mean(const char* name, const char* policy, const MeanGoal& goal) {
    return [=] {
        const auto instance = checks::named_instance(name);
        const AnyPolicy rules = make_policy(policy, *instance, no_planner);
        MeanOutcome outcome = prove_mean(SymbolicSystem(*instance, rules), ExactSystem(*instance, rules), goal);
        if (const auto* unknown = std::get_if<MeanUnknown>(&outcome)) throw LimitExceeded("mean", unknown->reason);
        auto& found = std::get<MeanProof>(outcome);
        if (!found.reached && !goal.radius) throw LimitExceeded("states", "the width asked for");
        Certificate certificate{instance, policy, std::move(found.theorem), {}};
        for (const proof::ExploredProof& one : found.proofs) certificate.proofs.push_back(canonical(one));
        return certificate;
    };
}

Certificate any_policy() {
    const auto instance = checks::named_instance("m2-half");
    AnyPolicyGoal goal;
    goal.radius = 40;
    return {instance, "", bound_any_policy(*instance, goal).theorem, {}};
}

std::string interval(const Certificate& certificate) {
    if (const auto* theorem = std::get_if<MeanTheorem>(&certificate.theorem))
        return fmt::format("{:.9f}  {:.0e}", theorem->lower.approximate(),
                           (theorem->upper - theorem->lower).approximate());
    return fmt::format("{:.9f}", std::get<AnyPolicyTheorem>(certificate.theorem).at_least().approximate());
}

/// By memory: what one line holds at most is seen of the last.
std::vector<Task> tasks() {
    return {{"any policy, m2-half, 40 tasks", 1, 0, 0, any_policy},
            {"jsq-maxweight, m2-half, 1e-12", 3, 1, 0, mean("m2-half", "jsq-maxweight", width("1/1000000000000"))},
            {"balanced-pandas, m2-half, 1e-6", 60, 0, 0, mean("m2-half", "balanced-pandas", width("1/1000000"))},
            {"wang, m2-half, 1e-8", 60, 0, 0, mean("m2-half", "wang-jsq-maxweight", width("1/100000000"))},
            {"jsq-maxweight, m2-uneven, 1e-4", 1200, 0, 0, mean("m2-uneven", "jsq-maxweight", width("1/10000"))},
            {"wang, m2-half, a million states", 180, 0, 1, mean("m2-half", "wang-jsq-maxweight", box(87))}};
}

}  // namespace

int main() {
    fmt::print("certified means, processor time of one thread\n{:<34} {:>8} {:>7} {:>8} {:>9} {:>9} {:>14}  {}\n",
               "theorem", "seconds", "target", "checked", "states", "GiB", "search / check", "from, width");
    bool reached = true;
    for (const Task& task : tasks()) {
        const double start = bench::process_seconds();
        const Certificate proved = task.prove();
        const double proving = bench::process_seconds() - start, held = bench::peak_gib();
        const double check = bench::process_seconds();
        if (const std::string wrong = rejection(proved); !wrong.empty()) throw OracleConflict(task.name + ": " + wrong);
        const double checking = bench::process_seconds() - check;
        const auto* theorem = std::get_if<MeanTheorem>(&proved.theorem);
        const bool good = proving <= task.target && (task.check_target == 0 || checking <= task.check_target) &&
                          (task.gib == 0 || held <= task.gib);
        reached = reached && good;
        fmt::print("{:<34} {:>8.2f} {:>7.0f} {:>8.2f} {:>9} {:>9.2f} {:>13.1f}x  {}{}\n", task.name, proving,
                   task.target, checking, theorem == nullptr ? 0 : theorem->box().size(), held, proving / checking,
                   interval(proved), good ? "" : "  MISSED");
    }
    fmt::print("{}\n", reached ? "every target reached" : "SOME TARGET MISSED");
    return reached ? 0 : 1;
}
