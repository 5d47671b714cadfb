/// Real certificates, altered in every place one at a time: each must be rejected. And certificates of one policy,
/// instance or function held against another: the binding must notice.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "proofs/assignment/theorems/theorem.hpp"
#include "proofs/assignment/worst.hpp"
#include "proofs/certifier/binding.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/run_certify.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/experiments/alterations.hpp"
#include "tests/support/changed_policy.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::certify {
namespace {

using namespace queueing;
using base::sha256;

Certificate certificate_of(const Instance& on, const std::string& policy, const std::string& v) {
    auto instance = std::make_shared<const Instance>(on);
    const SymbolicSystem system(*instance, make_policy(policy, *instance, {}));
    const ExactSystem exact(*instance, make_policy(policy, *instance, {}));
    DriftGoal goal;
    goal.v = named_lyapunov(v, *instance, system.layout());
    DriftOutcome outcome = prove_drift(system, exact, goal);
    auto proof = std::get<DriftProof>(std::move(outcome));
    Certificate certificate{instance, policy, std::move(proof.theorem), {}};
    for (const proof::ExploredProof& one : proof.proofs) certificate.proofs.push_back(canonical(one));
    return certificate;
}

/// Three levels and a rack that no other server shares, so that some names bear on nothing.
Instance small() {
    InstanceData data = testing_support::one_server("1/2", "1/4").data();
    data.source = "a test";
    data.lyapunov = {{"own", {{Rational(1), {{{"s0.local", Rational(1)}}, Rational()}, {}}}, {}}};
    return Instance(std::move(data));
}

Certificate two_servers() {
    return certificate_of(testing_support::two_servers("4/5", "1/5", "1/2", "1/2"), "balanced-pandas",
                          "workload-squares");
}

TEST(CertificateTamper, EveryAlterationOfASmallCertificateIsRejected) {
    expect_every_alteration_rejected(certificate_of(small(), "balanced-pandas", "workload-squares"), 1, 1'500);
}

TEST(CertificateTamper, EveryAlterationOfAPiecewiseFunctionIsRejected) {
    expect_every_alteration_rejected(certificate_of(small(), "jsq-maxweight", "regret"), 1, 1'300);
}

/// In a box of so many tasks, with entries that states of alike servers share.
Certificate mean_of(const Instance& on, const StateFunction& of, bool uniform, std::uint32_t tasks = 6) {
    const AnyPolicy policy = make_policy("join-shortest-queue", on, {});
    const SymbolicSystem system(on, policy);
    const ExactSystem exact(on, policy);
    MeanGoal goal;
    goal.of = of;
    goal.uniform = uniform;
    goal.radius = tasks;
    goal.fold_from = 0;
    MeanOutcome outcome = prove_mean(system, exact, goal);
    auto proof = std::get<MeanProof>(std::move(outcome));
    Certificate certificate{std::make_shared<const Instance>(on), "join-shortest-queue", std::move(proof.theorem), {}};
    for (const proof::ExploredProof& one : proof.proofs) certificate.proofs.push_back(canonical(one));
    return certificate;
}

TEST(CertificateTamper, EveryAlterationOfAMeanIsRejected) {
    const Instance one = testing_support::one_server("4/5", "1/4");
    expect_every_alteration_rejected(mean_of(one, {StateFunction::Kind::tasks}, false), 1, 300);
    // Their other parts are those of the first.
    expect_every_alteration_rejected(mean_of(one, {StateFunction::Kind::tasks}, true), 5, 100);
    expect_every_alteration_rejected(mean_of(one, {StateFunction::Kind::tasks_squared}, false), 5, 100);
    const StateFunction squares{StateFunction::Kind::squares, {}, 0, {3}, testing_support::q("1/2")};
    expect_every_alteration_rejected(mean_of(one, squares, false), 5, 100);
    const Instance two = testing_support::two_servers("4/5", "1/5", "1/4", "1/4");
    const Certificate shared = mean_of(two, {StateFunction::Kind::tasks}, false);
    EXPECT_EQ(std::get<MeanTheorem>(shared.theorem).renamings.size(), 1U);
    expect_every_alteration_rejected(shared, 23, 100);
}

/// Under the name of a listed function stands that function, in every kind of certificate that names one.
TEST(CertificateTamper, AFunctionUnderTheNameOfAnotherIsRejected) {
    const std::string wrong = "the function has the name of another one";
    const Instance one = testing_support::one_server("4/5", "1/4");
    Certificate mean = mean_of(one, {StateFunction::Kind::tasks}, false);
    LyapunovForm& v = std::get<MeanTheorem>(mean.theorem).setting.w.v;
    const ExactSystem system(one, make_policy(mean.policy, one, {}));
    for (const std::string name : {"total", "squares"}) {
        v.name = name;
        const bool right = v == named_lyapunov(name, one, system.layout());
        EXPECT_EQ(rejection(mean), right ? "" : wrong) << name;
    }
    Certificate drift = certificate_of(small(), "balanced-pandas", "workload-squares");
    std::get<DriftTheorem>(drift.theorem).v.name = "squares";
    EXPECT_EQ(rejection(drift), wrong);
}

/// A statement about a scheduler on all problems of a shape.
assignment::Certificate of_policy(const std::string& policy, const std::string& statement, const std::string& shape,
                                  const Rational& bound = Rational(0)) {
    assignment::Certificate certificate{policy, {statement, assignment::parse_family(shape), bound}, {}};
    for (const explore::Question& question : assignment::questions(policy, certificate.theorem))
        certificate.proofs.push_back(std::get<proof::ExploredProof>(explore::ask(question).result));
    return certificate;
}

TEST(CertificateTamper, EveryAlterationOfAStatementAboutAssignmentsIsRejected) {
    expect_every_alteration_rejected(of_policy("dyndloff", "no-cost-reducing-path", "1,1:0/01"), 1, 100);
    expect_every_alteration_rejected(of_policy("hadoop", "ratio", "1,1:0/1@3/2+1/2", Rational(5) / Rational(4)), 3,
                                     100);
    expect_every_alteration_rejected(of_policy("dyndloff", "no-path-optimal", "1,1:01/01"), 1, 100);
}

/// The worst ratio of a policy, as `worst` certifies it.
assignment::WorstCertificate worst_of(const std::string& policy, const std::string& shapes,
                                      const assignment::Costs& costs) {
    const assignment::AnyPolicy made = assignment::make_policy(policy);
    assignment::WorstCertificate certificate{policy, {}, {}};
    assignment::WorstTheorem& theorem = certificate.theorem;
    theorem.shapes = shapes;
    theorem.costs = costs;
    theorem.wait = assignment::wait_of(made);
    theorem.counted = made.is_online() ? assignment::Counted::events : assignment::Counted::map;
    const auto system = assignment::registered_system(policy, theorem.wait.value_or(Rational(0)), theorem.counted);
    assignment::Worst worst = worst_over_loads(system, shapes, costs, assignment::Competitor::automatic);
    theorem.ratio = worst.ratio;
    theorem.approach = worst.approach;
    certificate.proofs = std::move(worst.proofs);
    return certificate;
}

TEST(CertificateTamper, EveryAlterationOfAWorstRatioIsRejected) {
    assignment::Costs half, any;
    half.functions = {assignment::CostFunction<Rational>({Rational(3) / Rational(2)}, Rational(1) / Rational(2))};
    any.kind = assignment::Costs::Kind::by_server;
    expect_every_alteration_rejected(worst_of("hadoop", "1,1:0/1", half), 3, 100);   // approached
    expect_every_alteration_rejected(worst_of("delay", "1,1:0/1", half), 7, 100);    // attained, with a wait
    expect_every_alteration_rejected(worst_of("dyndloff", "1,1:0/1", any), 7, 100);  // costs that are symbols
    expect_every_alteration_rejected(worst_of("hadoop", "1,1:0/1", any), 1, 40);     // unbounded
    expect_every_alteration_rejected(worst_of("hadoop", "servers=2 cores=1 tasks=1", half), 3, 40);
}

TEST(CertificateTamper, AnotherInterpretationOfThePolicyIsNotProved) {
    assignment::Certificate certificate = of_policy("dyndloff", "capacity-exact", "2:0/0");
    EXPECT_EQ(rejection(certificate), "");
    certificate.policy = "dyndloff:strict-capacity";
    EXPECT_NE(rejection(certificate), "");
    certificate = of_policy("dyndloff", "placement-minimal", "2,1:0/0");
    certificate.policy = "dyndloff:max-min";
    EXPECT_NE(rejection(certificate), "");
}

TEST(CertificateTamper, AlterationsAllOverALargerCertificateAreRejected) {
    expect_every_alteration_rejected(two_servers(), 97, 500);
}

// ------------------------------------------------------------------------------ what the certificate is held against

/// Why the certificate's proofs are not those of another system; empty when they are.
std::string binding(const SymbolicSystem& system, const Certificate& certificate) {
    return rejection(questions(system, std::get<DriftTheorem>(certificate.theorem)), certificate.proofs);
}

TEST(CertificateBinding, NoticesEveryMutantOfThePolicy) {
    using namespace queueing::language;
    using testing_support::with_route;
    using testing_support::with_serve;
    const Certificate certificate = two_servers();
    const auto wrong = [&](const AnyPolicy& policy) {
        return binding(SymbolicSystem(*certificate.instance, policy), certificate);
    };
    EXPECT_EQ(wrong(BalancedPandas{}), "");
    EXPECT_NE(wrong(with_route<BalancedPandas>(argmax(servers, server_workload / rate))), "");
    EXPECT_NE(wrong(with_route<BalancedPandas>(argmin(servers, length))), "");
    EXPECT_NE(wrong(with_serve<BalancedPandas>(first_of(argmax(nonempty(own_levels), distance), own))), "");
    EXPECT_NE(wrong(with_serve<BalancedPandas>(own)), "");
    EXPECT_NE(wrong(BalancedPandasIdle{}), "");
}

/// The file as `prove` would write it for other data, digest and sentence included, with the proofs of the old ones.
std::string rejection_with(const Certificate& certificate) {
    return rejection(CertificateFile{certificate, sentence(certificate), digest_of(*certificate.instance),
                                     definition(certificate.policy)});
}

/// The finding on a certificate whose file defines its policy as `other`.
Finding defined_as(const AnyCertificate& certificate, const std::string& other) {
    std::string text = write_certificate(certificate);
    const std::string written = "\"definition\": " + json_string(certificate->definition());
    const std::size_t at = text.find(written);
    EXPECT_NE(at, std::string::npos) << text.substr(0, 500);
    return check_text(text.replace(at, written.size(), "\"definition\": " + json_string(other)), "t", nullptr);
}

TEST(CertificateDefinition, OfAnotherPolicyIsRefusedWithBoth) {
    const Certificate drift = certificate_of(small(), "balanced-pandas", "workload-squares");
    const std::string rules =
        "keep(Arrangement::per_server_and_level), route(argmin(servers, server_workload / rate)), "
        "serve(first_of(most_local(nonempty(own_levels)), own))";
    const std::string before =
        "keep(Arrangement::per_server_and_level), route(argmin(servers, server_workload / rate)), "
        "serve(most_local(nonempty(own_levels)))";
    EXPECT_EQ(defined_as(drift, rules).rejection, "");
    EXPECT_EQ(defined_as(drift, before).rejection, "it is about another policy: balanced-pandas is '" + before +
                                                       "' in the certificate, '" + rules + "' in this program");
    const auto refused = [](const AnyCertificate& certificate, const std::string& registered) {
        EXPECT_EQ(defined_as(certificate, registered).rejection, "");
        EXPECT_EQ(defined_as(certificate, "W = 4").rejection, "it is about another policy: " + certificate->policy() +
                                                                  " is 'W = 4' in the certificate, '" + registered +
                                                                  "' in this program");
    };
    assignment::Costs half;
    half.functions = {assignment::CostFunction<Rational>({Rational(3) / Rational(2)}, Rational(1) / Rational(2))};
    refused(worst_of("delay", "1,1:0/1", half), "W = 3, pick = lowest, jobs = fifo");
    refused(of_policy("dyndloff", "no-cost-reducing-path", "1,1:0/01"),
            "search = split, A5 = false, A11 = false, A12 = false, A13 = false, A14 = false");
}

TEST(CertificateAnswer, IsNotGivenWhereThePolicyIsRefused) {
    const std::string file = ::testing::TempDir() + "schedproof-refused.certificate.json";
    std::ofstream(file) << write_certificate(of_policy("dyndloff", "no-cost-reducing-path", "1,1:0/01"));
    Request request{{file}, "", false};
    EXPECT_TRUE(answer(request).accepted);
    std::string asked;
    request.before_verdict = [&](const std::string& family, const std::string& policy) {
        asked = family + "/" + policy;
        throw OracleConflict("refused");
    };
    EXPECT_THROW((void)answer(request), OracleConflict);
    EXPECT_EQ(asked, "assignment/dyndloff");
}

TEST(CertificateBinding, NoticesEveryOtherInstance) {
    const Certificate certificate = two_servers();
    EXPECT_EQ(rejection_with(certificate), "");
    const auto altered = [&](const std::function<void(InstanceData&)>& change) {
        InstanceData data = certificate.instance->data();
        change(data);
        if (data.arrivals) data.arrivals = ArrivalLaw::bernoulli(data.rates);
        Certificate other = certificate;
        other.instance = std::make_shared<const Instance>(std::move(data));
        return rejection_with(other);
    };
    EXPECT_NE(altered([](InstanceData& d) { d.levels[0].rate = testing_support::q("3/4"); }), "");
    EXPECT_NE(altered([](InstanceData& d) { d.levels[1].rate = testing_support::q("1/4"); }), "");
    EXPECT_NE(altered([](InstanceData& d) { d.rates[0] = testing_support::q("49/100"); }), "");
    EXPECT_NE(altered([](InstanceData& d) { d.types[0].replicas = {ServerId(1)}; }), "");
    EXPECT_NE(altered([](InstanceData& d) { d.options.routing = Routing::sequential; }), "");
    EXPECT_NE(altered([](InstanceData& d) { d.options.counting = Counting::waiting; }), "");
    EXPECT_NE(altered([](InstanceData& d) { d.servers.push_back({"s2", {}}); }), "");
}

TEST(CertificateBinding, NoticesEveryOtherTheorem) {
    const Certificate certificate = two_servers();
    const auto altered = [&](const std::function<void(DriftTheorem&)>& change) {
        Certificate other = certificate;
        change(std::get<DriftTheorem>(other.theorem));
        return rejection_with(other);
    };
    EXPECT_NE(altered([](DriftTheorem& t) { t.threshold -= Rational(1); }), "");
    EXPECT_NE(altered([](DriftTheorem& t) { t.delta += Rational(1); }), "");
    EXPECT_NE(altered([](DriftTheorem& t) { t.delta = Rational(0); }), "");
    EXPECT_NE(altered([](DriftTheorem& t) { t.sense = Sense::above; }), "");
    EXPECT_NE(altered([](DriftTheorem& t) { t.v.products[0].coefficient = Rational(2); }), "");
    EXPECT_NE(altered([](DriftTheorem& t) { t.v.products.pop_back(); }), "");
    EXPECT_NE(altered([](DriftTheorem& t) { t.measure *= Rational(2); }), "");
    EXPECT_NE(altered([](DriftTheorem& t) { t.statuses[0].pop_back(); }), "");
    // Its states would be counted twice in the sentence of a mean.
    EXPECT_EQ(altered([](DriftTheorem& t) { t.statuses[1].push_back(t.statuses[1].back()); }),
              "a status is listed twice");
    Certificate other = certificate;
    other.policy = "pandas:plain";
    EXPECT_NE(rejection(CertificateFile{other, "", "", ""}), "");
    other = certificate;
    other.policy = "no-such-policy";
    EXPECT_THROW((void)rejection(CertificateFile{other, "", "", ""}), InputError);
    other = certificate;
    other.policy = "fluid-model-planning:static";
    EXPECT_THROW((void)rejection(CertificateFile{other, "", "", definition(other.policy)}), InputError);
}

/// Why the checker rejects the certificate with another measure and threshold.
std::string rejection_where(const LyapunovForm::Linear& measure, const Rational& threshold) {
    Certificate certificate = certificate_of(small(), "balanced-pandas", "workload-squares");
    auto& theorem = std::get<DriftTheorem>(certificate.theorem);
    theorem.measure = measure;
    theorem.threshold = threshold;
    return rejection_with(certificate);
}

TEST(VacuousTheorems, AreRejected) {
    const LyapunovForm::Linear none, falling = -Rational(2) * LyapunovForm::Linear::variable(0);
    EXPECT_EQ(rejection_where(none, Rational(5)),
              "the theorem is vacuous: the measure is constant: it depends on no queue");
    EXPECT_TRUE(rejection_where(none, Rational(0)).starts_with("the theorem is vacuous: "));
    EXPECT_EQ(rejection_where(falling, Rational(1)),
              "the theorem is vacuous: no state reaches the threshold 1: the measure is at most 0");
    // The empty state reaches this one: what is wrong is the proof.
    EXPECT_NE(rejection_where(falling, Rational(0)), "");
    EXPECT_EQ(rejection_where(falling, Rational(0)).find("vacuous"), std::string::npos);
}

TEST(VacuousTheorems, AreNotStated) {
    const Instance instance = small();
    const SymbolicSystem system(instance, make_policy("balanced-pandas", instance, {}));
    const ExactSystem exact(instance, make_policy("balanced-pandas", instance, {}));
    DriftGoal goal;
    goal.v = named_lyapunov("workload-squares", instance, system.layout());
    goal.measure = LyapunovForm::Linear();
    EXPECT_THROW((void)prove_drift(system, exact, goal), InputError);
    goal.threshold = Rational(5);
    EXPECT_THROW((void)prove_drift(system, exact, goal), InputError);
    goal.measure = -Rational(1) * LyapunovForm::Linear::variable(0);
    EXPECT_THROW((void)prove_drift(system, exact, goal), InputError);
    // It fails at the empty state, so the least threshold lies above every state.
    goal.threshold.reset();
    const DriftOutcome outcome = prove_drift(system, exact, goal);
    const auto* unknown = std::get_if<DriftUnknown>(&outcome);
    ASSERT_NE(unknown, nullptr);
    EXPECT_NE(unknown->reason.find("vacuous"), std::string::npos) << unknown->reason;
}

TEST(CertificateFiles, AreRefusedWithThePlace) {
    const std::string text = write_certificate(certificate_of(small(), "balanced-pandas", "workload-squares"));
    const auto refused = [&](const std::string& from, const std::string& to, const std::string& words) {
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        std::string altered = text;
        const std::string said = refusal(altered.replace(at, from.size(), to));
        EXPECT_NE(said.find(words), std::string::npos) << said;
    };
    refused("\"format\": 1", "\"format\": 2", "t:3: format: expected format 1");
    refused("\"theorem\": \"drift\"", "\"theorem\": \"drfit\"", "did you mean 'drift'?");
    refused("\"bound\": \"1\"", "\"bound\": \"2/2\"", "nodes[0].bound: expected a number in lowest terms");
    refused("\"bound\": \"1\"", "\"bound\": 1", "nodes[0].bound: expected a text");
    refused("\"bound\"", "\"bund\"", "nodes[0].bund: expected a known key (did you mean 'bound'?)");
    refused("\"strict\": false", "\"strict\": 0", "expected true or false");
    refused("\"1/4\"", "\"2/8\"", "expected the instance as `show --as json` writes it");
    // A sentence that is accepted says what the theorem says, and no more through a name.
    const std::string plain = ": expected a name of letters, digits, '-', '_', '.' and ':'";
    refused("\"name\": \"one-server\"", "\"name\": \"every cluster\"", "instance.name" + plain);
    refused("\"name\": \"local\"", "\"name\": \"lo,cal\"", "instance.levels[0].name" + plain);
    refused("\"name\": \"A\"", "\"name\": \"A and B\"", "instance.types[0].name" + plain);
    refused("\"name\": \"own\"", "\"name\": \"\u00e9\"", "instance.lyapunov[0].name" + plain);
    refused("\"name\": \"workload-squares\"", "\"name\": \"0, which is right. V\"", "statement.v.name" + plain);
    refused("{", std::string(1'000, '['), "expected");
    refused("{", std::string(100'000, '{'), "expected");
    refused("}\n", "", "well-formed JSON");
    EXPECT_NE(refusal("").find("empty"), std::string::npos);
    EXPECT_NE(refusal("[]"), "");
    EXPECT_NE(refusal("{}"), "");
    EXPECT_NE(refusal("{\"schema\": \"capacity-certificate\"}").find("--instance"), std::string::npos);
}

TEST(CertificateFiles, NameServersPlainly) {
    const std::string text = write_certificate(two_servers());
    const std::string from = "\"servers\": 2";
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    std::string altered = text;
    // As `show --as json` writes two servers with names of their own, the second of which a type names.
    altered.replace(at, from.size(), "\"servers\": [{\"name\": \"s0\"}, {\"name\": \"s 1\"}]");
    const std::size_t replica = altered.find("[\"s1\"]");
    ASSERT_NE(replica, std::string::npos);
    const std::string said = refusal(altered.replace(replica, 6, "[\"s 1\"]"));
    EXPECT_NE(said.find("instance.servers[1].name: expected a name of letters"), std::string::npos) << said;
}

TEST(CertificateFiles, AreNotWrittenWithANameThatNoReaderTakes) {
    Certificate certificate = certificate_of(small(), "balanced-pandas", "workload-squares");
    InstanceData data = small().data();
    data.name = "a cluster";
    certificate.instance = std::make_shared<const Instance>(std::move(data));
    EXPECT_THROW((void)write_certificate(certificate), InputError);
    EXPECT_TRUE(
        sentence(certificate)
            .starts_with("On 'a cluster' under balanced-pandas with the default interpretations of the slot, "));
    certificate = certificate_of(small(), "balanced-pandas", "workload-squares");
    std::get<DriftTheorem>(certificate.theorem).v.name = "my function";
    EXPECT_THROW((void)write_certificate(certificate), InputError);
    EXPECT_NE(sentence(certificate).find("the drift of V = 'my function' is"), std::string::npos);
}

TEST(CertificateFiles, OfAbsurdInstancesEndAtALimit) {
    InstanceData data = testing_support::one_server("1/2", "1/4").data();
    data.servers.clear();
    for (int m = 0; m < 100'000; ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    Certificate certificate = certificate_of(small(), "balanced-pandas", "workload-squares");
    certificate.instance = std::make_shared<const Instance>(std::move(data));
    std::get<DriftTheorem>(certificate.theorem).statuses.assign(100'000, {Service{}});
    EXPECT_THROW((void)rejection(CertificateFile{certificate, "", "", ""}), LimitExceeded);
}

TEST(Sha256, OfTheStandardsExamples) {
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/// V = Q[common]^2 + Q[common]^2 would say nothing.
TEST(CertificateFiles, TellQueuesApart) {
    InstanceData data = testing_support::two_servers("4/5", "1/5", "1/2", "1/2").data();
    const Certificate apart = certificate_of(Instance(data), "wang-jsq-maxweight", "regret");
    EXPECT_NO_THROW((void)write_certificate(apart));
    data.servers[0].name = "common";
    const Certificate shared = certificate_of(Instance(data), "wang-jsq-maxweight", "regret");
    EXPECT_THROW((void)write_certificate(shared), InputError);
    EXPECT_EQ(AnyCertificate(shared)->spelling_rejection(), "two queues are called 'common'");
    // Where no queue is common the server may have the name.
    EXPECT_NO_THROW((void)write_certificate(certificate_of(Instance(data), "jsq-maxweight", "regret")));
}

}  // namespace
}  // namespace schedproof::certify
