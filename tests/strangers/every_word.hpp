/// Words of the policy language in use, a few to a policy, as a stranger would write them. Those that follow a plan are
/// in policies/queueing/fluid_model_planning.hpp.
#pragma once

#include <array>

#include "model/queueing/policy.hpp"

namespace schedproof::strangers {

namespace detail {
using namespace queueing::language;
using queueing::Arrangement;
using queueing::Rules;

// clang-format off
inline constexpr Rules nearest_weight{
    keep(Arrangement::per_server), route(argmin(local, length)),
    serve(first_of(argmax(nonempty(reachable), rate * servable), own))};
inline constexpr Rules overflow_to_all{
    keep(Arrangement::per_server),
    route(when(greatest(local, length) - least(servers, length) > tasks(2), sample(1, servers), local)),
    serve(first_of(lowest(1, nonempty(ring(0, 1))), partner))};
inline constexpr Rules below_the_mean{
    keep(Arrangement::per_server),
    route(among(sample(2, local), first_of(where(it, length + tasks(1) <= mean(it, length)), it))),
    serve(mix(Ratio(1, 3), own, best(1, reachable, length / rate)))};
inline constexpr Rules worth_a_trip{
    keep(Arrangement::per_server), route(argmin(rack, distance)),
    serve(first_of(where(reachable, (remote_rate * length >= local_rate * tasks(2) && has_work) ||
                                    (distance <= 1 && distance < remote_level)),
                   own))};
inline constexpr Rules twice_as_long{
    keep(Arrangement::per_server_and_common), route(argmin(local | common, 2 * length)),
    serve(first_of(where(own | common, !(length < tasks(1))), own))};
inline constexpr Rules least_work{
    keep(Arrangement::per_server_and_level), route(argmin(argmin(servers, maximum(server_length, tasks(2))), minimum(server_workload / rate, tasks(9) / rate / rate))),
    serve(most_local(nonempty(own_levels)))};
inline constexpr Rules costly_types{
    keep(Arrangement::per_type), route(own_type),
    serve(when(total(reachable, length) > tasks(3), argmax(nonempty(reachable), rate * marginal_cost), reachable))};
// clang-format on
}  // namespace detail

inline constexpr std::array every_word{detail::nearest_weight, detail::overflow_to_all, detail::below_the_mean,
                                       detail::worth_a_trip,   detail::twice_as_long,   detail::least_work,
                                       detail::costly_types};

}  // namespace schedproof::strangers
