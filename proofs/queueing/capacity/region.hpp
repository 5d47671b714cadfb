/// Where an instance lies with respect to its capacity region, and what its data placement costs.
/// The method stands at the head of region.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "model/core/rational.hpp"
#include "model/queueing/instance.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/capacity/certificate.hpp"
#include "proofs/queueing/capacity/pooled.hpp"

namespace schedproof::capacity {

enum class Method {
    automatic,       ///< quotient if it is at most half as large, ascent, linear program
    ascent,          ///< prices raised on the full pooled problem, without symmetry
    quotient,        ///< prices of the quotient, whatever its size
    pooled_program,  ///< multipliers of the pooled linear program
    full_program,    ///< the linear program over all pairs, as the definition has it: small instances only
};

struct SolveOptions {
    Method method = Method::automatic;
    std::size_t max_rounds = 10'000;  ///< flows before the ascent gives up; at least 1
    LinearMethod linear = LinearMethod::automatic;
};

/// A certificate of rho*, verified. Exact unless every method gave up.
/// Throws OracleConflict when the certificate that was found does not verify.
[[nodiscard]] CapacityCertificate solve(const queueing::Instance& instance, const SolveOptions& options = {});

/// The instance with arrivals in the same proportions, so many that its load rho* is `rho`. Throws InputError at the
/// option where its load is not known exactly, or the arrivals cannot be so many. Range: rho above 0.
[[nodiscard]] queueing::Instance at_load(const queueing::Instance& instance, const Rational& rho, const char* option);

/// The linear program of the definition: variable 0 is rho, then x_{Lm} type-major.
[[nodiscard]] LinearProgram full_program(const queueing::Instance& instance);

/// The pooled linear program, without pool-to-server variables: work for a laminar family of pools can be distributed
/// iff for every node n the work at n and below is at most rho * (servers below n). Variable 0 is rho, then one per
/// option, type by type. Rows: types, then nodes; a leaf's price is the sum of the multipliers of the nodes above it.
[[nodiscard]] LinearProgram pooled_program(const Pooled& problem);

enum class Position { inside, boundary, outside, unknown };
[[nodiscard]] std::string_view to_string(Position position);

/// Unknown iff the certified interval contains 1 and more.
[[nodiscard]] Position position(const CapacityCertificate& certificate);

/// Why no policy is stable: Z = sum_L value_L * (tasks of type L in the system) grows on average by at least `drift`
/// in every slot, whatever the policy does.
struct InstabilityWitness {
    std::vector<Rational> value;  ///< per type
    Rational drift;               ///< > 0. Unit: value per slot
};
[[nodiscard]] std::optional<InstabilityWitness> instability(const CapacityCertificate& certificate);

/// Servers that share a price.
struct PriceClass {
    Rational relative_price;  ///< price over the least positive price of a server. Range: >= 1, or 0
    std::vector<ServerId> servers;
};

/// What the placement of the data costs, against every task being served locally by a perfectly balanced cluster.
///
/// Where every server can serve every type, if only remotely, at rho* > 0 every server has a positive price and load
/// exactly rho*, as one of price zero would make every task worthless. Bottlenecks are therefore told by price classes:
/// a slot of the dearer servers is worth more, since their data is in more demand than they have time. One class: the
/// whole cluster is the bottleneck. Where types state their rates at servers, servers beside the bottleneck may have
/// the price 0.
struct PlacementLoss {
    Rational balanced;  ///< sum over types of arrival rate / local rate, by servers: the least possible rho*
    Rational lost;      ///< 1 - balanced / rho*: share of the capacity lost to placement; 0 at rho* = 0
    std::optional<Rational> scaling;  ///< 1 / rho*: largest factor on all arrival rates; none at rho* = 0
    std::vector<PriceClass> classes;  ///< dearest first
};
/// With an interval, `lost` and `scaling` are those of its upper end: what is proved to be possible.
[[nodiscard]] PlacementLoss placement_loss(const queueing::Instance& instance, const CapacityCertificate& certificate);

}  // namespace schedproof::capacity
