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
         [](Sums& sums) -> statistics::Histogram& { return sums.delays; }},
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

std::vector<EventQuantity> affinity_quantities(const std::string& unit, double tick, bool tokens) {
    using Sums = EventSums;
    const auto real = [](std::uint64_t count) { return static_cast<double>(count); };
    std::vector<EventQuantity> list{{{"hit share", "1"}, [=](const Sums& sums, double) {
                                         return Tally{real(sums.affinity.hits), real(sums.affinity.homed)};
                                     }}};
    if (tokens)
        list.push_back({{"share of tokens saved", "1"}, [](const Sums& sums, double) {
                            return Tally{sums.affinity.saved, sums.affinity.tokens};
                        }});
    const auto add = [&](const std::string& of, FateSums AffinitySums::*fate) {
        list.push_back({{"delay of " + of, unit, true, tick},
                        [=](const Sums& sums, double) {
                            return Tally{(sums.affinity.*fate).delay, real((sums.affinity.*fate).tasks)};
                        },
                        [=](Sums& sums) -> statistics::Histogram& { return (sums.affinity.*fate).delays; }});
        list.push_back({{"wait of " + of, unit}, [=](const Sums& sums, double) {
                            return Tally{(sums.affinity.*fate).wait, real((sums.affinity.*fate).tasks)};
                        }});
    };
    add("hits", &AffinitySums::of_hits);
    add("misses", &AffinitySums::of_misses);
    list.push_back({{"herding", "1"}, [=](const Sums& sums, double) {
                        return Tally{sums.affinity.herding, real(sums.affinity.windows)};
                    }});
    list.push_back({{"Jain's index of busy times", "1"}, [](const Sums& sums, double length) {
                        return Tally{length * jain_index(sums.affinity.busy), length};
                    }});
    return list;
}

void EventRecorder::close() {
    Batch batch;
    if (affinity_) sums_.affinity = affinity_->take();
    for (const EventQuantity& one : recorded_) {
        batch.tallies.push_back(one.tally(sums_, batch_end_ - batch_start_));
        batch.histograms.push_back(one.histogram ? std::move(one.histogram(sums_)) : statistics::Histogram());
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
