/// DynDLOn: delay scheduling whose delay grows with the price of remote tasks on the server.
///
/// While its server runs r > 0 remote tasks, an idle core waits max(g(r), W), about as long as one of them takes;
/// otherwise W. The delay falls back to W as soon as the server runs none.
/// Deviation: Algorithm 1 stores the time of the *assignment* in p.wait and compares that with the delay; the text says
/// that p.wait is when waiting begins. Read: a core waits from when it became idle, and the elapsed time is compared,
/// with >=. `wait-since-assignment` is the printed interpretation, in which the time a core ran counts as waiting.
/// `one-remote` never runs two remote tasks on a server at once, as the paper's emulation does ([jin2018],
/// Section 6.2.1; Interpretation A21).
/// Source: [jin2018], Section 4, Algorithm 1; docs/models/assignment.md, Interpretations A3, A4, A21.
#pragma once

#include "model/assignment/online.hpp"
#include "model/assignment/unscheduled.hpp"

namespace schedproof::assignment {

struct DynDlOn {
    static constexpr PolicyInfo info{
        "dyndlon", "[jin2018], Section 4, Algorithm 1",
        "a free core takes a local task, otherwise a remote one after a wait that grows with its server's price"};
    static constexpr bool online = true;
    Rational wait{3};  ///< W, in parts of a local task's cost
    WaitFrom wait_from = WaitFrom::idle;
    bool one_remote = false;
    Pick pick = Pick::lowest;
    JobOrder jobs = JobOrder::fifo;
    static constexpr std::tuple parameters{Parameter("W", &DynDlOn::wait), Parameter("wait from", &DynDlOn::wait_from),
                                           Parameter("one remote", &DynDlOn::one_remote),
                                           Parameter("pick", &DynDlOn::pick), Parameter("jobs", &DynDlOn::jobs)};

    /// Throws LimitExceeded when the wait is no whole number of the problem's ticks.
    template <Number N, Randomness R>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        const N w = problem.time(wait);
        const auto delay = [&](std::size_t running, const CostFunction<N>& g) -> std::optional<N> {
            if (running == 0) return w;
            if (one_remote) return std::nullopt;
            const N price = g(running);
            return w < price ? price : w;
        };
        return run_online(problem, delay, Unscheduled(*problem.shape, pick, jobs, randomness), wait_from);
    }
};

}  // namespace schedproof::assignment
