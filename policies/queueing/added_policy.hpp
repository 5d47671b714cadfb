/// A policy that this program was not compiled with: its rules, which are data.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing {

struct AddedPolicy {
    PolicyInfo info;
    Rules rules;
};

template <QueueingPolicy P>
[[nodiscard]] AddedPolicy added() {
    static_assert(!Rules(P::rules).planned(), "a policy that follows a plan is no value of its rules");
    return {P::info, P::rules};
}

}  // namespace schedproof::queueing
