/// Balanced-Pandas that looks at two servers drawn at random.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::strangers {

struct BalancedTwoChoices {
    static constexpr queueing::PolicyInfo info{
        "balanced-two-choices", "a stranger's own",
        "join the lesser workload over rate of two servers drawn at random; serve own, most local first"};
    static constexpr queueing::Rules rules = [] {
        using namespace queueing::language;
        using queueing::Arrangement;
        return queueing::Rules{keep(Arrangement::per_server_and_level),
                               route(argmin(sample(2, servers), server_workload / rate)),
                               serve(most_local(nonempty(own_levels)))};
    }();
};

}  // namespace schedproof::strangers
