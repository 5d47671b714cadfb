/// `optimum-policy`: a number of tasks that no policy keeps the mean below, as a theorem.
///
/// A central scheduler that sees all tasks bounds every policy (proofs/queueing/theorems/any_policy.hpp). Nothing is
/// printed before the checker accepted the certificate.
#include <fmt/core.h>

#include "experiments/command/core/certificate_file.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/optimum_policy/decisions.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/bounds/any_policy_proof.hpp"
#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::cli {

struct OptimumPolicyRequest {
    std::string instance;
    std::string mode = std::string(queueing::decision_mode_names.front());
    std::uint32_t digits = 6;
    std::optional<std::uint32_t> box;
    std::uint64_t max_states = 400'000;
    std::optional<std::uint32_t> decisions;
    std::string beside;
    std::string certificate;
    Destination to;
};

namespace {

using namespace queueing;

Rational wanted(const OptimumPolicyRequest& request) {
    Integer grid = 1;
    for (std::uint32_t i = 0; i < request.digits; ++i) grid *= 10;
    return Rational(Integer(1), grid);
}

AnyPolicyProof find_bound(const OptimumPolicyRequest& request, const Instance& instance) {
    Progress progress("optimum-policy");
    AnyPolicyGoal goal;
    goal.mode = request.mode == decision_mode_names.front() ? DecisionMode::knows_arrivals : DecisionMode::names_types;
    goal.width = wanted(request);
    goal.radius = request.box;
    goal.max_states = request.max_states;
    goal.threads = base::default_threads();
    goal.progress = [&](std::string_view what, double done, double all) { progress.report(what, done, all); };
    goal.say = [&](const std::string& line) { progress.say(line); };
    return bound_any_policy(instance, goal);
}

}  // namespace

int run(const OptimumPolicyRequest& request) {
    require_writable({request.to.path, request.certificate});
    if (request.certificate == "-")
        throw InputError::at_key("--certificate", "expected a file: the table of this certificate is one beside it");
    if (request.decisions && request.mode != decision_mode_names.back())
        throw InputError::at_key("--decisions",
                                 "expected --mode names-types, whose choices are made on what a policy sees");
    const std::string beside = request.beside.empty() ? "" : policy_id(request.beside);
    const auto instance = std::make_shared<const Instance>(queueing::read_instance(request.instance));
    const Stopwatch watch;
    AnyPolicyProof proof = find_bound(request, *instance);
    const double found = watch.seconds();
    const Certificate certificate = certified(instance, "", std::move(proof.theorem), {});
    const double checked = watch.seconds() - found;
    const auto& theorem = std::get<AnyPolicyTheorem>(certificate.theorem);
    if (!request.certificate.empty()) write_certificate_file(request.certificate, certificate);

    const bool reached = proof.leaving <= wanted(request).approximate();
    Json json{{"instance", instance->name()},   {"mode", request.mode},
              {"lower", number(theorem.lower)}, {"sentence", sentence(*instance, theorem)},
              {"radius", theorem.radius},       {"states", proof.states},
              {"leaving", proof.leaving},       {"reached", reached},
              {"rounds", proof.rounds},         {"seconds", found},
              {"check_seconds", checked},       {"certificate", text_or_null(request.certificate)}};
    std::string text = fmt::format("verdict       Proved\ntasks         at least {}\ntheorem       {}\n",
                                   exact_decimal(theorem.lower), sentence(*instance, theorem));
    text += fmt::format(
        "box           {} states; leaving it contributes {:.1e}, not proved: how far a larger one may lead\n",
        proof.states, proof.leaving);
    if (!reached && !request.box)
        text += fmt::format(
            "not reached   a box that a larger one improves by 1e-{}: it takes more than {} states (--max-states)\n",
            request.digits, request.max_states);
    text += fmt::format("effort        {} rounds of policy iteration, {:.2f} s\n", proof.rounds, found);
    text += fmt::format("checked       every choice in {:.2f} s, without any solver\n", checked);
    if (request.decisions) {
        Decisions decisions = decisions_on_slice(*instance, theorem, *request.decisions, beside);
        json["decisions"] = std::move(decisions.json);
        text += decisions.text;
    }
    if (!request.certificate.empty()) text += "certificate   " + request.certificate + "\n";
    return write_answer(request.to, "optimum-policy", json, text, reached || request.box ? 0 : 3);
}

namespace {

OptionTable options(OptimumPolicyRequest& r) {
    return joined(
        {{instance_argument(r.instance),
          {.names = "--mode",
           .target = &r.mode,
           .meaning = "what choices may depend on: the slot's arrivals, which covers every policy; or nothing "
                      "of the slot, each idle server naming a type of task",
           .show_default = true,
           .words = {decision_mode_names.begin(), decision_mode_names.end()}},
          {.names = "--digits",
           .value = "N",
           .target = &r.digits,
           .meaning = "a box is chosen that a larger one improves by some 10^-N (default 6)",
           .range = Interval{1, 15}},
          {.names = "--box",
           .value = "R",
           .target = &r.box,
           .meaning = "tabulate the states with up to R tasks instead"},
          max_states_option(r.max_states),
          {.names = "--decisions",
           .value = "N",
           .target = &r.decisions,
           .meaning = "show what servers name by the table with up to N tasks of the first two types waiting",
           .range = Interval{0, 50}},
          {.names = "--beside",
           .value = "POLICY",
           .target = &r.beside,
           .meaning = "show the decisions of this policy too, and where they cost",
           .needs = {"--decisions"},
           .offers = policy_ids({"queueing"})},
          {.names = "--certificate",
           .value = "FILE",
           .target = &r.certificate,
           .meaning = "write a certificate, and its table beside it"}},
         destination_options(r.to)});
}

}  // namespace

Subcommand optimum_policy() {
    return make_subcommand<OptimumPolicyRequest>(
        "optimum-policy", "a mean number of tasks that no policy falls below, with a certificate",
        "schedproof optimum-policy experiments/instances/m2-half.toml --box 40 --certificate bound.json", options);
}

}  // namespace schedproof::cli
