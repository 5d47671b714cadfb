/// Lines of a listing that are neither path nor block, and the comparison of its summary with what was read.
///
/// A line is told by how it begins. The table is in order: the first beginning that fits decides, so lines of the
/// summary stand before the notes that they resemble. Versions of Hadoop print different summaries, and copies are
/// mixed with other output, so an unknown line is counted and not an error. Totals of replicated and erasure-coded
/// blocks are added up. A difference is reported, not thrown: the counts that matter are those of what was read.
/// Source: docs/models/inputs.md, Listings of HDFS blocks.
#include "experiments/input/fsck/listing_summary.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "experiments/input/fsck/line.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"

namespace schedproof::input::fsck {

namespace {

using Beginning = std::pair<std::string_view, SkippedLine>;

// The first that fits decides, so `CORRUPT FILES:` of the summary stands before the note `CORRUPT 1 blocks ...`.
constexpr std::array<Beginning, 45> beginnings{{
    {"Status:", SkippedLine::summary},
    {"Total ", SkippedLine::summary},
    {"(Total ", SkippedLine::summary},
    {"Number of ", SkippedLine::summary},
    {"Minimally ", SkippedLine::summary},
    {"Over-", SkippedLine::summary},
    {"Under-", SkippedLine::summary},
    {"Mis-replicated", SkippedLine::summary},
    {"Unsatisfactory placement", SkippedLine::summary},
    {"Default replication", SkippedLine::summary},
    {"Average block", SkippedLine::summary},
    {"Missing ", SkippedLine::summary},
    {"Corrupt ", SkippedLine::summary},
    {"Blocks queued", SkippedLine::summary},
    {"Replicated Blocks:", SkippedLine::summary},
    {"Erasure Coded Block", SkippedLine::summary},
    {"UNDER MIN", SkippedLine::summary},
    {"MINIMAL BLOCK", SkippedLine::summary},
    {"MISSING BLOCK", SkippedLine::summary},
    {"MISSING INTERNAL", SkippedLine::summary},
    {"MISSING SIZE", SkippedLine::summary},
    {"MISSING REPLICAS", SkippedLine::summary},
    {"CORRUPT FILES", SkippedLine::summary},
    {"CORRUPT BLOCK", SkippedLine::summary},
    {"CORRUPT SIZE", SkippedLine::summary},
    {"dfs.namenode.", SkippedLine::summary},
    {"dfs.replication", SkippedLine::summary},
    {"***", SkippedLine::summary},
    {"Decommission", SkippedLine::summary},
    {"Entering Maintenance", SkippedLine::summary},
    {"Entering maintenance", SkippedLine::summary},
    {"In Maintenance", SkippedLine::summary},
    {"In maintenance", SkippedLine::summary},
    {"Blocks satisfying", SkippedLine::summary},
    {"Storage Policy", SkippedLine::summary},
    {"Connecting to namenode", SkippedLine::banner},
    {"FSCK started", SkippedLine::banner},
    {"FSCK ended", SkippedLine::banner},
    {"The filesystem under path", SkippedLine::banner},
    {"Under Construction Block", SkippedLine::banner},
    {"OK", SkippedLine::note},
    {"Under replicated ", SkippedLine::note},
    {"CORRUPT ", SkippedLine::note},
    {"MISSING ", SkippedLine::note},
    {"Replica placement policy", SkippedLine::note},
}};

void add_to(std::optional<std::uint64_t>& sum, std::uint64_t value) {
    const std::uint64_t before = sum.value_or(0);
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    sum = value > most - before ? most : before + value;
}

void compare(std::vector<std::string>& differences, std::string_view what,
             const std::optional<std::uint64_t>& announced, std::uint64_t read) {
    if (announced && *announced != read)
        differences.push_back(
            fmt::format("the summary of the listing counts {} {}, but {} were read", *announced, what, read));
}

}  // namespace

SkippedLine classify(std::string_view line) {
    if (line.empty()) return SkippedLine::blank;
    if (line.find_first_not_of('.') == std::string_view::npos) return SkippedLine::progress;
    for (const auto& [beginning, kind] : beginnings)
        if (line.starts_with(beginning)) return kind;
    return SkippedLine::other;
}

std::optional<Trouble> trouble_of(std::string_view note) {
    if (note.starts_with("Under replicated")) return Trouble::under_replicated;
    if (note.starts_with("CORRUPT")) return Trouble::corrupt;
    if (note.starts_with("MISSING")) return Trouble::missing;
    if (note.starts_with("Replica placement policy")) return Trouble::misplaced;
    return std::nullopt;
}

bool read_announcement(std::string_view line, Announced& announced) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return true;
    const std::string_view key = line.substr(0, colon), value = base::trimmed(line.substr(colon + 1));
    if (key == "Status") {
        announced.status = value.substr(0, 40);
        return true;
    }
    const bool blocks = key == "Total blocks (validated)" || key == "Total block groups (validated)";
    const bool files = key == "Total files", directories = key == "Total dirs", bytes = key == "Total size";
    const bool nodes = key == "Number of data-nodes", racks = key == "Number of racks";
    if (!blocks && !files && !directories && !bytes && !nodes && !racks) return true;
    std::uint64_t number = 0;
    if (std::from_chars(value.data(), value.data() + value.size(), number).ec != std::errc()) return false;
    if (blocks) add_to(announced.blocks, number);
    if (files) add_to(announced.files, number);
    if (directories) add_to(announced.directories, number);
    if (bytes) add_to(announced.bytes, number);
    if (nodes) announced.data_nodes = std::max(announced.data_nodes.value_or(0), number);
    if (racks) announced.racks = std::max(announced.racks.value_or(0), number);
    return true;
}

void compare_with_announced(ImportSummary& summary) {
    std::vector<std::string>& out = summary.differences;
    const Announced& announced = summary.announced;
    if (announced.status.empty())
        out.emplace_back("the listing has no summary (no line 'Status: ...'): it may be cut short");
    compare(out, "blocks", announced.blocks, summary.blocks);
    compare(out, "files", announced.files, summary.files);
    compare(out, "directories", announced.directories, summary.directories);
    compare(out, "bytes", announced.bytes, summary.bytes);
    if (const std::uint64_t known = announced.data_nodes.value_or(summary.data_nodes); known > summary.data_nodes)
        out.push_back(fmt::format(
            "the summary counts {} data-nodes, but only {} hold a listed block: {} more cannot be named and "
            "are no servers of the result",
            known, summary.data_nodes, known - summary.data_nodes));
    else
        compare(out, "data-nodes", announced.data_nodes, summary.data_nodes);
    if (summary.racks != 0)
        compare(out, "racks", announced.racks, summary.racks);
    else if (announced.racks.value_or(1) > 1)
        out.push_back(fmt::format("the summary counts {} racks, but no location names one (-racks not given?)",
                                  *announced.racks));
    if (const Tally& files = summary.files_with_other_count; files.count != 0)
        out.push_back(fmt::format("{} file(s) have fewer block lines than they announce, the first at line {}",
                                  files.count, files.first_line));
    if (const Tally& other = summary.lines_skipped[SkippedLine::other]; other.count != 0)
        out.push_back(fmt::format("{} line(s) are no part of a listing and were skipped, the first at line {}",
                                  other.count, other.first_line));
}

}  // namespace schedproof::input::fsck
