#include "experiments/command/optimum_policy/exported_policy.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "checks/suite/policy_proofs.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "model/queueing/language/decision_table.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/bounds/tabulated_policy.hpp"

namespace schedproof::cli {

namespace {

using queueing::MeanTheorem;
using queueing::language::DecisionTable;
using queueing::language::Tree;

InputError taken(const std::string& path) {
    return InputError::in_file(path, "expected the name of a new file: existing files are not overwritten");
}

void write_policy(const std::string& path, const queueing::codec::PolicyText& policy) {
    base::OutputFile out(path);
    out.stream() << written_as_text(policy);
    out.close();
    if (!out.commit_new()) throw taken(path);
}

}  // namespace

std::optional<std::pair<Rational, Rational>> ExportedPolicy::mean() const {
    const MeanTheorem* theorem = suite::mean_of(verdict);
    if (theorem == nullptr) return {};
    return std::pair(theorem->lower, theorem->upper);
}

void require_exportable(const queueing::Instance& instance, std::uint32_t most, const std::string& path) {
    if (std::error_code error; std::filesystem::exists(path, error)) throw taken(path);
    (void)DecisionTable(most, static_cast<std::uint32_t>(instance.servers().size()),
                        static_cast<std::uint32_t>(instance.types().size()));
}

ExportedPolicy export_policy(const std::shared_ptr<const queueing::Instance>& instance,
                             const queueing::AnyPolicyTheorem& theorem, std::uint32_t most, const std::string& path,
                             const queueing::MeanGoal& goal, const explore::Budget& budget) {
    const queueing::Rules rules = tabulated_rules(*instance, theorem, most, goal.threads);
    const Tree& serve = rules.serve();
    ExportedPolicy exported;
    exported.id = "near-optimum-" + instance->name();
    exported.most = DecisionTable::numbered(serve[serve.root()].a).most();
    exported.beyond = queueing::to_string(serve.subtree(serve.child(serve.root(), 0)));
    write_policy(path, {exported.id,
                        "",
                        fmt::format("by a table of the states of {} with at most {} waiting tasks, else MaxWeight",
                                    instance->name(), exported.most),
                        rules,
                        0,
                        0,
                        0,
                        {},
                        "regret"});
    // The file is what is proved something of.
    (void)add_policy_file(path, {});
    try {
        exported.verdict = suite::prove_mean(instance, exported.id, goal, budget);
    } catch (const LimitExceeded& limit) {
        exported.verdict = checks::Unknown{limit.what()};
    }
    return exported;
}

}  // namespace schedproof::cli
