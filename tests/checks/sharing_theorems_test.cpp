/// Theorems of the sharing family: what is proved of registered and of generated policies against random states, what
/// is refuted replayed, and certificates that are altered.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/sharing/family.hpp"
#include "checks/sharing/generate.hpp"
#include "checks/sharing/mutants.hpp"
#include "checks/sharing/properties/properties.hpp"
#include "model/base/document.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/certifier/certify.hpp"
#include "proofs/sharing/moment_proof.hpp"
#include "tests/support/trees/sharing.hpp"

namespace schedproof::checks::sharing_theorems {
namespace {

using namespace sharing;

/// The case of what a theorem says is a counterexample.
SharingCase case_of(const Situation& at) {
    SharingCase c;
    c.setting = at.setting;
    c.parameters = at.parameters;
    c.state = at.state;
    c.slot = at.slot;
    return c;
}

sharing::Certificate proved(const std::string& policy, const Theorem& theorem) {
    const TheoremProof found = prove(policy, theorem);
    const auto* certificate = std::get_if<sharing::Certificate>(&found.result);
    if (certificate == nullptr) throw ContractViolation("a theorem of the table is proved");
    return *certificate;
}

/// The policies of which a statement speaks.
std::vector<std::string> policies_of(const StatementInfo& statement) {
    std::vector<std::string> all;
    for (const PolicyInfo& info : policies())
        if ((" " + std::string(statement.policies) + " ").find(" " + std::string(info.id) + " ") != std::string::npos)
            all.emplace_back(info.id);
    return all;
}

TEST(SharingTheorems, HoldForUpToTwoJobs) {
    for (const StatementInfo& statement : statements())
        for (const std::string& policy : policies_of(statement)) {
            const TheoremProof found = prove(policy, {std::string(statement.name), 2});
            if (statement.name == "reset-rules-alike") {
                const auto* refuted = std::get_if<sharing::Refuted>(&found.result);
                ASSERT_NE(refuted, nullptr) << policy;
                ASSERT_TRUE(refuted->situation) << policy;
                continue;
            }
            const auto* certificate = std::get_if<sharing::Certificate>(&found.result);
            ASSERT_NE(certificate, nullptr) << statement.name << " " << policy;
            EXPECT_EQ(rejection(*certificate), "") << statement.name << " " << policy;
        }
}

TEST(SharingTheorems, SpeakOfEveryRegisteredPolicy) {
    for (const PolicyInfo& info : policies()) {
        if (is_added(info.id)) continue;
        const auto of = policies_of(statement("follows-rule"));
        EXPECT_NE(std::find(of.begin(), of.end(), info.id), of.end()) << info.id;
    }
}

/// What a theorem finds of a generated policy under the name of another is so: proved, no random state speaks against
/// it; refuted, the state that was found does.
template <class P>
void agrees(const P& policy, const std::string& statement, const std::string& name,
            sharing_properties::Property* property) {
    const auto made = [&](const Parameters& p) { return policy_under_test(policy, p, name); };
    const TheoremProof found = prove(name, {statement, 2}, made({}).on_affine_counts);
    const auto fails = [&](const SharingCase& c) {
        try {
            return property(made(c.parameters), c);
        } catch (const ContractViolation&) {
            return std::string("it breaks a contract");
        }
    };
    if (const auto* refuted = std::get_if<sharing::Refuted>(&found.result)) {
        RC_ASSERT(refuted->situation.has_value());
        RC_ASSERT(!fails(case_of(*refuted->situation)).empty());
        RC_TAG("refuted");
        return;
    }
    RC_TAG("proved");
    RC_ASSERT(std::holds_alternative<sharing::Certificate>(found.result));
    // The certificate would be one of the registered policy, and its code is another: the two agree on every moment.
    Sampler source(StreamKey{static_cast<std::uint64_t>(*rc::gen::inRange(0, 1'000'000)), 0});
    for (int i = 0; i < 30; ++i) {
        const SharingCase c = random_sharing_state(source);
        const auto ready = [&](const JobState& job) {
            return std::count(job.tasks.begin(), job.tasks.end(), Stage::unlaunched) > 0;
        };
        if (std::count_if(c.state.jobs.begin(), c.state.jobs.end(), ready) <= 2) RC_ASSERT(fails(c).empty());
    }
}

RC_GTEST_PROP(SharingTheorems, OfGeneratedPoliciesAgreeWithStates, ()) {
    const auto tree = std::make_shared<const trees::JobTree>(*trees::job_trees());
    const std::string name = *rc::gen::element<std::string>("naive-fair", "hadoop-fifo", "delay", "dyndlon");
    agrees(trees::JobTreePolicy{tree}, "follows-rule", name, &sharing_properties::follows_rule);
}

RC_GTEST_PROP(SharingTheorems, OfGeneratedQueuesAgreeWithStates, ()) {
    agrees(trees::QueueTreePolicy{*trees::queue_trees()}, "follows-rule", "jsq-maxweight:subqueues",
           &sharing_properties::follows_rule);
}

RC_GTEST_PROP(SharingTheorems, OfGeneratedKillsAgreeWithStates, ()) {
    const auto tree = std::make_shared<const trees::JobTree>(*trees::job_trees());
    agrees(trees::KillTreePolicy{tree, *trees::kill_trees()}, "kills-by-rule", "fair-kill",
           &sharing_properties::kills_by_rule);
}

/// `delay`, asked job by job in another way.
template <class Count = std::int64_t>
struct DelayOtherwise {
    static constexpr PolicyInfo info{"delay-otherwise", "test", "who may not launch is passed over first"};
    Count d = 1;
    static constexpr std::tuple parameters{Parameter("D", &DelayOtherwise::d)};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const auto missing = d - now.skips(j);
            if (now.nearest(j, n) != Locality::local && missing > 0) {
                now.set_skips(j, now.skips(j) + 1);
                continue;
            }
            if (now.nearest(j, n) == Locality::local) now.set_skips(j, 0);
            return Launch{j, now.nearest(j, n)};
        }
        return {};
    }
};
/// `naive-fair`, with what it does not need.
struct NaiveOtherwise {
    static constexpr PolicyInfo info{"naive-otherwise", "test", "the first of those that run no more than the first"};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        std::optional<JobRef> first;
        for (const JobRef j : now.jobs(Order::fair))
            if (!first || now.running(j) + 1 <= now.running(*first)) first = j;
        return first ? std::optional(Launch{*first, now.nearest(*first, n)}) : std::nullopt;
    }
};

TEST(SharingTheorems, HoldOfTheSameRuleWrittenOtherwise) {
    const auto code = [](const auto& policy) { return policy_under_test(policy, {}, "test").on_affine_counts; };
    EXPECT_TRUE(std::holds_alternative<sharing::Certificate>(
        prove("delay", {"follows-rule", 3}, code(DelayOtherwise<>{})).result));
    EXPECT_TRUE(std::holds_alternative<sharing::Certificate>(
        prove("naive-fair", {"follows-rule", 3}, code(NaiveOtherwise{})).result));
    // It waits where its data is, and its D is 1, no symbol.
    EXPECT_TRUE(std::holds_alternative<sharing::Refuted>(
        prove("delay", {"follows-rule", 1}, code(sharing_claims::BlindDelay{})).result));
}

/// Of an added policy a theorem speaks with the parameters that its author wrote, but for those that it fixes itself.
TEST(SharingTheorems, SpeakOfAddedPoliciesWithTheirOwnParameters) {
    add_policy(added<DelayOtherwise<>>());
    const auto result = [](const char* statement) { return prove("delay-otherwise", {statement, 2}).result; };
    for (const char* statement : {"no-wait-is-naive", "skip-counts"}) {
        const auto found = result(statement);
        const auto* certificate = std::get_if<sharing::Certificate>(&found);
        ASSERT_NE(certificate, nullptr) << statement;
        EXPECT_EQ(rejection(*certificate), "");
        EXPECT_EQ(sentence(*certificate).find("for all D"), std::string::npos);
    }
    const auto single = result("single-tasks-are-fifo");
    const auto* refuted = std::get_if<sharing::Refuted>(&single);
    ASSERT_NE(refuted, nullptr);
    EXPECT_EQ(refuted->situation->parameters.d, 1);
    EXPECT_THROW((void)result("follows-rule"), InputError);
}

TEST(SharingTheorems, MutantsAreRefutedAtStates) {
    const auto refuted_at = [](const auto& mutant, const std::string& statement, const std::string& name) {
        const auto made = [&](const Parameters& p) { return policy_under_test(mutant(p), p, name); };
        const TheoremProof found = prove(name, {statement, 1}, made({}).on_affine_counts);
        const auto* refuted = std::get_if<sharing::Refuted>(&found.result);
        EXPECT_NE(refuted, nullptr) << statement;
        return refuted != nullptr && refuted->situation ? std::optional(case_of(*refuted->situation)) : std::nullopt;
    };
    const auto patient = [](const Parameters& p) { return sharing_claims::PatientDelay<>{p.d}; };
    const auto c = refuted_at(patient, "head-passed-over", "delay");
    ASSERT_TRUE(c);
    EXPECT_NE(
        sharing_properties::head_is_passed_over(policy_under_test(patient(c->parameters), c->parameters, "delay"), *c),
        "");
    EXPECT_TRUE(
        refuted_at([](const Parameters& p) { return sharing_claims::ResettingDelay<>{p.d}; }, "skip-counts", "delay"));
    EXPECT_TRUE(refuted_at([](const Parameters&) { return sharing_claims::OwnQueuesOnly{}; }, "joins-shortest",
                           "jsq-maxweight:subqueues"));
}

TEST(SharingTheorems, CertificatesAreReadBackAndAlteredOnesRefused) {
    const sharing::Certificate certificate = proved("delay", {"head-passed-over", 2});
    const std::string text = certify::write_certificate(certificate);
    const certify::CertificateFile file = certify::read_certificate(base::parse_json(text, "it.json"), "it.json");
    EXPECT_EQ(certify::write_certificate(file.certificate), text);
    const auto with = [&](auto change) {
        sharing::Certificate other = certificate;
        change(other);
        return rejection(other);
    };
    EXPECT_EQ(with([](sharing::Certificate&) {}), "");
    EXPECT_NE(with([](sharing::Certificate& c) { c.theorem.most = 3; }), "");
    EXPECT_NE(with([](sharing::Certificate& c) { c.theorem.statement = "skip-counts"; }), "");
    EXPECT_NE(with([](sharing::Certificate& c) { c.policy = "delay-rack"; }), "");
    EXPECT_NE(with([](sharing::Certificate& c) { c.proofs.pop_back(); }), "");
    EXPECT_NE(with([](sharing::Certificate& c) { c.proofs.back().space.premises.pop_back(); }), "");
    EXPECT_NE(
        with([](sharing::Certificate& c) { c.proofs.back().tree.nodes.front().atom.form += proof::LinearForm(1); }),
        "");
    sharing::Certificate shortest = proved("jsq-maxweight:subqueues", {"joins-shortest", 2});
    for (auto& leaf : shortest.proofs.back().leaves) leaf.clear();
    EXPECT_NE(rejection(shortest), "");
    EXPECT_THROW((void)prove("naive-fair", {"skip-counts", 1}), InputError);
    EXPECT_THROW((void)prove("delay", {"skip-counts", most_moment + 1}), InputError);
    EXPECT_THROW((void)prove("delay", {"skip-counts", most_offered + 1}), InputError);
    EXPECT_EQ(questions(statement("skip-counts"), "delay", most_offered, code_of("delay")).size(), most_offered);
    EXPECT_THROW((void)prove("delay", {"no-such", 1}), InputError);
    // Of one job there is no question, and nothing would be proved.
    EXPECT_THROW((void)prove("naive-fair", {"slots-stick", 1}), InputError);
}

/// Two jobs on two nodes, each with data on one.
SharingCase two_jobs(std::int64_t d) {
    for (const SharingWitness& witness : sharing_witnesses()) {
        if (witness.name != "crossed-jobs") continue;
        SharingCase c = witness.found;
        c.parameters.d = d;
        return c;
    }
    throw ContractViolation("there is a case of two jobs");
}

TEST(SharingTheorems, SlotsOfTwoJobsSettleForEveryD) {
    EXPECT_EQ(rejection(proved("delay", {"slots-settle", 2})), "");
    for (const std::size_t jobs : {1U, 3U}) EXPECT_THROW((void)prove("delay", {"slots-settle", jobs}), InputError);
    EXPECT_THROW((void)prove("naive-fair", {"slots-settle", 2}), InputError);
    // Without counts slots stick, and so they do where the job that runs more is served first.
    const auto refuted_at = [](const auto& mutant) -> std::optional<SharingCase> {
        const auto made = [&](const Parameters& p) { return policy_under_test(mutant, p, "delay"); };
        const TheoremProof found = prove("delay", {"slots-settle", 2}, made({}).on_affine_counts);
        const auto* refuted = std::get_if<sharing::Refuted>(&found.result);
        if (refuted == nullptr || !refuted->situation) return {};
        EXPECT_NE(sharing_properties::slots_settle(made({}), case_of(*refuted->situation)), "");
        return case_of(*refuted->situation);
    };
    EXPECT_TRUE(refuted_at(NaiveFair{}));
    EXPECT_TRUE(refuted_at(sharing_claims::LastJob{}));
}

/// Like `delay`, with another patience, and other launches that start the count anew.
template <class Count = std::int64_t>
struct DelayVariant {
    static constexpr PolicyInfo info{"delay-variant", "test", "delay with a slip or without"};
    Count d = 1;
    std::int64_t extra = 0;   ///< offers that it waits beyond D
    std::int64_t resets = 1;  ///< after 0: no launch, 1: local ones, 2: all
    std::int64_t step = 1;    ///< what an offer that is let pass counts
    static constexpr std::tuple parameters{Parameter("D", &DelayVariant::d), Parameter("extra", &DelayVariant::extra),
                                           Parameter("resets", &DelayVariant::resets),
                                           Parameter("step", &DelayVariant::step)};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const bool local = now.nearest(j, n) == Locality::local;
            if (local || now.skips(j) >= d + extra) {
                if (resets == 2 || (local && resets == 1)) now.set_skips(j, 0);
                return Launch{j, now.nearest(j, n)};
            }
            now.set_skips(j, now.skips(j) + step);
        }
        return {};
    }
};

RC_GTEST_PROP(SharingTheorems, WhereSlotsAreProvedToSettleTheyDo, ()) {
    const DelayVariant<> drawn{1, *rc::gen::inRange<std::int64_t>(0, 3), *rc::gen::inRange<std::int64_t>(0, 3),
                               *rc::gen::inRange<std::int64_t>(0, 3)};
    const auto made = [&](const Parameters& p) {
        DelayVariant<> policy = drawn;
        policy.d = p.d;
        return policy_under_test(policy, p, "delay");
    };
    const TheoremProof found = prove("delay", {"slots-settle", 2}, made({}).on_affine_counts);
    const bool is_proved = std::holds_alternative<sharing::Certificate>(found.result);
    RC_TAG(is_proved ? "proved" : "open");
    // The rule itself is among those drawn.
    if (drawn.extra == 0 && drawn.resets == 1 && drawn.step == 1) RC_ASSERT(is_proved);
    if (!is_proved) return;
    for (const std::int64_t d : {1, 2, 3}) RC_ASSERT(sharing_properties::slots_settle(made({d}), two_jobs(d)).empty());
}

/// Its task is never where it says.
struct CallsRemote {
    static constexpr PolicyInfo info{"calls-remote", "test", "calls every launch remote"};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef) const {
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, Locality::remote};
        return {};
    }
};

/// The kernel itself runs on symbols, and what it leaves is held against words.
TEST(SharingTheorems, OfWholeStatesTellFaultsOfTheCode) {
    const auto refuted_of = [](const auto& mutant, const std::string& statement, const std::string& name) {
        const auto made = [&](const Parameters& p) { return policy_under_test(mutant, p, name); };
        const TheoremProof found = prove(name, {statement, 2}, made({}).on_affine_counts);
        const auto* refuted = std::get_if<sharing::Refuted>(&found.result);
        EXPECT_NE(refuted, nullptr) << statement;
        return refuted != nullptr && refuted->situation ? std::optional(case_of(*refuted->situation)) : std::nullopt;
    };
    const auto spared = refuted_of(sharing_claims::Spares{}, "kills-latest", "fair-kill");
    ASSERT_TRUE(spared);
    EXPECT_NE(sharing_properties::kills_latest(policy_under_test(sharing_claims::Spares{}, {}, "fair-kill"), *spared),
              "");
    EXPECT_EQ(sharing_properties::kills_latest(policy_under_test("fair-kill", spared->parameters), *spared), "");
    const auto called = refuted_of(CallsRemote{}, "one-launch", "naive-fair");
    ASSERT_TRUE(called);
    EXPECT_THROW(
        (void)policy_under_test(CallsRemote{}, {}, "naive-fair").offer(called->setting, called->state, called->slot),
        ContractViolation);
    // A shape less, or the shapes of another form, are another theorem.
    sharing::Certificate certificate = proved("fair-kill", {"kills-latest", 2});
    EXPECT_EQ(certificate.proofs.size(), 75U);
    certificate.proofs.pop_back();
    EXPECT_NE(rejection(certificate), "");
    EXPECT_EQ(proved("jsq-maxweight:subqueues", {"one-launch", 1}).proofs.size(), 10U);
    EXPECT_THROW((void)prove("delay", {"one-launch", 3}), InputError);
    EXPECT_THROW((void)prove("delay", {"kills-latest", 1}), InputError);
}

/// A budget that ends proves nothing, and says what ended.
TEST(SharingTheorems, ABudgetThatEndsIsUnknown) {
    explore::Budget few;
    few.paths = 3;
    const TheoremProof found = prove("delay", {"follows-rule", 3}, few);
    const auto* ended = std::get_if<explore::Ended>(&found.result);
    ASSERT_NE(ended, nullptr);
    EXPECT_EQ(ended->reason, "follows-rule of delay, 1 jobs: more than 3 cells");
}

}  // namespace
}  // namespace schedproof::checks::sharing_theorems
