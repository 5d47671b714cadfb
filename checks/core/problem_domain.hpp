/// Where claims of a family are asked: all inputs of a shape, a finite list of problems, or random ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "checks/core/claim_text.hpp"
#include "checks/core/domain.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::checks {

/// Where a claim about a policy is asked: on all inputs of a shape, on every problem of a finite list, on random ones.
template <class F>
struct ProblemDomain : Domain {
    struct Enumerated {
        /// Calls back with each problem until the callback returns false.
        std::function<void(const std::function<bool(const typename F::Case&)>&)> each;
        std::string bounds;  ///< all of them in words: "every problem with at most 3 tasks ..."
    };
    struct Random {
        std::function<typename F::Case(Sampler&)> draw;
    };
    using Problems = std::variant<typename F::Shape, Enumerated, Random>;
    Problems problems;

    ProblemDomain(std::string its_name, Problems its_problems)
        : Domain(std::move(its_name)), problems(std::move(its_problems)) {}
};
template <class F>
using ProblemDomainPtr = std::shared_ptr<const ProblemDomain<F>>;

template <class F>
[[nodiscard]] ProblemDomainPtr<F> single_case(std::string name, typename F::Case only) {
    typename ProblemDomain<F>::Enumerated one{[only = std::move(only)](const auto& visit) { visit(only); },
                                              "this problem alone"};
    return std::make_shared<const ProblemDomain<F>>(std::move(name), std::move(one));
}

/// A problem of the domain that meets the premise, in words; empty when none is found among its first 1,000, or, of a
/// shape, among its samples.
template <class F>
[[nodiscard]] std::string witness_of(const ProblemDomain<F>& domain,
                                     const std::function<bool(const typename F::Case&)>& premise) {
    constexpr std::size_t most = 1000;
    std::size_t tried = 0;
    std::string found;
    const auto look = [&](const typename F::Case& problem) {
        ++tried;
        if (premise(problem)) found = "problem " + std::to_string(tried) + " of " + domain.name;
        return found.empty() && tried < most;
    };
    if (const auto* shape = std::get_if<typename F::Shape>(&domain.problems)) {
        for (const auto& problem : F::samples(*shape))
            if (!look(problem)) break;
    } else if (const auto* random = std::get_if<typename ProblemDomain<F>::Random>(&domain.problems)) {
        for (bool more = true; more;) {
            Sampler source(StreamKey{1, tried});
            more = look(random->draw(source));
        }
    } else {
        std::get<typename ProblemDomain<F>::Enumerated>(domain.problems).each(look);
    }
    return found;
}

/// What `complain` says of the first problem of which it says anything: of a finite list all are looked at, of random
/// ones `settings.cases`.
template <class F>
[[nodiscard]] std::string first_complaint(const ProblemDomain<F>& domain, const Settings& settings,
                                          const std::function<std::string(const typename F::Case&)>& complain) {
    std::string found;
    const auto look = [&](const typename F::Case& problem) {
        found = complain(problem);
        return found.empty();
    };
    if (const auto* listed = std::get_if<typename ProblemDomain<F>::Enumerated>(&domain.problems)) listed->each(look);
    if (const auto* random = std::get_if<typename ProblemDomain<F>::Random>(&domain.problems))
        for (std::uint64_t i = 0; i < settings.cases; ++i) {
            Sampler source(StreamKey{settings.seed, i});
            if (!look(random->draw(source))) break;
        }
    return found;
}

}  // namespace schedproof::checks
