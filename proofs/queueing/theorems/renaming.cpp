#include "proofs/queueing/theorems/renaming.hpp"

#include <algorithm>
#include <numeric>

namespace schedproof::queueing {

namespace {

/// By type, one that the renamed servers hold at the levels of this one; no type twice.
std::optional<std::vector<std::uint32_t>> types_that_match(const Instance& instance,
                                                           const std::vector<std::uint32_t>& server) {
    const std::size_t types = instance.types().size();
    std::vector<bool> taken(types, false);
    std::vector<std::uint32_t> to;
    const auto matches = [&](TaskTypeId old, TaskTypeId type) {
        if (instance.rates_at_servers() && instance.row(old) != instance.row(type)) return false;
        for (std::size_t m = 0; m < server.size(); ++m) {
            const ServerId from(m), image(server[m]);
            if (instance.can_serve(from, old) != instance.can_serve(image, type)) return false;
            if (instance.can_serve(from, old) && instance.level(old, from) != instance.level(type, image)) return false;
        }
        return true;
    };
    for (std::size_t old = 0; old < types; ++old) {
        std::size_t type = 0;
        while (type < types && (taken[type] || !matches(TaskTypeId(old), TaskTypeId(type)))) ++type;
        if (type == types) return {};
        taken[type] = true;
        to.push_back(static_cast<std::uint32_t>(type));
    }
    return to;
}

}  // namespace

Renaming same_names(std::size_t servers, std::size_t queues) {
    Renaming same;
    same.server.resize(servers);
    same.queue.resize(queues);
    std::iota(same.server.begin(), same.server.end(), 0U);
    std::iota(same.queue.begin(), same.queue.end(), 0U);
    return same;
}

Renaming after(const Renaming& first, const Renaming& second) {
    Renaming both;
    for (const std::uint32_t m : first.server) both.server.push_back(second.server[m]);
    for (const std::uint32_t q : first.queue) both.queue.push_back(second.queue[q]);
    return both;
}

Service renamed(const Service& service, const Renaming& by) {
    if (service.status == Service::Status::idle) return service;
    Service image = service;
    image.queue = QueueId(by.queue[service.queue.index()]);
    return image;
}

bool is_permutation_of(const std::vector<std::uint32_t>& image, std::size_t size) {
    std::vector<std::uint32_t> sorted = image, all(size);
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0U);
    return sorted == all;
}

Classes::Classes(std::uint64_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }

std::uint32_t Classes::least(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
}

void Classes::join(std::uint32_t i, std::uint32_t j) {
    const auto [low, high] = std::minmax({least(i), least(j)});
    parent_[high] = low;
}

std::optional<Renaming> renaming_of(const Instance& instance, const Layout& layout,
                                    const std::vector<std::uint32_t>& server) {
    const std::optional<std::vector<std::uint32_t>> types = types_that_match(instance, server);
    if (!types) return {};
    Renaming result{server, {}};
    for (std::size_t q = 0; q < layout.queues(); ++q) {
        const QueueId queue(q);
        if (layout.is_shared(queue)) {
            result.queue.push_back(static_cast<std::uint32_t>(q));
        } else if (layout.arrangement() == Arrangement::per_type) {
            result.queue.push_back((*types)[q]);
        } else {
            const ServerId owner = layout.owner(queue);
            const auto first = [&](ServerId m) { return (*layout.queues_of(m).begin()).index(); };
            result.queue.push_back(
                static_cast<std::uint32_t>(q - first(owner) + first(ServerId(server[owner.index()]))));
        }
    }
    return result;
}

}  // namespace schedproof::queueing
