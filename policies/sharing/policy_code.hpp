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

/// The answers of a policy's code, with counts of this type. What the policy's form lacks is not asked.
template <class Count>
class PolicyAnswers {
  public:
    virtual ~PolicyAnswers() = default;
    [[nodiscard]] virtual PolicyForm form() const = 0;
    [[nodiscard]] virtual std::optional<JobLaunch> offer(AnyOfferSourceOf<Count>& now, NodeId n) const = 0;
    [[nodiscard]] virtual std::optional<JobLaunch> offer(AnyQueueSourceOf<Count>& now, NodeId n) const = 0;
    [[nodiscard]] virtual QueueSet route(DataRef data) const = 0;
    [[nodiscard]] virtual std::optional<JobId> reclaim(const AnyReclaimSourceOf<Count>& now) const = 0;
};

/// The code of a policy.
class PolicyCode : public PolicyAnswers<std::int64_t> {
  public:
    /// The texts live as long as the file of the code stays loaded.
    [[nodiscard]] virtual PolicyInfo info() const = 0;
    /// The values of its parameters, as text.
    [[nodiscard]] virtual std::string definition() const = 0;
    /// The values of its parameters where Parameters has one of the name and type; the usual value where it has none.
    [[nodiscard]] virtual Parameters parameters() const = 0;
    /// The same policy with these parameters, as far as it has them.
    [[nodiscard]] virtual std::shared_ptr<const PolicyCode> with(const Parameters& parameters) const = 0;
    /// The same policy with these parameters, as far as its own are of the type of its counts, on affine counts.
    [[nodiscard]] virtual std::shared_ptr<const PolicyAnswers<AffineCount>> on_affine_counts(
        const ParametersOf<AffineCount>& parameters) const = 0;
};

namespace detail {

inline constexpr const char* not_of_this_form = "a policy is asked what its form has";

/// The policy type with affine counts as parameters: another instance of the same template, as delay.hpp shows, or the
/// type itself, whose parameters then stay the numbers that they are.
template <class P>
struct OnAffineCounts {
    using Type = P;
};
template <template <class> class P>
struct OnAffineCounts<P<std::int64_t>> {
    using Type = P<AffineCount>;
};

/// The policy's parameters, those of the type of its counts as affine ones.
template <class P>
[[nodiscard]] typename OnAffineCounts<P>::Type on_affine_counts(const P& policy) {
    using Affine = typename OnAffineCounts<P>::Type;
    if constexpr (std::is_same_v<P, Affine>) {
        return policy;
    } else {
        Affine same;
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            ((same.*(std::get<i>(Affine::parameters).member) = policy.*(std::get<i>(P::parameters).member)), ...);
        }
        (std::make_index_sequence<std::tuple_size_v<decltype(P::parameters)>>());
        return same;
    }
}

/// What P answers.
template <SharingPolicy P, class Count, class Base>
class AnswersOf : public Base {
    static constexpr PolicyForm its_form = form_of<P>;

  public:
    explicit AnswersOf(P policy) : policy_(std::move(policy)) {}
    [[nodiscard]] PolicyForm form() const override { return its_form; }
    [[nodiscard]] std::optional<JobLaunch> offer(AnyOfferSourceOf<Count>& now, NodeId n) const override {
        if constexpr (its_form != PolicyForm::routes) return ask_offer(policy_, now, n);
        throw ContractViolation(not_of_this_form);
    }
    [[nodiscard]] std::optional<JobLaunch> offer(AnyQueueSourceOf<Count>& now, NodeId n) const override {
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
    [[nodiscard]] std::optional<JobId> reclaim(const AnyReclaimSourceOf<Count>& now) const override {
        if constexpr (its_form == PolicyForm::reclaims) return ask_reclaim(policy_, now);
        throw ContractViolation(not_of_this_form);
    }

  protected:
    P policy_;
};

template <SharingPolicy P>
class AffineCodeOf final : public AnswersOf<P, AffineCount, PolicyAnswers<AffineCount>> {
  public:
    AffineCodeOf(P policy, const ParametersOf<AffineCount>& parameters)
        : AnswersOf<P, AffineCount, PolicyAnswers<AffineCount>>(std::move(policy)) {
        for_each_settable<P, AffineCount>([&](auto its, auto known) { this->policy_.*its = parameters.*known; });
    }
};

/// The code of P.
template <SharingPolicy P>
class CodeOf : public AnswersOf<P, std::int64_t, PolicyCode> {
    using Answers = AnswersOf<P, std::int64_t, PolicyCode>;

  public:
    explicit CodeOf(P policy = {}) : Answers(std::move(policy)) {}
    [[nodiscard]] PolicyInfo info() const override { return P::info; }
    [[nodiscard]] std::string definition() const override { return schedproof::definition(this->policy_); }
    [[nodiscard]] Parameters parameters() const override {
        Parameters own;
        for_each_settable<P>([&](auto its, auto known) { own.*known = this->policy_.*its; });
        return own;
    }
    [[nodiscard]] std::shared_ptr<const PolicyCode> with(const Parameters& parameters) const override {
        const auto changed = std::make_shared<CodeOf>(*this);
        for_each_settable<P>([&](auto its, auto known) { changed->policy_.*its = parameters.*known; });
        return changed;
    }
    [[nodiscard]] std::shared_ptr<const PolicyAnswers<AffineCount>> on_affine_counts(
        const ParametersOf<AffineCount>& parameters) const override {
        return std::make_shared<const AffineCodeOf<typename OnAffineCounts<P>::Type>>(
            detail::on_affine_counts(this->policy_), parameters);
    }
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
