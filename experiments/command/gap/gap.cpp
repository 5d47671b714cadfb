/// `gap`: how far policies are from the best of all, as theorems, at one load or along a sweep.
///
/// Each policy's mean number of tasks lies in an exact interval (theorem `mean`), and no policy's lies below a bound
/// (theorem `any-policy`). So a mean over that bound is the most that the policy loses to the best there could be. What
/// it loses at least is said against the best of the policies at hand: that the optimum is as good as that one would
/// need a proof that no policy at hand serves a task faster than the central scheduler could.
///
/// What it costs not to interrupt tasks is said in the same way: the bound of every policy without preemption over the
/// best mean at hand with it is the least price, and the best mean at hand without over the bound with it the most.
///
/// Long: the fields of the answer stand in one list, a line or two for each, beside what they are made of.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <mutex>

#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/certificate_file.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/plot_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/core/table.hpp"
#include "experiments/command/prove/prove.hpp"
#include "experiments/command/simulate/simulate.hpp"
#include "experiments/figures/plot.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/load.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/bounds/any_policy_proof.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::cli {

struct GapRequest {
    std::string instance;
    std::vector<std::string> policies;
    std::string rho;  ///< loads, or empty
    std::uint32_t digits = 3;
    std::uint64_t max_states = 400'000;
    std::optional<std::uint64_t> time_limit;
    bool preemption = false;  ///< whether the same is asked with it
    std::string evidence;
    PlotRequest picture;
    BudgetRequest budget;
    Destination to;
};

namespace {

using namespace queueing;

/// A policy at a load: its interval, or why there is none.
struct GapRow {
    std::string policy;
    std::optional<std::pair<Rational, Rational>> mean;
    std::string why_not;
    bool reached =
        false;  ///< whether the interval is as narrow as was asked for, but for what closed classes differ by
};
/// All policies at a load.
struct GapLevel {
    std::shared_ptr<const queueing::Instance> instance;
    Rational rho;                     ///< the load of the capacity region, or an upper bound of it
    std::optional<Rational> optimum;  ///< no policy's mean is below
    std::string no_optimum;           ///< why there is no such bound
    bool reached = false;             ///< whether a larger box would change the bound by no more than was asked for
    std::vector<GapRow> rows;
    std::vector<GapLevel> interrupted;  ///< one, the same with preemption, if it was asked for

    /// Whether all that was asked for was found, as narrow as it was asked for.
    [[nodiscard]] bool complete() const {
        return reached && std::all_of(rows.begin(), rows.end(), std::mem_fn(&GapRow::reached)) &&
               std::all_of(interrupted.begin(), interrupted.end(), std::mem_fn(&GapLevel::complete));
    }
    [[nodiscard]] const GapLevel* with_preemption() const { return interrupted.empty() ? nullptr : &interrupted[0]; }
    /// How many times as many tasks there are at least, and at most, under the best policy that interrupts none as
    /// under the best of all.
    [[nodiscard]] std::optional<Rational> price_at_least() const {
        const auto best_with = with_preemption()->best();
        if (!optimum || !best_with || best_with->sign() <= 0) return {};
        return std::max(*optimum / *best_with, Rational(1));
    }
    [[nodiscard]] std::optional<Rational> price_at_most() const {
        const auto& least_with = with_preemption()->optimum;
        if (!best() || !least_with || least_with->sign() <= 0) return {};
        return *best() / *least_with;
    }
    [[nodiscard]] std::string price() const;
    /// How many times as many tasks as under the best of the policies of known means there are at least under one of
    /// them; nothing when it is the only one.
    [[nodiscard]] std::optional<Rational> to_best(const GapRow& row) const {
        const std::optional<Rational> least = best();
        const auto known =
            std::count_if(rows.begin(), rows.end(), [](const GapRow& one) { return one.mean.has_value(); });
        if (known < 2 || least->sign() <= 0) return {};
        return std::max(row.mean->first / *least, Rational(1));
    }
    /// How many times as many as under any policy at most.
    [[nodiscard]] std::optional<Rational> to_optimum(const GapRow& row) const {
        if (!optimum || optimum->sign() <= 0) return {};
        return row.mean->second / *optimum;
    }

    /// The least upper bound of a mean.
    [[nodiscard]] std::optional<Rational> best() const {
        std::optional<Rational> least;
        for (const GapRow& row : rows)
            if (row.mean && (!least || row.mean->second < *least)) least = row.mean->second;
        return least;
    }
};

/// The same cluster, whose tasks may be interrupted.
queueing::Instance with_preemption(const queueing::Instance& instance) {
    InstanceData data = instance.data();
    data.name += "-with-preemption";
    data.options.preemption = Preemption::resume;
    return queueing::Instance(std::move(data));
}

/// The levels of a sweep, none of them asked anything yet; without loads that of the instance.
std::vector<GapLevel> levels_of(const queueing::Instance& given, const std::vector<Rational>& loads, bool preemption) {
    std::vector<GapLevel> levels;
    const auto add = [&](queueing::Instance instance) {
        GapLevel level;
        level.instance = std::make_shared<const queueing::Instance>(std::move(instance));
        const auto capacity = capacity::solve(*level.instance);
        if (capacity.lower >= Rational(1))
            throw InputError::at_key("--rho",
                                     fmt::format("expected loads rho* below 1, not {}", display(capacity.lower)));
        level.rho = capacity.upper;
        if (preemption) {
            GapLevel interrupted;
            interrupted.instance = std::make_shared<const queueing::Instance>(with_preemption(*level.instance));
            interrupted.rho = level.rho;
            level.interrupted.push_back(std::move(interrupted));
        }
        levels.push_back(std::move(level));
    };
    if (loads.empty()) add(given);
    for (const Rational& rho : loads) add(capacity::at_load(given, rho, "--rho"));
    return levels;
}

class Gaps {
  public:
    explicit Gaps(const GapRequest& request) : request_(request), progress_("gap") {
        Integer grid = 1;
        for (std::uint32_t i = 0; i < request.digits; ++i) grid *= 10;
        width_ = Rational(Integer(1), grid);
    }

    /// Adds optimum and means.
    void fill(GapLevel& level) {
        try {
            bound(level);
        } catch (const LimitExceeded& limit) {
            level.no_optimum = limit.what();
        }
        for (const std::string& policy : request_.policies) level.rows.push_back(row(level, policy));
        for (GapLevel& interrupted : level.interrupted) fill(interrupted);
    }

  private:
    /// Progress of what is asked for at a load.
    [[nodiscard]] auto reporter(const GapLevel& level, const std::string& of) {
        return [this, prefix = fmt::format("load {:.4g}, {}: ", level.rho.approximate(), of)](std::string_view what,
                                                                                              double done, double all) {
            const std::lock_guard lock(one_at_a_time_);
            progress_.report(prefix + std::string(what), done, all);
        };
    }
    void write(const std::string& name, const AnyCertificate& certificate) const {
        if (request_.evidence.empty()) return;
        write_certificate_file((std::filesystem::path(request_.evidence) / (name + ".json")).string(), certificate);
    }

    void bound(GapLevel& level) {
        const std::shared_ptr<const queueing::Instance>& instance = level.instance;
        AnyPolicyGoal goal;
        goal.width = width_;
        goal.max_states = request_.max_states;
        goal.threads = base::default_threads();
        goal.progress = reporter(level, "any policy");
        AnyPolicyProof proof = bound_any_policy(*instance, goal);
        level.reached = proof.leaving <= width_.approximate();
        const queueing::Certificate certificate = certified(instance, "", std::move(proof.theorem), {});
        write("any-policy-" + instance->name(), certificate);
        level.optimum = std::get<AnyPolicyTheorem>(certificate.theorem).at_least();
    }
    [[nodiscard]] GapRow row(const GapLevel& level, const std::string& policy) {
        const std::shared_ptr<const queueing::Instance>& instance = level.instance;
        MeanGoal goal;
        goal.width = width_;
        goal.max_states = request_.max_states;
        goal.threads = base::default_threads();
        goal.progress = reporter(level, policy);
        if (request_.time_limit) goal.seconds = static_cast<double>(*request_.time_limit);
        GapRow found{policy, {}, ""};
        try {
            const AnyPolicy made = make_policy(policy, *instance, no_planner);
            MeanOutcome outcome = prove_mean(SymbolicSystem(*instance, made), ExactSystem(*instance, made), goal,
                                             budget_of(request_.budget, progress_));
            if (auto* proof = std::get_if<MeanProof>(&outcome)) {
                found.reached = proof->reached;
                const queueing::Certificate certificate =
                    certified(instance, policy, std::move(proof->theorem), proof->proofs);
                const auto& theorem = std::get<MeanTheorem>(certificate.theorem);
                found.mean = {theorem.at_least(), theorem.upper};
                write("mean-" + policy + "-" + instance->name(), certificate);
            } else {
                found.why_not = std::get<MeanUnknown>(outcome).reason;
            }
        } catch (const LimitExceeded& limit) {
            found.why_not = limit.what();
        } catch (const InputError& error) {
            // Some policies run without preemption alone.
            if (!request_.preemption || !instance->preemptive()) throw;
            found.why_not = error.what();
        }
        return found;
    }

    const GapRequest& request_;
    Progress progress_;
    std::mutex one_at_a_time_;
    Rational width_;
};

/// A policy at a load, with what it is compared with.
struct GapRowAt {
    const GapLevel& level;
    const GapRow& row;

    [[nodiscard]] std::optional<Rational> to_best() const { return level.to_best(row); }
    [[nodiscard]] std::optional<Rational> to_optimum() const { return level.to_optimum(row); }
    [[nodiscard]] std::string text() const;
};

/// What was asked for and not found, for the end of a line.
constexpr std::string_view wider = "; not reached: an interval as narrow as --digits asks for";
constexpr std::string_view unsettled = "; not reached: a larger box may raise it by more than --digits allows";

std::string GapRowAt::text() const {
    if (!row.mean) return "Unknown: " + row.why_not;
    std::string text =
        fmt::format("tasks in [{}, {}]", exact_decimal(row.mean->first), exact_decimal(row.mean->second));
    if (to_best())
        text += fmt::format(": at least {} times the best policy compared here",
                            exact_decimal(rounded_down(*to_best(), 3)));
    if (to_optimum())
        text += fmt::format("{} at most {} times the optimum", to_best() ? ";" : ":",
                            exact_decimal(rounded_up(*to_optimum(), 3)));
    if (!row.reached) text += wider;
    return text;
}

std::string GapLevel::price() const {
    if (interrupted.empty()) return "";
    const GapLevel& with = interrupted[0];
    std::string text = "preemption    ";
    text += with.optimum ? fmt::format("at least {} tasks under any policy that may interrupt them{}\n",
                                       exact_decimal(*with.optimum), with.reached ? "" : unsettled)
                         : "Unknown: " + with.no_optimum + "\n";
    for (const GapRow& row : with.rows) text += fmt::format("{:<13} {}\n", row.policy, GapRowAt{with, row}.text());
    const auto least = price_at_least(), most = price_at_most();
    text += "price         ";
    if (!least && !most) return text + "Unknown: a bound or a mean is missing\n";
    text += "without preemption the best policy has ";
    if (least) text += fmt::format("at least {}", exact_decimal(rounded_down(*least, 3)));
    if (most) text += fmt::format("{}at most {}", least ? " and " : "", exact_decimal(rounded_up(*most, 3)));
    return text + " times the tasks of the best with it\n";
}

struct GapAnswer {
    const std::vector<GapLevel>& levels;
    double seconds;
};

std::vector<GapRowAt> rows_of(const GapLevel& level) {
    std::vector<GapRowAt> rows;
    for (const GapRow& row : level.rows) rows.push_back({level, row});
    return rows;
}

Record<GapRowAt> gap_row_record() {
    using R = GapRowAt;
    return Record<R>{
        policy_field([](const R& r) { return r.row.policy; }),
        field(
            "verdict", [](const R& r) { return r.row.mean ? "proved" : "unknown"; }, "Of its mean.")
            .words({"proved", "unknown"}),
        field(
            "lower", [](const R& r) { return r.row.mean->first; }, "Its mean number of tasks is at least this.")
            .only_when("verdict", {"proved"}),
        field(
            "upper", [](const R& r) { return r.row.mean->second; }, "And at most this.")
            .only_when("verdict", {"proved"}),
        field(
            "reached", [](const R& r) { return r.row.reached; },
            "Whether the interval is as narrow as was asked for; several closed classes may keep it wider.")
            .only_when("verdict", {"proved"}),
        field("to_best_named_at_least", &R::to_best,
              "At least so many times as many tasks as under the best of the policies named; null when it is the only "
              "one "
              "whose mean is known, or when tasks may be 0.")
            .only_when("verdict", {"proved"})
            .or_null(),
        field("to_optimum_at_most", &R::to_optimum,
              "At most so many times as many tasks as under any policy; null without a bound above 0.")
            .only_when("verdict", {"proved"})
            .or_null(),
        field(
            "reason", [](const R& r) { return r.row.why_not; }, "Why its mean is not known.")
            .only_when("verdict", {"unknown"}),
        aside("text", &R::text)};
}

/// What is asked with preemption: shown by GapLevel::price.
Record<GapLevel> interrupted_record() {
    using L = GapLevel;
    return Record<L>{
        field("any_policy_at_least", &L::optimum, "No policy's mean number of tasks is below; null without a bound.")
            .unit("tasks"),
        field("any_policy_reached", &L::reached, "As without preemption."),
        field(
            "reason", [](const L& l) { return l.optimum ? std::nullopt : std::optional(l.no_optimum); },
            "Why there is no such bound; null where there is one."),
        field(
            "policies", [](const L& l) { return rows_of(l); }, "In the order of the command line.", gap_row_record())
            .items(1)};
}

const Answer<GapAnswer>& gap_answer() {
    using L = GapLevel;
    const Record<L> level =
        Record<L>{
            field(
                "instance", [](const L& l) { return l.instance->name(); }, "Name of the instance at this load.")
                .form("{} (rho* <= {load})"),
            field("load", &L::rho, "rho* of the capacity region, or an upper bound of it.")
                .unit("fraction of a server's time")
                .hidden(),
            field("any_policy_at_least", &L::optimum,
                  "No policy's mean number of tasks is below; null without a bound.")
                .unit("tasks")
                .hidden(),
            field("any_policy_reached", &L::reached,
                  "Whether a larger box would raise that bound by no more than was asked for: found in floating "
                  "point, not proved.")
                .hidden(),
            field(
                "reason", [](const L& l) { return l.optimum ? std::nullopt : std::optional(l.no_optimum); },
                "Why there is no such bound; null where there is one.")
                .hidden(),
            words("optimum",
                  [](const L& l) {
                      const bool interrupts_none = l.instance->continuous() && !l.instance->preemptive();
                      return l.optimum
                                 ? fmt::format("at least {} tasks under any policy{}{}", exact_decimal(*l.optimum),
                                               interrupts_none ? " that interrupts no task" : "",
                                               l.reached ? "" : unsettled)
                                 : "Unknown: " + l.no_optimum;
                  }),
            field(
                "policies", [](const L& l) { return rows_of(l); }, "In the order of the command line.",
                gap_row_record())
                .items(1)
                .table("", "{policy:<13} {text}"),
            field("with_preemption", &L::with_preemption,
                  "Only with --preemption: the same of policies that may interrupt tasks.", interrupted_record())
                .optional()
                .hidden(),
            field(
                "price_at_least", [](const L& l) { return l.interrupted.empty() ? std::nullopt : l.price_at_least(); },
                "Only with --preemption: the best policy that interrupts no task has at least so many times the "
                "tasks of the best of all.")
                .optional()
                .hidden(),
            field(
                "price_at_most", [](const L& l) { return l.interrupted.empty() ? std::nullopt : l.price_at_most(); },
                "And at most so many times.")
                .optional()
                .hidden(),
            lines("price", &L::price)}
            .column(14);
    static const Answer<GapAnswer> answer{
        "gap",
        "How many times as many tasks as under the best of all policies, with proofs. Answer of `schedproof gap "
        "--format "
        "json`.",
        Record<GapAnswer>{field(
                              "points", [](const GapAnswer& a) { return a.levels; }, "By load.", level)
                              .items(1)
                              .among(),
                          words("checked",
                                [](const GapAnswer& a) {
                                    return fmt::format("every interval and bound by its certificate; {:.2f} s in all",
                                                       a.seconds);
                                }),
                          seconds_field(&GapAnswer::seconds)}
            .column(14)};
    return answer;
}

/// A line per load and policy; no numbers where no mean was proved.
std::string to_csv(const std::vector<GapLevel>& levels) {
    std::string text = "load,policy,lower,upper,any_policy_lower,reached,any_policy_reached\n";
    for (const GapLevel& level : levels)
        for (const GapRow& row : level.rows)
            text += fmt::format("{:.15g},{},{},{},{},{},{}\n", level.rho.approximate(), row.policy,
                                row.mean ? exact_decimal(row.mean->first) : "",
                                row.mean ? exact_decimal(row.mean->second) : "",
                                level.optimum ? exact_decimal(*level.optimum) : "", row.reached, level.reached);
    return text;
}

/// What its text says, in columns.
Table to_table(const std::vector<GapLevel>& levels) {
    Table table{"mean number of tasks in the system, by certificates",
                {{"load rho*", true},
                 {"policy"},
                 {"mean", true, "tasks"},
                 {"times the best here, at least", true},
                 {"times the optimum, at most", true},
                 {"any policy, at least", true, "tasks"}},
                {}};
    const auto number = [](const std::optional<Rational>& value) { return value ? exact_decimal(*value) : ""; };
    const auto digits = [](const std::optional<Rational>& value, auto rounded) {
        return value ? std::optional(rounded(*value, 3)) : std::nullopt;
    };
    for (const GapLevel& level : levels)
        for (const GapRow& row : level.rows)
            table.rows.push_back(
                {exact_decimal(rounded_up(level.rho, 6)), row.policy,
                 row.mean ? fmt::format("[{}, {}]{}", exact_decimal(row.mean->first), exact_decimal(row.mean->second),
                                        row.reached ? "" : " (wider than asked for)")
                          : "Unknown",
                 number(row.mean ? digits(level.to_best(row), rounded_down) : std::nullopt),
                 number(row.mean ? digits(level.to_optimum(row), rounded_up) : std::nullopt),
                 number(level.optimum) + (level.optimum && !level.reached ? " (a larger box may raise it)" : "")});
    return table;
}

/// Each interval as a bar, which is mostly narrower than its marker. The bound is in front, for the best policy may lie
/// on it.
figures::Plot plot_of(const std::vector<GapLevel>& levels, const std::vector<std::string>& policies) {
    figures::Panel panel;
    panel.x_label = "load rho*";
    panel.y_label = "mean number of tasks";
    panel.logarithmic_y = true;
    figures::Curve optimum{"no policy is below", {}, figures::Style::lines, 6};
    for (const GapLevel& level : levels)
        if (level.optimum) optimum.points.push_back({level.rho.approximate(), level.optimum->approximate()});
    panel.curves.push_back(std::move(optimum));
    for (std::size_t p = 0; p < policies.size(); ++p) {
        figures::Curve curve{policies[p], {}, figures::Style::error_bars, p};
        for (const GapLevel& level : levels)
            if (const GapRow& row = level.rows[p]; row.mean) {
                const double lower = row.mean->first.approximate(), upper = row.mean->second.approximate();
                curve.points.push_back({level.rho.approximate(), (lower + upper) / 2, (upper - lower) / 2});
            }
        panel.curves.push_back(std::move(curve));
    }
    figures::Plot plot;
    plot.panels.push_back(std::move(panel));
    plot.print = figures::Print{130, 9};
    return plot;
}

}  // namespace

int run(const GapRequest& given) {
    GapRequest request = given;
    for (std::string& policy : request.policies) policy = policy_id(policy);
    for (std::size_t p = 0; p < request.policies.size(); ++p)
        if (std::count(request.policies.begin(), request.policies.end(), request.policies[p]) > 1)
            throw InputError::at_key(
                "--policy", fmt::format("expected each policy once, but {} stands twice", request.policies[p]));
    require_writable({request.to.path, request.picture.path});
    check_plot(request.picture);
    if (!request.evidence.empty()) base::make_directory(request.evidence);
    const std::shared_ptr<const queueing::Instance> instance = read_instance_with_law(request.instance);
    if (request.preemption && (!instance->continuous() || instance->preemptive()))
        throw InputError::at_key(
            "--preemption",
            fmt::format("expected an instance in continuous time in which no task is interrupted: {} {}",
                        request.instance, instance->continuous() ? "says preemption = \"resume\"" : "is in slots"));
    if (request.preemption && (request.to.format == "csv" || is_table_format(request.to.format)))
        throw InputError::at_key("--preemption", "expected the format text or json, not " + request.to.format +
                                                     ", whose lines have no place for it");
    const std::vector<Rational> loads =
        request.rho.empty() ? std::vector<Rational>{} : option_numbers(request.rho, "--rho");
    const Stopwatch watch;
    std::vector<GapLevel> levels = levels_of(*instance, loads, request.preemption);
    Gaps gaps(request);
    for (GapLevel& level : levels) gaps.fill(level);
    const int exit_code = std::all_of(levels.begin(), levels.end(), std::mem_fn(&GapLevel::complete)) ? 0 : 3;
    if (!request.picture.path.empty())
        base::write_file(request.picture.path, draw(plot_of(levels, request.policies), request.picture));
    if (request.to.format == "csv") {
        write_text(request.to.path, to_csv(levels));
        return exit_code;
    }
    if (is_table_format(request.to.format)) {
        write_text(request.to.path, as_tables(request.to.format, request.to.command, {to_table(levels)}));
        return exit_code;
    }
    return write_answer(request.to, gap_answer(), {levels, watch.seconds()}, exit_code);
}

namespace {

OptionTable options(GapRequest& r) {
    return joined({{instance_argument(r.instance),
                    {.names = "-p,--policy",
                     .value = "POLICY",
                     .target = &r.policies,
                     .meaning = "policy whose mean is bounded; may be repeated",
                     .required = true,
                     .repeated = true,
                     .offers = ids_of<queueing::policies>},
                    {.names = "--rho",
                     .value = "LOADS",
                     .target = &r.rho,
                     .meaning = "loads to which the arrivals are scaled, as FROM:TO:STEP or a list (default: as the "
                                "instance says)"},
                    {.names = "--digits",
                     .value = "N",
                     .target = &r.digits,
                     .meaning = "width of the intervals and of the bound: 10^-N at most (default 3)",
                     .range = Interval{1, 15}},
                    max_states_option(r.max_states),
                    {.names = "--time-limit",
                     .value = "SECONDS",
                     .target = &r.time_limit,
                     .meaning = "search for about this long for each policy and load, then prove what was found",
                     .range = Interval{1, 1'000'000}},
                    {.names = "--preemption",
                     .target = &r.preemption,
                     .meaning = "ask the same of policies that may interrupt tasks, and bound what it costs to "
                                "interrupt none; of an instance in continuous time without preemption"},
                    {.names = "--evidence",
                     .value = "DIR",
                     .target = &r.evidence,
                     .meaning = "write all certificates into this directory"}},
                   plot_options(r.picture, "means and bound over the load"),
                   budget_options(r.budget),
                   table_destination_options(r.to, true)});
}

}  // namespace

Subcommand gap() {
    return make_subcommand<GapRequest>(
        "gap", "bounds of a policy's mean tasks relative to the least under any policy, with certificates",
        "schedproof gap experiments/instances/m2-half.toml -p jsq-maxweight -p join-shortest-queue --evidence gap",
        options, forms(gap_answer));
}

}  // namespace schedproof::cli
