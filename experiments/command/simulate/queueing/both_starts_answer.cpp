/// `simulate --both-starts`: each policy from the empty state and from a large one.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "experiments/command/core/output.hpp"
#include "experiments/command/simulate/both_starts.hpp"
#include "experiments/command/simulate/queueing/request.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace schedproof::cli {

namespace {

struct PolicyFromBoth {
    std::string policy;
    BothStarts starts;
};

struct FromBoth {
    std::string instance;
    std::uint64_t slots = 0, replications = 0, seed = 0;
    std::vector<PolicyFromBoth> policies = {};
};

std::string in_text(const FromBoth& of) {
    std::string text = fmt::format("instance      {}, {} runs of {} slots from each start, seed {}\n", of.instance,
                                   of.replications, of.slots, of.seed);
    for (const auto& [policy, starts] : of.policies)
        text += fmt::format("{}\n  seen {}, which proves nothing\n  {}\n", policy, to_string(starts.seen()),
                            starts.in_words());
    return text + fmt::format("intervals are at confidence {:g}\n", both_starts_confidence);
}

Record<statistics::Estimate> growth_record() {
    return {field("mean", &statistics::Estimate::mean, "Over the replications."),
            field("half_width", &statistics::Estimate::half_width,
                  "Of its interval at confidence 0.999; null where there is none.")};
}

/// What may be said beside it: its runs record the number of tasks alone, and begin where it says.
constexpr std::array<std::string_view, 12> beside{"INSTANCE",       "--policy", "--policy-file", "--both-starts",
                                                  "--horizon",      "--rho",    "--seed",        "--threads",
                                                  "--replications", "--format", "--output",      "--quiet"};

}  // namespace

const Answer<FromBoth>& both_starts_answer() {
    static const Record<PolicyFromBoth> policy{
        field("policy", &PolicyFromBoth::policy, "Its id."),
        field(
            "seen", [](const PolicyFromBoth& p) { return std::string(to_string(p.starts.seen())); },
            "stable: it does not grow from the empty state and drains from the large one; growing: it grows from the "
            "empty state; metastable: it grows from the large one alone; open: neither. It proves nothing.")
            .words({"stable", "growing", "metastable", "open"}),
        field(
            "far", [](const PolicyFromBoth& p) { return p.starts.far; },
            "Tasks at each home in the large state: 5,000, or twenty times the greatest number of tasks in the rules."),
        field(
            "from_empty", [](const PolicyFromBoth& p) { return p.starts.from_empty; },
            "Growth of the number of tasks from the empty state, after half of a run.", growth_record())
            .unit("tasks a slot"),
        field(
            "from_far", [](const PolicyFromBoth& p) { return p.starts.from_far; },
            "The same from the large state; null where it grows from the empty state, which settles it.",
            growth_record())
            .unit("tasks a slot")};
    static const Answer<FromBoth> answer{
        "simulation-both-starts",
        "Growth from the empty state and from a large one. Answer of `schedproof simulate --both-starts --format "
        "json`.",
        Record<FromBoth>{field("instance", &FromBoth::instance, "Name of the instance."),
                         field("slots", &FromBoth::slots, "Of each run.").least(1),
                         field("replications", &FromBoth::replications, "From each start.").least(2),
                         field("seed", &FromBoth::seed, "Of the random numbers."),
                         field("policies", &FromBoth::policies, "In the order asked for.", policy).items(1)}
            .told_by(in_text)};
    return answer;
}

Forms both_starts_forms() { return forms(both_starts_answer); }

int answer_both_starts(const simulation::SimulatedSystem& system, const SimulateRequest& request) {
    for (const std::string& option : request.given_names)
        if (std::find(beside.begin(), beside.end(), option) == beside.end())
            throw InputError::at_key(option, "cannot be used with --both-starts");
    if (request.to.format == "csv") throw InputError::at_key("--format", "expected text or json with --both-starts");
    require_writable({request.to.path});
    const double horizon = std::ceil(request.length.horizon.value_or(200'000));
    if (!(horizon <= 4e9)) throw InputError::at_key("--horizon", "expected at most 4 * 10^9 slots");
    FromBoth all{system.instance->name(), static_cast<std::uint64_t>(horizon), request.replications.value_or(10),
                 request.seed};
    if (all.replications < 2)
        throw InputError::at_key("--replications", "expected at least 2 with --both-starts, for an interval");
    Progress progress("simulate");
    for (const std::string& name : request.policies) {
        const queueing::AnyPolicy policy =
            queueing::make_policy(queueing::resolve_policy(name), *system.instance, capacity::fluid_plan);
        const auto threads = static_cast<unsigned>(request.threads);
        all.policies.push_back(
            {name, run_both_starts(system.instance, policy,
                                   {.slots = all.slots,
                                    .replications = all.replications,
                                    .seed = all.seed,
                                    .threads = threads == 0 ? base::default_threads() : threads,
                                    .progress = [&](double done, double of) { progress.report(name, done, of); }})});
    }
    return write_answer(request.to, both_starts_answer(), all);
}

}  // namespace schedproof::cli
