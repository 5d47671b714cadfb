/// A question settled by what the other subcommands use: proofs of checks/suite, the load, simulations.
///
/// The same question has the same reply, whatever else is asked: each is settled in a process of its own, on one
/// thread, and nothing in a reply depends on time unless a limit ends the work.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "checks/families.hpp"
#include "checks/queueing/hunt.hpp"
#include "checks/queueing/hunted_clusters.hpp"
#include "checks/suite/policy_proofs.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/size_parameters.hpp"
#include "experiments/command/families/instance_file.hpp"
#include "experiments/command/serve/dialogue.hpp"
#include "experiments/command/simulate/both_starts.hpp"
#include "experiments/command/simulate/experiment_on.hpp"
#include "experiments/runs/compare.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;
using ClusterPointer = std::shared_ptr<const Instance>;

const std::string policy_key = "policy", instance_key = "instance";

bool is_text(const std::string& named) { return named.find('\n') != std::string::npos; }

/// The id of the policy, which is registered where it is a text; and the function that a text names, or empty.
struct AskedPolicy {
    std::string id, lyapunov;
};
AskedPolicy policy_of(const Question& question) {
    if (is_text(question.policy)) {
        const codec::PolicyText text = policy_with_values(question.policy, policy_key, question.values);
        add_policy({{text.id, text.source, text.summary}, text.rules});
        return {text.id, text.lyapunov};
    }
    if (!question.values.empty())
        throw InputError::at_key("values", "expected values of parameters beside the text of a policy only");
    const std::string id(resolve_policy(question.policy));
    if (!id.empty()) return {id, ""};
    std::vector<std::string_view> ids;
    for (const PolicyInfo& info : policies()) ids.push_back(info.id);
    throw InputError::at_key(policy_key,
                             fmt::format("expected the text of a policy or the name of a registered one, "
                                         "not {}{}",
                                         base::shown(question.policy), base::did_you_mean(question.policy, ids)));
}

ClusterPointer instance_of(const Question& question, const Clusters& clusters) {
    const std::string& asked = question.instance;
    if (is_text(asked) || asked.starts_with("{"))
        return std::make_shared<const Instance>(
            queueing::parse_instance(asked, base::detect_format("", asked), instance_key));
    std::vector<std::string_view> names;
    for (const ClusterPointer& instance : clusters) {
        if (instance->name() == asked) return instance;
        names.push_back(instance->name());
    }
    throw InputError::at_key(instance_key,
                             fmt::format("expected the text of an instance or the name of one that the command line "
                                         "gives, not {}{}",
                                         base::shown(asked), base::did_you_mean(asked, names)));
}

explore::Budget budget_of(const Question& question) {
    explore::Budget budget;
    if (question.cells > 0) budget.paths = question.cells;
    return budget;
}

/// What a verdict says, and its certificate where it is asked for.
void tell(const Question& question, const checks::Verdict& verdict, Reply& reply) {
    reply.says = checks::explanation(verdict);
    if (question.certificate) reply.certificate = suite::certificate(verdict);
}

void tell_kind(const Question& question, const checks::Verdict& verdict, Reply& reply) {
    reply.verdict = checks::kind(verdict);
    std::transform(reply.verdict.begin(), reply.verdict.end(), reply.verdict.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    tell(question, verdict, reply);
}

void tell_load(const Instance& instance, Reply& reply) {
    const capacity::CapacityCertificate certificate = capacity::solve(instance);
    if (certificate.exact()) reply.load = certificate.load();
    reply.verdict = capacity::to_string(capacity::position(certificate));
}

void settle_stability(const Question& question, const ClusterPointer& instance, Reply& reply) {
    const AskedPolicy policy = policy_of(question);
    tell_load(*instance, reply);
    checks::StabilityOptions options;
    options.lyapunov = policy.lyapunov;
    options.terms_first = true;
    options.search_cells = question.cells > 0 ? question.cells : 2'000;
    const suite::StabilityVerdict found = suite::prove_stability(instance, policy.id, budget_of(question), options);
    reply.verdict = found.standing == suite::Standing::stable      ? "stable"
                    : found.standing == suite::Standing::transient ? "transient"
                                                                   : "unknown";
    reply.by = found.by;
    reply.why_not = found.why_not;
    tell(question, found.verdict, reply);
}

void bound_mean(const Question& question, const ClusterPointer& instance, Reply& reply) {
    MeanGoal goal;
    Integer grid = 1;
    for (std::uint64_t i = 0; i < question.digits; ++i) grid *= 10;
    goal.width = Rational(Integer(1), grid);
    const checks::Verdict verdict = suite::prove_mean(instance, policy_of(question).id, goal, budget_of(question));
    tell_kind(question, verdict, reply);
    if (const MeanTheorem* theorem = suite::mean_of(verdict)) {
        reply.lower = theorem->at_least();
        reply.upper = theorem->upper;
    }
}

void ask_claim(const Question& question, const ClusterPointer& instance, Reply& reply) {
    const checks::Claim claim = checks::claim_named(question.claim);
    const checks::DomainPtr domain =
        parse_any_instance(queueing::write_json(*instance), base::Format::json, instance_key)->domain();
    const checks::Verdict verdict =
        suite::prove_claim(claim, policy_of(question).id, domain, question.oracle, budget_of(question));
    tell_kind(question, verdict, reply);
    if (const auto* refuted = std::get_if<checks::Refuted>(&verdict))
        reply.says = fmt::format("{}: {}", claim.any->describe(refuted->counterexample),
                                 claim.any->violation(refuted->counterexample));
}

/// The policy by the number of servers. A parameter that is this number follows it, unless the question sets it.
std::map<std::size_t, std::string> ids_by_size(const Question& question) {
    std::map<std::size_t, std::string> ids;
    std::vector<std::string> names;
    if (is_text(question.policy))
        for (const auto& parameter : policy_with_values(question.policy, policy_key, question.values).parameters)
            if (!value_of_size(parameter.name, 1).empty() &&
                ("," + question.values).find("," + parameter.name + "=") == std::string::npos)
                names.push_back(parameter.name);
    const std::string id = policy_of(question).id;
    for (std::size_t servers = checks::smallest_hunted(); servers <= checks::largest_hunted(); ++servers) {
        Question sized = question;
        for (const std::string& name : names)
            sized.values += (sized.values.empty() ? "" : ",") + value_of_size(name, servers);
        ids[servers] = names.empty() ? id : policy_of(sized).id;
    }
    return ids;
}

void hunt(const Question& question, Reply& reply) {
    const std::map<std::size_t, std::string> ids = ids_by_size(question);
    const Stopwatch watch;
    checks::HuntOptions options;
    if (question.cells > 0) options.budget.paths = question.cells;
    // So that what was found by then is told before the limit ends the process, unless a single cluster takes longer.
    const double most = 0.8 * static_cast<double>(question.seconds);
    options.go_on = [&](std::string_view, std::size_t) { return watch.seconds() < most; };
    const checks::HuntOutcome found =
        checks::hunt_transience([&](std::size_t servers) { return ids.at(servers); }, options);
    if (!found.find) {
        reply.verdict = "unknown";
        reply.says = fmt::format("no transient cluster among {}{}; this says nothing about other clusters", found.tried,
                                 found.ended ? ", when the time was over" : "");
        return;
    }
    reply.verdict = "transient";
    reply.by = found.find->by;
    reply.load = capacity::solve(*found.find->instance).load();
    reply.instance = write_toml(*found.find->instance);
    tell(question, found.find->verdict, reply);
    if (!found.find->one_minimal) reply.says += " The time was over before every smaller cluster was looked at.";
}

void simulate(const Question& question, const ClusterPointer& instance, Reply& reply) {
    const AnyPolicy policy = make_policy(policy_of(question).id, *instance, capacity::fluid_plan);
    const auto experiment = experiment_on(instance, policy, question.slots);
    const runs::PointReport report = runs::compare({{std::string(policy.info().id), experiment.get()}},
                                                   {.seed = question.seed, .replications = question.replications});
    const runs::PolicyReport& own = report.policies.front();
    for (std::size_t i = 0; i < own.quantities.size(); ++i) {
        Sampled sampled{own.quantities[i].name, own.quantities[i].unit, {}, {}};
        if (const auto& estimate = own.summary.quantities[i].estimate) {
            sampled.mean = estimate->mean;
            sampled.half_width = estimate->half_width;
        }
        reply.sampled.push_back(std::move(sampled));
    }
    reply.verdict = "measured";
    if (instance->continuous()) {
        reply.says = "growth from a large state is measured in slots only";
        return;
    }
    const BothStarts seen = run_both_starts(
        instance, policy, {.slots = question.slots, .replications = question.replications, .seed = question.seed});
    reply.says = fmt::format("seen {}: {}", to_string(seen.seen()), seen.in_words());
}

}  // namespace

Reply reply_to(const Question& question, const Clusters& clusters) {
    Reply reply;
    if (question.ask == Ask::every_cluster) {
        tell_kind(question, suite::prove_every_cluster(policy_of(question).id, question.levels, budget_of(question)),
                  reply);
        return reply;
    }
    if (question.ask == Ask::hunt) {
        hunt(question, reply);
        return reply;
    }
    const ClusterPointer instance = instance_of(question, clusters);
    switch (question.ask.value()) {
        case Ask::capacity:
            tell_load(*instance, reply);
            break;
        case Ask::stable:
            settle_stability(question, instance, reply);
            break;
        case Ask::mean:
            bound_mean(question, instance, reply);
            break;
        case Ask::counterexample:
            ask_claim(question, instance, reply);
            break;
        case Ask::simulate:
            simulate(question, instance, reply);
            break;
        case Ask::every_cluster:
        case Ask::hunt:
            break;
    }
    return reply;
}

}  // namespace schedproof::cli
