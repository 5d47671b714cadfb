/// `prove throughput-optimal`: the MaxWeight drift argument as lemmas about the policy's code.
///
/// For every cluster (`--for-all`) the rates are symbols and the number of servers is arbitrary: decisions of the code
/// are leaves of decision trees, and kernel lemmas are polynomial identities. With an instance the constants are its
/// own. A leaf that fails refutes the argument for this policy, not its stability, so the verdict is Unknown, with a
/// small cluster that shows the decision.
#include <fmt/core.h>

#include <map>

#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "experiments/runs/unit.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"

namespace schedproof::cli {

struct ProveThroughputRequest {
    std::string instance;  ///< or empty with `for_all`
    std::string policy;
    bool for_all = false;
    std::size_t levels = 2;      ///< of `for_all`
    std::string counterexample;  ///< file for the small instance of a failing leaf, or empty
    BudgetRequest budget;
    EvidenceRequest evidence;
    Destination to;
};

namespace {

using namespace queueing;

/// What is asked, in words, before anything is known.
struct Asked {
    const ProveThroughputRequest& request;
    std::string policy;
    std::string where;  ///< "for every cluster with 2 levels", or the name of an instance
    Stopwatch watch = {};

    [[nodiscard]] Json opening(const char* verdict) const {
        return {{"policy", policy},
                {"definition", definition(policy)},
                {"where", where},
                {"verdict", verdict},
                {"seconds", watch.seconds()}};
    }
    int give(const Json& json, const std::string& text, int code) const {
        return write_answer(request.to, "prove-throughput", json, text, code);
    }
};

/// `4 routing, 3 serving, 8 price`: the questions by their first word.
std::map<std::string, std::size_t> kinds(const std::vector<proof::ExploredProof>& proofs) {
    std::map<std::string, std::size_t> count;
    for (const proof::ExploredProof& proof : proofs) ++count[proof.name.substr(0, proof.name.find(' '))];
    return count;
}

template <class Proof>
int proved(const Asked& asked, std::shared_ptr<const Instance> instance, Proof proof) {
    Json json = asked.opening("proved");
    const double found_in = asked.watch.seconds();
    const Certificate certificate =
        certified(std::move(instance), asked.policy, std::move(proof.theorem), proof.proofs);
    const std::size_t files = write_evidence(asked.request.evidence, certificate);
    const std::string words = sentence(certificate);
    const auto& lemmas = std::visit(
        []<class T>(const T& theorem) -> const std::vector<proof::PolynomialProof>& {
            if constexpr (requires { theorem.lemmas; })
                return theorem.lemmas;
            else
                throw ContractViolation("a drift argument for every number of servers has lemmas");
        },
        certificate.theorem);
    std::string leaves;
    json["theorem"] = words;
    for (const auto& [kind, count] : kinds(certificate.proofs)) {
        leaves += fmt::format("{}{} {}", leaves.empty() ? "" : ", ", count, kind);
        json["leaves"][kind] = count;
    }
    json["leaves"]["kernel lemmas"] = lemmas.size();
    json["statistics"] = statistics_json(proof.statistics);
    if (files > 0) json["smtlib-files"] = files;
    std::string text = fmt::format("verdict       Proved\ntheorem       {}\n", words);
    text += fmt::format("leaves        {} (decisions of the code, rates as symbols); {} kernel lemmas (identities)\n",
                        leaves, lemmas.size());
    text += fmt::format("effort        {} cells, {} questions to the solver, {:.2f} s\n", proof.statistics.cells,
                        proof.statistics.questions, found_in);
    text += evidence_lines(asked.request.evidence, files);
    return asked.give(json, text, 0);
}

int answer(const Asked& asked, const std::shared_ptr<const Instance>&, UniformProof&& proof) {
    return proved(asked, nullptr, std::move(proof));
}
int answer(const Asked& asked, const std::shared_ptr<const Instance>& instance, MaxWeightProof&& proof) {
    return proved(asked, instance, std::move(proof));
}

/// The argument breaks at a leaf. That refutes the argument for this policy, not the policy's stability.
int answer(const Asked& asked, const std::shared_ptr<const Instance>&, LeafFailure&& failure) {
    std::string rates;
    Json exact = Json::array();
    for (const LevelInfo& level : failure.instance->data().levels) {
        rates += (rates.empty() ? "" : ", ") + level.rate.to_string();
        exact.push_back(number(level.rate));
    }
    Json json = asked.opening("unknown");
    json["failing-leaf"] = {{"leaf", failure.leaf}, {"rates", exact}, {"what", failure.decision}};
    std::string text = fmt::format(
        "verdict       Unknown: the drift argument fails at a leaf, which says nothing about stability itself\n"
        "policy        {}, {}\nleaf          {}\nrates         {}\ncounterexample {}\n",
        asked.policy, asked.where, failure.leaf, rates, failure.decision);
    if (!asked.request.counterexample.empty()) {
        base::write_file(asked.request.counterexample, write_toml(*failure.instance));
        std::string queues;
        for (const Rational& length : failure.lengths) queues += (queues.empty() ? "" : ",") + length.to_string();
        std::vector<std::string> command = policy_words(asked.policy, "-p");
        command.insert(command.begin(), {"schedproof", "kernel", asked.request.counterexample});
        command.insert(command.end(), {"--queues", queues});
        const std::string replay = runs::command_line(command);
        json["replay"] = replay;
        text += "replay        " + replay + "\n";
    }
    return asked.give(json, text, 3);
}

int answer(const Asked& asked, const std::shared_ptr<const Instance>&, UniformUnknown&& unknown) {
    Json json = asked.opening("unknown");
    json["reason"] = unknown.reason;
    return asked.give(json,
                      fmt::format("verdict       Unknown\npolicy        {}, {}\nreason        {}\n", asked.policy,
                                  asked.where, unknown.reason),
                      3);
}

}  // namespace

int run(const ProveThroughputRequest& request) {
    require_writable({request.to.path, request.evidence.certificate, request.counterexample});
    if (request.for_all == !request.instance.empty())
        throw InputError::at_key("FILE, --for-all", "expected either an instance file or --for-all");
    const std::string policy = policy_id(request.policy);
    Progress progress("prove throughput-optimal");
    const explore::Budget budget = budget_of(request.budget, progress);
    if (request.for_all) {
        const Asked asked{request, policy, fmt::format("every cluster with {} levels", request.levels)};
        UniformOutcome outcome = prove_uniform(ParametricPolicy::registered(policy), request.levels, budget);
        return std::visit([&](auto&& kind) { return answer(asked, nullptr, std::forward<decltype(kind)>(kind)); },
                          std::move(outcome));
    }
    auto instance = std::make_shared<const Instance>(queueing::read_instance(request.instance));
    const Asked asked{request, policy, instance->name()};
    MaxWeightOutcome outcome = prove_max_weight(symbolic_system(*instance, policy), Rational(1), budget);
    return std::visit([&](auto&& kind) { return answer(asked, instance, std::forward<decltype(kind)>(kind)); },
                      std::move(outcome));
}

namespace {

OptionTable options(ProveThroughputRequest& r) {
    return joined({{{.names = "FILE", .target = &r.instance, .meaning = "instance whose load and constants to use"},
                    {.names = "-p,--policy",
                     .value = "POLICY",
                     .target = &r.policy,
                     .meaning = "a policy of `schedproof list policies`",
                     .required = true,
                     .offers = policy_ids({"queueing"})},
                    {.names = "--for-all",
                     .target = &r.for_all,
                     .meaning = "prove it for every cluster, every arrival law inside the region, and all rates"},
                    {.names = "--levels",
                     .value = "N",
                     .target = &r.levels,
                     .meaning = "levels of locality of --for-all, 2 or 3 (default 2)"},
                    {.names = "--counterexample",
                     .value = "FILE",
                     .target = &r.counterexample,
                     .meaning = "file for the small cluster that shows why a leaf fails, if one does"}},
                   budget_options(r.budget),
                   evidence_options(r.evidence),
                   destination_options(r.to)});
}

}  // namespace

Subcommand prove_throughput() {
    return make_subcommand<ProveThroughputRequest>(
        "throughput-optimal", "negative drift for any number of servers, from lemmas about the policy's code",
        "schedproof prove throughput-optimal -p jsq-maxweight --for-all --levels 3", options);
}

}  // namespace schedproof::cli
