/// The parts of the assignment schema's decoder. Private to the reader; use codec.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/assignment/codec/tick_gauge.hpp"
#include "model/assignment/instance.hpp"
#include "model/base/cursor.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"

namespace schedproof::assignment::codec {

using base::Cursor;
using base::did_you_mean;
using base::shown;

/// A cost and where it stands; an open cap is the number of cores of the server that takes the cost.
struct DecodedCost {
    Cost cost;
    bool cap_is_cores = false;
};
[[nodiscard]] DecodedCost decode_cost(const Cursor& at);

/// Collects the cost of each server; equal ones from one place are one.
class CostTable {
  public:
    /// The cost of servers that name none.
    void set_default(DecodedCost cost) { default_ = std::move(cost); }
    /// The next server, which has `cores` and perhaps a cost of its own. Throws InputError at `at` when it has none.
    void add(const Cursor& at, std::uint32_t cores, const DecodedCost* own);
    void move_into(InstanceData& data);

  private:
    std::uint32_t index_of(const DecodedCost& cost, std::uint32_t cores);

    std::optional<DecodedCost> default_;
    std::vector<Cost> costs_;
    std::vector<std::uint32_t> cost_of_;
    std::unordered_map<std::string, std::uint32_t> index_;  // by kind and formula, which tell costs apart
};

/// The value of `servers`: fills servers, racks, cores, loads and costs.
void decode_servers(const Cursor& at, CostTable& costs, InstanceData& data);

/// The value of `tasks`: fills replicas, tasks, jobs and job names.
void decode_tasks(const Cursor& at, InstanceData& data);

}  // namespace schedproof::assignment::codec
