/// The parts of the queueing schema's decoder. Private to the reader; use codec.hpp.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/base/cursor.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::queueing::codec {

using base::Cursor;
using base::did_you_mean;
using base::Field;
using base::shown;

/// Position of each name in its list.
using Index = std::unordered_map<std::string_view, std::size_t>;

template <class Things>
[[nodiscard]] Index index_names(const Things& things) {
    Index index;
    index.reserve(things.size());
    for (std::size_t i = 0; i < things.size(); ++i) index.try_emplace(things[i].name, i);
    return index;
}

/// Throws InputError at the list (at its item, when every item is one thing) when two things have one name.
template <class Things>
void require_unique_names(const Cursor& at, const Things& things) {
    std::unordered_set<std::string_view> seen;
    seen.reserve(things.size());
    for (std::size_t i = 0; i < things.size(); ++i) {
        if (seen.insert(things[i].name).second) continue;
        const bool item_each = at.is_array() && at.array("").size() == things.size();
        (item_each ? at.item(i) : at).fail("expected different names, but " + shown(things[i].name) + " stands twice");
    }
}

/// Keeps the common denominator of many numbers small enough that their sums stay quick.
class CommonDenominator {
  public:
    /// Throws InputError at the cursor when it gets too long.
    void add(const Cursor& at, const Rational& value);

  private:
    Integer common_ = 1;
};

/// Position of the name that the cursor holds. Throws InputError naming the nearest of `things` when it is unknown.
[[nodiscard]] std::size_t known_name(const Cursor& at, const Index& index, const std::vector<Server>& servers);
[[nodiscard]] std::size_t known_name(const Cursor& at, const Index& index, const std::vector<TaskType>& types);

/// The value of `servers`: a count, a table with count and group-sizes, or a list.
[[nodiscard]] std::vector<Server> decode_servers(const Cursor& at);

/// The factors by which servers are faster than the levels say: `speed` of the items of a list of servers, 1 where an
/// item has none. Empty when none has. Requires: the list was decoded.
[[nodiscard]] std::vector<Rational> decode_speeds(const Cursor& at);

/// The value of `types`: a list of explicit types and generators.
[[nodiscard]] std::vector<TaskType> decode_types(const Cursor& at, const std::vector<Server>& servers);

/// The value of `arrivals`: fills `rates` and, unless the kind is `rates`, `arrivals`.
void decode_arrivals(const Cursor& at, InstanceData& data);

/// The value of `slack`. Types and arrivals of `data` must be known already.
void decode_slack(const Cursor& at, InstanceData& data);

/// The value of `lyapunov`. Servers and levels of `data` must be known already.
[[nodiscard]] std::vector<LyapunovText> decode_lyapunov(const Cursor& at, const InstanceData& data);

}  // namespace schedproof::queueing::codec
