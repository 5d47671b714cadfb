/// Cores as rows come in, collected server by server. Private to the readers of loads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "experiments/input/placement/cluster_loads.hpp"
#include "model/assignment/codec/tick_gauge.hpp"

namespace schedproof::input::detail {

class CoreRows {
  public:
    explicit CoreRows(std::string file) { result_.file = std::move(file); }

    /// One core. Throws InputError at the line when the load does not fit or is negative, or the limit is reached.
    void add(std::string_view server, std::uint32_t core, const Rational& load, std::size_t line, std::string_view key);
    /// A server with all its cores. Throws InputError when the server stood before.
    void add_server(std::string_view server, const std::vector<Rational>& loads, std::size_t line,
                    std::string_view key);
    /// Throws InputError when a core stands twice or is left out, or there is none at all.
    [[nodiscard]] ClusterLoads finish();

    /// The load that the text is, checked. Throws InputError at the place.
    [[nodiscard]] Rational load_of(std::string_view text, std::size_t line, std::string_view key);

  private:
    struct CoreLoad {
        std::uint32_t server;
        std::uint32_t core;
        std::size_t line;
        Rational load;
    };
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::pair<std::uint32_t, bool> server_index(std::string_view name, std::size_t line, std::string_view key);
    [[noreturn]] void fail(std::size_t line, std::string_view key, std::string expected) const;

    ClusterLoads result_;
    assignment::TickGauge gauge_;
    std::vector<CoreLoad> rows_;
    std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> index_;
};

}  // namespace schedproof::input::detail
