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

void Summands::add_server(ServerId m) {
    Term term{"server " + system_->instance().server(m).name, {}};
    const std::vector<std::uint32_t> others = executing_but(m);
    for (const Service& now : statuses(m))
        add(term, {{length_of(now.queue) - LinearForm(Rational(1))}, {{rate(now), now.queue, -1, m, now, {}}}});
    for (const Service& next : statuses(m))
        for (const Premises& where : serve_of(m).contains(Candidate{next.queue, next.level})) {
            const Rational ends = rate(next);
            add(term, {where, {{ends, next.queue, -1, m, {}, {}}, {Rational(1) - ends, {}, 0, m, {}, next}}});
            Premises unmatched = where;
            unmatched.push_back(LinearForm(Rational(others[next.queue.index()])) - length_of(next.queue));
            if (common_ranges({unmatched}, system_->layout().queues())) add(term, {std::move(unmatched), {}});
        }
    for (const Premises& where : serve_of(m).empty()) add(term, {where, {}});
    terms_.push_back(std::move(term));
}

}  // namespace schedproof::queueing
