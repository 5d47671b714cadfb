/// The stability program of a MaxWeight-type policy as one linear program (stability.hpp states it).
///
/// It is solved on the fluid side, min sigma over routed and served amounts; the weights of queues are the multipliers
/// of its rows, so both witnesses come from one solution. A queue that receives tasks and that nobody serves makes
/// sigma infinite. That is looked at first, with weight 1 on all such queues: if any weights show it, these do. The
/// certificate is checked before it is returned.
#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/duality/stability.hpp"

namespace schedproof::duality {

using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::LinearSolution;
using capacity::Relation;

namespace {

void check(const MaxWeightData& data) {
    require(data.admissible.size() == data.arrival_rates.size(), "one list of admissible queues per type");
    const auto check_list = [&](const std::vector<WeightedQueue>& list) {
        std::vector<QueueId> queues;
        for (const WeightedQueue& entry : list) {
            require(entry.queue.index() < data.queues && entry.multiplier.sign() >= 0,
                    "queues are known, and their factors and rates are not negative");
            queues.push_back(entry.queue);
        }
        std::sort(queues.begin(), queues.end());
        require(std::adjacent_find(queues.begin(), queues.end()) == queues.end(), "a list names each queue once");
    };
    for (const std::vector<WeightedQueue>& list : data.admissible) {
        require(!list.empty(), "every type has an admissible queue");
        check_list(list);
    }
    for (const std::vector<WeightedQueue>& list : data.servable) check_list(list);
    for (const Rational& rate : data.arrival_rates) require(rate.sign() >= 0, "arrival rates are not negative");
}

// Weight 1 on the queues that nobody serves, 0 elsewhere: if any weights make sigma infinite, these do.
std::vector<Rational> unserved(const MaxWeightData& data) {
    std::vector<Rational> weights(data.queues, Rational(1));
    for (const std::vector<WeightedQueue>& list : data.servable)
        for (const WeightedQueue& entry : list)
            if (entry.multiplier.sign() > 0) weights[entry.queue.index()] = Rational(0);
    return weights;
}

// The fluid side: variable 0 is sigma, then x, then y, in the order of the lists. Rows: types, queues, servers; their
// multipliers are v, q and w.
LinearProgram fluid_program(const MaxWeightData& data) {
    LinearProgram program;
    const std::uint32_t sigma = program.add_variable(Rational(1));
    std::vector<LinearRow> queue(data.queues, LinearRow{{}, Relation::at_least, Rational(0)});
    for (std::size_t t = 0; t < data.admissible.size(); ++t) {
        LinearRow demand{{}, Relation::equal, data.arrival_rates[t]};
        for (const WeightedQueue& entry : data.admissible[t]) {
            const std::uint32_t x = program.add_variable();
            demand.entries.emplace_back(x, Rational(1));
            queue[entry.queue.index()].entries.emplace_back(x, -entry.multiplier);
        }
        program.rows.push_back(std::move(demand));
    }
    std::vector<LinearRow> time;
    for (const std::vector<WeightedQueue>& list : data.servable) {
        LinearRow& row = time.emplace_back(LinearRow{{{sigma, Rational(1)}}, Relation::at_least, Rational(0)});
        for (const WeightedQueue& entry : list) {
            const std::uint32_t y = program.add_variable();
            queue[entry.queue.index()].entries.emplace_back(y, entry.multiplier);
            row.entries.emplace_back(y, Rational(-1));
        }
    }
    for (LinearRow& row : queue) program.rows.push_back(std::move(row));
    for (LinearRow& row : time) program.rows.push_back(std::move(row));
    return program;
}

// Reads one side of the solution, list by list, from variable `next` on.
std::vector<QueueShare> read_shares(const std::vector<std::vector<WeightedQueue>>& lists,
                                    const LinearSolution& solution, std::size_t& next) {
    std::vector<QueueShare> shares;
    for (std::size_t owner = 0; owner < lists.size(); ++owner)
        for (const WeightedQueue& entry : lists[owner]) {
            const Rational& amount = solution.x[next++];
            if (amount.sign() > 0) shares.push_back({owner, entry.queue, amount});
        }
    return shares;
}

}  // namespace

StabilityCertificate solve(const MaxWeightData& data) {
    check(data);
    StabilityCertificate certificate;
    certificate.weights = unserved(data);
    for (std::size_t t = 0; t < data.arrival_rates.size(); ++t)
        if ((data.arrival_rates[t] * type_value(data, t, certificate.weights)).sign() > 0) return certificate;
    const auto solution = capacity::solve(fluid_program(data));
    if (!solution) throw LimitExceeded("linear program", "no method found the optimum of the stability program");
    certificate.value = solution->value;
    std::size_t next = 1;
    certificate.routed = read_shares(data.admissible, *solution, next);
    certificate.served = read_shares(data.servable, *solution, next);
    const auto weights = solution->multipliers.begin() + static_cast<std::ptrdiff_t>(data.admissible.size());
    certificate.weights.assign(weights, weights + static_cast<std::ptrdiff_t>(data.queues));
    if (const std::string wrong = rejection(data, certificate); !wrong.empty())
        throw OracleConflict("the stability certificate does not verify: " + wrong);
    return certificate;
}

}  // namespace schedproof::duality
