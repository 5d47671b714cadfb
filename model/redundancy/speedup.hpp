/// Speedup functions: how much work a grant gets done in an interval, on any number.
///
/// A job with r copies at share x of their machines works, over an interval of length D, at speed s: x s h(r, D)
/// ([xu2017], (7) to (10); s = 1 but for the algorithm whose machines are made faster). For linear processes that is a
/// rate times D, so work and time turn into each other exactly and a symbolic length gives symbolic work. A speedup of
/// any other process has the same two members (`work`, `time`), and a Schedule runs on it alike.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/core/errors.hpp"
#include "model/core/number.hpp"
#include "model/redundancy/allocation.hpp"
#include "model/redundancy/service.hpp"

namespace schedproof::redundancy {

template <Number N>
class LinearSpeedup {
  public:
    /// Requires a linear service and speed > 0.
    LinearSpeedup(const Service& service, std::size_t machines, const Rational& speed) {
        require(speed.sign() > 0, "a speedup needs a speed above 0");
        gain_.reserve(machines);
        for (std::size_t r = 1; r <= machines; ++r)
            gain_.push_back(speed * service.gain(static_cast<std::uint32_t>(r)));
        for (const Rational& rate : gain_) by_copies_.push_back(pace(rate));
    }

    /// Work that one job with this grant gets done in `length`.
    [[nodiscard]] N work(const Grant& grant, const N& length) { return of(grant).rate * length; }
    /// How long a job with this grant takes for `work`.
    [[nodiscard]] N time(const Grant& grant, const N& work) { return of(grant).inverse * work; }
    /// s x g(r), exactly.
    [[nodiscard]] Rational rate(const Grant& grant) const { return gain_[grant.copies - 1] / Rational(grant.ways); }

  private:
    struct Pace {
        Coefficient<N> rate, inverse;
    };
    static Pace pace(const Rational& rate) {
        return {NumberTraits<N>::coefficient(rate), NumberTraits<N>::coefficient(Rational(1) / rate)};
    }
    const Pace& of(const Grant& grant) {
        if (grant.ways == 1) return by_copies_[grant.copies - 1];
        if (grant.copies > 1) return *(shared_ = pace(rate(grant)));
        if (by_ways_.size() <= grant.ways) by_ways_.resize(grant.ways + 1);
        if (!by_ways_[grant.ways]) by_ways_[grant.ways] = pace(rate(grant));
        return *by_ways_[grant.ways];
    }

    std::vector<Rational> gain_;                // s g(r), by copies from 1
    std::vector<Pace> by_copies_;               // share 1
    std::vector<std::optional<Pace>> by_ways_;  // one copy, by ways, as they occur
    std::optional<Pace> shared_;                // several copies at a share below 1
};

}  // namespace schedproof::redundancy
