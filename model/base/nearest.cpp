#include "model/base/nearest.hpp"

#include <algorithm>
#include <array>

namespace schedproof::base {

namespace {

constexpr std::size_t longest_word = 64;

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t cutoff) {
    if (a == b) return 0;
    if (a.size() > longest_word || b.size() > longest_word) return cutoff + 1;
    const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (gap > cutoff) return cutoff + 1;

    // Three rows of the table suffice: a swap looks two rows back.
    using Row = std::array<std::size_t, longest_word + 1>;
    Row before{}, last{}, row{};
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            const bool swapped =
                i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
    }
    return std::min(last[b.size()], cutoff + 1);
}

bool is_part(std::string_view word, std::string_view name, bool at_start) {
    constexpr std::size_t shortest_part = 3;
    if (word.size() < shortest_part) return false;
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    const auto found = std::search(name.begin(), name.end(), word.begin(), word.end(), same);
    return at_start ? found == name.begin() && !name.empty() : found != name.end();
}

}  // namespace schedproof::base
