#include "experiments/input/fsck/listing.hpp"

#include <fmt/core.h>

namespace schedproof::input {

std::string_view name(SkippedLine reason) {
    constexpr std::array<std::string_view, Tallies<SkippedLine>::size> names{
        "blank", "progress dots", "banner", "note on a file", "summary", "symlink", "not part of a listing"};
    return names[static_cast<std::size_t>(reason)];
}

std::string_view name(Trouble reason) {
    constexpr std::array<std::string_view, Tallies<Trouble>::size> names{"under replicated", "corrupt", "missing",
                                                                         "placement policy violated"};
    return names[static_cast<std::size_t>(reason)];
}

std::string_view name(SkippedReplica reason) {
    constexpr std::array<std::string_view, Tallies<SkippedReplica>::size> names{
        "on a dead node", "on a decommissioned node", "on a node in maintenance",
        "corrupt",        "in excess, to be deleted", "second one on the same server"};
    return names[static_cast<std::size_t>(reason)];
}

std::string_view name(BareBlock reason) {
    constexpr std::array<std::string_view, Tallies<BareBlock>::size> names{
        "marked MISSING!", "without a list of locations (-locations not given?)", "with an empty list of locations",
        "of which every replica was skipped"};
    return names[static_cast<std::size_t>(reason)];
}

namespace {

template <class Enum>
void append(std::string& text, std::string_view what, const Tallies<Enum>& tallies) {
    for (std::size_t i = 0; i < Tallies<Enum>::size; ++i) {
        const auto reason = static_cast<Enum>(i);
        if (const Tally& tally = tallies[reason]; tally.count != 0)
            text += fmt::format("{} {}: {}, first at line {}\n", what, name(reason), tally.count, tally.first_line);
    }
}

}  // namespace

std::string ImportSummary::to_string() const {
    std::string text = fmt::format(
        "{} lines: {} files ({} bytes), {} directories, {} blocks, {} replicas counted, {} data-nodes, {} racks\n",
        lines, files, bytes, directories, blocks, replicas, data_nodes, racks);
    if (erasure_coded_files != 0)
        text += fmt::format("erasure-coded: {} files, {} block groups\n", erasure_coded_files, erasure_coded_blocks);
    if (open_files != 0) text += fmt::format("open for writing: {} files\n", open_files);
    append(text, "notes,", troubles);
    append(text, "replicas skipped,", replicas_skipped);
    append(text, "blocks", bare_blocks);
    append(text, "lines skipped,", lines_skipped);
    for (const std::string& difference : differences) text += "difference: " + difference + "\n";
    return text;
}

bool is_under(std::string_view path, std::string_view root) {
    while (root.size() > 1 && root.ends_with('/')) root.remove_suffix(1);
    if (root == "/" || root.empty()) return true;
    return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
}

}  // namespace schedproof::input
