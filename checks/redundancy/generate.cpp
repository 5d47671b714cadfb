/// Random redundancy instances with many ties, and all small ones on a grid.
///
/// Gaps and sizes are quarters in a short range and services come in kinds, so that jobs arrive and end together often:
/// ties are what breaks claims. The grid is the product of its lists; each instance is visited and forgotten.
#include "checks/redundancy/generate.hpp"

#include <fmt/format.h>

#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace redundancy;

namespace {

Rational exact(std::string_view text) {
    const auto value = Rational::parse(text);
    require(value.has_value(), "a grid is made of numbers");
    return *value;
}

std::size_t between(Sampler& randomness, std::size_t low, std::size_t high) {
    return low + static_cast<std::size_t>(randomness.below(high - low + 1));
}

Rational quarters(std::size_t n) { return Rational(n) / Rational(4); }

template <class T, std::size_t n>
const T& one_of(Sampler& randomness, const T (&all)[n]) {
    return all[randomness.below(n)];
}

Service random_gains(Sampler& randomness) {
    Gains gains{{Rational(1)}, Rational(1)};
    std::size_t step = between(randomness, 0, 8);
    for (int r = 0; r < 5; ++r) {
        gains.gain.push_back(gains.gain.back() + Rational(step) / Rational(8));
        step = between(randomness, 0, step);
    }
    gains.peak = gains.gain.back() + quarters(randomness.below(5));
    return Service(std::move(gains));
}

Service random_linear(Sampler& randomness) {
    static constexpr const char* named[] = {"det", "two-point:2,0", "two-point:3,0", "two-point:5/2,1/2"};
    const std::uint64_t kind = randomness.below(6);
    if (kind < 4) return Service::parse(named[kind]);
    if (kind == 4) return random_gains(randomness);
    return Service(TwoPoint{Rational(1) + quarters(between(randomness, 1, 12)), quarters(randomness.below(4))});
}

/// A speed of one of the theorems.
Rational random_speed(Sampler& randomness, const Rational& beta) {
    static const Rational epsilons[] = {quarters(1), quarters(2), quarters(4), quarters(12)};
    const Rational e = one_of(randomness, epsilons), one(1), two(2);
    switch (randomness.below(6)) {
        case 0:
            return one + e;
        case 1:
            return two + e;
        case 2:
            return Rational(4) + e;
        case 3:
            return one + beta + e;
        case 4:
            return two + two * beta + two * e;
        default:
            return Rational(1);
    }
}

}  // namespace

Instance random_redundancy_instance(Sampler& randomness, const RedundancySizes& sizes) {
    static const Rational betas[] = {Rational(1), Rational(1) / Rational(2), Rational(1) / Rational(3),
                                     Rational(4) / Rational(5), Rational(7) / Rational(25)};
    Instance instance;
    instance.name = "random";
    instance.beta = one_of(randomness, betas);
    instance.speed = random_speed(randomness, instance.beta);
    instance.problem.machines = between(randomness, 1, sizes.machines);
    instance.problem.service = random_linear(randomness);
    const std::size_t jobs = between(randomness, 1, sizes.jobs), spread = between(randomness, 0, 6);
    Rational now;
    for (std::size_t j = 0; j < jobs; ++j) {
        if (j > 0 && randomness.below(2) == 0) now += quarters(randomness.below(2 * spread + 1));
        const bool again = j > 0 && randomness.below(3) == 0;  // ties
        instance.problem.jobs.push_back(
            {now, again ? instance.problem.jobs.back().size : quarters(between(randomness, 1, 16))});
    }
    return instance;
}

Instance random_service_instance(Sampler& randomness) {
    Instance instance;
    instance.name = "random service";
    switch (randomness.below(4)) {
        case 0:
            instance.problem.service = Service(Slotted{static_cast<std::uint32_t>(between(randomness, 1, 4))});
            break;
        case 1:
            instance.problem.service = Service(Periodic{});
            break;
        default:
            instance.problem.service = random_linear(randomness);
    }
    for (int j = 0; j < 3; ++j)
        instance.problem.jobs.push_back(
            {Rational(0), Rational(between(randomness, 0, 3)) + Rational(between(randomness, 1, 12)) / Rational(12)});
    return instance;
}

std::string bounds_text(const RedundancyGrid& grid) {
    return fmt::format(
        "every instance with at most {} jobs on at most {} machines, services {}, gaps in {{{}}}, sizes in {{{}}}, "
        "speeds in {{{}}}, beta = {}",
        grid.jobs, grid.machines, fmt::join(grid.services, ", "), fmt::join(grid.gaps, ", "),
        fmt::join(grid.sizes, ", "), fmt::join(grid.speeds, ", "), grid.beta);
}

std::uint64_t for_each_small_instance(const RedundancyGrid& grid, const std::function<bool(const Instance&)>& visit) {
    std::uint64_t visited = 0;
    Instance instance;
    instance.name = "grid";
    instance.beta = exact(grid.beta);
    Jobs<Rational>& jobs = instance.problem.jobs;
    const auto each_speed = [&] {
        for (const std::string& speed : grid.speeds) {
            instance.speed = exact(speed);
            ++visited;
            if (!visit(instance)) return false;
        }
        return true;
    };
    const auto extend = [&](auto&& self, std::size_t count) -> bool {
        if (jobs.size() == count) return each_speed();
        for (const std::string& gap : grid.gaps) {
            for (const std::string& size : grid.sizes) {
                jobs.push_back({jobs.empty() ? Rational(0) : jobs.back().arrival + exact(gap), exact(size)});
                const bool more = self(self, count);
                jobs.pop_back();
                if (!more) return false;
            }
            if (jobs.empty()) break;  // the first job arrives at 0
        }
        return true;
    };
    for (std::size_t count = 1; count <= grid.jobs; ++count)
        for (instance.problem.machines = 1; instance.problem.machines <= grid.machines; ++instance.problem.machines)
            for (const std::string& service : grid.services) {
                instance.problem.service = Service::parse(service);
                if (!extend(extend, count)) return visited;
            }
    return visited;
}

}  // namespace schedproof::checks
