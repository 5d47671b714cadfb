/// How questions are recognised.
///
/// A question is compared with a list of expressions, each with the arrangements of queues under which the view has an
/// index for it (indexed_view.hpp). Before that a rule is simplified (simplified_rule.hpp), so that the same question
/// in other words is found. What is no question of the list, nor composed of some, is evaluated.
///
/// Who needs to be asked follows from the rule as well. Take two idle servers of one rack whose own queues are empty.
/// Exchanging their numbers changes neither the lengths of queues nor a distance, so it exchanges their answers, if the
/// rule draws nothing and names no set that depends on numbers. With a queue per type the two may hold the data of
/// different types; there the same is true of rules that look at queues with work only, since both are as near to
/// these.
/// Long: the list of questions, tests by lengths, and who is asked all read the same tree.
#include "experiments/simulators/slotted/question_plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/simulators/slotted/simplified_rule.hpp"
#include "model/queueing/language/evaluate.hpp"

namespace schedproof::simulation {

namespace {

using queueing::Arrangement;
using queueing::language::Expression;
using queueing::language::Node;
using queueing::language::Op;
using queueing::language::Tree;

// ---- questions ----

/// An expression and what answers it under some arrangements of queues, whose bits are set.
struct Known {
    Tree expression;
    Question by;
    unsigned arrangements;
};
constexpr unsigned bit(Arrangement a) { return 1U << static_cast<unsigned>(a); }

/// What the view answers, but for a sample.
std::vector<Known> questions_of_rows(std::size_t rows) {
    using namespace queueing::language;
    constexpr unsigned each = bit(Arrangement::per_server), with_common = bit(Arrangement::per_server_and_common),
                       levels = bit(Arrangement::per_server_and_level), types = bit(Arrangement::per_type), any = ~0U;
    const auto busy = nonempty(reachable);
    const Expression shared = queueing::language::common;
    return {
        {own.tree, rows == 1 ? Question::own : Question::own_rows, any},
        {nonempty(own).tree, Question::nonempty_own, rows == 1 ? any : 0},
        {most_local(nonempty(own_levels)).tree, Question::most_local, levels},
        {furthest_behind.tree, Question::most_behind, types},
        {shared.tree, Question::common, any},
        {own_type.tree, Question::own_type, types},
        {planned.tree, Question::planned, each},
        {local.tree, Question::local_servers, each | with_common},
        {servers.tree, Question::all_servers, any},
        {argmin(local, length).tree, Question::shortest_local, each | with_common},
        {argmin(local, server_length).tree, Question::shortest_local, each},
        {argmin(local, server_length).tree, Question::shortest_local_server, levels},
        {argmin(local | shared, length).tree, Question::shortest_local_or_common, with_common},
        {argmin(shared | local, length).tree, Question::shortest_local_or_common, with_common},
        {argmin(servers, length).tree, Question::shortest_server, each | with_common},
        {argmax(servers, length).tree, Question::longest_server, each | with_common},
        {argmin(servers, server_length).tree, Question::shortest_server, each | levels},
        {argmax(servers, server_length).tree, Question::longest_server, each | levels},
        {argmin(reachable, length).tree, Question::shortest_server, each},
        {argmax(reachable, length).tree, Question::longest_server, each},
        {argmin(servers, server_workload / rate).tree, Question::least_weighted_workload, levels},
        {argmax(busy, length).tree, Question::longest, each},
        {argmax(busy, rate * length).tree, Question::largest_weight, each},
        {argmax(busy, rate * marginal_cost).tree, Question::largest_marginal_cost, types},
    };
}

const std::vector<Known>& known_questions(std::size_t rows) {
    static const std::vector<Known> of_one = questions_of_rows(1), of_more = questions_of_rows(2);
    return rows == 1 ? of_one : of_more;
}

/// Whether a test or key is of the candidate alone, and, if `by_level`, the same for all of one length and level.
bool of_candidate(const Tree& tree, std::size_t at, bool by_level) {
    const Op op = tree[at].op;
    if (op >= Op::least && op <= Op::mean) return false;
    if (by_level && (op == Op::server_length || op == Op::server_workload || op == Op::marginal_cost)) return false;
    for (std::size_t k = 0; k < tree[at].children; ++k)
        if (!of_candidate(tree, tree.child(at, k), by_level)) return false;
    return true;
}

/// Whether every queue of the set is a server's, one of each.
bool of_each_server(const Tree& tree, std::size_t set, Arrangement arrangement) {
    return tree[set].op == Op::servers || (tree[set].op == Op::reachable && arrangement == Arrangement::per_server);
}

Question value_of(const Tree& tree, std::size_t at, const queueing::Layout& layout) {
    const Arrangement arrangement = layout.arrangement();
    const std::size_t set = tree.child(at, 0);
    const Op of = tree[set].op, key = tree[tree.child(at, 1)].op;
    const bool levels = arrangement == Arrangement::per_server_and_level;
    constexpr auto least_workload = queueing::language::least(
        queueing::language::servers, queueing::language::server_workload / queueing::language::rate);
    if (levels && tree.subtree(at) == least_workload.tree) return Question::least_workload;
    const bool single = of == Op::common || of == Op::own_type || (of == Op::own && layout.rows() == 1);
    if (single && of_candidate(tree, tree.child(at, 1), false)) return Question::of_one_queue;
    if (!of_each_server(tree, set, arrangement) || key != (levels ? Op::server_length : Op::length))
        return Question::scan;
    switch (tree[at].op) {
        case Op::least:
            return Question::least_length;
        case Op::greatest:
            return Question::greatest_length;
        case Op::total:
            return Question::total_length;
        default:
            return Question::mean_length;
    }
}

// ---- tests of one candidate by lengths ----

struct LengthQuotient {
    PlainKey key;
    std::int64_t over = 1;
};
std::int64_t times(std::int64_t a, std::int64_t b) { return (CheckedInt(a) * CheckedInt(b)).value(); }

std::optional<LengthQuotient> length_key(const RulePlan& plan, std::size_t at, Question of) {
    const Tree& tree = plan.rule();
    const Node& node = tree[at];
    switch (node.op) {
        case Op::length:
        case Op::servable:
            return LengthQuotient{{node.op, of}};
        case Op::constant:
            return LengthQuotient{{node.op, of, node.a}};
        case Op::least:
        case Op::greatest:
        case Op::total:
        case Op::mean:
            if (plan[at] != Question::of_one_queue || of != Question::scan) return std::nullopt;
            return length_key(plan, tree.child(at, 1), plan[tree.child(at, 0)]);
        case Op::multiple:
        case Op::times_rate:
        case Op::over_rate:
        case Op::times_local:
        case Op::times_remote:
            break;
        default:
            return std::nullopt;
    }
    auto made = length_key(plan, tree.child(at, 0), of);
    if (!made) return std::nullopt;
    if (node.op == Op::multiple) {
        made->key.by = times(made->key.by, node.a);
        made->over = times(made->over, node.b);
        return made;
    }
    if (made->key.count == made->key.factors.size()) return std::nullopt;
    // A factor outside a value over one queue would be that of another candidate.
    const bool of_value = made->key.of != of && (node.op == Op::times_rate || node.op == Op::over_rate);
    if (of_value) return std::nullopt;
    made->key.factors[made->key.count++] = node.op;
    return made;
}

std::optional<LengthTest> length_test(const RulePlan& plan, std::size_t at) {
    const Op is = plan.rule()[at].op;
    if (is != Op::less && is != Op::less_equal && is != Op::equal) return std::nullopt;
    auto first = length_key(plan, plan.rule().child(at, 0), Question::scan),
         second = length_key(plan, plan.rule().child(at, 1), Question::scan);
    if (!first || !second) return std::nullopt;
    const std::int64_t shared = std::gcd(first->over, second->over);
    first->key.by = times(first->key.by, second->over / shared);
    second->key.by = times(second->key.by, first->over / shared);
    return LengthTest{first->key, second->key, is};
}

// ---- who is asked ----

bool is_larger_of_own_and_common(const Tree& tree, std::size_t at) {
    using namespace queueing::language;
    constexpr Expression shared = queueing::language::common;
    constexpr auto larger = when(least(own, rate * servable) >= least(shared, rate * servable), own, shared);
    return tree.subtree(at) == larger.tree;
}

bool only_arrivals_wake(const RulePlan& plan, std::size_t at) {
    const Tree& tree = plan.rule();
    switch (plan[at]) {
        case Question::own:
        case Question::nonempty_own:
        case Question::common:
        case Question::most_local:
        case Question::longest:
        case Question::largest_weight:
        case Question::largest_marginal_cost:
            return true;
        case Question::where_by_level:
            return is_threshold(plan.test(tree.child(at, 1)));
        case Question::first_of: {
            const std::size_t first = tree.child(at, 0), second = tree.child(at, 1);
            // Where no queue of the server has work, any of them will do.
            if (plan[first] == Question::most_local && plan[second] == Question::own_rows) return true;
            return only_arrivals_wake(plan, first) && only_arrivals_wake(plan, second);
        }
        case Question::when:
            return is_larger_of_own_and_common(tree, at);
        default:
            return false;
    }
}

/// Whether a threshold is put to another key than the one whose greatest values are left, so that a smaller value may
/// pass it.
bool reconsiders(const RulePlan& plan, std::size_t at) {
    const Tree& tree = plan.rule();
    if (plan[at] == Question::where_by_level) {
        const LengthTest* passed = plan.test(tree.child(at, 1));
        const int rates = plan[tree.child(at, 0)] == Question::largest_weight ? 1 : 0;
        return !is_threshold(passed) || passed->first.rates() != 0 || passed->second.rates() != rates;
    }
    for (std::size_t k = 0; k < tree[at].children && plan[at] == Question::first_of; ++k)
        if (reconsiders(plan, tree.child(at, k))) return true;
    return false;
}

Sight sight_of(const Tree& rule, Arrangement arrangement) {
    if (arrangement == Arrangement::per_type || arrangement == Arrangement::single) return Sight::any;
    const auto names = [&](auto... sets) {
        return !rule.any([&](Op op) {
            const bool is_primitive = op <= Op::tabulated && op != Op::it && op != Op::lowest;
            return is_primitive && ((op != sets) && ...);
        });
    };
    if (names(Op::own, Op::own_levels)) return Sight::own;
    return names(Op::own, Op::own_levels, Op::common) ? Sight::own_and_common : Sight::any;
}

/// Whether every set of reachable queues is of those with work.
bool sees_work_only(const Tree& rule) {
    std::size_t reachable = 0, with_work = 0;
    for (std::size_t i = 0; i < rule.size(); ++i) {
        reachable += rule[i].op == Op::reachable ? 1 : 0;
        with_work += tests_work(rule, i) && rule[rule.child(i, 0)].op == Op::reachable ? 1 : 0;
    }
    return reachable == with_work;
}

bool answers_alike(const queueing::Rules& rules, const Tree& serve) {
    const auto names = [&](auto... ops) { return serve.any([&](Op op) { return ((op == ops) || ...); }); };
    if (queueing::language::is_random(serve) || names(Op::lowest, Op::ring, Op::partner, Op::tabulated)) return false;
    if (rules.arrangement() != Arrangement::per_type) return true;
    return names(Op::furthest_behind) ? !names(Op::reachable) : sees_work_only(serve);
}

// ---- text ----

/// The questions of a rule, in the order of their mention.
class Questions {
  public:
    Questions(std::size_t replicas, bool own_rates) : replicas_(replicas), own_rates_(own_rates) {}

    void add(const RulePlan& plan) { add(plan, plan.rule().root(), false); }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> take() { return std::move(questions_); }

  private:
    /// A set that is named within what is evaluated is no question of its own.
    void add(const RulePlan& plan, std::size_t at, bool evaluated) {
        const Question by = plan[at];
        const std::size_t children = plan.rule()[at].children;
        const bool named = evaluated && by == Question::scan && children == 0;
        if (const std::string_view name = name_of(by); !name.empty() && !named)
            questions_.emplace_back(queueing::to_string(plan.rule().subtree(at)), name);
        const bool leaf = is_value(by) || (is_set(by) && by != Question::sample);
        for (std::size_t k = 0; k < children && !leaf; ++k) add_part(plan, plan.child(at, k), by == Question::scan);
    }
    /// Of keys and tests, only the values in them are questions.
    void add_part(const RulePlan& plan, std::size_t at, bool evaluated) {
        const Op op = plan.rule()[at].op;
        if (op < Op::length || (op >= Op::least && op <= Op::mean)) return add(plan, at, evaluated);
        for (std::size_t k = 0; k < plan.rule()[at].children; ++k) add_part(plan, plan.child(at, k), evaluated);
    }
    /// Empty for what is made of the answers of children.
    [[nodiscard]] std::string_view name_of(Question q) const {
        constexpr std::string_view few = "few queues", order = "order by length", scan = "scan";
        const auto one_of = [q](auto... questions) { return ((q == questions) || ...); };
        if (one_of(Question::own, Question::own_rows, Question::nonempty_own, Question::most_local,
                   Question::most_behind, Question::common, Question::own_type, Question::planned,
                   Question::of_one_queue))
            return few;
        if (one_of(Question::local_servers, Question::all_servers)) return "any of a set";
        if (q == Question::sample) return "sample";
        if (q == Question::shortest_local) return replicas_ <= most_scanned ? few : order;
        if (one_of(Question::shortest_local_or_common, Question::shortest_local_server))
            return replicas_ <= most_scanned ? few : scan;
        if (one_of(Question::shortest_server, Question::longest_server, Question::least_length,
                   Question::greatest_length))
            return order;
        if (one_of(Question::total_length, Question::mean_length)) return "sum of lengths";
        if (one_of(Question::least_weighted_workload, Question::least_workload)) return "tournament by workload";
        if (one_of(Question::longest, Question::largest_weight)) return "tournament by length";
        if (q == Question::largest_marginal_cost) return own_rates_ ? scan : "tournament by marginal cost";
        if (one_of(Question::first_of, Question::when, Question::where, Question::where_by_level)) return {};
        return scan;
    }

    std::size_t replicas_;
    bool own_rates_;
    std::vector<std::pair<std::string, std::string>> questions_;
};

/// Whether all queues of a large set are gone over.
bool scans(const RulePlan& plan, std::size_t at, bool listed) {
    const Tree& tree = plan.rule();
    const Question by = plan[at];
    if (by == Question::all_servers) return listed;
    if (is_set(by) || is_value(by) || tree[at].op == Op::sample) return false;
    if (by == Question::scan && tree[at].op == Op::reachable) return true;
    for (std::size_t k = 0; k < tree[at].children; ++k)
        if (scans(plan, tree.child(at, k), listed || (by != Question::first_of && by != Question::when))) return true;
    return false;
}

/// As it is written; of a long one, as with a decision table, the beginning.
std::string rule_text(const Tree& rule) {
    constexpr std::size_t most = 120;
    std::string text = queueing::to_string(rule);
    if (text.size() > most) text.replace(most, std::string::npos, "...");
    return text;
}

}  // namespace

bool is_threshold(const LengthTest* test) {
    return test != nullptr && test->is != Op::equal && test->first.quantity == Op::constant &&
           test->second.quantity != Op::constant && test->first.of == Question::scan &&
           test->second.of == Question::scan && test->first.by > 0 && test->second.by > 0;
}

int PlainKey::rates() const {
    int sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        sum += factors[i] == Op::times_rate ? 1 : factors[i] == Op::over_rate ? -1 : 0;
    return sum;
}

RulePlan::RulePlan(const Tree& rule, const queueing::Layout& layout) : rule_(simplified(rule)) {
    // Indexes order queues by level, which is no distance there, and every server has a rate of its own.
    if (layout.rates_at_servers()) {
        for (std::size_t at = 0; at < rule_.size(); ++at)
            for (std::size_t k = 0; k < rule_[at].children; ++k)
                children_[at][k] = static_cast<std::uint8_t>(rule_.child(at, k));
        return;
    }
    const std::vector<Known>& questions = known_questions(layout.rows());
    const unsigned arrangement = bit(layout.arrangement());
    for (std::size_t at = 0; at < rule_.size(); ++at) {
        for (std::size_t k = 0; k < rule_[at].children; ++k)
            children_[at][k] = static_cast<std::uint8_t>(rule_.child(at, k));
        const Op op = rule_[at].op;
        const Tree here = rule_.subtree(at);
        const auto known = std::find_if(questions.begin(), questions.end(), [&](const Known& question) {
            return (question.arrangements & arrangement) != 0 && question.expression == here;
        });
        if (known != questions.end()) {
            by_[at] = known->by;
        } else if (op == Op::sample) {
            const Op of = rule_[rule_.child(at, 0)].op;
            const bool few = rule_[at].a <= static_cast<std::int64_t>(most_scanned);
            if (few && (of == Op::servers || of == Op::local)) by_[at] = Question::sample;
        } else if (op >= Op::least && op <= Op::mean) {
            by_[at] = value_of(rule_, at, layout);
        }
    }
    for (std::size_t at = 0; at < rule_.size(); ++at)
        if (const auto test = length_test(*this, at)) {
            tests_.push_back(*test);
            test_of_[at] = static_cast<std::uint8_t>(tests_.size());
        }
    compose();
}

void RulePlan::compose() {
    std::vector<std::size_t> open{rule_.root()};
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        if (by_[at] != Question::scan) continue;
        switch (rule_[at].op) {
            case Op::first_of:
                by_[at] = Question::first_of;
                open.insert(open.end(), {rule_.child(at, 0), rule_.child(at, 1)});
                break;
            case Op::when:
                by_[at] = Question::when;
                open.insert(open.end(), {rule_.child(at, 1), rule_.child(at, 2)});
                break;
            case Op::where: {
                const Question of = by_[rule_.child(at, 0)];
                const bool levels = of == Question::longest || of == Question::largest_weight;
                if (!is_set(of) || !of_candidate(rule_, rule_.child(at, 1), false)) break;
                by_[at] = levels && of_candidate(rule_, rule_.child(at, 1), true) ? Question::where_by_level
                                                                                  : Question::where;
                break;
            }
            default:
                break;
        }
    }
}

QuestionPlan::QuestionPlan(const queueing::Instance& instance, const queueing::AnyPolicy& policy)
    : route(policy.rules().route(), policy.layout(instance)),
      serve(policy.rules().serve(), policy.layout(instance)),
      sight(sight_of(serve.rule(), policy.rules().arrangement())),
      alike(!instance.rates_at_servers() && answers_alike(policy.rules(), serve.rule())),
      only_arrivals_wake(!instance.rates_at_servers() && simulation::only_arrivals_wake(serve, serve.rule().root())),
      reconsiders(simulation::reconsiders(serve, serve.rule().root())),
      own_rates_(instance.rates_by_type()),
      unlike_(instance.rates_at_servers()) {
    for (const TaskTypeId type : instance.types()) replicas_ = std::max(replicas_, instance.type(type).replicas.size());
}

std::vector<std::pair<std::string, std::string>> QuestionPlan::questions() const {
    Questions questions(replicas_, own_rates_);
    questions.add(route);
    questions.add(serve);
    return questions.take();
}

std::string QuestionPlan::text() const {
    std::vector<std::pair<std::string, int>> counts;
    for (const auto& [question, by] : questions()) {
        const auto known =
            std::find_if(counts.begin(), counts.end(), [&by = by](const auto& count) { return count.first == by; });
        if (known != counts.end())
            ++known->second;
        else
            counts.emplace_back(by, 1);
    }
    std::string text;
    for (const auto& [by, count] : counts)
        text += text.empty() ? fmt::format("{} ({} question{})", by, count, count == 1 ? "" : "s")
                             : fmt::format(", {} ({})", by, count);
    return text;
}

std::string QuestionPlan::why_slow() const {
    if (unlike_) return "servers are unlike: every idle server is asked, and goes over all queues, as does each task";
    if (!alike)
        return fmt::format("serve({}) draws, or depends on how servers are numbered: every idle server is asked",
                           rule_text(serve.rule()));
    if (scans(serve, serve.rule().root(), false))
        return fmt::format("no index fits serve({}): idle servers go over all queues", rule_text(serve.rule()));
    if (scans(route, route.rule().root(), false))
        return fmt::format("no index fits route({}): each task goes over all queues", rule_text(route.rule()));
    return {};
}

}  // namespace schedproof::simulation
