/// A policy with one of its rules changed.
#pragma once

#include "model/queueing/any_policy.hpp"

namespace schedproof::testing_support {

template <class P>
[[nodiscard]] queueing::AnyPolicy with_route(const queueing::language::Expression& set) {
    return {P::info, P::rules.with(queueing::language::route(set))};
}
template <class P>
[[nodiscard]] queueing::AnyPolicy with_serve(const queueing::language::Expression& set) {
    return {P::info, P::rules.with(queueing::language::serve(set))};
}

/// The same policy whose serving rule is said in other words, in which no engine recognises a rule of the literature.
template <class P>
[[nodiscard]] queueing::AnyPolicy in_other_words(const P& policy) {
    using namespace queueing::language;
    return {policy.info,
            policy.rules.with(Serve{Tree::node(Op::unite, 0, 0, policy.rules.serve(), policy.rules.serve())})};
}

}  // namespace schedproof::testing_support
