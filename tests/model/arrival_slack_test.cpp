/// Families of loads: members between the ends, what is written and read back, what is refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/load.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::q;

/// A small instance whose first type that can be is less and less often alone.
std::optional<Instance> small_family() {
    InstanceData data = (*oracle::small_instance("jsq-maxweight")).data();
    const Rational up_to(Integer(1), Integer(*rc::gen::inRange(20, 400)));
    for (std::size_t t = 0; t < data.types.size() && !data.slack; ++t) try {
            data.slack = ArrivalSlack{up_to, with_fewer(*data.arrivals, TaskTypeId(t), up_to)};
        } catch (const InputError&) {  // never alone, or too rarely
        }
    if (!data.slack) return std::nullopt;
    return Instance(std::move(data));
}

RC_GTEST_PROP(ArrivalSlack, MembersAreMixturesOfTheEnds, ()) {
    const std::optional<Instance> family = small_family();
    RC_PRE(family.has_value());
    const Rational& up_to = family->slack().up_to;
    const Rational share(Integer(*rc::gen::inRange(0, 9)), Integer(8));
    const Instance member = at_slack(*family, share * up_to), end = at_slack(*family, up_to);
    Rational fewer;
    for (const TaskTypeId type : family->types()) {
        RC_ASSERT(member.arrival_rate(type) ==
                  (Rational(1) - share) * family->arrival_rate(type) + share * end.arrival_rate(type));
        fewer += family->arrival_rate(type) - end.arrival_rate(type);
    }
    RC_ASSERT(fewer == up_to);
    RC_ASSERT(!member.data().slack);
}

RC_GTEST_PROP(ArrivalSlack, WhatIsWrittenReadsBack, ()) {
    const std::optional<Instance> family = small_family();
    RC_PRE(family.has_value());
    const std::string toml = write_toml(*family), json = write_json(*family);
    const Instance again = parse_instance(toml, base::Format::toml, "toml");
    RC_ASSERT(write_json(again) == json);
    RC_ASSERT(write_toml(parse_instance(json, base::Format::json, "json")) == toml);
    RC_ASSERT(write_json(at_slack(again, again.slack().up_to)) == write_json(at_slack(*family, family->slack().up_to)));
}

TEST(ArrivalSlack, LawsThatAreNotAffineAreRefused) {
    const auto refused = [](const std::vector<ArrivalFactor>& factors) {
        InstanceData data = testing_support::two_servers("4/5", "1/5", "1/2", "1/2").data();
        data.slack = ArrivalSlack{q("1/10"), ArrivalLaw(factors)};
        try {
            const Instance instance(std::move(data));
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto one = [](std::size_t type, const char* rate) {
        return ArrivalFactor({TaskTypeId(type)}, {{{0}, Rational(1) - q(rate)}, {{1}, q(rate)}});
    };
    EXPECT_EQ(refused({one(0, "2/5"), one(1, "1/2")}), "");
    EXPECT_NE(refused({one(0, "2/5"), one(1, "2/5")}).find("differs from that of 'arrivals' in one factor, not in 2"),
              std::string::npos);
    EXPECT_NE(refused({one(0, "1/2"), one(1, "1/2")}).find("in one factor, not in 0"), std::string::npos);
    EXPECT_NE(refused({one(0, "2/5")}).find("of as many factors"), std::string::npos);
}

TEST(ArrivalSlack, SlacksBeyondTheFamilyAreRefused) {
    const Instance family = read_instance(SCHEDPROOF_SOURCE_DIR "/experiments/instances/slack-one-type.toml");
    EXPECT_EQ(at_slack(family, q("1/20")).arrival_rate(TaskTypeId(0)), q("19/20"));
    EXPECT_THROW((void)at_slack(family, q("1/5")), InputError);
    EXPECT_THROW((void)at_slack(family, q("-1/20")), InputError);
    EXPECT_THROW((void)with_fewer(family.arrivals(), TaskTypeId(3), q("1/20")), InputError);
}

}  // namespace
}  // namespace schedproof::queueing
