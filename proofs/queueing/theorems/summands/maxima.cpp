/// In slots, with A the tasks that join and D those that end, by queue, V's part without statuses changes by its
/// gradient times A - D, which the terms have, and by half of (A - D)'H(A - D) for its matrix H of second slopes. Of
/// this the terms have what each task does alone, h_qq/2. The rest is
///     pairs of arrivals   E h_qr over the pairs of tasks, which join where they may: at most the largest h_qr
///     pairs of ends       servers m, x end tasks of q, r with probability mu mu' given their statuses
///     both                -E h_qr over tasks that join q and tasks of r that end: what arrives tells something of who
///                         executes what, but an end has probability at most mu given both
/// The part of server m at a status that outlasts the slot, probability 1 - mu, changes by what joins its queues and by
/// what others end there. Whether m starts a task depends on what arrives, so the largest over all statuses is taken,
/// and 0 for those without one.
#include "proofs/queueing/theorems/summands/maxima.hpp"

#include <algorithm>
#include <optional>

#include "model/queueing/arrivals.hpp"
#include "proofs/queueing/theorems/summands/terms.hpp"

namespace schedproof::queueing {

std::size_t Maxima::add(Node node) {
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
}

Rational value_of(const Maxima& bound, const Slopes& slopes) {
    std::vector<Rational> value;
    for (const Maxima::Node& node : bound.nodes) {
        std::optional<Rational> most;
        if (node.or_nothing) most = Rational(0);
        for (const auto& [factor, of] : node.entries) {
            Rational here(0);
            if (const auto* slope = std::get_if<Slope>(&of)) {
                if (const auto known = slopes.find(*slope); known != slopes.end()) here = factor * known->second;
            } else {
                here = factor * value[std::get<std::size_t>(of)];
            }
            if (!most || here > *most) most = std::move(here);
        }
        value.push_back(most.value_or(Rational(0)));
    }
    Rational total(0);
    for (const auto& [factor, node] : bound.sum) total += factor * value[node];
    return total;
}

Slopes slopes_of(const SymbolicSystem& system, const Summands& summands, const LyapunovForm& v) {
    Slopes slopes;
    const auto add = [&](QueueId queue, const auto& of, const Rational& c) {
        if (c.sign() != 0) slopes[{queue, of}] += c;
    };
    for (const LyapunovForm::Product& product : v.products)
        for (const auto& [q, a] : product.first.terms())
            for (const auto& [r, b] : product.second.terms()) {
                add(QueueId(q), QueueId(r), product.coefficient * a * b);
                add(QueueId(r), QueueId(q), product.coefficient * a * b);
            }
    if (std::any_of(v.pieces.begin(), v.pieces.end(), [](const auto& piece) { return piece.when.has_value(); }))
        for (const ServerId m : system.instance().servers())
            for (const Service& status : summands.statuses(m)) {
                const proof::LinearForm part = part_of(v, m, status);
                for (const auto& [q, c] : part.terms()) add(QueueId(q), std::pair(m, status), c);
            }
    return slopes;
}

Maxima moved_by_others(const SymbolicSystem& system, const Summands& summands, ServerId x, const Service& status) {
    const Instance& instance = system.instance();
    const Rational& events = instance.event_rate();
    const auto slope = [&](QueueId q) { return Slope{q, std::pair(x, status)}; };
    Maxima bound;
    for (const TaskTypeId type : instance.types()) {
        Maxima::Node joins;
        for (const QueueId q : summands.joined(type)) joins.entries.push_back({Rational(1), slope(q)});
        bound.sum.emplace_back(instance.arrival_rate(type) / events, bound.add(std::move(joins)));
    }
    for (const ServerId m : instance.servers()) {
        if (m == x) continue;
        Maxima::Node ends{{}, true};
        for (const Service& ended : summands.statuses(m))
            ends.entries.push_back(
                {-system.layout().rate(instance, ended.queue, ended.level) / events, slope(ended.queue)});
        bound.sum.emplace_back(Rational(1), bound.add(std::move(ends)));
    }
    return bound;
}

namespace {

/// What is done together in a slot.
class Together {
  public:
    Together(const SymbolicSystem& system, const Summands& summands)
        : system_(system), instance_(system.instance()), summands_(summands) {}

    Maxima bound() && {
        for (const TaskTypeId a : instance_.types()) {
            for (const TaskTypeId b : instance_.types())
                if (!(b < a)) add_arrivals(a, b);
            for (const ServerId m : instance_.servers()) add_arrival_and_end(a, m);
        }
        for (const ServerId m : instance_.servers()) {
            for (const ServerId x : instance_.servers())
                if (x < m) add_ends(m, x);
            add_part(m);
        }
        return std::move(bound_);
    }

  private:
    [[nodiscard]] Rational rate(const Service& s) const { return system_.layout().rate(instance_, s.queue, s.level); }

    void add(const Rational& factor, Maxima::Node node) {
        if (factor.sign() == 0 || node.entries.empty()) return;
        node.or_nothing = true;
        bound_.sum.emplace_back(factor, bound_.add(std::move(node)));
    }

    /// Mean number of pairs of a task of the one type and another task of the other type in a slot.
    [[nodiscard]] Rational pairs(TaskTypeId a, TaskTypeId b) const {
        for (const ArrivalFactor& factor : instance_.arrivals().factors()) {
            const auto place = [&](TaskTypeId type) {
                return static_cast<std::size_t>(std::find(factor.types().begin(), factor.types().end(), type) -
                                                factor.types().begin());
            };
            const std::size_t i = place(a), j = place(b);
            if (i == factor.types().size() || j == factor.types().size()) continue;
            Rational mean(0);
            for (const ArrivalOutcome& outcome : factor.outcomes()) {
                const Rational first(outcome.count[i]), second(outcome.count[j]);
                mean +=
                    outcome.probability * (a == b ? first * (first - Rational(1)) * Rational(1, 2) : first * second);
            }
            return mean;
        }
        return instance_.arrival_rate(a) * instance_.arrival_rate(b);  // they arrive independently
    }

    void add_arrivals(TaskTypeId a, TaskTypeId b) {
        Maxima::Node most;
        for (const QueueId q : summands_.joined(a))
            for (const QueueId r : summands_.joined(b)) most.entries.push_back({Rational(1), Slope{q, r}});
        add(pairs(a, b), std::move(most));
    }
    void add_arrival_and_end(TaskTypeId type, ServerId m) {
        Maxima::Node most;
        for (const QueueId q : summands_.joined(type))
            for (const Service& ended : summands_.statuses(m))
                most.entries.push_back({-rate(ended), Slope{q, ended.queue}});
        add(instance_.arrival_rate(type), std::move(most));
    }
    void add_ends(ServerId m, ServerId x) {
        Maxima::Node most;
        for (const Service& a : summands_.statuses(m))
            for (const Service& b : summands_.statuses(x))
                most.entries.push_back({rate(a) * rate(b), Slope{a.queue, b.queue}});
        add(Rational(1), std::move(most));
    }

    /// Of a server, by queue: the most that the parts that outlast a slot rise with the length, and fall.
    void add_part(ServerId m) {
        std::vector<std::size_t> rises, falls;
        for (const QueueId q : IdRange<QueueId>(system_.layout().queues())) {
            Maxima::Node rise{{}, true}, fall{{}, true};
            for (const Service& status : summands_.statuses(m)) {
                const Rational lasts = Rational(1) - rate(status);
                rise.entries.push_back({lasts, Slope{q, std::pair(m, status)}});
                fall.entries.push_back({-lasts, Slope{q, std::pair(m, status)}});
            }
            rises.push_back(bound_.add(std::move(rise)));
            falls.push_back(bound_.add(std::move(fall)));
        }
        for (const TaskTypeId type : instance_.types()) {
            Maxima::Node joins;
            for (const QueueId q : summands_.joined(type)) joins.entries.push_back({Rational(1), rises[q.index()]});
            add(instance_.arrival_rate(type), std::move(joins));
        }
        for (const ServerId x : instance_.servers()) {
            if (x == m) continue;
            Maxima::Node ends;
            for (const Service& ended : summands_.statuses(x))
                ends.entries.push_back({rate(ended), falls[ended.queue.index()]});
            add(Rational(1), std::move(ends));
        }
    }

    const SymbolicSystem& system_;
    const Instance& instance_;
    const Summands& summands_;
    Maxima bound_;
};

}  // namespace

Maxima done_together(const SymbolicSystem& system, const Summands& summands) {
    return Together(system, summands).bound();
}

}  // namespace schedproof::queueing
