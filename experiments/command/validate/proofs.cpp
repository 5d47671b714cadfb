/// The parts of `validate` that are proofs: stability on instances and for every number of servers, means beside what
/// no policy falls below. Each remark that says Proved has a certificate that the checker accepted; a part that cannot
/// run on an instance, or ends with its budget, is Unknown with the reason and stops no other.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "checks/queueing/stability_argument.hpp"
#include "checks/suite/policy_proofs.hpp"
#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/certificate_file.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/validate/score.hpp"
#include "experiments/command/validate/validate.hpp"
#include "model/base/parallel.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/bounds/any_policy_proof.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;

/// Writes the certificate, if evidence is asked for; the file.
std::string write_certificate_of(const Validated& of, const std::string& name, const checks::Verdict& verdict) {
    if (of.request.evidence.empty()) return "";
    std::string file = (std::filesystem::path(of.request.evidence) / (name + ".json")).string();
    write_certificate_file(file, *std::get<checks::Proved>(verdict).certificate);
    return file;
}

/// Fills in what is known of the policy on the instance.
Standing stability_on(const Validated& of, const std::shared_ptr<const Instance>& instance, Remark& remark,
                      Journal& journal) {
    const std::string load = load_in_words(*instance);
    explore::Budget budget = validation_budget(of);
    checks::StabilityOptions options = stability_options(of);
    bool searching = false;
    budget.progress = [&](std::uint64_t cells) {
        journal.report(journal.now() + ", cells", cells, searching ? options.search_cells.value_or(0) : 0);
    };
    options.begins = [&](std::string_view argument) {
        searching = argument == checks::search_for_function;
        journal.begin("stability", fmt::format("{} by {}", instance->name(), argument));
    };
    const suite::StabilityVerdict settled = suite::prove_stability(instance, of.id, budget, options);
    if (settled.standing == Standing::unknown) {
        remark.says = load + "; no argument settles it";
        for (const std::string& why : settled.why_not) remark.says += "\n" + why;
        return settled.standing;
    }
    const bool transient = settled.standing == Standing::transient;
    remark.cells = std::get<checks::Proved>(settled.verdict).cells;
    remark.verdict = checks::kind(settled.verdict);
    remark.against = transient && !remark.built_in;
    remark.says = fmt::format("{}, by {}", load, settled.by);
    remark.evidence = write_certificate_of(of, "stability-" + instance->name(), settled.verdict);
    return settled.standing;
}

}  // namespace

void require_lyapunov(const Validated& of) {
    if (of.lyapunov.empty()) return;
    std::optional<InputError> refusal;
    for (const auto& instance : of.instances) try {
            const AnyPolicy policy = make_policy(of.id, *instance, no_planner);
            (void)find_lyapunov(of.lyapunov, *instance, ExactSystem(*instance, policy).layout());
            return;
        } catch (const InputError& error) {
            refusal = error;
        }
    if (!refusal) return;
    const PolicyFile* file = find_policy_file(of.id);
    throw file == nullptr ? *refusal : InputError::in_file(file->path, "lyapunov", refusal->expected());
}

void validate_stability(const Validated& of, std::vector<Standing>& standings, Journal& journal) {
    for (std::size_t i = 0; i < of.instances.size(); ++i) {
        const auto& instance = of.instances[i];
        const Stopwatch watch;
        journal.begin("stability", instance->name());
        Remark remark{.part = "stability", .about = instance->name(), .verdict = "Unknown", .built_in = of.beside(i)};
        try {
            standings[i] = stability_on(of, instance, remark, journal);
        } catch (const InputError& error) {  // the policy cannot run there
            remark.says = error.what();
        } catch (const LimitExceeded& limit) {
            remark.says = limit.what();
        }
        remark.seconds = watch.seconds();
        remark.standing = standings[i];
        journal.add(std::move(remark));
    }
}

namespace {

/// What no policy's mean is below, with a box of some thousand states; nothing where that is too small, and in
/// continuous time, for which there is no such bound.
std::optional<Rational> any_policy_bound(const Validated& of, const std::shared_ptr<const Instance>& instance) {
    if (instance->continuous()) return {};
    AnyPolicyGoal goal;
    goal.width = Rational(Integer(1), Integer(1000));
    goal.max_states = 3'000;
    goal.threads = base::default_threads();
    try {
        const checks::Verdict verdict =
            checks::proved(Certificate{instance, "", bound_any_policy(*instance, goal).theorem, {}});
        const AnyCertificate& certificate = *std::get<checks::Proved>(verdict).certificate;
        (void)write_certificate_of(of, "any-policy-" + instance->name(), verdict);
        return std::get<AnyPolicyTheorem>(certificate.as<Certificate>()->theorem).at_least();
    } catch (const LimitExceeded&) {  // too many servers for a box of this size
        return {};
    }
}

}  // namespace

namespace {

/// With more servers the far field alone takes minutes.
constexpr std::size_t most_servers_for_means = 3;

/// What some seconds are enough for. The cells of three servers are many, and each asks for linear programs.
MeanGoal mean_goal(const Validated& of, const Instance& instance) {
    MeanGoal goal;
    goal.progress = [&of](std::string_view, double, double) { of.deadline.check(); };
    goal.width = Rational(Integer(1), Integer(1000));
    goal.max_states = 30'000;
    if (instance.servers().size() > 2) goal.max_programs = 5'000;
    goal.threads = base::default_threads();
    return goal;
}

/// Fills in the interval; why there is none.
std::string mean_on(const Validated& of, const std::shared_ptr<const Instance>& instance, Remark& remark) {
    const checks::Verdict verdict = suite::prove_mean(instance, of.id, mean_goal(of, *instance), validation_budget(of));
    remark.verdict = checks::kind(verdict);
    const MeanTheorem* theorem = suite::mean_of(verdict);
    if (theorem == nullptr) return checks::explanation(verdict);
    remark.says = fmt::format("tasks in the system in [{}, {}]", exact_decimal(theorem->at_least()),
                              exact_decimal(theorem->upper));
    remark.cells = std::get<checks::Proved>(verdict).cells;
    remark.evidence = write_certificate_of(of, "mean-" + instance->name(), verdict);
    if (const auto least = any_policy_bound(of, instance); least && least->sign() > 0)
        remark.says += fmt::format("; at most {} times the optimum, which is at least {}",
                                   exact_decimal(rounded_up(theorem->upper / *least, 2)), exact_decimal(*least));
    return "";
}

}  // namespace

std::vector<std::string> validate_means(const Validated& of, const std::vector<Standing>& standings, Journal& journal) {
    std::vector<std::string> without;
    const std::string words = base::command_line(policy_words(of.id, "-p"));
    for (std::size_t i = 0; i < of.instances.size(); ++i) {
        if (standings[i] != Standing::stable) continue;
        const Instance& instance = *of.instances[i];
        if (instance.servers().size() > most_servers_for_means) {
            without.push_back(
                fmt::format("mean on {}: not asked, with more than {} servers; see `schedproof mean INSTANCE {}`",
                            instance.name(), most_servers_for_means, words));
            continue;
        }
        const Stopwatch watch;
        journal.begin("mean", instance.name());
        Remark remark{.part = "mean", .about = instance.name(), .verdict = "Unknown", .built_in = of.beside(i)};
        try {
            remark.says = mean_on(of, of.instances[i], remark) + remark.says;
        } catch (const InputError& error) {  // states that are more than lengths and statuses
            remark.says = error.what();
        } catch (const LimitExceeded& limit) {
            remark.says = limit.what();
        }
        if (remark.verdict == "Unknown")
            without.push_back(fmt::format("mean on {}: {}; see `schedproof mean INSTANCE {}`", instance.name(),
                                          remark.says.substr(0, remark.says.find(';')), words));
        remark.seconds = watch.seconds();
        journal.add(std::move(remark));
    }
    return without;
}

std::vector<std::size_t> validate_every_cluster(const Validated& of, Journal& journal) {
    std::vector<std::size_t> proved;
    std::set<std::size_t> asked{2, 3};
    const bool timed = std::any_of(of.instances.begin(), of.instances.end(),
                                   [](const auto& instance) { return instance->continuous(); });
    if (!of.request.only.empty()) asked.clear();
    for (const auto& instance : of.instances)
        if (!of.request.only.empty() && !instance->continuous()) asked.insert(instance->levels().size());
    for (const std::size_t levels : asked) {
        const Stopwatch watch;
        Remark remark{.part = "every cluster", .about = fmt::format("{} levels", levels), .verdict = "Unknown"};
        journal.begin(remark.part, remark.about);
        try {
            const checks::Verdict verdict = suite::prove_every_cluster(of.id, levels, validation_budget(of));
            remark.verdict = checks::kind(verdict);
            if (checks::affirms(verdict)) {
                remark.cells = std::get<checks::Proved>(verdict).cells;
                remark.says = fmt::format("throughput optimal for every number of servers{}, by {}",
                                          timed ? " in slots" : "", suite::about_every_cluster(verdict).by);
                remark.evidence = write_certificate_of(of, fmt::format("every-cluster-{}-levels", levels), verdict);
                proved.push_back(levels);
            } else {
                remark.says = checks::explanation(verdict);
            }
        } catch (const InputError& error) {
            remark.says = error.what();
        } catch (const LimitExceeded& limit) {
            remark.says = limit.what();
        }
        remark.seconds = watch.seconds();
        journal.add(std::move(remark));
    }
    return proved;
}

}  // namespace schedproof::cli
