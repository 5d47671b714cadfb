#include "experiments/simulators/events/recorder.hpp"

#include <utility>

namespace schedproof::simulation {

std::vector<EventQuantity> event_quantities(const ServerClasses& classes, std::span<const std::string> levels,
                                            const std::string& unit, double tick) {
    using Sums = EventSums;
    const auto real = [](std::uint64_t count) { return static_cast<double>(count); };
    std::vector<EventQuantity> list{
        {{"task delay", unit, true, tick},
         [=](const Sums& sums, double) {
             return Tally{sums.delay, real(sums.delayed)};
         },
         &Sums::delays},
        {{"task wait", unit},
         [=](const Sums& sums, double) {
             return Tally{sums.wait, real(sums.delayed)};
         }},
        {{"tasks in system", "task"},
         [](const Sums& sums, double length) {
             return Tally{sums.area, length};
         }},
        {{"growth of tasks in system", "task/" + unit}, [=](const Sums& sums, double length) {
             return Tally{real(sums.arrived) - real(sums.completed), length};
         }}};
    for (std::size_t c = 0; c < classes.names.size(); ++c) {
        const std::string& name = classes.names[c];
        list.push_back({{name.empty() ? "utilisation" : "utilisation of " + name, "1"},
                        [c, servers = real(classes.servers[c])](const Sums& sums, double length) {
                            return Tally{sums.busy[c], length * servers};
                        }});
    }
    for (std::size_t level = 0; level < levels.size(); ++level)
        list.push_back({{"share completed " + levels[level], "1"}, [=](const Sums& sums, double) {
                            return Tally{real(sums.at_level[level]), real(sums.completed)};
                        }});
    return list;
}

void EventRecorder::close() {
    Batch batch;
    for (const EventQuantity& one : recorded_) {
        batch.tallies.push_back(one.tally(sums_, batch_end_ - batch_start_));
        batch.histograms.push_back(one.histogram == nullptr ? statistics::Histogram()
                                                            : std::move(sums_.*one.histogram));
    }
    observation_.work += sums_.completed;
    observation_.batches.push_back(std::move(batch));
    EventSums next;
    next.busy.assign(sums_.busy.size(), 0);
    next.at_level.assign(sums_.at_level.size(), 0);
    sums_ = std::move(next);
    batch_start_ = batch_end_;
    batch_end_ = next_end();
}

}  // namespace schedproof::simulation
