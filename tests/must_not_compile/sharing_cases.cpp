// Sharing policies that the type system must refuse, one per CASE_ macro; CASE_sharing_control is one done right.
#include <cstdlib>

#include "model/sharing/policy.hpp"

using namespace schedproof;
using namespace schedproof::sharing;

struct Case {
    static constexpr PolicyInfo info{"case", "test", "test"};
    std::int64_t d = 1;
#if defined(CASE_sharing_keeps_an_undeclared_member)
    bool hidden = false;
#elif defined(CASE_sharing_keeps_a_mutable_member)
    mutable int calls = 0;
#endif
    static constexpr std::tuple parameters{Parameter("D", &Case::d)};
    static inline long calls_of_all = 0;

    template <SharingView V>
    [[nodiscard]] constexpr auto offer(V& now, NodeRef n) const {
        using Answer = std::optional<Launch>;
#if defined(CASE_sharing_asks_what_no_view_answers)
        if (now.free_slots() == 0) return Answer();
#elif defined(CASE_sharing_reads_the_number_of_a_node)
        if (n.index() == 0) return Answer();
#elif defined(CASE_sharing_makes_up_a_node)
        if (now.remote_tasks(NodeRef(NodeId(0))) == 0) return Answer();
#elif defined(CASE_sharing_counts_calls)
        if (++calls_of_all > 2'000'000) return Answer();
#elif defined(CASE_sharing_draws)
        if (std::rand() % 2 == 0) return Answer();
#elif defined(CASE_sharing_takes_a_job_that_may_be_none)
        return Answer(Launch{*now.first_local(Order::fair, n), Locality::local});
#elif defined(CASE_sharing_multiplies_two_counts)
        for (const JobRef j : now.jobs(Order::fair))
            if (now.skips(j) * now.running(j) > d) return Answer();
#elif defined(CASE_sharing_makes_an_integer_of_a_count)
        for (const JobRef j : now.jobs(Order::fair))
            if (const std::int64_t skips = now.skips(j); skips > d) return Answer();
#elif defined(CASE_sharing_answers_no_launch)
        return now.first_local(Order::fair, n);
#endif
#ifndef CASE_sharing_answers_no_launch
        for (const JobRef j : now.jobs(Order::fair)) {
#ifdef CASE_sharing_orders_jobs
            for (const JobRef other : now.jobs(Order::fair))
                if (other < j) return Answer();
#endif
            if (now.skips(j) >= d) return Answer(Launch{j, now.nearest(j, n)});
            now.skip(j);
        }
        return Answer();
#endif
    }
#ifdef CASE_sharing_reclaims_no_job
    template <ReclaimingView V>
    [[nodiscard]] constexpr bool reclaim(const V& now) const {
        return now.free_slots() == 0;
    }
#endif
#ifdef CASE_sharing_kills_with_queues
    template <QueueView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V&, NodeRef) const {
        return {};
    }
    template <RoutingView V>
    [[nodiscard]] constexpr typename V::Tied route(const V& now, DataRef data) const {
        return now.shortest(now.own(data));
    }
    template <ReclaimingView V>
    [[nodiscard]] constexpr std::optional<JobRef> reclaim(const V& now) const {
        return now.most_running();
    }
#endif
#ifdef CASE_sharing_makes_up_queues
    template <QueueView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V&, NodeRef) const {
        return {};
    }
    template <RoutingView V>
    [[nodiscard]] constexpr typename V::Tied route(const V&, DataRef) const {
        return typename V::Tied({});
    }
#endif
};

static_assert(admitted<Case>());
