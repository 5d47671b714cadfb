/// `optimum-policy`: a number of tasks that no policy keeps the mean below, as a theorem.
///
/// A central scheduler that sees all tasks bounds every policy (proofs/queueing/theorems/any_policy.hpp). Nothing is
/// printed before the checker accepted the certificate.
///
/// Decisions are those of the table by which servers name types before tasks arrive, for a policy of the testbed can
/// follow them; where the bound is of the other mode, that table is found besides. In continuous time a policy of the
/// testbed can follow the one table that there is. As a file of a policy they are worth
/// what a theorem `mean` proves of that very file.
#include <fmt/core.h>

#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/certificate_file.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/plot_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/optimum_policy/decisions.hpp"
#include "experiments/command/optimum_policy/exported_policy.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/bounds/any_policy_proof.hpp"
#include "proofs/queueing/capacity/region.hpp"
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
    PlotRequest picture;
    std::string policy;
    std::uint32_t tabulated = 12;
    std::string policy_certificate;
    std::string certificate;
    BudgetRequest budget;
    Destination to;
};

namespace {

using namespace queueing;

Rational wanted(const OptimumPolicyRequest& request) {
    Integer grid = 1;
    for (std::uint32_t i = 0; i < request.digits; ++i) grid *= 10;
    return Rational(Integer(1), grid);
}

AnyPolicyProof find_bound(const OptimumPolicyRequest& request, const Instance& instance, DecisionMode mode) {
    Progress progress("optimum-policy");
    AnyPolicyGoal goal;
    goal.mode = mode;
    goal.width = wanted(request);
    goal.radius = request.box;
    goal.max_states = request.max_states;
    goal.threads = base::default_threads();
    goal.progress = [&](std::string_view what, double done, double all) { progress.report(what, done, all); };
    goal.say = [&](const std::string& line) { progress.say(line); };
    return bound_any_policy(instance, goal);
}

void check(const OptimumPolicyRequest& request) {
    require_writable(
        {request.to.path, request.certificate, request.policy, request.policy_certificate, request.picture.path});
    for (const auto& [option, path] : {std::pair("--certificate", request.certificate),
                                       std::pair("--policy-certificate", request.policy_certificate)})
        if (path == "-")
            throw InputError::at_key(option, "expected a file: the certificate's table is written beside it");
    if (request.policy == "-")
        throw InputError::at_key("--export", "expected a file: the certificate is about its contents");
    check_plot(request.picture);
}

/// The policy as a file, with a lower bound of every policy's mean.
ExportedPolicy exported(const OptimumPolicyRequest& request, const std::shared_ptr<const Instance>& instance,
                        const AnyPolicyTheorem& named) {
    Progress progress("optimum-policy");
    MeanGoal goal;
    goal.width = wanted(request);
    goal.max_states = request.max_states;
    goal.threads = base::default_threads();
    return export_policy(instance, named, request.tabulated, request.policy, goal, budget_of(request.budget, progress));
}

std::string to_text(const OptimumPolicyRequest& request, const ExportedPolicy& policy, const Rational& lower) {
    std::string text =
        fmt::format("policy        {} in {}: a table of the states with at most {} waiting tasks, {} beyond\n",
                    policy.id, request.policy, policy.most, policy.beyond);
    const auto mean = policy.mean();
    if (!mean) return text + "its tasks     Unknown: " + checks::explanation(policy.verdict) + "\n";
    text += fmt::format("its tasks     in [{}, {}]", exact_decimal(mean->first), exact_decimal(mean->second));
    if (lower.sign() > 0)
        text += fmt::format(", at most {} times those under any policy above",
                            exact_decimal(rounded_up(mean->second / lower, request.digits)));
    return text + "\n";
}

/// The bound, what was found besides, and how long it took.
struct OptimumPolicyAnswer {
    const OptimumPolicyRequest& request;
    const Instance& instance;
    const AnyPolicyTheorem& theorem;
    const AnyPolicyProof& proof;
    double found, checked;
    std::optional<ExportedPolicy> policy = {};
    std::optional<Slice> slice = {};

    [[nodiscard]] bool reached() const { return proof.leaving <= wanted(request).approximate(); }
    /// Whether all that was asked for was found.
    [[nodiscard]] bool all() const { return !policy || policy->mean(); }
    [[nodiscard]] std::string text() const;
};

std::string OptimumPolicyAnswer::text() const {
    std::string text = fmt::format("verdict       Proved\ntasks         at least {}\ntheorem       {}\n",
                                   exact_decimal(theorem.at_least()), sentence(instance, theorem));
    text += fmt::format("box           {} states; a larger one may raise the bound by about {:.1e}\n", proof.states,
                        proof.leaving);
    if (!reached() && !request.box)
        text += fmt::format(
            "not reached   a bound that a larger box changes by 1e-{} only; it takes more than {} states "
            "(--max-states)\n",
            request.digits, request.max_states);
    text += fmt::format("effort        {} rounds of policy iteration, {:.2f} s\n", proof.rounds, found);
    text += fmt::format("checked       every choice in {:.2f} s, without any solver\n", checked);
    if (policy) text += to_text(request, *policy, theorem.at_least());
    if (slice) text += to_text(instance, *slice);
    if (!request.certificate.empty()) text += "certificate   " + request.certificate + "\n";
    if (all() && !request.policy_certificate.empty()) text += "certificate   " + request.policy_certificate + "\n";
    return text;
}

Record<OptimumPolicyAnswer> exported_record() {
    using A = OptimumPolicyAnswer;
    const std::vector<std::string> proved{"proved"};
    return Record<A>{
        field(
            "id", [](const A& a) { return a.policy->id; }, "Its name in the file."),
        field(
            "file", [](const A& a) { return a.request.policy; }, "The file."),
        field(
            "waiting_tabulated", [](const A& a) { return a.policy->most; },
            "Its table is of the states with up to so many waiting tasks."),
        field(
            "beyond", [](const A& a) { return a.policy->beyond; }, "The rule for the others."),
        field(
            "verdict", [](const A& a) { return a.policy->mean() ? "proved" : "unknown"; }, "Of its mean.")
            .words({"proved", "unknown"}),
        field(
            "certificate", [](const A& a) { return if_any(a.policy->mean() ? a.request.policy_certificate : ""); },
            "File of the certificate of its mean, if one was asked for and proved."),
        field(
            "lower", [](const A& a) { return a.policy->mean()->first; }, "Its mean is at least this.")
            .unit("tasks")
            .only_when("verdict", proved),
        field(
            "upper", [](const A& a) { return a.policy->mean()->second; }, "And at most this.")
            .unit("tasks")
            .only_when("verdict", proved),
        field(
            "to_optimum_at_most",
            [](const A& a) {
                const Rational lower = a.theorem.at_least();
                return lower.sign() > 0 ? std::optional(a.policy->mean()->second / lower) : std::nullopt;
            },
            "Its upper bound over the lower bound of all policies; null where that is 0.")
            .only_when("verdict", proved)
            .or_null(),
        field(
            "reason", [](const A& a) { return checks::explanation(a.policy->verdict); }, "Why no mean was proved.")
            .only_when("verdict", {"unknown"})};
}

const Answer<OptimumPolicyAnswer>& optimum_policy_answer() {
    using A = OptimumPolicyAnswer;
    static const Answer<A> answer{
        "optimum-policy",
        "A mean number of tasks that no policy falls below. Answer of `schedproof optimum-policy --format json`.",
        Record<A>{
            instance_field([](const A& a) { return a.instance.name(); }),
            field(
                "mode", [](const A& a) { return a.request.mode; },
                "What choices may depend on: the arrivals of the slot, which covers every policy; or nothing of the "
                "slot, each idle server naming a type. In continuous time the first.")
                .words({decision_mode_names.begin(), decision_mode_names.end()}),
            field(
                "lower", [](const A& a) { return a.theorem.at_least(); }, "The mean is at least this.")
                .unit("tasks"),
            field(
                "sentence", [](const A& a) { return sentence(a.instance, a.theorem); }, "The theorem in words."),
            field(
                "radius", [](const A& a) { return a.theorem.radius; },
                "The table is on the states with up to so many tasks."),
            field(
                "states", [](const A& a) { return a.proof.states; }, "Of the table.")
                .least(1),
            field(
                "leaving", [](const A& a) { return a.proof.leaving; },
                "What leaving the table contributes to the bound: how far a larger one may lead. Not proved.")
                .unit("tasks")
                .least(0),
            field("reached", &A::reached, "Whether it is as small as was asked for."),
            field(
                "rounds", [](const A& a) { return a.proof.rounds; }, "Of policy iteration.")
                .least(1),
            seconds_field(&A::found),
            field("check_seconds", &A::checked, "Time of the check without a solver.").least(0),
            field(
                "certificate", [](const A& a) { return if_any(a.request.certificate); },
                "File of the certificate, if one was asked for."),
            field(
                "policy", [](const A& a) { return a.policy ? &a : nullptr; },
                "Only with --export: the policy that was written, and its mean number of tasks.", exported_record())
                .optional(),
            field(
                "decisions",
                [](const A& a) { return a.slice ? std::optional(states_of(a.instance, *a.slice)) : std::nullopt; },
                "Only with --decisions: states in which all servers are idle.", slice_record())
                .items(1)
                .optional()}
            .told_by(&A::text)};
    return answer;
}

/// What servers name, as far as it was asked for.
void add_decisions(const std::shared_ptr<const Instance>& instance, OptimumPolicyAnswer& answer) {
    const OptimumPolicyRequest& request = answer.request;
    if (!request.decisions && request.policy.empty()) return;
    std::optional<AnyPolicyTheorem> other;
    if (!instance->continuous() && answer.theorem.mode != DecisionMode::names_types)
        other = find_bound(request, *instance, DecisionMode::names_types).theorem;
    const AnyPolicyTheorem& named = other ? *other : answer.theorem;
    if (!request.policy.empty()) {
        answer.policy = exported(request, instance, named);
        if (answer.all() && !request.policy_certificate.empty())
            write_certificate_file(request.policy_certificate,
                                   *std::get<checks::Proved>(answer.policy->verdict).certificate);
    }
    if (request.decisions) {
        const std::string beside = request.beside.empty() ? "" : policy_id(request.beside, "--beside");
        answer.slice = decisions_on_slice(*instance, named, *request.decisions, beside);
        if (!request.picture.path.empty())
            base::write_file(request.picture.path, draw(to_plot(*instance, *answer.slice), request.picture));
    }
}

}  // namespace

int run(const OptimumPolicyRequest& request) {
    check(request);
    if (!request.beside.empty()) (void)policy_id(request.beside, "--beside");
    const std::shared_ptr<const Instance> instance = read_instance_with_law(request.instance);
    if (const auto capacity = capacity::solve(*instance); capacity.lower >= Rational(1))
        throw InputError::in_file(request.instance,
                                  fmt::format("expected arrivals whose load rho* is below 1; it is {}{}",
                                              capacity.exact() ? "" : "at least ", display(capacity.lower)));
    if (instance->continuous() && request.mode != decision_mode_names.front())
        throw InputError::at_key("--mode", fmt::format("expected knows-arrivals, as time is continuous in {}: servers "
                                                       "choose after every event, when they know all arrivals so far",
                                                       request.instance));
    if (!request.policy.empty()) require_exportable(*instance, request.tabulated, request.policy);
    const Stopwatch watch;
    AnyPolicyProof proof = find_bound(
        request, *instance,
        request.mode == decision_mode_names.front() ? DecisionMode::knows_arrivals : DecisionMode::names_types);
    const double found = watch.seconds();
    const Certificate certificate = certified(instance, "", std::move(proof.theorem), {});
    const double checked = watch.seconds() - found;
    const auto& theorem = std::get<AnyPolicyTheorem>(certificate.theorem);
    if (!request.certificate.empty()) write_certificate_file(request.certificate, certificate);

    OptimumPolicyAnswer answer{request, *instance, theorem, proof, found, checked};
    add_decisions(instance, answer);
    return write_answer(request.to, optimum_policy_answer(), answer,
                        answer.all() && (answer.reached() || request.box) ? 0 : 3);
}

namespace {

OptionTable picture_options(OptimumPolicyRequest& r) {
    OptionTable options = plot_options(r.picture, "the decisions");
    options.front().needs = {"--decisions"};
    return options;
}

OptionTable options(OptimumPolicyRequest& r) {
    return joined(
        {{instance_argument(r.instance),
          {.names = "--mode",
           .target = &r.mode,
           .meaning = "what choices may depend on: the slot's arrivals, which covers every policy; or nothing in the "
                      "slot, where each idle server names a type of task. In continuous time they depend on all "
                      "arrivals so far",
           .show_default = true,
           .words = {decision_mode_names.begin(), decision_mode_names.end()}},
          {.names = "--digits",
           .value = "N",
           .target = &r.digits,
           .meaning = "enlarge the box until the bound changes by about 10^-N (default 6)",
           .range = Interval{1, 15}},
          {.names = "--box",
           .value = "R",
           .target = &r.box,
           .meaning = "tabulate the states with up to R tasks instead"},
          max_states_option(r.max_states),
          {.names = "--decisions",
           .value = "N",
           .target = &r.decisions,
           .meaning = "show the table's decisions for up to N waiting tasks of the first two types",
           .range = Interval{0, 50}},
          {.names = "--beside",
           .value = "POLICY",
           .target = &r.beside,
           .meaning = "policy whose decisions are shown too, with what they cost",
           .needs = {"--decisions"},
           .offers = ids_of<queueing::policies>},
          {.names = "--export",
           .value = "FILE",
           .target = &r.policy,
           .meaning = "write the decisions as a policy for --policy-file of every command, and prove its mean"},
          {.names = "--tabulate",
           .value = "N",
           .target = &r.tabulated,
           .meaning = "number of waiting tasks up to which the policy has a table; beyond, MaxWeight decides",
           .show_default = true,
           .range = Interval{0, 200},
           .needs = {"--export"}},
          {.names = "--policy-certificate",
           .value = "FILE",
           .target = &r.policy_certificate,
           .meaning = "write the certificate of the policy's mean, and its table beside it",
           .needs = {"--export"}},
          {.names = "--certificate",
           .value = "FILE",
           .target = &r.certificate,
           .meaning = "write a certificate of the bound, and its table beside it"}},
         picture_options(r),
         budget_options(r.budget),
         destination_options(r.to)});
}

}  // namespace

Subcommand optimum_policy() {
    return make_subcommand<OptimumPolicyRequest>(
        "optimum-policy", "a lower bound of the mean number of tasks under every policy, with a certificate",
        "schedproof optimum-policy experiments/instances/m2-half.toml --box 40 --certificate bound.json", options,
        forms(optimum_policy_answer));
}

}  // namespace schedproof::cli
