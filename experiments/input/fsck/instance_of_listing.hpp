/// From a listing of blocks to an instance of the queueing family.
///
/// A task reads one block, so its type is the block's replica set; blocks with equal sets are one type, and a type's
/// share of the arrivals is its weight, the number of its blocks or of their bytes. Every listed server is a server of
/// the instance, also one without a block under the chosen path. What a listing cannot say is assumed, and each
/// assumption stands in `notes`: the service rates, the total arrival rate, and one rack when no racks are named.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/input/fsck/listing.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::input {

/// What makes a type frequent.
enum class BlockWeight { blocks, bytes };

/// The law of a slot's arrivals with the types' rates as means: none, which is enough for the capacity region; of each
/// type at most one task, independently; at most one task in all.
enum class ListingArrivals { rates, bernoulli, single };

struct ImportOptions {
    std::string name = "fsck";
    std::string source = {};  ///< what the instance says of its origin
    std::string under = "/";  ///< only files at or below this path
    BlockWeight weight = BlockWeight::blocks;
    /// Whether a location of an erasure-coded block counts as local. It holds a cell of the block only, so by default
    /// such blocks are left out.
    bool erasure_coded = false;
    /// Levels of locality, local first. Empty: as many as the racks tell apart, with rates evenly spaced from 4/5 down
    /// to 1/5 (two levels 4/5, 1/5; three 4/5, 1/2, 1/5). L levels use the innermost L-2 groupings of the racks.
    std::vector<queueing::LevelInfo> levels = {};
    /// Sum of the arrival rates of all types. Absent: half of what the servers could serve if every task were local.
    std::optional<Rational> total_rate = {};
    ListingArrivals arrivals = ListingArrivals::rates;
};

struct ImportedInstance {
    queueing::InstanceData data;
    /// The type of each block of the listing; none for a block that was left out.
    std::vector<std::optional<TaskTypeId>> type_of_block;
    std::vector<std::string> notes;  ///< one sentence per assumption made and per kind of block left out
};

/// Throws InputError when no block with a replica is left, the racks are nested to different depths, more levels are
/// asked for than the racks tell apart, the total rate is negative, or the law cannot have these rates as means; the
/// key is the name of the option above.
/// Cost: linear in the replicas.
[[nodiscard]] ImportedInstance import_instance(const Listing& listing, const ImportOptions& options = {});

/// `import_instance` without the account of how.
[[nodiscard]] inline queueing::InstanceData to_instance(const Listing& listing, const ImportOptions& options = {}) {
    return import_instance(listing, options).data;
}

}  // namespace schedproof::input
