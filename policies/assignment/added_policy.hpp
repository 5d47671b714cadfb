/// A policy that this program was not compiled with: the code of a user's policy behind one interface.
///
/// Engines run a policy on numbers of their own, and symbolic ones are unknown in this folder. So the code has a base
/// class per number, `CodeOn<N>`, with one virtual function, and is asked for the base of the number at hand; which
/// numbers there are is said above, in proofs/assignment/added.hpp, whose `added<P>()` makes an AddedPolicy. Of
/// the source of randomness nothing is known but its operations, so that one instance of the code serves all sources,
/// and a policy cannot tell them apart.
/// Header-only: the code may be compiled alone, in a shared object, from the user's file.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include "model/assignment/policy.hpp"
#include "policies/core/answer_of.hpp"
#include "policies/core/any_randomness.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::assignment {
class AddedPolicy;
}  // namespace schedproof::assignment

template <>
inline constexpr bool schedproof::is_erased<schedproof::assignment::AddedPolicy> = true;

namespace schedproof::assignment {

/// What a policy says of itself. Its code on numbers stands in further bases, `CodeOn<N>`.
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

/// Stands for a policy of a type that is unknown here; holds its code.
class AddedPolicy {
  public:
    PolicyInfo info;  ///< as the policy has it

    explicit AddedPolicy(std::shared_ptr<const PolicyCode> code) : info(code->info()), code_(std::move(code)) {}

    [[nodiscard]] bool is_online() const { return code_->is_online(); }
    [[nodiscard]] friend std::string definition(const AddedPolicy& policy) { return policy.code_->definition(); }

    /// What the policy makes of a problem. Without a task there is nothing to decide, and it is not asked.
    /// Throws OracleConflict, as whoever refuses a policy does, when it breaks a contract or throws what is no error of
    /// this library; ContractViolation when it was not compiled on this number.
    template <Number N, Randomness R>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        const auto* code = dynamic_cast<const CodeOn<N>*>(code_.get());
        require(code != nullptr, "an added policy is compiled on every number that it is run on");
        if (problem.shape->tasks().size() == 0) return {};
        RandomnessOf<R> source(randomness);
        return answer_of(info.id, [&] { return code->schedule(problem, source); });
    }

  private:
    std::shared_ptr<const PolicyCode> code_;
};

namespace detail {

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

/// P with the parameters that it has by default, on these numbers.
template <class P, Number... N>
[[nodiscard]] AddedPolicy added_on() {
    static_assert(!is_erased<P> && admitted<P>(), "a policy is added as it is written");
    static_assert(std::default_initializable<P>, "a policy can be made with the parameters that it has by default");
    return AddedPolicy(std::make_shared<const detail::CodeOf<P, N...>>());
}

}  // namespace schedproof::assignment
