/// What a policy of this family decides: how many copies each job has, and which share of their machines.
///
/// Every policy here ranks the active jobs, by remaining work or by arrival, and gives equal grants to runs of ranks.
/// So an allocation is a short list of bands, whatever the number of jobs, and no policy touches a number: it counts.
/// Source: [xu2017], Sections 3 to 5; docs/models/redundancy.md, Policies.
#pragma once

#include <boost/container/static_vector.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

#include "model/core/policy_info.hpp"

namespace schedproof::redundancy {

/// Copies on machines of their own, each with the share 1/ways of its machine.
struct Grant {
    std::size_t copies = 1;  ///< r_j >= 1
    std::size_t ways = 1;    ///< 1/x_j >= 1: the jobs that each of these machines is divided among
    friend bool operator==(const Grant&, const Grant&) = default;
};

/// Whether grant a does at least as much work as b under every service process.
[[nodiscard]] constexpr bool at_least(const Grant& a, const Grant& b) {
    return a.copies >= b.copies && a.ways <= b.ways;
}

/// The jobs of ranks first..last-1 get this each.
struct Band {
    std::size_t first = 0;
    std::size_t last = 0;
    Grant grant;
    friend bool operator==(const Band&, const Band&) = default;
};

/// Bands ascend by rank; ranks outside of them wait.
using Allocation = boost::container::static_vector<Band, 3>;

/// Adds a band unless it is empty.
inline void grant(Allocation& allocation, std::size_t first, std::size_t last, Grant grant) {
    if (first < last) allocation.push_back({first, last, grant});
}

/// How the active jobs are ranked from 0: by (remaining work, id), or by arrival, the oldest first.
enum class Order { remaining, arrival };

using schedproof::PolicyInfo;

template <class P>
concept Policy = requires(const P& policy, std::size_t n, std::size_t machines) {
    { P::info } -> std::convertible_to<PolicyInfo>;
    { P::order } -> std::convertible_to<Order>;
    { policy.allocate(n, machines) } -> std::same_as<Allocation>;  // n >= 1 active jobs
};

/// Whether the jobs of lower rank do at least as well as those behind them, so that an order by remaining work lasts.
[[nodiscard]] bool favours_first(const Allocation& allocation, std::size_t jobs);

/// Empty when the bands ascend without overlap below `jobs`, no job has more copies than there are machines, and the
/// shares fit: sum of copies / ways <= machines. Otherwise what is wrong.
[[nodiscard]] std::string fault(const Allocation& allocation, std::size_t jobs, std::size_t machines);
/// Whether sum of copies / ways = machines.
[[nodiscard]] bool uses_all(const Allocation& allocation, std::size_t machines);

}  // namespace schedproof::redundancy
