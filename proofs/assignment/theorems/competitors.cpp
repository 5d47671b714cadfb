#include "proofs/assignment/theorems/competitors.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace schedproof::assignment {

namespace {

/// By core: tasks in all, then by core: remote ones.
using Table = std::vector<std::uint8_t>;

/// Whether a has the same tasks in all on each core, and on none more remote ones.
bool undercuts(const Table& a, const Table& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] > b[i]) return false;
    return true;
}

}  // namespace

std::vector<Assignment> competitors(const Shape& shape, std::uint64_t limit) {
    require(shape.tasks().size() < 256, "competitors of a few tasks");
    const std::size_t cores = shape.cores().size();
    // Tables of the first t tasks, each with one assignment that has it.
    std::map<Table, Assignment> tables{{Table(2 * cores, 0), {}}};
    for (const TaskId t : shape.tasks()) {
        std::map<Table, Assignment> longer;
        for (const auto& [table, map] : tables)
            for (const CoreId p : shape.cores()) {
                Table next = table;
                ++next[p.index()];
                if (!shape.is_local(t, shape.server_of(p))) ++next[cores + p.index()];
                const auto [place, is_new] = longer.try_emplace(std::move(next), map);
                if (is_new) place->second.push_back(p);
                if (longer.size() > limit)
                    throw LimitExceeded("competitors", "more than " + std::to_string(limit) + " of them");
            }
        tables = std::move(longer);
    }
    // Tables with the same first half stand together.
    std::vector<Assignment> result;
    for (auto begin = tables.begin(); begin != tables.end();) {
        auto end = begin;
        const auto half = [&](const Table& t) {
            return Table(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(cores));
        };
        while (end != tables.end() && half(end->first) == half(begin->first)) ++end;
        for (auto i = begin; i != end; ++i) {
            const bool kept = std::none_of(begin, end, [&](const auto& other) {
                return other.first != i->first && undercuts(other.first, i->first);
            });
            if (kept) result.push_back(i->second);
        }
        begin = end;
    }
    return result;
}

}  // namespace schedproof::assignment
