#include "proofs/redundancy/bounds.hpp"

#include <algorithm>

namespace schedproof::redundancy {

namespace {

struct Bounds {
    const Rational& s;
    Rational others;  // Delta (1 - 1/M)
    const Rational& peak;
    std::vector<ProvedBound> all{};

    void srpt() {
        const Rational e = s - Rational(1);
        if (e.sign() <= 0) return;
        all.push_back({"Theorem 1", (Rational(1) + Rational(2) * peak) * (Rational(1) + Rational(1) / e)});
        all.push_back({"Theorem 1, strengthened", (s + others) / e});
    }
    void fair_r() {
        if (const Rational e = s - Rational(4); e.sign() > 0)
            all.push_back({"Theorem 2", Rational(4) * (s + others) / e});
        if (const Rational e = s - Rational(2); e.sign() > 0)
            all.push_back({"Theorem 2, strengthened", Rational(2) * (s + others) / e});
    }
    void laps_r(const LapsR& laps) {
        const Rational b = laps.beta.value(), two(2), four(4);
        if (const Rational e = (s - two - two * b) / two; e.sign() > 0)
            all.push_back({"Theorem 3", two / (b * e) * (peak + s)});
        const Rational e = s - Rational(1) - b;
        if (e.sign() <= 0) return;
        all.push_back({"Theorem 3, strengthened", laps.crowded == Crowded::rounds
                                                      ? two / (b * e) * (peak + two * s)
                                                      : four / (b * e) * (peak * (Rational(1) + four / e) + s)});
    }
};

}  // namespace

std::vector<ProvedBound> proved_bounds(const AnyPolicy& policy, const Rational& speed, std::size_t machines,
                                       const Rational& peak) {
    Bounds bounds{speed, peak * (Rational(1) - Rational(1) / Rational(machines)), peak};
    if (policy.as<Srpt>() || policy.as<SrptR>()) bounds.srpt();
    if (policy.as<FairR>()) bounds.fair_r();
    if (const auto* laps = policy.as<LapsR>()) bounds.laps_r(*laps);
    return std::move(bounds.all);
}

std::optional<Rational> proved_bound(const AnyPolicy& policy, const Rational& speed, std::size_t machines,
                                     const Rational& peak) {
    std::optional<Rational> least;
    for (const ProvedBound& bound : proved_bounds(policy, speed, machines, peak))
        if (!least || bound.ratio < *least) least = bound.ratio;
    return least;
}

}  // namespace schedproof::redundancy
