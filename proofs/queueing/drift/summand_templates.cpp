/// What V may be in a search for summands.
#include "proofs/queueing/drift/summand_search.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/summands/terms.hpp"

namespace schedproof::queueing {

LyapunovTemplate squares_alone(const SymbolicSystem& system) {
    const bool workloads = system.layout().arrangement() == Arrangement::per_server_and_level;
    LyapunovTemplate shape;
    shape.fixed = named_lyapunov(workloads ? "workload-squares" : "squares", system.instance(), system.layout());
    return shape;
}

LyapunovTemplate squares_with_allocations(const SymbolicSystem& system) {
    LyapunovTemplate shape;
    shape.fixed = named_lyapunov("squares", system.instance(), system.layout());
    const Layout& layout = system.layout();
    const auto rate = [&](const Service& s) { return layout.rate(system.instance(), s.queue, s.level); };
    const auto piece = [](ServerId m, const Service& at, const Rational& coefficient, QueueId of) {
        return LyapunovForm::Piece{LyapunovForm::Condition{m, at.queue, at.level}, coefficient, {length_of(of)}};
    };
    const Summands& summands = terms_of(system);
    for (const ServerId m : system.instance().servers()) {
        // -2 Q_q at a status q takes away what the end of the task takes from Q_q^2 ...
        for (const Service& now : summands.statuses(m))
            shape.fixed.pieces.push_back(piece(m, now, Rational(-2), now.queue));
        // ... and 2 a_k mu_k Q_k / mu_q of each queue k puts a mixture of the queues there, with a that is looked for.
        for (const Service& mixed : summands.statuses(m)) {
            LyapunovForm part;
            for (const Service& now : summands.statuses(m))
                part.pieces.push_back(piece(m, now, Rational(2) * rate(mixed) / rate(now), mixed.queue));
            shape.parameters.push_back({"", std::move(part)});
        }
    }
    return shape;
}

LyapunovTemplate products_with_statuses(const SymbolicSystem& system) {
    LyapunovTemplate shape;
    shape.fixed = named_lyapunov("squares", system.instance(), system.layout());
    const IdRange<QueueId> queues(system.layout().queues());
    for (const QueueId i : queues)
        for (const QueueId j : queues)
            if (!(j < i)) shape.parameters.push_back({"", {"", {{Rational(1), length_of(i), length_of(j)}}, {}}});
    if (system.instance().preemptive()) return shape;
    const Summands& summands = terms_of(system);
    for (const ServerId m : system.instance().servers())
        for (const Service& now : summands.statuses(m))
            for (const QueueId k : queues)
                shape.parameters.push_back(
                    {"", {"", {}, {{LyapunovForm::Condition{m, now.queue, now.level}, Rational(1), {length_of(k)}}}}});
    return shape;
}

}  // namespace schedproof::queueing
