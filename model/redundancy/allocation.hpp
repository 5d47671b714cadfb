/// What a policy of this family decides: how many copies each job has, and which share of their machines.
///
/// Every policy here ranks the active jobs, by remaining work or by arrival, and gives equal grants to runs of ranks.
/// So an allocation is a short list of bands, whatever the number of jobs, and no policy touches a number: it counts.
/// A policy is a constant expression of two counts, so it has no state, draws nothing and knows no job: `admitted` has
/// the compiler run it on all small counts. `ask_allocate` holds every allocation against the rules when it is made.
/// Source: [xu2017], Sections 3 to 5; docs/models/redundancy.md, Policies.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

#include "model/core/errors.hpp"
#include "model/core/parameters.hpp"
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

/// Bands ascend by rank; ranks outside of them wait. At most eight.
class Allocation {
  public:
    static constexpr std::size_t most = 8;

    /// Throws ContractViolation for a ninth.
    constexpr void push_back(const Band& band) {
        if (size_ == most) throw ContractViolation("an allocation has at most eight bands");
        bands_[size_++] = band;
    }
    [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr const Band* begin() const { return bands_.data(); }
    [[nodiscard]] constexpr const Band* end() const { return bands_.data() + size_; }
    /// Requires a band.
    [[nodiscard]] constexpr const Band& front() const { return bands_[0]; }
    friend constexpr bool operator==(const Allocation&, const Allocation&) = default;

  private:
    std::array<Band, most> bands_{};
    std::size_t size_ = 0;
};

/// Adds a band unless it is empty.
constexpr void grant(Allocation& allocation, std::size_t first, std::size_t last, Grant grant) {
    if (first < last) allocation.push_back({first, last, grant});
}

/// How the active jobs are ranked from 0: by (remaining work, id), or by arrival, the oldest first.
enum class Order { remaining, arrival };

using schedproof::Parameter;
using schedproof::PolicyInfo;

template <class P>
concept Policy = std::copyable<P> && Declared<P> && requires(const P& policy, std::size_t n, std::size_t machines) {
    { P::info } -> std::convertible_to<PolicyInfo>;
    { P::order } -> std::convertible_to<Order>;
    { policy.allocate(n, machines) } -> std::same_as<Allocation>;  // n >= 1 active jobs
};

/// Whether the jobs of lower rank do at least as well as those behind them, so that an order by remaining work lasts.
[[nodiscard]] bool favours_first(const Allocation& allocation, std::size_t jobs);

/// Whether the shares fit: sum of copies / ways <= machines. Throws LimitExceeded when that needs more than 64 bits.
[[nodiscard]] constexpr bool shares_fit(const Allocation& allocation, std::size_t machines) {
    std::uint64_t taken = 0, numerator = 0, denominator = 1;  // taken + numerator / denominator machines
    bool overflow = false;
    for (const Band& band : allocation) {
        std::uint64_t copies = 0, scaled = 0;
        overflow |= __builtin_mul_overflow(band.last - band.first, band.grant.copies, &copies);
        const std::uint64_t common = std::lcm(denominator, std::uint64_t{band.grant.ways});
        overflow |= __builtin_mul_overflow(copies % band.grant.ways, common / band.grant.ways, &scaled);
        overflow |= common / denominator > UINT32_MAX || common > UINT32_MAX;
        if (overflow) throw LimitExceeded("64-bit integers", "shares of machines with too large a common denominator");
        numerator = numerator * (common / denominator) + scaled;
        taken += copies / band.grant.ways + numerator / common;
        numerator %= common;
        denominator = common;
    }
    return taken < machines || (taken == machines && numerator == 0);
}

/// Null when the bands ascend without overlap below `jobs`, no job has more copies than there are machines, and the
/// shares fit. Otherwise what is wrong.
[[nodiscard]] constexpr const char* broken_rule(const Allocation& allocation, std::size_t jobs, std::size_t machines) {
    std::size_t rank = 0;
    for (const Band& band : allocation) {
        if (band.first < rank || band.first >= band.last || band.last > jobs)
            return "bands that do not ascend below the number of jobs";
        if (band.grant.copies < 1 || band.grant.copies > machines || band.grant.ways < 1)
            return "a grant without copies, with more than there are machines, or with no share";
        rank = band.last;
    }
    return shares_fit(allocation, machines) ? nullptr : "more shares than machines";
}
/// The same in a string, empty when nothing is wrong.
[[nodiscard]] std::string fault(const Allocation& allocation, std::size_t jobs, std::size_t machines);

namespace detail {

/// Runs the policy on up to eight jobs and machines. Throws, and so stops the compiler, at the first broken rule.
template <class P>
constexpr bool allocates_by_the_rules(const P& policy) {
    for (std::size_t n = 1; n <= 8; ++n)
        for (std::size_t machines = 1; machines <= 8; ++machines)
            if (broken_rule(policy.allocate(n, machines), n, machines) != nullptr)
                throw ContractViolation("a policy grants what it may not");
    return true;
}

}  // namespace detail

/// Stops the compiler at the first rule that the policy breaks. A policy whose parameters are of types that the
/// compiler cannot make values of is not run here.
template <class P>
consteval bool admitted() {
    static_assert(
        requires {
            { P::info } -> std::convertible_to<PolicyInfo>;
        },
        "a policy has an `info`");
    static_assert(
        requires {
            { P::order } -> std::convertible_to<Order>;
        },
        "a policy has an `order`");
    static_assert(Declared<P>,
                  "a policy has no members, or public ones that its `parameters` list, all in their order");
    static_assert(Policy<P>, "a policy has `allocate(jobs, machines)`, which answers an Allocation");
    if constexpr (std::is_empty_v<P> || requires { typename std::integral_constant<bool, (P(), true)>; })
        return detail::allocates_by_the_rules(P());
    else
        return true;
}

/// What a policy grants to n active jobs. Throws ContractViolation when it breaks a rule of `fault`. Requires n >= 1.
template <Policy P>
[[nodiscard]] Allocation ask_allocate(const P& policy, std::size_t n, std::size_t machines) {
    static_assert(admitted<P>());
    const Allocation allocation = policy.allocate(n, machines);
    if (const char* broken = broken_rule(allocation, n, machines))
        throw ContractViolation(std::string("a policy grants ") + broken);
    return allocation;
}

/// Whether sum of copies / ways = machines.
[[nodiscard]] bool uses_all(const Allocation& allocation, std::size_t machines);

}  // namespace schedproof::redundancy
