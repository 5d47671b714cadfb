/// Mean work of the best of r machines: against enumeration and integration from the definitions, known
/// values, the lemmas as properties, and what is not a service.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "checks/redundancy/reference_model.hpp"
#include "model/core/errors.hpp"
#include "model/redundancy/service.hpp"

namespace schedproof::redundancy {
namespace {

using checks::independent;
using checks::mean_of_best;

Rational q(std::int64_t p, std::int64_t d = 1) { return {Integer(p), Integer(d)}; }
Rational h(const char* service, std::uint32_t copies, const Rational& length) {
    return Service::parse(service).best_of(copies, length);
}

/// Work of a slotted machine in `slots` slots, every outcome of every slot.
std::vector<std::pair<Rational, Rational>> slotted_machine(std::uint32_t rate, std::size_t slots) {
    std::vector<std::pair<Rational, Rational>> law;
    for (const checks::Outcome& o : independent({{q(1, rate), q(rate)}, {q(1) - q(1, rate), q(0)}}, slots)) {
        Rational work;
        for (const Rational& slot : o.work) work += slot;
        law.emplace_back(o.probability, work);
    }
    return law;
}

/// Work of a periodic machine from phase u: on (rate 2) while the phase is in [0, 1) modulo 2.
Rational periodic_work(const Rational& u, const Rational& length) {
    Rational work;
    for (std::int64_t k = 0; q(2 * k) < u + length; ++k) {
        const Rational from = std::max(u, q(2 * k)), to = std::min(u + length, q(2 * k + 1));
        if (to > from) work += q(2) * (to - from);
    }
    return work;
}

/// E max of r periodic machines, as the integral of 1 - G^r. G, the distribution of one machine's work, is made of the
/// pieces on which the work is linear in the phase.
Rational periodic_best(std::uint32_t copies, const Rational& length) {
    std::set<Rational> phases{q(0), q(1), q(2)};
    for (std::int64_t k = 0; k < 40; ++k)
        if (const Rational u = q(k) - length; u.sign() > 0 && u < q(2)) phases.insert(u);
    struct Piece {
        Rational weight, low, high;  // the work is uniform between
    };
    std::vector<Piece> pieces;
    std::set<Rational> works{q(0)};
    for (auto a = phases.begin(), b = std::next(a); b != phases.end(); ++a, ++b) {
        const Rational x = periodic_work(*a, length), y = periodic_work(*b, length);
        pieces.push_back({(*b - *a) / q(2), std::min(x, y), std::max(x, y)});
        works.insert({x, y});
    }
    const auto cdf = [&](const Rational& x) {
        Rational sum;
        for (const Piece& p : pieces) {
            if (p.high <= x)
                sum += p.weight;
            else if (p.low < x)
                sum += p.weight * (x - p.low) / (p.high - p.low);
        }
        return sum;
    };
    Rational mean;
    for (auto a = works.begin(), b = std::next(a); b != works.end(); ++a, ++b) {
        // G is linear strictly between: its value there at a third and two thirds gives both ends.
        const Rational length_of = *b - *a, third = cdf(*a + length_of / q(3)), two = cdf(*b - length_of / q(3));
        const Rational from = third + third - two, slope = q(3) * (two - third);
        const Rational power_mean =
            slope.sign() == 0
                ? to_the_power(from, copies)
                : (to_the_power(from + slope, copies + 1) - to_the_power(from, copies + 1)) / (q(copies + 1) * slope);
        mean += length_of * (q(1) - power_mean);
    }
    return mean;
}

TEST(RedundancyService, TwoPointIsTheMeanOverAllOutcomes) {
    for (const auto& [fast, slow] : {std::pair{q(2), q(0)}, {q(3), q(0)}, {q(5, 2), q(1, 2)}, {q(4, 3), q(2, 3)}}) {
        const Rational often = (q(1) - slow) / (fast - slow);
        for (std::uint32_t r = 1; r <= 6; ++r)
            for (const Rational& length : {q(0), q(1, 3), q(1), q(7, 2)})
                EXPECT_EQ(Service(TwoPoint{fast, slow}).best_of(r, length),
                          length * mean_of_best(independent({{often, fast}, {q(1) - often, slow}}, r), r));
    }
}

TEST(RedundancyService, SlottedIsTheMeanOverAllOutcomes) {
    for (const std::uint32_t rate : {1u, 2u, 3u})
        for (std::size_t slots = 0; slots <= 4; ++slots)
            for (std::uint32_t r = 1; r <= 3; ++r) {
                const auto machine = slots == 0 ? std::vector{std::pair{q(1), q(0)}} : slotted_machine(rate, slots);
                EXPECT_EQ(Service(Slotted{rate}).best_of(r, q(static_cast<std::int64_t>(slots))),
                          mean_of_best(independent(machine, r), r))
                    << rate << " " << slots << " " << r;
            }
}

TEST(RedundancyService, PeriodicIsTheIntegralOverPhases) {
    for (std::uint32_t r = 1; r <= 6; ++r)
        for (std::int64_t twelfths = 0; twelfths <= 60; ++twelfths)
            EXPECT_EQ(h("periodic", r, q(twelfths, 12)), twelfths == 0 ? q(0) : periodic_best(r, q(twelfths, 12)))
                << r << " copies, " << twelfths << "/12";
}

TEST(RedundancyService, HasKnownValues) {
    EXPECT_EQ(h("two-point:2,0", 3, q(3, 4)), q(21, 16));
    EXPECT_EQ(h("two-point:5/2,1/2", 2, q(1)), q(11, 8));
    EXPECT_EQ(h("slotted:2", 2, q(4)), q(163, 32));
    EXPECT_EQ(h("slotted:3", 3, q(2)), q(98, 27));
    EXPECT_EQ(h("periodic", 2, q(1, 2)), q(35, 48));
    EXPECT_EQ(h("periodic", 3, q(3, 2)), q(59, 32));
    EXPECT_EQ(h("periodic", 4, q(5, 2)), q(3719, 1280));
    EXPECT_EQ(h("det", 5, q(7, 3)), q(7, 3));
    EXPECT_EQ(h("gains:1,3/2,7/4@3", 2, q(2)), q(3));
    EXPECT_EQ(h("gains:1,3/2,7/4@3", 9, q(2)), q(7, 2));
    EXPECT_EQ(h("periodic", 0, q(3)), q(0));
}

/// A service of any kind, with a length that suits it.
std::pair<Service, Rational> any_service() {
    const auto whole = *rc::gen::inRange<std::int64_t>(0, 7);
    const Rational length = q(whole) + q(*rc::gen::inRange<std::int64_t>(0, 12), 12);
    switch (*rc::gen::inRange(0, 5)) {
        case 0:
            return {Service(Deterministic{}), length};
        case 1: {
            const auto slow = *rc::gen::inRange<std::int64_t>(0, 6), fast = *rc::gen::inRange<std::int64_t>(7, 30);
            return {Service(TwoPoint{q(fast, 6), q(slow, 6)}), length};
        }
        case 2:
            return {Service(Slotted{*rc::gen::inRange<std::uint32_t>(1, 5)}), q(whole)};
        case 3:
            return {Service(Periodic{}), length};
        default:
            break;
    }
    Gains gains{{q(1)}, q(0)};
    std::int64_t step = *rc::gen::inRange<std::int64_t>(0, 9);
    for (int r = 0; r < 5; ++r) {
        gains.gain.push_back(gains.gain.back() + q(step, 8));
        step = *rc::gen::inRange<std::int64_t>(0, step + 1);
    }
    gains.peak = gains.gain.back() + q(*rc::gen::inRange<std::int64_t>(0, 3));
    return {Service(std::move(gains)), length};
}

RC_GTEST_PROP(RedundancyServiceProperty, Lemma1ACopyGainsNoMoreThanTheOneBefore, ()) {
    const auto [service, d] = any_service();
    for (std::uint32_t r = 1; r <= 8; ++r)
        RC_ASSERT(service.best_of(r + 1, d) - service.best_of(r, d) <=
                  service.best_of(r, d) - service.best_of(r - 1, d));
}

RC_GTEST_PROP(RedundancyServiceProperty, Lemma2BestOfCopiesIsBetweenOneAndAllAndThePeak, ()) {
    const auto [service, d] = any_service();
    RC_ASSERT(service.best_of(1, d) == d);
    for (std::uint32_t r = 1; r <= 8; ++r) {
        RC_ASSERT(d <= service.best_of(r, d));
        RC_ASSERT(service.best_of(r, d) <= std::min(q(r), service.peak()) * d);
    }
}

RC_GTEST_PROP(RedundancyServiceProperty, NeverFallsAndExtraCheckpointsNeverHurt, ()) {
    const auto [service, d] = any_service();
    const Rational other = service.linear() || std::holds_alternative<Periodic>(service.process())
                               ? q(*rc::gen::inRange<std::int64_t>(0, 40), 12)
                               : q(*rc::gen::inRange<std::int64_t>(0, 4));
    for (std::uint32_t r = 1; r <= 8; ++r) {
        RC_ASSERT(service.best_of(r, d) <= service.best_of(r + 1, d));
        RC_ASSERT(service.best_of(r, d) <= service.best_of(r, d + other));
        RC_ASSERT(service.best_of(r, d + other) <= service.best_of(r, d) + service.best_of(r, other));
    }
}

RC_GTEST_PROP(RedundancyServiceProperty, TextReadsBack, ()) {
    const Service service = any_service().first;
    RC_ASSERT(Service::parse(service.to_string()) == service);
}

TEST(RedundancyService, EqualLawsAreNotEnoughForLemma1) {
    const auto law = checks::twins_and_one();
    EXPECT_EQ(mean_of_best(law, 1), q(1));
    EXPECT_EQ(mean_of_best(law, 2), q(1));
    EXPECT_EQ(mean_of_best(law, 3), q(3, 2));
    for (std::size_t machine = 0; machine < 3; ++machine) {  // alike: mean 1, and 2 with probability 1/2
        Rational mean, fast;
        for (const checks::Outcome& o : law) {
            mean += o.probability * o.work[machine];
            if (o.work[machine] == q(2)) fast += o.probability;
        }
        EXPECT_EQ(mean, q(1));
        EXPECT_EQ(fast, q(1, 2));
    }
}

TEST(RedundancyService, RefusesWhatIsNone) {
    for (const char* text : {"",
                             "two",
                             "two-point",
                             "two-point:2",
                             "two-point:2,0,1",
                             "two-point:1,0",
                             "two-point:2,1",
                             "two-point:2,-1",
                             "two-point:1/2,0",
                             "two-point:x,0",
                             "slotted:",
                             "slotted:0",
                             "slotted:1/2",
                             "slotted:-3",
                             "slotted:1000001",
                             "slotted:2,3",
                             "det:1",
                             "periodic:2",
                             "gains:",
                             "gains:2",
                             "gains:1,3/2,1",
                             "gains:1,3/2@2,7",
                             "gains:1,2,7/2",
                             "gains:1,3@4",
                             "gains:1,3/2,9/4",
                             "gains:1,3/2@5/4",
                             "gains:1,3/2@x",
                             "gains:1,,2",
                             "gains:1/2,1",
                             "DET",
                             "gains"})
        EXPECT_THROW((void)Service::parse(text), InputError) << text;
    EXPECT_THROW((void)h("slotted:2", 1, q(1, 2)), ContractViolation);
    EXPECT_THROW((void)h("det", 1, q(-1)), ContractViolation);
    EXPECT_THROW((void)Service::parse("periodic").gain(2), ContractViolation);
    EXPECT_THROW((void)Service::parse("slotted:2").gain(2), ContractViolation);
}

TEST(RedundancyService, PeaksAndLinearity) {
    EXPECT_EQ(Service::parse("two-point:5/2,1/2").peak(), q(5, 2));
    EXPECT_EQ(Service::parse("gains:1,3/2").peak(), q(3, 2));
    EXPECT_EQ(Service::parse("gains:1,3/2@2").peak(), q(2));
    EXPECT_EQ(Service::parse("periodic").peak(), q(2));
    EXPECT_EQ(Service::parse("slotted:7").peak(), q(7));
    EXPECT_EQ(Service().peak(), q(1));
    for (const char* text : {"det", "two-point:2,0", "gains:1,3/2"}) EXPECT_TRUE(Service::parse(text).linear());
    for (const char* text : {"periodic", "slotted:2"}) EXPECT_FALSE(Service::parse(text).linear());
}

}  // namespace
}  // namespace schedproof::redundancy
