/// Random problems of every family for RapidCheck properties of one's own; whoever includes this header links
/// RapidCheck.
///
///     RC_GTEST_PROP(MyPolicy, LosesNoTask, ()) {
///         const auto at = *schedproof::suite::states<MyPolicy>();
///         const auto system = schedproof::suite::system(at);
///         for (const auto& move : system.moves(at.state)) RC_ASSERT(...);
///     }
///
/// The problems are those that the library's own random checks draw, with many ties, and they shrink as its own
/// counterexamples do: fewer servers, jobs and tasks, simpler numbers.
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "checks/assignment/generate.hpp"
#include "checks/queueing/sampling.hpp"
#include "checks/redundancy/generate.hpp"
#include "checks/sharing/generate.hpp"
#include "checks/suite/random_instances.hpp"
#include "checks/suite/shown_problem.hpp"
#include "model/core/errors.hpp"
#include "proofs/known_policy.hpp"

namespace schedproof::suite {

namespace detail {

template <class F>
[[nodiscard]] rc::Shrinkable<typename F::Case> shrinking(typename F::Case problem, const std::string& policy) {
    return rc::shrinkable::shrinkRecur(std::move(problem), [policy](const typename F::Case& from) {
        std::vector<typename F::Case> smaller;
        F::smaller(from, policy, [&](std::optional<typename F::Case> one) {
            if (one) smaller.push_back(std::move(*one));
            return false;
        });
        return rc::seq::fromContainer(std::move(smaller));
    });
}

template <class F>
[[nodiscard]] rc::Gen<typename F::Case> drawn(std::function<typename F::Case(Sampler&)> draw) {
    return [draw = std::move(draw)](const rc::Random& random, int) {
        Sampler source(StreamKey{rc::Random(random).next()});
        return shrinking<F>(draw(source), "");
    };
}

}  // namespace detail

[[nodiscard]] inline rc::Gen<checks::AssignmentProblem> assignment_problems(checks::AssignmentSizes sizes = {}) {
    return detail::drawn<checks::AssignmentFamily>(
        [sizes](Sampler& source) { return checks::random_assignment_problem(source, sizes); });
}

[[nodiscard]] inline rc::Gen<redundancy::Instance> redundancy_instances(checks::RedundancySizes sizes = {}) {
    return detail::drawn<checks::RedundancyFamily>(
        [sizes](Sampler& source) { return checks::random_redundancy_instance(source, sizes); });
}

/// A state with a slot that is offered; not only reachable ones.
[[nodiscard]] inline rc::Gen<checks::SharingCase> sharing_states() {
    return detail::drawn<checks::SharingFamily>(&checks::random_sharing_state);
}
/// The same in which every slot is busy, as policies that kill are asked.
[[nodiscard]] inline rc::Gen<checks::SharingCase> busy_sharing_states() {
    return detail::drawn<checks::SharingFamily>(&checks::random_busy_state);
}
/// Jobs to be run from an empty cluster to their end.
[[nodiscard]] inline rc::Gen<checks::SharingCase> sharing_trajectories() {
    return detail::drawn<checks::SharingFamily>(&checks::random_sharing_trajectory);
}

/// A cluster in a state that is valid under P.
template <queueing::QueueingPolicy P>
struct StateUnder : checks::ClusterState {};

/// P on the cluster of the state, for exact questions. Borrows the state's instance.
template <queueing::QueueingPolicy P>
[[nodiscard]] queueing::ExactSystem system(const StateUnder<P>& at) {
    return checks::registered_exact(*at.instance, known_policy<P>());
}

/// Clusters of small_instances on which P can run, with queues of up to `longest` tasks: short, equal or of very
/// different lengths. RapidCheck gives up when P runs on few of them.
template <queueing::QueueingPolicy P>
[[nodiscard]] rc::Gen<StateUnder<P>> states(InstanceWish wish = {}, std::int64_t longest = 9) {
    const std::string& policy = known_policy<P>();
    const auto runs = [policy](const queueing::Instance& instance) {
        try {
            static_cast<void>(checks::registered_exact(instance, policy));
            return true;
        } catch (const InputError&) {
            return false;
        }
    };
    const rc::Gen<queueing::Instance> instances = rc::gen::suchThat(small_instances(wish), runs);
    return [policy, longest, instances](const rc::Random& random, int size) {
        rc::Random own = random;
        checks::ClusterState at;
        at.instance = std::make_shared<const queueing::Instance>(instances(own.split(), size).value());
        Sampler source(StreamKey{own.next()});
        at.state = checks::random_state(checks::registered_exact(*at.instance, policy), source, longest);
        return rc::shrinkable::map(detail::shrinking<checks::QueueingFamily>(std::move(at), policy),
                                   [](checks::ClusterState&& found) { return StateUnder<P>{std::move(found)}; });
    };
}

template <queueing::QueueingPolicy P>
void showValue(const StateUnder<P>& at, std::ostream& out) {
    out << '\n' << shown(at, known_policy<P>());
}

}  // namespace schedproof::suite

// How RapidCheck prints a counterexample.
namespace schedproof::assignment {
inline void showValue(const Problem<Rational>& problem, std::ostream& out) { out << '\n' << suite::shown(problem); }
}  // namespace schedproof::assignment
namespace schedproof::redundancy {
inline void showValue(const Instance& instance, std::ostream& out) { out << '\n' << suite::shown(instance); }
}  // namespace schedproof::redundancy
namespace schedproof::checks {
inline void showValue(const SharingCase& one, std::ostream& out) { out << '\n' << suite::shown(one); }
}  // namespace schedproof::checks
