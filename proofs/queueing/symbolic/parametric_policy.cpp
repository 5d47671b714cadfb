#include "proofs/queueing/symbolic/parametric_policy.hpp"

namespace schedproof::queueing {

ParametricPolicy::ParametricPolicy(const AnyPolicy& policy)
    : ParametricPolicy(std::visit([](const auto& concrete) { return of(concrete); }, policy)) {}

ParametricPolicy ParametricPolicy::registered(std::string_view id) {
    // A policy that needs no plan is made without looking at an instance; any will do.
    InstanceData data;
    data.name = "any";
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(2))}};
    data.servers = {{"s0", {}}};
    data.types = {{"t0", {ServerId(0)}}};
    data.rates = {Rational(0)};
    return ParametricPolicy(make_policy(id, Instance(std::move(data)), no_planner));
}

}  // namespace schedproof::queueing
