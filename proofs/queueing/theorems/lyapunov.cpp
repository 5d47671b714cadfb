/// Named Lyapunov functions as sums of products of linear forms and of maxima of forms under conditions on statuses.
///
/// That form holds every function used here, and its drift on symbols is affine once the maxima are settled. `regret`
/// is sum t Q^2 + 2 sum over busy servers of (w_m - x_m)/mu_m: two pieces for each server and queue that it may be
/// running, one for w_m, one for x_m. A phantom keeps its server from choosing as a task does, so it has them too. A
/// function is refused for a layout on which its argument has no meaning. Value and drift at one state are exact, by
/// enumeration of the slot. Source: [schedproof], docs/models/queueing.md, Lyapunov functions.
#include "proofs/queueing/theorems/lyapunov.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

using LinearForm = LyapunovForm::Linear;

LinearForm length_form(QueueId q) { return LinearForm::variable(static_cast<proof::Variable>(q.index())); }

void add_squares(LyapunovForm& v, const Layout& layout) {
    for (const QueueId q : IdRange<QueueId>(layout.queues()))
        v.products.push_back({Rational(1), length_form(q), length_form(q)});
}

LyapunovForm sum_of_lengths(const Instance&, const Layout& layout) {
    LyapunovForm v{"total", {}, {}};
    LinearForm sum;
    for (const QueueId q : IdRange<QueueId>(layout.queues())) sum += length_form(q);
    v.pieces.push_back({std::nullopt, Rational(1), {sum}});
    return v;
}

LyapunovForm squares(const Instance&, const Layout& layout) {
    LyapunovForm v{"squares", {}, {}};
    add_squares(v, layout);
    return v;
}

/// ||W||^2 with W_m the sum of Q / mu over the queues of server m.
LyapunovForm workload_squares(const Instance& instance, const Layout& layout) {
    if (layout.arrangement() != Arrangement::per_server_and_level)
        throw InputError::at_key("lyapunov",
                                 "expected a policy with one queue per server and level for 'workload-squares'");
    LyapunovForm v{"workload-squares", {}, {}};
    for (const ServerId m : instance.servers()) {
        LinearForm workload;
        for (const QueueId q : layout.queues_of(m))
            workload.add(Rational(1) / layout.service_rate(instance, q, m), length_form(q));
        v.products.push_back({Rational(1), workload, workload});
    }
    return v;
}

/// sum t Q^2 plus, per busy server, twice the regret of its running task times the expected remaining time: the
/// correction whose own drift cancels what a server loses by not being interrupted (docs/models/queueing.md, Lyapunov
/// functions). t = 1; with a queue per type and cost c Q^2, t = 2c, so that t Q is the marginal cost that the
/// generalised c-mu rule compares.
LyapunovForm regret(const Instance& instance, const Layout& layout) {
    const Arrangement arrangement = layout.arrangement();
    if (arrangement == Arrangement::per_server_and_level || arrangement == Arrangement::single || layout.lists_tasks())
        throw InputError::at_key("lyapunov", "expected a MaxWeight-type policy with counted queues for 'regret'");
    LyapunovForm v{"regret", {}, {}};
    std::vector<LinearForm> weighted;
    for (const QueueId q : IdRange<QueueId>(layout.queues())) {
        Rational t(1);
        if (arrangement == Arrangement::per_type) {
            const TaskType& type = instance.data().types[q.index()];
            if (type.exponent != 1)
                throw InputError::at_key("lyapunov", "expected quadratic holding costs (exponent 1) for 'regret'");
            t = Rational(2) * type.cost;
        }
        v.products.push_back({t, length_form(q), length_form(q)});
        weighted.push_back(t * length_form(q));
    }
    for (const ServerId m : instance.servers()) {
        std::vector<QueueId> servable;
        std::vector<LinearForm> weights;
        for (const QueueId q : IdRange<QueueId>(layout.queues())) {
            if (arrangement == Arrangement::per_server_and_common && !layout.is_shared(q) && layout.owner(q) != m)
                continue;
            if (!layout.serves(instance, m, q)) continue;
            servable.push_back(q);
            weights.push_back(layout.service_rate(instance, q, m) * weighted[q.index()]);
        }
        for (const QueueId q : servable) {
            const Rational twice = Rational(2) / layout.service_rate(instance, q, m);
            for (const bool phantom : {false, true}) {
                if (phantom && instance.options().unmatched != Unmatched::phantom) continue;
                const LyapunovForm::Condition running{m, q, std::nullopt, phantom};
                v.pieces.push_back({running, twice, weights});
                v.pieces.push_back({running, Rational(-2), {weighted[q.index()]}});
            }
        }
    }
    return v;
}

struct Named {
    LyapunovInfo info;
    LyapunovForm (*make)(const Instance&, const Layout&);
};

constexpr std::array<Named, 4> named_functions{{
    {{"total", "sum of Q"}, sum_of_lengths},
    {{"squares", "sum of Q^2"}, squares},
    {{"workload-squares", "sum over servers of W^2, W = sum over its queues of Q/mu"}, workload_squares},
    {{"regret", "sum of Q^2 + 2 sum over busy servers of (max_n mu_n Q_n - mu_f Q_f) / mu_f; with costs c: 2c Q for Q"},
     regret},
}};

State<Rational> rational(const ExactState& state) { return detail::from_exact<Rational>(state); }

}  // namespace

std::span<const LyapunovInfo> lyapunov_functions() {
    static constexpr auto infos = [] {
        std::array<LyapunovInfo, named_functions.size()> list{};
        for (std::size_t i = 0; i < list.size(); ++i) list[i] = named_functions[i].info;
        return list;
    }();
    return infos;
}

bool is_misnamed(const LyapunovForm& v, const Instance& instance, const Layout& layout) {
    return std::any_of(named_functions.begin(), named_functions.end(), [&](const Named& function) {
        return v.name == function.info.id && v != function.make(instance, layout);
    });
}

LyapunovForm named_lyapunov(std::string_view name, const Instance& instance, const Layout& layout) {
    for (const Named& function : named_functions)
        if (function.info.id == name) return function.make(instance, layout);
    throw InputError::at_key("lyapunov", "expected a known function, not '" + std::string(name) + "'");
}

void require_fits(const LyapunovForm& v, const Instance& instance, const Layout& layout) {
    const auto check = [&](const LinearForm& form) {
        if (!form.is_constant() && form.terms().back().first >= layout.queues())
            throw InputError::at_key("lyapunov", "the function mentions a queue that the policy does not have");
    };
    for (const auto& product : v.products) {
        check(product.first);
        check(product.second);
    }
    for (const auto& piece : v.pieces) {
        if (piece.largest_of.empty()) throw InputError::at_key("lyapunov", "a maximum needs at least one form");
        for (const LinearForm& form : piece.largest_of) check(form);
        if (piece.when && piece.when->server.index() >= instance.servers().size())
            throw InputError::at_key("lyapunov", "the function mentions an unknown server");
        if (piece.when && ((piece.when->queue && piece.when->queue->index() >= layout.queues()) ||
                           (piece.when->level && piece.when->level->index() >= instance.levels().size())))
            throw InputError::at_key("lyapunov", "a condition of the function has an unknown queue or level");
    }
}

Rational value(const LyapunovForm& v, const ExactState& state) {
    const State<Rational> here = rational(state);
    Rational sum;
    for (const auto& product : v.products)
        sum += product.coefficient * detail::evaluate(product.first, here.length) *
               detail::evaluate(product.second, here.length);
    for (const auto& piece : v.pieces)
        if (!piece.when || piece.when->holds(here.serving))
            sum += piece.coefficient * detail::largest(piece.largest_of, here.length);
    return sum;
}

Rational drift(const ExactSystem& system, const ExactState& state, const LyapunovForm& v) {
    const State<Rational> now = rational(state);
    Rational sum;
    for (const Move& move : system.moves(state)) sum += move.probability * v.change(now, rational(move.slot.next));
    return sum;
}

}  // namespace schedproof::queueing
