/// The table of statements, and what each leaves on a path of the policy's code.
///
/// A statement is a function of a moment and the code; what it returns must have no solution together with the path.
/// One that fails as soon as the path is possible returns an empty list of constraints. A contract that the code breaks
/// on a path is such a failure too.
/// Long: the table of sentences stands beside the functions behind them, because a sentence must say what its function
/// leaves.
#include "proofs/sharing/theorems/statements.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "model/base/split.hpp"
#include "model/core/errors.hpp"
#include "model/sharing/sharing_state.hpp"
#include "proofs/sharing/theorems/state_statements.hpp"
#include "proofs/sharing/theorems/worded_rules.hpp"

namespace schedproof::sharing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;

namespace {

constexpr std::string_view all_policies =
    "hadoop-fifo naive-fair fair-kill delay delay-rack delay-rack:keep dyndlon delay-time delay-time:one-remote "
    "jsq-maxweight:subqueues sparrow quincy";
constexpr std::string_view with_skips = "delay delay-rack delay-rack:keep";

/// The code on a moment, and what else a statement needs of the path.
struct Path {
    const AffineCode& code;
    std::string_view policy;
    const CountsOnSymbols& oracle;
    Moment m;

    [[nodiscard]] Outcome offered() const { return offered(m); }
    [[nodiscard]] Outcome offered(const Moment& at) const { return offer(*code(at.parameters), at); }
    /// Of a registered policy.
    [[nodiscard]] Outcome offered_by(std::string_view other) const { return offer(*code_of(other)(m.parameters), m); }
};
using Left = std::vector<Forbidden>;

/// Adds what must not be where a = b is stated.
void equal(const Path& path, const AffineCount& a, const AffineCount& b, Left& left) {
    state_equal(path.oracle, a, b, left);
}
void equal(const Path& path, const std::vector<AffineCount>& a, const std::vector<AffineCount>& b, Left& left) {
    for (std::size_t j = 0; j < a.size(); ++j) equal(path, a[j], b[j], left);
}

Left follows_rule(const Path& path) {
    const Outcome is = path.offered(), expected = offer_rule(path.policy)->outcome(path.m);
    if (is.launch != expected.launch) return impossible();
    Left left;
    equal(path, is.skips, expected.skips, left);
    return left;
}

Left skip_counts(const Path& path) {
    const Outcome is = path.offered();
    Left left;
    for (std::size_t j = 0; j < path.m.jobs.size(); ++j) {
        const AffineCount& before = path.m.jobs[j].skips;
        const std::size_t launched = is.launch ? is.launch->job.index() : path.m.jobs.size();
        if (j == launched && is.launch->level == Locality::local) {
            equal(path, is.skips[j], 0, left);
        } else if (j == launched) {
            equal(path, is.skips[j], before, left);
            if (before < path.m.parameters.d) return impossible();
        } else {
            const bool asked = !is.launch || precedes(path.m, Order::fair, j, launched);
            equal(path, is.skips[j], asked ? before + 1 : before, left);
        }
    }
    return left;
}

/// The first of the jobs with the fewest running tasks.
std::size_t head_of(const Moment& m) {
    std::size_t head = 0;
    for (std::size_t j = 1; j < m.jobs.size(); ++j)
        if (precedes(m, Order::fair, j, head)) head = j;
    return head;
}

Left head_passed_over(const Path& path) {
    const Outcome is = path.offered();
    const std::size_t head = head_of(path.m);
    if (is.launch && is.launch->job.index() == head) return {};
    const ParametersOf<AffineCount>& p = path.m.parameters;
    if (path.m.jobs[head].skips >= (path.policy == "delay" ? p.d : p.d1 + *p.d2)) return impossible();
    Left left;
    equal(path, is.skips[head], path.m.jobs[head].skips + 1, left);
    return left;
}

Left head_of_line(const Path& path) {
    const std::size_t head = head_of(path.m);
    const JobLaunch expected{JobId(head), level_of(path.m.jobs[head].level)};
    return path.offered().launch == expected ? Left() : impossible();
}

Left launch_is_naive(const Path& path) {
    return path.offered().launch == path.offered_by("naive-fair").launch ? Left() : impossible();
}
Left launch_is_fifo(const Path& path) {
    return path.offered().launch == path.offered_by("hadoop-fifo").launch ? Left() : impossible();
}

Left never_off_rack(const Path& path) {
    const Outcome is = path.offered();
    return is.launch && is.launch->level == Locality::remote ? impossible() : Left();
}

Left reset_rules_alike(const Path& path) {
    Left left;
    const std::string_view other = path.policy == "delay-rack" ? "delay-rack:keep" : "delay-rack";
    equal(path, path.offered().skips, path.offered_by(other).skips, left);
    return left;
}

Left slots_stick(const Path& path) {
    for (std::size_t poorest = 0; poorest < path.m.jobs.size(); ++poorest) {
        Moment m = path.m;
        for (std::size_t j = 0; j < m.jobs.size(); ++j)
            m.jobs[j].running = path.m.jobs.front().running + (j == poorest ? 0 : 1);
        const Outcome is = path.offered(m);
        if (!is.launch || is.launch->job.index() != poorest) return impossible();
    }
    return {};
}

/// Two jobs without end on two nodes of a slot, always busy, job j with data on node j: the job that runs on each node.
using Shares = std::array<std::size_t, 2>;

/// Tasks that are not local.
std::size_t astray(const Shares& now) { return (now[0] == 0 ? 0U : 1U) + (now[1] == 1 ? 0U : 1U); }

/// What the skip counts are where slots are shared so, once they were 0 with a task of each job: where both tasks are
/// of one job it was not passed over, and where both are not local one of the jobs was not.
bool reached(const Shares& now, const std::vector<AffineCount>& skips) {
    if (astray(now) == 0) return true;
    return now[0] == now[1] ? skips[now[0]] <= 0 : skips[0] <= 0 || skips[1] <= 0;
}

/// Local tasks stay; and from any shares that are reached, some slot that becomes free leaves fewer tasks that are not
/// local, in shares that are reached again. Each slot may be the next with a probability above 0, so a closed class
/// of the chain has local tasks alone.
Left slots_settle(const Path& path) {
    for (const Shares& now : {Shares{0, 1}, Shares{0, 0}, Shares{1, 1}, Shares{1, 0}}) {
        if (!reached(now, {path.m.jobs[0].skips, path.m.jobs[1].skips})) continue;
        bool nearer = astray(now) == 0;
        for (const std::size_t node : {0U, 1U}) {
            Moment m = path.m;
            for (std::size_t j = 0; j < 2; ++j) {
                m.jobs[j].running = now[1 - node] == j ? 1 : 0;
                m.jobs[j].level = j == node ? 0 : 2;
            }
            const Outcome is = path.offered(m);
            if (!is.launch) return impossible();
            Shares next = now;
            next[node] = is.launch->job.index();
            if (!reached(next, is.skips) || (astray(now) == 0 && next != now)) return impossible();
            nearer = nearer || astray(next) < astray(now);
        }
        if (!nearer) return impossible();
    }
    return {};
}

Left fewest_running(const Path& path) {
    const Outcome is = path.offered();
    if (!is.launch) return {};
    const auto waits = [&](const MomentJob& job) {
        return is.launch->level == Locality::local ? job.waits_own : job.waits_common;
    };
    const MomentJob& launched = path.m.jobs[is.launch->job.index()];
    if (waits(launched) <= 0) return impossible();
    Left left;
    for (const MomentJob& job : path.m.jobs)
        left.push_back({{path.oracle.affine(waits(job) - 1).form(), false},
                        {path.oracle.affine(launched.running - job.running).form(), true}});
    return left;
}

Left joins_shortest(const Path& path) {
    const std::vector<std::size_t> joined = route(*path.code(path.m.parameters), path.m);
    if (joined.empty()) return impossible();
    const AffineCount& shortest = path.m.length[joined.front()];
    Left left;
    for (std::size_t q = 0; q < path.m.length.size(); ++q) {
        const proof::LinearForm longer = path.oracle.affine(path.m.length[q] - shortest).form();
        const bool may = std::find(joined.begin(), joined.end(), q) != joined.end();
        if (longer.is_constant() && longer.constant().sign() == 0) continue;  // the shortest itself
        left.push_back(may ? Forbidden{{longer, true}} : Forbidden{{-longer, false}});
        if (may) left.push_back({{-longer, true}});
    }
    return left;
}

Left kills_by_rule(const Path& path) {
    return reclaim(*path.code(path.m.parameters), path.m) == reclaim_rule(path.m) ? Left() : impossible();
}

/// What a statement assumes of a moment: pairs a >= b. May also change what is no count.
using Assume = Ties(Moment&);
Ties nothing(Moment&) { return {}; }
Ties no_waits(Moment& m) { return {{0, m.parameters.d}, {0, m.parameters.d1}, {0, *m.parameters.d2}}; }
Ties no_second_wait(Moment& m) {
    m.parameters.d2.reset();
    return {};
}
Ties may_be_passed_over(Moment& m) { return {{m.parameters.d, 1}}; }
Ties single_tasks(Moment& m) {
    Ties all;
    for (const MomentJob& job : m.jobs) {
        all.emplace_back(0, job.running);
        all.emplace_back(normal_priority, job.priority);
        all.emplace_back(job.priority, normal_priority);
    }
    return all;
}

struct Statement {
    StatementInfo info;
    Left (*left)(const Path&);
    Assume* assume = nothing;
    LeftOfState* left_of_state = nullptr;  ///< in its place, of a statement about whole states
};

constexpr std::array listed{
    Statement{
        {"follows-rule",
         "the job that launches, the level of its task and all skip counts afterwards are those of the rule of {} "
         "in plain words.",
         all_policies},
        follows_rule},
    Statement{{"skip-counts",
               "under {}, a local launch sets its job's count to 0, another launch leaves it and needs a count of D, "
               "each job asked before the launch gains 1, and no other count changes.",
               "delay", Asked::offer, true},
              skip_counts},
    Statement{{"head-passed-over",
               "under {}, an offer launches a task of the job at the head, or adds 1 to the count of that job, which "
               "was below D (D1 + D2 with two waits): while it stays at the head, a job is passed over no more often "
               "in a row.",
               with_skips},
              head_passed_over},
    Statement{
        {"head-of-line",
         "under {}, an offer launches a task of the job at the head, the first with the fewest running tasks, as near "
         "to its data as the node is: from a node "
         "that does not hold the data it is launched all the same, so that a job of one task, with data on n of M "
         "nodes that offer alike, is local with probability n/M.",
         "naive-fair fair-kill", Asked::offer, true},
        head_of_line},
    Statement{{"no-wait-is-naive", "with D = D1 = D2 = 0 the launch of {} is that of naive-fair.", with_skips,
               Asked::offer, true},
              launch_is_naive,
              no_waits},
    Statement{
        {"never-off-rack", "without D2, {} launches no remote task.", "delay-rack delay-rack:keep", Asked::offer, true},
        never_off_rack,
        no_second_wait},
    Statement{
        {"reset-rules-alike", "{} leaves the skip counts that it leaves with the other rule for a rack-local launch.",
         "delay-rack delay-rack:keep"},
        reset_rules_alike},
    Statement{{"single-tasks-are-fifo",
               "with jobs of one task each and of one priority, the launch of {} is that of hadoop-fifo.",
               "naive-fair fair-kill", Asked::offer, true},
              launch_is_fifo,
              single_tasks},
    Statement{{"slots-stick",
               "while one job runs a task less than each of the others, which run equally many, {} gives it the slot.",
               "naive-fair fair-kill", Asked::offer, true, 2},
              slots_stick},
    Statement{
        {"slots-settle",
         "under {}, tasks that are local on both nodes stay local; and from any tasks of the two jobs, nobody passed "
         "over yet, some order in which slots become free leads there, so that in the long run every task is local.",
         "delay", Asked::offer, false, 2, 2,
         "With two jobs without end on two nodes of a slot, the data of each on a node of its own, and for all D "
         "from 1 to 2^61: "},
        slots_settle,
        may_be_passed_over},
    Statement{{"fewest-running-of-queue",
               "no job that waits in the queue that {} serves runs fewer tasks than the one that launches.",
               "jsq-maxweight:subqueues", Asked::queues, true},
              fewest_running},
    Statement{{"joins-shortest",
               "under {}, a task may join exactly the shortest of the queues of the nodes that hold its data and the "
               "common one.",
               "jsq-maxweight:subqueues", Asked::route, true},
              joins_shortest},
    Statement{
        {"kills-by-rule",
         "under {}, while the free slots are fewer than what jobs below the fair share lack of it, as far as they "
         "have tasks waiting, and a job runs more than that share, a task of the job with the most running tasks "
         "is killed, and at no other time.",
         "fair-kill", Asked::reclaim, true},
        kills_by_rule},
    Statement{
        {"one-launch",
         "under {}, an offer changes nothing but the stage of one waiting task, the offered slot, skip counts and, "
         "where its job has one at the node, a reservation that is used up, and the task is launched at the level that "
         "its data, or its queue, has there.",
         all_policies, Asked::state, true, 1, most_small},
        nullptr,
        nothing,
        one_launch},
    Statement{{"kills-latest",
               "under {}, the job that is to lose a task loses the one launched last, with ties to the slot of largest "
               "number, and the slot goes at once to the job with the fewest running tasks, until none is to lose one.",
               "fair-kill", Asked::state, false, 1, most_small},
              nullptr,
              nothing,
              kills_latest},
};

const Statement& listed_as(std::string_view name) {
    const auto found = std::find_if(listed.begin(), listed.end(), [&](const auto& s) { return s.info.name == name; });
    if (found == listed.end())
        throw InputError::at_key("statement",
                                 fmt::format("expected a statement of the sharing family, not '{}'", name));
    return *found;
}

/// Whether the policy answers this.
bool is_asked(Asked asked, std::string_view policy) {
    const PolicyForm form = form_of_policy(policy);
    switch (asked) {
        case Asked::offer:
            return form != PolicyForm::routes;
        case Asked::queues:
        case Asked::route:
            return form == PolicyForm::routes;
        case Asked::reclaim:
            return form == PolicyForm::reclaims;
        case Asked::state:
            return true;
    }
    return false;
}

Question question(const StatementInfo& what, const std::string& policy, std::size_t count, const AffineCode& code) {
    const Asked asked = asked_of(what, policy);
    const Statement& its = listed_as(what.name);
    const bool ordered = what.name == "follows-rule" && offer_rule(policy)->ordered;
    return {fmt::format("{} of {}, {} {}", what.name, policy, count,
                        asked == Asked::route ? "nodes with the data" : "jobs"),
            moment_space(asked, count, its.assume), [=, &its](const std::vector<Affine>& symbols) -> Left {
                const CountsOnSymbols oracle(symbols);
                Path path{code, policy, oracle, moment(asked, count, oracle)};
                if (ordered) path.m.parameters.order = path.m.fifo > 0 ? Order::fifo : Order::fair;
                if (const auto own = parameters_of_added(what, policy))
                    path.m.parameters = {own->d, own->d1, own->d2, own->w, own->order};
                static_cast<void>(its.assume(path.m));
                try {
                    return its.left(path);
                } catch (const ContractViolation&) {
                    return impossible();
                }
            }};
}

Question question_of_state(const StatementInfo& what, const std::string& policy, std::size_t number,
                           const StateShape& shape, const AffineCode& code) {
    const Statement& its = listed_as(what.name);
    const OfferRule* rule = offer_rule(policy);
    const bool queues = form_of_policy(policy) == PolicyForm::routes, ordered = rule != nullptr && rule->ordered;
    return {fmt::format("{} of {}, state {}", what.name, policy, number), space_of(shape),
            [=, &its](const std::vector<Affine>& symbols) -> Left {
                const CountsOnSymbols oracle(symbols);
                StatePath path{code, oracle, queues, on_symbols(shape, oracle)};
                if (ordered) path.at.parameters.order = path.at.fifo > 0 ? Order::fifo : Order::fair;
                if (const auto own = parameters_of_added(what, policy))
                    path.at.parameters = {own->d, own->d1, own->d2, own->w, own->order};
                try {
                    return its.left_of_state(path);
                } catch (const ContractViolation&) {
                    return impossible();
                }
            }};
}

}  // namespace

std::vector<StatementInfo> statements() {
    std::vector<StatementInfo> all;
    for (const Statement& one : listed) all.push_back(one.info);
    return all;
}

const StatementInfo& statement(std::string_view name) { return listed_as(name).info; }

PolicyForm form_of_policy(std::string_view policy) {
    return std::visit([]<PolicyForm its>(const ErasedAs<its>&) { return its; }, make_policy(policy, {}));
}

AffineCode code_of(std::string_view policy) {
    if (!is_added(policy))
        return [any = make_policy(policy, {})](const ParametersOf<AffineCount>& symbols) {
            return std::visit([&](const auto& erased) { return erased.on_affine_counts(symbols); }, any);
        };
    return [id = std::string(policy)](const ParametersOf<AffineCount>& p) {
        const auto second = p.d2 ? std::optional(p.d2->constant()) : std::nullopt;
        const AnyPolicy any = make_policy(id, {p.d.constant(), p.d1.constant(), second, p.w.constant(), p.order});
        return std::visit([&](const auto& erased) { return erased.on_affine_counts(p); }, any);
    };
}

std::optional<Parameters> parameters_of_added(const StatementInfo& what, std::string_view policy) {
    if (!is_added(policy)) return {};
    Parameters own = usual_parameters(policy);
    if (what.name == "no-wait-is-naive") own.d = own.d1 = own.d2.emplace() = 0;
    if (what.name == "never-off-rack") own.d2.reset();
    return own;
}

Asked asked_of(const StatementInfo& what, std::string_view policy) {
    const OfferRule* rule = what.name == "follows-rule" ? offer_rule(policy) : nullptr;
    return rule != nullptr ? rule->asked : what.asked;
}

bool speaks_of(const StatementInfo& what, std::string_view policy) {
    if (is_added(policy)) return what.of_added && is_asked(what.asked, policy);
    const std::vector<std::string_view> of = base::split(what.policies, ' ');
    return std::find(of.begin(), of.end(), policy) != of.end();
}

std::vector<Question> questions(const StatementInfo& what, const std::string& policy, std::size_t most,
                                const AffineCode& code) {
    if (!speaks_of(what, policy))
        throw InputError::at_key(
            "policy", fmt::format("expected one of which {} speaks ({}), not {}", what.name, what.policies, policy));
    const std::size_t greatest =
        asked_of(what, policy) == Asked::offer ? std::min(what.greatest, most_offered) : what.greatest;
    if (most < what.least || most > greatest)
        throw InputError::at_key("most", fmt::format("expected {} to {}, not {}", what.least, greatest, most));
    std::vector<Question> all;
    for (const StateShape& shape : shapes(what, policy, most))
        all.push_back(question_of_state(what, policy, all.size() + 1, shape, code));
    if (what.asked == Asked::state) return all;
    for (std::size_t count = what.least; count <= most; ++count) all.push_back(question(what, policy, count, code));
    return all;
}

}  // namespace schedproof::sharing
