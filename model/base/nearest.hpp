/// The nearest known word to a mistyped one.
///
/// Every place that reads a name (a key, a server, a policy, an option of the command) says on error which known name
/// was probably meant. Near is the optimal string alignment distance: insertions, deletions, substitutions and swaps
/// of neighbours each cost one. Upper and lower case count as equal. Where no name is near, a part of a name is meant
/// to be that name: `jsq` is `jsq-maxweight`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schedproof::base {

/// Distance of two words, or `cutoff + 1` when it exceeds `cutoff`.
/// Cost: the product of the lengths, at most 64 each; longer words are `cutoff + 1` apart unless equal.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t cutoff);

/// Largest distance at which a candidate is still worth suggesting for the word.
[[nodiscard]] constexpr std::size_t suggestion_reach(std::string_view word) {
    return word.size() < 3 ? 1 : (word.size() + 2) / 3;
}

/// Whether the word is a part of the name of at least three characters; with `at_start`, what it begins with.
[[nodiscard]] bool is_part(std::string_view word, std::string_view name, bool at_start);

/// The candidate nearest to the word, the first of equals. When all are too far, the first that begins with the word,
/// and otherwise the first that contains it; none when there is none.
/// Requires a range of things that convert to string_view and outlive the result.
template <class Range>
[[nodiscard]] std::optional<std::string_view> nearest_match(std::string_view word, const Range& candidates) {
    std::optional<std::string_view> nearest;
    std::size_t reach = suggestion_reach(word);
    for (const auto& candidate : candidates) {
        const std::string_view name(candidate);
        const std::size_t distance = edit_distance(word, name, reach);
        if (distance > reach) continue;
        nearest = name;
        if (distance == 0) break;
        reach = distance - 1;
    }
    for (const bool at_start : {true, false})
        for (const auto& candidate : candidates)
            if (!nearest && is_part(word, candidate, at_start)) nearest = std::string_view(candidate);
    return nearest;
}

/// ` (did you mean 'x'?)`, or nothing when no candidate is near.
template <class Range>
[[nodiscard]] std::string did_you_mean(std::string_view word, const Range& candidates) {
    const std::optional<std::string_view> nearest = nearest_match(word, candidates);
    return nearest ? " (did you mean '" + std::string(*nearest) + "'?)" : std::string();
}

}  // namespace schedproof::base
