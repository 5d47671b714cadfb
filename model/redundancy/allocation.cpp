#include "model/redundancy/allocation.hpp"

#include "model/core/rational.hpp"

namespace schedproof::redundancy {

namespace {

/// Machines that the bands take up, in all: sum of copies / ways.
Rational machines_of(const Allocation& allocation) {
    Rational sum;
    for (const Band& band : allocation)
        sum += Rational(Integer((band.last - band.first) * band.grant.copies), Integer(band.grant.ways));
    return sum;
}

}  // namespace

bool favours_first(const Allocation& allocation, std::size_t jobs) {
    std::size_t rank = 0;
    const Grant* before = nullptr;
    for (const Band& band : allocation) {
        if (band.first != rank || (before && !at_least(*before, band.grant))) return false;
        before = &band.grant;
        rank = band.last;
    }
    return rank <= jobs;
}

std::string fault(const Allocation& allocation, std::size_t jobs, std::size_t machines) {
    const char* broken = broken_rule(allocation, jobs, machines);
    return broken == nullptr ? "" : broken;
}

bool uses_all(const Allocation& allocation, std::size_t machines) {
    return machines_of(allocation) == Rational(machines);
}

}  // namespace schedproof::redundancy
