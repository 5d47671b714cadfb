/// How a rule becomes a program. The meaning of each primitive is that of language/evaluate.hpp; the comments say what
/// is different where no state is known.
///
/// Keys carry a denominator, as there; a comparison is of the difference over the common denominator, divided by what
/// all of its coefficients share, so that numbers stay small. What several servers ask alike is computed once. Each
/// form comes with a bound, growth n + constant for n tasks in the system, so that the kernel can tell when 32 bits are
/// enough.
/// Long: sets, keys and tests become programs by one another.
#include "experiments/simulators/slotted/lane_rules.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "experiments/simulators/slotted/linear_keys.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/language/evaluate.hpp"
#include "model/queueing/rate_weights.hpp"

namespace schedproof::simulation {

namespace {

using linear_keys::common;
using linear_keys::divided;
using linear_keys::Linear;
using linear_keys::LinearKey;
using linear_keys::over;
using linear_keys::plus;
using linear_keys::product;
using linear_keys::shared_factor;
using linear_keys::sum;
using linear_keys::times;
using queueing::Candidate;
using queueing::language::Asker;
using queueing::language::Node;
using queueing::language::Op;
using queueing::language::Tree;

/// Thrown where a rule has no program, and caught in `lane_rules`.
struct HasNoProgram {};

struct Member {
    Candidate candidate;
    std::uint32_t mask;
};
struct Members {
    std::vector<Member> list;
    bool never_empty = false;
    /// Masks of which one holds where the set is not empty; none: those of the members.
    std::vector<std::uint32_t> witnesses = {};
};

class Compiler {
  public:
    Compiler(const queueing::Instance& instance, const queueing::AnyPolicy& policy)
        : instance_(instance),
          layout_(policy.layout(instance)),
          weights_(instance),
          conserved_(instance.options().empty_target == queueing::EmptyTarget::conserved),
          counts_waiting_(instance.options().counting == queueing::Counting::waiting) {
        rules_.queues = static_cast<std::uint32_t>(layout_.queues());
        for (const TaskTypeId type : instance.types())
            rules_.route.push_back(program(policy.rules().route(), Asker::task(type), true));
        sharing_ = true;
        for (const ServerId m : instance.servers())
            rules_.serve.push_back(program(policy.rules().serve(), Asker::idle(m), false));
        place_shared_masks();
    }

    [[nodiscard]] LaneRules take() { return std::move(rules_); }

  private:
    // ---- programs ----

    [[nodiscard]] LaneProgram program(const Tree& tree, Asker asker, bool somewhere) {
        tree_ = &tree;
        asker_ = asker;
        it_ = {};
        known_.clear();
        masks_ = 1;
        bounds_.clear();
        LaneProgram made{size(rules_.instructions), 0, size(rules_.answers), 0};
        Members answer = set(tree.root());
        if (somewhere && !answer.never_empty) throw HasNoProgram{};
        std::sort(answer.list.begin(), answer.list.end(),
                  [](const Member& a, const Member& b) { return a.candidate < b.candidate; });
        for (const Member& member : answer.list)
            rules_.answers.push_back({static_cast<std::uint32_t>(member.candidate.queue.index()), member.mask});
        made.instructions = size(rules_.instructions) - made.first;
        made.answers = size(rules_.answers) - made.answer;
        rules_.masks = std::max(rules_.masks, masks_);
        rules_.values = std::max(rules_.values, size(bounds_));
        return made;
    }
    template <class T>
    [[nodiscard]] static std::uint32_t size(const std::vector<T>& list) {
        return static_cast<std::uint32_t>(list.size());
    }
    std::uint32_t emit(LaneOp op, std::uint32_t a, std::uint32_t b) {
        rules_.instructions.push_back({op, masks_, a, b});
        return masks_++;
    }

    // ---- what servers ask alike ----

    /// A mask that does not depend on who asks has this bit, and a place among such masks in the others.
    static constexpr std::uint32_t shared_bit = std::uint32_t{1} << 31;
    [[nodiscard]] static bool is_shared(std::uint32_t mask) {
        return mask == LaneRules::always || (mask & shared_bit) != 0;
    }
    /// What an instruction computes, by its operands.
    using Meaning = std::tuple<LaneOp, std::map<std::uint32_t, std::int64_t>, std::int64_t, std::vector<std::uint32_t>>;
    /// The mask of what `make` emits the instruction of, once for all servers where no operand depends on who asks.
    template <class Make>
    [[nodiscard]] std::uint32_t once(const Meaning& meaning, Make&& make) {
        const auto& [op, terms, constant, masks] = meaning;
        const bool of_state = std::all_of(terms.begin(), terms.end(),
                                          [&](const auto& term) { return term.first < rules_.row_of_value(0); });
        if (!sharing_ || !of_state || !std::all_of(masks.begin(), masks.end(), is_shared)) return make();
        if (const auto known = shared_.find(meaning); known != shared_.end()) return known->second;
        const std::uint32_t mask = shared_bit | size(shared_instructions_);
        make();
        shared_instructions_.push_back(rules_.instructions.back());
        rules_.instructions.pop_back();
        --masks_;
        shared_instructions_.back().out = mask;
        return shared_.emplace(meaning, mask).first->second;
    }
    [[nodiscard]] std::uint32_t combined(LaneOp op, std::uint32_t a, std::uint32_t b) {
        return once({op, {}, 0, {a, b}}, [&] { return emit(op, a, b); });
    }
    /// Behind the masks of the programs.
    void place_shared_masks() {
        rules_.shared = {size(rules_.instructions), size(shared_instructions_), 0, 0};
        rules_.instructions.insert(rules_.instructions.end(), shared_instructions_.begin(), shared_instructions_.end());
        const auto place = [&](std::uint32_t& mask) {
            if ((mask & shared_bit) != 0) mask = (mask & ~shared_bit) + rules_.masks;
        };
        for (LaneInstruction& instruction : rules_.instructions) {
            place(instruction.out);
            if (instruction.op < LaneOp::both || instruction.op > LaneOp::without) continue;
            place(instruction.a);
            place(instruction.b);
        }
        for (LaneMember& member : rules_.members) place(member.mask);
        for (std::uint32_t& mask : rules_.list) place(mask);
        for (LaneAnswer& answer : rules_.answers) place(answer.mask);
        rules_.masks += size(shared_instructions_);
    }

    // ---- masks ----

    [[nodiscard]] std::uint32_t both(std::uint32_t a, std::uint32_t b) {
        if (a == LaneRules::always || a == b) return b;
        return b == LaneRules::always ? a : combined(LaneOp::both, a, b);
    }
    [[nodiscard]] std::uint32_t either(std::uint32_t a, std::uint32_t b) {
        if (a == LaneRules::always || b == LaneRules::always) return LaneRules::always;
        return a == b ? a : combined(LaneOp::either, a, b);
    }
    /// Where the set is not empty.
    [[nodiscard]] std::uint32_t some_of(const Members& of) {
        return any_of(of.witnesses.empty() ? masks_of(of.list) : of.witnesses);
    }
    [[nodiscard]] static std::vector<std::uint32_t> masks_of(const std::vector<Member>& members) {
        std::vector<std::uint32_t> masks;
        for (const Member& member : members) masks.push_back(member.mask);
        return masks;
    }
    [[nodiscard]] std::uint32_t any_of(const std::vector<std::uint32_t>& masks) {
        if (std::find(masks.begin(), masks.end(), LaneRules::always) != masks.end()) return LaneRules::always;
        if (masks.size() == 1) return masks[0];
        return once({LaneOp::any, {}, 0, masks}, [&] {
            const std::uint32_t first = size(rules_.list);
            rules_.list.insert(rules_.list.end(), masks.begin(), masks.end());
            return emit(LaneOp::any, first, size(masks));
        });
    }
    /// A condition: a mask, or false everywhere.
    using Condition = std::optional<std::uint32_t>;
    [[nodiscard]] Condition negated(Condition of) {
        if (!of) return LaneRules::always;
        if (*of == LaneRules::always) return std::nullopt;
        return combined(LaneOp::without, LaneRules::always, *of);
    }
    /// The members where the condition holds, and the others where it does not.
    [[nodiscard]] Members chosen(Condition condition, const Members& then, const Members& otherwise) {
        Members kept;
        if (condition) kept = restricted(then, *condition);
        if (const Condition not_so = negated(condition)) {
            const Members rest = restricted(otherwise, *not_so);
            kept = united(kept, rest);
        }
        kept.never_empty =
            (!condition || then.never_empty) && (condition == Condition(LaneRules::always) || otherwise.never_empty);
        return kept;
    }
    [[nodiscard]] Members restricted(Members of, std::uint32_t mask) {
        for (Member& member : of.list) member.mask = both(member.mask, mask);
        of.witnesses.clear();
        return of;
    }
    [[nodiscard]] Members united(Members a, const Members& b) {
        for (const Member& member : b.list) {
            const auto same = std::find_if(a.list.begin(), a.list.end(),
                                           [&](const Member& m) { return m.candidate == member.candidate; });
            if (same == a.list.end())
                a.list.push_back(member);
            else
                same->mask = either(same->mask, member.mask);
        }
        a.never_empty = a.never_empty || b.never_empty;
        a.witnesses.clear();
        return a;
    }

    // ---- sets ----

    [[nodiscard]] Members child(std::size_t at, std::size_t k) { return set(tree_->child(at, k)); }

    [[nodiscard]] Members set(std::size_t at) {
        const Node& node = (*tree_)[at];
        switch (node.op) {
            case Op::where:
                return filtered(child(at, 0), tree_->child(at, 1));
            case Op::argmin:
                return extreme(child(at, 0), tree_->child(at, 1), 1);
            case Op::argmax:
                return extreme(child(at, 0), tree_->child(at, 1), -1);
            case Op::most_local:
                return nearest(child(at, 0));
            case Op::unite: {
                const Members first = child(at, 0);
                return united(first, child(at, 1));
            }
            case Op::intersect:
                return common_members(child(at, 0), child(at, 1));
            case Op::first_of:
                return first_of(child(at, 0), child(at, 1));
            case Op::when: {
                const Condition condition = test(tree_->child(at, 0), {});
                const Members then = child(at, 1);
                return chosen(condition, then, child(at, 2));
            }
            case Op::tabulated:
                return looked_up(at);
            case Op::among:
                return enclosed(at);
            case Op::it:
                return it_;
            case Op::lowest:
                return first_few(child(at, 0), node.a);
            default:
                return named(node);
        }
    }

    [[nodiscard]] Members named(const Node& node) {
        const std::size_t servers = instance_.servers().size();
        Members members{{}, true};
        const auto add = [&](const Candidate& c) {
            const Members one{{{c, LaneRules::always}}, true};
            members = united(std::move(members), one);
        };
        switch (node.op) {
            case Op::local:
                for (const ServerId m : instance_.type(asker_.type).replicas) add(joined(m, instance_.local()));
                break;
            case Op::servers:
                for (const ServerId m : instance_.servers()) add(joined(m, instance_.level(asker_.type, m)));
                break;
            case Op::own_type:
                add({layout_.queue(asker_.type), instance_.local()});
                break;
            case Op::own:
                for (std::size_t row = 0; row < layout_.rows(); ++row) add(own(asker_.server, instance_.local(), row));
                break;
            case Op::own_levels:
                for (std::size_t row = 0; row < layout_.rows(); ++row)
                    for (const Level level : instance_.levels()) add(own(asker_.server, level, row));
                break;
            case Op::reachable:
                for (const QueueId q : IdRange<QueueId>(layout_.queues())) add(reached(q));
                break;
            case Op::common:
                add({layout_.shared(), instance_.remote()});
                break;
            case Op::ring:
                for (std::size_t k = 0; k < queueing::language::ring_length(node, servers); ++k)
                    add(of_server(static_cast<std::size_t>(node.a) % servers + k));
                break;
            case Op::partner: {
                const ServerId other(asker_.server.index() ^ 1U);
                const bool there = other.index() < instance_.servers().size();
                add(reached(own(there ? other : asker_.server, instance_.local(), 0).queue));
                break;
            }
            default:  // random sets, plans
                throw HasNoProgram{};
        }
        return members;
    }
    [[nodiscard]] Candidate own(ServerId m, Level level, std::size_t row) const {
        return {layout_.queue(m, level, row), level};
    }
    [[nodiscard]] Candidate joined(ServerId m, Level level) const { return own(m, level, layout_.row(asker_.type)); }
    [[nodiscard]] Candidate reached(QueueId q) const { return {q, layout_.service_level(instance_, q, asker_.server)}; }
    [[nodiscard]] Candidate of_server(std::size_t offset) const {
        const ServerId other((asker_.server.index() + offset) % instance_.servers().size());
        return reached(own(other, instance_.local(), 0).queue);
    }

    [[nodiscard]] Members filtered(const Members& from, std::size_t condition) {
        Members kept;
        for (const Member& member : from.list) {
            const Condition holds = test(condition, member.candidate);
            if (!holds) continue;
            kept.list.push_back({member.candidate, both(member.mask, *holds)});
            if (*holds == LaneRules::always && member.mask == LaneRules::always) kept.never_empty = true;
        }
        return kept;
    }
    /// Largest is least with the sign changed.
    [[nodiscard]] Members extreme(const Members& from, std::size_t key, std::int64_t sign) {
        if (from.list.size() < 2) return from;
        const std::uint32_t first = keyed_members(from, key, sign), out = masks_;
        rules_.instructions.push_back({LaneOp::least_members, out, first, size(from.list)});
        Members kept{{}, from.never_empty, from.witnesses.empty() ? masks_of(from.list) : from.witnesses};
        for (const Member& member : from.list) kept.list.push_back({member.candidate, masks_++});
        return kept;
    }
    /// The forms of a key of these members, over one denominator, as a list.
    [[nodiscard]] std::uint32_t keyed_members(const Members& of, std::size_t key, std::int64_t sign,
                                              std::int64_t* denominator = nullptr) {
        std::vector<LinearKey> quantities;
        std::int64_t all = 1, factor = 0;
        for (const Member& member : of.list) {
            quantities.push_back(quantity(key, member.candidate));
            all = common(all, quantities.back().over);
        }
        std::vector<Linear> values;
        for (const LinearKey& each : quantities) {
            values.push_back(times(sign, over(each, all)));
            factor = shared_factor(factor, values.back());
        }
        if (denominator != nullptr) *denominator = all;
        const bool exact = denominator != nullptr || factor < 2;  // a value is needed as it is, an order is not
        const std::uint32_t first = size(rules_.members);
        std::vector<LaneMember> members;
        for (std::size_t i = 0; i < values.size(); ++i)
            members.push_back({form(exact ? values[i] : divided(values[i], factor)), of.list[i].mask});
        rules_.members.insert(rules_.members.end(), members.begin(), members.end());
        rules_.longest_list = std::max(rules_.longest_list, size(members));
        return first;
    }
    /// Of each level, the members where none of a more local one is left.
    [[nodiscard]] Members nearest(Members from) {
        std::stable_sort(from.list.begin(), from.list.end(),
                         [](const Member& a, const Member& b) { return a.candidate.level < b.candidate.level; });
        Members kept{{}, from.never_empty};
        std::vector<Member> nearer;
        for (std::size_t i = 0; i < from.list.size();) {
            const Level level = from.list[i].candidate.level;
            Condition left = LaneRules::always;
            if (!nearer.empty()) left = negated(any_of(masks_of(nearer)));
            if (!left) break;
            for (; i < from.list.size() && from.list[i].candidate.level == level; ++i) {
                nearer.push_back(from.list[i]);
                kept.list.push_back({from.list[i].candidate, both(from.list[i].mask, *left)});
            }
        }
        return kept;
    }
    [[nodiscard]] Members common_members(const Members& a, const Members& b) {
        Members kept;
        for (const Member& member : a.list)
            for (const Member& other : b.list)
                if (member.candidate == other.candidate)
                    kept.list.push_back({member.candidate, both(member.mask, other.mask)});
        kept.never_empty = holds_always(kept);
        return kept;
    }
    [[nodiscard]] static bool holds_always(const Members& members) {
        return std::any_of(members.list.begin(), members.list.end(),
                           [](const Member& m) { return m.mask == LaneRules::always; });
    }
    [[nodiscard]] Members first_of(const Members& first, const Members& second) {
        if (first.list.empty()) return second;
        if (first.never_empty) return first;
        const std::uint32_t some = some_of(first);
        Members otherwise = restricted(second, *negated(some));
        Members kept = united(first, otherwise);
        kept.never_empty = second.never_empty;
        return kept;
    }
    /// What a decision table names where few enough tasks wait, else the set. Each lane looks it up for itself.
    [[nodiscard]] Members looked_up(std::size_t at) {
        const Node& node = (*tree_)[at];
        const Members otherwise = child(at, 0);
        LinearKey all;
        for (const QueueId q : IdRange<QueueId>(layout_.queues()))
            all.value = plus(std::move(all.value), waiting(q).value);
        const std::int64_t most = queueing::language::DecisionTable::numbered(node.a).most();
        const Condition within = compared(LaneOp::at_most_zero, all, {{{}, most}});
        if (!within) throw HasNoProgram{};
        rules_.instructions.push_back({LaneOp::table, masks_, static_cast<std::uint32_t>(node.a), size(rules_.list)});
        rules_.list.push_back(*within);
        rules_.list.push_back(static_cast<std::uint32_t>(asker_.server.index()));
        Members named;
        for (const QueueId q : IdRange<QueueId>(layout_.queues())) named.list.push_back({reached(q), masks_++});
        return chosen(within, named, otherwise);
    }
    [[nodiscard]] Members enclosed(std::size_t at) {
        Members here = child(at, 0);
        std::map<std::size_t, LinearKey> known;
        std::swap(it_, here);
        std::swap(known_, known);
        Members answer = child(at, 1);
        std::swap(it_, here);
        std::swap(known_, known);
        return answer;
    }
    /// Which are the first depends on the state where members may be missing.
    [[nodiscard]] static Members first_few(Members from, std::int64_t count) {
        for (const Member& member : from.list)
            if (member.mask != LaneRules::always) throw HasNoProgram{};
        std::sort(from.list.begin(), from.list.end(),
                  [](const Member& a, const Member& b) { return a.candidate.queue < b.candidate.queue; });
        from.list.resize(std::min(from.list.size(), static_cast<std::size_t>(count)));
        return from;
    }

    // ---- keys ----

    [[nodiscard]] std::uint32_t form(const Linear& of) {
        rules_.forms.push_back({size(rules_.terms), static_cast<std::uint32_t>(of.terms.size()), of.constant});
        for (const auto& [row, coefficient] : of.terms) {
            rules_.terms.push_back({row, coefficient});
            rules_.waiting = rules_.waiting || row / rules_.queues == 1;
            rules_.servable = rules_.servable || row / rules_.queues == 2;
        }
        note(bound_of(rules_.forms.back()));
        return size(rules_.forms) - 1;
    }
    struct Bound {
        std::int64_t growth = 0, constant = 0;
    };
    [[nodiscard]] Bound bound_of(const LaneForm& of) const {
        Bound bound{0, of.constant < 0 ? -of.constant : of.constant};
        for (std::uint32_t k = of.first; k < of.first + of.terms; ++k) {
            const LaneTerm& term = rules_.terms[k];
            const std::int64_t size = term.coefficient < 0 ? -term.coefficient : term.coefficient;
            const std::uint32_t first_value = rules_.row_of_value(0);
            const Bound row = term.row >= first_value ? bounds_[term.row - first_value] : Bound{1, 0};
            bound = {sum(bound.growth, product(size, row.growth)), sum(bound.constant, product(size, row.constant))};
        }
        return bound;
    }
    void note(const Bound& bound) {
        rules_.growth = std::max(rules_.growth, bound.growth);
        rules_.constant = std::max(rules_.constant, bound.constant);
    }
    [[nodiscard]] static LinearKey row(std::size_t at) { return {{{{static_cast<std::uint32_t>(at), 1}}, 0}}; }
    [[nodiscard]] LinearKey waiting(QueueId q) const { return row(layout_.queues() + q.index()); }
    [[nodiscard]] LinearKey length(QueueId q) const { return counts_waiting_ ? waiting(q) : row(q.index()); }
    [[nodiscard]] LinearKey servable(QueueId q) const {
        return conserved_ && !counts_waiting_ ? row(2 * layout_.queues() + q.index()) : length(q);
    }
    [[nodiscard]] LinearKey workload(ServerId m) const {
        LinearKey all;
        for (const QueueId q : layout_.queues_of(m)) {
            const Level level(q.index() % instance_.levels().size());
            const std::int64_t slowness = weights_.slowness[layout_.rate_index(q, level)].value();
            all.value = plus(std::move(all.value), times(slowness, length(q).value));
        }
        return all;
    }
    [[nodiscard]] LinearKey server_length(QueueId q) const {
        if (layout_.arrangement() != queueing::Arrangement::per_server_and_level) return length(q);
        LinearKey all;
        for (const QueueId own : layout_.queues_of(layout_.owner(q)))
            all.value = plus(std::move(all.value), length(own).value);
        return all;
    }
    [[nodiscard]] LinearKey slope(QueueId q) const {
        const queueing::TaskType& type = instance_.data().types[q.index()];
        const std::int64_t cost = weights_.cost[q.index()].value();
        if (type.exponent > 1) throw HasNoProgram{};
        if (type.exponent == 0) return {{{}, cost}};
        return {times(cost, length(q).value)};
    }

    [[nodiscard]] LinearKey quantity(std::size_t at, const Candidate& c) {
        const Node& node = (*tree_)[at];
        const auto scaled = [&](std::int64_t factor) {
            const LinearKey of = quantity(tree_->child(at, 0), c);
            return LinearKey{times(factor, of.value), of.over};
        };
        switch (node.op) {
            case Op::length:
                return length(c.queue);
            case Op::servable:
                return servable(c.queue);
            case Op::server_length:
                return server_length(c.queue);
            case Op::server_workload:
                return workload(layout_.owner(c.queue));
            case Op::marginal_cost:
                return slope(c.queue);
            case Op::distance:
                return {{{}, static_cast<std::int64_t>(c.level.index())}};
            case Op::constant:
            case Op::level:
                return {{{}, node.a}};
            case Op::remote_level:
                return {{{}, static_cast<std::int64_t>(instance_.remote().index())}};
            case Op::times_rate:
                return scaled(weights_.rate[layout_.rate_index(c.queue, c.level)].value());
            case Op::over_rate:
                return scaled(weights_.slowness[layout_.rate_index(c.queue, c.level)].value());
            case Op::times_local:
                return scaled(weights_.rate[instance_.local().index()].value());
            case Op::times_remote:
                return scaled(weights_.rate[instance_.remote().index()].value());
            case Op::multiple: {
                const LinearKey of = scaled(node.a);
                return {of.value, product(of.over, node.b)};
            }
            case Op::plus:
            case Op::minus: {
                const LinearKey a = quantity(tree_->child(at, 0), c), b = quantity(tree_->child(at, 1), c);
                const std::int64_t all = common(a.over, b.over);
                return {plus(over(a, all), times(node.op == Op::plus ? 1 : -1, over(b, all))), all};
            }
            case Op::least:
            case Op::greatest:
            case Op::total:
            case Op::mean:
                return over_set(at);
            default:  // what is added to the language
                throw HasNoProgram{};
        }
    }
    /// Is the same for every candidate, so it is computed once. An empty set has no least, so one must be known not to
    /// be empty, and of a mean the members must be known.
    [[nodiscard]] LinearKey over_set(std::size_t at) {
        if (const auto known = known_.find(at); known != known_.end()) return known->second;
        const Op op = (*tree_)[at].op;
        const Members members = child(at, 0);
        const bool fixed = std::all_of(members.list.begin(), members.list.end(),
                                       [](const Member& m) { return m.mask == LaneRules::always; });
        if ((op != Op::total && !members.never_empty) || (op == Op::mean && !fixed)) throw HasNoProgram{};
        const std::size_t key = tree_->child(at, 1);
        LinearKey value;
        if (fixed && (op == Op::total || op == Op::mean || members.list.size() == 1)) {
            for (const Member& member : members.list) {
                const LinearKey here = quantity(key, member.candidate);
                const std::int64_t all = common(value.over, here.over);
                value = {plus(over(value, all), over(here, all)), all};
            }
            if (op == Op::mean) value.over = product(value.over, static_cast<std::int64_t>(members.list.size()));
        } else {
            value = computed(op, members, key);
        }
        known_[at] = value;
        return value;
    }
    [[nodiscard]] LinearKey computed(Op op, const Members& members, std::size_t key) {
        const std::int64_t sign = op == Op::greatest ? -1 : 1;
        std::int64_t denominator = 1;
        const std::uint32_t first = keyed_members(members, key, sign, &denominator);
        Bound bound;
        for (std::size_t i = 0; i < members.list.size(); ++i) {
            const Bound each = bound_of(rules_.forms[rules_.members[first + i].form]);
            if (op == Op::total)
                bound = {sum(bound.growth, each.growth), sum(bound.constant, each.constant)};
            else
                bound = {std::max(bound.growth, each.growth), std::max(bound.constant, each.constant)};
        }
        note(bound);
        const std::uint32_t value = size(bounds_);
        rules_.instructions.push_back(
            {op == Op::total ? LaneOp::total_value : LaneOp::least_value, value, first, size(members.list)});
        bounds_.push_back(bound);
        return {times(sign, row(rules_.row_of_value(value)).value), denominator};
    }

    // ---- tests ----

    [[nodiscard]] Condition test(std::size_t at, const Candidate& c) {
        const auto part = [&](std::size_t k) { return tree_->child(at, k); };
        switch ((*tree_)[at].op) {
            case Op::has_work:
                return compared(LaneOp::below_zero, {}, conserved_ ? waiting(c.queue) : length(c.queue));
            case Op::less:
                return compared(LaneOp::below_zero, quantity(part(0), c), quantity(part(1), c));
            case Op::less_equal:
                return compared(LaneOp::at_most_zero, quantity(part(0), c), quantity(part(1), c));
            case Op::equal:
                return compared(LaneOp::equal_to_zero, quantity(part(0), c), quantity(part(1), c));
            case Op::both: {
                const Condition first = test(part(0), c);
                if (!first) return first;
                const Condition second = test(part(1), c);
                return second ? Condition(both(*first, *second)) : second;
            }
            case Op::either: {
                const Condition first = test(part(0), c);
                if (first == Condition(LaneRules::always)) return first;
                const Condition second = test(part(1), c);
                if (!first || !second) return first ? first : second;
                return either(*first, *second);
            }
            case Op::negation:
                return negated(test(part(0), c));
            default:
                throw HasNoProgram{};
        }
    }
    /// The sign of a - b.
    [[nodiscard]] Condition compared(LaneOp op, const LinearKey& a, const LinearKey& b) {
        const std::int64_t all = common(a.over, b.over);
        Linear difference = plus(over(a, all), times(-1, over(b, all)));
        if (difference.terms.empty()) {
            const std::int64_t value = difference.constant;
            const bool holds = op == LaneOp::below_zero     ? value < 0
                               : op == LaneOp::at_most_zero ? value <= 0
                                                            : value == 0;
            return holds ? Condition(LaneRules::always) : std::nullopt;
        }
        const std::int64_t factor = shared_factor(0, difference);
        const Linear reduced = divided(std::move(difference), factor);
        return once({op, reduced.terms, reduced.constant, {}}, [&] { return emit(op, form(reduced), 0); });
    }

    const queueing::Instance& instance_;
    const queueing::Layout layout_;
    const queueing::Weights<CheckedInt> weights_;
    const bool conserved_, counts_waiting_;
    LaneRules rules_;

    bool sharing_ = false;
    std::vector<LaneInstruction> shared_instructions_;
    std::map<Meaning, std::uint32_t> shared_;

    // Of the rule that is being compiled.
    const Tree* tree_ = nullptr;
    Asker asker_;
    Members it_;
    std::map<std::size_t, LinearKey> known_;  // values over sets, by node
    std::uint32_t masks_ = 1;
    std::vector<Bound> bounds_;  // by value
};

}  // namespace

std::optional<LaneRules> lane_rules(const queueing::Instance& instance, const queueing::AnyPolicy& policy) {
    try {
        LaneRules rules = Compiler(instance, policy).take();
        // In 62 bits for up to 2^31 tasks.
        if (rules.growth >= std::int64_t{1} << 30 || rules.constant >= std::int64_t{1} << 61) return std::nullopt;
        return rules;
    } catch (const HasNoProgram&) {
        return std::nullopt;
    } catch (const LimitExceeded&) {
        return std::nullopt;
    }
}

}  // namespace schedproof::simulation
