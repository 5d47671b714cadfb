/// The terms are made in two steps. What servers may execute comes first, for it bounds how many tasks of a queue are
/// in execution, which rules may see; then what the decline of an idle server implies; then the terms.
///
/// Where tasks are interrupted, an end is one of a task that the rules may give the server before the event.
#include "proofs/queueing/theorems/summands/terms.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

using language::Asker;
using proof::LinearForm;
using proof::Variable;

namespace {

/// Q_q >= least.
LinearForm at_least(QueueId q, std::int64_t least) { return length_of(q) - LinearForm(Rational(least)); }

}  // namespace

Summands::Summands(const SymbolicSystem& system, SummandKind kind)
    : system_(&system), queues_(system.layout().queues()) {
    const Instance& instance = system.instance();
    instance.continuous() ? require_events() : require_slots();
    for (const QueueId q : IdRange<QueueId>(system.layout().queues()))
        if (system.layout().tracking(q) != Tracking::counted)
            throw InputError::at_key(
                "policy",
                "summand proofs are about queues that are counted, and a queue of this policy lists its tasks");
    find_statuses();
    for (const ServerId m : instance.servers())
        serve_.emplace_back(instance, system.layout(), system.policy().rules().serve(), Asker::idle(m),
                            executing_but(m), system.policy().plan());
    if (kind == SummandKind::together)
        add_arrivals_together();
    else
        for (const TaskTypeId type : instance.types()) add_arrival(type);
    if (!instance.continuous()) {
        if (kind == SummandKind::linked) find_links();
        for (const ServerId m : instance.servers()) add_server(m);
        return;
    }
    for (const ServerId m : instance.servers()) {
        // A server that never declines is never idle, and what is said of it then does not matter.
        const std::size_t queues = system.layout().queues();
        idle_.push_back(common_ranges(serve_of(m).declines(), queues).value_or(std::vector<Range>(queues)));
    }
    for (const ServerId m : instance.servers()) add_end(m);
}

const Summands& terms_of(const SymbolicSystem& system, SummandKind kind) {
    return system.derived().get<Summands>(static_cast<int>(kind), [&system, kind] { return Summands(system, kind); });
}

void Summands::require_events() const {
    if (system_->instance().batches())
        throw InputError::at_path({"arrivals", "batches"},
                                  "summand proofs are about tasks that arrive one by one, not in batches");
}

/// By queue, how many servers other than the one that is asked may execute its tasks.
std::vector<std::uint32_t> Summands::executing_but(std::optional<ServerId> asked) const {
    std::vector<std::uint32_t> most(system_->layout().queues(), 0);
    for (const ServerId m : system_->instance().servers())
        if (m != asked)
            for (const Service& status : statuses_[m.index()]) ++most[status.queue.index()];
    return most;
}

/// The candidates of each server's rule. How many others execute tasks of a queue changes premises and not whether
/// there are any, so each is asked with all servers in execution.
void Summands::find_statuses() {
    const Layout& layout = system_->layout();
    const Instance& instance = system_->instance();
    const AnyPolicy& policy = system_->policy();
    const std::vector<std::uint32_t> all(layout.queues(), static_cast<std::uint32_t>(instance.servers().size()));
    for (const ServerId m : instance.servers()) {
        std::vector<Service> mine;
        for (const Candidate& c :
             Implied(instance, layout, policy.rules().serve(), Asker::idle(m), all, policy.plan()).candidates())
            mine.push_back({Service::Status::busy, c.level, c.queue});
        statuses_.push_back(std::move(mine));
    }
}

void Summands::add(Term& term, Alternative alternative) {
    if (++alternatives_ > most_alternatives)
        throw LimitExceeded("alternatives",
                            "the terms of the drift have more than " + std::to_string(most_alternatives));
    premises_ += alternative.where.size();
    if (premises_ > most_premises)
        throw LimitExceeded("premises", "the terms of the drift have more than " + std::to_string(most_premises));
    term.alternatives.push_back(std::move(alternative));
}

Implied Summands::route_of(TaskTypeId type) const {
    const AnyPolicy& policy = system_->policy();
    return {system_->instance(), system_->layout(), policy.rules().route(),
            Asker::task(type),   executing_but({}), policy.plan()};
}

void Summands::add_arrival(TaskTypeId type) {
    const Instance& instance = system_->instance();
    std::vector<QueueId> joined;
    const auto outcomes = route_of(type).drawn();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const auto& [probability, rule] = outcomes[i];
        Term term{"arrival " + instance.type(type).name, {}};
        if (outcomes.size() > 1) term.name += fmt::format(" draw {}", i);
        term.arrives = true;
        for (const Candidate& c : rule.candidates()) {
            joined.push_back(c.queue);
            for (const Premises& where : rule.contains(c))
                add(term, {where, {{per_step(instance.arrival_rate(type)) * probability, c.queue, 1}}});
        }
        terms_.push_back(std::move(term));
    }
    std::sort(joined.begin(), joined.end());
    joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
    joined_.push_back(std::move(joined));
}

/// One term, after those whose bounds it counts.
void Summands::add_arrivals_together() {
    const Instance& instance = system_->instance();
    std::vector<Implied> routes;
    std::vector<Rational> rates;
    for (const TaskTypeId type : instance.types()) {
        routes.push_back(route_of(type));
        rates.push_back(per_step(instance.arrival_rate(type)));
        joined_.push_back(routes.back().met());
    }
    std::vector<const Implied*> rules;
    for (const Implied& route : routes) rules.push_back(&route);
    Term term = term_of("arrivals", rates, Implied::modes(rules));
    terms_.push_back(std::move(term));
}

/// `rates`: of the rules that the modes are of, tasks in a step.
Term Summands::term_of(std::string name, const std::vector<Rational>& rates, const Modes& modes) {
    Term term{std::move(name)};
    term.arrives = true;
    for (const std::vector<Candidate>& chosen : modes.same) {
        std::vector<Happening> happen;
        for (std::size_t i = 0; i < chosen.size(); ++i) happen.push_back({rates[i], chosen[i].queue, 1});
        add(term, {{}, std::move(happen)});
    }
    for (std::size_t k = 0; k < modes.apart.size(); ++k) {
        std::vector<Follows> counted;
        for (std::size_t p = 0; p < modes.apart[k].size(); ++p) {
            const auto& [probability, some, own] = modes.apart[k][p];
            std::vector<Rational> of_some;
            for (const std::size_t i : some) of_some.push_back(rates[i]);
            Term part = term_of(fmt::format("{}, case {} part {}", term.name, k, p), of_some, own);
            part.of_mode = true;
            terms_.push_back(std::move(part));
            counted.push_back({terms_.size() - 1, probability, {}});
        }
        add(term, {{}, {}, {}, std::move(counted)});
    }
    return term;
}

/// Of a rate: probability in an event. In slots rates are per slot.
Rational Summands::per_step(const Rational& rate) const {
    return system_->instance().continuous() ? rate / system_->instance().event_rate() : rate;
}

/// Probability that a step is the end of a task at the status.
Rational Summands::rate(const Service& status) const {
    return per_step(system_->layout().rate(system_->instance(), status.queue, status.level));
}

/// The server's task ends, or it is idle. Where tasks are interrupted, it executes what its answer may be at the
/// lengths before the event.
void Summands::add_end(ServerId m) {
    Term term{"end at " + system_->instance().server(m).name};
    const Premises idle = as_premises(idle_[m.index()]);
    if (system_->instance().preemptive()) {
        for (const Service& now : statuses(m))
            for (Premises where : serve_of(m).contains(Candidate{now.queue, now.level})) {
                where.push_back(at_least(now.queue, 1));
                add(term, {std::move(where), {{rate(now), now.queue, -1}}});
            }
        add(term, {idle, {}});
    } else {
        const Follows next = add_next(m), start = add_start(m);
        for (const Service& now : statuses(m))
            add(term, {{at_least(now.queue, 1)},
                       {{rate(now), now.queue, -1, m, now, {}}},
                       std::pair(m, now),
                       {{next.term, rate(now), {{now.queue, -1}}}}});
        add(term, {idle, {}, {}, {start}});
    }
    terms_.push_back(std::move(term));
}

/// After the end of its own task.
Follows Summands::add_next(ServerId m) {
    std::vector<Shift> after;
    for (const Service& now : statuses(m)) after.emplace_back(now.queue, -1);
    return add_following("next", m, std::vector<Range>(system_->layout().queues()), Rational(1), std::move(after));
}

/// After an arrival, or the end of another's task.
Follows Summands::add_start(ServerId m) {
    std::vector<Shift> after;
    for (const std::vector<QueueId>& queues : joined_)
        for (const QueueId q : queues) after.emplace_back(q, 1);
    Rational events = system_->instance().total_arrival_rate();
    for (const ServerId other : system_->instance().servers())
        if (other != m) {
            events += system_->instance().fastest(other);
            for (const Service& status : statuses(other)) after.emplace_back(status.queue, -1);
        }
    return add_following("start", m, idle_after_event(m), per_step(events), std::move(after));
}

/// What holds after an event of the lengths at which the server declined before it.
std::vector<Range> Summands::idle_after_event(ServerId m) const {
    std::vector<Range> idle = idle_[m.index()];
    for (Range& range : idle)
        if (range.most) *range.most += Rational(1);
    return idle;
}

/// What the server may turn to after an event. Where what is known bounds all that the rule could say, that suffices.
/// It may turn to nothing.
Follows Summands::add_following(std::string name, ServerId m, const std::vector<Range>& known,
                                const Rational& probability, std::vector<Shift> after) {
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    Term term{name + " at " + system_->instance().server(m).name, {}, after};
    const auto is_bounded = [&](const LinearForm& form) {
        return std::all_of(form.terms().begin(), form.terms().end(),
                           [&](const auto& t) { return known[t.first].most.has_value(); });
    };
    const Premises given = as_premises(known);
    for (const Service& next : statuses(m)) {
        Cases cases = serve_of(m).contains(Candidate{next.queue, next.level});
        for (Premises& where : cases) std::erase_if(where, is_bounded);
        if (std::any_of(cases.begin(), cases.end(), [](const Premises& where) { return where.empty(); })) cases = {{}};
        for (Premises& where : cases) {
            where.push_back(at_least(next.queue, 1));
            where.insert(where.end(), given.begin(), given.end());
            add(term, {std::move(where), {{Rational(1), {}, 0, m, {}, next}}});
        }
    }
    add(term, {{}, {}});
    terms_.push_back(std::move(term));
    return {terms_.size() - 1, probability, std::move(after)};
}

LinearForm change(const LyapunovForm& v, const Happening& happens) {
    const auto queue = static_cast<Variable>(happens.queue.index());
    const auto step = [&](const LinearForm& form) {
        return happens.sign == 0 ? Rational(0) : form.coefficient(queue) * Rational(happens.sign);
    };
    LinearForm total;
    for (const LyapunovForm::Product& product : v.products) {
        const Rational a = step(product.first), b = step(product.second);
        total += product.coefficient * (a * product.second + b * product.first + LinearForm(a * b));
    }
    for (const LyapunovForm::Piece& piece : v.pieces) {
        require(piece.largest_of.size() == 1, "V has no maxima");
        const LinearForm& form = piece.largest_of.front();
        if (!piece.when) {
            total += LinearForm(piece.coefficient * step(form));
            continue;
        }
        const LinearForm after = form + LinearForm(step(form));
        if (piece.when->server != happens.server || piece.when->phantom) continue;  // there are none in continuous time
        const auto holds = [&](const std::optional<Service>& status) {
            return status && (!piece.when->queue || *piece.when->queue == status->queue) &&
                   (!piece.when->level || *piece.when->level == status->level);
        };
        if (holds(happens.after)) total += piece.coefficient * after;
        if (holds(happens.before)) total -= piece.coefficient * form;
    }
    return total;
}

LinearForm change(const LyapunovForm& v, const Alternative& alternative) {
    LinearForm total;
    for (const Happening& happens : alternative.happen)
        if (happens.probability.sign() != 0) total.add(happens.probability, change(v, happens));
    return total;
}

LinearForm part_of(const LyapunovForm& v, ServerId m, const Service& status) {
    LyapunovForm own = v;
    own.products.clear();
    std::erase_if(own.pieces, [](const LyapunovForm::Piece& piece) { return !piece.when; });
    return change(own, Happening{Rational(1), {}, 0, m, {}, status});
}

}  // namespace schedproof::queueing
