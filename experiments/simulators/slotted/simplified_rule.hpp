/// A rule without what makes no difference to its answer.
#pragma once

#include <cstddef>

#include "model/queueing/language/expression_tree.hpp"

namespace schedproof::simulation {

/// The same sets, drawn with the same probabilities, in every state: without an alternative that is never asked, a
/// part that is asked twice, a test that always holds, a negated comparison, and factors of a key that are the same for
/// all candidates.
[[nodiscard]] queueing::language::Tree simplified(const queueing::language::Tree& rule);

/// Whether the node is a set of queues with work.
[[nodiscard]] bool tests_work(const queueing::language::Tree& tree, std::size_t at);

}  // namespace schedproof::simulation
