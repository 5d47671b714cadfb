// Programs that the type system must refuse, one per CASE_ macro; CASE_control is the same policy done right.
#include "model/core/randomness.hpp"
#include "model/queueing/kernel.hpp"

using namespace schedproof;
using namespace schedproof::queueing;

struct Candidates {
    static constexpr PolicyInfo info{"case", "test", "test"};
    [[nodiscard]] Layout layout(const Instance& instance) const { return {instance, Arrangement::per_server}; }
#ifdef CASE_policy_draws_random_numbers
    template <Number N, Randomness R>
    Ties route(const View<N>& now, TaskTypeId type, R& randomness) const {
        return now.local(type)[randomness.uniform(2)];
    }
#else
    template <Number N>
    Ties route(const View<N>& now, TaskTypeId type) const {
        return now.argmin(now.local(type), key::length);
    }
#endif
    template <Number N>
    Ties serve(const View<N>& now, ServerId m) const {
        const Candidate own = now.own(m);
#if defined(CASE_policy_multiplies_lengths)
        if (now.length(own.queue) * now.length(own.queue) > N(4)) return own;
#elif defined(CASE_policy_divides_lengths)
        if (now.length(own.queue) / now.length(own.queue) > N(4)) return own;
#elif defined(CASE_policy_reads_length_as_machine_number)
        const double length = static_cast<double>(now.length(own.queue));
        if (length > 4) return own;
#elif defined(CASE_policy_compares_with_double)
        if (now.length(own.queue) > 0.5) return own;
#elif defined(CASE_server_used_as_queue)
        if (now.length(m) > N(4)) return own;
#else
        if (now.length(own.queue) + now.length(own.queue) > N(4)) return own;
#endif
        return {};
    }
};

static_assert(QueueingPolicy<Candidates>);
[[maybe_unused]] constexpr auto body = &compile_on_archetype<Candidates>;

#if defined(CASE_affine_times_affine) || defined(CASE_affine_from_double) || defined(CASE_affine_control)
#include "proofs/symbolic/affine.hpp"
#endif
#ifdef CASE_affine_control
const explore::Affine doubled = Rational(2) * explore::Affine(1) + explore::Affine(1);
#endif
#ifdef CASE_affine_times_affine
const explore::Affine squared = explore::Affine(1) * explore::Affine(1);
#endif
#ifdef CASE_affine_from_double
const explore::Affine half = 0.5;
#endif
#ifdef CASE_rational_from_double
const Rational q = 0.1;
#endif
#ifdef CASE_checked_int_from_double
const CheckedInt n = 0.5;
#endif
