/// Properties of one job among nodes that are alike: locality against D, the rule for D, the mean wait.
///
/// The law of the job's first launch comes from the policy's code, by enumerating every sequence of at most D + 3
/// offers. It is compared with the formula, written out here once more, and so is what the analysis says
/// (model/sharing/delay_analysis.hpp). For a whole job, probability moves along a chain of skip counts, task by task,
/// as the policy decides; a job that is passed over has a higher count, so each task ends. The paper's mean locality is
/// one fraction over a common denominator.
/// Source: [zaharia2010], Analysis of Delay Scheduling; docs/models/sharing.md, Interpretations S3 and S12. Cost:
/// exponential in D for sequences of offers; LimitExceeded beyond a stated size.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "checks/sharing/properties/properties.hpp"
#include "checks/sharing/reference_model.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks::sharing_properties {

using namespace sharing;

namespace {

Rational fraction(std::uint64_t p, std::uint64_t q) { return Rational(p) / Rational(q); }

/// q^n by multiplying.
Rational product(const Rational& q, std::uint64_t n) {
    Rational result(1);
    for (; n > 0; --n) result *= q;
    return result;
}

/// The first launch of the last job, after offers of nodes 0..M-1, each equally likely, and of no others.
struct First {
    bool local = false;
    std::uint64_t passed = 0;  // offers before
    friend auto operator<=>(const First&, const First&) = default;
};

/// By enumerating every sequence of offers. A task of another job that is launched ends before the next offer.
Law<First> first_launch(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const JobId job(c.setting.jobs.size() - 1);
    const std::uint64_t most = static_cast<std::uint64_t>(c.parameters.d) + 3;
    std::uint64_t trajectories = 1;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(most, 20); ++i)
        trajectories *= std::min<std::uint64_t>(c.of.nodes, 8);
    if (most > 20 || c.of.nodes > 8 || trajectories > 1'000'000)
        throw LimitExceeded("sequences of offers", "more than a million of them");
    return enumerate([&](auto& randomness) {
        State state = c.state;
        for (First first; first.passed < most; ++first.passed) {
            const SlotId slot(randomness.uniform(c.of.nodes) * c.setting.cluster.slots);
            Offered after = under_test.offer(c.setting, state, slot);
            state = std::move(after.next);
            if (!after.started) continue;
            if (after.started->job == job) {
                first.local = after.started->level == Locality::local;
                return first;
            }
            state = complete(std::move(state), slot);
        }
        return First{false, most};
    });
}

Rational local_part(const SharingCase& c) {
    const auto& data = c.setting.jobs.back().tasks.front();
    const auto there = std::count_if(data.begin(), data.end(), [&](NodeId n) { return n.index() < c.of.nodes; });
    return fraction(static_cast<std::uint64_t>(there), c.of.nodes);
}

std::string differ(const char* what, const Rational& is, const Rational& expected) {
    return is == expected ? "" : fmt::format("{} is {}, not {}", what, is.to_string(), expected.to_string());
}

std::uint64_t d_of(const SharingCase& c) { return static_cast<std::uint64_t>(c.parameters.d); }

}  // namespace

std::string local_in_time(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Rational p = local_part(c);
    const Rational is = first_launch(under_test, c).expectation([&](const First& first) {
        return first.local && first.passed < d_of(c) ? 1 : 0;
    });
    const Rational expected = Rational(1) - product(Rational(1) - p, d_of(c));
    if (std::string wrong = differ("P(local within D offers)", is, expected); !wrong.empty()) return wrong;
    return differ("what the analysis says", local_within(p, d_of(c)), expected);
}

std::string non_locality(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Rational p = local_part(c);
    const Rational is = first_launch(under_test, c).expectation([](const First& first) { return first.local ? 0 : 1; });
    const Rational expected = product(Rational(1) - p, d_of(c) + 1);
    if (std::string wrong = differ("P(launch without data)", is, expected); !wrong.empty()) return wrong;
    return differ("what the analysis says", launch_is_local(p, d_of(c)), Rational(1) - expected);
}

namespace {

/// Whether the first launch of the last job is the law of one job at the head: a task that waits, fewer tasks running
/// than of any other job with tasks to launch, and the first slots of the nodes free.
bool one_task_at_the_head(const SharingCase& c) {
    const std::size_t last = c.state.jobs.size() - 1;
    if (c.state.jobs[last].tasks != std::vector{Stage::unlaunched} || c.of.nodes > c.setting.cluster.nodes())
        return false;
    for (std::size_t n = 0; n < c.of.nodes; ++n)
        if (c.state.slots[n * c.setting.cluster.slots].busy) return false;
    for (std::size_t j = 0; j < last; ++j)
        if (reference_nearest(c.setting, c.state, j, 0) && reference_running(c.state, j) == 0) return false;
    return true;
}

}  // namespace

std::string head_of_line(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const std::optional<std::size_t> head = reference_head(c);
    if (!head) return "";
    const auto started = under_test.offer(c.setting, c.state, c.slot).started;
    if (!started || started->job.index() != *head) return fmt::format("job {} at the head does not launch", *head);
    if (started->level != *reference_nearest(c.setting, c.state, *head, c.slot.index() / c.setting.cluster.slots))
        return fmt::format("job {} at the head launches a {} task", *head, name(started->level));
    if (!one_task_at_the_head(c)) return "";
    const Rational is = first_launch(under_test, c).expectation([](const First& first) { return first.local ? 1 : 0; });
    return differ("P(local)", is, local_part(c));
}

std::string head_waits(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Rational p = local_part(c);
    const Rational is = first_launch(under_test, c).expectation([](const First& first) { return first.local ? 1 : 0; });
    if (c.parameters.d > 0 && p.sign() > 0 && p < Rational(1) && is <= p)
        return fmt::format("P(local) is {}, no more than without waiting", is.to_string());
    return differ("P(local)", is, Rational(1) - product(Rational(1) - p, d_of(c) + 1));
}

std::string mean_wait(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Rational p = local_part(c), run(c.run);
    const Rational passed = first_launch(under_test, c).expectation([](const First& f) { return Rational(f.passed); });
    Rational expected;
    for (std::uint64_t i = 1; i <= d_of(c); ++i) expected += product(Rational(1) - p, i);
    if (std::string wrong = differ("the mean number of offers let pass", passed, expected); !wrong.empty())
        return wrong;
    if (std::string wrong = differ("what the analysis says", mean_skips(p, d_of(c)), expected); !wrong.empty())
        return wrong;
    for (std::uint64_t slots = c.of.nodes; slots <= 4 * c.of.nodes; slots += c.of.nodes) {
        // S memoryless tasks of mean T: the next slot is free after T/S in the mean, whatever came before.
        const Rational wait = passed * run / Rational(slots);
        const Rational bound = sharing::mean_wait(d_of(c), slots, run);
        if (wait > bound) return fmt::format("the mean wait {} is above {}", wait.to_string(), bound.to_string());
        const Rational alone = sharing::mean_wait(d_of(c), c.of.nodes, run) * Rational(c.of.nodes);
        if (std::string wrong = differ("the bound times the slots", bound * Rational(slots), alone); !wrong.empty())
            return wrong;
    }
    return "";
}

namespace {

/// The mean part of a job's tasks that the policy launches on local data, offers being local with probability
/// 1 - (1-K/M)^R while K tasks are left.
Rational mean_by_code(const SharingPolicyUnderTest& under_test, const DelaySetting& of) {
    require_stated(static_cast<bool>(under_test.offer_endless), without_queues);
    const Rational size =
        Rational(of.tasks) * Rational(of.replicas) * (Rational(under_test.parameters.d) + Rational(1));
    if (size > Rational(5000)) throw LimitExceeded("chain of skip counts", "N R (D + 1) is above 5000");
    std::map<std::int64_t, Rational> mass{{0, Rational(1)}};  // by skip count
    Rational local_launches;
    for (std::uint64_t left = of.tasks; left > 0; --left) {
        const Rational miss =
            left >= of.nodes ? Rational(0) : product(fraction(of.nodes - left, of.nodes), of.replicas);
        std::map<std::int64_t, Rational> next;
        while (!mass.empty()) {
            const auto [skips, part] = *mass.begin();
            mass.erase(mass.begin());
            for (const bool local : {true, false}) {
                const Rational probability = part * (local ? Rational(1) - miss : miss);
                if (probability.sign() == 0) continue;
                EndlessJobs jobs{{}, {{local ? Locality::local : Locality::remote}}, {0}, {skips}};
                const auto launch = under_test.offer_endless(jobs, NodeId(0));
                if (launch && local) local_launches += probability;
                require_stated(launch || jobs.skip_count[0] > skips,
                               "expected a policy that counts whom it passes over");
                (launch ? next : mass)[jobs.skip_count[0]] += probability;
            }
        }
        mass = std::move(next);
    }
    return local_launches / Rational(of.tasks);
}

/// base^n by squaring.
Integer product(Integer base, std::uint64_t n) {
    Integer result = 1;
    for (; n > 0; n /= 2, base *= base)
        if (n % 2 == 1) result *= base;
    return result;
}

/// (1/N) sum of 1 - (1-K/M)^(R D) over K = 1..N, over the denominator N M^(R D).
Rational formula(const DelaySetting& of, std::uint64_t skips) {
    const std::uint64_t n = of.replicas * skips;
    if (Rational(of.tasks) * Rational(n) > Rational(10'000'000))
        throw LimitExceeded("powers of the analysis", "N R D is above ten million");
    const Integer whole = product(Integer(of.nodes), n);
    Integer sum = 0;
    for (std::uint64_t left = 1; left <= of.tasks; ++left)
        sum += whole - product(Integer(of.nodes - std::min(left, of.nodes)), n);
    return {sum, whole * Integer(of.tasks)};
}

std::string short_of(const Rational& is, const SharingCase& c, std::uint64_t skips) {
    if (is >= c.goal) return "";
    return fmt::format("N = {}, M = {}, R = {}, D = {}: locality {:.6f} is below the goal {}", c.of.tasks, c.of.nodes,
                       c.of.replicas, skips, is.approximate(), c.goal.to_string());
}

}  // namespace

std::string printed_mean(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Enclosure said = mean_locality_as_printed(c.of, d_of(c));
    const Rational is = mean_by_code(under_test, c.of);
    if (said.exact()) return differ("the mean part of local launches", is, said.least);
    return said.least <= is && is <= said.most ? "" : "the mean part of local launches is outside its enclosure";
}

std::string rule_suffices(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const std::uint64_t skips = under_test.rule(c.of, c.goal);
    return short_of(formula(c.of, skips), c, skips);
}

std::string rule_tight(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const std::uint64_t skips = under_test.rule(c.of, c.goal);
    const Rational slack = Rational(1) + fraction(c.of.nodes, c.of.replicas * c.of.tasks) + fraction(skips, c.of.nodes);
    // The formula does not fall with D: whatever lies a slack below the rule must miss the goal.
    const Rational below = Rational(skips) - slack;
    if (below.sign() < 0) return "";
    const auto less = static_cast<std::uint64_t>(floor(below));
    return formula(c.of, less) < c.goal
               ? ""
               : fmt::format("N = {}, M = {}, R = {}, goal {}: D = {}, where {} is enough", c.of.tasks, c.of.nodes,
                             c.of.replicas, c.goal.to_string(), skips, less);
}

std::string rule_as_printed(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const std::uint64_t skips = under_test.rule(c.of, c.goal);
    Parameters at_rule = c.parameters;
    at_rule.d = static_cast<std::int64_t>(skips);
    return short_of(mean_by_code(policy_under_test(under_test.policy, at_rule), c.of), c, skips);
}

}  // namespace schedproof::checks::sharing_properties
