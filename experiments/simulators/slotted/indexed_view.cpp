/// Answers to the policy's questions from indexes: which candidates are tied for the best, without a scan.
///
/// A question names a set and a key. Small sets are scanned into a list; larger ones have an index, built when the
/// first question needs it:
///   * an order by length of a type's replicas, for the shortest of many (replica_orders.hpp), or of all servers, for
///     the shortest and the longest, with the sum of their lengths;
///   * tournaments of one key per rack and of all servers, for the largest weighted length, the largest marginal
///     cost and the least workload (value_index.hpp).
/// The levels of locality are nested: a server's own set lies in its rack, the rack in the cluster. A weight depends on
/// the level, so the best candidate at each level is found in the level's tournament, weighted, and compared. A holder
/// of the best value of an outer set may belong to an inner one, where its weight differs; `nested` therefore counts
/// the holders of each level without those of the level inside, and drawing rejects holders of an inner level.
///
/// The workload over rate of an arriving task weighs the levels by the rates of its type, whatever these are. Marginal
/// costs are those of many types; where types have rates of their own, which no level's tournament weighs, all types
/// are scanned.
///
/// An answer is a count and a way to draw from it; the tied set itself is listed only for those who ask for all of it.
/// That it is the set of the exact view is a property over random states (tests/experiments/slotted_queueing_test.cpp).
/// Cost: a changed queue costs O(log servers) per tournament that holds it, a question O(levels).
///
/// Long: every question of the view is answered here, from the same few indexes.
#include "experiments/simulators/slotted/indexed_view.hpp"

#include <algorithm>
#include <functional>

#include "model/core/errors.hpp"

namespace schedproof::simulation {

IndexedView::IndexedView(const SimulatedSystem& system, const queueing::Layout& layout,
                         const std::vector<QueueCounts>& counts, Moment moment, const queueing::PlanData* plan)
    : CountedQueues(system, layout, counts, moment),
      reference_(!counting_waiting_ && (layout.arrangement() == queueing::Arrangement::per_server ||
                                        layout.arrangement() == queueing::Arrangement::per_server_and_common)),
      ones_(levels_, CheckedInt(1)),
      plan_(plan),
      begun_(plan != nullptr ? plan->counters.size() : 0, CheckedInt(0)),
      spent_(plan != nullptr ? plan->counters.size() : 0, 0),
      orders_(instance_.types().size(), layout.queues()),
      listed_(most_scanned + 1) {
    if (plan == nullptr) return;
    for (const queueing::DeficitCounter& counter : plan->counters) {
        growth_.push_back(NumberTraits<CheckedInt>::coefficient(counter.growth));
        charge_.push_back(NumberTraits<CheckedInt>::coefficient(counter.charge));
    }
}

// ---- single answers ----

TiedSet IndexedView::listed(std::size_t count) const {
    if (count == 1) return TiedSet(listed_[0]);
    answer_ = Answer::listed;
    return {this, count};
}

TiedSet IndexedView::any_local(TaskTypeId type) const {
    answer_ = Answer::local_servers;
    asking_type_ = type;
    return {this, replicas(type).size()};
}

/// From the index of all servers, where there is one, each sum of lengths is read at once.
TiedSet IndexedView::shortest_local_server(TaskTypeId type) const {
    std::size_t count = 0;
    std::uint32_t least = 0;
    for (const ServerId m : replicas(type)) {
        const std::uint32_t here = server_lengths_ ? server_lengths_->lengths.length(m.index()) : length_of(m);
        if (count > 0 && here > least) continue;
        if (count > 0 && here < least) count = 0;
        least = here;
        put(listed_, count++, own(m, local(), row(type)));
    }
    return listed(count);
}

TiedSet IndexedView::any_server(TaskTypeId type) const {
    answer_ = Answer::all_servers;
    asking_type_ = type;
    return {this, instance_.servers().size()};
}

TiedSet IndexedView::most_behind(ServerId m) const {
    const std::span<const queueing::DeficitCounter> counters = plan_->counters;
    std::size_t count = 0;
    CheckedInt largest;
    for (std::size_t a = queueing::first_counter(m, counters); a < counters.size() && counters[a].server == m; ++a) {
        if (!has_work(counters[a].queue.queue)) continue;
        const CheckedInt owed = begun_[a] + growth_[a] * CheckedInt(static_cast<std::int64_t>(slot_)) -
                                charge_[a] * CheckedInt(static_cast<std::int64_t>(spent_[a]));
        if (count > 0 && owed < largest) continue;
        if (count > 0 && owed > largest) count = 0;
        largest = owed;
        put(listed_, count++, counters[a].queue);
    }
    return listed(count);
}

queueing::Ties IndexedView::furthest_behind(ServerId m) const {
    queueing::Ties tied;
    for_each_tied(most_behind(m), [&](const Candidate& c) { tied.add(c); });
    return tied;
}

// ---- the best of many ----

const ReplicaOrders::Order& IndexedView::make_order(TaskTypeId type) const {
    return orders_.make(
        type, replicas(type), [&](ServerId m) { return own(m).queue; }, [&](QueueId q) { return order_length(q); });
}

const IndexedView::ServerLengths& IndexedView::all_servers() const {
    if (!server_lengths_) {
        server_lengths_.emplace(ServerLengths{LengthOrder(static_cast<std::uint32_t>(servers().size()))});
        for (const ServerId m : servers()) server_lengths_->set(m.index(), length_of(m));
        indexed_ = true;
    }
    return *server_lengths_;
}

TiedSet IndexedView::extreme_of_all(bool by_task, bool greatest) const {
    const LengthOrder& order = all_servers().lengths;
    tied_servers_ = greatest ? order.longest() : order.shortest();
    asked_by_task_ = by_task;
    answer_ = Answer::server_lengths;
    return {this, tied_servers_.size()};
}

/// By Floyd's method, under which every subset is equally likely: for each of the last numbers n, a uniform one of the
/// first n + 1 or, if that is chosen already, n.
TiedSet IndexedView::sampled(TaskTypeId type, bool of_all, std::size_t count, statistics::Stream& stream) const {
    asking_type_ = type;
    const std::span<const ServerId> held = replicas(type);
    const std::size_t members = of_all ? servers().size() : held.size();
    std::array<std::size_t, most_scanned> chosen{};
    std::size_t size = 0;
    const auto is_chosen = [&](std::size_t i) {
        return std::find(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), i) !=
               chosen.begin() + static_cast<std::ptrdiff_t>(size);
    };
    for (std::size_t n = members - std::min(count, members); n < members; ++n) {
        const std::size_t any = members <= count ? n : below(n + 1, stream);
        chosen[size] = is_chosen(any) ? n : any;
        ++size;
    }
    for (std::size_t i = 0; i < size; ++i)
        put(listed_, i, of_all ? joined(ServerId(chosen[i])) : own(held[chosen[i]], local(), row(type)));
    return listed(size);
}

void IndexedView::reindex(QueueId q) {
    if (server_lengths_ && !layout_.is_shared(q)) {
        const ServerId m = layout_.owner(q);
        server_lengths_->set(m.index(), length_of(m));
    }
    if (longest_) longest_->set(q.index(), eligible(q, length(q)));
    if (costliest_) costliest_->set(q.index(), eligible(q, slope(q)));
    if (least_loaded_) least_loaded_->set(layout_.owner(q).index(), workload(layout_.owner(q)).value());
}

TiedSet IndexedView::longest(ServerId m) const {
    if (!longest_) {
        longest_ = ValueIndex<Wanted::largest>::of_servers(instance_);
        for (const QueueId q : queues()) longest_->set(q.index(), eligible(q, length(q)));
        indexed_ = true;
    }
    largest_ = &*longest_;
    asking_server_ = m;
    return nested(Answer::nested_servers, ones_, 1);
}

TiedSet IndexedView::largest_weight(ServerId m) const {
    static_cast<void>(longest(m));
    return nested(Answer::nested_servers, weights_.rate, 1);
}

/// For rates by type: then the costliest type at a level need not have the largest product there.
TiedSet IndexedView::scanned_marginal_cost(ServerId m) const {
    std::size_t count = 0;
    CheckedInt largest(0);
    for (const QueueId q : queues()) {
        const Candidate c = reached(q, m);
        const CheckedInt product = rate(c) * CheckedInt(eligible(q, slope(q)));
        if (product <= CheckedInt(0) || product < largest) continue;
        if (product > largest) count = 0;
        largest = product;
        put(listed_, count++, c);
    }
    return listed(count);
}

TiedSet IndexedView::largest_marginal_cost(ServerId m) const {
    if (instance_.rates_by_type()) return scanned_marginal_cost(m);
    if (!costliest_) {
        costliest_ = ValueIndex<Wanted::largest>::of_types(instance_);
        for (const QueueId q : queues()) costliest_->set(q.index(), eligible(q, slope(q)));
        indexed_ = true;
    }
    largest_ = &*costliest_;
    asking_server_ = m;
    return nested(Answer::nested_types, weights_.rate, 1);
}

TiedSet IndexedView::most_local_of_rows(ServerId m) const {
    for (const Level level : levels()) {
        std::size_t count = 0;
        for (std::size_t row = 0; row < rows(); ++row)
            if (const Candidate c = own(m, level, row); has_work(c.queue)) put(listed_, count++, c);
        if (count > 0) return listed(count);
    }
    return {};
}

TiedSet IndexedView::own_of_rows(ServerId m) const {
    for (std::size_t row = 0; row < rows(); ++row) put(listed_, row, own(m, local(), row));
    return listed(rows());
}

TiedSet IndexedView::least_weighted_workload(TaskTypeId type) const {
    if (!least_loaded_) {
        least_loaded_ = ValueIndex<Wanted::smallest>::of_servers(instance_);
        for (const ServerId m : instance_.servers()) least_loaded_->set(m.index(), workload(m).value());
        indexed_ = true;
    }
    asking_type_ = type;
    const std::span<const CheckedInt> slowness(weights_.slowness);
    return nested(Answer::nested_workloads, slowness.subspan(row(type) * levels_, levels_), -1);
}

TiedSet IndexedView::nested(Answer kind, std::span<const CheckedInt> weight, int sign) const {
    answer_ = kind;
    nested_.parts.clear();
    nested_.total = 0;
    std::optional<CheckedInt> best;
    LevelBest inner{};
    for (std::size_t l = 0; l < levels_; ++l) {
        const LevelBest here = level_best(l);
        const std::uint64_t of_inner = inner.holders > 0 && inner.value == here.value ? inner.holders : 0;
        inner = here;
        if (here.holders == of_inner || (sign > 0 && here.value <= 0)) continue;
        const CheckedInt product = weight[l] * CheckedInt(here.value);
        if (best && (sign > 0 ? product < *best : product > *best)) continue;
        if (best && product != *best) {
            nested_.parts.clear();
            nested_.total = 0;
        }
        best = product;
        nested_.parts.push_back({Level(l), here.holders - of_inner});
        nested_.total += here.holders - of_inner;
    }
    return {this, nested_.total};
}

std::vector<std::uint32_t> IndexedView::groups_of(TaskTypeId type, std::size_t grouping) const {
    std::vector<std::uint32_t> groups;
    for (const ServerId m : replicas(type)) groups.push_back(instance_.group(m, grouping));
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
}

LevelBest IndexedView::replicas_best() const {
    LevelBest best;
    for (const ServerId m : replicas(asking_type_)) {
        const std::int64_t value = least_loaded_->value(m.index());
        if (best.holders == 0 || value < best.value) best = {value, 0};
        if (value == best.value) ++best.holders;
    }
    return best;
}

LevelBest IndexedView::level_best(std::size_t level) const {
    const bool last = level + 1 == levels_;
    if (answer_ != Answer::nested_workloads) {
        if (last) return largest_->anywhere();
        if (level > 0) return largest_->group(level - 1, instance_.group(asking_server_, level - 1));
        if (answer_ == Answer::nested_types) return largest_->own(asking_server_);
        return {largest_->value(asking_server_.index()), 1};
    }
    if (last) return least_loaded_->anywhere();
    if (level == 0) return replicas_best();
    LevelBest best;
    for (const std::uint32_t group : groups_of(asking_type_, level - 1)) {
        const LevelBest here = least_loaded_->group(level - 1, group);
        if (best.holders == 0 || here.value < best.value) best = {here.value, 0};
        if (here.value == best.value) best.holders += here.holders;
    }
    return best;
}

std::size_t IndexedView::level_holder(std::size_t level, std::uint64_t k) const {
    const bool last = level + 1 == levels_;
    if (answer_ != Answer::nested_workloads) {
        if (last) return largest_->any_holder(k);
        if (level > 0) return largest_->group_holder(level - 1, instance_.group(asking_server_, level - 1), k);
        if (answer_ == Answer::nested_types) return largest_->own_holder(asking_server_, k);
        return asking_server_.index();
    }
    if (last) return least_loaded_->any_holder(k);
    const std::int64_t value = level_best(level).value;
    if (level == 0) {
        for (const ServerId m : replicas(asking_type_))
            if (least_loaded_->value(m.index()) == value && k-- == 0) return m.index();
    } else {
        for (const std::uint32_t group : groups_of(asking_type_, level - 1)) {
            const LevelBest here = least_loaded_->group(level - 1, group);
            if (here.value != value) continue;
            if (k < here.holders) return least_loaded_->group_holder(level - 1, group, k);
            k -= here.holders;
        }
    }
    throw ContractViolation("a level has fewer holders of its best value than it said");
}

queueing::Candidate IndexedView::candidate_of(std::size_t item) const {
    switch (answer_) {
        case Answer::nested_servers:
            return {QueueId(item), instance_.distance(asking_server_, ServerId(item))};
        case Answer::nested_types:
            return {QueueId(item), instance_.level(TaskTypeId(item), asking_server_)};
        default:
            return joined(ServerId(item));
    }
}

// ---- drawing ----

/// Usually the parts together are the holders of the outermost one. Where they are not, a part is drawn, then its
/// holders until one belongs to no inner level.
queueing::Candidate IndexedView::draw_nested(statistics::Stream& stream) const {
    const auto& parts = nested_.parts;
    std::uint64_t k = stream.below(nested_.total);
    if (level_best(parts.back().level.index()).holders == nested_.total)
        return candidate_of(level_holder(parts.back().level.index(), k));
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const NestedTies::Part& p) {
        if (!p.kept || k < p.count) return p.kept;
        k -= p.count;
        return false;
    });
    for (;;) {
        const std::uint64_t holders = level_best(part->level.index()).holders;
        const Candidate c = candidate_of(level_holder(part->level.index(), stream.below(holders)));
        if (c.level == part->level) return c;
    }
}

queueing::Candidate IndexedView::draw_many(std::uint64_t count, statistics::Stream& stream) const {
    switch (answer_) {
        case Answer::listed:
            return listed_[below(count, stream)];
        case Answer::local_servers:
            return own(replicas(asking_type_)[below(count, stream)]);
        case Answer::all_servers:
            return joined(ServerId(below(count, stream)));
        case Answer::server_lengths:
            return by_length(below(count, stream));
        default:
            return draw_nested(stream);
    }
}

/// Of a nested answer, holders of the outer level's value may belong to an inner one, where they are not tied.
queueing::Candidate IndexedView::some(const TiedSet& drawn) const {
    if (const Candidate* only = drawn.single()) return *only;
    require(answer_ >= Answer::nested_servers && drawn.few_of_ == nullptr, "an answer of a nested index is asked for");
    const auto part = std::find_if(nested_.parts.begin(), nested_.parts.end(), [](const auto& p) { return p.kept; });
    for (std::uint64_t k = 0;; ++k)
        if (const Candidate c = candidate_of(level_holder(part->level.index(), k)); c.level == part->level) return c;
}

void IndexedView::for_each_tied(const TiedSet& drawn, const std::function<void(const Candidate&)>& visit) const {
    if (const Candidate* only = drawn.single()) return visit(*only);
    if (drawn.empty()) return;
    if (drawn.few_of_ != nullptr) {
        for (std::uint32_t left = drawn.tied_; left != 0; left &= left - 1)
            visit(few_candidate(drawn, static_cast<std::uint32_t>(std::countr_zero(left))));
        return;
    }
    for (std::size_t k = 0; k < drawn.size() && answer_ < Answer::nested_servers; ++k) {
        if (answer_ == Answer::listed) visit(listed_[k]);
        if (answer_ == Answer::local_servers) visit(own(replicas(asking_type_)[k]));
        if (answer_ == Answer::all_servers) visit(joined(ServerId(k)));
        if (answer_ == Answer::ordered) visit(ordered(k));
        if (answer_ == Answer::server_lengths) visit(by_length(k));
    }
    if (answer_ < Answer::nested_servers) return;
    for (const NestedTies::Part& part : nested_.parts) {
        if (!part.kept) continue;
        const std::uint64_t holders = level_best(part.level.index()).holders;
        for (std::uint64_t k = 0; k < holders; ++k)
            if (const Candidate c = candidate_of(level_holder(part.level.index(), k)); c.level == part.level) visit(c);
    }
}

TiedSet IndexedView::narrowed_each(const std::function<bool(const Candidate&)>& holds, const TiedSet& from) const {
    std::vector<Candidate> kept;
    for_each_tied(from, [&](const Candidate& c) {
        if (holds(c)) kept.push_back(c);
    });
    for (std::size_t i = 0; i < kept.size(); ++i) put(listed_, i, kept[i]);
    return kept.empty() ? TiedSet() : listed(kept.size());
}

TiedSet IndexedView::narrowed_by_level(const std::function<bool(const Candidate&)>& holds) const {
    nested_.keep_only_where([&](const NestedTies::Part& part) {
        // All of a part have the same length and level, so any holder speaks for it.
        const std::size_t holder = level_holder(part.level.index(), 0);
        return holds(Candidate{candidate_of(holder).queue, part.level});
    });
    return {this, nested_.total};
}

}  // namespace schedproof::simulation
