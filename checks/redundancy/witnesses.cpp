#include "checks/redundancy/witnesses.hpp"

#include "model/base/split.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace redundancy;

namespace {

Rational number(std::string_view text) {
    const auto value = Rational::parse(text);
    require(value.has_value(), "a problem in a line holds numbers");
    return *value;
}

constexpr std::string_view of_family = "[schedproof], docs/models/redundancy.md";
constexpr std::string_view here = "[schedproof]";

RedundancyWitness made(std::string_view name, std::string_view source, std::string_view shows,
                       Problem<Rational> problem, std::string_view speed = "1", std::string_view beta = "1/2") {
    RedundancyWitness witness{
        name, source, shows, {std::string(name), std::string(source), std::move(problem), number(speed), number(beta)}};
    validate(witness.instance);
    return witness;
}

/// `count` jobs that arrive at 0, with sizes 1, 2, ...
Problem<Rational> at_once(std::size_t machines, std::string_view service, std::size_t count) {
    Problem<Rational> problem{machines, Service::parse(service), {}};
    for (std::size_t j = 1; j <= count; ++j) problem.jobs.push_back({Rational(0), Rational(j)});
    return problem;
}

}  // namespace

Problem<Rational> redundancy_problem_of(std::size_t machines, std::string_view service, std::string_view jobs) {
    Problem<Rational> problem{machines, Service::parse(service), {}};
    if (jobs.empty()) return problem;
    for (const std::string_view job : base::split(jobs, ',')) {
        const std::vector<std::string_view> words = base::split_words(job);
        require(words.size() == 2, "a job in a line is an arrival and a size");
        problem.jobs.push_back({number(words[0]), number(words[1])});
    }
    return problem;
}

std::vector<RedundancyWitness> redundancy_witnesses() {
    const auto p = redundancy_problem_of;
    constexpr std::string_view det = "det", on_off = "two-point:2,0", fast = "two-point:3,0";
    return {
        made("identical-machines", of_family,
             "three machines alike, two of them the same: mean work of the best 1, 1, 3/2", p(3, on_off, "0 1")),
        made("srpt-cost-no-lower-bound", of_family, "SRPT costs 1, SRPT+R 2/3", p(2, on_off, "0 1")),
        made("srpt-r-not-optimal", of_family, "SRPT+R costs 73/10, the optimum 33/5", p(2, fast, "0 7/2, 0 4")),
        made("srpt-r-ratio-58-51", of_family, "SRPT+R costs 58/51 of the optimum", p(2, fast, "0 5/2, 0 5/2, 3/2 1/2")),
        made("srpt-r-ratio-22-19", here, "SRPT+R costs 22/19 of the optimum, the most of three jobs on such machines",
             p(2, fast, "0 25, 0 25, 15 10")),
        made("one-job", of_family, "beta = n/M leaves a dual value of 0; a rank that forgets the job doubles its alpha",
             p(1, det, "0 1"), "2"),
        made("one-job-two-machines", of_family, "alpha = 1/2 and beta(0) = 1/4: C >= 1/4 = C*", p(2, det, "0 1"), "2"),
        made("beta-of-srpt-r", of_family, "n(t) of SRPT+R in place of SRPT's needs C = 1/2 > C* = 1/4",
             p(2, on_off, "0 3, 1 1, 1 1"), "2"),
        made("insertion-instant", of_family, "two arrivals at one instant: the constraint of the second begins then",
             p(1, det, "0 1/4, 1/4 1/2")),
        made("fair-naive", of_family, "naive duals: alpha_1 = 11/15, beta(0) = 3/10, C >= 13/30 > 1/s = 1/5",
             p(2, det, "0 1, 0 8, 0 8"), "5"),
        made("fair-naive-unbounded", of_family, "naive duals need C = 37/30, and more with every further round",
             p(2, det, "0 1, 0 5, 0 5, 1 5, 1 5, 2 5, 2 5, 3 5, 3 5"), "5"),
        made("fair-shifted-half", here, "the shifted rule's alphas sum to less than F/2",
             p(3, det, "0 1, 0 1, 0 2, 0 2, 0 3"), "5"),
        made("fair-copies-hurt", here, "FAIR+R costs 95/6, FAIR 15: copies end a job before its twin, which then waits",
             p(2, on_off, "0 2, 1 1, 1 4, 1 4")),
        made("fair-copies-hurt-apart", here, "FAIR+R costs 66, FAIR 61, and no two jobs end at once",
             p(2, on_off, "0 6, 4 4, 4 15, 4 16, 8 3")),
        made("laps-copies-hurt", here, "LAPS+R costs 158/3, LAPS 47", p(2, on_off, "0 3, 2 4, 2 4, 7 32")),
        made("copies-in-turn", here, "two copies each, one job after the other: F = 3 where one copy each costs 2",
             p(2, det, "0 1, 0 1")),
        made("late-overtakes", here, "LATE's second copy takes the longer job past the other before the third arrives",
             p(3, fast, "0 5, 0 6, 3 1")),
        made("laps-one-job", of_family, "floor(beta n) = 0: nobody is ever served", p(1, det, "0 1")),
        made("laps-all-not-fair", here, "with all served every share is 1/2: F = 6, FAIR+R's is 4",
             p(2, det, "0 1, 0 1, 0 1"), "1", "1"),
        made("laps-ceiling", of_family, "7/25 of 25 jobs are 7; 0.28 * 25 rounds up to 8 in floating point",
             at_once(8, on_off, 25), "1", "7/25"),
        made("each-rank", of_family, "b = 1/2, e = 1/4: (1 + b + e)(1 - b) = 7/8 < 1", p(1, det, "0 1"), "7/4"),
    };
}

RedundancyWitness redundancy_witness(std::string_view name) {
    for (RedundancyWitness& witness : redundancy_witnesses())
        if (witness.name == name) return std::move(witness);
    throw ContractViolation("no instance of the redundancy family is named " + std::string(name));
}

}  // namespace schedproof::checks
