/// What a sharing policy is compiled against, and run on by the compiler.
///
/// The archetype answers every question, and nothing else can be asked of it: a policy that compiles here compiles in
/// every mode. The compiler also runs it, as a constant expression, on scripts of answers: the i-th answer is the i-th
/// digit of a number in base 3. Static variables, clocks, generators and files are no part of a constant expression;
/// so what a policy answers on the way of these scripts depends on its questions and its parameters alone. Ways that
/// need more than five answers are not all tried here; the agreement check runs those (checks/core/agreement.hpp).
/// Its counts are affine ones, so that a policy which multiplies two of them is refused at its line.
#pragma once

#include <array>

#include "model/sharing/affine_count.hpp"
#include "model/sharing/policy_view.hpp"

namespace schedproof::sharing {

class Archetype {
  public:
    static constexpr unsigned scripts = 243;  ///< five answers of three kinds

    /// Takes its answers off the script, which outlives it.
    constexpr explicit Archetype(unsigned& script) : left_(&script), remote_(digit()) {}
    [[nodiscard]] constexpr IdRange<JobId> jobs(Order) const { return IdRange<JobId>(digit()); }
    [[nodiscard]] constexpr std::optional<JobId> first_local(Order, NodeId) const { return job(); }
    [[nodiscard]] constexpr Locality nearest(JobId, NodeId) const { return static_cast<Locality>(digit()); }
    [[nodiscard]] constexpr AffineCount skips(JobId) const { return count(); }
    constexpr void skip(JobId) {}
    constexpr void set_skips(JobId, const AffineCount&) {}
    [[nodiscard]] constexpr AffineCount waited(JobId) const { return count(); }
    [[nodiscard]] constexpr AffineCount since_submitted(JobId) const { return count(); }
    [[nodiscard]] constexpr AffineCount reserved(JobId, NodeId) const { return count(); }
    [[nodiscard]] constexpr AffineCount remote_tasks(NodeId) const { return remote_; }
    [[nodiscard]] constexpr AffineCount remote_time(NodeId) const { return count(); }
    [[nodiscard]] constexpr AffineCount running(JobId) const { return count(); }

    [[nodiscard]] constexpr AffineCount unlaunched(JobId) const { return count() + 1; }
    [[nodiscard]] constexpr AffineCount free_slots() const { return count(); }
    [[nodiscard]] constexpr std::optional<JobId> most_running() const { return job(); }
    [[nodiscard]] constexpr AffineCount fair_share() const { return count(); }

    [[nodiscard]] constexpr QueueId own(NodeId) const { return QueueId(0); }
    [[nodiscard]] constexpr QueueId common() const { return QueueId(1); }
    [[nodiscard]] constexpr AffineCount weight(QueueId) const { return count(); }
    [[nodiscard]] constexpr Locality level(QueueId q) const {
        return q == common() ? Locality::remote : Locality::local;
    }
    [[nodiscard]] constexpr std::optional<JobId> fewest_running(QueueId) const { return job(); }

    using Queue = std::array<QueueId, 1>;
    [[nodiscard]] constexpr Queue own(const Replicas&) const { return {QueueId(0)}; }
    [[nodiscard]] constexpr Queue own_and_common(const Replicas&) const { return {QueueId(1)}; }
    [[nodiscard]] constexpr Queue shortest(const Queue& queues) const { return queues; }

  private:
    [[nodiscard]] constexpr unsigned digit() const {
        const unsigned next = *left_ % 3;
        *left_ /= 3;
        return next;
    }
    [[nodiscard]] constexpr AffineCount count() const {
        constexpr std::array<std::int64_t, 3> counts{0, 1, 1000};
        return counts[digit()];
    }
    [[nodiscard]] constexpr std::optional<JobId> job() const {
        return digit() == 0 ? std::nullopt : std::optional(JobId(0));
    }

    unsigned* left_;
    std::size_t remote_;
};

static_assert(OfferSource<Archetype> && ReclaimSource<Archetype> && QueueSource<Archetype> && RouteSource<Archetype>);

}  // namespace schedproof::sharing
