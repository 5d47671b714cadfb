/// `validate`: what this program can say of a policy that nobody here has seen, what is cheapest first.
///
/// First whether the policy is one (language); where ways of running it disagree nothing more is said. Then what is
/// proved or refuted, its delays beside those of others, and what a slip in its rules would change; at last what was
/// not looked at. Budgets are counted in the solver's units and in cells: verdicts do not depend on the machine.
#include "experiments/command/validate/validate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "checks/families.hpp"
#include "checks/queueing/hunt.hpp"
#include "checks/queueing/instances.hpp"
#include "experiments/command/core/certificate_file.hpp"
#include "experiments/command/core/ci_report.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/program.hpp"
#include "experiments/command/core/table.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/held_to.hpp"
#include "experiments/command/families/policy_ids.hpp"
#include "experiments/command/validate/hunt_part.hpp"
#include "experiments/command/validate/score.hpp"
#include "model/base/line_breaks.hpp"
#include "model/base/output_file.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/load.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::cli {

explore::Budget validation_budget(const Validated& of) {
    explore::Budget budget;
    budget.solver = of.request.budget.rlimit.value_or(2'000'000);
    budget.paths = of.request.budget.max_cells.value_or(of.request.hunt ? checks::hunt_budget().paths : 20'000);
    budget.progress = [deadline = of.deadline](std::uint64_t) { deadline.check(); };
    return budget;
}

Deadline::Deadline(std::optional<std::uint64_t> seconds) {
    if (seconds) at_ = std::chrono::steady_clock::now() + std::chrono::seconds(*seconds);
}

void Deadline::check() const {
    if (at_ && std::chrono::steady_clock::now() > *at_) throw TimeIsOver{};
}

namespace {
/// What is the case, so that a proof of it is not taken for praise.
std::string_view shown(suite::Standing standing) {
    switch (standing) {
        case suite::Standing::stable:
            return "stable";
        case suite::Standing::transient:
            return "TRANSIENT";
        case suite::Standing::unknown:
            break;
    }
    return "not settled";
}

/// What is the case, where the remark is about that, and its verdict.
std::string found_of(const Remark& remark) {
    return remark.standing ? fmt::format("{}, {}", shown(*remark.standing), remark.verdict) : remark.verdict;
}

}  // namespace

checks::StabilityOptions stability_options(const Validated& of) {
    checks::StabilityOptions options;
    options.lyapunov = of.lyapunov;
    if (!of.request.budget.max_cells) options.search_cells = 2'000;
    return options;
}

void Journal::begin(std::string_view part, std::string_view about) {
    now_ = fmt::format("{}, {}", part, about);
    progress_.stage(now_);
    deadline_.check();
}

void Journal::report(std::string_view stage, std::size_t done, std::size_t all) {
    progress_.report(stage, static_cast<double>(done), static_cast<double>(all));
    deadline_.check();
}

void Journal::add(Remark remark) {
    say(fmt::format("{:<13} {:<38} {:>6.2f} s  {}", remark.part,
                    remark.built_in ? remark.about + ", built in" : remark.about, remark.seconds, found_of(remark)));
    for (const std::string_view line : base::split(remark.says, '\n'))
        if (!line.empty()) {
            std::string broken = base::with_line_breaks("              " + std::string(line) + "\n");
            broken.pop_back();
            say(broken);
        }
    remarks_.push_back(std::move(remark));
}

void Journal::say(const std::string& line) {
    if (!streams_) {
        text_ += line + "\n";
        return;
    }
    progress_.clear();
    std::fputs((line + "\n").c_str(), stdout);
    std::fflush(stdout);
}

std::size_t Journal::count(const std::string& verdict) const {
    return static_cast<std::size_t>(std::count_if(remarks_.begin(), remarks_.end(), [&](const Remark& remark) {
        return !remark.standing && remark.verdict.find(verdict) != std::string::npos;
    }));
}

bool Journal::any_against() const {
    return std::any_of(remarks_.begin(), remarks_.end(), [](const Remark& remark) { return remark.against; });
}

bool Journal::any_open() const {
    return std::any_of(remarks_.begin(), remarks_.end(), [](const Remark& remark) { return remark.open; });
}

bool follows_plan(const Validated& of) { return queueing::find_rules(of.id)->planned(); }

namespace {

/// Two servers, evenly and unevenly loaded, one type on both; and three levels, where Pandas is transient.
constexpr std::array<const char*, 4> built_in_instances{"m2-half", "m2-uneven", "m2-one-type", "n2-pandas"};

/// The id of a policy of a file, or of a registered one.
std::string policy_of(const std::string& named) {
    if (is_policy_file(named)) return add_policy_file(named, code_families()).id;
    return any_policy_id(named, "POLICY");
}

/// Requires the id of a policy.
const checks::Family& family_of_policy(const std::string& id) {
    for (const checks::Family* family : checks::families())
        if (family->resolve_policy(id) == id) return *family;
    throw ContractViolation("a policy of no family: " + id);
}

using Instances = std::vector<std::shared_ptr<const queueing::Instance>>;
void add_other_times(Instances& instances) {
    for (std::size_t i = 0, stated = instances.size(); i < stated; ++i)
        instances.push_back(std::make_shared<const queueing::Instance>(queueing::in_other_time(*instances[i])));
}

/// Those that the user or the policy's file names, then the built-in ones, of the family whose policies are data.
/// `named` becomes the number of the former.
Instances instances_of(const ValidateRequest& request, const checks::Family& family, const PolicyFile* policy,
                       std::size_t& named) {
    Instances instances;
    if (files_of(family).policy_headers()) {
        if (!request.instances.empty() || !request.only.empty())
            throw InputError::at_key(
                request.only.empty() ? "--instance" : "--only",
                fmt::format(
                    "cannot be used with a policy of the {} family: its claims are checked on their own instances",
                    family.id()));
        return instances;
    }
    // Certificates are named by the instance, so that there is one of a name.
    const auto find = [&](const std::string& name) {
        return std::find_if(instances.begin(), instances.end(),
                            [&](const auto& known) { return known->name() == name; });
    };
    const auto read = [&](const std::string& file) {
        auto instance = std::make_shared<const queueing::Instance>(queueing::read_instance(file));
        const auto known = find(instance->name());
        if (known == instances.end())
            instances.push_back(std::move(instance));
        else if (queueing::write_toml(**known) != queueing::write_toml(*instance))
            throw InputError::in_file(
                file, "name",
                fmt::format("expected another name than '{}', which an instance before has", instance->name()));
    };
    for (const auto* files : {&request.only, &request.instances})
        for (const std::string& file : *files) read(file);
    if (policy != nullptr) {
        require_instances(*policy);
        for (const std::string& file : policy->stable_on) read(file);
    }
    if (request.both_times) add_other_times(instances);
    named = instances.size();
    if (request.only.empty())
        for (const char* name : built_in_instances)
            if (find(name) == instances.end()) instances.push_back(checks::named_instance(name));
    return instances;
}

/// 1 when something speaks against the policy, 3 when its stability is unknown somewhere, or what its file holds it to
/// is not settled. Where the user names instances, those alone decide about stability.
int exit_code(const Validated& of, const Journal& journal, const std::vector<Standing>& standings) {
    if (journal.any_against()) return 1;
    bool open = journal.any_open();
    for (std::size_t i = 0; i < standings.size(); ++i)
        open = open || (standings[i] == Standing::unknown && !of.beside(i));
    return open ? 3 : 0;
}

/// A remark on a claim has the claim for a rule, any other one its part.
std::vector<CiVerdict> ci_verdicts(const Validated& of, const Journal& journal) {
    std::map<std::string, std::string> statements;
    for (const checks::Claim& claim : of.family.claims()) statements[claim.id] = claim.statement;
    std::vector<CiVerdict> verdicts;
    for (const Remark& remark : journal.remarks()) {
        const auto claim = statements.find(remark.about);
        const bool of_claim = claim != statements.end();
        const bool open = remark.open || (remark.standing == Standing::unknown && !remark.built_in);
        std::string rule = of_claim ? remark.about : "validate " + remark.part;
        verdicts.push_back({.rule = rule,
                            .statement = of_claim ? claim->second : remark.part + " of the policy",
                            .policy = of.id,
                            .about = of_claim ? "" : remark.about,
                            .outcome = remark.against ? CiOutcome::failed
                                       : open         ? CiOutcome::open
                                                      : CiOutcome::passed,
                            .word = remark.against ? "speaks against the policy"
                                    : open         ? "not settled"
                                                   : "nothing against the policy",
                            .found = found_of(remark) + "\n" + remark.says,
                            .place = policy_place(of.family.id(), of.id, "")});
    }
    std::stable_sort(verdicts.begin(), verdicts.end(),
                     [](const CiVerdict& a, const CiVerdict& b) { return a.rule < b.rule; });
    return verdicts;
}

/// The remarks in columns; what was found stands in the text.
Table table_of(const Validated& of, const Journal& journal) {
    Table table{"what is known of " + of.id, {{"part"}, {"about"}, {"verdict"}, {"time", true, "s"}}, {}};
    for (const Remark& remark : journal.remarks())
        table.rows.push_back({remark.part, remark.built_in ? remark.about + ", built in" : remark.about,
                              found_of(remark), fmt::format("{:.2f}", remark.seconds)});
    return table;
}

void look_at(const Validated& of, Outcome& outcome, Journal& journal) {
    if (!validate_language(of, journal)) return;
    validate_claims(of, journal);
    if (of.instances.empty()) {
        outcome.not_covered = validate_worst_case(of, journal);
        outcome.means = validate_by_simulation(of, outcome.standings, journal);
        return;
    }
    outcome.standings.assign(of.instances.size(), Standing::unknown);
    validate_stability(of, outcome.standings, journal);
    outcome.levels = validate_every_cluster(of, journal);
    outcome.not_covered = validate_means(of, outcome.standings, journal);
    outcome.means = validate_by_simulation(of, outcome.standings, journal);
    if (!of.request.no_mutants && !follows_plan(of))
        outcome.mutants = validate_mutants(of, outcome.standings, outcome.levels, journal);
}

}  // namespace

namespace {

int validated(const ValidateRequest& request, const std::string& id) {
    const Stopwatch watch;
    const checks::Family& family = family_of_policy(id);
    const PolicyFile* file = find_policy_file(id);
    std::size_t named = 0;
    if (request.hunt) require_huntable(family, id);
    auto instances = request.hunt ? Instances() : instances_of(request, family, file, named);
    Validated of{request,
                 family,
                 Deadline(request.hunt ? request.time_limit.value_or(hunt_seconds) : request.time_limit),
                 id,
                 std::move(instances),
                 named,
                 file != nullptr ? held_to(*file, family.claims()) : checks::HeldTo(),
                 lyapunov_of(id)};
    require_lyapunov(of);
    if (request.dry_run) {
        write_text(request.to.path, plan_of(of));
        return 0;
    }
    if (!request.evidence.empty()) base::make_directory(request.evidence);
    Journal journal(request.to, of.deadline);
    journal.say("policy        " + (queueing::find_rules(id) == nullptr ? id : id + ": " + queueing::definition(id)));
    Outcome outcome;
    try {
        if (request.hunt)
            hunt(of, outcome, journal);
        else
            look_at(of, outcome, journal);
    } catch (const TimeIsOver&) {
        journal.add({.part = "time",
                     .about = fmt::format("--time-limit {}", *request.time_limit),
                     .verdict = "Unknown",
                     .says = fmt::format("over in the part '{}', which is left out with all that comes after it",
                                         journal.now()),
                     .seconds = watch.seconds(),
                     .open = true});
    }
    say_end(of, outcome, watch.seconds(), journal);
    if (request.to.json())
        static_cast<void>(write_answer(request.to, validate_answer(),
                                       {of, outcome, journal, not_covered(of, outcome), watch.seconds()}));
    else if (request.to.format == "latex")
        write_text(request.to.path, as_tables("latex", request.to.command, {table_of(of, journal)}));
    else if (is_ci_format(request.to.format))
        write_text(request.to.path, ci_report(request.to.format, "validate", ci_verdicts(of, journal)));
    else if (!journal.text().empty())
        write_text(request.to.path, journal.text());
    return exit_code(of, journal, outcome.standings);
}

}  // namespace

int run(const ValidateRequest& request) {
    require_writable({request.to.path});
    if (request.dry_run && request.to.format != "text")
        throw InputError::at_key("--format", "expected text, the only form of a plan");
    const std::string id = policy_of(request.policy);
    const PolicyFile* file = find_policy_file(id);
    const auto body = [&] { return validated(request, id); };
    const bool code = file != nullptr && !file->type.empty();
    if (!code && !request.time_limit) return body();
    // A part that does not look at the clock, such as a large linear program, is ended with the process.
    const std::uint64_t at_most = request.time_limit ? 2 * *request.time_limit + 10 : 1200;
    const base::ProcessLimits limits{.time = std::chrono::seconds(at_most),
                                     .memory = code ? std::uint64_t{8} << 30U : 0};
    if (code) return run_beside_code(*file, limits, body);
    const base::IsolatedEnd end =
        base::run_isolated([&] { return std::to_string(exit_code_of(body)); }, limits, base::Output::shared);
    if (end.answer) return std::stoi(*end.answer);
    if (end.how == base::ProcessEnd::How::out_of_time)
        throw LimitExceeded("--time-limit",
                            fmt::format("{} s were over, and {} s before what was being looked at had ended",
                                        *request.time_limit, at_most));
    throw Error("validate ended by signal " + std::to_string(end.code));
}

}  // namespace schedproof::cli
