/// What is known of each rule on each cluster: the strongest of a theorem about every cluster, a theorem about this
/// one, and what simulations from two starts show.
///
/// Each proof has a small budget, so that a table of hundreds of cells takes half an hour: a cell without a verdict is
/// one of which nothing was found within it. Simulations prove nothing, and their letters are small.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>

#include "checks/suite/policy_proofs.hpp"
#include "experiments/command/core/certificate_file.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/size_parameters.hpp"
#include "experiments/command/simulate/both_starts.hpp"
#include "experiments/command/zoo/zoo.hpp"
#include "model/base/parallel.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;
using InstancePointer = std::shared_ptr<const Instance>;

/// A rule with the values that it has on an instance.
struct Asked {
    const ZooRule* rule = nullptr;
    InstancePointer instance;
    std::string path;     ///< of the instance's file
    std::string policy;   ///< id
    std::string why_not;  ///< there is no such policy
    std::size_t row = 0, column = 0;
};

/// About every cluster, or every one with so many levels.
struct EveryClusterTheorem {
    checks::Verdict verdict;
    suite::EveryCluster about;
};
/// By policy and levels, 0 where these do not matter.
using Theorems = std::map<std::pair<std::string, std::size_t>, EveryClusterTheorem>;

/// Cells of a question: at first, and on small clusters where simulations grow, so that transience is likely.
constexpr std::uint64_t few_paths = 500, many_paths = 6'000;
constexpr std::size_t small_cluster = 3;

explore::Budget budget_of(std::uint64_t paths) {
    explore::Budget budget;
    budget.solver = 2'000'000;
    budget.paths = paths;
    return budget;
}

/// The certificate's file, if evidence is asked for.
std::string written(const ZooRequest& request, std::string name, const checks::Verdict& verdict) {
    if (request.evidence.empty()) return "";
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == '=' || c == ',' || c == '/'; }, '-');
    name += ".json";
    std::string file = (std::filesystem::path(request.evidence) / name).string();
    write_certificate_file(file, *std::get<checks::Proved>(verdict).certificate);
    return file;
}

std::string again(const Asked& asked) {
    return base::command_line({"schedproof", "zoo", asked.rule->asked, "--table", "--instance", asked.path});
}

/// By a theorem about this cluster; whether there is one.
bool settle(const ZooRequest& request, const Asked& asked, std::uint64_t paths, ZooCell& cell) {
    checks::StabilityOptions options;
    options.search_cells = 50;
    options.terms_first = true;
    const suite::StabilityVerdict found =
        suite::prove_stability(asked.instance, asked.policy, budget_of(paths), options);
    if (found.standing == suite::Standing::unknown) return false;
    const bool transient = found.standing == suite::Standing::transient;
    const std::string what = transient ? "transient" : "stable";
    cell.evidence =
        written(request, fmt::format("{}-{}-{}", asked.policy, asked.instance->name(), what), found.verdict);
    cell.letter = transient ? ZooLetter::transient : ZooLetter::stable;
    cell.says = fmt::format("{}, by {}", what, found.by);
    cell.again = again(asked);
    return true;
}

void simulate(const ZooRequest& request, const Asked& asked, ZooCell& cell) {
    if (request.slots == 0) return;
    const BothStarts seen =
        run_both_starts(asked.instance, make_policy(asked.policy), {.slots = request.slots, .seed = request.seed});
    switch (seen.seen()) {
        case Seen::stable:
            cell.letter = ZooLetter::seen;
            break;
        case Seen::growing:
            cell.letter = ZooLetter::growing;
            break;
        case Seen::metastable:
            cell.letter = ZooLetter::metastable;
            break;
        case Seen::open:
            break;
    }
    cell.says = seen.in_words();
    cell.again = again(asked);
}

/// A certified mean, where some seconds are enough.
void bound_mean(const ZooRequest& request, const Asked& asked, ZooCell& cell) {
    MeanGoal goal;
    goal.width = Rational(Integer(1), Integer(100));
    goal.max_states = 60'000;
    goal.max_programs = 5'000;
    const checks::Verdict verdict = suite::prove_mean(asked.instance, asked.policy, goal, budget_of(few_paths));
    const MeanTheorem* theorem = suite::mean_of(verdict);
    if (theorem == nullptr) return;
    cell.mean = fmt::format("[{}, {}]", exact_decimal(rounded_down(theorem->at_least(), 3)),
                            exact_decimal(rounded_up(theorem->upper, 3)));
    (void)written(request, fmt::format("{}-{}-mean", asked.policy, asked.instance->name()), verdict);
}

/// One that says that the instance is stable, or null.
const EveryClusterTheorem* theorem_about(const Asked& asked, const Theorems& theorems) {
    for (const std::size_t levels : {std::size_t{0}, asked.instance->levels().size()})
        if (const auto known = theorems.find({asked.policy, levels});
            known != theorems.end() && known->second.about.covers(*asked.instance))
            return &known->second;
    return nullptr;
}

ZooCell answer(const ZooRequest& request, const Asked& asked, const Theorems& theorems) {
    const Stopwatch watch;
    ZooCell cell{.instance = asked.instance->name()};
    if (!asked.why_not.empty()) {
        cell.letter = ZooLetter::none;
        cell.says = asked.why_not;
        return cell;
    }
    try {
        if (const EveryClusterTheorem* theorem = theorem_about(asked, theorems)) {
            cell.evidence =
                written(request, fmt::format("{}-every-cluster-{}", asked.policy, asked.instance->levels().size()),
                        theorem->verdict);
            cell.letter = ZooLetter::every;
            cell.says =
                fmt::format("stable, as on every cluster of its kind with a load below 1, by {}", theorem->about.by);
            cell.again = again(asked);
        } else if (!settle(request, asked, few_paths, cell)) {
            simulate(request, asked, cell);
            if ((cell.letter == ZooLetter::growing || cell.letter == ZooLetter::metastable) &&
                asked.instance->servers().size() <= small_cluster)
                (void)settle(request, asked, many_paths, cell);
        }
        if (request.means && (cell.letter == ZooLetter::every || cell.letter == ZooLetter::stable) &&
            asked.instance->servers().size() <= small_cluster)
            bound_mean(request, asked, cell);
    } catch (const InputError& error) {  // what no argument and no simulator speaks of
        cell.says = error.what();
    } catch (const LimitExceeded& limit) {
        cell.says = limit.what();
    }
    cell.seconds = watch.seconds();
    return cell;
}

/// The values that a rule has on an instance, of parameters about its size.
std::string values_on(const ZooRule& rule, const Instance& instance) {
    const bool sized = rule.text.find("\nlet: workers =") != std::string::npos;
    return sized ? ":" + value_of_size("workers", instance.servers().size()) : "";
}

Theorems theorems_of(const std::vector<Asked>& all, unsigned threads) {
    Theorems found;
    const auto keep = [&](const std::string& policy, std::size_t levels, checks::Verdict verdict) {
        suite::EveryCluster about = suite::about_every_cluster(verdict);
        if (!about.optimal) return false;
        found.emplace(std::pair(policy, levels), EveryClusterTheorem{std::move(verdict), std::move(about)});
        return true;
    };
    std::set<std::pair<std::string, std::size_t>> asked_for;
    for (const Asked& asked : all) {
        if (!asked.why_not.empty()) continue;
        const Instance& instance = *asked.instance;
        const bool by_levels = !instance.continuous() && !instance.rates_by_type() && !instance.rates_at_servers();
        asked_for.emplace(asked.policy, by_levels ? instance.levels().size() : 0);
    }
    std::vector<std::pair<std::string, std::size_t>> questions;
    for (const auto& [policy, levels] : asked_for)
        if (!found.contains({policy, 0}) && !keep(policy, 0, suite::prove_bounded_regret(policy)) && levels > 0 &&
            levels <= 3)
            questions.emplace_back(policy, levels);
    std::vector<std::optional<checks::Verdict>> verdicts(questions.size());
    base::for_each_index(questions.size(), threads, [&](std::size_t i) {
        try {
            verdicts[i] = suite::prove_every_cluster(questions[i].first, questions[i].second, budget_of(few_paths));
        } catch (const InputError&) {  // outside the fragment
        } catch (const LimitExceeded&) {}
    });
    for (std::size_t i = 0; i < questions.size(); ++i)
        if (verdicts[i]) keep(questions[i].first, questions[i].second, std::move(*verdicts[i]));
    return found;
}

/// Every rule on every instance. Policies are added here, since the registry is no place for several threads.
std::vector<Asked> all_questions(const ZooRequest& request, const std::vector<ZooRule>& rules) {
    const std::vector<std::string>& paths = request.instances.empty() ? zoo_instances() : request.instances;
    std::vector<InstancePointer> instances;
    for (const std::string& path : paths) instances.push_back(std::make_shared<const Instance>(read_instance(path)));
    std::vector<Asked> all;
    for (std::size_t row = 0; row < rules.size(); ++row)
        for (std::size_t column = 0; column < instances.size(); ++column) {
            Asked asked{&rules[row], instances[column], paths[column], "", "", row, column};
            asked.policy = add_policy_file(rules[row].path + values_on(rules[row], *instances[column]), {}).id;
            try {
                static_cast<void>(make_policy(asked.policy).layout(*instances[column]));
            } catch (const InputError& error) {
                asked.why_not = error.what();
            }
            all.push_back(std::move(asked));
        }
    return all;
}

void make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error)
        throw InputError::at_key("--evidence", fmt::format("expected a directory, not {}: {}", path, error.message()));
}

}  // namespace

std::vector<ZooRow> zoo_table(const ZooRequest& request, const std::vector<ZooRule>& rules) {
    if (!request.evidence.empty()) make_folder(request.evidence);
    Progress progress("zoo");
    progress.stage("every cluster");
    const std::vector<Asked> all = all_questions(request, rules);
    const unsigned threads = request.threads.value_or(base::default_threads());
    const Theorems theorems = theorems_of(all, threads);
    std::vector<ZooRow> rows;
    for (const ZooRule& rule : rules) rows.push_back({rule, {}});
    for (const Asked& asked : all) rows[asked.row].cells.emplace_back();
    std::atomic<std::size_t> done = 0;
    base::for_each_index(all.size(), threads, [&](std::size_t i) {
        rows[all[i].row].cells[all[i].column] = answer(request, all[i], theorems);
        progress.report(all[i].rule->name, static_cast<double>(++done), static_cast<double>(all.size()));
    });
    return rows;
}

}  // namespace schedproof::cli
