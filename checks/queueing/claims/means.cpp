/// Claims about stationary means of the infinite chain, and of what no policy's mean is below.
///
/// The oracle `bounds` proves an interval of the untruncated chain (theorem `mean`), or a bound of all policies
/// (theorem `any-policy`), and compares it with the one that is claimed. An ordering of two policies is claimed by a
/// number between their means, so that each line has a certificate of its own. No single state speaks against a mean,
/// so nothing is refuted here; what cannot be proved is Unknown with the interval that was found. Source:
/// docs/means.md.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "model/queueing/load.hpp"
#include "proofs/queueing/bounds/any_policy_proof.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;

namespace {

constexpr const char* page_of_means = "[schedproof], docs/means.md";

/// Ends that a mean is claimed not to pass.
struct Range {
    std::optional<Rational> lower, upper;

    [[nodiscard]] bool holds(const MeanTheorem& theorem) const {
        return (!lower || theorem.at_least() >= *lower) && (!upper || theorem.upper <= *upper);
    }
    /// Of an interval that shows it, wherever in it the mean is but near an end.
    [[nodiscard]] Rational width() const {
        return lower && upper ? (*upper - *lower) / Rational(4) : Rational(Integer(1), Integer(100));
    }
    [[nodiscard]] std::string words() const {
        if (!lower) return "at most " + exact_decimal(*upper);
        if (!upper) return "at least " + exact_decimal(*lower);
        return fmt::format("in [{}, {}]", exact_decimal(*lower), exact_decimal(*upper));
    }
};

Rational exactly(std::string_view text) { return *Rational::parse(text); }
Range at_most(std::string_view upper) { return {std::nullopt, exactly(upper)}; }
Range at_least(std::string_view lower) { return {exactly(lower), std::nullopt}; }
Range between(std::string_view lower, std::string_view upper) { return {exactly(lower), exactly(upper)}; }

/// By policy, or by policy and instance, such as `fifo on mm5`.
using Ranges = std::map<std::string, Range, std::less<>>;

/// Proves an interval of the mean number of tasks, and compares.
QueueingOracle mean_oracle(const Ranges& ranges) {
    return asks("bounds", [=](const System& system, const Settings& settings) -> Verdict {
        auto range = ranges.find(system.policy() + " on " + system.instance->name());
        if (range == ranges.end()) range = ranges.find(system.policy());
        if (range == ranges.end()) return Unknown{"nothing is claimed of its mean"};
        MeanGoal goal;
        goal.width = range->second.width();
        goal.max_states = 400'000;
        MeanOutcome outcome = prove_mean(system.symbolic, system.exact, goal, settings.budget);
        if (const auto* unknown = std::get_if<MeanUnknown>(&outcome)) return Unknown{unknown->reason};
        auto& found = std::get<MeanProof>(outcome);
        if (!range->second.holds(found.theorem))
            return Unknown{fmt::format("the mean is in [{}, {}], which is not shown to be {}",
                                       exact_decimal(found.theorem.at_least()), exact_decimal(found.theorem.upper),
                                       range->second.words())};
        return proved(system, std::move(found.theorem), std::move(found.proofs));
    });
}

/// Proves that no policy's mean number of tasks is below `least`, in the box of a radius.
QueueingOracle any_policy_oracle(const Rational& least, std::uint32_t radius) {
    return asks("bounds", [=](const System& system, const Settings&) -> Verdict {
        AnyPolicyGoal goal;
        goal.radius = radius;
        AnyPolicyProof found = bound_any_policy(*system.instance, goal);
        if (found.theorem.lower < least)
            return Unknown{"no policy is below " + exact_decimal(found.theorem.at_least()) + " is all that was shown"};
        return checks::proved(Certificate{system.instance, "", std::move(found.theorem), {}});
    });
}

std::function<std::string(const QueueingDomain&)> on(const std::vector<std::string>& instances) {
    return of_instance([instances](const Instance& instance) {
        for (const std::string& name : instances)
            if (instance.name() == name) return std::string();
        return fmt::format("the claim is about {}", fmt::join(instances, ", "));
    });
}

MeanTheorem& mean_of(Certificate& c) { return std::get<MeanTheorem>(c.theorem); }

Mutant wrong_mean(const QueueingOracle& prove, const char* name, const char* change,
                  std::function<void(Certificate&)> spoil) {
    return spoiled({.name = name,
                    .change = change,
                    .oracle = "bounds",
                    .prove = prove,
                    .instance = "m2-half",
                    .policy = "jsq-maxweight",
                    .spoil = std::move(spoil)});
}

/// At load 5/8 every policy that sends tasks away from their data pays for it.
QueueingClaim intervals() {
    const QueueingOracle bounds =
        mean_oracle({{"join-shortest-queue", between("33333333/50000000", "66666667/100000000")},
                     {"jsq-maxweight", between("114023/25000", "456093/100000")},
                     {"generalized-cmu", between("500742/100000", "500743/100000")},
                     {"balanced-pandas", between("24/5", "49/10")}});
    return QueueingClaim("mean-tasks.m2-half")
        .statement(
            "On m2-half the mean number of tasks in the system lies in [0.66666666, 0.66666667] under "
            "join-shortest-queue, in [4.56092, 4.56093] under jsq-maxweight, in [5.00742, 5.00743] under "
            "generalized-cmu and in [4.8, 4.9] "
            "under balanced-pandas: the last three hold more than 6.84, 7.51 and 7.19 times as many as the first.")
        .source(page_of_means)
        .instances("m2-half")
        .holds({"join-shortest-queue", "jsq-maxweight", "generalized-cmu", "balanced-pandas"}, {"m2-half"})
        .oracle(bounds)
        .outside(on({"m2-half"}))
        .of_no_problem()
        .witness(load_below_one)
        .mutant(wrong_mean(bounds, "mean-too-small", "certificate: a smaller upper bound than proved",
                           [](Certificate& c) { mean_of(c).upper -= exactly("1/1000"); }))
        .mutant(wrong_mean(bounds, "mean-too-large", "certificate: a larger lower bound than proved",
                           [](Certificate& c) { mean_of(c).lower += exactly("1/1000"); }))
        .mutant(wrong_mean(bounds, "mean-of-waiting", "certificate: the interval offered for tasks that wait",
                           [](Certificate& c) { mean_of(c).setting.of.kind = StateFunction::Kind::waiting; }))
        .mutant(wrong_mean(bounds, "mean-of-another", "policy: the certificate of JSQ-MaxWeight offered for Wang's",
                           [](Certificate& c) { c.policy = "wang-jsq-maxweight"; }))
        .mutant(wrong_mean(bounds, "far-field-too-weak", "certificate: half the multiple of V beyond the box",
                           [](Certificate& c) { mean_of(c).setting.kappa /= Rational(2); }));
}

/// A policy's certificate holds of all: the line of `policy` stands for them.
QueueingClaim no_policy_below(const char* instance, const char* policy, const QueueingOracle& bounds,
                              const char* statement, const char* source) {
    const auto wrong = [&](const char* name, const char* change, std::function<void(AnyPolicyTheorem&)> spoil) {
        return spoiled(
            {.name = std::string(name) + "-on-" + instance,
             .change = change,
             .oracle = "bounds",
             .prove = bounds,
             .instance = instance,
             .policy = policy,
             .spoil = [spoil = std::move(spoil)](Certificate& c) { spoil(std::get<AnyPolicyTheorem>(c.theorem)); }});
    };
    return QueueingClaim(std::string("mean-tasks.no-policy-below.") + instance)
        .statement(statement)
        .source(source)
        .instances(instance)
        .holds({policy}, {instance})
        .oracle(bounds)
        .outside(on({instance}))
        .of_no_problem()
        .witness(load_below_one)
        .mutant(wrong("bound-too-large", "certificate: a larger bound than proved",
                      [](AnyPolicyTheorem& t) { t.lower += exactly("1/1000"); }))
        .mutant(wrong("outside-too-cheap", "certificate: a smaller cost outside the box",
                      [](AnyPolicyTheorem& t) { t.outside /= Rational(2); }));
}

/// One policy reaches the bound but for about a millionth.
QueueingClaim no_policy_below_local() {
    return no_policy_below(
        "m2-half", "join-shortest-queue", any_policy_oracle(exactly("6666659/10000000"), 40),
        "On m2-half the mean number of tasks in the system is at least 0.6666659 under every policy of non-preemptive "
        "service that does not anticipate: join-shortest-queue, of which mean-tasks.m2-half says that it has at most "
        "0.66666667, is within 1.0000012 of the best.",
        page_of_means);
}

/// Near saturation the lower bound of heavy traffic may lie below zero, where every policy has four tasks.
QueueingClaim no_policy_below_uneven() {
    return no_policy_below(
        "m2-uneven", "jsq-maxweight", any_policy_oracle(exactly("4"), 30),
        "On m2-uneven, of load 77/80, the mean number of tasks in the system is at least 4 under every policy of "
        "non-preemptive service that does not anticipate, where the lower bound of heavy traffic is -1/9.",
        "[wang2013] (14); docs/means.md");
}

/// Bounds of every policy in continuous time, which are optima that books know. A certificate of another cluster, or of
/// the other preemption, is refused.
QueueingClaim known_optimum(const char* instance, const QueueingOracle& bounds, const char* statement,
                            const char* source) {
    const auto elsewhere = [&](const char* name, const char* change, std::function<void(InstanceData&)> alter) {
        return spoiled({.name = std::string(name) + "-on-" + instance,
                        .change = change,
                        .oracle = "bounds",
                        .prove = bounds,
                        .instance = instance,
                        .policy = "generalized-cmu",
                        .spoil = [alter = std::move(alter)](Certificate& c) {
                            InstanceData data = c.instance->data();
                            alter(data);
                            c.instance = std::make_shared<const Instance>(std::move(data));
                        }});
    };
    return no_policy_below(instance, "generalized-cmu", bounds, statement, source)
        .mutant(elsewhere("faster-server", "certificate: the bound offered for a server that is a tenth faster",
                          [](InstanceData& data) { *data.types.back().at_servers.back() *= exactly("11/10"); }))
        .mutant(elsewhere("other-preemption", "certificate: the bound offered for the other preemption",
                          [](InstanceData& data) {
                              const bool resumes = data.options.preemption == Preemption::resume;
                              data.options.preemption = resumes ? Preemption::none : Preemption::resume;
                          }));
}
QueueingClaim no_policy_below_slow_server() {
    return known_optimum(
        "slow-server", any_policy_oracle(exactly("240399002/100000000"), 60),
        "On slow-server, in continuous time, the mean number of tasks in the system is at least 2.40399002 under every "
        "policy of non-preemptive service that does not anticipate: the policy that uses the slow server from two "
        "waiting tasks on has 2.403990025.",
        "[lin1984]");
}
QueueingClaim no_policy_below_two_classes() {
    return known_optimum(
        "two-classes", any_policy_oracle(exactly("3714/1000"), 70),
        "On two-classes, in continuous time, the mean number of tasks in the system is at least 3.714 under every "
        "policy of non-preemptive service that does not anticipate: priority to the faster class has 26/7, about "
        "3.7143.",
        "[cobham1954]");
}
QueueingClaim no_policy_below_two_classes_preemptive() {
    return known_optimum(
        "two-classes-preemptive", any_policy_oracle(exactly("3571/1000"), 70),
        "On two-classes-preemptive, in continuous time, the mean number of tasks in the system is at least 3.571 under "
        "every policy that does not anticipate, whether it interrupts tasks or not: preemptive priority to the faster "
        "class has 25/7, about 3.5714.",
        "[cox1961]; [buyukkoc1985]");
}

/// Where every server has the data of every task, queues that know the level of a task pay at every load.
QueueingClaim ordering() {
    const std::vector<std::string> loads{"m2-shared", "m2-shared-half", "m2-shared-three-quarters"};
    const QueueingOracle bounds =
        mean_oracle({{"balanced-pandas", at_most("7/5")}, {"jsq-maxweight", at_least("3/2")}});
    return QueueingClaim("mean-tasks.balanced-pandas-below-jsq-maxweight")
        .statement(
            "On m2-shared, and with a half and three quarters of its arrivals, the mean number of tasks in the system "
            "is at most 1.4 under balanced-pandas and at least 1.5 under jsq-maxweight.")
        .source(page_of_means)
        .instances("m2-shared at three loads")
        .holds({"balanced-pandas", "jsq-maxweight"}, loads)
        .oracle(bounds)
        .outside(on(loads))
        .of_no_problem()
        .witness(load_below_one)
        .mutant(spoiled({.name = "order-exchanged",
                         .change = "policy: the certificate of Balanced-Pandas offered for JSQ-MaxWeight",
                         .oracle = "bounds",
                         .prove = bounds,
                         .instance = "m2-shared",
                         .policy = "balanced-pandas",
                         .spoil = [](Certificate& c) { c.policy = "jsq-maxweight"; }}));
}

/// Two means of continuous time that are known without this project.
QueueingClaim textbook() {
    const std::vector<std::string> instances{"mm2-jsq", "mm5"};
    const QueueingOracle bounds = mean_oracle({{"join-shortest-queue on mm2-jsq", between("9.85484307", "9.85484308")},
                                               {"fifo on mm5", between("6.21645021", "6.21645022")}});
    return QueueingClaim("mean-tasks.textbook")
        .statement(
            "The mean number of tasks in the system is 9.85484308 to eight decimals where they join the shorter of two "
            "queues (mm2-jsq: rates 1, arrivals 9/5), and 6.21645022 before five servers with one queue (mm5, Erlang's "
            "formula); the intervals are [9.85484307, 9.85484308] and [6.21645021, 6.21645022].")
        .source("[adan1990]; [erlang1917]")
        .instances("mm2-jsq and mm5, in continuous time")
        .holds({"join-shortest-queue"}, {"mm2-jsq"})
        .holds({"fifo"}, {"mm5"})
        .oracle(bounds)
        .outside(on(instances))
        .of_no_problem()
        .witness(load_below_one)
        .mutant(spoiled({.name = "time-in-slots",
                         .change = "certificate: the interval offered for a cluster in slots",
                         .oracle = "bounds",
                         .prove = bounds,
                         .instance = "mm5",
                         .policy = "fifo",
                         .spoil =
                             [](Certificate& c) {
                                 InstanceData data = c.instance->data();
                                 data.time.reset();
                                 data.rates.front() = exactly("4/5");
                                 data.arrivals = ArrivalLaw::single(data.rates);
                                 c.instance = std::make_shared<const Instance>(std::move(data));
                             }}))
        .mutant(spoiled({.name = "mean-of-a-busier-cluster",
                         .change = "certificate: the interval offered for more arrivals",
                         .oracle = "bounds",
                         .prove = bounds,
                         .instance = "mm2-jsq",
                         .policy = "join-shortest-queue",
                         .spoil = [](Certificate& c) {
                             c.instance = std::make_shared<const Instance>(with_load(*c.instance, exactly("101/100")));
                         }}));
}

}  // namespace

void add_queueing_means(std::vector<Claim>& claims) {
    claims.push_back(intervals());
    claims.push_back(textbook());
    claims.push_back(no_policy_below_local());
    claims.push_back(no_policy_below_uneven());
    claims.push_back(no_policy_below_slow_server());
    claims.push_back(no_policy_below_two_classes());
    claims.push_back(no_policy_below_two_classes_preemptive());
    claims.push_back(ordering());
}

}  // namespace schedproof::checks
