/// What a listing of `hdfs fsck PATH -files -blocks -locations -racks` says: servers, files, blocks, replicas.
///
/// The listing is kept whole, file by file, because two things are made of it: task types for the queueing family
/// (equal replica sets merged), and the blocks of one file or job for the assignment family. Replicas that hold no
/// usable copy are left out when it is read; the summary counts each of them by reason, and every skipped line too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/ids.hpp"

namespace schedproof::input {

struct ListedServer {
    std::string name;  ///< host, or host:port when servers are told apart by port
    std::string rack;  ///< path of its rack, such as `/dc1/rack2`; empty when the listing has none
    friend bool operator==(const ListedServer&, const ListedServer&) = default;
};

struct ListedBlock {
    std::int64_t id = 0;
    std::uint64_t stamp = 0;  ///< generation stamp
    std::uint64_t bytes = 0;
    std::size_t first_replica = 0;
    std::uint32_t replicas = 0;  ///< usable ones; none for a missing block
    friend bool operator==(const ListedBlock&, const ListedBlock&) = default;
};

struct ListedFile {
    std::string path;
    std::uint64_t bytes = 0;
    std::size_t first_block = 0;
    std::uint32_t blocks = 0;
    bool erasure_coded = false;  ///< a location of its blocks holds a cell of the block, not a copy
    bool open = false;           ///< being written; the last block may still grow
    friend bool operator==(const ListedFile&, const ListedFile&) = default;
};

/// How often something happened, and where first.
struct Tally {
    std::size_t count = 0;
    std::size_t first_line = 0;
    void add(std::size_t line) {
        if (count++ == 0) first_line = line;
    }
    friend bool operator==(const Tally&, const Tally&) = default;
};

/// One tally per value of an enumeration that ends with `count_`.
template <class Enum>
class Tallies {
  public:
    static constexpr std::size_t size = static_cast<std::size_t>(Enum::count_);
    [[nodiscard]] const Tally& operator[](Enum reason) const { return tallies_[static_cast<std::size_t>(reason)]; }
    void add(Enum reason, std::size_t line) { tallies_[static_cast<std::size_t>(reason)].add(line); }
    friend bool operator==(const Tallies&, const Tallies&) = default;

  private:
    std::array<Tally, size> tallies_{};
};

/// Lines that carry no file, directory or block. A note is what Hadoop says of a file on a line of its own.
enum class SkippedLine { blank, progress, banner, note, summary, symlink, other, count_ };

/// What a note says, on a line of its own or at the end of a file line.
enum class Trouble { under_replicated, corrupt, missing, misplaced, count_ };

/// Locations that hold no copy a task could read, and repetitions.
enum class SkippedReplica { dead, decommissioned, in_maintenance, corrupt, excess, same_server, count_ };

/// Blocks without a usable replica.
enum class BareBlock { missing, no_list, empty_list, all_skipped, count_ };

[[nodiscard]] std::string_view name(SkippedLine reason);
[[nodiscard]] std::string_view name(Trouble reason);
[[nodiscard]] std::string_view name(SkippedReplica reason);
[[nodiscard]] std::string_view name(BareBlock reason);

/// What the listing's own summary says; of several listings in one file the sums (of data-nodes and racks, the most).
struct Announced {
    std::optional<std::uint64_t> blocks, files, directories, bytes, data_nodes, racks;
    std::string status;  ///< HEALTHY, CORRUPT, or empty without a summary
};

struct ImportSummary {
    std::size_t lines = 0;
    std::size_t files = 0, directories = 0, blocks = 0, replicas = 0;
    std::size_t erasure_coded_files = 0, erasure_coded_blocks = 0, open_files = 0;
    std::uint64_t bytes = 0;     ///< of all files
    std::size_t data_nodes = 0;  ///< different HOST:PORT, counted or not
    std::size_t racks = 0;       ///< different racks of servers; 0 without -racks
    Tallies<SkippedLine> lines_skipped;
    Tallies<Trouble> troubles;
    Tallies<SkippedReplica> replicas_skipped;
    Tallies<BareBlock> bare_blocks;
    Tally files_with_other_count;  ///< files with fewer block lines than announced
    Announced announced;
    /// One sentence for each way in which the listing's summary and what was read disagree, or cannot be compared.
    std::vector<std::string> differences;

    /// The whole of it for people, one fact a line.
    [[nodiscard]] std::string to_string() const;
};

struct Listing {
    std::vector<ListedServer> servers;  ///< in order of appearance
    std::vector<ListedFile> files;
    std::vector<ListedBlock> blocks;  ///< file by file
    std::vector<ServerId> replicas;   ///< block by block, in the order of the listing
    ImportSummary summary;

    [[nodiscard]] std::span<const ListedBlock> blocks_of(const ListedFile& file) const {
        return std::span(blocks).subspan(file.first_block, file.blocks);
    }
    [[nodiscard]] std::span<const ServerId> replicas_of(const ListedBlock& block) const {
        return std::span(replicas).subspan(block.first_replica, block.replicas);
    }
};

/// Whether a path is the root or lies below it; everything lies below `/`.
[[nodiscard]] bool is_under(std::string_view path, std::string_view root);

}  // namespace schedproof::input
