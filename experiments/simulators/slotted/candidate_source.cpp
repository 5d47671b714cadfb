#include "experiments/simulators/slotted/candidate_source.hpp"

#include <algorithm>

namespace schedproof::simulation {

std::size_t most_replicas(const SimulatedSystem& system) {
    if (system.random) return system.random->replicas;
    std::size_t most = 0;
    for (const TaskTypeId type : system.instance->types())
        most = std::max(most, system.instance->type(type).replicas.size());
    return most;
}

bool dense_pays(const SimulatedSystem& system) {
    const std::size_t servers = system.instance->servers().size();
    return servers >= lanes && Rational(8) * system.arrival_rate() >= Rational(static_cast<std::int64_t>(servers));
}

CandidateSource::CandidateSource(const SimulatedSystem& system, std::uint32_t nowhere,
                                 const statistics::Replication& replication, SimdLevel simd)
    : replicas_(most_replicas(system)), bits_(replication, "ties of tasks", 256, simd) {
    if (system.random) {
        drawn_.emplace(replication, *system.random, simd);
        return;
    }
    for (const TaskTypeId type : system.instance->types()) {
        for (const ServerId m : system.instance->type(type).replicas)
            listed_.push_back(static_cast<std::uint32_t>(m.index()));
        listed_.resize((type.index() + 1) * replicas_, nowhere);
    }
}

void CandidateSource::next(const std::vector<std::uint32_t>& types) {
    const std::size_t tasks = types.size();
    if (room() < tasks) {
        for (std::size_t k = 0; k < replicas_; ++k) planes_[k].resize(whole_lanes(2 * tasks), 0);
        task_words_.resize(whole_lanes(2 * tasks));
    }
    if (drawn_) {
        drawn_->next(tasks, std::span(planes_).first(replicas_));
    } else {
        for (std::size_t i = 0; i < tasks; ++i)
            for (std::size_t k = 0; k < replicas_; ++k) planes_[k][i] = listed_[types[i] * replicas_ + k];
    }
    for (std::size_t i = 0; i < tasks;) {
        if (left_.empty()) left_ = bits_.next();
        const std::size_t some = std::min(tasks - i, left_.size());
        std::copy_n(left_.begin(), some, task_words_.begin() + static_cast<std::ptrdiff_t>(i));
        left_ = left_.subspan(some);
        i += some;
    }
}

LaneChoice CandidateSource::choice(std::size_t from, const std::uint32_t* length) const {
    LaneChoice choice{};
    choice.length = length;
    choice.by_length = all_ones;
    choice.ties = words() + from;
    for (std::size_t k = 0; k < replicas_; ++k) choice.planes[k] = plane(k) + from;
    return choice;
}

std::uint32_t CandidateSource::pick(std::size_t task, const LaneChoice& choice, bool common,
                                    statistics::Stream& ties) const {
    std::array<std::uint32_t, most_candidates> candidates{}, shortest{};
    std::size_t count = 0;
    for (; count < replicas_; ++count) candidates[count] = plane(count)[task];
    if (common) candidates[count++] = choice.common;
    std::uint32_t least = all_ones, key = all_ones, having = 0, tied = 0, best = 0;
    for (std::size_t k = 0; k < count; ++k) least = std::min(least, choice.length[candidates[k]] & choice.by_length);
    for (std::size_t k = 0; k < count; ++k) {
        if ((choice.length[candidates[k]] & choice.by_length) != least) continue;
        shortest[tied++] = candidates[k];
        const std::uint32_t here = words()[task] >> 8 * k & 0xFF;
        if (here > key) continue;
        having = here == key ? having + 1 : 1;
        key = here;
        best = candidates[k];
    }
    return having == 1 ? best : shortest[ties.below(tied)];
}

}  // namespace schedproof::simulation
