/// What must hold of a policy before anything is said of it: all ways of running it agree.
///
/// Types stop most of what a policy must not depend on. What they cannot stop shows when the policy is run: hidden
/// state, when it is asked the same twice; a second code for another kind of number or view, when the modes are
/// compared; a dependence on names, when servers, nodes or jobs are renamed; a decision that cannot be carried out, at
/// once. A family says what its policies are compared by; the cases are random with a fixed seed, so that a policy is
/// refused on every machine or on none. A policy that agrees on them all may still be at fault elsewhere: agreement is
/// no proof, and no verdict is derived from it.
#pragma once

#include <cstdint>
#include <string>

#include "model/core/errors.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::checks {

inline constexpr std::uint64_t agreement_cases = 200;

/// Why a policy is refused, by the first case of which `differs` says something; empty when there is none.
/// `draw(Sampler&)` makes a case; `differs(case)` runs the policy in all ways and says which two differ. A contract
/// that the policy breaks refuses it too, and whatever else it throws but std::bad_alloc. A case on which a limit is
/// reached says nothing; if all are such, nothing has been compared, and the policy is refused for that.
template <class Draw, class Differs>
[[nodiscard]] std::string disagreement(const Draw& draw, const Differs& differs,
                                       std::uint64_t cases = agreement_cases) {
    constexpr std::uint64_t seed = 0x5eed;
    std::string limit;
    std::uint64_t compared = 0;
    for (std::uint64_t i = 0; i < cases; ++i) {
        Sampler source(StreamKey{seed, i});
        const auto problem = draw(source);
        try {
            if (std::string found = differs(problem); !found.empty())
                return found + " (random case " + std::to_string(i + 1) + ")";
            ++compared;
        } catch (const ContractViolation& broken) {
            return std::string("it breaks a contract: ") + broken.what() + " (random case " + std::to_string(i + 1) +
                   ")";
        } catch (const LimitExceeded& reached) {
            limit = reached.what();
        } catch (const OracleConflict& refused) {
            return std::string(refused.what()) + " (random case " + std::to_string(i + 1) + ")";
        } catch (const std::bad_alloc&) {  // memory that ended is no answer
            throw;
        } catch (const std::exception& thrown) {
            return std::string("it throws an exception: ") + thrown.what() + " (random case " + std::to_string(i + 1) +
                   ")";
        } catch (...) {
            return "it throws what is no exception (random case " + std::to_string(i + 1) + ")";
        }
    }
    return compared > 0 ? "" : "nothing could be compared: " + limit;
}

}  // namespace schedproof::checks
