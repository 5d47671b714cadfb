#include "proofs/queueing/chains/chain_analysis.hpp"

#include <fmt/core.h>

#include <functional>
#include <utility>

#include "model/core/errors.hpp"
#include "model/markov/classes.hpp"

namespace schedproof::queueing {

namespace {

/// Per state: the mean change of V over a slot, for an integer-valued V.
std::vector<Rational> drifts(const Chain& chain, const std::function<std::int64_t(const ExactState&)>& v) {
    std::vector<std::int64_t> value;
    value.reserve(chain.states.size());
    for (const ExactState& state : chain.states) value.push_back(v(state));
    std::vector<Rational> drift(chain.states.size());
    for (std::size_t s = 0; s < drift.size(); ++s)
        for (const markov::Transition& move : chain.matrix.row(s))
            if (value[move.target] != value[s]) drift[s] += move.probability * Rational(value[move.target] - value[s]);
    return drift;
}

/// c: per queue 0 or 1, see the header.
std::vector<std::int64_t> direction(const ExactSystem& system) {
    const Layout& layout = system.layout();
    std::vector<std::int64_t> c(layout.queues(), layout.arrangement() == Arrangement::per_server_and_common ? 0 : 1);
    if (layout.arrangement() != Arrangement::per_server_and_common) return c;
    c[layout.shared().index()] = 1;
    for (const TaskType& type : system.instance().data().types)
        for (const ServerId m : type.replicas) c[layout.queue(m, system.instance().local()).index()] = 1;
    return c;
}

std::vector<Rational> lengths(const Chain& chain, std::size_t queue) {
    std::vector<Rational> length;
    length.reserve(chain.states.size());
    for (const ExactState& state : chain.states) length.emplace_back(state.length[queue].value());
    return length;
}

}  // namespace

ChainMeans means(const ExactSystem& system, const Chain& chain, const markov::Stationary& law) {
    ChainMeans means;
    for (std::size_t q = 0; q < system.layout().queues(); ++q) {
        means.length.push_back(law.mean(lengths(chain, q)));
        means.tasks += means.length.back();
    }
    means.arrival_rate = system.instance().total_arrival_rate();
    const Rational steps = system.instance().continuous() ? system.instance().event_rate() : Rational(1);
    means.blocked_rate = steps * law.mean(chain.blocked);
    means.throughput = steps * law.mean(chain.completed);
    if (means.throughput.sign() > 0) means.delay = means.tasks / means.throughput;
    return means;
}

std::vector<Identity> identities(const ExactSystem& system, const Chain& chain, const markov::Stationary& law) {
    std::vector<Identity> all;
    const auto no_drift = [&](const std::string& of, const std::function<std::int64_t(const ExactState&)>& v) {
        all.push_back({"E[" + of + "(next) - " + of + "] = 0", law.mean(drifts(chain, v))});
    };
    for (const QueueId q : IdRange<QueueId>(system.layout().queues())) {
        const std::string name = fmt::format("Q[{}]", system.layout().name(system.instance(), q));
        const auto length = [q](const ExactState& state) { return state.length[q.index()].value(); };
        no_drift(name, length);
        no_drift(name + "^2", [length](const ExactState& state) { return length(state) * length(state); });
    }
    no_drift("<c,Q>^2", [c = direction(system)](const ExactState& state) {
        std::int64_t product = 0;
        for (std::size_t q = 0; q < c.size(); ++q) product += c[q] * state.length[q].value();
        return product * product;
    });
    const ChainMeans m = means(system, chain, law);
    all.push_back({"accepted rate = throughput", m.arrival_rate - m.blocked_rate - m.throughput});
    return all;
}

ChainAnalysis analyse(const ExactSystem& system, const Chain& chain, const markov::StationaryOptions& options) {
    ChainAnalysis analysis;
    analysis.law = markov::stationary_distribution(chain.matrix, options);
    const markov::Classes classes = markov::classify(chain.matrix);
    const markov::ClassIndex closed = classes.closed_classes().front();
    analysis.recurrent = classes.members(closed).size();
    analysis.period = markov::period(chain.matrix, classes, closed);
    analysis.means = means(system, chain, analysis.law);
    analysis.identities = identities(system, chain, analysis.law);
    for (const Identity& identity : analysis.identities)
        if (identity.residual.sign() != 0)
            throw OracleConflict("the stationary law violates " + identity.statement + ": residual " +
                                 display(identity.residual));
    return analysis;
}

}  // namespace schedproof::queueing
