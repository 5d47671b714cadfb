#include "experiments/simulators/slotted/arrival_words.hpp"

#include <algorithm>

#include "experiments/simulators/slotted/lane_draws.hpp"

namespace schedproof::simulation {

namespace {

constexpr std::size_t most_factors = 256;
/// Groups of sixteen blocks that are made at a time, beside those of one slot.
constexpr std::size_t groups_ahead = 8;

}  // namespace

bool ArrivalWords::suit(const SimulatedSystem& system) {
    return !system.random && system.instance->servers().size() <= most_lane_servers &&
           system.instance->arrivals().factors().size() <= most_factors;
}

std::array<std::uint32_t, 4> ArrivalWords::names(const statistics::Replication& replication) {
    statistics::Stream stream(replication, "arrivals by slot");
    std::array<std::uint32_t, 4> names{};
    for (std::uint32_t& name : names) name = stream.half();
    return names;
}

statistics::Stream ArrivalWords::further(const statistics::Replication& replication) {
    return {replication, "further bits of arrivals"};
}

ExactCuts ArrivalWords::cuts(const queueing::ArrivalFactor& factor) {
    std::vector<Rational> cuts;
    Rational below;
    for (std::size_t k = 0; k + 1 < factor.outcomes().size(); ++k) {
        below += factor.outcomes()[k].probability;
        cuts.push_back(below);
    }
    return ExactCuts(std::move(cuts));
}

ArrivalWords::ArrivalWords(const SimulatedSystem& system, const statistics::Replication& replication)
    : further_(further(replication)) {
    const auto names = ArrivalWords::names(replication);
    key_ = std::uint64_t{names[1]} << 32 | names[0];
    name_ = std::uint64_t{names[3]} << 32 | names[2];
    for (const queueing::ArrivalFactor& factor : system.instance->arrivals().factors()) cuts_.push_back(cuts(factor));
    words_.resize((cuts_.size() / lanes + 2 + groups_ahead) * lanes * 4);
    outcomes_.resize(cuts_.size());
    fill(0);
}

/// In whole groups, whose first block is a multiple of sixteen: the halves of its number never carry.
void ArrivalWords::fill(std::uint64_t block) {
    first_ = block / lanes * lanes;
    lane_loops(available_simd()).philox(key_, name_, first_, words_.size() / (4 * lanes), words_.data());
}

const std::vector<std::uint32_t>& ArrivalWords::next() {
    const std::uint64_t block = slot_ / slots_a_draw * cuts_.size();
    if (block + cuts_.size() > first_ + words_.size() / 4) fill(block);
    const std::size_t word = slot_ % slots_a_draw / 2;
    const unsigned shift = slot_ % 2 * 16;
    for (std::size_t f = 0; f < cuts_.size(); ++f) {
        const std::size_t at = block - first_ + f;
        const std::uint32_t bits = words_[at / lanes * 4 * lanes + word * lanes + at % lanes] >> shift & 0xFFFF;
        outcomes_[f] = cuts_[f].reached(bits, further_);
    }
    ++slot_;
    return outcomes_;
}

}  // namespace schedproof::simulation
