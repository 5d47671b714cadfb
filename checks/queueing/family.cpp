/// What every family states (checks/core/family_claim.hpp), for queueing: policies, claims, systems, and cases in
/// words.
///
/// A case is a state of a cluster and, of a refuted drift, a direction in which it fails for ever.
#include "checks/queueing/family.hpp"

#include "checks/core/family_of.hpp"
#include "checks/families.hpp"
#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace schedproof::checks {

using namespace queueing;

const Family& queueing_family() { return family_of<QueueingFamily>(); }

std::vector<PolicyEntry> QueueingFamily::policies() {
    std::vector<PolicyEntry> all;
    for (const PolicyInfo& info : queueing::policies()) all.push_back({info.id, info.summary, info.source});
    return all;
}

std::string QueueingFamily::resolve_policy(std::string_view name) {
    return std::string(queueing::resolve_policy(name));
}

std::vector<Claim> QueueingFamily::claims() {
    std::vector<Claim> all;
    add_queueing_invariants(all);
    add_queueing_modes(all);
    add_queueing_stability(all);
    add_queueing_growth(all);
    add_queueing_capacity(all);
    add_queueing_theorems(all);
    add_queueing_means(all);
    add_queueing_heavy_traffic(all);
    add_queueing_near_boundary(all);
    return all;
}

System registered(const InstancePtr& instance, std::string_view policy) {
    const AnyPolicy made = make_policy(policy, *instance, capacity::fluid_plan);
    return {instance, SymbolicSystem(*instance, made), ExactSystem(*instance, made)};
}

System System::on(const InstancePtr& other) const { return elsewhere ? elsewhere(other) : registered(other, policy()); }

ExactSystem registered_exact(const Instance& instance, std::string_view policy) {
    return {instance, make_policy(policy, instance, capacity::fluid_plan)};
}

System QueueingFamily::system(const std::string& policy, const QueueingDomain& domain) {
    return registered(std::get<InstancePtr>(domain.problems), policy);
}

ProblemDomainPtr<QueueingFamily> all_states(const InstancePtr& instance) {
    return std::make_shared<const QueueingDomain>(instance->name(), instance);
}

ProblemDomainPtr<QueueingFamily> QueueingFamily::instance(const std::string& name) {
    return all_states(named_instance(name));
}

QueueingDomain QueueingFamily::domain_of(const ClusterState& at) { return {at.instance->name(), at.instance}; }

std::string QueueingFamily::describe(const ClusterState& at, const std::string& policy) {
    return checks::describe(registered_exact(*at.instance, policy), at.state);
}

std::string describe_steps(const ExactSystem& system, const Direction& direction) {
    const std::size_t queues = system.layout().queues();
    std::string text;
    for (std::size_t x = 0; x < direction.size(); ++x) {
        if (direction[x] == 0) continue;
        const std::string name =
            x < queues ? system.layout().name(system.instance(), QueueId(x)) : "counter" + std::to_string(x - queues);
        const std::string what = x >= queues ? "" : direction[x] == 1 ? " task" : " tasks";
        text += (text.empty() ? "" : " and ") + std::to_string(direction[x]) + what + " to " + name;
    }
    return text;
}

std::string describe(const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    std::string text = "Q";
    for (const QueueId q : IdRange<QueueId>(state.length.size()))
        text += " " + system.layout().name(instance, q) + "=" + std::to_string(state.length[q.index()].value());
    text += ";";
    for (const ServerId m : instance.servers()) {
        const Service& s = state.serving[m.index()];
        text += (m.index() > 0 ? ", " : " ") + instance.server(m).name;
        if (s.status == Service::Status::idle)
            text += " idle";
        else
            text += (s.status == Service::Status::phantom ? " phantom on " : " on ") +
                    system.layout().name(instance, s.queue) + "@" + instance.data().levels[s.level.index()].name;
    }
    return text;
}

}  // namespace schedproof::checks
