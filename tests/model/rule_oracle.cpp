#include "tests/model/rule_oracle.hpp"

#include <algorithm>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "model/queueing/language/decision_table.hpp"

namespace schedproof::oracle {

using queueing::Arrangement;
using queueing::language::Op;
using queueing::language::Tree;

namespace {

template <class T, class F>
Pmf<Members> followed(const Pmf<T>& law, F&& then) {
    Pmf<Members> result;
    for (const auto& [outcome, p] : law)
        for (const auto& [next, q] : then(outcome)) result[next] += p * q;
    return result;
}

Pmf<Members> surely(Members set) { return {{std::move(set), Rational(1)}}; }

/// Every subset of the size with its probability.
Pmf<Members> subsets(const Members& from, std::size_t size) {
    if (size >= from.size()) return surely(from);
    std::vector<Members> all;
    const std::vector<Member> list(from.begin(), from.end());
    std::vector<bool> taken(list.size(), false);
    std::fill(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(size), true);
    do {
        Members subset;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (taken[i]) subset.insert(list[i]);
        all.push_back(subset);
    } while (std::prev_permutation(taken.begin(), taken.end()));
    Pmf<Members> law;
    for (const Members& subset : all) law[subset] = Rational(1) / Rational(static_cast<std::int64_t>(all.size()));
    return law;
}

class Semantics {
  public:
    Semantics(const Tree& rule, const RuleCase& at, std::optional<std::size_t> type, std::size_t server)
        : rule_(rule),
          at_(at),
          type_(type),
          server_(server),
          levels_(at.instance.levels().size()),
          lists_(lists_of_rates(at.instance)),
          rows_(at.arrangement == Arrangement::per_server_and_level ? lists_.size() : 1) {}

    Pmf<Members> law() const { return set(rule_.root(), {}); }

  private:
    std::size_t servers() const { return at_.instance.servers().size(); }
    std::size_t level_to(std::size_t type, std::size_t m) const {
        std::size_t nearest = levels_ - 1;
        for (const ServerId n : at_.instance.type(TaskTypeId(type)).replicas)
            nearest = std::min(nearest, at_.instance.distance(ServerId(m), n).index());
        return nearest;
    }
    /// Where a server has a queue for each level: one block of levels for each list of rates.
    std::size_t queue_of(std::size_t m, std::size_t level, std::size_t row) const {
        return at_.arrangement == Arrangement::per_server_and_level ? m * rows_ * levels_ + row * levels_ + level : m;
    }
    std::size_t queue_joined(std::size_t m, std::size_t level) const {
        const auto own = std::find(lists_.begin(), lists_.end(), rates_of(at_.instance, *type_));
        return queue_of(m, level, static_cast<std::size_t>(own - lists_.begin()));
    }
    std::size_t owner(std::size_t q) const {
        return at_.arrangement == Arrangement::per_server_and_level ? q / (rows_ * levels_) : q;
    }
    bool shared(std::size_t q) const {
        return (at_.arrangement == Arrangement::per_server_and_common || at_.arrangement == Arrangement::single) &&
               q + 1 == at_.length.size();
    }
    Member reached(std::size_t q) const {
        if (shared(q)) return {q, levels_ - 1};
        if (at_.arrangement == Arrangement::per_type) return {q, level_to(q, server_)};
        return {q, at_.instance.distance(ServerId(server_), ServerId(owner(q))).index()};
    }

    Pmf<Members> set(std::size_t i, const Members& it) const {
        const auto& node = rule_[i];
        const auto child = [&](std::size_t k) { return set(rule_.child(i, k), it); };
        const auto of_child = [&](auto&& change) {
            return followed(child(0), [&](const Members& from) { return surely(change(from)); });
        };
        switch (node.op) {
            case Op::where:
                return of_child([&](const Members& from) {
                    Members kept;
                    for (const Member& c : from)
                        if (test(rule_.child(i, 1), c, it)) kept.insert(c);
                    return kept;
                });
            case Op::argmin:
                return of_child([&](const Members& from) { return best(from, rule_.child(i, 1), it, 1); });
            case Op::argmax:
                return of_child([&](const Members& from) { return best(from, rule_.child(i, 1), it, -1); });
            case Op::most_local:
                return of_child([&](const Members& from) {
                    Members kept;
                    for (const Member& c : from)
                        if (std::none_of(from.begin(), from.end(),
                                         [&](const Member& other) { return other.second < c.second; }))
                            kept.insert(c);
                    return kept;
                });
            case Op::unite:
                return followed(child(0), [&](const Members& a) {
                    return followed(child(1), [&](const Members& b) {
                        Members both = a;
                        both.insert(b.begin(), b.end());
                        return surely(both);
                    });
                });
            case Op::intersect:
                return followed(child(0), [&](const Members& a) {
                    return followed(child(1), [&](const Members& b) {
                        Members both;
                        for (const Member& c : a)
                            if (b.contains(c)) both.insert(c);
                        return surely(both);
                    });
                });
            case Op::first_of:
                return followed(child(0), [&](const Members& a) { return a.empty() ? child(1) : surely(a); });
            case Op::when:
                return test(rule_.child(i, 0), {}, it) ? child(1) : child(2);
            case Op::among:
                return followed(child(0), [&](const Members& drawn) { return set(rule_.child(i, 1), drawn); });
            case Op::it:
                return surely(it);
            case Op::lowest:
                return of_child([&](const Members& from) {
                    Members kept;
                    for (const Member& c : from)
                        if (static_cast<std::int64_t>(kept.size()) < node.a) kept.insert(c);
                    return kept;
                });
            case Op::preferred:
                return of_child([&](const Members& from) { return first_tried(from, node.a); });
            case Op::draws:
                return followed(child(0), [&](const Members& from) { return drawn_in_turn(from, node.a); });
            case Op::sample:
                return followed(child(0),
                                [&](const Members& from) { return subsets(from, static_cast<std::size_t>(node.a)); });
            case Op::best:
                return followed(child(0), [&](const Members& from) {
                    return best_few(from, rule_.child(i, 1), it, static_cast<std::size_t>(node.a));
                });
            case Op::mix: {
                const Rational p = Rational(node.a) / Rational(node.b);
                Pmf<Members> law;
                for (const auto& [outcome, q] : child(0)) law[outcome] += p * q;
                for (const auto& [outcome, q] : child(1)) law[outcome] += (Rational(1) - p) * q;
                return law;
            }
            case Op::tabulated: {
                const std::optional<Members> named =
                    in_table(queueing::language::DecisionTable::numbered(node.a).text());
                return named ? surely(*named) : child(0);
            }
            default:
                return surely(named(i));
        }
    }
    /// What a decision table says, read from its text: by the letters' order, one list after the other. Nothing beyond.
    std::optional<Members> in_table(const std::string& text) const {
        std::istringstream words(text);
        std::uint64_t most = 0, servers = 0, queues = 0;
        words >> most >> servers >> queues;
        std::vector<std::uint64_t> executing, waiting;
        std::uint64_t all_waiting = 0;
        for (std::size_t q = 0; q < at_.length.size(); ++q) {
            executing.push_back(floor(at_.in_service[q]).convert_to<std::uint64_t>());
            waiting.push_back(floor(this->waiting(q)).convert_to<std::uint64_t>());
            all_waiting += waiting.back();
        }
        if (all_waiting > most) return {};
        for (const auto& list : lists_of(queues, servers - 1))
            for (std::uint64_t m = 0; m < servers; ++m) {
                std::string word;
                words >> word;
                if (list != executing || m != server_) continue;
                const auto all = lists_of(queues, most);
                const auto at = std::find(all.begin(), all.end(), waiting) - all.begin();
                const char letter = word.at(static_cast<std::size_t>(at));
                if (letter == '.') return Members{};
                return Members{reached(static_cast<std::size_t>(letter - '0'))};
            }
        throw std::logic_error("no such word in the table");
    }
    /// Lists of so many numbers whose sum is at most `sum`, in lexicographic order.
    static std::vector<std::vector<std::uint64_t>> lists_of(std::uint64_t numbers, std::uint64_t sum) {
        if (numbers == 0) return {{}};
        std::vector<std::vector<std::uint64_t>> all;
        for (std::uint64_t first = 0; first <= sum; ++first)
            for (std::vector<std::uint64_t> rest : lists_of(numbers - 1, sum - first)) {
                rest.insert(rest.begin(), first);
                all.push_back(std::move(rest));
            }
        return all;
    }
    Members named(std::size_t i) const {
        Members set;
        switch (rule_[i].op) {
            case Op::local:
                for (const ServerId m : at_.instance.type(TaskTypeId(*type_)).replicas)
                    set.insert({queue_joined(m.index(), 0), 0});
                return set;
            case Op::servers:
                for (std::size_t m = 0; m < servers(); ++m)
                    set.insert({queue_joined(m, level_to(*type_, m)), level_to(*type_, m)});
                return set;
            case Op::own_type:
                return {{*type_, 0}};
            case Op::own:
                for (std::size_t row = 0; row < rows_; ++row) set.insert({queue_of(server_, 0, row), 0});
                return set;
            case Op::own_levels:
                for (std::size_t level = 0; level < levels_; ++level)
                    for (std::size_t row = 0; row < rows_; ++row) set.insert({queue_of(server_, level, row), level});
                return set;
            case Op::reachable:
                for (std::size_t q = 0; q < at_.length.size(); ++q) set.insert(reached(q));
                return set;
            case Op::common:
                return {{at_.length.size() - 1, levels_ - 1}};
            case Op::ring:
                for (std::int64_t k = rule_[i].a; k <= rule_[i].b; ++k)
                    set.insert(reached((server_ + static_cast<std::size_t>(k)) % servers()));
                return set;
            case Op::partner: {
                const std::size_t other = server_ % 2 == 0 ? server_ + 1 : server_ - 1;
                return {reached(other < servers() ? other : server_)};
            }
            default:
                throw std::logic_error("not a set");
        }
    }
    /// By going through the stated order, and then through the others from the nearest level on.
    Members first_tried(const Members& from, std::int64_t count) const {
        Members kept;
        const auto try_server = [&](std::size_t m) {
            for (const Member& c : from)
                if (!shared(c.first) && owner(c.first) == m && static_cast<std::int64_t>(kept.size()) < count)
                    kept.insert(c);
        };
        const std::vector<ServerId>& stated = at_.instance.type(TaskTypeId(*type_)).preference;
        for (const ServerId m : stated) try_server(m.index());
        for (std::size_t level = 0; level < levels_; ++level)
            for (std::size_t m = 0; m < servers(); ++m)
                if (stated.empty() ? level_to(*type_, m) == level : level == 0) try_server(m);
        for (const Member& c : from)
            if (shared(c.first) && static_cast<std::int64_t>(kept.size()) < count) kept.insert(c);
        return kept;
    }
    /// One draw after the other.
    static Pmf<Members> drawn_in_turn(const Members& from, std::int64_t draws) {
        Pmf<Members> law = surely({});
        for (; draws > 0 && !from.empty(); --draws)
            law = followed(law, [&](const Members& before) {
                Pmf<Members> next;
                for (const Member& c : from) {
                    Members after = before;
                    after.insert(c);
                    next[after] += Rational(1, static_cast<std::int64_t>(from.size()));
                }
                return next;
            });
        return law;
    }
    Members best(const Members& from, std::size_t key, const Members& it, int sign) const {
        Members kept;
        for (const Member& c : from)
            if (std::none_of(from.begin(), from.end(), [&](const Member& other) {
                    return Rational(sign) * value(key, other, it) < Rational(sign) * value(key, c, it);
                }))
                kept.insert(c);
        return kept;
    }
    Pmf<Members> best_few(const Members& from, std::size_t key, const Members& it, std::size_t count) const {
        if (count == 0 || from.empty()) return surely({});
        const Members first = best(from, key, it, 1);
        if (first.size() >= count) return subsets(first, count);
        Members rest;
        for (const Member& c : from)
            if (!first.contains(c)) rest.insert(c);
        return followed(best_few(rest, key, it, count - first.size()), [&](const Members& more) {
            Members all = first;
            all.insert(more.begin(), more.end());
            return surely(all);
        });
    }

    Rational waiting(std::size_t q) const { return at_.length[q] - at_.in_service[q]; }
    Rational length(std::size_t q) const {
        return at_.instance.options().counting == queueing::Counting::waiting ? waiting(q) : at_.length[q];
    }
    bool conserved() const { return at_.instance.options().empty_target == queueing::EmptyTarget::conserved; }
    bool has_work(std::size_t q) const { return (conserved() ? waiting(q) : length(q)).sign() > 0; }
    Rational mu(std::size_t level) const { return at_.instance.data().levels[level].rate; }
    Rational mu(const Member& c) const {
        if (at_.arrangement == Arrangement::per_type) return rates_of(at_.instance, c.first)[c.second];
        if (at_.arrangement == Arrangement::per_server_and_level) return lists_[c.first / levels_ % rows_][c.second];
        return mu(c.second);
    }
    /// Sum over the queues of the server that owns this one.
    Rational of_server(std::size_t q, bool work) const {
        if (at_.arrangement != Arrangement::per_server_and_level) return length(q);
        Rational sum;
        for (std::size_t level = 0; level < levels_; ++level)
            for (std::size_t row = 0; row < rows_; ++row)
                sum += length(queue_of(owner(q), level, row)) / (work ? lists_[row][level] : Rational(1));
        return sum;
    }

    Rational value(std::size_t i, const Member& c, const Members& it) const {
        const auto& node = rule_[i];
        const auto child = [&](std::size_t k) { return value(rule_.child(i, k), c, it); };
        switch (node.op) {
            case Op::length:
                return length(c.first);
            case Op::servable:
                return conserved() && !has_work(c.first) ? Rational(0) : length(c.first);
            case Op::server_length:
                return of_server(c.first, false);
            case Op::server_workload:
                return of_server(c.first, true);
            case Op::marginal_cost: {
                const auto& type = at_.instance.type(TaskTypeId(c.first));
                Rational slope = type.cost * Rational(type.exponent + 1);
                for (unsigned e = 0; e < type.exponent; ++e) slope *= length(c.first);
                return slope;
            }
            case Op::distance:
                return Rational(static_cast<std::int64_t>(c.second));
            case Op::constant:
            case Op::level:
                return Rational(node.a);
            case Op::remote_level:
                return Rational(static_cast<std::int64_t>(levels_) - 1);
            case Op::times_rate:
                return mu(c) * child(0);
            case Op::over_rate:
                return child(0) / mu(c);
            case Op::as_work:
                return child(0);
            case Op::times_local:
                return mu(0) * child(0);
            case Op::times_remote:
                return mu(levels_ - 1) * child(0);
            case Op::multiple:
                return Rational(node.a) / Rational(node.b) * child(0);
            case Op::plus:
                return child(0) + child(1);
            case Op::minus:
                return child(0) - child(1);
            case Op::minimum:
                return std::min(child(0), child(1));
            case Op::maximum:
                return std::max(child(0), child(1));
            default:
                break;
        }
        const Pmf<Members> law = set(rule_.child(i, 0), it);
        if (law.size() != 1) throw std::logic_error("a value over a set that is drawn");
        std::vector<Rational> values;
        for (const Member& member : law.begin()->first) values.push_back(value(rule_.child(i, 1), member, it));
        if (values.empty() && node.op != Op::total) throw std::logic_error("a value over no queues");
        Rational sum;
        for (const Rational& v : values) sum += v;
        switch (node.op) {
            case Op::least:
                return *std::min_element(values.begin(), values.end());
            case Op::greatest:
                return *std::max_element(values.begin(), values.end());
            case Op::total:
                return sum;
            case Op::mean:
                return sum / Rational(static_cast<std::int64_t>(values.size()));
            default:
                throw std::logic_error("not a key");
        }
    }
    bool test(std::size_t i, const Member& c, const Members& it) const {
        const auto part = [&](std::size_t k) { return rule_.child(i, k); };
        const auto compared = [&] { return value(part(0), c, it) - value(part(1), c, it); };
        switch (rule_[i].op) {
            case Op::has_work:
                return has_work(c.first);
            case Op::of_class:
                return at_.instance.type(TaskTypeId(*type_)).class_number == rule_[i].a;
            case Op::less:
                return compared().sign() < 0;
            case Op::less_equal:
                return compared().sign() <= 0;
            case Op::equal:
                return compared().sign() == 0;
            case Op::both:
                return test(part(0), c, it) && test(part(1), c, it);
            case Op::either:
                return test(part(0), c, it) || test(part(1), c, it);
            case Op::negation:
                return !test(part(0), c, it);
            default:
                throw std::logic_error("not a test");
        }
    }

    const Tree& rule_;
    const RuleCase& at_;
    std::optional<std::size_t> type_;
    std::size_t server_, levels_;
    std::vector<std::vector<Rational>> lists_;
    std::size_t rows_;  // queues of a server for one level
};

}  // namespace

Pmf<Members> law_of_route(const Tree& rule, const RuleCase& at, std::size_t type) {
    return Semantics(rule, at, type, 0).law();
}
Pmf<Members> law_of_serve(const Tree& rule, const RuleCase& at, std::size_t server) {
    return Semantics(rule, at, std::nullopt, server).law();
}

}  // namespace schedproof::oracle
