/// What tests of proofs by summands share: policies of rules, premises at states, and servers in a ring.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "policies/queueing/exact.hpp"
#include "proofs/queueing/theorems/summands/cases.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {

using testing_support::q;

inline AnyPolicy policy_with(const Rules& rules) { return {{"of-test", "test", "of this test"}, rules}; }

inline std::vector<Rational> point_of(const ExactState& state) {
    std::vector<Rational> point;
    for (const CheckedInt n : state.length) point.emplace_back(n.value());
    return point;
}

inline bool all_hold(const Premises& premises, const std::vector<Rational>& point) {
    return std::all_of(premises.begin(), premises.end(),
                       [&](const proof::LinearForm& h) { return h.at(point).sign() >= 0; });
}
inline bool one_holds(const Cases& cases, const std::vector<Rational>& point) {
    return std::any_of(cases.begin(), cases.end(), [&](const Premises& p) { return all_hold(p, point); });
}

/// Servers in a ring: tasks of type i are local to servers i and i + 1.
inline InstanceData ring_data(std::size_t servers, const char* lambda) {
    InstanceData data;
    data.name = "ring";
    data.levels = {{"local", q("4/5")}, {"remote", q("1/5")}};
    for (std::size_t i = 0; i < servers; ++i) {
        data.servers.push_back({"s" + std::to_string(i), {}});
        const std::size_t next = (i + 1) % servers;
        std::vector<ServerId> holders{ServerId(i)};
        if (servers > 2) holders.insert(next < i ? holders.begin() : holders.end(), ServerId(next));
        data.types.push_back({"T" + std::to_string(i), holders});
        data.rates.push_back(q(lambda));
    }
    return data;
}
inline Instance ring_of(std::size_t servers, const char* lambda) {
    InstanceData data = ring_data(servers, lambda);
    data.time = ContinuousTime{};
    return Instance(std::move(data));
}
inline Instance ring_in_slots(std::size_t servers, const char* lambda) {
    InstanceData data = ring_data(servers, lambda);
    data.arrivals = ArrivalLaw::bernoulli(data.rates);
    return Instance(std::move(data));
}

}  // namespace schedproof::queueing
