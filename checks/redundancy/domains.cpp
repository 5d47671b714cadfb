#include "checks/redundancy/claim.hpp"
#include "checks/redundancy/generate.hpp"
#include "checks/redundancy/witnesses.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

namespace {

RedundancyDomain::Random random(RedundancySizes sizes) {
    return {[sizes](Sampler& chance) { return random_redundancy_instance(chance, sizes); }};
}

RedundancyDomain::Enumerated grid(RedundancyGrid grid) {
    return {[grid = std::move(grid)](const auto& visit) { for_each_small_instance(grid, visit); }};
}

}  // namespace

RedundancyDomainPtr named_redundancy_domain(const std::string& name) {
    const auto made = [&](auto problems) {
        return std::make_shared<const RedundancyDomain>(RedundancyDomain{name, std::move(problems)});
    };
    if (name.size() > 1 && name[0] == 'n' && name[1] >= '0' && name[1] <= '9')
        return made(redundancy::parse_shape(name));
    if (name == "random") return made(random({}));
    if (name == "random-small") return made(random({3, 3}));
    if (name == "services") return made(RedundancyDomain::Random{random_service_instance});
    if (name == "grid") return made(grid({}));
    if (name == "grid-unit-speed") return made(grid({.machines = 4, .speeds = {"1"}}));
    if (name == "machine-counts")
        return made(grid({.jobs = 1, .machines = 8, .services = {"det"}, .sizes = {"1"}, .speeds = {"1"}}));
    for (const RedundancyWitness& witness : redundancy_witnesses())
        if (witness.name == name) return single_case<RedundancyFamily>(name, witness.instance);
    throw InputError(
        {"", 0, "instance"},
        "expected `random`, `random-small`, `services`, `grid`, `grid-unit-speed`, `machine-counts`, a shape "
        "such as n4-m2-det, or a named instance, not '" +
            name + "'");
}

}  // namespace schedproof::checks
