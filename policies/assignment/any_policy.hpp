/// A policy of the family, whatever its type: its code behind one interface.
///
/// A policy is a template on a number and a source of randomness. Of the source nothing is known but its operations, so
/// one instance of the code per number serves all sources, and a policy cannot tell them apart. The code of a
/// registered policy is instantiated once for each number, in a source of its own (run.hpp). The code of a user's
/// policy brings its instances along, in a base class per number, `CodeOn<N>`; symbolic numbers are unknown in this
/// folder, so `added<P>()` stands in proofs/assignment/added.hpp. Header-only: the code may be compiled alone, in a
/// shared object, from the user's file.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include "model/assignment/policy.hpp"
#include "policies/core/any_randomness.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::assignment {

/// What a policy says of itself.
class PolicyCode {
  public:
    virtual ~PolicyCode() = default;
    [[nodiscard]] virtual PolicyInfo info() const = 0;
    [[nodiscard]] virtual bool is_online() const = 0;
    /// The values of its parameters, as `schedproof::definition` writes them.
    [[nodiscard]] virtual std::string definition() const = 0;
};

/// A policy's code on one kind of number.
template <Number N>
class CodeOn {
  public:
    virtual ~CodeOn() = default;
    /// As `ask_schedule`.
    [[nodiscard]] virtual ScheduleResult<N> schedule(const Problem<N>& problem, AnyRandomness& randomness) const = 0;
};

namespace detail {

/// A policy whose type `run` knows.
template <class P>
class Holding final : public PolicyCode {
  public:
    explicit Holding(P held) : policy(std::move(held)) {}
    [[nodiscard]] PolicyInfo info() const override { return P::info; }
    [[nodiscard]] bool is_online() const override { return states_online<P>; }
    [[nodiscard]] std::string definition() const override { return schedproof::definition(policy); }

    const P policy;
};

template <class P, Number N>
class OneNumber : public CodeOn<N> {
  public:
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem, AnyRandomness& randomness) const override {
        return ask_schedule(P{}, problem, randomness);
    }
};

/// The code of P on these numbers. Nothing outlives a call: each makes its own P.
template <class P, Number... N>
class CodeOf final : public PolicyCode, public OneNumber<P, N>... {
  public:
    [[nodiscard]] PolicyInfo info() const override { return P::info; }
    [[nodiscard]] bool is_online() const override { return states_online<P>; }
    [[nodiscard]] std::string definition() const override { return schedproof::definition(P{}); }
};

}  // namespace detail

/// A policy as every engine takes it. Copies share the code.
class AnyPolicy {
  public:
    PolicyInfo info;  ///< as the policy has it

    explicit AnyPolicy(std::shared_ptr<const PolicyCode> code) : info(code->info()), code_(std::move(code)) {}
    /// A policy of registered_policies.hpp: `run` knows no other.
    template <class P>
    requires(!std::same_as<P, AnyPolicy> && (OfflinePolicy<P, NumberArchetype> || OnlinePolicy<P, NumberArchetype>))
        AnyPolicy(P policy)  // NOLINT(google-explicit-constructor)
        : AnyPolicy(std::make_shared<const detail::Holding<P>>(std::move(policy))) {}

    [[nodiscard]] bool is_online() const { return code_->is_online(); }
    /// The policy itself where it is a P; null where it is another, or was added.
    template <class P>
    [[nodiscard]] const P* as() const {
        const auto* holding = dynamic_cast<const detail::Holding<P>*>(code_.get());
        return holding == nullptr ? nullptr : &holding->policy;
    }
    /// The code of an added policy on a number; null where the policy is not an added one.
    template <Number N>
    [[nodiscard]] const CodeOn<N>* code_on() const {
        return dynamic_cast<const CodeOn<N>*>(code_.get());
    }
    /// The values of its parameters.
    [[nodiscard]] std::string definition() const { return code_->definition(); }

  private:
    std::shared_ptr<const PolicyCode> code_;
};

/// P with the parameters that it has by default, on these numbers.
template <class P, Number... N>
[[nodiscard]] AnyPolicy added_on() {
    static_assert(admitted<P>(), "a policy is added as it is written");
    static_assert(std::default_initializable<P>, "a policy can be made with the parameters that it has by default");
    return AnyPolicy(std::make_shared<const detail::CodeOf<P, N...>>());
}

}  // namespace schedproof::assignment
