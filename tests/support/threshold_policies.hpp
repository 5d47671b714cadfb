/// Policies with thresholds in tasks, which stay near the best decision or do not.
#pragma once

#include <cstdint>

#include "model/queueing/any_policy.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/jsq_maxweight.hpp"

namespace schedproof::testing_support {

inline queueing::AnyPolicy routed(const char* name, const queueing::Rules& like,
                                  const queueing::language::Expression& set) {
    return {{name, "test", "a route with thresholds"}, like.with(queueing::language::route(set))};
}
inline queueing::AnyPolicy served(const char* name, const queueing::Rules& like,
                                  const queueing::language::Expression& set) {
    return {{name, "test", "a serving rule with thresholds"}, like.with(queueing::language::serve(set))};
}

/// The longest local queue of those with at most so many tasks more than the shortest.
inline queueing::AnyPolicy longest_within(std::int64_t more) {
    using namespace queueing::language;
    return routed("longest-within", JsqMaxWeight::rules,
                  argmax(where(local, length <= least(local, length) + tasks(more)), length));
}

/// The own queue unless the heaviest one weighs more by so many local tasks.
inline queueing::AnyPolicy own_unless_far(std::int64_t more) {
    using namespace queueing::language;
    const auto near = rate * length + local_rate * tasks(more) >= greatest(reachable, rate * length);
    return served("own-unless-far", JsqMaxWeight::rules,
                  first_of(where(own, near), argmax(nonempty(reachable), rate * length), own));
}

/// The local servers whose work over rate exceeds the least of all servers by that of at most so many tasks, else the
/// least.
inline queueing::AnyPolicy work_gate(std::int64_t more) {
    using namespace queueing::language;
    const auto closed = server_workload / rate <= least(servers, server_workload / rate) + tasks(more) / rate / rate;
    return routed("work-gate", BalancedPandas::rules,
                  first_of(where(local, closed), argmin(servers, server_workload / rate)));
}

}  // namespace schedproof::testing_support
