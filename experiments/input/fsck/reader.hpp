/// Reads the output of `hdfs fsck PATH -files -blocks -locations -racks`, of Hadoop 1, 2 and 3.
///
/// The listing is streamed: memory beyond the result is one line. What is not part of a listing (a banner, dots of
/// progress, warnings of the JVM) is skipped and counted; what should be part of it and is broken is an error, never
/// skipped: a block line that does not parse, a list that is not closed, a block without its file. Blocks are numbered
/// within their file and every file announces how many it has, so a file line lost in between is noticed.
///
/// Which replicas count: one that a task could read where it lies. So (LIVE), stale nodes, nodes that are being
/// decommissioned or are entering maintenance count; dead and decommissioned nodes, nodes in maintenance, corrupt
/// replicas and replicas in excess (about to be deleted) do not. A server all of whose replicas were skipped for the
/// node's sake is no server of the result; a corrupt or excess replica says nothing against its server.
#pragma once

#include <istream>
#include <string>

#include "experiments/input/fsck/listing.hpp"

namespace schedproof::input {

/// What makes two data-nodes two servers.
enum class ServerNaming {
    host,  ///< different hosts; several data-nodes on one host are one server
    port,  ///< different HOST:PORT
};

inline constexpr std::size_t max_listed_blocks = 50'000'000;
inline constexpr std::size_t max_replicas_per_block = 1'024;

/// Throws InputError with file, line and what was expected when the text is not a listing, is cut inside a list, or a
/// line of it is broken. `file` names the stream in errors.
/// Cost: linear; about 2 million replicas a second.
[[nodiscard]] Listing read_fsck(std::istream& in, const std::string& file, ServerNaming naming = ServerNaming::host);

/// The same from a file, or from the standard input for `-`.
[[nodiscard]] Listing read_fsck_file(const std::string& path, ServerNaming naming = ServerNaming::host);

}  // namespace schedproof::input
