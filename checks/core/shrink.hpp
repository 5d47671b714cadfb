/// Smaller problems on which something still fails, for every family.
///
/// Greedy: the family's smaller variants of a problem are tried in its order, the simplest first, and the first that
/// still fails in the same way takes the problem's place; until none does. Deterministic and bounded.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "checks/core/verdict.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

/// Calls back with smaller variants of a case, or with nothing for a variant that is no case; true when one was taken.
template <class F>
using Take = std::function<bool(std::optional<typename F::Case>)>;

template <class F>
struct ShrunkCase {
    typename F::Case problem;
    std::size_t tried = 0;  ///< variants looked at
    /// 1-minimal: every smaller variant of the problem was looked at, and none fails in the same way. False where the
    /// limit came first.
    bool minimal = false;
};

/// Requires a problem about which `complaint` (empty when fine) complains; about the result it complains of the same
/// kind. What throws an error of this library does not complain. Cost: at most `limit` complaints, and one.
template <class F>
[[nodiscard]] ShrunkCase<F> shrink(typename F::Case problem, const std::string& policy,
                                   const std::function<Violation(const typename F::Case&)>& complaint,
                                   std::size_t limit = F::shrink_limit) {
    const Violation first = complaint(problem);
    require(!first.empty(), "only a problem that violates a claim is shrunk");
    ShrunkCase<F> shrunk{std::move(problem)};
    bool taken = true, cut = limit == 0;
    while (taken && !cut) {
        taken = false;
        const typename F::Case now = shrunk.problem;
        const Take<F> take = [&](std::optional<typename F::Case> smaller) {
            cut = shrunk.tried >= limit;
            if (cut) return true;
            ++shrunk.tried;
            try {
                if (!smaller) return false;
                if (const Violation now_wrong = complaint(*smaller); now_wrong.empty() || now_wrong.kind != first.kind)
                    return false;
            } catch (const Error&) {
                return false;
            }
            shrunk.problem = std::move(*smaller);
            return taken = true;
        };
        F::smaller(now, policy, take);
    }
    shrunk.minimal = !cut;
    return shrunk;
}

}  // namespace schedproof::checks
