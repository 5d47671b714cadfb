/// `prove heavy-traffic`: bounds of the mean number of tasks for every slack of a family of loads at once.
///
/// Below, the workload under every policy is at least c/sigma - K; above, the policy's mean is at most c/sigma plus a
/// constant and a logarithm of 1/sigma. Where both have the same c at the boundary the policy is heavy-traffic optimal.
/// A policy that keeps its state near a ray with more tasks than the workload needs is proved to stay above it. Of two
/// policies one is proved to have more tasks than the other, up to a slack that the constants of their bounds give.
/// The facts behind the upper bound are searched for (proofs/queueing/heavy_traffic/) and then proved as questions with
/// certificates. Unknown says which fact was not found, and says nothing about the policy.
#include <fmt/core.h>

#include <algorithm>

#include "experiments/command/core/certificate_file.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/heavy_traffic/family_bounds.hpp"
#include "proofs/queueing/heavy_traffic/policy_comparison.hpp"

namespace schedproof::cli {

struct ProveHeavyTrafficRequest {
    SystemRequest system;
    std::string at;                   ///< slacks of the table, or empty: some of the family's
    std::string lower;                ///< file for the certificate of the lower bound, or empty
    std::string collapse;             ///< file for that of the collapse, or empty
    std::string against;              ///< policy to compare with, or empty
    std::string against_certificate;  ///< file for the certificate of its bound, or empty
    BudgetRequest budget;
    EvidenceRequest evidence;
    Destination to;
};

namespace {

using namespace queueing;

struct BoundsAt {
    Rational eps, lower;
    std::optional<Rational> upper;
};

/// How the means of two policies compare.
struct Comparison {
    std::string policy;                     ///< the other one
    std::string verdict = "unknown";        ///< of the policy asked for: more, fewer or unknown
    std::optional<Rational> up_to{};        ///< at every slack above 0 and at most this
    std::optional<Certificate> evidence{};  ///< of the other policy's bound

    [[nodiscard]] std::string text(const std::string& asked) const {
        if (!up_to)
            return fmt::format(
                "Unknown against {}: it takes a lower bound of one above the bound of every policy, and "
                "an upper bound of the other below it",
                policy);
        return fmt::format(
            "Proved: for every slack eps in (0, {}] the mean number of tasks under {} is larger than "
            "under {}, under all stationary laws that the bounds are about",
            up_to->to_string(), verdict == "more" ? asked : policy, verdict == "more" ? policy : asked);
    }
};

struct HeavyTrafficAnswer {
    const ProveHeavyTrafficRequest& request;
    std::shared_ptr<const Instance> instance;
    std::string policy;
    Certificate lower;
    std::optional<Certificate> upper{};
    std::optional<Certificate> ray{};
    heavy_traffic::UpperUnknown why{};
    explore::Statistics statistics{};
    std::size_t smtlib_files = 0;
    double seconds = 0;
    std::vector<BoundsAt> bounds{};
    std::optional<Comparison> comparison{};

    [[nodiscard]] const HeavyLowerTheorem& below() const { return std::get<HeavyLowerTheorem>(lower.theorem); }
    [[nodiscard]] const HeavyUpperTheorem& above() const { return std::get<HeavyUpperTheorem>(upper->theorem); }
    /// The limit of sigma times the mean is the least possible.
    [[nodiscard]] bool is_optimal() const { return upper && above().reaches(below().constant[0]); }
    [[nodiscard]] const HeavyRayTheorem& along() const { return std::get<HeavyRayTheorem>(ray->theorem); }
    [[nodiscard]] std::string verdict() const {
        return is_optimal() ? "optimal" : ray ? "above-bound" : upper ? "bounded" : "unknown";
    }
    /// What the verdict rests on, besides the lower bound; null where nothing was proved of the policy.
    [[nodiscard]] const Certificate* evidence() const { return ray ? &*ray : upper ? &*upper : nullptr; }
    /// Null where the bound needs no forms.
    [[nodiscard]] const CollapseTheorem* collapse() const {
        const CollapseTheorem* of = ray ? &along().collapse : upper ? &above().collapse : nullptr;
        return of && !of->forms.empty() ? of : nullptr;
    }
    [[nodiscard]] bool writes_collapse() const { return !request.collapse.empty() && collapse(); }
};

std::vector<Rational> slacks_of(const ProveHeavyTrafficRequest& request, const Instance& family) {
    const Rational& up_to = family.slack().up_to;
    if (request.at.empty()) {
        std::vector<Rational> slacks;
        for (const std::int64_t part : {1, 2, 10, 100, 1000}) slacks.push_back(up_to / Rational(part));
        return slacks;
    }
    return option_slacks(request.at, "--at", up_to);
}

/// A number that a reader can take in: six decimals, rounded to the safe side.
std::string short_number(const std::optional<Rational>& value, bool down) {
    if (!value) return "none";
    return exact_decimal(down ? rounded_down(*value, 6) : rounded_up(*value, 6));
}

const Answer<HeavyTrafficAnswer>& heavy_traffic_proof_answer() {
    using A = HeavyTrafficAnswer;
    const std::vector<std::string> found{"optimal", "above-bound", "bounded"};
    const Record<BoundsAt> at{
        field("eps", &BoundsAt::eps, "Slack.").unit("tasks a slot"),
        field("lower", &BoundsAt::lower,
              "Mean of the tasks under the policy at least: the bound of every policy, or a better one.")
            .unit("tasks"),
        field("upper", &BoundsAt::upper, "Mean of the tasks under the policy at most; null where none is proved.")
            .unit("tasks"),
        aside("lower_text", [](const BoundsAt& b) { return short_number(b.lower, true); }),
        aside("upper_text", [](const BoundsAt& b) { return short_number(b.upper, false); })};
    static const Answer<A> answer{
        "prove-heavy-traffic",
        "Bounds of the mean number of tasks for every slack of a family of loads. Answer of `schedproof prove "
        "heavy-traffic --format json`.",
        Record<A>{
            instance_field([](const A& a) { return a.instance->name(); }).hidden(),
            policy_field([](const A& a) { return a.policy; }).hidden(),
            definition_field([](const A& a) { return definition(a.policy); }),
            field(
                "verdict", &A::verdict,
                "Optimal: eps times the mean tends to the least that any policy can have, which is the bound of every "
                "policy. Above bound: its limit is larger than that bound by a factor; whether another policy reaches "
                "it is a question of its own. Bounded: there is an upper bound, of the workload alone or with a larger "
                "limit. Unknown says nothing about the policy.")
                .words({"optimal", "above-bound", "bounded", "unknown"})
                .hidden(),
            words(
                "verdict",
                [](const A& a) {
                    if (a.is_optimal())
                        return std::string("Proved: heavy-traffic optimal, with bounds for every slack of the family");
                    if (a.ray)
                        return fmt::format(
                            "Refuted: near the boundary the mean is at least {} times the bound of every policy",
                            a.along().factor.to_string());
                    if (a.upper)
                        return std::string("Proved: an upper bound for every slack of the family; optimality is open");
                    return std::string("Unknown");
                }),
            field(
                "fact", [](const A& a) { return a.why.fact; },
                "Fact that could not be shown: U, B or F of the theorem, or the exploration.")
                .only_when("verdict", {"unknown"}),
            field(
                "reason", [](const A& a) { return a.why.reason; }, "Why it could not be shown.")
                .only_when("verdict", {"unknown"}),
            field(
                "cell", [](const A& a) { return if_any(a.why.cell); },
                "Where: statuses and constraints, if one cell is to blame; else null.")
                .only_when("verdict", {"unknown"})
                .or_null(),
            field(
                "lower", [](const A& a) { return sentence(a.lower); }, "The bound of every policy in words.")
                .label("every policy"),
            field(
                "upper", [](const A& a) { return a.upper ? std::optional(sentence(*a.upper)) : std::nullopt; },
                "The upper bound of the policy in words; null where none is proved.")
                .label("at most")
                .only_when("verdict", found)
                .or_null(),
            field(
                "ray", [](const A& a) { return sentence(*a.ray); }, "The lower bound of the policy in words.")
                .label("at least")
                .only_when("verdict", {"above-bound"}),
            field(
                "factor", [](const A& a) { return a.along().factor; },
                "The limit is at least so many times the bound of every policy.")
                .only_when("verdict", {"above-bound"})
                .hidden(),
            field("bounds", &A::bounds, "At some slacks of the family.", at)
                .items(1)
                .table("bounds of the mean number of tasks", "  eps {eps}: {lower_text} .. {upper_text}"),
            field("comparison", &A::comparison, "With the policy of --against; absent where none was named.",
                  Record<Comparison>{
                      field("policy", &Comparison::policy, "The other policy."),
                      field("verdict", &Comparison::verdict,
                            "Whether the mean under the policy that is asked for is more or fewer tasks than under the "
                            "other one, at every slack up to `up_to`. Unknown says nothing.")
                          .words({"more", "fewer", "unknown"}),
                      field("up_to", &Comparison::up_to, "Largest slack of the statement; null where it is unknown.")
                          .unit("tasks a slot")
                          .or_null()})
                .optional()
                .hidden(),
            words("compared", [](const A& a) { return a.comparison ? a.comparison->text(a.policy) : ""; }),
            seconds_field([](const A& a) { return a.seconds; }),
            statistics_field(&A::statistics),
            lines("effort", [](const A& a) { return effort_line(a.statistics, a.seconds); }),
            lines("evidence",
                  [](const A& a) {
                      return a.evidence() ? checked_lines(*a.evidence(), a.request.evidence, a.smtlib_files) : "";
                  }),
            certificate_field([](const A& a) { return if_any(a.request.evidence.certificate); })
                .only_when("verdict", found)
                .or_null(),
            field(
                "collapse_certificate",
                [](const A& a) { return a.writes_collapse() ? std::optional(a.request.collapse) : std::nullopt; },
                "File that holds the certificate of the collapse; null when none was asked for, or the bound needs "
                "none.")
                .hidden()
                .or_null(),
            field(
                "lower_certificate", [](const A& a) { return if_any(a.request.lower); },
                "File that holds the certificate of the lower bound; null when none was asked for.")
                .hidden()
                .or_null(),
            field(
                "against_certificate",
                [](const A& a) {
                    return a.comparison && a.comparison->evidence ? if_any(a.request.against_certificate)
                                                                  : std::nullopt;
                },
                "File that holds the certificate of the bound of the policy of --against; null when none was asked "
                "for, or nothing was proved.")
                .hidden()
                .or_null(),
            field("smtlib_files", &A::smtlib_files, "SMT-LIB files written.").only_when("verdict", found).hidden()}
            .column(14)};
    return answer;
}

/// Its questions are the first of the bound that rests on it, and so are its proofs.
Certificate collapse_certificate(const HeavyTrafficAnswer& found, const SymbolicSystem& symbolic) {
    const auto count = static_cast<std::ptrdiff_t>(questions(symbolic, *found.collapse()).size());
    const auto first = found.evidence()->proofs.begin();
    return certified(found.instance, found.policy, *found.collapse(), {first, first + count});
}

/// The bounds with their certificates, and their values at some slacks.
HeavyTrafficAnswer answered(const ProveHeavyTrafficRequest& request, const std::shared_ptr<const Instance>& instance,
                            const std::string& policy, heavy_traffic::FamilyBounds bounds,
                            const std::vector<Rational>& slacks) {
    HeavyTrafficAnswer found{request, instance, policy, certified(instance, "", bounds.lower, {})};
    found.why = bounds.why;
    found.statistics = bounds.statistics;
    for (const Rational& eps : slacks)
        found.bounds.push_back({eps, bounds.at_least(*instance, eps), bounds.at_most(*instance, eps)});
    if (bounds.upper) found.upper = certified(instance, policy, std::move(bounds.upper->theorem), bounds.upper->proofs);
    if (bounds.ray) found.ray = certified(instance, policy, std::move(bounds.ray->theorem), bounds.ray->proofs);
    return found;
}

/// The bound of the other policy, and whether it and that of the policy asked for exclude each other near the boundary.
Comparison compared(const HeavyTrafficAnswer& found, const std::string& policy, const SymbolicSystem& system,
                    const explore::Budget& budget, explore::Statistics& statistics) {
    const Instance& family = *found.instance;
    heavy_traffic::FamilyBounds other = heavy_traffic::find_bounds(system, budget);
    statistics += other.statistics;
    Comparison result{policy};
    const auto keep = [&](auto& bound) {
        result.evidence = certified(found.instance, policy, std::move(bound->theorem), bound->proofs);
    };
    if (found.ray && other.upper && other.upper->theorem.tasks) {
        result.up_to = heavy_traffic::largest_exceeded(family, found.along(), other.upper->theorem);
        if (result.up_to) result.verdict = "more";
        keep(other.upper);
    } else if (other.ray && found.upper && found.above().tasks) {
        result.up_to = heavy_traffic::largest_exceeded(family, other.ray->theorem, found.above());
        if (result.up_to) result.verdict = "fewer";
        keep(other.ray);
    }
    return result;
}

}  // namespace

int run(const ProveHeavyTrafficRequest& request) {
    require_writable(
        {request.to.path, request.evidence.certificate, request.lower, request.collapse, request.against_certificate});
    if (request.against.empty() && !request.against_certificate.empty())
        throw InputError::at_key("--against-certificate", "expected --against beside it, the policy that it is about");
    require_writable_evidence(request.evidence, request.to.path);
    LoadedSystem loaded = load(request.system);
    std::string policy(loaded.system.info().id);
    const std::shared_ptr<const Instance> instance = std::move(loaded.instance);
    const std::string other = request.against.empty() ? "" : policy_id(request.against, "--against");
    const std::vector<Rational> slacks = slacks_of(request, *instance);
    const SymbolicSystem symbolic = symbolic_system(*instance, policy);
    std::optional<SymbolicSystem> against;
    if (!other.empty()) against.emplace(symbolic_system(*instance, other, "--against"));
    const Stopwatch watch;
    Progress progress("prove heavy-traffic");
    const explore::Budget budget = budget_of(request.budget, progress);
    HeavyTrafficAnswer found =
        answered(request, instance, policy, heavy_traffic::find_bounds(symbolic, budget), slacks);
    if (against) found.comparison = compared(found, other, *against, budget, found.statistics);
    found.seconds = watch.seconds();
    if (found.comparison && found.comparison->evidence && !request.against_certificate.empty())
        write_certificate_file(request.against_certificate, *found.comparison->evidence);
    if (!request.lower.empty()) write_certificate_file(request.lower, found.lower);
    if (found.writes_collapse()) write_certificate_file(request.collapse, collapse_certificate(found, symbolic));
    if (found.evidence()) found.smtlib_files = write_evidence(request.evidence, *found.evidence());
    return write_verdict(request.to, heavy_traffic_proof_answer(), found,
                         asked_of("prove heavy-traffic",
                                  "Near the boundary the policy has as few tasks as the bound of every policy allows.",
                                  policy, found.instance->name()),
                         found.is_optimal() ? 0
                         : found.ray        ? 1
                                            : 3);
}

namespace {

OptionTable options(ProveHeavyTrafficRequest& r) {
    return joined({instance_and_policy(r.system),
                   {{.names = "--at",
                     .value = "SLACKS",
                     .target = &r.at,
                     .meaning = "slacks at which bounds are printed, as FROM:TO:STEP or a list; all bounds hold for "
                                "every slack of the family"},
                    {.names = "--lower-certificate",
                     .value = "FILE",
                     .target = &r.lower,
                     .meaning = "write the certificate of the lower bound of every policy"},
                    {.names = "--collapse-certificate",
                     .value = "FILE",
                     .target = &r.collapse,
                     .meaning = "write the certificate of the exponential moments that the policy's bound rests on, if "
                                "it rests on some"},
                    {.names = "--against",
                     .value = "POLICY",
                     .target = &r.against,
                     .meaning = "compare with the mean of this policy, for every slack up to one that is printed",
                     .offers = ids_of<queueing::policies>},
                    {.names = "--against-certificate",
                     .value = "FILE",
                     .target = &r.against_certificate,
                     .meaning = "write the certificate of the bound of the policy of --against"}},
                   budget_options(r.budget),
                   evidence_options(r.evidence),
                   ci_destination_options(r.to)});
}

}  // namespace

Subcommand prove_heavy_traffic() {
    return make_subcommand<ProveHeavyTrafficRequest>(
        "heavy-traffic", "mean numbers of tasks near the boundary, for every slack of a family of loads",
        "schedproof prove heavy-traffic experiments/instances/slack-one-type.toml -p wang-jsq-maxweight --at "
        "1/10,1/100",
        options, forms(heavy_traffic_proof_answer));
}

}  // namespace schedproof::cli
