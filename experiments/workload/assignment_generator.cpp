#include "experiments/workload/assignment_generator.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "model/core/randomness.hpp"

namespace schedproof::workload {

namespace {

enum Purpose : std::uint64_t { loads_of_cores = 1, replicas_of_tasks = 2 };

void expect(bool holds, const char* key, const char* expected) {
    if (!holds) throw InputError::at_key(key, expected);
}

void check(const AssignmentWorkload& w) {
    constexpr std::size_t ids = std::numeric_limits<std::uint32_t>::max();
    expect(w.servers >= 1, "servers", "expected at least one server");
    expect(w.cores >= 1, "cores", "expected at least one core per server");
    expect(w.servers <= ids / w.cores, "cores", "expected fewer than 2^32 cores in all");
    expect(w.tasks <= ids, "tasks", "expected fewer than 2^32 tasks");
    expect(w.replicas >= 1, "replicas", "expected at least one replica per task");
    expect(w.replicas <= w.servers, "replicas", "expected no more replicas than servers");
    expect(w.ticks >= 1, "ticks", "expected at least one tick per local task");
    expect(w.alpha.sign() >= 0, "alpha", "expected a skew of at least 0");
    expect(w.beta.sign() >= 0, "beta", "expected a largest load of at least 0");
    expect(w.theta.sign() > 0, "theta", "expected a network factor above 0");
    expect((w.theta * Rational(w.ticks)).is_integer(), "theta", "expected a whole number of ticks");
}

}  // namespace

AssignmentGenerator::AssignmentGenerator(AssignmentWorkload workload) : workload_(std::move(workload)) {
    const AssignmentWorkload& w = workload_;
    check(w);
    for (std::size_t s = 0; s < w.servers; ++s) {
        const Rational most(floor((w.alpha * Rational(s) + w.beta) * Rational(w.ticks)));
        choices_.push_back(static_cast<std::uint64_t>(NumberTraits<CheckedInt>::coefficient(most).value()) + 1);
    }
    const CheckedInt step = NumberTraits<CheckedInt>::coefficient(w.theta * Rational(w.ticks));
    std::vector<CheckedInt> values;
    for (std::int64_t n = 1; n <= std::int64_t{w.cores}; ++n) values.push_back(CheckedInt(w.ticks) + times(n, step));
    cost_ = assignment::CostFunction<CheckedInt>(std::move(values));
}

CheckedInt AssignmentGenerator::load(CoreId p) const {
    require(p.index() < workload_.servers * workload_.cores, "a load is drawn for a core of the workload");
    Sampler randomness({workload_.seed, p.index(), loads_of_cores});
    return static_cast<std::int64_t>(randomness.below(choices_[p.index() / workload_.cores]));
}

void AssignmentGenerator::replicas(TaskId t, std::vector<ServerId>& servers) const {
    require(t.index() < workload_.tasks, "replicas are drawn for a task of the workload");
    Sampler randomness({workload_.seed, t.index(), replicas_of_tasks});
    servers.clear();
    while (servers.size() < workload_.replicas) {
        const ServerId s(randomness.uniform(workload_.servers));
        if (std::find(servers.begin(), servers.end(), s) == servers.end()) servers.push_back(s);
    }
}

assignment::Problem<CheckedInt> generate(const AssignmentWorkload& workload) {
    const AssignmentGenerator generator(workload);
    assignment::Problem<CheckedInt> problem;
    assignment::Replicas replicas;
    replicas.reserve(workload.tasks, workload.tasks * workload.replicas);
    std::vector<ServerId> servers;
    for (const TaskId t : IdRange<TaskId>(workload.tasks)) {
        generator.replicas(t, servers);
        replicas.add(servers);
    }
    problem.shape = std::make_shared<assignment::Shape>(std::vector<std::uint32_t>(workload.servers, workload.cores),
                                                        std::move(replicas));
    for (const CoreId p : problem.shape->cores()) problem.initial.push_back(generator.load(p));
    problem.costs = {generator.cost()};
    problem.local = workload.ticks;
    return problem;
}

}  // namespace schedproof::workload
