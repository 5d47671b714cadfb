#include "proofs/queueing/theorems/theorem.hpp"

#include <fmt/core.h>

#include "model/core/errors.hpp"
#include "policies/queueing/fluid_model_planning.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/certifier/binding.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"

namespace schedproof::queueing {

namespace {

SymbolicSystem system_of(const Certificate& certificate) { return {*certificate.instance, policy_of(certificate)}; }

}  // namespace

AnyPolicy policy_of(const Certificate& certificate) {
    const auto* invariants = std::get_if<InvariantTheorem>(&certificate.theorem);
    if (invariants == nullptr || !invariants->plan)
        return make_policy(certificate.policy, *certificate.instance, no_planner);
    return make_policy(certificate.policy, *certificate.instance, [&](const Instance& instance) {
        if (const std::string wrong = plan_rejection(instance, *invariants->plan); !wrong.empty())
            throw InputError::at_key("plan", wrong);
        return *invariants->plan;
    });
}

std::string arithmetic_rejection(const SymbolicSystem& system, const DriftTheorem& theorem) {
    if (theorem.delta.sign() <= 0) return "delta is not positive";
    if (std::string wrong = closed_rejection(system, theorem.closed()); !wrong.empty()) return wrong;
    const std::size_t queues = system.layout().queues();
    if (!theorem.measure.is_constant() && theorem.measure.terms().back().first >= queues)
        return "the measure mentions an unknown queue";
    if (std::string wrong = vacuity(theorem.measure, theorem.threshold); !wrong.empty())
        return "the theorem is vacuous: " + wrong;
    require_fits(theorem.v, system.instance(), system.layout());
    if (is_misnamed(theorem.v, system.instance(), system.layout())) return misnamed;
    return theorem.summands ? summands_rejection(system, theorem) : "";
}

namespace {

/// Calls `use(about, theorem)` with what the theorem is about: the policy on the instance, or on every instance, or the
/// instance alone.
template <class Use>
std::string with_theorem(const Certificate& certificate, Use&& use) {
    if (const auto* uniform = std::get_if<UniformTheorem>(&certificate.theorem)) {
        require(!certificate.instance, "a theorem about every instance has none");
        return use(ParametricPolicy::registered(certificate.policy), *uniform);
    }
    if (const auto* regret = std::get_if<RegretTheorem>(&certificate.theorem)) {
        require(!certificate.instance, "a theorem about every instance has none");
        return use(make_policy(certificate.policy), *regret);
    }
    require(certificate.instance != nullptr, "a theorem about an instance needs it");
    return std::visit(
        [&]<class T>(const T& theorem) -> std::string {
            if constexpr (std::same_as<T, UniformTheorem> || std::same_as<T, RegretTheorem>) {
                throw ContractViolation("a theorem about an instance");
            } else if constexpr (std::same_as<T, AnyPolicyTheorem> || std::same_as<T, HeavyLowerTheorem>) {
                require(certificate.policy.empty(), "a theorem about every policy has none");
                return use(*certificate.instance, theorem);
            } else {
                return use(system_of(certificate), theorem);
            }
        },
        certificate.theorem);
}

/// Whether a theorem speaks of the phases of a slot, so that it says nothing of continuous time.
bool needs_slots(const Theorem& theorem) {
    return std::visit(
        []<class T>(const T&) {
            return std::same_as<T, CollapseTheorem> || std::same_as<T, HeavyLowerTheorem> ||
                   std::same_as<T, HeavyUpperTheorem> || std::same_as<T, HeavyRayTheorem>;
        },
        theorem);
}

}  // namespace

std::string sentence(const Certificate& certificate) {
    std::string theorem =
        with_theorem(certificate, [](const auto& about, const auto& stated) { return sentence(about, stated); });
    return is_added(certificate.policy)
               ? fmt::format("{} Here {} is {}.", theorem, certificate.policy, definition(certificate.policy))
               : theorem;
}

std::string rejection(const Certificate& certificate) {
    if (certificate.instance && certificate.instance->continuous() && needs_slots(certificate.theorem))
        return "the theorem is about slots, and time is continuous in its instance";
    if (const auto* invariants = std::get_if<InvariantTheorem>(&certificate.theorem); invariants && invariants->plan)
        if (std::string wrong = plan_rejection(*certificate.instance, *invariants->plan); !wrong.empty()) return wrong;
    return with_theorem(certificate, [&](const auto& about, const auto& theorem) -> std::string {
        if (std::string wrong = arithmetic_rejection(about, theorem); !wrong.empty()) return wrong;
        return certify::rejection(questions(about, theorem), certificate.proofs);
    });
}

}  // namespace schedproof::queueing
