/// Proofs for all states: seconds from question to accepted certificate, beside the seconds that the checker needs.
///
/// Targets on one core: drift on two servers 3 s each, synthesis for Pandas 10 s, three servers in racks 60 s (by the
/// constants of the theorem for every cluster; exploring all cells of three servers gives the exact threshold and is
/// shown without a target), summands of the drift on ten servers 10 s (Pandas 60 s), of the first two policies on
/// twenty 60 s, the transience of N2 60 s, of a gate on 12 and on 100 workers 1 s, Balanced-Pandas on 100 servers and
/// 50 types 10 s, uniform theorems 10 s; checking takes at most a second, or half of the proof's time. The baseline of
/// each line is the checker: it runs the same code along the same cells without a solver, so the ratio is what
/// searching costs. What bounds it: both run the kernel once per cell, on rationals of GMP; then questions to Z3 in the
/// search.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checks/queueing/instances.hpp"
#include "experiments/bench/support.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/temporary_policy.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/drift/summand_search.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/queueing/transience/cone_search.hpp"
#include "proofs/queueing/transience/mode_search.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::queueing;
using InstancePtr = std::shared_ptr<const Instance>;
using checks::named_instance;

struct Systems {
    InstancePtr instance;
    std::string policy;
    SymbolicSystem symbolic{*instance, make_policy(policy, *instance, no_planner)};
    ExactSystem exact{*instance, make_policy(policy, *instance, no_planner)};
};

template <class Proof>
Certificate certificate(const Systems& of, Proof proof) {
    return {of.instance, of.policy, std::move(proof.theorem), std::move(proof.proofs)};
}

Certificate drift(const char* instance, const char* policy, const char* function) {
    const Systems of{named_instance(instance), policy};
    DriftGoal goal;
    goal.v = named_lyapunov(function, *of.instance, of.symbolic.layout());
    return certificate(of, std::get<DriftProof>(prove_drift(of.symbolic, of.exact, goal)));
}

Certificate synthesis(const char* instance) {
    const Systems of{named_instance(instance), "pandas:plain"};
    auto found = synthesise(of.symbolic, of.exact, pair_template(*of.instance, of.symbolic.layout()));
    return certificate(of, std::move(std::get<FoundLyapunov>(found).proof));
}

Certificate transience(const char* instance, const char* policy) {
    const Systems of{named_instance(instance), policy};
    return certificate(of, std::get<TransienceProof>(search_transience(of.symbolic)));
}

Certificate uniform(const char* policy, std::size_t levels) {
    auto proof = std::get<UniformProof>(prove_uniform(ParametricPolicy::registered(policy), levels));
    return {nullptr, policy, std::move(proof.theorem), std::move(proof.proofs)};
}

Certificate constants(const char* instance, const char* policy) {
    const Systems of{named_instance(instance), policy};
    return certificate(of, std::get<MaxWeightProof>(prove_max_weight(of.symbolic)));
}

/// 100 servers in 10 racks, 50 types of three replicas each.
Certificate hundred_servers() {
    InstanceData data;
    data.name = "hundred-servers";
    data.levels = {
        {"local", *Rational::parse("1/2")}, {"rack", *Rational::parse("2/5")}, {"remote", *Rational::parse("1/5")}};
    for (std::size_t m = 0; m < 100; ++m)
        data.servers.push_back({"s" + std::to_string(m), {"r" + std::to_string(m / 10)}});
    for (std::size_t t = 0; t < 50; ++t) {
        TaskType type;
        type.name = "t" + std::to_string(t);
        for (const std::size_t m : {2 * t, (2 * t + 11) % 100, (2 * t + 47) % 100}) type.replicas.emplace_back(m);
        std::sort(type.replicas.begin(), type.replicas.end());
        data.types.push_back(std::move(type));
    }
    data.arrivals = ArrivalLaw::bernoulli(std::vector<Rational>(50, *Rational::parse("9/10")));
    const Systems of{std::make_shared<const Instance>(std::move(data)), "balanced-pandas"};
    return certificate(of, std::get<MaxWeightProof>(prove_max_weight(of.symbolic)));
}

/// Servers in a ring: tasks of type i, lambda = 1/2, are local to servers i and i + 1 at rate 4/5, elsewhere 1/5.
Certificate summands(std::size_t servers, const char* policy, bool continuous) {
    InstanceData data;
    data.name = "ring";
    if (continuous) data.time = ContinuousTime{};
    data.levels = {{"local", Rational(4, 5)}, {"remote", Rational(1, 5)}};
    for (std::size_t i = 0; i < servers; ++i) {
        data.servers.push_back({"s" + std::to_string(i), {}});
        std::vector<ServerId> holders{ServerId(i), ServerId((i + 1) % servers)};
        std::sort(holders.begin(), holders.end());
        data.types.push_back({"T" + std::to_string(i), std::move(holders)});
        data.rates.emplace_back(1, 2);
    }
    if (!continuous) data.arrivals = ArrivalLaw::bernoulli(data.rates);
    const Systems of{std::make_shared<const Instance>(std::move(data)), policy};
    return certificate(of, std::get<DriftProof>(find_by_summands(of.symbolic, DriftGoal())));
}

/// docs/routers.md: while loads are uneven all go to the least loaded worker, else all go home.
struct FleetGate {
    static constexpr PolicyInfo info{"fleet-gate", "bench",
                                     "join the least loaded while loads are uneven, else a holder"};
    static constexpr Rules rules = [] {
        using namespace language;
        constexpr auto longest = greatest(servers, server_length), shortest = least(servers, server_length);
        return Rules{keep(Arrangement::per_server_and_level),
                     route(when(tasks(64) < longest - shortest && Ratio(3, 2) * shortest < longest,
                                argmin(servers, server_length), local)),
                     serve(first_of(most_local(nonempty(own_levels)), own))};
    }();
};

/// experiments/zoo/mean-gate.policy.
struct MeanGate {
    static constexpr PolicyInfo info{"mean-gate", "Gate on the mean", "stay below a multiple of the mean load"};
    static constexpr Rules rules = [] {
        using namespace language;
        constexpr auto average = mean(servers, server_length);
        constexpr auto open = Ratio(3, 2) * average < server_length && average + tasks(64) < server_length;
        return Rules{keep(Arrangement::per_server_and_level),
                     route(first_of(where(local, !open), argmin(servers, server_length))),
                     serve(first_of(most_local(nonempty(own_levels)), own))};
    }();
};

/// A type local to each of the first workers, which brings this part of what its home can do.
template <class Policy>
Systems fleet(std::size_t workers, const Rational& local, const Rational& remote, const std::vector<Rational>& parts) {
    static const std::shared_ptr<const void> registered = add_temporary_policy(added<Policy>());
    InstanceData data;
    data.name = "fleet";
    data.levels = {{"local", local}, {"remote", remote * local}};
    std::vector<Rational> rates;
    for (std::size_t i = 0; i < workers; ++i) data.servers.push_back({"s" + std::to_string(i), {}});
    for (std::size_t i = 0; i < parts.size(); ++i) {
        data.types.push_back({"T" + std::to_string(i), {ServerId(i)}});
        rates.push_back(parts[i] * local);
    }
    data.arrivals = ArrivalLaw::single(rates);
    return {std::make_shared<const Instance>(std::move(data)), std::string(Policy::info.id)};
}

Certificate modes(std::size_t workers) {
    std::vector<Rational> parts(workers, Rational(3, 5));
    parts.front() = Rational(9, 8);
    const Systems of =
        fleet<FleetGate>(workers, Rational(3, 2 * static_cast<std::int64_t>(workers)), Rational(1, 10), parts);
    return certificate(of, std::get<TransienceProof>(prove_by_modes(of.symbolic)));
}

/// All workers but one are hot.
Certificate cone(std::size_t workers) {
    const Systems of = fleet<MeanGate>(workers, Rational(9, 10 * (static_cast<std::int64_t>(workers) - 1)),
                                       Rational(1, 4), std::vector<Rational>(workers - 1, Rational(31, 30)));
    return certificate(of, std::get<TransienceProof>(prove_in_cone(of.symbolic)));
}

struct Task {
    std::string name;
    double target;  ///< seconds; 0: none
    std::function<Certificate()> prove;
};

std::vector<Task> tasks() {
    std::vector<Task> all;
    for (const char* instance : {"m2-half", "m2-uneven", "m2-shared", "m2-one-type", "m2-fast-remote"})
        all.push_back({fmt::format("drift, wang, {}", instance), 3,
                       [=] { return drift(instance, "wang-jsq-maxweight", "regret"); }});
    for (const char* policy : {"jsq-maxweight", "generalized-cmu"})
        all.push_back(
            {fmt::format("drift, {}, m2-uneven", policy), 3, [=] { return drift("m2-uneven", policy, "regret"); }});
    all.push_back({"drift, balanced-pandas, m2-uneven", 3,
                   [] { return drift("m2-uneven", "balanced-pandas", "workload-squares"); }});
    for (const char* instance : {"m2-half", "m2-uneven"})
        all.push_back({fmt::format("synthesis, pandas, {}", instance), 10, [=] { return synthesis(instance); }});
    for (const char* policy : {"jsq-maxweight", "generalized-cmu", "balanced-pandas"})
        all.push_back(
            {fmt::format("constants, {}, n2 (3 servers)", policy), 60, [=] { return constants("n2-pandas", policy); }});
    for (const char* policy : {"jsq-maxweight", "generalized-cmu"})
        all.push_back({fmt::format("all cells, {}, n2 (3 servers)", policy), 0,
                       [=] { return drift("n2-pandas", policy, "regret"); }});
    all.push_back({"all cells, balanced-pandas, n2 (3 servers)", 0,
                   [] { return drift("n2-pandas", "balanced-pandas", "workload-squares"); }});
    for (const bool continuous : {false, true}) {
        const auto add = [&](std::size_t servers, const char* policy, double target) {
            all.push_back({fmt::format("summands, {}, {} servers{}", policy, servers, continuous ? ", ct" : ""), target,
                           [=] { return summands(servers, policy, continuous); }});
        };
        for (const char* policy : {"join-shortest-queue", "balanced-pandas", "jsq-maxweight", "generalized-cmu"})
            add(10, policy, 10);
        add(10, "pandas:plain", 60);
        for (const char* policy : {"join-shortest-queue", "balanced-pandas"}) add(20, policy, 60);
    }
    for (const char* instance : {"n2-pandas", "n2-pandas-slow-rack"})
        all.push_back({fmt::format("transience, pandas, {}", instance), 60,
                       [=] { return transience(instance, "pandas:plain"); }});
    for (const std::size_t workers : {12, 100})
        all.push_back({fmt::format("modes, gate, {} workers", workers), 1, [=] { return modes(workers); }});
    for (const std::size_t workers : {4, 6})
        all.push_back({fmt::format("cone, gate on the mean, {} workers", workers), 2, [=] { return cone(workers); }});
    all.push_back({"transience, fifo, n1", 60, [] { return transience("n1-fifo", "fifo"); }});
    all.push_back({"constants, balanced-pandas, 100 servers", 10, hundred_servers});
    const std::pair<const char*, std::size_t> theorems[] = {
        {"wang-jsq-maxweight", 2}, {"jsq-maxweight", 2},   {"jsq-maxweight", 3},  {"generalized-cmu", 2},
        {"generalized-cmu", 3},    {"balanced-pandas", 2}, {"balanced-pandas", 3}};
    for (const auto& [policy, levels] : theorems)
        all.push_back({fmt::format("every cluster, {}, {} levels", policy, levels), 10,
                       [policy = policy, levels = levels] { return uniform(policy, levels); }});
    return all;
}

}  // namespace

int main() {
    fmt::print("proofs for all states, one core\n{:<46} {:>9} {:>8} {:>9} {:>8} {:>14}\n", "theorem", "seconds",
               "target", "checked", "leaves", "search / check");
    bool reached = true;
    for (const Task& task : tasks()) {
        const bench::Stopwatch proof_watch;
        const Certificate proved = task.prove();
        const double proving = proof_watch.seconds();
        const bench::Stopwatch check_watch;
        if (const std::string wrong = rejection(proved); !wrong.empty()) throw OracleConflict(task.name + ": " + wrong);
        const double checking = check_watch.seconds();
        std::size_t leaves = 0;
        for (const proof::ExploredProof& proof : proved.proofs) leaves += proof.leaves.size();
        const bool good = (task.target == 0 || proving <= task.target) && (checking <= 1 || checking <= proving / 2);
        reached = reached && good;
        fmt::print("{:<46} {:>9.2f} {:>8} {:>9.2f} {:>8} {:>13.1f}x{}\n", task.name, proving,
                   task.target == 0 ? "-" : fmt::format("{:.0f}", task.target), checking, leaves, proving / checking,
                   good ? "" : "  MISSED");
    }
    fmt::print("{}\n", reached ? "every target reached" : "SOME TARGET MISSED");
    return reached ? 0 : 1;
}
