/// What follows where a test of a rule holds, and where it fails: comparisons of keys, and whether there is work.
#include "proofs/queueing/theorems/summands/implied.hpp"

namespace schedproof::queueing {

using proof::LinearForm;

/// All tasks of the queue are in execution.
LinearForm Implied::none_waits(QueueId q) const { return LinearForm(Rational(executing_[q.index()])) - length_of(q); }

/// Whether the language's "has work" asks for a task that waits: those in execution are not counted, either because
/// they are conserved or because no key counts them.
bool Implied::work_waits() const {
    const Options& options = instance_->options();
    return options.empty_target == EmptyTarget::conserved || options.counting == Counting::waiting;
}

Cases Implied::compared(std::size_t smaller, std::size_t larger, bool strictly, const Candidate& c) const {
    const auto low = bounds(smaller, c), high = bounds(larger, c);
    if (!low || !high) return always();
    Cases cases;
    for (const Bounds& a : *low)
        for (const Bounds& b : *high) {
            const LinearForm difference = b.high - a.low;
            if (difference.is_constant()) {
                const int sign = difference.constant().sign();
                if (sign < 0 || (strictly && sign == 0)) continue;
                cases = disjunction(std::move(cases), conjunction({a.where}, {b.where}));
            } else {
                cases = disjunction(std::move(cases), conjunction(conjunction({a.where}, {b.where}),
                                                                  {{strictly ? above_zero(difference) : difference}}));
            }
        }
    return cases;
}

Cases Implied::holds(std::size_t test, const Candidate& c) const {
    switch (op(test)) {
        case Op::has_work:
            if (work_waits() && none_waits_ == c.queue) return {};
            return {{length_of(c.queue) - LinearForm(Rational(1))}};
        case Op::less:
        case Op::less_equal:
            return compared(part(test, 0), part(test, 1), op(test) == Op::less, c);
        case Op::equal:
            return conjunction(compared(part(test, 0), part(test, 1), false, c),
                               compared(part(test, 1), part(test, 0), false, c));
        case Op::both:
            return conjunction(holds(part(test, 0), c), holds(part(test, 1), c));
        case Op::either:
            return disjunction(holds(part(test, 0), c), holds(part(test, 1), c));
        case Op::negation:
            return fails(part(test, 0), c);
        default:
            return always();
    }
}

Cases Implied::fails(std::size_t test, const Candidate& c) const {
    switch (op(test)) {
        case Op::has_work:
            return {{work_waits() ? none_waits(c.queue) : -length_of(c.queue)}};
        case Op::less:
        case Op::less_equal:
            return compared(part(test, 1), part(test, 0), op(test) == Op::less_equal, c);
        case Op::equal:
            return disjunction(compared(part(test, 0), part(test, 1), true, c),
                               compared(part(test, 1), part(test, 0), true, c));
        case Op::both:
            return disjunction(fails(part(test, 0), c), fails(part(test, 1), c));
        case Op::either:
            return conjunction(fails(part(test, 0), c), fails(part(test, 1), c));
        case Op::negation:
            return holds(part(test, 0), c);
        default:
            return always();
    }
}

}  // namespace schedproof::queueing
