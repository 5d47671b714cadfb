/// Servers with loads, looked up by the names that placements use. Private to the readers of placements.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "experiments/input/placement/cluster_loads.hpp"
#include "model/assignment/instance.hpp"

namespace schedproof::input::detail {

class ServerTable {
  public:
    /// `default_cores`: of servers without loads, which are added when they are asked for.
    ServerTable(ClusterLoads loads, std::optional<std::uint32_t> default_cores);

    /// The server of this name; none when it is unknown and no number of cores is given.
    [[nodiscard]] std::optional<ServerId> find(std::string_view name);
    /// What was expected when a name is unknown.
    [[nodiscard]] std::string complaint(std::string_view name) const;

    /// Servers, cores and loads of an instance; the table is empty afterwards.
    [[nodiscard]] assignment::InstanceData take();
    [[nodiscard]] std::size_t added() const { return added_; }

  private:
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    ClusterLoads loads_;
    std::optional<std::uint32_t> default_cores_;
    std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> index_;
    std::string letters_;       // of server names, where loads are numbered
    bool has_letters_ = false;  // whether one was seen
    std::size_t added_ = 0;
};

}  // namespace schedproof::input::detail
