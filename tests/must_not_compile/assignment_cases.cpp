// Assignment policies that the type system must refuse, one per CASE_ macro; CASE_assignment_control is one done right.
#include "model/assignment/policy.hpp"

using namespace schedproof;
using namespace schedproof::assignment;

struct Case {
    static constexpr PolicyInfo info{"case", "test", "test"};
    Rational wait{1};
#ifdef CASE_assignment_keeps_an_undeclared_member
    mutable int calls = 0;
#endif
    static constexpr std::tuple parameters{Parameter("W", &Case::wait)};
#ifdef CASE_assignment_turns_online
    static inline bool online = false;
#else
    static constexpr bool online = false;
#endif

#ifdef CASE_assignment_draws_from_one_generator
    template <Number N>
    [[nodiscard]] auto schedule(const Problem<N>& problem, Sampler& randomness) const {
        static_cast<void>(randomness.uniform(2));
#else
    template <Number N>
    [[nodiscard]] auto schedule(const Problem<N>& problem) const {
#endif
        const N load = problem.load(CoreId(0));
        ScheduleResult<N> result;
#if defined(CASE_assignment_multiplies_loads)
        const bool last = load * load > N(4);
#elif defined(CASE_assignment_reads_a_load_as_machine_number)
        const bool last = static_cast<double>(load) > 4;
#elif defined(CASE_assignment_compares_with_double)
    const bool last = load > 0.5;
#elif defined(CASE_assignment_asks_for_a_number_of_one_mode)
    const bool last = load.value() > 4;
#else
    const bool last = load + problem.time(wait) > problem.local;
#endif
        for (std::size_t t = 0; t < problem.shape->tasks().size(); ++t) result.assignment.emplace_back(last ? 1 : 0);
#ifdef CASE_assignment_answers_a_map_alone
        return result.assignment;
#else
        return result;
#endif
    }
};

static_assert(admitted<Case>());
