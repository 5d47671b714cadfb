/// Shelves are built once per job and never searched as a whole.
///
/// With as many replicas as places, counting sort fills a shelf for every place, which a node finds by its number. A
/// small job on a large cluster would pay for places that it does not use, so its replicas are sorted and only their
/// places get shelves. Tasks are kept in order, so the first unlaunched one is the one of least number, as the exact
/// view has it.
#include "experiments/simulators/sharing/task_shelves.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>

namespace schedproof::simulation {

using sharing::Cluster;
using sharing::NodeId;

namespace {

/// Jobs of more tasks give their memory back when they are done.
constexpr std::size_t many = 1000;

}  // namespace

void TaskShelves::fill(const Cluster& cluster, std::size_t racks, const sharing::Job& job,
                       std::span<const sharing::Ticks> times) {
    tasks_ = static_cast<std::uint32_t>(job.tasks.size());
    launched_.assign((job.tasks.size() + 63) / 64, 0);
    times_.assign(times.begin(), times.end());
    head_ = 0;
    width_ = job.tasks.front().size();
    const bool uniform =
        std::all_of(job.tasks.begin(), job.tasks.end(), [&](const auto& data) { return data.size() == width_; });
    homes_.clear();
    starts_.clear();
    homes_.reserve(width_ * job.tasks.size());
    for (const sharing::Replicas& data : job.tasks) {
        if (!uniform) starts_.push_back(static_cast<std::uint32_t>(homes_.size()));
        homes_.insert(homes_.end(), data.begin(), data.end());
    }
    if (!uniform) starts_.push_back(static_cast<std::uint32_t>(homes_.size()));
    build(nodes_, cluster.nodes(), [](NodeId n) { return n.index(); });
    if (racks > 1) build(racks_, racks, [&](NodeId n) { return cluster.rack[n.index()].index(); });
}

void TaskShelves::clear() {
    if (tasks_ > many) *this = {};
}

template <class PlaceOf>
void TaskShelves::build(Shelves& shelves, std::size_t places, PlaceOf&& place_of) {
    shelves.shelves.clear();
    shelves.places.clear();
    if (homes_.size() >= places)
        build_direct(shelves, places, place_of);
    else
        build_sorted(shelves, place_of);
}

/// Sorting by counting: tasks are gone through in their order, so those of a shelf ascend.
template <class PlaceOf>
void TaskShelves::build_direct(Shelves& shelves, std::size_t places, PlaceOf&& place_of) {
    shelves.shelves.resize(places);
    for (const NodeId n : homes_) ++shelves.shelves[place_of(n)].last;
    std::uint32_t first = 0;
    for (Shelf& shelf : shelves.shelves) {
        const std::uint32_t count = shelf.last;
        shelf = {first, first, first};
        first += count;
    }
    shelves.tasks.resize(homes_.size());
    for (std::uint32_t t = 0; t < tasks_; ++t)
        for (const NodeId n : holders(t)) {
            Shelf& shelf = shelves.shelves[place_of(n)];
            // Two replicas of a task may be on one rack.
            if (shelf.last == shelf.first || shelves.tasks[shelf.last - 1] != t) shelves.tasks[shelf.last++] = t;
        }
}

template <class PlaceOf>
void TaskShelves::build_sorted(Shelves& shelves, PlaceOf&& place_of) {
    boost::container::small_vector<std::uint64_t, 64> replicas;  // place and task of each
    for (std::uint32_t t = 0; t < tasks_; ++t)
        for (const NodeId n : holders(t)) replicas.push_back(std::uint64_t{place_of(n)} << 32 | t);
    std::sort(replicas.begin(), replicas.end());
    replicas.erase(std::unique(replicas.begin(), replicas.end()), replicas.end());
    shelves.tasks.clear();
    for (const std::uint64_t r : replicas) {
        const auto place = static_cast<std::uint32_t>(r >> 32), at = static_cast<std::uint32_t>(shelves.tasks.size());
        if (shelves.places.empty() || shelves.places.back() != place) {
            shelves.places.push_back(place);
            shelves.shelves.push_back({at, at, at});
        }
        shelves.tasks.push_back(static_cast<std::uint32_t>(r));
        ++shelves.shelves.back().last;
    }
}

void TaskShelves::put_back(const Cluster& cluster, std::uint32_t task) {
    launched_[task / 64] &= ~bit(task);
    head_ = std::min(head_, task);
    for (const NodeId n : holders(task)) {
        put_back(nodes_, n.index(), task);
        put_back(racks_, cluster.rack[n.index()].index(), task);
    }
}

void TaskShelves::put_back(Shelves& shelves, std::size_t place, std::uint32_t task) {
    Shelf* const shelf = shelves.at(place);
    if (shelf == nullptr) return;
    const auto first = shelves.tasks.begin() + shelf->first, last = shelves.tasks.begin() + shelf->last;
    const auto at = static_cast<std::uint32_t>(std::lower_bound(first, last, task) - shelves.tasks.begin());
    shelf->head = std::min(shelf->head, at);
}

}  // namespace schedproof::simulation
