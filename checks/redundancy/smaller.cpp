/// Smaller instances: fewer jobs and machines, then a plainer service and numbers. Speed and beta stay: a claim speaks
/// of them.

#include <algorithm>
#include <utility>
#include <vector>

#include "checks/redundancy/family.hpp"

namespace schedproof::checks {

using namespace redundancy;

namespace {

using Candidates = std::vector<Instance>;

/// Without one job, or one machine.
void add_smaller(const Instance& from, Candidates& all) {
    for (std::size_t j = 0; from.problem.jobs.size() > 1 && j < from.problem.jobs.size(); ++j) {
        all.push_back(from);
        all.back().problem.jobs.erase(all.back().problem.jobs.begin() + static_cast<std::ptrdiff_t>(j));
    }
    if (from.problem.machines > 1) {
        all.push_back(from);
        --all.back().problem.machines;
    }
}

/// Numbers are simpler with a smaller denominator, then a smaller size.
bool simpler(const Rational& a, const Rational& b) {
    return a.denominator() != b.denominator() ? a.denominator() < b.denominator() : a < b;
}

/// Simpler values of a number, the simplest first.
std::vector<Rational> simpler_values(const Rational& value, const Rational& least) {
    const Rational two(2);
    std::vector<Rational> values{least,
                                 Rational(0),
                                 Rational(1),
                                 two,
                                 Rational(floor(value)),
                                 Rational(floor(value)) + Rational(1),
                                 Rational(floor(two * value)) / two};
    std::erase_if(values, [&](const Rational& v) { return v < least || !simpler(v, value); });
    return values;
}

/// With one arrival or size simpler; arrivals keep their order.
void add_plainer_jobs(const Instance& from, Candidates& all) {
    const Jobs<Rational>& jobs = from.problem.jobs;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const Rational before = j == 0 ? Rational(0) : jobs[j - 1].arrival;
        for (const Rational& arrival : simpler_values(jobs[j].arrival, before)) {
            if (j + 1 < jobs.size() && arrival > jobs[j + 1].arrival) continue;
            all.push_back(from);
            all.back().problem.jobs[j].arrival = arrival;
        }
        for (const Rational& size : simpler_values(jobs[j].size, Rational(0))) {
            if (size.sign() == 0) continue;
            all.push_back(from);
            all.back().problem.jobs[j].size = size;
        }
    }
}

void add_plainer_service(const Instance& from, Candidates& all) {
    for (const char* text : {"det", "two-point:2,0", "two-point:3,0"}) {
        const Service plain = Service::parse(text);
        if (from.problem.service == plain) return;
        if (!from.problem.service.linear()) continue;
        all.push_back(from);
        all.back().problem.service = plain;
    }
}

}  // namespace

bool RedundancyFamily::smaller(const Instance& from, const std::string&, const Take<RedundancyFamily>& take) {
    Candidates all;
    add_smaller(from, all);
    add_plainer_service(from, all);
    add_plainer_jobs(from, all);
    return std::any_of(all.begin(), all.end(), take);
}

}  // namespace schedproof::checks
