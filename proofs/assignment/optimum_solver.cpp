/// The least makespan, or the fewest remote tasks within a deadline, by Z3: values descend until nothing is better.
///
/// In units of the least common tick all numbers are integers. Booleans send tasks to servers, each server divides its
/// numbers of local and remote tasks among its cores, and a guard per number of remote tasks fixes their price. Tasks
/// of one kind cost the same on a server, so which core runs which is left out and chosen afterwards; orders on alike
/// cores and alike tasks break symmetry. Every model is evaluated in rationals, and the refutation at the end is asked
/// again of a solver that has seen no other question. Limits count solver resources, not seconds.
/// Source: [jin2018], Section 3; docs/models/assignment.md, Model.
#include <fmt/core.h>
#include <z3++.h>

#include <algorithm>

#include "proofs/assignment/least_makespan.hpp"

namespace schedproof::assignment {

namespace {

std::string sum(const std::vector<std::string>& terms) {
    if (terms.empty()) return "0";
    if (terms.size() == 1) return terms.front();
    std::string text = "(+";
    for (const std::string& term : terms) text += " " + term;
    return text + ")";
}

/// The problem as SMT-LIB 2 text over the integers. Names: y_t_s, task t goes to server s; l_p and r_p, the local and
/// remote tasks of core p; M, a bound of the makespan.
class Encoding {
  public:
    Encoding(const Problem<Rational>& problem, Among among, const Integer& ticks)
        : problem_(problem), shape_(*problem.shape), among_(among), ticks_(ticks) {
        text_ = "(set-logic QF_LIA)\n";
        declare();
        for (const TaskId t : shape_.tasks()) place(t);
        for (const ServerId s : shape_.servers()) {
            divide(s);
            for (std::size_t i = 0; i < shape_.cores_of(s); ++i) bound(s, shape_.core(s, i));
            order_alike_cores(s);
        }
        order_alike_tasks();
    }

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] bool allowed(TaskId t, ServerId s) const { return among_ == Among::all || shape_.is_local(t, s); }
    [[nodiscard]] static std::string y(TaskId t, ServerId s) { return fmt::format("y_{}_{}", t.index(), s.index()); }
    [[nodiscard]] static std::string local(CoreId p) { return fmt::format("l_{}", p.index()); }
    [[nodiscard]] static std::string remote(CoreId p) { return fmt::format("r_{}", p.index()); }

  private:
    void say(const std::string& comment, const std::string& formula) {
        text_ += "; " + comment + "\n(assert " + formula + ")\n";
    }
    void declare() {
        for (const TaskId t : shape_.tasks())
            for (const ServerId s : shape_.servers())
                if (allowed(t, s)) text_ += "(declare-fun " + y(t, s) + " () Bool)\n";
        for (const CoreId p : shape_.cores())
            for (const std::string& name : {local(p), remote(p)}) {
                text_ += "(declare-fun " + name + " () Int)\n";
                say("a count", "(>= " + name + " 0)");
            }
        text_ += "(declare-fun M () Int)\n";
    }
    void place(TaskId t) {
        std::string any = "(or";
        for (const ServerId s : shape_.servers()) {
            if (!allowed(t, s)) continue;
            any += " " + y(t, s);
            for (const ServerId other : shape_.servers())
                if (other > s && allowed(t, other))
                    say(fmt::format("task {} goes to one server", t.index()),
                        fmt::format("(not (and {} {}))", y(t, s), y(t, other)));
        }
        say(fmt::format("task {} goes somewhere", t.index()), any + ")");
    }
    /// The tasks of a server, counted by kind, are those of its cores.
    void divide(ServerId s) {
        for (const bool is_local : {true, false}) {
            std::vector<std::string> tasks, cores;
            for (const TaskId t : shape_.tasks())
                if (allowed(t, s) && shape_.is_local(t, s) == is_local) tasks.push_back("(ite " + y(t, s) + " 1 0)");
            for (std::size_t i = 0; i < shape_.cores_of(s); ++i) {
                const CoreId p = shape_.core(s, i);
                cores.push_back(is_local ? local(p) : remote(p));
            }
            say(fmt::format("{} tasks of server {}", is_local ? "local" : "remote", s.index()),
                "(= " + sum(cores) + " " + sum(tasks) + ")");
        }
    }
    /// A core without tasks is not active; one with tasks bounds M, remote ones at the price of their number.
    void bound(ServerId s, CoreId p) {
        const std::string base = whole(problem_.load(p)), unit = whole(problem_.local);
        const std::string own = fmt::format("{} (* {} {})", base, unit, local(p));
        say(fmt::format("local tasks of core {}", p.index()),
            fmt::format("(=> (>= {} 1) (<= (+ {}) M))", local(p), own));
        std::vector<std::string> all;
        for (std::size_t i = 0; i < shape_.cores_of(s); ++i) all.push_back(remote(shape_.core(s, i)));
        std::size_t possible = 0;
        for (const TaskId t : shape_.tasks()) possible += allowed(t, s) && !shape_.is_local(t, s) ? 1 : 0;
        for (std::size_t k = 1; k <= possible; ++k)
            say(fmt::format("price of {} remote tasks on server {} for core {}", k, s.index(), p.index()),
                fmt::format("(=> (and (>= {} 1) (= {} {})) (<= (+ {} (* {} {})) M))", remote(p), sum(all), k, own,
                            whole(problem_.cost(s)(k)), remote(p)));
    }
    /// Cores of a server with one initial load are interchangeable: their counts descend.
    void order_alike_cores(ServerId s) {
        for (std::size_t i = 0; i < shape_.cores_of(s); ++i)
            for (std::size_t j = i + 1; j < shape_.cores_of(s); ++j) {
                const CoreId p = shape_.core(s, i), q = shape_.core(s, j);
                if (problem_.load(p) != problem_.load(q)) continue;
                say(fmt::format("cores {} and {} are alike", p.index(), q.index()),
                    fmt::format("(or (> {0} {1}) (and (= {0} {1}) (>= {2} {3})))", local(p), local(q), remote(p),
                                remote(q)));
                break;
            }
    }
    /// Tasks with the same replicas are interchangeable: their servers ascend.
    void order_alike_tasks() {
        const auto replicas = [&](TaskId t) {
            std::vector<ServerId> all(shape_.replicas(t).begin(), shape_.replicas(t).end());
            std::sort(all.begin(), all.end());
            return all;
        };
        for (const TaskId t : shape_.tasks())
            for (std::size_t n = t.index() + 1; n < shape_.tasks().size(); ++n) {
                const TaskId next(n);
                if (replicas(t) != replicas(next)) continue;
                for (const ServerId s : shape_.servers())
                    for (const ServerId before : shape_.servers())
                        if (before < s && allowed(t, s) && allowed(t, before))
                            say(fmt::format("tasks {} and {} are alike", t.index(), n),
                                fmt::format("(not (and {} {}))", y(t, s), y(next, before)));
                break;
            }
    }
    [[nodiscard]] std::string whole(const Rational& value) const { return (value * Rational(ticks_)).to_string(); }

    const Problem<Rational>& problem_;
    const Shape& shape_;
    Among among_;
    Integer ticks_;
    std::string text_;
};

/// Asks a growing list of assertions; a model becomes an assignment.
class Search {
  public:
    Search(const Problem<Rational>& problem, const Encoding& encoding, const SolverBudget& budget)
        : shape_(*problem.shape), encoding_(encoding), budget_(budget), solver_(context_, "QF_LIA") {
        solver_.from_string(encoding.text().c_str());
        limit(solver_);
    }
    /// One more constraint, for all later questions.
    void add(const std::string& formula) {
        added_ += "(assert " + formula + ")\n";
        solver_.from_string((declarations() + "(assert " + formula + ")\n").c_str());
    }
    [[nodiscard]] z3::check_result check() {
        ++questions_;
        return questions_ > budget_.questions ? z3::unknown : solver_.check();
    }
    /// The same question, of a solver that has seen no other.
    [[nodiscard]] z3::check_result check_afresh() {
        ++questions_;
        z3::context context;
        z3::solver solver(context, "QF_LIA");
        solver.from_string((encoding_.text() + added_).c_str());
        limit(solver);
        return solver.check();
    }
    [[nodiscard]] std::uint64_t questions() const { return questions_; }
    [[nodiscard]] std::string ended() const {
        return questions_ > budget_.questions
                   ? fmt::format("more than {} questions to the solver", budget_.questions)
                   : fmt::format("the solver's budget of {} units for one question", budget_.resources);
    }

    [[nodiscard]] Assignment assignment() {
        const z3::model model = solver_.get_model();
        std::vector<std::vector<CoreId>> local(shape_.servers().size()), remote(shape_.servers().size());
        for (const CoreId p : shape_.cores()) {
            const std::size_t s = shape_.server_of(p).index();
            local[s].insert(local[s].end(), count(model, Encoding::local(p)), p);
            remote[s].insert(remote[s].end(), count(model, Encoding::remote(p)), p);
        }
        Assignment map(shape_.tasks().size());
        for (const TaskId t : shape_.tasks())
            for (const ServerId s : shape_.servers()) {
                if (!encoding_.allowed(t, s)) continue;
                if (!model.eval(context_.bool_const(Encoding::y(t, s).c_str()), true).is_true()) continue;
                auto& places = (shape_.is_local(t, s) ? local : remote)[s.index()];
                if (places.empty()) throw OracleConflict("a model of the solver gives a server's task no core");
                map[t.index()] = places.back();
                places.pop_back();
            }
        return map;
    }

  private:
    void limit(z3::solver& solver) const {
        z3::params parameters(solver.ctx());
        parameters.set("rlimit", budget_.resources);
        solver.set(parameters);
    }
    [[nodiscard]] std::size_t count(const z3::model& model, const std::string& name) {
        return static_cast<std::size_t>(model.eval(context_.int_const(name.c_str()), true).get_numeral_int64());
    }
    /// What later constraints speak of.
    [[nodiscard]] std::string declarations() const {
        std::string text = "(declare-fun M () Int)\n";
        for (const CoreId p : shape_.cores()) text += "(declare-fun " + Encoding::remote(p) + " () Int)\n";
        return text;
    }

    const Shape& shape_;
    const Encoding& encoding_;
    SolverBudget budget_;
    std::uint64_t questions_ = 0;
    std::string added_;
    z3::context context_;
    z3::solver solver_;
};

/// Descends from `best`: `measure` is the value of an assignment, `below` the constraint that a value is beaten.
/// Requires constraints of which every model, made an assignment, satisfies what is asked.
template <class V, class Measure, class Below>
void descend(Search& search, Best<V>& best, Measure&& measure, Below&& below) {
    for (;;) {
        if (best.value) search.add(below(*best.value));
        const z3::check_result found = search.check();
        if (found == z3::sat) {
            Assignment map = search.assignment();
            V value = measure(map);
            if (best.value && !(value < *best.value))
                throw OracleConflict("the solver's better assignment is no better");
            best.value = std::move(value);
            best.witness = std::move(map);
            continue;
        }
        if (found == z3::unsat) {
            const z3::check_result again = search.check_afresh();
            if (again == z3::sat) throw OracleConflict("the solver calls a question satisfiable and not");
            if (again == z3::unsat) best.established = Established::refuted;
        }
        if (best.established == Established::nothing) best.ended = search.ended();
        best.cases = search.questions();
        return;
    }
}

std::string below(const Rational& makespan, const Integer& ticks) {
    return "(<= M " + (makespan * Rational(ticks) - Rational(1)).to_string() + ")";
}

}  // namespace

Best<Rational> optimum_by_solver(const Problem<Rational>& problem, Among among, const SolverBudget& budget,
                                 const std::optional<Assignment>& start) {
    Best<Rational> best;
    const Integer ticks = least_ticks(problem);
    if (problem.shape->tasks().size() == 0) {
        best.established = Established::refuted;
        return best;
    }
    if (start) {
        const Evaluation<Rational> e = evaluate(problem, *start);
        require(among == Among::all || e.remote_tasks == 0, "a local search starts from local tasks");
        best.value = e.makespan;
        best.witness = *start;
    }
    const Encoding encoding(problem, among, ticks);
    Search search(problem, encoding, budget);
    descend(
        search, best, [&](const Assignment& map) { return *evaluate(problem, map).makespan; },
        [&](const Rational& value) { return below(value, ticks); });
    return best;
}

Best<std::size_t> fewest_remote_by_solver(const Problem<Rational>& problem, const Rational& deadline,
                                          const SolverBudget& budget) {
    Best<std::size_t> best;
    const Integer ticks = least_ticks(problem);
    const Encoding encoding(problem, Among::all, ticks);
    Search search(problem, encoding, budget);
    // A negative number stands as (- n) in SMT-LIB.
    const Integer bound = floor(deadline * Rational(ticks));
    search.add("(<= M " + (bound < 0 ? "(- " + Integer(-bound).str() + ")" : bound.str()) + ")");
    std::vector<std::string> all;
    for (const CoreId p : problem.shape->cores()) all.push_back(Encoding::remote(p));
    descend(
        search, best,
        [&](const Assignment& map) {
            const Evaluation<Rational> e = evaluate(problem, map);
            if (e.makespan && *e.makespan > deadline)
                throw OracleConflict("the solver's assignment does not meet the deadline");
            return e.remote_tasks;
        },
        [&](std::size_t value) { return fmt::format("(< {} {})", sum(all), value); });
    return best;
}

std::string better_smtlib(const Problem<Rational>& problem, const Rational& value, Among among) {
    const Integer ticks = lcm(least_ticks(problem), value.denominator());
    return Encoding(problem, among, ticks).text() + "; a makespan below the value\n(assert " + below(value, ticks) +
           ")\n(check-sat)\n";
}

}  // namespace schedproof::assignment
