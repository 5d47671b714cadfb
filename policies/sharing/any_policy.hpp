/// A sharing policy whatever its type: one of the registry, or one that the program was not compiled with.
///
/// `ErasedAs` is a policy type: an engine is compiled with it once, and whatever it is asked it asks the policy's code
/// (policy_code.hpp), over the view that the engine has made. So every engine, every contract of a view and every
/// comparison of a policy with itself holds for the code. There is an ErasedAs for each form of a policy, since engines
/// differ by what a policy has: `route`, `reclaim`.
/// Cost: a virtual call for each question.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "policies/core/answer_of.hpp"
#include "policies/sharing/policy_code.hpp"
#include "policies/sharing/view_as_source.hpp"

namespace schedproof::sharing {

namespace detail {

/// What the code answers. A contract that it breaks stays a ContractViolation, and whatever else it throws becomes one:
/// claims of this family are about contracts, and catch them to say where a policy breaks one.
template <class Ask>
[[nodiscard]] auto answer_of(const Ask& ask) {
    return answer_or(ask, [](const std::string& what) { throw ContractViolation("a policy " + what); });
}

}  // namespace detail

namespace detail {

/// The code of a policy that the program was compiled with. Code that is compiled apart is never a Held, even of a type
/// of the same name.
template <SharingPolicy P>
class Held final : public CodeOf<P> {
  public:
    using CodeOf<P>::CodeOf;
    [[nodiscard]] const P& policy() const { return this->policy_; }
};

}  // namespace detail

/// A policy's code as a policy type: the one of its form. With affine counts it is run on states of these alone.
template <PolicyForm form, class Count = std::int64_t>
class ErasedAs {
    using Code = std::conditional_t<std::is_same_v<Count, std::int64_t>, PolicyCode, PolicyAnswers<Count>>;

  public:
    /// Requires code of this form.
    explicit ErasedAs(std::shared_ptr<const Code> code) : code_(std::move(code)) {
        require(code_->form() == form, "a policy is run as what it is");
    }

    template <SharingView V>
    requires(form != PolicyForm::routes) [[nodiscard]] std::optional<Launch> offer(V& now, NodeRef n) const {
        return offer_from(detail::SourceOfOffer<V>(now, n), n);
    }
    template <QueueView V>
    requires(form == PolicyForm::routes) [[nodiscard]] std::optional<Launch> offer(V& now, NodeRef n) const {
        return offer_from(detail::SourceOfQueues<V>(now, n), n);
    }
    template <RoutingView V>
    requires(form == PolicyForm::routes) [[nodiscard]] typename V::Tied route(const V& now, DataRef data) const {
        const QueueSet queues = detail::answer_of([&] { return code_->route(data); });
        return now.shortest(queues == QueueSet::own ? now.own(data) : now.own_and_common(data));
    }
    template <ReclaimingView V>
    requires(form == PolicyForm::reclaims) [[nodiscard]] std::optional<JobRef> reclaim(const V& now) const {
        const detail::SourceOfReclaim<V> source(now);
        const std::optional<JobId> job = detail::answer_of([&] { return code_->reclaim(source); });
        return job ? std::optional(source.shown()[*job]) : std::nullopt;
    }

    /// The policy itself where it is a P that the program was compiled with; null otherwise.
    template <SharingPolicy P>
    [[nodiscard]] const P* as() const {
        const auto* held = dynamic_cast<const detail::Held<P>*>(code_.get());
        return held == nullptr ? nullptr : &held->policy();
    }

    /// As the code's.
    [[nodiscard]] std::shared_ptr<const PolicyAnswers<AffineCount>> on_affine_counts(
        const ParametersOf<AffineCount>& parameters) const {
        return code_->on_affine_counts(parameters);
    }

    friend std::string definition(const ErasedAs& policy) { return policy.code_->definition(); }

  private:
    template <class Source>
    [[nodiscard]] std::optional<Launch> offer_from(Source source, NodeRef n) const {
        const std::optional<JobLaunch> answer =
            detail::answer_of([&] { return code_->offer(source, Disclosed::id(n)); });
        if (!answer) return {};
        require(index(answer->level) < localities, "a policy launches at a level that there is");
        return Launch{source.shown()[answer->job], answer->level};
    }
    std::shared_ptr<const Code> code_;
};

}  // namespace schedproof::sharing

namespace schedproof {

template <sharing::PolicyForm form, class Count>
inline constexpr bool is_erased<sharing::ErasedAs<form, Count>> = true;

}  // namespace schedproof

namespace schedproof::sharing {

static_assert(SharingPolicy<ErasedAs<PolicyForm::offers>> && !RoutingPolicy<ErasedAs<PolicyForm::offers>> &&
              !ReclaimingPolicy<ErasedAs<PolicyForm::offers>>);
static_assert(RoutingPolicy<ErasedAs<PolicyForm::routes>> && !ReclaimingPolicy<ErasedAs<PolicyForm::routes>>);
static_assert(ReclaimingPolicy<ErasedAs<PolicyForm::reclaims>> && !RoutingPolicy<ErasedAs<PolicyForm::reclaims>>);

using AnyPolicy =
    std::variant<ErasedAs<PolicyForm::offers>, ErasedAs<PolicyForm::routes>, ErasedAs<PolicyForm::reclaims>>;

[[nodiscard]] inline AnyPolicy any_policy(std::shared_ptr<const PolicyCode> code) {
    switch (code->form()) {
        case PolicyForm::routes:
            return ErasedAs<PolicyForm::routes>(std::move(code));
        case PolicyForm::reclaims:
            return ErasedAs<PolicyForm::reclaims>(std::move(code));
        case PolicyForm::offers:
            break;
    }
    return ErasedAs<PolicyForm::offers>(std::move(code));
}
template <SharingPolicy P>
requires(!is_erased<P>) [[nodiscard]] AnyPolicy any_policy(P policy) {
    static_assert(admitted<P>());
    return any_policy(std::make_shared<const detail::Held<P>>(std::move(policy)));
}

}  // namespace schedproof::sharing
