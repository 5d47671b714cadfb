/// The best of many items under a key that is a weight of the level times a value of the item's own, where levels are
/// nested sets around a server: itself, its rack, ..., all servers.
///
/// All keys of the policies have this form: rate times length, slowness times workload, rate times marginal cost. So
/// the best of a level is the best value of its set, from a tournament, and levels are compared by one product each.
/// An item of an inner set counts at its own level only. It can tie with its set's surroundings only where the weights
/// are equal or the value is zero; elsewhere the inner weight is strictly better and decides.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "model/core/ids.hpp"

namespace schedproof::simulation {

/// Who holds the best value within the nested set of one level, items of inner levels included.
struct LevelBest {
    std::int64_t value = 0;
    std::uint64_t holders = 0;  ///< 0: the set is empty
};

/// The tied best items by level: how many are best at exactly this level, and whether they are among the choices.
struct NestedTies {
    struct Part {
        Level level;
        std::uint64_t count = 0;  ///< holders at this level that are of no inner one
        bool kept = true;
    };
    boost::container::small_vector<Part, 6> parts;  ///< with count > 0, inner first
    std::uint64_t total = 0;                        ///< over the parts that are kept

    void keep_only_where(auto&& holds) {
        total = 0;
        for (Part& part : parts) {
            part.kept = part.kept && holds(part);
            if (part.kept) total += part.count;
        }
    }
};

}  // namespace schedproof::simulation
