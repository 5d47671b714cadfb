#include "experiments/input/placement/server_table.hpp"

#include <fmt/core.h>

#include "experiments/input/text/pair_reader.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input::detail {

ServerTable::ServerTable(ClusterLoads loads, std::optional<std::uint32_t> default_cores)
    : loads_(std::move(loads)), default_cores_(default_cores) {
    if (loads_.numbered) return;  // a number is its own index
    index_.reserve(loads_.servers.size());
    for (std::size_t s = 0; s < loads_.servers.size(); ++s) index_.emplace(loads_.servers[s], s);
}

std::optional<ServerId> ServerTable::find(std::string_view name) {
    if (loads_.numbered) {
        const auto numbered = numbered_name(name);
        if (!numbered || (has_letters_ && numbered->letters != letters_)) return std::nullopt;
        letters_ = numbered->letters;
        has_letters_ = true;
        const std::uint32_t base = loads_.servers.front() == "0" ? 0 : 1;
        if (numbered->number < base || numbered->number - base >= loads_.servers.size()) return std::nullopt;
        return ServerId(numbered->number - base);
    }
    if (const auto found = index_.find(name); found != index_.end()) return ServerId(found->second);
    if (!default_cores_) return std::nullopt;
    const std::size_t index = loads_.servers.size();
    index_.emplace(name, index);
    loads_.servers.emplace_back(name);
    loads_.cores.push_back(*default_cores_);
    loads_.loads.resize(loads_.loads.size() + *default_cores_);
    ++added_;
    return ServerId(index);
}

std::string ServerTable::complaint(std::string_view name) const {
    if (loads_.numbered)
        return fmt::format("expected a server numbered from {} to {}, all named alike, not {}", loads_.servers.front(),
                           loads_.servers.back(), base::shown(name));
    return fmt::format("expected a load of server {} in {}{}; or --cores N, for servers without", base::shown(name),
                       loads_.file, base::did_you_mean(name, loads_.servers));
}

assignment::InstanceData ServerTable::take() {
    assignment::InstanceData data;
    if (loads_.numbered)
        for (std::string& name : loads_.servers) name = "s" + name;
    data.servers = std::move(loads_.servers);
    data.cores = std::move(loads_.cores);
    data.loads = std::move(loads_.loads);
    return data;
}

}  // namespace schedproof::input::detail
