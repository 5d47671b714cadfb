/// The generated policies that are printed as C++, compiled, and compared with themselves.
#pragma once

#include <cstddef>
#include <string>

#include "tests/model/generated_rules.hpp"

namespace schedproof::printed {

inline constexpr std::size_t files = 5, policies_of_file = 8;
inline constexpr std::size_t first_seed = 20261122;

/// Policy `k` of a file, the same in every program. Each file has policies with queues of every arrangement.
inline queueing::Rules drawn_rules(std::size_t file, std::size_t k) {
    const rc::Random seed(first_seed + file * policies_of_file + k);
    return oracle::any_rules(static_cast<queueing::Arrangement>(k % 5))(seed, rc::kNominalSize).value();
}

}  // namespace schedproof::printed
