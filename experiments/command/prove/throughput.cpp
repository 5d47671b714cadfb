#include <fmt/core.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/requests.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"

namespace schedproof::command {

namespace {

using namespace queueing;
using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// What is asked, in words, before anything is known.
struct Asked {
    const ProveThroughputRequest& request;
    std::string policy;
    std::string where;  ///< "for every cluster with 2 levels", or the name of an instance
    Clock::time_point begin = Clock::now();

    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }
    [[nodiscard]] ordered_json opening(const char* verdict) const {
        return {{"policy", policy}, {"where", where}, {"verdict", verdict}, {"seconds", seconds()}};
    }
    int give(const ordered_json& json, const std::string& text, int code) const {
        if (request.to.json())
            write_json(request.to.path, "prove-throughput", json);
        else
            write_text(request.to.path, text);
        return code;
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
    ordered_json json = asked.opening("proved");
    const double found_in = asked.seconds();
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
    json["statistics"] = to_json(proof.statistics);
    if (files > 0) json["smtlib-files"] = files;
    std::string text = fmt::format("verdict       Proved\ntheorem       {}\n", words);
    text += fmt::format("leaves        {} (decisions of the code, rates as symbols); {} kernel lemmas (identities)\n",
                        leaves, lemmas.size());
    text += fmt::format("effort        {} cells, {} questions to the solver, {:.2f} s\n", proof.statistics.cells,
                        proof.statistics.questions, found_in);
    if (!asked.request.evidence.certificate.empty())
        text += "certificate   " + asked.request.evidence.certificate + "\n";
    if (files > 0) text += fmt::format("smtlib        {} files in {}\n", files, asked.request.evidence.smtlib);
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
    for (const LevelInfo& level : failure.instance->data().levels)
        rates += (rates.empty() ? "" : ", ") + level.rate.to_string();
    ordered_json json = asked.opening("unknown");
    json["failing-leaf"] = {{"leaf", failure.leaf}, {"rates", rates}, {"what", failure.decision}};
    std::string text = fmt::format(
        "verdict       Unknown: the drift argument fails at a leaf, which says nothing about stability itself\n"
        "policy        {}, {}\nleaf          {}\nrates         {}\ncounterexample {}\n",
        asked.policy, asked.where, failure.leaf, rates, failure.decision);
    if (!asked.request.counterexample.empty()) {
        base::write_file(asked.request.counterexample, write_toml(*failure.instance));
        std::string queues;
        for (const Rational& length : failure.lengths) queues += (queues.empty() ? "" : ",") + length.to_string();
        const std::string replay = fmt::format("schedproof kernel {} -p {} --queues {}",
                                               shell_word(asked.request.counterexample), asked.policy, queues);
        json["replay"] = replay;
        text += "replay        " + replay + "\n";
    }
    return asked.give(json, text, 3);
}

int answer(const Asked& asked, const std::shared_ptr<const Instance>&, UniformUnknown&& unknown) {
    ordered_json json = asked.opening("unknown");
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
        throw InputError({"", 0, "FILE, --for-all"}, "expected either an instance file or --for-all");
    const std::string policy = policy_id(request.policy);
    Progress progress("prove throughput-optimal");
    const explore::Budget budget = budget_of(request.budget, progress);
    if (request.for_all) {
        const Asked asked{request, policy, fmt::format("every cluster with {} levels", request.levels)};
        UniformOutcome outcome = prove_uniform(ParametricPolicy::registered(policy), request.levels, budget);
        return std::visit([&](auto&& kind) { return answer(asked, nullptr, std::move(kind)); }, std::move(outcome));
    }
    auto instance = std::make_shared<const Instance>(queueing::read_instance(request.instance));
    const Asked asked{request, policy, instance->name()};
    MaxWeightOutcome outcome = prove_max_weight(symbolic_system(*instance, policy), Rational(1), budget);
    return std::visit([&](auto&& kind) { return answer(asked, instance, std::move(kind)); }, std::move(outcome));
}

}  // namespace schedproof::command
