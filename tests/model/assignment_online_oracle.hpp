/// The online event loop once more, as naively as its definition reads (docs/models/assignment.md, Online
/// policies): at every event all cores and all tasks are looked at. It shares nothing with
/// model/assignment/online.hpp but the problem it is given.
///
/// Faults can be seeded into it: what does not tell a fault from the engine would not tell a wrong engine either.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/assignment/problem.hpp"

namespace schedproof::assignment::oracle {

enum class Rule { hadoop, delay, dyndlon, one_remote };

struct Faults {
    bool remote_round_first = false;
    bool no_repricing = false;
    bool shorter_again = false;  // an end of a remote task makes the others end earlier
    bool strict_wait = false;
    bool wait_from_last_start = false;  // Interpretation A3, as printed
    bool frozen_delay = false;          // Interpretation A4: the delay is read once, when the core becomes idle
    bool all_remote_count = false;      // r_s counts remote tasks that ended, too
};

struct Run {
    std::size_t task, core;
    Rational start, length;
    bool local;
    bool over = false;
    [[nodiscard]] Rational end() const { return start + length; }
};

/// Picks one of n candidates that ascend by id.
using Choose = std::function<std::size_t(std::size_t)>;

class EventLoop {
  public:
    EventLoop(const Problem<Rational>& problem, Rule rule, Rational wait, bool fair, Faults faults, Choose choose)
        : in_(problem), rule_(rule), wait_(std::move(wait)), fair_(fair), bad_(faults), choose_(std::move(choose)) {
        for (const CoreId p : in_.shape->cores()) cores_.push_back({true, in_.load(p), {}, {}, {}});
        taken_.assign(in_.shape->tasks().size(), false);
    }

    /// How long a core waits of whose server so many remote tasks run, in place of the rule.
    using Waits = std::function<std::optional<Rational>(std::size_t running, const CostFunction<Rational>& g)>;
    void waits(Waits waits) { waits_ = std::move(waits); }

    std::vector<Run> run() {
        Rational now(-1);
        while (std::count(taken_.begin(), taken_.end(), false) > 0) {
            const auto x = next(now);
            if (!x) break;
            now = *x;
            end_at(now);
            if (bad_.remote_round_first) remote_round(now);
            local_round(now);
            if (!bad_.remote_round_first) remote_round(now);
        }
        return runs_;
    }

  private:
    struct Core {
        bool busy;
        Rational until, since;
        std::optional<std::size_t> last;  // run
        std::optional<Rational> delay;    // read when it became idle
    };

    [[nodiscard]] std::size_t server(std::size_t p) const { return in_.shape->server_of(CoreId(p)).index(); }
    [[nodiscard]] std::size_t remote_at(std::size_t s) const {
        return static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), [&](const Run& r) {
            return !r.local && (!r.over || bad_.all_remote_count) && server(r.core) == s;
        }));
    }
    [[nodiscard]] std::optional<Rational> delay(std::size_t p) const {
        if (bad_.frozen_delay && cores_[p].delay) return cores_[p].delay;
        const std::size_t r = remote_at(server(p));
        if (waits_) return waits_(r, in_.cost(ServerId(server(p))));
        if (rule_ == Rule::hadoop) return Rational(0);
        if (rule_ == Rule::delay || r == 0) return wait_;
        if (rule_ == Rule::one_remote) return std::nullopt;
        return std::max(wait_, in_.cost(ServerId(server(p)))(r));
    }
    [[nodiscard]] Rational waits_from(std::size_t p) const {
        if (!bad_.wait_from_last_start) return cores_[p].since;
        return cores_[p].last ? runs_[*cores_[p].last].start : Rational(0);
    }

    [[nodiscard]] std::optional<Rational> next(const Rational& now) const {
        std::optional<Rational> x;
        const auto consider = [&](const Rational& at) {
            if (at > now && (!x || at < *x)) x = at;
        };
        for (std::size_t p = 0; p < cores_.size(); ++p)
            if (cores_[p].busy)
                consider(cores_[p].until);
            else if (const auto d = delay(p))
                consider(waits_from(p) + *d);
        return x;
    }

    void end_at(const Rational& now) {
        for (Core& core : cores_) {
            if (!core.busy || core.until != now) continue;
            core.busy = false;
            core.since = now;
            core.delay.reset();
            if (!core.last) continue;
            runs_[*core.last].over = true;
            if (bad_.shorter_again) reprice(server(runs_[*core.last].core), now);
        }
        if (bad_.frozen_delay)
            for (std::size_t p = 0; p < cores_.size(); ++p)
                if (!cores_[p].busy && !cores_[p].delay) cores_[p].delay = delay(p);
    }

    [[nodiscard]] std::vector<std::size_t> idle() const {
        std::vector<std::size_t> list;
        for (std::size_t p = 0; p < cores_.size(); ++p)
            if (!cores_[p].busy) list.push_back(p);
        std::stable_sort(list.begin(), list.end(),
                         [&](std::size_t a, std::size_t b) { return cores_[a].since < cores_[b].since; });
        return list;
    }

    /// Of the jobs that have such a task, the first in their order; one of its tasks.
    std::optional<std::size_t> pick(const std::function<bool(std::size_t)>& suits) {
        std::map<std::size_t, std::vector<std::size_t>> by_job;
        std::map<std::size_t, std::size_t> running;
        for (std::size_t t = 0; t < taken_.size(); ++t)
            if (!taken_[t] && suits(t)) by_job[job(t)].push_back(t);
        if (by_job.empty()) return std::nullopt;
        for (const Run& r : runs_)
            if (!r.over) ++running[job(r.task)];
        auto best = by_job.begin();
        for (auto i = by_job.begin(); i != by_job.end(); ++i)
            if (fair_ && running[i->first] < running[best->first]) best = i;
        return best->second[choose_(best->second.size())];
    }
    [[nodiscard]] std::size_t job(std::size_t t) const { return in_.shape->job_of(TaskId(t)).index(); }

    void local_round(const Rational& now) {
        for (const std::size_t p : idle())
            if (const auto t = pick([&](std::size_t u) { return prefers(u, server(p)); })) start(*t, p, now);
    }
    void remote_round(const Rational& now) {
        for (const std::size_t p : idle()) {
            const auto d = delay(p);
            const Rational waited = now - waits_from(p);
            if (!d || (bad_.strict_wait ? waited <= *d : waited < *d)) continue;
            if (const auto t = pick([](std::size_t) { return true; })) start(*t, p, now);
        }
    }
    [[nodiscard]] bool prefers(std::size_t t, std::size_t s) const {
        const auto holders = in_.shape->replicas(TaskId(t));
        return std::count(holders.begin(), holders.end(), ServerId(s)) > 0;
    }

    void start(std::size_t t, std::size_t p, const Rational& now) {
        taken_[t] = true;
        const bool local = prefers(t, server(p));
        runs_.push_back({t, p, now, in_.local, local});
        cores_[p].busy = true;
        cores_[p].last = runs_.size() - 1;
        cores_[p].until = now + in_.local;
        if (!local) reprice(server(p), std::nullopt);
    }
    void reprice(std::size_t s, std::optional<Rational> cheaper_from) {
        const std::size_t n = remote_at(s);
        if (n == 0) return;
        const Rational price = in_.cost(ServerId(s))(n);
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            Run& r = runs_[i];
            const bool running = !r.over && !r.local && server(r.core) == s;
            if (!running || (bad_.no_repricing && i + 1 < runs_.size())) continue;
            if (r.length < price) r.length = price;
            if (cheaper_from) r.length = std::min(r.length, std::max(price, *cheaper_from - r.start + Rational(1) / 8));
            cores_[r.core].until = r.end();
        }
    }

    const Problem<Rational>& in_;
    Rule rule_;
    Rational wait_;
    bool fair_;
    Faults bad_;
    Choose choose_;
    Waits waits_;
    std::vector<Core> cores_;
    std::vector<bool> taken_;
    std::vector<Run> runs_;
};

/// `core task start finish L|R; ...` in the order of the starts.
inline std::string text(const std::vector<Run>& runs) {
    std::string words;
    for (const Run& r : runs)
        words += std::to_string(r.core) + " " + std::to_string(r.task) + " " + r.start.to_string() + " " +
                 r.end().to_string() + (r.local ? " L; " : " R; ");
    return words;
}

}  // namespace schedproof::assignment::oracle
