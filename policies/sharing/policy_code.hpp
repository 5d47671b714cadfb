/// The code of a sharing policy behind an interface of virtual functions, over sources that are virtual too.
///
/// A file that holds a policy alone can be compiled to it, apart from the program.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "model/core/errors.hpp"
#include "model/sharing/policy.hpp"
#include "policies/core/definition.hpp"
#include "policies/sharing/any_source.hpp"
#include "policies/sharing/settable_parameters.hpp"

namespace schedproof::sharing {

/// What a policy has besides `offer`.
enum class PolicyForm : std::uint8_t { offers, routes, reclaims };

template <SharingPolicy P>
inline constexpr PolicyForm form_of = RoutingPolicy<P>      ? PolicyForm::routes
                                      : ReclaimingPolicy<P> ? PolicyForm::reclaims
                                                            : PolicyForm::offers;

/// The code of a policy. What its form lacks is not asked.
class PolicyCode {
  public:
    virtual ~PolicyCode() = default;
    /// The texts live as long as the file of the code stays loaded.
    [[nodiscard]] virtual PolicyInfo info() const = 0;
    [[nodiscard]] virtual PolicyForm form() const = 0;
    /// The values of its parameters, as text.
    [[nodiscard]] virtual std::string definition() const = 0;
    /// The values of its parameters where Parameters has one of the name and type; the usual value where it has none.
    [[nodiscard]] virtual Parameters parameters() const = 0;
    /// The same policy with these parameters, as far as it has them.
    [[nodiscard]] virtual std::shared_ptr<const PolicyCode> with(const Parameters& parameters) const = 0;

    [[nodiscard]] virtual std::optional<JobLaunch> offer(AnyOfferSource& now, NodeId n) const = 0;
    [[nodiscard]] virtual std::optional<JobLaunch> offer(AnyQueueSource& now, NodeId n) const = 0;
    [[nodiscard]] virtual QueueSet route(DataRef data) const = 0;
    [[nodiscard]] virtual std::optional<JobId> reclaim(const AnyReclaimSource& now) const = 0;
};

namespace detail {

inline constexpr const char* not_of_this_form = "a policy is asked what its form has";

/// The code of P.
template <SharingPolicy P>
class CodeOf final : public PolicyCode {
    static constexpr PolicyForm its_form = form_of<P>;

  public:
    explicit CodeOf(P policy = {}) : policy_(std::move(policy)) {}
    [[nodiscard]] PolicyInfo info() const override { return P::info; }
    [[nodiscard]] PolicyForm form() const override { return its_form; }
    [[nodiscard]] std::string definition() const override { return schedproof::definition(policy_); }
    [[nodiscard]] Parameters parameters() const override {
        Parameters own;
        for_each_settable<P>([&](auto its, auto known) { own.*known = policy_.*its; });
        return own;
    }
    [[nodiscard]] std::shared_ptr<const PolicyCode> with(const Parameters& parameters) const override {
        const auto changed = std::make_shared<CodeOf>(*this);
        for_each_settable<P>([&](auto its, auto known) { changed->policy_.*its = parameters.*known; });
        return changed;
    }
    [[nodiscard]] std::optional<JobLaunch> offer(AnyOfferSource& now, NodeId n) const override {
        if constexpr (its_form != PolicyForm::routes) return ask_offer(policy_, now, n);
        throw ContractViolation(not_of_this_form);
    }
    [[nodiscard]] std::optional<JobLaunch> offer(AnyQueueSource& now, NodeId n) const override {
        if constexpr (its_form == PolicyForm::routes) return ask_offer(policy_, now, n);
        throw ContractViolation(not_of_this_form);
    }
    [[nodiscard]] QueueSet route(DataRef data) const override {
        if constexpr (its_form == PolicyForm::routes) {
            const NamedQueueSets sets;
            const RouteView<NamedQueueSets> now(sets);
            return policy_.route(now, data).disclosed().front();
        }
        throw ContractViolation(not_of_this_form);
    }
    [[nodiscard]] std::optional<JobId> reclaim(const AnyReclaimSource& now) const override {
        if constexpr (its_form == PolicyForm::reclaims) return ask_reclaim(policy_, now);
        throw ContractViolation(not_of_this_form);
    }

  private:
    P policy_;
};

}  // namespace detail

/// A policy that is added while the program runs.
class AddedPolicy {
  public:
    explicit AddedPolicy(std::shared_ptr<const PolicyCode> code) : code_(std::move(code)) {}
    [[nodiscard]] const PolicyCode& code() const { return *code_; }

  private:
    std::shared_ptr<const PolicyCode> code_;
};

/// The policy P with the default values of its parameters.
template <SharingPolicy P>
[[nodiscard]] AddedPolicy added() {
    static_assert(admitted<P>());
    static_assert(std::is_default_constructible_v<P>, "every parameter of a policy that is added has a default value");
    return AddedPolicy(std::make_shared<const detail::CodeOf<P>>());
}

}  // namespace schedproof::sharing
