/// Splitting: the estimator, and why it is unbiased.
///
/// Let f be the number of tasks, in the system or in one queue, and l_1 < ... < l_m <= k + 1 thresholds with factors
/// R_1, ..., R_m. The run of the chain is its *trunk*. Whenever a path passes l_i upwards, R_i - 1 copies of its state
/// go on from there beside it, each with random numbers of its own; a copy that was made at l_i ends when it is below
/// l_i again, the path it came from goes on (RESTART). A path that has reached i thresholds weighs 1 / (R_1 ... R_i).
///
/// For every slot t and every function g of the state, the weighted sum of g over the paths that are alive in t has the
/// mean E g(X_t). Proof, by induction on m: for one threshold, consider the time since the trunk passed it last. Until
/// it is below again, the trunk and its R - 1 copies have one law and the weight 1 / R each; afterwards the trunk alone
/// is left, with weight 1. For more, a path above l_1 is a trunk for the others. Thresholds that are passed in one jump
/// are passed one after another. So the estimate is unbiased as the plain mean over slots is: exactly, for the law of
/// the kept slots from the given start, and up to what the warm-up leaves of the start, for the stationary law. It
/// holds for all thresholds and factors; these decide on the variance alone. Copies end with the run, whatever they
/// have done.
///
/// Replications are independent, trunk and warm-up included, so that Student's t of their means is an interval; slots
/// within a run are not, and neither are the copies of one path.
///
/// Thresholds are found by a pilot run on random numbers of its own, the same for every replication: so far as the
/// pilot has come, at the least values with P(f >= l_i) at most half of P(f >= l_(i-1)), with factors that keep R_1 ...
/// R_i near 1 / P(f >= l_i); from there it goes on with these.
///
/// Source: [villen1991]; [asmussen2007], Chapter VI.
#include "experiments/simulators/splitting/tail_experiment.hpp"

#include <algorithm>
#include <utility>

#include "model/core/errors.hpp"
#include "model/queueing/kernel.hpp"

namespace schedproof::simulation {

namespace {

using queueing::State;

/// Slots of all paths for each of the trunk, at most.
constexpr std::uint64_t most_slots_each = 10'000;

/// What names the streams of random numbers.
constexpr std::uint64_t run_purpose = 0x7461696c, pilot_purpose = 0x70696c6f74;

}  // namespace

/// The chain, and what of its state the event is about.
class TailExperiment::Chain {
  public:
    Chain(std::shared_ptr<const queueing::Instance> instance, const queueing::AnyPolicy& policy, TailEvent event,
          const queueing::Truncation& truncation)
        : instance_(std::move(instance)), kernel_(*instance_, policy, truncation), event_(std::move(event)) {}

    [[nodiscard]] const queueing::Kernel<CheckedInt>& kernel() const { return kernel_; }
    [[nodiscard]] const TailEvent& event() const { return event_; }
    [[nodiscard]] static std::uint64_t tasks(const State<CheckedInt>& state) {
        std::int64_t all = 0;
        for (const CheckedInt length : state.length) all += length.value();
        return static_cast<std::uint64_t>(all);
    }
    [[nodiscard]] std::uint64_t value(const State<CheckedInt>& state) const {
        return event_.queue ? static_cast<std::uint64_t>(state.length[event_.queue->index()].value()) : tasks(state);
    }

  private:
    std::shared_ptr<const queueing::Instance> instance_;
    queueing::Kernel<CheckedInt> kernel_;
    TailEvent event_;
};

namespace {

/// A trunk with its copies. `visit` is called for each path at the start of each slot: with the slot, the state, its
/// value of f, the number of thresholds reached, and whether it is the trunk.
template <class Chain, class Visit>
class Paths {
  public:
    Paths(const Chain& chain, std::span<const Threshold> thresholds, std::uint64_t slots, StreamKey key, Visit visit)
        : chain_(chain), thresholds_(thresholds), slots_(slots), random_(key), visit_(std::move(visit)) {}

    /// Slots of all paths.
    std::uint64_t run(const State<CheckedInt>& start) {
        const std::size_t at = reached(chain_.value(start));
        copy(start, 0, 0, at);
        go_on(start, 0, at, 0);
        return passed_;
    }

  private:
    [[nodiscard]] std::size_t reached(std::uint64_t value) const {
        const auto beyond = std::upper_bound(thresholds_.begin(), thresholds_.end(), value,
                                             [](std::uint64_t f, const Threshold& t) { return f < t.tasks; });
        return static_cast<std::size_t>(beyond - thresholds_.begin());
    }

    /// A path from the start of a slot, where it has reached `at` thresholds. It ends below `born` ones.
    /// Cost: as deep in calls as there are thresholds.
    void go_on(State<CheckedInt> state, std::uint64_t slot, std::size_t at, std::size_t born) {
        for (; slot < slots_; ++slot) {
            if (++passed_ > most_slots_each * slots_)
                throw LimitExceeded("slots of copies",
                                    "splitting makes too many copies: the thresholds fit neither the "
                                    "chain nor the length of the run");
            visit_(slot, state, chain_.value(state), at, born == 0);
            state = chain_.kernel().step(state, random_).next;
            const std::size_t now = reached(chain_.value(state));
            if (now < born) return;
            if (now > at) copy(state, slot + 1, at, now);
            at = now;
        }
    }
    /// The copies of a path that passes thresholds upwards, and of its copies, which pass those behind their own as
    /// well.
    void copy(const State<CheckedInt>& state, std::uint64_t slot, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            for (std::uint64_t copies = 1; copies < thresholds_[i].factor; ++copies) {
                copy(state, slot, i + 1, to);
                go_on(state, slot, to, i + 1);
            }
    }

    const Chain& chain_;
    std::span<const Threshold> thresholds_;
    const std::uint64_t slots_;
    Sampler random_;
    Visit visit_;
    std::uint64_t passed_ = 0;
};

/// By number of thresholds reached: what a path weighs.
std::vector<double> weights_of(std::span<const Threshold> thresholds) {
    std::vector<double> weights{1};
    for (const Threshold& threshold : thresholds)
        weights.push_back(weights.back() / static_cast<double>(threshold.factor));
    return weights;
}

void require_in_order(std::span<const Threshold> thresholds, std::uint64_t above) {
    for (std::size_t i = 0; i < thresholds.size(); ++i)
        if (thresholds[i].factor < 1 || thresholds[i].tasks > above + 1 ||
            (i > 0 && thresholds[i].tasks <= thresholds[i - 1].tasks))
            throw InputError::at_key("thresholds",
                                     "expected ascending ones, up to one more than the tail is above, with "
                                     "factors of at least 1");
}

/// Estimates of P(f >= l) for l = 0, 1, ..., above + 1, with the thresholds so far.
template <class Chain>
std::vector<double> estimated_tails(const Chain& chain, const State<CheckedInt>& start,
                                    std::span<const Threshold> thresholds, std::uint64_t slots, std::uint64_t round) {
    const std::uint64_t above = chain.event().above;
    const std::vector<double> weights = weights_of(thresholds);
    std::vector<double> tails(above + 2);
    Paths paths(chain, thresholds, slots, {round, 0, pilot_purpose},
                [&](std::uint64_t slot, const State<CheckedInt>&, std::uint64_t value, std::size_t reached, bool) {
                    if (2 * slot >= slots) tails[std::min(value, above + 1)] += weights[reached];
                });
    paths.run(start);
    for (std::size_t l = tails.size() - 1; l > 0; --l) tails[l - 1] += tails[l];
    const std::uint64_t counted = slots - slots / 2;
    for (double& tail : tails) tail /= static_cast<double>(counted);
    return tails;
}

/// Those that the estimates suggest, from the least value on whose tail is at most a half.
std::vector<Threshold> suggested(const std::vector<double>& tails) {
    std::vector<Threshold> thresholds;
    double last = 1, copies = 1;
    for (std::uint64_t l = 1; l < tails.size() && tails[l] > 0; ++l) {
        if (tails[l] > last / 2) continue;
        const double factor = std::max(1.0, std::min(1e6, std::round(1 / (tails[l] * copies))));
        thresholds.push_back({l, static_cast<std::uint64_t>(factor)});
        copies *= factor;
        last = tails[l];
    }
    return thresholds;
}

/// The last threshold of a round is where few slots have come, so it is known badly: it is left to the next round.
template <class Chain>
std::vector<Threshold> found_thresholds(const Chain& chain, const State<CheckedInt>& start) {
    constexpr std::uint64_t slots = 20'000, rounds = 40;
    std::vector<Threshold> thresholds;
    for (std::uint64_t round = 1; round <= rounds; ++round) {
        const std::vector<double> tails = estimated_tails(chain, start, thresholds, slots, round);
        std::vector<Threshold> next = suggested(tails);
        const bool there = tails.back() > 0;
        if (!there && !next.empty()) next.pop_back();
        const bool further = !next.empty() && (thresholds.empty() || next.back().tasks > thresholds.back().tasks);
        if (further || there) thresholds = std::move(next);
        if (there || !further) break;
    }
    return thresholds;
}

}  // namespace

TailExperiment::TailExperiment(std::shared_ptr<const queueing::Instance> instance, const queueing::AnyPolicy& policy,
                               TailEvent event, TailSettings settings)
    : settings_(std::move(settings)),
      quantities_{{event.name, "1", false, 1, {}, {}, true}, {"tasks in system", "task"}} {
    queueing::require_slots(*instance, "splitting");
    if (settings_.batches < 1 || settings_.slots < settings_.batches || settings_.slots % settings_.batches != 0)
        throw InputError::at_key("--batches", "expected at least one batch, and slots in whole batches");
    if (event.above > 1'000'000) throw InputError::at_key("--tail", "expected a tail above at most 1,000,000 tasks");
    chain_ = std::make_unique<const Chain>(std::move(instance), policy, std::move(event), settings_.truncation);
    if (settings_.start) chain_->kernel().require_valid(*settings_.start);
    thresholds_ = settings_.thresholds
                      ? *settings_.thresholds
                      : found_thresholds(*chain_, settings_.start ? *settings_.start : chain_->kernel().initial());
    require_in_order(thresholds_, chain_->event().above);
}

TailExperiment::~TailExperiment() = default;

Observation TailExperiment::run(const statistics::Replication& replication, const Done& done) const {
    const std::vector<double> weights = weights_of(thresholds_);
    const std::uint64_t above = chain_->event().above, length = settings_.slots / settings_.batches;
    std::vector<double> beyond(settings_.batches);
    std::vector<std::uint64_t> tasks(settings_.batches);
    Paths paths(
        *chain_, thresholds_, settings_.slots, {replication.seed, replication.number, run_purpose},
        [&](std::uint64_t slot, const State<CheckedInt>& state, std::uint64_t value, std::size_t reached, bool trunk) {
            if (value > above) beyond[slot / length] += weights[reached];
            if (!trunk) return;
            tasks[slot / length] += Chain::tasks(state);
            if (slot % 1024 == 0 && done) done(static_cast<double>(slot) / static_cast<double>(settings_.slots));
        });
    Observation observation{static_cast<double>(length), {}, 0};
    observation.work = paths.run(settings_.start ? *settings_.start : chain_->kernel().initial());
    const auto slots = static_cast<double>(length);
    for (std::size_t b = 0; b < settings_.batches; ++b)
        observation.batches.push_back({{{beyond[b], slots}, {static_cast<double>(tasks[b]), slots}}, {}});
    return observation;
}

}  // namespace schedproof::simulation
