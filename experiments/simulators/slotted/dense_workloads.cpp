/// A task's candidates weigh s_l W for the least workload W of its local servers and s_r W' for the least one W' of
/// all, where s_l < s_r are the slownesses of the levels. So the local ones are better as long as s_l W < s_r W', and
/// W' may be any lower bound for that; only otherwise must W' be known. Where both weigh the same and W = W' (both are
/// zero) the servers of workload zero are tied, local or not; where W > W', the local ones of W and all of W', none of
/// which is local.
#include "experiments/simulators/slotted/dense_workloads.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "experiments/simulators/slotted/question_plan.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/phases.hpp"
#include "model/queueing/rate_weights.hpp"

namespace schedproof::simulation {

namespace {

/// What a local and a remote task add to a workload, in the largest unit; nothing if a workload of few tasks might
/// leave 32 bits.
std::optional<std::pair<std::uint32_t, std::uint32_t>> works(const queueing::Instance& instance) {
    const queueing::Weights<CheckedInt> weights(instance);
    const std::int64_t local = weights.slowness.front().value(), remote = weights.slowness.back().value(),
                       unit = std::gcd(local, remote);
    if (remote / unit >= std::int64_t{1} << 16) return std::nullopt;
    return std::pair(static_cast<std::uint32_t>(local / unit), static_cast<std::uint32_t>(remote / unit));
}

bool is_most_local_or_own(const RulePlan& serve) {
    using namespace queueing::language;
    return serve.rule() == first_of(most_local(nonempty(own_levels)), own).tree;
}

}  // namespace

bool dense_workloads_suit(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                          const SlottedSettings& settings) {
    const queueing::Instance& instance = *system.instance;
    const queueing::Options& options = instance.options();
    const QuestionPlan plan(instance, policy);
    if ((plan.route.root() != Question::least_weighted_workload && !JoinByLength::make(plan.route)) ||
        (plan.serve.root() != Question::most_local && !is_most_local_or_own(plan.serve)))
        return false;
    const queueing::Layout layout = policy.layout(instance);
    return !layout.lists_tasks() && layout.rows() == 1 && !layout.rates_at_servers() && instance.levels().size() == 2 &&
           instance.rate_table().size() == 2 && works(instance) && most_replicas(system) <= most_candidates &&
           !settings.start && settings.truncation.rule == queueing::Truncation::Rule::none &&
           system.discipline == Discipline::local_first && system.view_age.sign() == 0 &&
           options.routing == queueing::Routing::sequential && options.unmatched == queueing::Unmatched::idle &&
           options.counting == queueing::Counting::in_system && options.empty_target == queueing::EmptyTarget::wasted;
}

DenseWorkloads::DenseWorkloads(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                               const SlottedSettings& settings, const statistics::Replication& replication,
                               SimdLevel simd)
    : instance_(*system.instance),
      loops_(lane_loops(simd)),
      servers_(static_cast<std::uint32_t>(instance_.servers().size())),
      padded_(static_cast<std::uint32_t>(whole_lanes(servers_))),
      delays_(settings.delays),
      gate_(JoinByLength::make(QuestionPlan(instance_, policy).route)),
      or_none_(QuestionPlan(instance_, policy).serve.root() == Question::most_local ? all_ones : 0),
      recorder_(system, settings, replication),
      arrivals_(system, replication),
      tasks_(system, padded_, replication, simd),
      services_(instance_, replication, simd),
      ties_(replication, "ties"),
      length_(2 * std::size_t{padded_}, 0),
      workload_(padded_ + lanes, longest_length),
      mark_(workload_.size(), 0),
      idle_(padded_, all_ones),
      chose_local_(padded_, 0),
      chose_remote_(chose_local_),
      on_remote_(chose_local_),
      done_(chose_local_),
      local_starts_(chose_local_),
      remote_starts_(chose_local_),
      data_(chose_local_),
      stamps_(delays_ ? 2 * std::size_t{padded_} : 0),
      executing_(delays_ ? padded_ : 0),
      least_(padded_) {
    require(dense_workloads_suit(system, policy, settings), "a run is dense that does not suit");
    std::tie(local_work_, remote_work_) = gate_ ? std::pair(1U, 1U) : works(instance_).value();
    std::fill_n(workload_.begin(), servers_, 0);
    const std::vector<std::uint8_t> with_data = servers_with_data(system);
    for (std::size_t m = 0; m < servers_; ++m) data_[m] = with_data[m] != 0 ? all_ones : 0;
}

LaneLevels DenseWorkloads::view(std::size_t first, std::size_t count) {
    return {.servers = count,
            .local = length_.data() + first,
            .remote = length_.data() + padded_ + first,
            .workload = workload_.data() + first,
            .local_work = local_work_,
            .remote_work = remote_work_,
            .idle = idle_.data() + first,
            .chose_local = chose_local_.data() + first,
            .chose_remote = chose_remote_.data() + first,
            .on_remote = on_remote_.data() + first,
            .done = done_.data() + first,
            .local_starts = local_starts_.data() + first,
            .remote_starts = remote_starts_.data() + first,
            .data = data_.data() + first};
}

/// Nothing is to be observed: before tasks arrive the lengths are Q(t). Each server takes of its own queues only, so
/// `serve` matches, and lets tasks depart.
void DenseWorkloads::step() {
    using queueing::phase;
    using queueing::Phase;
    const std::vector<std::uint32_t>* arrived = nullptr;
    queueing::run_phases(phase<Phase::observe>([] {}),
                         phase<Phase::schedule>([this] { loops_.split_levels(view(0, padded_), or_none_); }),
                         phase<Phase::arrive>([&] { arrived = &arrivals_.next(); }),
                         phase<Phase::route>([&] { route(*arrived); }), phase<Phase::match>([] {}),
                         phase<Phase::serve>([this] { serve(); }), phase<Phase::depart>([] {}));
    const std::size_t q = recorder_.sampled(2 * std::size_t{servers_});
    recorder_.end_of_slot(slot_, in_system_, in_service_, length_[(q % 2) * padded_ + q / 2]);
}

std::vector<QueueCounts> DenseWorkloads::counts() const {
    std::vector<QueueCounts> counts(2 * std::size_t{servers_});
    for (std::size_t q = 0; q < counts.size(); ++q) {
        const std::size_t m = q / 2;
        counts[q].live() = counts[q].settled() = length_[(q % 2) * padded_ + m];
        counts[q].in_service = idle_[m] == 0 && (on_remote_[m] != 0) == (q % 2 == 1) ? 1 : 0;
    }
    return counts;
}

// ---- arriving tasks ----

void DenseWorkloads::route(const std::vector<std::uint32_t>& types) {
    recorder_.arrived(types.size());
    tasks_.next(types);
    if ((in_system_ + types.size()) * remote_work_ >= longest_length)
        throw LimitExceeded("tasks in system", "a workload could be more than 2^31 - 2");
    least_work_ = have_least_ = listed_ = 0;
    if (gate_) most_work_ = *std::max_element(workload_.begin(), workload_.begin() + servers_);
    if (chosen_.size() < tasks_.room()) {
        chosen_.resize(tasks_.room());
        tied_.resize(tasks_.room());
    }
    for (std::size_t from = 0; from < types.size(); from += tasks_side_by_side) {
        const std::size_t end = std::min(from + tasks_side_by_side, types.size());
        for (std::size_t group = from; group < end; group += lanes) {
            LaneChoice choice = tasks_.choice(group, workload_.data());
            choice.chosen = chosen_.data() + group;
            choice.tied = tied_.data() + group;
            loops_.choose(choice, tasks_.replicas(), false);
        }
        if (gate_)
            join_in_order<true>(from, end);
        else
            join_in_order<false>(from, end);
    }
    in_system_ += types.size();
    if (!delays_) return;
    const auto slot = static_cast<std::uint32_t>(slot_);
    for (std::size_t i = 0; i < types.size(); ++i) stamps_.push(chosen_[i], slot);
}

/// The local server that a task of a batch has chosen holds if no task before it in the batch joined that server.
template <bool gated>
void DenseWorkloads::join_in_order(std::size_t from, std::size_t end) {
    if (++batch_ == 0) {
        std::fill(mark_.begin(), mark_.end(), 0);
        batch_ = 1;
    }
    // Copies, since whatever is stored in an array might be the members.
    const std::uint32_t batch_number = batch_, padded = padded_, local_work = local_work_, remote_work = remote_work_;
    std::uint32_t *const chosen = chosen_.data(), *const mark = mark_.data(), *const workload = workload_.data(),
                         *const length = length_.data();
    const std::uint32_t* const tied = tied_.data();
    for (std::size_t i = from; i < end; ++i) {
        std::uint32_t m = chosen[i];
        if ((tied[i] | std::uint32_t{mark[m] == batch_number}) != 0) [[unlikely]]
            m = tasks_.pick(i, tasks_.choice(0, workload), false, ties_);
        bool local = true;
        if (gated && have_least_ == 0) list_least();
        if (gated ? gate_->any(least_work_, most_work_) : !joins_local(i, workload[m])) {
            m = take_any_least(i);
            local = is_local(i, m);
        }
        const std::uint32_t q = local ? m : padded + m, before = workload[m];
        have_least_ -= have_least_ > 0 && before == least_work_ ? 1U : 0U;
        workload[m] = before + (local ? local_work : remote_work);
        if (gated) most_work_ = std::max(most_work_, workload[m]);
        mark[m] = batch_number;
        ++length[q];
        chosen[i] = q;
    }
}

/// Whether a task joins the least of its local servers, by that one's workload, rather than any server of least
/// workload; then these are listed.
inline bool DenseWorkloads::joins_local(std::size_t task, std::uint32_t workload) {
    const std::uint64_t local = std::uint64_t{workload} * local_work_;
    if (local < std::uint64_t{least_work_} * remote_work_) return true;
    if (have_least_ == 0) list_least();
    const std::uint64_t remote = std::uint64_t{least_work_} * remote_work_;
    if (local != remote) return local < remote;
    if (workload == least_work_) return false;
    std::uint32_t tied = 0;
    for (std::size_t k = 0; k < tasks_.replicas(); ++k) tied += workload_[tasks_.plane(k)[task]] == workload ? 1U : 0U;
    return ties_.below(std::uint64_t{tied} + have_least_) < tied;
}

void DenseWorkloads::list_least() {
    least_work_ = loops_.least(workload_.data(), padded_);
    have_least_ = listed_ = loops_.list_equal(workload_.data(), padded_, least_work_, least_.data());
}

/// One of all servers of least workload, by the task's word, whose bytes decide nothing then, which leaves the list.
/// Requires: they are listed.
inline std::uint32_t DenseWorkloads::take_any_least(std::size_t task) {
    const std::uint64_t product = std::uint64_t{tasks_.words()[task]} * listed_;
    auto place = static_cast<std::uint32_t>(product >> 32);
    // A word below 2^32 mod listed_ is passed over, as it would favour some places.
    if (static_cast<std::uint32_t>(product) < listed_) [[unlikely]]
        if (static_cast<std::uint32_t>(product) < (0 - listed_) % listed_) place = ties_.below_half(listed_);
    while (workload_[least_[place]] != least_work_) {
        least_[place] = least_[--listed_];
        place = ties_.below_half(listed_);
    }
    const std::uint32_t m = least_[place];
    least_[place] = least_[--listed_];
    return m;
}

inline bool DenseWorkloads::is_local(std::size_t task, std::uint32_t m) const {
    bool local = false;
    for (std::size_t k = 0; k < tasks_.replicas(); ++k) local |= tasks_.plane(k)[task] == m;
    return local;
}

// ---- services ----

void DenseWorkloads::serve() {
    const Level local = instance_.local(), remote(1);
    services_.next();
    LaneServed served;
    services_.each_half([&](std::size_t first, std::size_t count, const std::uint32_t* words, unsigned shift) {
        served += loops_.serve_levels(view(first, count), words, shift, services_.threshold(local),
                                      services_.threshold(remote));
    });
    if (served.undecided) decide_services(served);
    recorder_.started_at(local, served.started);
    recorder_.started_at(remote, served.started_remote);
    recorder_.served(served.busy, served.busy_with_data);
    if (recorder_.records_drift()) record_drift(served.busy);
    if (delays_) {
        const auto slot = static_cast<std::uint32_t>(slot_);
        for (const bool of_remote : {false, true}) {
            const LaneWaits waits = loops_.take_stamps((of_remote ? remote_starts_ : local_starts_).data(), padded_,
                                                       stamps_.view(of_remote ? padded_ : 0, executing_.data()), slot);
            recorder_.waited(waits.tasks, waits.slots);
        }
    }
    in_service_ = std::uint64_t{served.busy} - served.completed;
    in_system_ -= served.completed;
    recorder_.completed(served.completed);
    ++slot_;
    if (delays_) recorder_.completed_by(executing_, done_, slot_);
}

/// After the services have been drawn: `idle_` holds the servers that are done as well.
void DenseWorkloads::record_drift(std::uint64_t busy) {
    std::uint32_t of_remote = 0;
    for (std::size_t m = 0; m < servers_; ++m) of_remote += on_remote_[m] & (~idle_[m] | done_[m]) & 1U;
    const std::uint32_t by_rate[] = {static_cast<std::uint32_t>(busy) - of_remote, of_remote};
    recorder_.executing(in_system_, by_rate);
}

/// Of the servers whose bits are the threshold of their service.
void DenseWorkloads::decide_services(LaneServed& served) {
    for (std::uint32_t m = 0; m < servers_; ++m) {
        const bool of_remote = on_remote_[m] != 0;
        const Level level(of_remote ? 1 : 0);
        if (idle_[m] != 0 || services_.bits(m) != services_.threshold(level) || !services_.ends(level)) continue;
        done_[m] = idle_[m] = all_ones;
        --length_[of_remote ? padded_ + m : m];
        workload_[m] -= of_remote ? remote_work_ : local_work_;
        ++served.completed;
    }
}

}  // namespace schedproof::simulation
