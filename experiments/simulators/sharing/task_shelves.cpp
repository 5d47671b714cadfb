#include "experiments/simulators/sharing/task_shelves.hpp"

#include <algorithm>

namespace schedproof::simulation {

using sharing::Cluster;
using sharing::NodeId;

void TaskShelves::fill(const Cluster& cluster, bool one_rack, const sharing::Job& job,
                       std::span<const sharing::Ticks> times) {
    launched_.assign(job.tasks.size(), 0);
    times_.assign(times.begin(), times.end());
    head_ = 0;
    const auto gather = [&](auto&& place_of) {
        places_.clear();
        for (std::size_t t = 0; t < job.tasks.size(); ++t)
            for (const NodeId n : job.tasks[t]) places_.push_back(std::uint64_t{place_of(n)} << 32 | t);
    };
    gather([](NodeId n) { return n.index(); });
    build(nodes_);
    places_.clear();
    if (!one_rack) gather([&](NodeId n) { return cluster.rack[n.index()].index(); });
    build(racks_);
}

void TaskShelves::build(Shelves& shelves) {
    std::sort(places_.begin(), places_.end());
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    shelves.shelves.clear();
    shelves.tasks.clear();
    for (const std::uint64_t p : places_) {
        const auto place = static_cast<std::uint32_t>(p >> 32), at = static_cast<std::uint32_t>(shelves.tasks.size());
        if (shelves.shelves.empty() || shelves.shelves.back().place != place)
            shelves.shelves.push_back({place, at, at, at});
        shelves.tasks.push_back(static_cast<std::uint32_t>(p));
        ++shelves.shelves.back().last;
    }
}

std::optional<std::uint32_t> TaskShelves::front(Shelves& shelves, std::size_t place) {
    const auto at = std::lower_bound(shelves.shelves.begin(), shelves.shelves.end(), place,
                                     [](const Shelf& s, std::size_t p) { return s.place < p; });
    if (at == shelves.shelves.end() || at->place != place) return {};
    while (at->head < at->last && launched_[shelves.tasks[at->head]] != 0) ++at->head;
    if (at->head == at->last) return {};
    return shelves.tasks[at->head];
}

std::uint32_t TaskShelves::launch(const Cluster& cluster, NodeId n) {
    std::optional<std::uint32_t> task = front(nodes_, n.index());
    if (!task) task = front(racks_, cluster.rack[n.index()].index());
    if (!task) {
        while (launched_[head_] != 0) ++head_;
        task = head_;
    }
    launched_[*task] = 1;
    return *task;
}

std::vector<NodeId> TaskShelves::holders(std::uint32_t task) const {
    std::vector<NodeId> nodes;
    for (const Shelf& s : nodes_.shelves)
        if (std::binary_search(nodes_.tasks.begin() + s.first, nodes_.tasks.begin() + s.last, task))
            nodes.emplace_back(s.place);
    return nodes;
}

void TaskShelves::put_back(std::uint32_t task) {
    launched_[task] = 0;
    head_ = std::min(head_, task);
    put_back(nodes_, task);
    put_back(racks_, task);
}

void TaskShelves::put_back(Shelves& shelves, std::uint32_t task) {
    for (Shelf& s : shelves.shelves) {
        const auto first = shelves.tasks.begin() + s.first, last = shelves.tasks.begin() + s.last;
        const auto at = std::lower_bound(first, last, task);
        if (at != last && *at == task)
            s.head = std::min(s.head, static_cast<std::uint32_t>(at - shelves.tasks.begin()));
    }
}

}  // namespace schedproof::simulation
