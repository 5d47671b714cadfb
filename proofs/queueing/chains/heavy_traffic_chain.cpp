#include "proofs/queueing/chains/heavy_traffic_chain.hpp"

#include <fmt/core.h>

#include <map>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

std::int64_t tasks(const ExactState& state) {
    std::int64_t sum = 0;
    for (const CheckedInt n : state.length) sum += n.value();
    return sum;
}

}  // namespace

LemmaOne lemma_one(const ExactSystem& system, const Chain& chain, const markov::Stationary& law,
                   const heavy_traffic::Slack& slack) {
    const Rational &offered = slack.offered, &variance = slack.service_variance;
    // E (x - b)^2 over the independent b.
    const auto square = [&](std::int64_t x) {
        const Rational gap = Rational(x) - offered;
        return gap * gap + variance;
    };
    LemmaOne lemma;
    lemma.spread = slack.arrival_variance + variance + slack.epsilon * slack.epsilon;
    for (std::size_t s = 0; s < chain.states.size(); ++s) {
        const Rational p = law.probability(static_cast<markov::StateIndex>(s));
        if (p.sign() == 0) continue;
        const std::int64_t n = tasks(chain.states[s]);
        Rational turned_away, unused;
        for (const Move& move : system.moves(chain.states[s])) {
            const std::int64_t arrived = move.slot.arrived, blocked = move.slot.blocked;
            const std::int64_t after = tasks(move.slot.next);
            const Rational admitted = square(n + arrived - blocked);
            if (blocked > 0) turned_away += move.probability * (admitted - square(n + arrived));
            unused += move.probability * (Rational(after * after) - admitted);
        }
        lemma.left += p * Rational(2) * slack.epsilon * Rational(n);
        lemma.turned_away += p * turned_away;
        lemma.unused += p * unused;
    }
    return lemma;
}

Moments moments(const Chain& chain, const markov::Stationary& law, const std::vector<Rational>& direction) {
    Rational norm;
    for (const Rational& c : direction) norm += c * c;
    require(norm.sign() > 0, "a direction is not zero");
    std::vector<Rational> along, whole;
    for (const ExactState& state : chain.states) {
        require(state.length.size() == direction.size(), "a direction has one entry per queue");
        Rational product, squares;
        for (std::size_t q = 0; q < direction.size(); ++q) {
            const Rational length(state.length[q].value());
            product += direction[q] * length;
            squares += length * length;
        }
        along.push_back(product * product / norm);
        whole.push_back(std::move(squares));
    }
    Moments result;
    result.parallel = law.mean(along);
    result.perpendicular = law.mean(whole) - result.parallel;
    return result;
}

std::vector<Rational> wang_direction(const ExactSystem& system) {
    const Layout& layout = system.layout();
    const Instance& instance = system.instance();
    require(layout.arrangement() == Arrangement::per_server_and_common, "Wang's direction needs a common queue");
    std::vector<Rational> direction(layout.queues());
    direction[layout.shared().index()] = Rational(1);
    for (const TaskTypeId type : instance.types())
        if (instance.arrival_rate(type).sign() > 0)
            for (const ServerId m : instance.type(type).replicas)
                direction[layout.queue(m, instance.local()).index()] = Rational(1);
    return direction;
}

std::string coupling_fault(const ExactSystem& system, const ExactState& state, const std::vector<Rational>& best_rate) {
    const Law<std::int64_t> offered = heavy_traffic::sum_of_bernoullis(best_rate);
    std::map<std::uint32_t, Law<std::int64_t>> completed;  // by what arrived; not normalised
    for (const Move& move : system.moves(state))
        completed[move.slot.arrived].add(move.slot.completed, move.probability);
    for (const auto& [arrived, law] : completed)
        for (std::int64_t k = 1; k <= static_cast<std::int64_t>(best_rate.size()); ++k) {
            const auto at_least = [k](std::int64_t n) { return Rational(n >= k ? 1 : 0); };
            if (law.expectation(at_least) > law.total() * offered.expectation(at_least))
                return fmt::format(
                    "given {} arrivals, {} completions or more are likelier than that much offered "
                    "service",
                    arrived, k);
        }
    return "";
}

}  // namespace schedproof::queueing
