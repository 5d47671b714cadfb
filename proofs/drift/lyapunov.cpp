#include "proofs/drift/lyapunov.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

Rational length(const ExactState& state, std::size_t queue) { return state.length[queue].value(); }

Rational total(const ExactSystem&, const ExactState& state) {
    Rational sum;
    for (std::size_t q = 0; q < state.length.size(); ++q) sum += length(state, q);
    return sum;
}

Rational squares(const ExactSystem&, const ExactState& state) {
    Rational sum;
    for (std::size_t q = 0; q < state.length.size(); ++q) sum += length(state, q) * length(state, q);
    return sum;
}

/// ||W||^2 with W_m the sum over levels of Q / mu.
Rational workload_squares(const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    if (system.layout().arrangement() != Arrangement::per_server_and_level)
        throw InputError({"", 0, "lyapunov"},
                         "expected a policy with one queue per server and level for 'workload-squares'");
    Rational sum;
    for (const ServerId m : instance.servers()) {
        Rational workload;
        for (const Level level : instance.levels())
            workload += length(state, system.layout().queue(m, level).index()) / instance.rate(level);
        sum += workload * workload;
    }
    return sum;
}

/// max over the queues that server m may be told to serve of mu Q: the weight w_m of a MaxWeight-type policy.
Rational best_weight(const ExactSystem& system, const ExactState& state, ServerId m) {
    const Instance& instance = system.instance();
    const Layout& layout = system.layout();
    Rational best;
    for (const QueueId q : IdRange<QueueId>(layout.queues())) {
        if (layout.arrangement() == Arrangement::per_server_and_common && !layout.is_shared(q) && layout.owner(q) != m)
            continue;
        best = std::max(best, instance.rate(layout.service_level(instance, q, m)) * length(state, q.index()));
    }
    return best;
}

/// ||Q||^2 plus, per busy server, twice the regret of its running task times the expected remaining time: the
/// correction whose own drift cancels what a server loses by not being interrupted (specification, 4.3).
Rational regret(const ExactSystem& system, const ExactState& state) {
    const Arrangement arrangement = system.layout().arrangement();
    if (arrangement == Arrangement::per_server_and_level || arrangement == Arrangement::single ||
        system.layout().lists_tasks())
        throw InputError({"", 0, "lyapunov"}, "expected a MaxWeight-type policy with counted queues for 'regret'");
    Rational value = squares(system, state);
    for (const ServerId m : system.instance().servers()) {
        const Service& service = state.serving[m.index()];
        if (service.status == Service::Status::idle) continue;
        const Rational& rate = system.instance().rate(service.level);
        value += Rational(2) * (best_weight(system, state, m) - rate * length(state, service.queue.index())) / rate;
    }
    return value;
}

constexpr std::array<Lyapunov, 4> functions{{
    {"total", "sum of Q", total},
    {"squares", "sum of Q^2", squares},
    {"workload-squares", "sum over servers of W^2, W = sum over levels of Q/mu", workload_squares},
    {"regret", "sum of Q^2 + 2 sum over busy servers of (max_n mu_n Q_n - mu_f Q_f) / mu_f", regret},
}};

}  // namespace

std::span<const Lyapunov> lyapunov_functions() { return functions; }

const Lyapunov& find_lyapunov(std::string_view id) {
    for (const Lyapunov& lyapunov : functions)
        if (lyapunov.id == id) return lyapunov;
    throw InputError({"", 0, "lyapunov"}, "expected a known function, not '" + std::string(id) + "'");
}

Rational drift(const ExactSystem& system, const ExactState& state, const Lyapunov& lyapunov) {
    Rational next;
    for (const Move& move : system.moves(state)) next += move.probability * lyapunov.value(system, move.slot.next);
    return next - lyapunov.value(system, state);
}

}  // namespace schedproof::queueing
