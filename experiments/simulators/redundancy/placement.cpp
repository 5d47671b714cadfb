#include "experiments/simulators/redundancy/placement.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::simulation {

void Placement::place(std::span<const Claim> claims, std::size_t ways) {
    std::fill(taken_.begin(), taken_.end(), 0);
    // On divided machines a job of many copies could find too few different ones among the last places.
    std::size_t missing = 0;
    if (ways > 1)
        for (const Claim& claim : claims)
            if (claim.copies > 1) spread(claim, ways);
    for (const Claim& claim : claims)
        if (ways == 1 || claim.copies == 1) {
            keep(claim, ways);
            missing += claim.copies - claim.on->size();
        }
    if (missing == 0) return;
    free_.clear();
    for (std::uint32_t m = 0; m < taken_.size(); ++m)
        for (std::size_t place = taken_[m]; place < ways; ++place) free_.push_back(m);
    require(missing <= free_.size(), "more copies than places");
    for (const Claim& claim : claims)
        while (claim.on->size() < claim.copies) {
            const std::size_t pick = random_.below(free_.size());
            claim.on->push_back(free_[pick]);
            free_[pick] = free_.back();
            free_.pop_back();
        }
}

void Placement::keep(const Claim& claim, std::size_t ways) {
    Machines& on = *claim.on;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < on.size() && kept < claim.copies; ++i) {
        if (taken_[on[i]] >= ways) continue;
        ++taken_[on[i]];
        on[kept++] = on[i];
    }
    on.resize(kept);
}

void Placement::spread(const Claim& claim, std::size_t ways) {
    keep(claim, ways);
    free_.clear();
    for (std::uint32_t m = 0; m < taken_.size(); ++m)
        if (taken_[m] < ways && std::find(claim.on->begin(), claim.on->end(), m) == claim.on->end()) free_.push_back(m);
    while (claim.on->size() < claim.copies) {
        require(!free_.empty(), "more copies than machines");
        const std::size_t pick = random_.below(free_.size());
        ++taken_[free_[pick]];
        claim.on->push_back(free_[pick]);
        free_[pick] = free_.back();
        free_.pop_back();
    }
}

}  // namespace schedproof::simulation
