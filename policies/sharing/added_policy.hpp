/// A sharing policy that the program was not compiled with, run like any other.
///
/// `added<P>()` puts the code of a policy behind an interface of virtual functions; a file that holds P alone can be
/// compiled to it, apart from the program. On the other side `AddedAs` is a policy type like those of the registry: an
/// engine is compiled with it once, and whatever it is asked it asks the code, over the view that the engine has made.
/// So every engine, every contract of a view and every comparison of a policy with itself holds for the code too.
/// There is an AddedAs for each form of a policy, since engines differ by what a policy has: `route`, `reclaim`.
/// Cost: a virtual call for each question.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "model/core/errors.hpp"
#include "model/sharing/policy.hpp"
#include "policies/core/answer_of.hpp"
#include "policies/core/definition.hpp"
#include "policies/sharing/any_source.hpp"
#include "policies/sharing/settable_parameters.hpp"
#include "policies/sharing/view_as_source.hpp"

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

/// What the code answers. A contract that it breaks stays a ContractViolation, and whatever else it throws becomes one:
/// claims of this family are about contracts, and catch them to say where a policy breaks one.
template <class Ask>
[[nodiscard]] auto answer_of(const Ask& ask) {
    return answer_or(ask, [](const std::string& what) { throw ContractViolation("a policy " + what); });
}

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

/// An added policy as a policy type: the one of its form.
template <PolicyForm form>
class AddedAs {
  public:
    /// Requires code of this form.
    explicit AddedAs(std::shared_ptr<const PolicyCode> code) : code_(std::move(code)) {
        require(code_->form() == form, "an added policy is run as what it is");
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

    friend std::string definition(const AddedAs& policy) { return policy.code_->definition(); }

  private:
    template <class Source>
    [[nodiscard]] std::optional<Launch> offer_from(Source source, NodeRef n) const {
        const std::optional<JobLaunch> answer =
            detail::answer_of([&] { return code_->offer(source, Disclosed::id(n)); });
        if (!answer) return {};
        require(index(answer->level) < localities, "a policy launches at a level that there is");
        return Launch{source.shown()[answer->job], answer->level};
    }
    std::shared_ptr<const PolicyCode> code_;
};

}  // namespace schedproof::sharing

namespace schedproof {

template <sharing::PolicyForm form>
inline constexpr bool is_erased<sharing::AddedAs<form>> = true;

}  // namespace schedproof

namespace schedproof::sharing {

static_assert(SharingPolicy<AddedAs<PolicyForm::offers>> && !RoutingPolicy<AddedAs<PolicyForm::offers>> &&
              !ReclaimingPolicy<AddedAs<PolicyForm::offers>>);
static_assert(RoutingPolicy<AddedAs<PolicyForm::routes>> && !ReclaimingPolicy<AddedAs<PolicyForm::routes>>);
static_assert(ReclaimingPolicy<AddedAs<PolicyForm::reclaims>> && !RoutingPolicy<AddedAs<PolicyForm::reclaims>>);

}  // namespace schedproof::sharing
