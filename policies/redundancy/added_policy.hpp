/// A policy that this program was not compiled with: its code behind one interface.
///
/// Every engine runs it through `AddedPolicy`, an alternative of AnyPolicy (registry.hpp). The interface needs the
/// model alone, so that a file of the user's can be compiled without the rest (experiments/command/policy_header).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "model/redundancy/allocation.hpp"
#include "policies/core/answer_of.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::redundancy {

class PolicyCode {
  public:
    virtual ~PolicyCode() = default;
    /// As ask_allocate.
    [[nodiscard]] virtual Allocation allocate(std::size_t n, std::size_t machines) const = 0;
    [[nodiscard]] virtual std::string definition() const = 0;
};

/// Policies rank jobs in an order that is part of their type.
template <Order its_order>
struct AddedPolicy {
    static constexpr Order order = its_order;
    PolicyInfo info;
    std::shared_ptr<const PolicyCode> code;

    /// Throws OracleConflict when the policy breaks a rule, or throws what is no error of this library.
    [[nodiscard]] Allocation allocate(std::size_t n, std::size_t machines) const {
        return answer_of(info.id, [&] { return code->allocate(n, machines); });
    }
    [[nodiscard]] friend std::string definition(const AddedPolicy& policy) { return policy.code->definition(); }
};

/// The policy, with its parameters' initial values; the first error of one that is not admitted says which rule it
/// breaks.
template <class P>
[[nodiscard]] auto added() {
    static_assert(admitted<P>());
    class Code final : public PolicyCode {
      public:
        [[nodiscard]] Allocation allocate(std::size_t n, std::size_t machines) const override {
            return ask_allocate(policy_, n, machines);
        }
        [[nodiscard]] std::string definition() const override { return schedproof::definition(policy_); }

      private:
        P policy_;
    };
    return AddedPolicy<P::order>{PolicyInfo(P::info), std::make_shared<const Code>()};
}

}  // namespace schedproof::redundancy

template <schedproof::redundancy::Order order>
inline constexpr bool schedproof::is_erased<schedproof::redundancy::AddedPolicy<order>> = true;
