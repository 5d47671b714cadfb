#include "experiments/simulators/sharing/asked_policy.hpp"

#include <tuple>

#include "policies/sharing/registered_policies.hpp"

namespace schedproof::simulation {

namespace {

template <class P, sharing::PolicyForm form>
DirectQuestions<form> questions_to(const P& policy) {
    using Direct = DirectQuestions<form>;
    Direct direct{&policy};
    direct.offer = [](const void* p, typename Direct::OfferView& now, sharing::NodeRef n) {
        return static_cast<const P*>(p)->offer(now, n);
    };
    if constexpr (form == sharing::PolicyForm::routes)
        direct.route = [](const void* p, const typename Direct::RouteView& now, sharing::DataRef data) {
            return static_cast<const P*>(p)->route(now, data);
        };
    if constexpr (form == sharing::PolicyForm::reclaims)
        direct.reclaim = [](const void* p, const typename Direct::ReclaimView& now) {
            return static_cast<const P*>(p)->reclaim(now);
        };
    return direct;
}

}  // namespace

template <sharing::PolicyForm form>
DirectQuestions<form> direct_questions(const sharing::ErasedAs<form>& policy) {
    DirectQuestions<form> direct;
    const auto ask = [&]<class P>(const P*) {
        if constexpr (sharing::form_of<P> == form)
            if (const P* known = policy.template as<P>()) direct = questions_to<P, form>(*known);
    };
    [&]<class... P>(const std::tuple<P...>*) {
        (ask(static_cast<const P*>(nullptr)), ...);
    }(static_cast<const sharing::RegisteredPolicies*>(nullptr));
    return direct;
}

template DirectQuestions<sharing::PolicyForm::offers> direct_questions(
    const sharing::ErasedAs<sharing::PolicyForm::offers>&);
template DirectQuestions<sharing::PolicyForm::routes> direct_questions(
    const sharing::ErasedAs<sharing::PolicyForm::routes>&);
template DirectQuestions<sharing::PolicyForm::reclaims> direct_questions(
    const sharing::ErasedAs<sharing::PolicyForm::reclaims>&);

}  // namespace schedproof::simulation
