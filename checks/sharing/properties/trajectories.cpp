/// Properties of whole trajectories: jobs from submission to the last task, and the longest wait of a job whose turn it
/// is.
///
/// A trajectory is followed tick by tick: tasks end, jobs are submitted, free slots are offered by number, and tasks
/// may be killed before and after the offers. The wait is the longest over all phases of the slots: every vector of
/// times at which the running tasks may be due is tried, while a large job with data everywhere keeps all slots busy.
/// The wait is over when the job launches, or would launch on a node far from its data.
/// Source: [zaharia2010], Analysis of Delay Scheduling; docs/models/sharing.md, Interpretation S13. Cost: T^S phases of
/// S slots and tasks of T ticks; LimitExceeded beyond a stated size.
#include <fmt/core.h>

#include <algorithm>

#include "checks/sharing/properties/properties.hpp"
#include "checks/sharing/reference_model.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks::sharing_properties {

using namespace sharing;

namespace {

/// How often each task of each job was launched, and whether all were done in time.
struct Trajectory {
    std::vector<std::vector<std::size_t>> launches;
    bool ended = false;
    Ticks now = 0;
};

/// After the last submission each tick launches a task, ends one, or brings a job nearer to where it no longer waits.
void require_short(const SharingCase& c) {
    const Parameters& p = c.parameters;
    Rational tasks, ticks;
    for (const Job& job : c.setting.jobs) tasks += Rational(job.tasks.size());
    for (const Ticks part :
         {c.run, p.d, p.d1, p.d2.value_or(0), p.w, p.w, c.setting.cluster.remote_time.back(), Ticks{1}})
        ticks += Rational(part);
    if (Rational(c.setting.jobs.back().submit) + tasks * ticks > Rational(most_ticks))
        throw LimitExceeded("trajectories", fmt::format("one of more than {} ticks is not followed", most_ticks));
}

/// Every tick: what ends, ends; jobs are submitted; what is killed, is killed; every free slot is offered once, by
/// number. Every task runs for c.run ticks.
Trajectory trajectory(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    require_short(c);
    Trajectory all;
    State state = initial_state(c.setting);
    for (const Job& job : c.setting.jobs) all.launches.emplace_back(job.tasks.size(), 0);
    const auto started = [&](const Started& s) { ++all.launches[s.job.index()][s.task]; };
    const auto kill = [&] {
        auto after = under_test.reclaim_all(c.setting, state);
        state = std::move(after.first);
        for (const Started& s : after.second) started(s);
    };
    for (Ticks now = 0; now <= most_ticks; ++now) {
        state.now = all.now = now;
        for (std::size_t s = 0; s < state.slots.size(); ++s)
            if (state.slots[s].busy && state.slots[s].since + c.run == now)
                state = complete(std::move(state), SlotId(s));
        for (const JobId j : IdRange<JobId>(c.setting.jobs.size()))
            if (c.setting.jobs[j.index()].submit == now) state = under_test.submit(c.setting, state, j);
        kill();
        for (std::size_t s = 0; s < state.slots.size(); ++s) {
            if (state.slots[s].busy) continue;
            Offered after = under_test.offer(c.setting, state, SlotId(s));
            state = std::move(after.next);
            if (after.started) started(*after.started);
        }
        kill();
        all.ended = std::all_of(state.jobs.begin(), state.jobs.end(), [](const JobState& job) {
            return !job.tasks.empty() && std::count(job.tasks.begin(), job.tasks.end(), Stage::done) ==
                                             static_cast<std::ptrdiff_t>(job.tasks.size());
        });
        if (all.ended) break;
    }
    return all;
}

}  // namespace

std::string all_end(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    if (trajectory(under_test, c).ended) return "";
    for (const Job& job : c.setting.jobs)
        if (job.probes.size() < job.tasks.size()) return "";
    return fmt::format("tasks are left after {} ticks", most_ticks);
}

std::string nothing_lost(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Trajectory all = trajectory(under_test, c);
    for (std::size_t j = 0; j < all.launches.size(); ++j)
        for (std::size_t t = 0; t < all.launches[j].size(); ++t)
            if (all.launches[j][t] > 1)
                return fmt::format("task {} of job {} is launched {} times", t, j, all.launches[j][t]);
    return "";
}

namespace {

/// The longest wait of a job of a task until it launches or would launch anywhere, over all phases of the slots, which
/// run tasks of a large job with data everywhere and are offered the moment a task ends; and the phases at which it is
/// so long.
struct Wait {
    Ticks longest = 0;
    std::vector<Ticks> due;
};

/// S: the slots of the first M nodes. Those of further nodes never become free; the last node has no data of the job.
std::size_t turning_slots(const SharingCase& c) { return c.of.nodes * c.setting.cluster.slots; }

/// All at work for the large job, which comes after the small one when neither runs a task.
std::pair<Setting, State> busy_cluster(const SharingCase& c, const std::vector<Ticks>& due) {
    Setting setting = c.setting;
    setting.cluster.rack.push_back(setting.cluster.rack.back());
    const std::size_t slots = setting.cluster.all_slots();
    Replicas everywhere;
    for (std::size_t n = 0; n < setting.cluster.nodes(); ++n) everywhere.emplace_back(n);
    Job large;
    large.tasks.assign(slots * static_cast<std::size_t>(c.parameters.d + 3), everywhere);
    setting.jobs.push_back(large);
    State state = initial_state(setting);
    for (std::size_t j = 0; j < setting.jobs.size(); ++j)
        state.jobs[j].tasks.assign(setting.jobs[j].tasks.size(), Stage::unlaunched);
    for (std::size_t s = 0; s < slots; ++s) {
        const Ticks since = s < due.size() ? due[s] - c.run : -2 * most_ticks;
        state.slots[s] = {true, since, JobId(1), static_cast<std::uint32_t>(s), Locality::local};
        state.jobs[1].tasks[s] = Stage::running;
    }
    return {std::move(setting), std::move(state)};
}

/// Whether the small job is done waiting: it was launched, or would be on a slot far from its data.
bool waits_no_more(const SharingPolicyUnderTest& under_test, const Setting& setting, const State& state) {
    if (state.jobs[0].tasks[0] != Stage::unlaunched) return true;
    const SlotId far(state.slots.size() - 1);
    const auto launched = under_test.offer(setting, complete(state, far), far).started;
    return launched && launched->job == JobId(0);
}

/// With tasks of `c.run` ticks that are due at these times.
Ticks wait_from(const SharingPolicyUnderTest& under_test, const SharingCase& c, const std::vector<Ticks>& due) {
    auto [setting, state] = busy_cluster(c, due);
    bool offered = true;  // since it was last looked whether the job waits
    for (state.now = 0; state.now <= most_ticks; ++state.now)
        for (std::size_t s = 0; s <= due.size(); ++s) {
            if (std::exchange(offered, false) && waits_no_more(under_test, setting, state)) return state.now;
            if (s == due.size() || state.slots[s].since + c.run != state.now) continue;
            state = under_test.offer(setting, complete(std::move(state), SlotId(s)), SlotId(s)).next;
            offered = true;
            // The large job is large enough for all offers that should be let pass.
            if (!state.slots[s].busy) return most_ticks;
        }
    return most_ticks;
}

Wait longest_wait(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    Wait wait;
    std::vector<Ticks> due(turning_slots(c), 1);
    Rational cost = Rational(due.size() + 1) * Rational(c.parameters.d + 3) * Rational(c.parameters.d + 3);
    for (std::size_t s = 0; s < std::min<std::size_t>(due.size(), 30); ++s) cost *= Rational(c.run);
    const bool late = Rational(c.run) * Rational(c.parameters.d + 1) > Rational(most_ticks);
    if (due.size() > 30 || late || cost > Rational(10'000'000))
        throw LimitExceeded("phases of slots", "(S+1) (D+3)^2 T^S is above ten million, or (D+1) T above 2000");
    for (bool more = true; more;) {
        if (const Ticks now = wait_from(under_test, c, due); now > wait.longest) wait = {now, due};
        more = false;
        for (Ticks& phase : due) {
            phase = phase == c.run ? 1 : phase + 1;
            if (phase > 1) {
                more = true;
                break;
            }
        }
    }
    return wait;
}

std::string longer(const Wait& wait, const Rational& bound, const char* formula) {
    if (Rational(wait.longest) <= bound) return "";
    std::string due;
    for (const Ticks phase : wait.due) due += (due.empty() ? "" : ", ") + std::to_string(phase);
    return fmt::format("waits {} ticks with tasks due in {}: more than {} = {}", wait.longest, due, formula,
                       bound.to_string());
}

}  // namespace

std::string wait_in_mean_rate(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    return longer(longest_wait(under_test, c), Rational(c.parameters.d) * Rational(c.run) / Rational(turning_slots(c)),
                  "(D/S) T");
}

std::string wait_in_rounds(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const auto slots = static_cast<std::int64_t>(turning_slots(c));
    const std::int64_t rounds = (c.parameters.d + slots - 1) / slots;
    if (const auto said =
            sure_wait(static_cast<std::uint64_t>(c.parameters.d), static_cast<std::uint64_t>(slots), Rational(c.run));
        said != Rational(rounds * c.run))
        return fmt::format("the analysis says {}, ceil(D/S) T is {}", said.to_string(), rounds * c.run);
    return longer(longest_wait(under_test, c), Rational(rounds * c.run), "ceil(D/S) T");
}

namespace {

/// The task of a slot ends, if one runs, and the slot is offered.
State after_turn(const SharingPolicyUnderTest& under_test, const Setting& setting, State state, SlotId slot) {
    if (state.slots[slot.index()].busy) state = complete(std::move(state), slot);
    return under_test.offer(setting, state, slot).next;
}

bool waits(const State& state, std::size_t job) {
    const auto& tasks = state.jobs[job].tasks;
    return std::find(tasks.begin(), tasks.end(), Stage::unlaunched) != tasks.end();
}

}  // namespace

std::string fair_after_a_turn(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    State state = c.state;
    for (const SlotId s : IdRange<SlotId>(state.slots.size())) state = after_turn(under_test, c.setting, state, s);
    for (std::size_t poor = 0; poor < state.jobs.size(); ++poor)
        for (std::size_t rich = 0; rich < state.jobs.size(); ++rich)
            if (const auto fewer = reference_running(state, poor), more = reference_running(state, rich);
                waits(state, poor) && fewer + 1 < more)
                return fmt::format("after a turn of every slot job {} waits and runs {} tasks, job {} runs {}", poor,
                                   fewer, rich, more);
    return "";
}

}  // namespace schedproof::checks::sharing_properties
