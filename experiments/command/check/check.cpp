/// `schedproof check`: claims put to their oracles, reported as text, JSON, JUnit, SARIF or Markdown.
///
/// The command selects claims, policies and instances, runs them (checks/core/run.hpp) and writes evidence of what was
/// proved and refuted. A selection of which nothing remains is an error of the command line. It knows no family:
/// instances are read, and bundles written, by their family's files.
///
/// Long: the fields of the answer stand in one list, a line or two for each, beside what they are made of.
#include "experiments/command/check/check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>

#include "checks/core/about_policy.hpp"
#include "checks/core/report.hpp"
#include "checks/core/run.hpp"
#include "checks/families.hpp"
#include "experiments/command/check/ci_verdicts.hpp"
#include "experiments/command/check/dry_run.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/families/bundle.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/held_to.hpp"
#include "experiments/command/families/instance_file.hpp"
#include "experiments/command/families/policy_ids.hpp"
#include "model/base/nearest.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

using namespace checks;

void require_known(const std::vector<Claim>& claims, const std::vector<std::string>& patterns) {
    std::vector<std::string> ids;
    for (const Claim& claim : claims) ids.push_back(claim.id);
    for (const std::string& pattern : patterns)
        if (std::none_of(ids.begin(), ids.end(), [&](const std::string& id) { return matches(id, pattern); }))
            throw InputError::at_key("CLAIM", fmt::format("expected a claim of `schedproof list claims`, or a prefix "
                                                          "or pattern of some, not '{}'{}",
                                                          pattern, base::did_you_mean(pattern, ids)));
}

/// What is left of a selection must be something: nothing asked is not everything as expected.
void require_rows(const Report& report, const CheckRequest& request) {
    if (!report.rows.empty()) return;
    if (!report.outside.empty())
        throw InputError::at_key(
            request.instances.empty() ? "CLAIM" : "--instance",
            fmt::format("expected an instance that one of the selected claims is about, but none remains: {}{}",
                        report.outside.front(),
                        report.outside.size() == 1 ? "" : fmt::format(", and {} more", report.outside.size() - 1)));
    if (!request.policy.empty())
        throw InputError::at_key("--policy",
                                 "expected a policy that one of the claims is about, not '" + request.policy + "'");
    throw InputError::at_key("CLAIM", "expected a claim about some policy and instance");
}

/// A report, with where its evidence is.
struct CheckAnswer {
    const Report& report;
    const EvidenceFiles& evidence;
    const Settings& settings;
};

/// A row of a report, or what an oracle said there.
struct RowAt {
    const CheckAnswer& of;
    std::size_t index;

    [[nodiscard]] const Row& row() const { return of.report.rows[index]; }
};
struct FindingAt {
    RowAt at;
    const Finding& finding;

    template <class Kind>
    [[nodiscard]] const Kind* as() const {
        return std::get_if<Kind>(&finding.verdict);
    }
    [[nodiscard]] std::optional<std::uint64_t> cases() const {
        if (const auto* exhausted = as<Exhausted>()) return exhausted->cases;
        if (const auto* survived = as<Survived>()) return survived->cases;
        return {};
    }
    [[nodiscard]] std::optional<std::string> evidence() const {
        const auto file = at.of.evidence.find({at.index, finding.oracle});
        return file == at.of.evidence.end() ? std::nullopt : if_any(file->second);
    }
};

const std::vector<std::string> oracle_ids{"explore", "bounds", "exhaustive", "sampled", "certificate", "simulation"},
    verdict_names{"Proved", "Exhausted", "Survived", "Refuted", "Unknown"};

FieldOf<RowAt> findings_field() {
    using F = FindingAt;
    const Record<F> finding{
        field(
            "oracle", [](const F& f) { return f.finding.oracle; }, "How it was looked at.")
            .words(oracle_ids),
        field(
            "verdict", [](const F& f) { return kind(f.finding.verdict); },
            "Proved: for every input of the family; Exhausted: each of the cases; Survived: random cases; Refuted: "
            "replayed exactly; Unknown: see detail.")
            .words(verdict_names),
        field(
            "detail", [](const F& f) { return explanation(f.finding.verdict); },
            "The theorem, the violation, or the reason."),
        field(
            "expected",
            [](const F& f) {
                return f.finding.expected ? std::optional<std::string>(to_string(*f.finding.expected)) : std::nullopt;
            },
            "The verdict expected of this oracle on this line; null where the instance is the user's or the "
            "expectation is unstated.")
            .words(verdict_names),
        field(
            "cells",
            [](const F& f) {
                const auto* proved = f.as<Proved>();
                return proved ? std::optional<std::uint64_t>(proved->cells) : std::nullopt;
            },
            "Leaves of the proofs; null unless Proved.")
            .null_unless("verdict", {"Proved"}),
        field("cases", &F::cases, "Cases looked at; null unless Exhausted or Survived.")
            .least(1)
            .null_unless("verdict", {"Exhausted", "Survived"}),
        field(
            "seed",
            [](const F& f) {
                const auto* survived = f.as<Survived>();
                return survived ? std::optional<std::uint64_t>(survived->seed) : std::nullopt;
            },
            "Of the random cases; null unless Survived.")
            .null_unless("verdict", {"Survived"}),
        field(
            "seconds",
            [](const F& f) { return f.at.of.report.timed ? std::optional(f.finding.seconds) : std::nullopt; },
            "Time taken. Null with --no-times or --ci.")
            .unit("seconds")
            .least(0),
        field("evidence", &F::evidence,
              "File or directory of the evidence, in check.json within its directory; null when none was asked for.")};
    return field(
               "findings",
               [](const RowAt& r) {
                   std::vector<F> list;
                   for (const Finding& one : r.row().findings) list.push_back({r, one});
                   return list;
               },
               "What each oracle said.", finding)
        .items(1);
}

const Answer<CheckAnswer>& check_answer() {
    using A = CheckAnswer;
    const Record<RowAt> row{
        field(
            "claim", [](const RowAt& r) { return r.row().claim->id; }, "Id, as in `schedproof list claims`."),
        policy_field([](const RowAt& r) { return r.row().line.policy; }),
        instance_field([](const RowAt& r) { return r.row().instance_name(); }),
        field(
            "expectation", [](const RowAt& r) { return to_string(r.row().line.expectation); },
            "fails: false as stated; open: no oracle here settles it; unstated: a claim of every policy, of which "
            "nothing is known of this one.")
            .words({"holds", "fails", "open", "unstated", "feared"}),
        field(
            "outcome", [](const RowAt& r) { return to_string(r.row().outcome); },
            "vacuous: nothing meets the assumptions.")
            .words({"expected", "unexpected", "unsettled", "vacuous"}),
        field(
            "witness", [](const RowAt& r) { return r.row().witness; }, "What meets the claim's assumptions.")
            .or_empty(),
        findings_field()};
    const Record<NotAsked> not_asked{
        field(
            "claim", [](const NotAsked& n) { return n.claim->id; }, "Id, as in `schedproof list claims`."),
        field("why", &NotAsked::why, "Why it is not asked.")};
    static const Answer<A> answer{
        "check", "Verdicts on claims. Answer of `schedproof check --format json`.",
        Record<A>{
            seed_field([](const A& a) { return a.settings.seed; }),
            field(
                "cases", [](const A& a) { return a.settings.cases; }, "Random cases per claim, policy and instance.")
                .least(1),
            field(
                "exit_code", [](const A& a) { return a.report.exit_code(); },
                "0 all as expected, 1 some not, 3 not settled, 4 oracles contradict each other.")
                .words({"0", "1", "3", "4"}),
            field(
                "rows",
                [](const A& a) {
                    std::vector<RowAt> rows;
                    for (std::size_t r = 0; r < a.report.rows.size(); ++r) rows.push_back({a, r});
                    return rows;
                },
                "By claim, policy and instance.", row),
            field(
                "not_asked", [](const A& a) { return a.report.not_asked; },
                "Selected claims that ask nothing of the policy of --policy; empty without that option.", not_asked),
            field(
                "outside", [](const A& a) { return a.report.outside; },
                "Cases left out: the instance is not of the claim's family, or the policy cannot run on it."),
            field(
                "conflicts", [](const A& a) { return a.report.conflicts; }, "Oracles that contradict each other.")}
            .told_by([](const A& a) { return text_report(a.report, a.evidence, a.settings); })};
    return answer;
}

/// The directory of what verdicts rest on, written as they come.
class Evidence {
  public:
    /// No directory: nothing is written.
    explicit Evidence(std::string root) : root_(std::move(root)) {
        if (root_.empty()) return;
        // A directory that cannot be made is one in which no file can be written.
        std::error_code unmade;
        std::filesystem::create_directories(root_, unmade);
        within_.emplace(root_);
    }

    /// Certificates of what is proved, and a bundle for each row that an oracle refuted.
    void add(const Report& report, Rows rows) {
        if (root_.empty()) return;
        for (std::size_t r = rows.first; r < rows.last; ++r) {
            const Row& row = report.rows[r];
            const std::string instance = instance_in_names(report, r);
            std::optional<std::string> bundle;
            for (const Finding& finding : row.findings) {
                if (const auto* proved = std::get_if<Proved>(&finding.verdict))
                    files_[{r, finding.oracle}] = write_theorem(*row.claim, *proved, row.line.policy, instance, root_);
                if (const auto* refuted = std::get_if<Refuted>(&finding.verdict)) {
                    if (!bundle) bundle = write_bundle(*row.claim, refuted->counterexample, instance, root_);
                    files_[{r, finding.oracle}] = *bundle;
                }
            }
        }
    }

    /// Writes the verdicts, check.json, in which files are named within the directory. Nothing is added afterwards.
    void finish(const Report& report, const Settings& settings) {
        if (root_.empty()) return;
        EvidenceFiles names = files_;
        for (auto& [finding, path] : names) path = std::filesystem::path(path).filename().string();
        write_answer({"json", root_ + "/check.json"}, check_answer(), {report, names, settings});
        within_.reset();
    }

    [[nodiscard]] const EvidenceFiles& files() const { return files_; }

  private:
    /// What files name the row's instance by: its name, with a number behind it where rows before it are about another
    /// of that name.
    static std::string instance_in_names(const Report& report, std::size_t r) {
        const Row& row = report.rows[r];
        std::size_t number = 1;
        for (std::size_t before = 0; before < r; ++before) {
            const Row& other = report.rows[before];
            number += other.claim == row.claim && other.line.policy == row.line.policy &&
                              other.instance_name() == row.instance_name()
                          ? 1
                          : 0;
        }
        return number == 1 ? row.instance_name() : fmt::format("{}-{}", row.instance_name(), number);
    }

    std::string root_;
    std::optional<base::FileLog> within_;
    EvidenceFiles files_;
};

/// `7 mutants, 6 caught`.
std::string counted(std::size_t all, std::size_t missed, const char* what, const char* verb) {
    return fmt::format("{} {}, {} {}{}\n", all, what, all - missed, verb, missed == 0 ? ": all" : "");
}

std::string mutants_text(const MutantReport& report) {
    std::string text;
    std::size_t missed = 0, unnoticed = 0;
    auto mutant = report.mutants.begin();
    for (const NullMutantRow& claim : report.claims) {
        text += claim.claim + "\n";
        for (; mutant != report.mutants.end() && mutant->claim == claim.claim; ++mutant) {
            text += fmt::format("  {:<34} {:<12} {}\n    {}\n", mutant->mutant->name, mutant->mutant->oracle,
                                mutant->mutant->change, mutant->caught.empty() ? "NOT CAUGHT" : mutant->caught);
            missed += mutant->caught.empty() ? 1 : 0;
        }
        text += fmt::format("  property switched off\n    {}\n\n",
                            claim.noticed.empty() ? "NOT NOTICED" : "noticed: " + claim.noticed);
        unnoticed += claim.noticed.empty() ? 1 : 0;
    }
    return text + counted(report.mutants.size(), missed, "mutants", "caught") +
           counted(report.claims.size(), unnoticed, "properties switched off", "noticed");
}

struct MutantsAnswer {
    const MutantReport& report;
    const Settings& settings;
};

const Answer<MutantsAnswer>& mutants_answer() {
    using A = MutantsAnswer;
    const Record<MutantRow> mutant{
        field(
            "claim", [](const MutantRow& r) { return r.claim; }, "Claim whose oracle must catch it."),
        field(
            "mutant", [](const MutantRow& r) { return r.mutant->name; }, "Name of the mutant."),
        field(
            "fault", [](const MutantRow& r) { return r.mutant->change; }, "What was done to what."),
        field(
            "oracle", [](const MutantRow& r) { return r.mutant->oracle; }, "Oracle that must catch it.")
            .words(oracle_ids),
        field(
            "caught", [](const MutantRow& r) { return if_any(r.caught); }, "How it was caught; null when it was not.")};
    const Record<NullMutantRow> null_mutant{
        field(
            "claim", [](const NullMutantRow& r) { return r.claim; }, "Id, as in `schedproof list claims`."),
        field(
            "noticed", [](const NullMutantRow& r) { return if_any(r.noticed); },
            "What is not refuted any more; null when nothing is missed, so that the property decides nothing.")};
    static const Answer<A> answer{
        "check-mutants",
        "Mutants and how they were caught; properties switched off, and what missed them. Answer of `schedproof "
        "check --mutants --format json`.",
        Record<A>{seed_field([](const A& a) { return a.settings.seed; }),
                  field(
                      "mutants", [](const A& a) { return a.report.mutants; }, "By claim.", mutant),
                  field(
                      "switched_off", [](const A& a) { return a.report.claims; },
                      "A null mutant of every claim: its property replaced by one that always holds.", null_mutant)
                      .items(1)}
            .told_by([](const A& a) { return mutants_text(a.report); })};
    return answer;
}

/// Throws OracleConflict with the reason when a policy of the claims' lines is refused.
void require_agreement_of(const std::vector<const Claim*>& claims, unsigned jobs) {
    std::set<std::pair<std::string, std::string>> named;
    for (const Claim* claim : claims)
        for (const Line& line : claim->lines)
            if (!claim->family().resolve_policy(line.policy).empty()) named.emplace(claim->family().id(), line.policy);
    const std::vector<std::pair<std::string, std::string>> policies(named.begin(), named.end());
    base::for_each_index(policies.size(), std::max(1U, jobs),
                         [&](std::size_t i) { require_agreement(policies[i].first, policies[i].second); });
}

int run_mutants(const CheckRequest& request, const std::vector<Claim>& claims, const Settings& settings,
                unsigned jobs) {
    const std::vector<const Claim*> selected = select(claims, request.claims);
    require_agreement_of(selected, jobs);
    const MutantReport report = checks::run_mutants(selected, settings, jobs);
    return write_answer(request.to, mutants_answer(), {report, settings}, report.all_caught() ? 0 : 1);
}

int run_replay(const CheckRequest& request) {
    const Replay found = replay(request.replay);
    if (!request.emit_test.empty()) base::write_file(request.emit_test, found.test);
    write_text(request.to.path,
               fmt::format("claim      {}\npolicy     {}\nproblem    {}\nstate      {}\nviolation  {}\n", found.claim,
                           found.policy, found.problem, found.state,
                           found.violation.empty() ? "none: the claim holds here" : found.violation));
    return found.violation.empty() ? 1 : 0;
}

Settings settings_of(const CheckRequest& request) {
    Settings settings;
    settings.seed = request.seed;
    settings.cases = request.cases;
    settings.budget.solver = request.budget.rlimit.value_or(settings.budget.solver);
    settings.budget.paths = request.budget.max_cells.value_or(settings.budget.paths);
    settings.lyapunov = lyapunov_of(request.policy);
    return settings;
}

/// A claim to which the policy's file holds it is asked of the policy, though it was written for others.
void ask_of_held(const Selection& selection, Claim& claim) {
    const HeldTo* held = selection.holds(selection.policy);
    if (held == nullptr || !held->names(claim)) return;
    if (std::none_of(claim.lines.begin(), claim.lines.end(),
                     [&](const Line& line) { return line.policy == selection.policy; }))
        claim = about_policy(selection.policy, std::move(claim));
}

/// How many rows are asked, and the cells of all explorations together, whichever threads they run on.
class Counted {
  public:
    void rows(std::size_t done, std::size_t all) {
        const std::lock_guard lock(guard_);
        stage_ = fmt::format("{} of {} asked, cells", done, all);
        line_.report(stage_, static_cast<double>(cells_), 0);
    }
    /// Of one exploration, so far; a thread has one at a time.
    void cells(std::uint64_t so_far) {
        thread_local std::uint64_t before = 0;
        const std::lock_guard lock(guard_);
        cells_ += so_far < before ? so_far : so_far - before;
        before = so_far;
        line_.report(stage_, static_cast<double>(cells_), 0);
    }
    /// Makes room for what is printed next.
    void clear() { line_.clear(); }

  private:
    Progress line_{"check"};
    std::mutex guard_;
    std::string stage_ = "cells";
    std::uint64_t cells_ = 0;
};

/// What --instance names: the instance of a file or, where there is no such file, what families of the selected claims
/// call by that name, such as a shape.
std::vector<DomainPtr> domains_of(const std::string& name, const std::vector<const Claim*>& selected) {
    std::error_code unread;
    if (std::filesystem::exists(name, unread) || name.ends_with(".toml") || name.ends_with(".json"))
        return {read_any_instance(name)->domain()};
    std::vector<DomainPtr> domains;
    std::vector<std::string> refusals;
    for (const Family* family : checks::families()) {
        const auto is_its = [&](const Claim* claim) { return &claim->family() == family; };
        if (std::none_of(selected.begin(), selected.end(), is_its)) continue;
        try {
            domains.push_back(family->instance(name));
        } catch (const InputError& error) {
            refusals.push_back(error.expected());
        }
    }
    if (!domains.empty()) return domains;
    throw InputError::in_file(name, "expected an existing file, or a name that the family of the claims knows" +
                                        (refusals.size() == 1 ? ": " + refusals.front() : ""));
}

Selection selection_of(const CheckRequest& request, const std::vector<Claim>& claims, Counted& counted) {
    Selection selection;
    selection.claims = request.claims;
    selection.jobs = request.jobs > 0 ? request.jobs : base::default_threads();
    selection.timed = !request.no_times && !request.ci;
    if (!request.policy.empty()) selection.policy = any_policy_id(request.policy);
    NamedInstances named;
    const std::vector<const Claim*> selected = select(claims, request.claims);
    for (const std::string& name : request.instances) {
        const std::vector<DomainPtr> domains = domains_of(name, selected);
        selection.instances.insert(selection.instances.end(), domains.begin(), domains.end());
        if (domains.size() == 1) named.emplace(std::filesystem::weakly_canonical(name).string(), domains.front());
    }
    if (const PolicyFile* file = find_policy_file(selection.policy))
        selection.held_to[file->id] = held_to(*file, claims, named);
    selection.refusal = [](const Family& family, const std::string& policy) {
        return files_of(family).refusal(policy);
    };
    selection.progress = [&](std::size_t done, std::size_t all) { counted.rows(done, all); };
    return selection;
}

void write_report(const CheckRequest& request, const Report& report, const EvidenceFiles& evidence,
                  const Settings& settings) {
    const std::string& format = request.to.format;
    if (format == "json" || format == "text")
        write_answer(request.to, check_answer(), {report, evidence, settings});
    else
        write_text(request.to.path, format == "markdown" ? markdown_report(report, evidence, settings)
                                                         : ci_report(format, "check", ci_verdicts(report, evidence)));
}

/// Prints the section of a claim below those before it; whether there is any now. It is empty where nothing is asked,
/// as about a policy that is refused.
bool print_claim(const std::string& text, bool below, Counted& counted) {
    if (text.empty()) return below;
    counted.clear();
    write_text("-", (below ? "\n" : "") + text);
    return true;
}

}  // namespace

int run(const CheckRequest& request) {
    require_writable({request.to.path, request.emit_test});
    const bool verdicts = !request.mutants && request.replay.empty() && !request.dry_run;
    if (!verdicts && request.to.format != "text" && !(request.mutants && request.to.json()))
        throw InputError::at_key("--format", "expected text: json, junit and sarif are for verdicts");
    if (!request.replay.empty()) return run_replay(request);
    std::vector<Claim> claims = all_claims();
    if (!request.family.empty())
        std::erase_if(claims, [&](const Claim& claim) { return claim.family().id() != request.family; });
    require_known(claims, request.claims);
    Settings settings = settings_of(request);
    Counted counted;
    settings.budget.progress = [&](std::uint64_t cells) { counted.cells(cells); };
    Selection selection = selection_of(request, claims, counted);
    for (Claim& claim : claims) ask_of_held(selection, claim);
    if (request.mutants) return run_mutants(request, claims, settings, selection.jobs);
    if (request.dry_run) {
        const Report planned = plan(claims, selection);
        require_rows(planned, request);
        write_text(request.to.path, plan_text(planned, selection, settings));
        return 0;
    }
    Evidence evidence(request.evidence);
    const bool as_it_comes = request.to.format == "text" && request.to.path == "-";
    bool told = false;
    selection.claim_done = [&](const Report& done, std::size_t first, std::size_t last) {
        evidence.add(done, {first, last});
        if (as_it_comes) told = print_claim(claims_text(done, evidence.files(), {first, last}), told, counted);
    };
    const Report report = checks::run(claims, selection, settings);
    require_rows(report, request);
    evidence.finish(report, settings);
    if (as_it_comes)
        write_text("-", closing_text(report, settings));
    else
        write_report(request, report, evidence.files(), settings);
    for (const std::string& conflict : report.conflicts)
        fmt::print(stderr, "schedproof: oracle conflict: {}\n", conflict);
    return report.exit_code();
}

Forms check_forms() { return forms_of({forms(check_answer, mutants_answer), bundle_forms()}); }

}  // namespace schedproof::cli
