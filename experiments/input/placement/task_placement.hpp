/// Where the data of tasks lie, and on what servers: from real inputs to an instance of the assignment family.
///
/// The servers and their initial loads come from `read_loads` (cluster_loads.hpp). Tasks come from a listing of
/// `hdfs fsck`, one map task per block of the chosen files, local where a usable replica lies; or from the paper's data
/// set of placements, `task1 server11; task1 server12; ...`, one or many pairs a line, the pairs of a task together.
/// Servers without data can run remote tasks. A server with data but without a load is an error, unless a number of
/// cores is given for such servers: those cores are then idle.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "experiments/input/fsck/listing.hpp"
#include "experiments/input/placement/cluster_loads.hpp"
#include "model/assignment/instance.hpp"

namespace schedproof::input {

struct PlacementOptions {
    std::string name = "placement";
    std::string source = {};  ///< what the instance says of its origin
    assignment::CostText cost = {assignment::AffineCost{}, true};
    std::optional<std::uint32_t> cores = {};  ///< of servers without loads
    std::string under = "/";                  ///< of a listing: only files at or below this path
    bool erasure_coded = false;               ///< whether a cell of a block makes its server local
    bool incomplete = false;                  ///< take a listing that is cut, or whose summary counts other blocks
    bool job_per_file = false;                ///< of a listing: the tasks of a file are a job of its name
};

struct PlacedTasks {
    assignment::Instance instance;
    std::vector<std::string> files;      ///< paths of the chosen files; empty for a data set
    std::vector<std::uint32_t> file_of;  ///< by task: position in `files`; empty for a data set
    std::vector<std::string> notes;      ///< one sentence per kind of block left out and per assumption
};

/// Tasks are named by their block, `blk_ID_STAMP`. `file` names the listing in errors.
/// Throws InputError when no block is left, the listing is incomplete, or a server has no load.
[[nodiscard]] PlacedTasks place_listing(const Listing& listing, const std::string& file, ClusterLoads loads,
                                        const PlacementOptions& options);

/// Tasks keep their names. `file` names the stream in errors. A line `# tasks 1000 pairs 3000` announces numbers.
/// Throws InputError with file, line, column and what was expected. Cost: linear.
[[nodiscard]] PlacedTasks place_data_set(std::istream& in, const std::string& file, ClusterLoads loads,
                                         const PlacementOptions& options);

/// Whether text that begins with this line is a data set of placements rather than a listing.
[[nodiscard]] bool looks_like_data_set(std::string_view first_line);

/// The two data sets of an instance, each with a comment in front that announces how much there is. Cores and tasks are
/// bare numbers when all servers have as many cores and the default names; else cores are SERVER/NUMBER. Costs and jobs
/// have no place in data sets. Round trip: parsing both, with the same cost, gives an equal instance but for its jobs.
/// Throws InputError when a name cannot stand in a data set: it holds a blank, a `;`, or begins with `#`.
void write_data_set_loads(const assignment::Instance& instance, std::ostream& out);
void write_data_set_placement(const assignment::Instance& instance, std::ostream& out);

}  // namespace schedproof::input
