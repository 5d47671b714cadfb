/// The simulator in slots for busy clusters when only counts are asked for: every server, every slot, many at once.
///
/// Where most servers complete a task in a slot, looking at all of them side by side costs less than a calendar. A busy
/// server completes with its level's probability in each slot: one 32-bit word each, compared with the threshold
/// floor(2^32 p) by vector units (bulk_bits.hpp), and decided by further bits where it equals the threshold, so no
/// probability is rounded. Servers are bits of words: idle ones are asked in index order, completions are walked bit by
/// bit. What decides is the policy's source, on the same views as in slotted.hpp; the law is the same, the paths of one
/// seed are not. Which vector units the machine has makes no difference to a single bit of the answer.
///
/// For queues per server, with or without a common one, that hold counts; for the default readings of unmatched servers
/// and scarcity; for up to seven levels. Cost: O(servers) a slot, with a small constant.
#pragma once

#include <bit>
#include <vector>

#include "experiments/simulators/slotted/arrival_source.hpp"
#include "experiments/simulators/slotted/bulk_bits.hpp"
#include "experiments/simulators/slotted/indexed_view.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/task_router.hpp"
#include "model/queueing/policy.hpp"

namespace schedproof::simulation {

/// Whether DenseRun can run this, and whether it pays: tasks of a slot are at least an eighth of the servers.
[[nodiscard]] bool dense_counts_suit(const System& system, const queueing::Layout& layout,
                                     const SlottedSettings& settings);

template <class P>
class DenseRun {
  public:
    /// Borrows system and policy. Requires: dense_counts_suit.
    DenseRun(const System& system, const P& policy, const SlottedSettings& settings,
             const statistics::Replication& replication, Units units = available_units())
        : instance_(*system.instance),
          policy_(policy),
          layout_(policy.layout(instance_)),
          recorder_(system, settings, replication),
          units_(units),
          servers_(instance_.servers().size()),
          arrivals_(system, replication),
          ties_(replication, "ties"),
          further_(replication, "further service bits"),
          service_bits_(replication, "service bits", (servers_ + 63) / 64 * 64, units),
          counts_(layout_.queues()),
          now_(system, layout_, counts_, Moment::start_of_slot),
          live_(system, layout_, counts_, Moment::live),
          router_(system, layout_, settings.truncation, replication, now_, live_, FetchingWalk(false), units),
          level_((servers_ + 63) / 64 * 64, 0),
          serves_(servers_, 0),
          busy_(level_.size() / 64, 0),
          done_(busy_.size(), 0),
          with_data_(busy_.size(), 0) {
        const std::vector<std::uint8_t> with_data = servers_with_data(system);
        for (std::size_t m = 0; m < servers_; ++m) with_data_[m / 64] |= std::uint64_t{with_data[m]} << (m % 64);
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

    /// One slot.
    void step() {
        ask();
        in_system_ += router_.route(policy_, arrivals_.next(), counts_, in_system_, ties_, recorder_);
        match();
        settle();
        recorder_.served(in_service_, busy_with_data());
        complete();
    }
    /// By queue, between slots.
    [[nodiscard]] const std::vector<QueueCounts>& counts() const { return counts_; }

  private:
    struct Pair {
        std::uint32_t server, queue, level;
    };

    [[gnu::flatten]] void ask() {
        pairs_.resize(servers_ - in_service_);
        std::size_t count = 0;
        for (std::size_t w = 0; w < busy_.size(); ++w) {
            std::uint64_t idle = ~busy_[w];
            if (w + 1 == busy_.size() && servers_ % 64 != 0) idle &= (std::uint64_t{1} << (servers_ % 64)) - 1;
            for (; idle != 0; idle &= idle - 1) {
                const auto m = static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(idle)));
                const Drawn answer = policy_.serve(now_, ServerId(m));
                if (answer.empty()) continue;
                const queueing::Candidate c = now_.draw(answer, ties_);
                pairs_[count++] = {m, static_cast<std::uint32_t>(c.queue.index()),
                                   static_cast<std::uint32_t>(c.level.index())};
            }
        }
        pairs_.resize(count);
    }

    /// In index order, so scarce tasks go to the servers of lowest index. Whether one is left cannot be foreseen, so no
    /// branch.
    void match() {
        started_.resize(pairs_.size());
        std::size_t started = 0;
        for (const Pair& p : pairs_) {
            QueueCounts& queue = counts_[p.queue];
            const bool matched = queue.waiting() > 0;
            queue.in_service += matched;
            busy_[p.server / 64] |= std::uint64_t{matched} << (p.server % 64);
            level_[p.server] = static_cast<std::uint8_t>(p.level + 1);
            serves_[p.server] = p.queue;
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

    void settle() {
        for (QueueCounts& queue : counts_) queue.settled() = queue.live();
        router_.settled();
        if (now_.reads_service())
            for (const std::uint32_t q : started_) router_.changed(q);
    }

    void complete() {
        bool undecided = false;
        const auto words = service_bits_.next();
        compare_words(units_, words, level_, below_, done_, undecided);
        if (undecided) decide(words);
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
    const P& policy_;
    queueing::Layout layout_;
    SlottedRecorder recorder_;
    const Units units_;
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
