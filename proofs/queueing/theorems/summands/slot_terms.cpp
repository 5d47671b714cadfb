/// The terms of a slot. A server that is idle asks at the lengths from which the slot starts. Of the tasks that wait in
/// the queue of its answer after arrivals it gets one, unless there are fewer than servers that ask for them; then all
/// tasks of the queue, counted with those in execution, are fewer than the servers that may execute them.
#include <algorithm>

#include "proofs/queueing/theorems/summands/terms.hpp"

namespace schedproof::queueing {

using proof::LinearForm;

void Summands::require_slots() const {
    const Instance& instance = system_->instance();
    if (instance.options().unmatched == Unmatched::phantom)
        throw InputError::at_path({"options", "unmatched"},
                                  "summand proofs are about servers that are idle again when they got no task");
    if (instance.options().routing == Routing::sequential && instance.arrivals().largest_total() > 1)
        throw InputError::at_path({"options", "routing"},
                                  "summand proofs are about tasks of a slot that are routed on the same lengths");
}

void Summands::find_links() {
    const Layout& layout = system_->layout();
    if (layout.arrangement() != Arrangement::per_server) return;
    for (const QueueId q : IdRange<QueueId>(layout.queues())) {
        if (layout.is_shared(q)) continue;
        for (const ServerId x : system_->instance().servers()) {
            const std::vector<Service>& may = statuses(x);
            if (x != layout.owner(q) &&
                std::any_of(may.begin(), may.end(), [&](const Service& s) { return s.queue == q; }))
                links_.push_back({layout.owner(q), q, x});
        }
    }
}

void Summands::add_server(ServerId m) {
    Term term{"server " + system_->instance().server(m).name};
    const auto helped = [&](QueueId q) {
        std::vector<std::pair<std::size_t, int>> all;
        for (std::size_t i = 0; i < links_.size(); ++i)
            if (links_[i].works == m && links_[i].queue == q) all.emplace_back(i, 1);
        return all;
    };
    for (const Service& now : statuses(m))
        add(term, {{length_of(now.queue) - LinearForm(Rational(1))},
                   {{rate(now), now.queue, -1, m, now, {}}},
                   {},
                   {},
                   helped(now.queue)});
    for (const Service& next : statuses(m))
        for (const Premises& where : serve_of(m).contains(Candidate{next.queue, next.level})) {
            const Rational ends = rate(next);
            add(term, {where,
                       {{ends, next.queue, -1, m, {}, {}}, {Rational(1) - ends, {}, 0, m, {}, next}},
                       {},
                       {},
                       helped(next.queue)});
            add_unmatched(term, m, next.queue, where);
        }
    for (const Premises& where : serve_of(m).empty()) add(term, {where, {}});
    terms_.push_back(std::move(term));
}

/// m asked for a task of the queue and got none.
void Summands::add_unmatched(Term& term, ServerId m, QueueId q, Premises where) {
    const auto add_if_possible = [&](const Premises& more, std::vector<std::pair<std::size_t, int>> links) {
        Premises all = where;
        all.insert(all.end(), more.begin(), more.end());
        if (common_ranges({all}, system_->layout().queues())) add(term, {std::move(all), {}, {}, {}, std::move(links)});
    };
    where.push_back(LinearForm(Rational(executing_but(m)[q.index()])) - length_of(q));
    bool is_linked = false;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        if (links_[i].idle != m || links_[i].queue != q) continue;
        add_if_possible({length_of(q) - LinearForm(Rational(1))}, {{i, -1}});
        is_linked = true;
    }
    add_if_possible(is_linked ? Premises{-length_of(q)} : Premises{}, {});
}

}  // namespace schedproof::queueing
