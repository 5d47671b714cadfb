/// Times of drift proofs for all states on the two-server instances, beside an exploration without its shortcuts.
///
/// One line per proof: cells, questions to the solver, seconds of the whole proof (exploration, least threshold,
/// multipliers, check), seconds of the exploration alone, and those of a baseline on the same cells in the same run,
/// which asks Z3 about both sides of every atom of every path, on a stack of its own, without a known point and without
/// starting where the last path ended. Target: each proof under 3 s, and the exploration not slower than the baseline.
/// Exit code 1 when one is missed.
#include <fmt/core.h>

#include <string>

#include "experiments/bench/support.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::queueing;

/// Asks about both sides of every atom on the way to every leaf, path by path.
std::uint64_t ask_everything(const proof::Space& space, const proof::Tree& tree) {
    std::uint64_t questions = 0;
    proof::for_each_leaf(space, tree, [&](std::uint32_t, const std::vector<proof::Constraint>& path) {
        explore::Feasibility solver(space, 10'000'000);
        for (std::size_t i = space.constraints().size(); i < path.size(); ++i) {
            for (const proof::Constraint& side : {proof::negation(path[i]), path[i]}) {
                solver.push(side);
                (void)solver.check();
                solver.pop(1);
            }
            solver.push(path[i]);
        }
        questions += solver.questions();
    });
    return questions;
}

bool measure(const std::string& name, const char* policy, const char* function) {
    const Instance instance = queueing::read_instance(SCHEDPROOF_SOURCE_DIR "/experiments/instances/" + name + ".toml");
    const SymbolicSystem symbolic(instance, make_policy(policy, instance, capacity::fluid_plan));
    const ExactSystem exact(instance, make_policy(policy, instance, capacity::fluid_plan));
    const LyapunovForm v = named_lyapunov(function, instance, symbolic.layout());
    DriftGoal goal;
    goal.v = v;
    const bench::Stopwatch watch;
    const DriftOutcome outcome = prove_drift(symbolic, exact, goal);
    const double whole = watch.seconds();
    const auto* proof = std::get_if<DriftProof>(&outcome);
    double exploring = 0, baseline = 0;
    std::uint64_t questions = 0;
    for (const Shape& shape : shapes_of(find_statuses(symbolic))) {
        const bench::Stopwatch exploration;
        const auto cells = drift_cells(symbolic, shape, v);
        exploring += exploration.seconds();
        baseline += bench::wall_seconds([&] { questions += ask_everything(symbolic.space(shape), cells.tree); });
    }
    fmt::print(
        "{:<15} {:<19} {:<17} {:>5} cells {:>6} questions {:6.2f} s | exploration {:6.3f} s, baseline {:6.3f} s "
        "for {} questions, ratio {:.1f}\n",
        name, policy, function, proof ? proof->statistics.cells : 0, proof ? proof->statistics.questions : 0, whole,
        exploring, baseline, questions, baseline / exploring);
    return proof != nullptr && whole < 3 && exploring <= baseline;
}

}  // namespace

int main() {
    bool reached = true;
    for (const char* name : {"m2-half", "m2-uneven", "m2-shared", "m2-one-type", "m2-fast-remote"})
        reached = measure(name, "wang-jsq-maxweight", "regret") && reached;
    reached = measure("m2-uneven", "jsq-maxweight", "regret") && reached;
    reached = measure("m2-uneven", "generalized-cmu", "regret") && reached;
    reached = measure("m2-uneven", "balanced-pandas", "workload-squares") && reached;
    fmt::print("{}\n", reached ? "every target reached" : "TARGET MISSED");
    return reached ? 0 : 1;
}
