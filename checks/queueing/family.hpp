/// The queueing family: tasks queue for servers by locality. What the words of checks/core/family_claim.hpp mean here.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/core/family_claim.hpp"
#include "checks/core/shrink.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/queueing/drift/along_ray.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"

namespace schedproof::checks {

using queueing::ExactState;
using queueing::ExactSystem;
using queueing::Instance;
using queueing::SymbolicSystem;
using InstancePtr = std::shared_ptr<const Instance>;

/// A policy on an instance, in both exact modes, with what a mutant may do in another way.
struct System {
    using Slot = std::function<std::vector<queueing::Move>(const ExactState&)>;
    using Elsewhere = std::function<System(const InstancePtr&)>;

    InstancePtr instance;  ///< of which claims speak
    SymbolicSystem symbolic;
    ExactSystem exact;
    // Mutants only.
    Slot slot = {};            ///< the outcomes of a slot, where they are not those of `exact`
    Elsewhere elsewhere = {};  ///< the policy on another instance, where it is not the registered one
    InstancePtr own = {};      ///< the instance of `exact`, where that is another than `instance`

    [[nodiscard]] std::string policy() const { return std::string(exact.info().id); }
    [[nodiscard]] std::vector<queueing::Move> moves(const ExactState& state) const {
        return slot ? slot(state) : exact.moves(state);
    }
    /// The same policy on another instance.
    [[nodiscard]] System on(const InstancePtr& other) const;
    operator const ExactSystem&() const { return exact; }  // NOLINT(google-explicit-constructor): properties ask it
};

/// Throws InputError when the policy is not registered or cannot run on the instance.
[[nodiscard]] System registered(const InstancePtr& instance, std::string_view policy);

/// The same for exact enumeration alone.
[[nodiscard]] ExactSystem registered_exact(const Instance& instance, std::string_view policy);

/// A state of a cluster: the empty one where the instance alone matters.
struct ClusterState {
    InstancePtr instance;
    ExactState state;
    /// Where a claim is about states that go on for ever: the steps from one to the next. Empty: none is known.
    queueing::Direction direction = {};
};

struct QueueingFamily {
    static constexpr std::string_view id = "queueing";
    static constexpr std::string_view strongest_oracle = "explore";
    static constexpr std::size_t shrink_limit = 2'000;

    using Case = ClusterState;
    using Shape = InstancePtr;  ///< all states of a cluster
    using Policy = checks::System;
    using System = checks::System;

    [[nodiscard]] static std::vector<PolicyEntry> policies();
    [[nodiscard]] static std::string resolve_policy(std::string_view name);
    /// Throws InputError when the policy is not registered or cannot run on the domain's instance.
    [[nodiscard]] static System system(const std::string& policy, const ProblemDomain<QueueingFamily>& domain);
    [[nodiscard]] static Policy policy(const std::string& name, const Case& at) {
        return registered(at.instance, name);
    }

    /// A named instance, with all its states. Throws InputError for an unknown name.
    [[nodiscard]] static ProblemDomainPtr<QueueingFamily> instance(const std::string& name);
    [[nodiscard]] static ProblemDomain<QueueingFamily> domain_of(const Case& at);
    /// The empty state is not known without a policy: no samples.
    [[nodiscard]] static std::vector<Case> samples(const Shape&) { return {}; }
    static bool smaller(const Case& from, const std::string& policy, const Take<QueueingFamily>& take);
    [[nodiscard]] static std::string describe(const Case& at, const std::string& policy);

    [[nodiscard]] static std::vector<Claim> claims();
};

using QueueingDomain = ProblemDomain<QueueingFamily>;
using QueueingOracle = TrialOracle<QueueingFamily>;
/// An instance with all its states, as a domain.
[[nodiscard]] ProblemDomainPtr<QueueingFamily> all_states(const InstancePtr& instance);

/// A state in one line: `Q s0=2 common=1; s0 idle, s1 on common@remote`.
[[nodiscard]] std::string describe(const ExactSystem& system, const ExactState& state);
/// What a step along a ray adds: `1 task to s0 and 2 tasks to common`.
[[nodiscard]] std::string describe_steps(const ExactSystem& system, const queueing::Direction& direction);

}  // namespace schedproof::checks
