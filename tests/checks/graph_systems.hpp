/// Small clusters whose chains the tests of graphs and exchange files look at.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policies/queueing/exact.hpp"

namespace schedproof::testing {

inline Rational fraction(int p, int q) { return {Integer(p), Integer(q)}; }

/// Two servers, a type local to each and one local to both; at most one task a slot.
inline queueing::InstanceData two_server_data() {
    queueing::InstanceData data;
    data.name = "two-servers";
    data.levels = {{"local", fraction(4, 5)}, {"remote", fraction(1, 5)}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0)}, fraction(1, 2), 1},
                  {"B", {ServerId(1)}, fraction(1, 2), 1},
                  {"AB", {ServerId(0), ServerId(1)}, fraction(1, 2), 1}};
    const std::vector<Rational> rates(3, fraction(1, 4));
    data.arrivals = queueing::ArrivalLaw::single(rates);
    data.rates = rates;
    return data;
}

inline queueing::AnyPolicy policy(std::string_view name, const queueing::Instance& instance) {
    return queueing::make_policy(name, instance, [](const queueing::Instance&) -> queueing::FluidPlan {
        throw ContractViolation("no plan in this test");
    });
}

/// A cluster under a policy that keeps its instance alive.
class Cluster {
  public:
    Cluster(std::string_view policy_name, std::uint32_t cap, queueing::InstanceData data = two_server_data())
        : instance_(std::move(data)),
          system_(instance_, policy(policy_name, instance_), {queueing::Truncation::Rule::total, cap}) {}
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    [[nodiscard]] const queueing::ExactSystem& system() const { return system_; }

  private:
    queueing::Instance instance_;
    queueing::ExactSystem system_;
};

inline constexpr std::string_view plan_free_policies[] = {
    "wang-jsq-maxweight", "jsq-maxweight",        "pandas:plain",       "pandas:rackaware",
    "balanced-pandas",    "balanced-pandas:idle", "generalized-cmu",    "fifo",
    "random-local",       "random-any",           "join-shortest-queue"};

}  // namespace schedproof::testing
