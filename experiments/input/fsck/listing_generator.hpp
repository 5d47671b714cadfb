/// Synthetic fsck listings: a cluster as large as wanted, in each of the forms that Hadoop prints.
///
/// Tests compare what is read with what was generated; benchmarks need a listing of a size that nobody wants to ship.
/// The same description gives the same bytes on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>

#include "experiments/input/fsck/listing.hpp"

namespace schedproof::input {

struct ListingSpec {
    std::size_t blocks = 100;
    std::size_t servers = 10;         ///< on one port each
    std::size_t racks = 3;            ///< at most one rack per server is used
    std::size_t replicas = 3;         ///< at most one per server
    std::size_t blocks_per_file = 8;  ///< the last file takes what is left
    std::uint64_t seed = 1;
};

/// How the listing is printed.
enum class ListingForm {
    hadoop1,           ///< negative block ids, `repl=`, no pool, racks
    hadoop2,           ///< pool, `Live_repl=`, one blank, racks
    hadoop3,           ///< `replicated: replication=R`, two blanks, racks
    hadoop3_storages,  ///< `-locations` alone: DatanodeInfoWithStorage[...], no racks
    hadoop3_details,   ///< `-replicaDetails`: a (LIVE) behind each location
    wrapped,           ///< hadoop3 with its lists broken over lines, as web copies are
};
inline constexpr ListingForm all_listing_forms[] = {ListingForm::hadoop1,         ListingForm::hadoop2,
                                                    ListingForm::hadoop3,         ListingForm::hadoop3_storages,
                                                    ListingForm::hadoop3_details, ListingForm::wrapped};

/// A listing as it would be read, but for the counts of lines in its summary and the order of its servers, which is by
/// number and not by appearance. Replica sets are uniform over the servers, distinct with high probability.
[[nodiscard]] Listing generate_listing(const ListingSpec& spec);

/// Prints a listing as `hdfs fsck` would. Every host gets port 9866.
void print_listing(const Listing& listing, ListingForm form, std::ostream& out);

}  // namespace schedproof::input
