/// `prove throughput-optimal`: the MaxWeight drift argument as lemmas about the policy's code.
///
/// For every cluster (`--for-all`) the rates are symbols and the number of servers is arbitrary: decisions of the code
/// are leaves of decision trees, and kernel lemmas are polynomial identities. With an instance the constants are its
/// own. A leaf that fails refutes the argument for this policy, not its stability, so the verdict is Unknown, with a
/// small cluster that shows the decision.
///
/// Where the argument does not apply, a rule of bounded regret is throughput optimal for another reason, which its
/// rules show.
#include <fmt/core.h>

#include <array>
#include <map>
#include <optional>
#include <utility>

#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/every_cluster/regret_proof.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"

namespace schedproof::cli {

struct ProveThroughputRequest {
    std::string instance;  ///< or empty with `for_all`
    std::string policy;
    bool for_all = false;
    std::size_t levels = 2;      ///< of `for_all`
    std::string time;            ///< of `for_all`: one of `timing_words`; slots if empty
    std::string counterexample;  ///< file for the small instance of a failing leaf, or empty
    BudgetRequest budget;
    EvidenceRequest evidence;
    Destination to;
};

namespace {

using namespace queueing;

/// How a sentence goes on, in the order of Timing.
constexpr std::array<const char*, 3> in_that_time{"", " in continuous time",
                                                  " in continuous time, where tasks are interrupted and resumed"};

Timing timing_of(const ProveThroughputRequest& request) {
    for (std::size_t i = 0; i < timing_words.size(); ++i)
        if (request.time == timing_words[i]) return static_cast<Timing>(i);
    return Timing::slots;
}

/// What is asked, in words, before anything is known.
struct Asked {
    const ProveThroughputRequest& request;
    std::string policy;
    std::string where;  ///< "for every cluster with 2 levels", or the name of an instance
    Stopwatch watch = {};
};

/// What became of it: a theorem, a leaf of the argument that fails, or a reason.
struct ThroughputAnswer {
    const Asked& asked;
    double seconds;
    std::optional<Certificate> certificate = {};
    explore::Statistics statistics = {};
    std::size_t smtlib_files = 0;
    std::optional<LeafFailure> failure = {};
    std::string replay = {};
    std::string reason = {};

    /// Questions about the code by their first word: routing, serving, price.
    [[nodiscard]] std::map<std::string, std::size_t> kinds() const {
        std::map<std::string, std::size_t> count;
        for (const proof::ExploredProof& proof : certificate->proofs)
            ++count[proof.name.substr(0, proof.name.find(' '))];
        return count;
    }
    [[nodiscard]] std::size_t lemmas() const {
        return std::visit(
            []<class T>(const T& theorem) -> std::size_t {
                if constexpr (requires { theorem.lemmas; })
                    return theorem.lemmas.size();
                else
                    throw ContractViolation("a drift argument for every number of servers has lemmas");
            },
            certificate->theorem);
    }
    [[nodiscard]] bool by_regret() const {
        return certificate && std::holds_alternative<RegretTheorem>(certificate->theorem);
    }
    [[nodiscard]] std::vector<std::pair<std::string, std::size_t>> leaves() const {
        if (by_regret()) return {{"properties of the rules", 2}};
        const auto count = kinds();
        std::vector<std::pair<std::string, std::size_t>> all(count.begin(), count.end());
        all.emplace_back("kernel lemmas", lemmas());
        return all;
    }
    [[nodiscard]] std::vector<Rational> rates() const {
        std::vector<Rational> list;
        for (const LevelInfo& level : failure->instance->data().levels) list.push_back(level.rate);
        return list;
    }
    [[nodiscard]] std::string text() const;
};

std::string ThroughputAnswer::text() const {
    if (by_regret())
        return fmt::format("verdict       Proved\ntheorem       {}\neffort        {:.2f} s, no cells\n",
                           sentence(*certificate), seconds) +
               evidence_lines(asked.request.evidence, smtlib_files);
    if (certificate) {
        std::string leaves;
        for (const auto& [kind, count] : kinds())
            leaves += fmt::format("{}{} {}", leaves.empty() ? "" : ", ", count, kind);
        return fmt::format(
                   "verdict       Proved\ntheorem       {}\nleaves        {} (decisions of the code, rates as "
                   "symbols); {} "
                   "kernel lemmas (identities)\neffort        {} cells, {} questions to the solver, {:.2f} s\n",
                   sentence(*certificate), leaves, lemmas(), statistics.cells, statistics.questions, seconds) +
               evidence_lines(asked.request.evidence, smtlib_files);
    }
    if (!failure)
        return fmt::format("verdict       Unknown\npolicy        {}, {}\nreason        {}\n", asked.policy, asked.where,
                           reason);
    std::string levels;
    for (const Rational& rate : rates()) levels += (levels.empty() ? "" : ", ") + rate.to_string();
    return fmt::format(
               "verdict       Unknown: the drift argument fails at a leaf, which says nothing about stability itself\n"
               "policy        {}, {}\nleaf          {}\nrates         {}{}\ncounterexample {}\n",
               asked.policy, asked.where, failure->leaf, levels,
               asked.request.for_all ? "" : ", of a small cluster that shows the leaf, not those of " + asked.where,
               failure->decision) +
           (replay.empty() ? "" : "replay        " + replay + "\n");
}

const Answer<ThroughputAnswer>& throughput_answer() {
    using A = ThroughputAnswer;
    const Record<A> leaf{
        field(
            "leaf", [](const A& a) { return a.failure->leaf; }, "Where the argument breaks."),
        field("rates", &A::rates, "By level, of the small cluster that shows it.").items(1).unit("completions a slot"),
        field(
            "what", [](const A& a) { return a.failure->decision; }, "What the policy decides there.")};
    const std::vector<std::string> proved{"proved"};
    static const Answer<A> answer{
        "prove-throughput",
        "Whether the MaxWeight drift argument holds for a policy. Answer of `schedproof prove throughput-optimal "
        "--format "
        "json`.",
        Record<A>{
            policy_field([](const A& a) { return a.asked.policy; }),
            definition_field([](const A& a) { return definition(a.asked.policy); }),
            field(
                "where", [](const A& a) { return a.asked.where; },
                "The clusters meant, in words, or the name of an instance."),
            field(
                "verdict", [](const A& a) { return a.certificate ? "proved" : "unknown"; },
                "Unknown says nothing about stability: a leaf of the argument fails, or a budget ended.")
                .words({"proved", "unknown"}),
            seconds_field(&A::seconds),
            field(
                "theorem", [](const A& a) { return sentence(*a.certificate); }, "The theorem in words.")
                .only_when("verdict", proved),
            field("leaves", &A::leaves, "Questions about the code by kind, and the kernel lemmas.")
                .items(1)
                .only_when("verdict", proved),
            statistics_field(&A::statistics).only_when("verdict", proved),
            field("smtlib_files", &A::smtlib_files, "Number of SMT-LIB files written.").only_when("verdict", proved),
            field(
                "failing_leaf", [](const A& a) { return a.failure ? &a : nullptr; },
                "Where the argument fails; null when a budget ended.", leaf)
                .only_when("verdict", {"unknown"})
                .or_null(),
            field(
                "replay", [](const A& a) { return if_any(a.replay); },
                "The command that shows the decision; null without --counterexample.")
                .pattern("^schedproof kernel ")
                .only_when("verdict", {"unknown"})
                .or_null(),
            field(
                "reason", [](const A& a) { return if_any(a.reason); },
                "Which budget ended, or what is not covered; null where a leaf fails.")
                .only_when("verdict", {"unknown"})
                .or_null()}
            .told_by(&A::text)};
    return answer;
}

int write(const ThroughputAnswer& found, int exit_code) {
    const Asked& asked = found.asked;
    return write_verdict(asked.request.to, throughput_answer(), found,
                         asked_of("prove throughput-optimal",
                                  "The policy is stable wherever the load is below 1, by the drift argument.",
                                  asked.policy, asked.where),
                         exit_code);
}

template <class Proof>
int proved(const Asked& asked, std::shared_ptr<const Instance> instance, Proof proof) {
    ThroughputAnswer found{asked, asked.watch.seconds()};
    found.statistics = proof.statistics;
    found.certificate = certified(std::move(instance), asked.policy, std::move(proof.theorem), proof.proofs);
    found.smtlib_files = write_evidence(asked.request.evidence, *found.certificate);
    return write(found, 0);
}

int answer(const Asked& asked, const std::shared_ptr<const Instance>&, UniformProof&& proof) {
    return proved(asked, nullptr, std::move(proof));
}
int answer(const Asked& asked, const std::shared_ptr<const Instance>& instance, MaxWeightProof&& proof) {
    return proved(asked, instance, std::move(proof));
}

/// The argument breaks at a leaf. That refutes the argument for this policy, not the policy's stability.
int answer(const Asked& asked, const std::shared_ptr<const Instance>&, LeafFailure&& failure) {
    ThroughputAnswer found{asked, asked.watch.seconds()};
    if (!asked.request.counterexample.empty()) {
        base::write_file(asked.request.counterexample, write_toml(*failure.instance));
        std::string queues;
        for (const Rational& length : failure.lengths) queues += (queues.empty() ? "" : ",") + length.to_string();
        std::vector<std::string> command = policy_words(asked.policy, "-p");
        command.insert(command.begin(), {"schedproof", "kernel", asked.request.counterexample});
        command.insert(command.end(), {"--queues", queues});
        found.replay = base::command_line(command);
    }
    found.failure = std::move(failure);
    return write(found, 3);
}

/// By bounded regret, if the policy is throughput optimal, or stable at this load, for that reason.
std::optional<int> answer_by_regret(const Asked& asked, const std::shared_ptr<const Instance>& instance) {
    const Rules* rules = find_rules(asked.policy);
    if (rules == nullptr) return std::nullopt;
    const auto regret = bounded_regret(*rules);
    const auto* theorem = std::get_if<RegretTheorem>(&regret);
    if (theorem == nullptr || !(instance ? covers(*theorem, *instance) : theorem->throughput_optimal()))
        return std::nullopt;
    ThroughputAnswer found{asked, asked.watch.seconds()};
    found.certificate = certified(nullptr, asked.policy, *theorem, {});
    found.smtlib_files = write_evidence(asked.request.evidence, *found.certificate);
    return write(found, 0);
}

int answer(const Asked& asked, const std::shared_ptr<const Instance>&, UniformUnknown&& unknown) {
    ThroughputAnswer found{asked, asked.watch.seconds()};
    found.reason = unknown.reason;
    return write(found, 3);
}

/// By the argument, or where it does not apply by bounded regret.
template <class Argument>
int settle(const Asked& asked, const std::shared_ptr<const Instance>& instance, const Argument& argument) {
    try {
        auto outcome = argument();
        if (outcome.index() > 0)
            if (const auto settled = answer_by_regret(asked, instance)) return *settled;
        return std::visit([&](auto&& kind) { return answer(asked, instance, std::forward<decltype(kind)>(kind)); },
                          std::move(outcome));
    } catch (const InputError&) {  // outside the fragment of the argument
        if (const auto settled = answer_by_regret(asked, instance)) return *settled;
        throw;
    }
}

}  // namespace

int run(const ProveThroughputRequest& request) {
    require_writable({request.to.path, request.evidence.certificate, request.counterexample});
    if (request.for_all == !request.instance.empty())
        throw InputError::at_key("FILE, --for-all", "expected either an instance file or --for-all");
    if (!request.for_all && !request.time.empty())
        throw InputError::at_key("--time", "expected no time beside that of the instance");
    const std::string policy = policy_id(request.policy);
    Progress progress("prove throughput-optimal");
    const explore::Budget budget = budget_of(request.budget, progress);
    if (request.for_all) {
        const Timing timing = timing_of(request);
        const Asked asked{request, policy,
                          fmt::format("every cluster with {} levels{}", request.levels,
                                      in_that_time.at(static_cast<std::size_t>(timing)))};
        return settle(asked, nullptr, [&] {
            return prove_uniform(ParametricPolicy::registered(policy), request.levels, budget, timing);
        });
    }
    auto instance = std::make_shared<const Instance>(queueing::read_instance(request.instance));
    const Asked asked{request, policy, instance->name()};
    return settle(asked, instance,
                  [&] { return prove_max_weight(symbolic_system(*instance, policy), Rational(1), budget); });
}

namespace {

OptionTable options(ProveThroughputRequest& r) {
    return joined({{{.names = "FILE", .target = &r.instance, .meaning = "instance whose load and constants to use"},
                    {.names = "-p,--policy",
                     .value = "POLICY",
                     .target = &r.policy,
                     .meaning = "a policy of `schedproof list policies`",
                     .required = true,
                     .offers = ids_of<queueing::policies>},
                    {.names = "--for-all",
                     .target = &r.for_all,
                     .meaning = "prove it for every cluster, every arrival law inside the region, and all rates"},
                    {.names = "--levels",
                     .value = "N",
                     .target = &r.levels,
                     .meaning = "levels of locality of --for-all, 2 or 3 (default 2)"},
                    {.names = "--time",
                     .value = "TIME",
                     .target = &r.time,
                     .meaning = "time of --for-all, continuous where tasks run to their end or are interrupted and "
                                "resumed (default slots)",
                     .words = {timing_words[0], timing_words[1], timing_words[2]}},
                    {.names = "--counterexample",
                     .value = "FILE",
                     .target = &r.counterexample,
                     .meaning = "file for the small cluster that shows why a leaf fails, if one does"}},
                   budget_options(r.budget),
                   evidence_options(r.evidence),
                   ci_destination_options(r.to)});
}

}  // namespace

Subcommand prove_throughput() {
    return make_subcommand<ProveThroughputRequest>(
        "throughput-optimal", "negative drift for any number of servers, from lemmas about the policy's code",
        "schedproof prove throughput-optimal -p jsq-maxweight --for-all --levels 3", options, forms(throughput_answer));
}

}  // namespace schedproof::cli
