/// A policy with one of its rules changed.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::testing_support {

template <class P>
[[nodiscard]] queueing::AnyPolicy with_route(const queueing::language::Set<queueing::language::Decider::task>& set) {
    return {P::info, P::rules.with(queueing::language::route(set))};
}
template <class P>
[[nodiscard]] queueing::AnyPolicy with_serve(const queueing::language::Set<queueing::language::Decider::server>& set) {
    return {P::info, P::rules.with(queueing::language::serve(set))};
}

/// The same policy whose serving rule is said in other words, in which no engine recognises a rule of the literature.
template <class P>
[[nodiscard]] queueing::AnyPolicy in_other_words(const P& policy) {
    using namespace queueing::language;
    const Set<Decider::server> set(policy.rules.serve());
    return {policy.info, policy.rules.with(serve(set | set))};
}

}  // namespace schedproof::testing_support
