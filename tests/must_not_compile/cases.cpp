// Programs that the type system must refuse, one per CASE_ macro; CASE_control is the same policy done right.
#include "model/core/randomness.hpp"
#include "model/queueing/kernel.hpp"

using namespace schedproof;
using namespace schedproof::queueing;
using namespace schedproof::queueing::language;

struct Candidates {
    static constexpr PolicyInfo info{"case", "test", "test"};
#if defined(CASE_policy_compares_unlike_units)
    static constexpr auto full = where(local, rate* length > length);
#elif defined(CASE_policy_adds_unlike_units)
    static constexpr auto full = argmin(local, length + server_workload);
#elif defined(CASE_policy_multiplies_lengths)
    static constexpr auto full = where(local, length* length > tasks(4));
#elif defined(CASE_policy_divides_lengths)
    static constexpr auto full = where(local, length / length > tasks(4));
#elif defined(CASE_policy_compares_with_double)
    static constexpr auto full = where(local, length > 0.5);
#elif defined(CASE_policy_multiplies_by_double)
    static constexpr auto full = where(local, 0.5 * length > tasks(4));
#elif defined(CASE_policy_reads_a_length)
    static constexpr auto full = length.value() > 4 ? local : local;
#elif defined(CASE_policy_counts_servers)
    static constexpr auto full = servers.size() > 4 ? local : local;
#elif defined(CASE_task_asks_for_an_idle_server)
    static constexpr auto full = local | own;
#elif defined(CASE_task_joins_a_set_of_an_idle_server)
    static constexpr auto full = own;
#elif defined(CASE_condition_of_a_single_candidate)
    static constexpr auto full = when(length > tasks(4), local, local);
#elif defined(CASE_negative_number_of_tasks)
    static constexpr auto full = where(local, length > tasks(-1));
#elif defined(CASE_probabilities_above_one)
    static constexpr auto full = mix(Ratio(4, 3), local, servers);
#else
    static constexpr auto full = where(local, 2 * length > tasks(4));
#endif
    static constexpr Rules rules{keep(Arrangement::per_server),
#ifdef CASE_task_joins_a_set_of_an_idle_server
                                 route(full),
#else
                                 route(first_of(full, local)),
#endif
#ifdef CASE_arrangement_without_common_queue
                                 serve(common)
#else
                                 serve(own)
#endif
    };
};

#ifdef CASE_policy_is_code
struct Code {
    static constexpr PolicyInfo info{"case", "test", "test"};
    Decision route(const View<CheckedInt>& now, TaskTypeId) const { return Decision(now.own(ServerId(0))); }
    Decision serve(const View<CheckedInt>& now, ServerId m) const { return Decision(now.own(m)); }
};
static_assert(QueueingPolicy<Code>);
#endif

static_assert(QueueingPolicy<Candidates>);

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
