/// A policy of the family, whatever its type: its code behind one interface.
///
/// A policy here is an order and a function of two counts, and knows no number type. So the event loop is compiled once
/// per number, on `AnyPolicy`, and asks for an allocation through one virtual call an event, which is little beside the
/// allocation itself. The interface needs the model alone, so that a file of the user's can be compiled without the
/// rest (experiments/command/policy_header).
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "model/redundancy/allocation.hpp"
#include "policies/core/answer_of.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::redundancy {
class AnyPolicy;
}  // namespace schedproof::redundancy

template <>
inline constexpr bool schedproof::is_erased<schedproof::redundancy::AnyPolicy> = true;

namespace schedproof::redundancy {

class PolicyCode {
  public:
    virtual ~PolicyCode() = default;
    /// What the policy grants to n >= 1 active jobs.
    [[nodiscard]] virtual Allocation allocate(std::size_t n, std::size_t machines) const = 0;
    [[nodiscard]] virtual std::string definition() const = 0;
};

namespace detail {

template <class P>
class Holding final : public PolicyCode {
  public:
    explicit Holding(P held) : policy(std::move(held)) {}
    [[nodiscard]] Allocation allocate(std::size_t n, std::size_t machines) const override {
        return policy.allocate(n, machines);
    }
    [[nodiscard]] std::string definition() const override { return schedproof::definition(policy); }

    const P policy;
};

}  // namespace detail

/// A policy as every engine takes it. Copies share the code.
class AnyPolicy {
  public:
    PolicyInfo info;
    Order order;

    template <class P>
    requires(!std::same_as<P, AnyPolicy> && Policy<P>) AnyPolicy(P policy)  // NOLINT(google-explicit-constructor)
        : info(P::info), order(P::order), code_(std::make_shared<const detail::Holding<P>>(std::move(policy))) {
        static_assert(admitted<P>());
    }
    AnyPolicy(PolicyInfo its_info, Order its_order, std::shared_ptr<const PolicyCode> code)
        : info(its_info), order(its_order), code_(std::move(code)) {}

    [[nodiscard]] Allocation allocate(std::size_t n, std::size_t machines) const {
        return code_->allocate(n, machines);
    }
    /// The policy itself where it is a P; null where it is another, or was added.
    template <class P>
    [[nodiscard]] const P* as() const {
        const auto* holding = dynamic_cast<const detail::Holding<P>*>(code_.get());
        return holding == nullptr ? nullptr : &holding->policy;
    }
    /// The values of its parameters.
    [[nodiscard]] std::string definition() const { return code_->definition(); }

  private:
    std::shared_ptr<const PolicyCode> code_;
};
static_assert(Policy<AnyPolicy>);

/// A policy that this program was not compiled with, with its parameters' initial values; the first error of one that
/// is not admitted says which rule it breaks. What it throws, and a rule that it breaks, is an OracleConflict.
template <class P>
[[nodiscard]] AnyPolicy added() {
    static_assert(admitted<P>());
    class Code final : public PolicyCode {
      public:
        [[nodiscard]] Allocation allocate(std::size_t n, std::size_t machines) const override {
            return answer_of(P::info.id, [&] { return ask_allocate(policy_, n, machines); });
        }
        [[nodiscard]] std::string definition() const override { return schedproof::definition(policy_); }

      private:
        P policy_;
    };
    return {PolicyInfo(P::info), P::order, std::make_shared<const Code>()};
}

}  // namespace schedproof::redundancy
