/// The load along a family of loads: against linear programs at slacks between, mutants of what proves it, known
/// pieces.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "capacity_instances.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/load.hpp"
#include "proofs/queueing/capacity/along_slack.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::capacity {
namespace {

using namespace testing;

/// At most one task a slot, whose type has one law at slack 0 and another at the largest slack.
Instance arbitrary_family() {
    InstanceData data = arbitrary_instance(4);
    data.rates.clear();
    std::vector<Rational> from, to;
    for (std::vector<Rational>* rates : {&from, &to})
        for (std::size_t t = 0; t < data.types.size(); ++t)
            rates->push_back(frac(*rc::gen::inRange(0, 7), 6 * static_cast<std::int64_t>(data.types.size())));
    RC_PRE(from != to);
    data.arrivals = queueing::ArrivalLaw::single(from);
    data.slack = queueing::ArrivalSlack{frac(1, *rc::gen::inRange(1, 5)), queueing::ArrivalLaw::single(to)};
    return Instance(std::move(data));
}

RC_GTEST_PROP(CapacityAlongSlack, IsTheLoadAtEverySlack, ()) {
    const Instance family = arbitrary_family();
    const std::vector<LoadPiece> pieces = load_along_slack(family);
    RC_ASSERT(rejection(family, pieces).empty());
    for (int share = 0; share <= 8; ++share) {
        const Rational slack = frac(share, 8) * family.slack().up_to;
        const auto piece =
            std::find_if(pieces.begin(), pieces.end(), [&](const LoadPiece& one) { return slack <= one.to; });
        RC_ASSERT(piece != pieces.end());
        const Rational load =
            piece->at_from + (piece->at_to - piece->at_from) * (slack - piece->from) / (piece->to - piece->from);
        RC_ASSERT(load == solve(at_slack(family, slack), {Method::full_program}).load());
    }
    for (std::size_t i = 1; i < pieces.size(); ++i) {  // each as long as its prices are optimal; convex
        const auto rise = [](const LoadPiece& p) { return (p.at_to - p.at_from) / (p.to - p.from); };
        RC_ASSERT(rise(pieces[i - 1]) < rise(pieces[i]));
    }
}

RC_GTEST_PROP(CapacityAlongSlack, MutantsAreRejected, ()) {
    const Instance family = arbitrary_family();
    std::vector<LoadPiece> pieces = load_along_slack(family);
    LoadPiece& piece = pieces[*rc::gen::inRange<std::size_t>(0, pieces.size())];
    switch (*rc::gen::inRange(0, 6)) {
        case 0:
            piece.at_from += frac(1, 1000);
            break;
        case 1:
            piece.at_to -= frac(1, 1000);
            break;
        case 2:
            piece.to += frac(1, 1000);
            break;
        case 3:
            piece.type_price[0] += frac(1, 1000);  // more than the cheapest server allows
            break;
        case 4:
            piece.server_price[0] += frac(1, 1000);  // their sum is not 1
            break;
        default:
            pieces.pop_back();
    }
    RC_ASSERT(!rejection(family, pieces).empty());
}

TEST(CapacityAlongSlack, HasOnePieceNearTheBoundary) {
    const Instance family =
        queueing::read_instance(SCHEDPROOF_SOURCE_DIR "/experiments/instances/slack-two-levels.toml");
    const std::vector<LoadPiece> pieces = load_along_slack(family);
    ASSERT_EQ(pieces.size(), 1U);
    EXPECT_EQ(pieces[0].at_from, 1);
    EXPECT_EQ(pieces[0].at_to, frac(19, 20));  // s0 alone could do 4/5, s1 helps with 1/4 of its time: w = (4/5, 1/5)
    EXPECT_EQ(pieces[0].server_price, (std::vector<Rational>{frac(4, 5), frac(1, 5)}));
}

// Two servers at 4/5 locally and 1/5 remotely, one type each. While s0 has more to do than s1, s1 helps, and rho*
// solves 4/5 rho + (rho - b / (4/5)) / 5 = a; from a = b on each serves its own, and beyond that s0 helps.
TEST(CapacityAlongSlack, TurnsWhereTheBottleneckDoes) {
    InstanceData data = two_servers(frac(1, 2), frac(1, 4));
    data.rates.clear();
    const std::vector<Rational> from{frac(1, 2), frac(1, 4)}, to{frac(1, 4), frac(1, 2)};
    data.arrivals = queueing::ArrivalLaw::single(from);
    data.slack = queueing::ArrivalSlack{Rational(1), queueing::ArrivalLaw::single(to)};
    const std::vector<LoadPiece> pieces = load_along_slack(Instance(std::move(data)));
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].to, frac(1, 2));
    EXPECT_EQ(pieces[0].at_from, frac(9, 16));
    EXPECT_EQ(pieces[0].at_to, frac(15, 32));
    EXPECT_EQ(pieces[1].at_to, frac(9, 16));
}

TEST(CapacityAlongSlack, NeedsAFamily) {
    EXPECT_THROW((void)load_along_slack(Instance(two_servers(frac(1, 2), frac(1, 4)))), InputError);
}

}  // namespace
}  // namespace schedproof::capacity
