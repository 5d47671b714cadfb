/// Proofs for all states: seconds from question to accepted certificate, beside the seconds that the checker needs.
///
/// Targets on one core: drift on two servers 3 s each, synthesis for Pandas 10 s, three servers in racks 60 s (by the
/// constants of the theorem for every cluster; exploring all cells of three servers gives the exact threshold and is
/// shown without a target), the transience of N2 60 s, Balanced-Pandas on 100 servers and 50 types 10 s, uniform
/// theorems 10 s; checking takes at most a second, or half of the proof's time. The baseline of each line is the
/// checker: it runs the same code along the same cells without a solver, so the ratio is what searching costs. What
/// bounds it: both run the kernel once per cell, on rationals of GMP; then questions to Z3 in the search.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checks/queueing/instances.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/queueing/transience/transience_search.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::queueing;
using InstancePtr = std::shared_ptr<const Instance>;
using checks::named_instance;

struct Readings {
    InstancePtr instance;
    std::string policy;
    SymbolicSystem symbolic{*instance, make_policy(policy, *instance, no_planner)};
    ExactSystem exact{*instance, make_policy(policy, *instance, no_planner)};
};

template <class Proof>
Certificate certificate(const Readings& of, Proof proof) {
    return {of.instance, of.policy, std::move(proof.theorem), std::move(proof.proofs)};
}

Certificate drift(const char* instance, const char* policy, const char* function) {
    const Readings of{named_instance(instance), policy};
    DriftGoal goal;
    goal.v = named_lyapunov(function, *of.instance, of.symbolic.layout());
    return certificate(of, std::get<DriftProof>(prove_drift(of.symbolic, of.exact, goal)));
}

Certificate synthesis(const char* instance) {
    const Readings of{named_instance(instance), "pandas:plain"};
    auto found = synthesise(of.symbolic, of.exact, pair_template(*of.instance, of.symbolic.layout()));
    return certificate(of, std::move(std::get<FoundLyapunov>(found).proof));
}

Certificate transience(const char* instance, const char* policy) {
    const Readings of{named_instance(instance), policy};
    return certificate(of, std::get<TransienceProof>(search_transience(of.symbolic)));
}

Certificate uniform(const char* policy, std::size_t levels) {
    auto proof = std::get<UniformProof>(prove_uniform(ParametricPolicy::registered(policy), levels));
    return {nullptr, policy, std::move(proof.theorem), std::move(proof.proofs)};
}

Certificate constants(const char* instance, const char* policy) {
    const Readings of{named_instance(instance), policy};
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
    const Readings of{std::make_shared<const Instance>(std::move(data)), "balanced-pandas"};
    return certificate(of, std::get<MaxWeightProof>(prove_max_weight(of.symbolic)));
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
    for (const char* instance : {"n2-pandas", "n2-pandas-slow-rack"})
        all.push_back({fmt::format("transience, pandas, {}", instance), 60,
                       [=] { return transience(instance, "pandas:plain"); }});
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

double seconds(const std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
    fmt::print("proofs for all states, one core\n{:<46} {:>9} {:>8} {:>9} {:>8} {:>14}\n", "theorem", "seconds",
               "target", "checked", "leaves", "search / check");
    bool reached = true;
    for (const Task& task : tasks()) {
        auto start = std::chrono::steady_clock::now();
        const Certificate proved = task.prove();
        const double proving = seconds(start);
        start = std::chrono::steady_clock::now();
        if (const std::string wrong = rejection(proved); !wrong.empty()) throw OracleConflict(task.name + ": " + wrong);
        const double checking = seconds(start);
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
