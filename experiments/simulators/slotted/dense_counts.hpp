/// The simulator in slots for busy clusters when only counts are recorded: every server in every slot, many at once.
///
/// Where most servers complete a task in a slot, going over all of them side by side costs less than a calendar. A busy
/// server of rate p completes with probability p in each slot: it draws one 32-bit word u and compares it with the
/// threshold floor(2^32 p), for sixteen servers in one SIMD instruction (bulk_bits.hpp). A word below the threshold
/// completes, a word above does not, and a word equal to it is decided by further bits, so that no probability is
/// rounded. Servers are bits of 64-bit words: idle servers are asked in index order, completions are found bit by bit.
///
/// The phases are those of model/queueing/phases.hpp, with `schedule` before `arrive`; the policy's code and its views
/// are those of slotted.hpp. So the law is the same, but the paths of one seed are not. The SIMD level of the machine
/// changes no bit of the result.
///
/// Covers queues per server, with or without a common one, that hold counts; the default values of the options
/// `unmatched` and `scarcity`; up to seven levels. Cost: O(servers) a slot, with a small constant.
#pragma once

#include <bit>
#include <vector>

#include "experiments/simulators/slotted/arrival_source.hpp"
#include "experiments/simulators/slotted/asked_rules.hpp"
#include "experiments/simulators/slotted/bulk_bits.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/task_router.hpp"
#include "model/queueing/phases.hpp"
#include "model/queueing/policy.hpp"

namespace schedproof::simulation {

/// Whether DenseRun can run this, and whether it pays: tasks of a slot are at least an eighth of the servers.
[[nodiscard]] bool dense_counts_suit(const System& system, const queueing::Layout& layout,
                                     const SlottedSettings& settings);

/// `Asked` is an AskedRules.
template <class Asked>
class DenseRun {
  public:
    /// Borrows system and policy. Requires: dense_counts_suit.
    DenseRun(const System& system, const queueing::AnyPolicy& policy, const SlottedSettings& settings,
             const statistics::Replication& replication, SimdLevel simd = available_simd())
        : instance_(*system.instance),
          asked_(policy),
          layout_(policy.layout(instance_)),
          recorder_(system, settings, replication),
          simd_(simd),
          servers_(instance_.servers().size()),
          arrivals_(system, replication),
          ties_(replication, "ties"),
          further_(replication, "further service bits"),
          service_bits_(replication, "service bits", (servers_ + 63) / 64 * 64, simd),
          counts_(counts_at_start(system, layout_, settings.start)),
          now_(system, layout_, counts_, Moment::start_of_slot, policy.plan()),
          live_(system, layout_, counts_, Moment::live, policy.plan()),
          router_(system, layout_, settings.truncation, replication, now_, live_, FetchingWalk(false), simd),
          level_((servers_ + 63) / 64 * 64, 0),
          serves_(servers_, 0),
          busy_(level_.size() / 64, 0),
          done_(busy_.size(), 0),
          with_data_(busy_.size(), 0) {
        const std::vector<std::uint8_t> with_data = servers_with_data(system);
        for (std::size_t m = 0; m < servers_; ++m) with_data_[m / 64] |= std::uint64_t{with_data[m]} << (m % 64);
        if (settings.start) place(*settings.start);
        for (const Level level : instance_.levels()) {
            const Rational& p = instance_.rate(level);
            // For p = 1 one less than 2^32: that word is decided further down, and always for completion.
            below_[level.index() + 1] =
                floor(p * Rational(Integer(1) << 32) - Rational(p == Rational(1) ? 1 : 0)).convert_to<std::uint32_t>();
        }
    }

    [[nodiscard]] Observation run(const Done& done) {
        for (std::uint64_t slot = 0; slot < recorder_.slots();) {
            if (slot % 1024 == 0 && done) done(static_cast<double>(slot) / static_cast<double>(recorder_.slots()));
            step();
            recorder_.end_of_slot(++slot, in_system_, in_service_, counts_);
        }
        return recorder_.take();
    }

    /// One slot. Nothing is to be observed: the views show Q(t).
    void step() {
        using queueing::phase;
        using queueing::Phase;
        const std::vector<std::uint32_t>* arrived = nullptr;
        queueing::run_phases(phase<Phase::observe>([] {}), phase<Phase::schedule>([this] { schedule(); }),
                             phase<Phase::arrive>([&] { arrived = &arrivals_.next(); }), phase<Phase::route>([&] {
                                 in_system_ += router_.route(asked_, *arrived, counts_, in_system_, ties_, recorder_);
                             }),
                             phase<Phase::match>([this] { match(); }), phase<Phase::serve>([this] { serve(); }),
                             phase<Phase::depart>([this] { depart(); }));
    }
    /// By queue, between slots.
    [[nodiscard]] const std::vector<QueueCounts>& counts() const { return counts_; }

  private:
    struct Pair {
        std::uint32_t server, queue, level;
    };

    /// Tasks and services of the start.
    void place(const queueing::State<CheckedInt>& start) {
        for (QueueCounts& queue : counts_) in_system_ += queue.settled();
        for (std::size_t m = 0; m < servers_; ++m) {
            const queueing::Service& service = start.serving[m];
            if (service.status != queueing::Service::Status::busy) continue;
            occupy({static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(service.queue.index()),
                    static_cast<std::uint32_t>(service.level.index())},
                   true);
            ++in_service_;
        }
    }

    /// The server that chose the queue executes a task of it from now on, if it is matched.
    void occupy(const Pair& p, bool matched) {
        busy_[p.server / 64] |= std::uint64_t{matched} << (p.server % 64);
        level_[p.server] = static_cast<std::uint8_t>(p.level + 1);
        serves_[p.server] = p.queue;
    }

    /// Every idle server chooses a queue, in index order.
    [[gnu::flatten]] void schedule() {
        pairs_.resize(servers_ - in_service_);
        std::size_t count = 0;
        for (std::size_t w = 0; w < busy_.size(); ++w) {
            std::uint64_t idle = ~busy_[w];
            if (w + 1 == busy_.size() && servers_ % 64 != 0) idle &= (std::uint64_t{1} << (servers_ % 64)) - 1;
            for (; idle != 0; idle &= idle - 1) {
                const auto m = static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(idle)));
                const Drawn answer = asked_.serve(now_, ServerId(m), ties_);
                if (answer.empty()) continue;
                const queueing::Candidate c = now_.draw(answer, ties_);
                pairs_[count++] = {m, static_cast<std::uint32_t>(c.queue.index()),
                                   static_cast<std::uint32_t>(c.level.index())};
            }
        }
        pairs_.resize(count);
    }

    /// In index order, so that scarce tasks go to the servers of lowest index. Whether a task is left is unpredictable,
    /// so the loop does not branch on it.
    void match() {
        started_.resize(pairs_.size());
        std::size_t started = 0;
        for (const Pair& p : pairs_) {
            QueueCounts& queue = counts_[p.queue];
            const bool matched = queue.waiting() > 0;
            queue.in_service += matched;
            occupy(p, matched);
            recorder_.started_at(Level(p.level), matched);
            started_[started] = p.queue;
            started += matched;
        }
        started_.resize(started);
        in_service_ += started;
    }

    [[nodiscard]] std::uint64_t busy_with_data() const {
        std::uint64_t sum = 0;
        for (std::size_t w = 0; w < busy_.size(); ++w)
            sum += static_cast<std::uint64_t>(std::popcount(busy_[w] & with_data_[w]));
        return sum;
    }

    /// Draws which services end with this slot; the slot's tasks become part of Q(t+1).
    void serve() {
        for (QueueCounts& queue : counts_) queue.settled() = queue.live();
        router_.settled();
        if (now_.reads_service())
            for (const std::uint32_t q : started_) router_.changed(q);
        recorder_.served(in_service_, busy_with_data());
        bool undecided = false;
        const auto words = service_bits_.next();
        compare_words(simd_, words, level_, below_, done_, undecided);
        if (undecided) decide(words);
    }

    void depart() {
        std::uint64_t number = 0;
        for (std::size_t w = 0; w < busy_.size(); ++w) {
            const std::uint64_t done = done_[w] & busy_[w];
            for (std::uint64_t left = done; left != 0; left &= left - 1) {
                const std::uint32_t q = serves_[64 * w + static_cast<std::size_t>(std::countr_zero(left))];
                --counts_[q].live();
                --counts_[q].settled();
                --counts_[q].in_service;
                router_.changed(q);
                ++number;
            }
            busy_[w] &= ~done;
        }
        in_system_ -= number;
        in_service_ -= number;
        recorder_.completed(number);
    }
    /// A word that equals its threshold floor(2^32 p) leaves the fraction of 2^32 p to further bits.
    void decide(std::span<const std::uint32_t> words) {
        for (std::size_t m = 0; m < servers_; ++m) {
            if ((busy_[m / 64] >> (m % 64) & 1) == 0 || words[m] != below_[level_[m]]) continue;
            const Rational scaled = instance_.rate(Level(level_[m] - 1U)) * Rational(Integer(1) << 32);
            const Rational rest = scaled - Rational(static_cast<std::int64_t>(below_[level_[m]]));
            if (below(rest)) done_[m / 64] |= std::uint64_t{1} << (m % 64);
        }
    }
    /// True with probability p, exactly: compares a uniform number with it, 32 bits at a time.
    [[nodiscard]] bool below(Rational p) {
        while (p.sign() > 0 && p < Rational(1)) {
            p *= Rational(Integer(1) << 32);
            const Rational u(static_cast<std::int64_t>(further_.half()));
            if (u + Rational(1) <= p) return true;
            if (u >= p) return false;
            p -= u;
        }
        return p.sign() > 0;
    }

    const queueing::Instance& instance_;
    const Asked asked_;
    queueing::Layout layout_;
    SlottedRecorder recorder_;
    const SimdLevel simd_;
    const std::size_t servers_;
    ArrivalSource arrivals_;
    statistics::Stream ties_, further_;
    BulkBits service_bits_;
    std::vector<QueueCounts> counts_;
    IndexedView now_, live_;
    TaskRouter router_;

    // By server, up to whole words of 64.
    std::vector<std::uint8_t> level_;    // of its latest task, one more
    std::vector<std::uint32_t> serves_;  // queue of its latest task
    std::vector<std::uint64_t> busy_, done_, with_data_;
    Bounds below_{};
    std::uint64_t in_system_ = 0, in_service_ = 0;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> started_;  // queues, in this slot
};

}  // namespace schedproof::simulation
