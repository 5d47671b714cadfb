#include "experiments/input/placement/core_rows.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/assignment/codec/codec.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::input::detail {

void CoreRows::fail(std::size_t line, std::string_view key, std::string expected) const {
    throw InputError::at_line(result_.file, line, std::string(key), std::move(expected));
}

std::pair<std::uint32_t, bool> CoreRows::server_index(std::string_view name, std::size_t line, std::string_view key) {
    if (const auto found = index_.find(name); found != index_.end()) return {found->second, false};
    if (name.empty()) fail(line, key, "expected the name of a server");
    if (name.size() > base::max_name_bytes)
        fail(line, key, fmt::format("expected a name of at most {} bytes", base::max_name_bytes));
    if (result_.servers.size() == queueing::max_servers)
        fail(line, key, fmt::format("expected at most {} servers", queueing::max_servers));
    const auto index = static_cast<std::uint32_t>(result_.servers.size());
    index_.emplace(name, index);
    result_.servers.emplace_back(name);
    return {index, true};
}

Rational CoreRows::load_of(std::string_view text, std::size_t line, std::string_view key) {
    const auto load = Rational::parse(text);
    if (!load) fail(line, key, load.error());
    if (const std::string fault = gauge_.add(*load); !fault.empty()) fail(line, key, fault);
    return *load;
}

void CoreRows::add(std::string_view server, std::uint32_t core, const Rational& load, std::size_t line,
                   std::string_view key) {
    if (rows_.size() == assignment::max_cores)
        fail(line, key, fmt::format("expected at most {} cores in all", assignment::max_cores));
    rows_.push_back({server_index(server, line, key).first, core, line, load});
}

void CoreRows::add_server(std::string_view server, const std::vector<Rational>& loads, std::size_t line,
                          std::string_view key) {
    const auto [index, is_new] = server_index(server, line, key);
    if (!is_new) {
        const auto before = std::find_if(rows_.begin(), rows_.end(),
                                         [known = index](const CoreLoad& row) { return row.server == known; });
        fail(line, key,
             fmt::format("expected each server once, but {} stands on line {}", base::shown(server), before->line));
    }
    if (loads.size() > assignment::max_cores - rows_.size())
        fail(line, key, fmt::format("expected at most {} cores in all", assignment::max_cores));
    for (std::size_t i = 0; i < loads.size(); ++i)
        rows_.push_back({index, static_cast<std::uint32_t>(i), line, loads[i]});
}

ClusterLoads CoreRows::finish() {
    if (rows_.empty()) throw InputError::in_file(result_.file, "expected at least one core");
    const auto by_core = [](const CoreLoad& a, const CoreLoad& b) {
        return std::pair(a.server, a.core) < std::pair(b.server, b.core);
    };
    if (!std::is_sorted(rows_.begin(), rows_.end(), by_core)) std::stable_sort(rows_.begin(), rows_.end(), by_core);
    result_.cores.assign(result_.servers.size(), 0);
    result_.loads.reserve(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const CoreLoad& row = rows_[i];
        const std::string& name = result_.servers[row.server];
        std::uint32_t& next = result_.cores[row.server];
        if (row.core < next)
            fail(row.line, "core",
                 fmt::format("expected each core once, but core {} of {} stands on line {}", row.core,
                             base::shown(name), rows_[i - 1].line));
        if (row.core > next)
            fail(row.line, "core",
                 fmt::format("expected the cores of {} numbered from 0 on, but {} is left out", base::shown(name),
                             next));
        ++next;
        result_.loads.push_back(std::move(rows_[i].load));
    }
    return std::move(result_);
}

}  // namespace schedproof::input::detail
