#include "experiments/simulators/events/recorder.hpp"

#include <utility>

namespace schedproof::simulation {

std::vector<Quantity> EventRecorder::quantities(const ServerClasses& classes, std::span<const std::string> levels,
                                                const std::string& unit, double tick) {
    std::vector<Quantity> all{{"task delay", unit, true, tick},
                              {"task wait", unit},
                              {"tasks in system", "task"},
                              {"growth of tasks in system", "task/" + unit}};
    for (const std::string& name : classes.names)
        all.push_back({name.empty() ? "utilisation" : "utilisation of " + name, "1"});
    for (const std::string& level : levels) all.push_back({"share completed " + level, "1"});
    return all;
}

void EventRecorder::close() {
    const double length = batch_end_ - batch_start_;
    const auto tasks = static_cast<double>(completed_);
    Batch batch;
    batch.tallies = {{delay_, static_cast<double>(delayed_)},
                     {wait_, static_cast<double>(delayed_)},
                     {area_, length},
                     {static_cast<double>(arrived_) - static_cast<double>(completed_), length}};
    for (std::size_t c = 0; c < busy_.size(); ++c)
        batch.tallies.push_back({busy_[c], length * static_cast<double>(classes_.servers[c])});
    for (const std::uint64_t count : at_level_) batch.tallies.push_back({static_cast<double>(count), tasks});
    batch.histograms.resize(batch.tallies.size());
    batch.histograms.front() = std::exchange(delays_, {});
    observation_.work += completed_;
    observation_.batches.push_back(std::move(batch));
    area_ = delay_ = wait_ = 0;
    arrived_ = completed_ = delayed_ = 0;
    std::fill(busy_.begin(), busy_.end(), 0);
    std::fill(at_level_.begin(), at_level_.end(), 0);
    batch_start_ = batch_end_;
    batch_end_ = next_end();
}

}  // namespace schedproof::simulation
