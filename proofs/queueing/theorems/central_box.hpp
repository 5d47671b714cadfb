/// The steps of a central scheduler (central_model.hpp) on the states of a box, as tables.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "proofs/queueing/theorems/central_model.hpp"

namespace schedproof::queueing {

/// Where the parts of a step lead from every state of a box, and means and least means of functions over a step.
/// Numbers N are Fixed, exactly, or long double. Means are multiplied by common denominators, so all weights are
/// integers.
class CentralBox {
  public:
    using Index = std::uint32_t;
    static constexpr Index none = std::numeric_limits<Index>::max();

    /// Throws LimitExceeded past `most` states. Cost: 4 bytes a state for each server, start and arrival outcome.
    CentralBox(const CentralModel& model, std::uint32_t radius, std::uint64_t most, unsigned threads);

    [[nodiscard]] const CentralModel& model() const { return model_; }
    [[nodiscard]] std::size_t size() const { return tasks_.size(); }
    /// In the system. Per state.
    [[nodiscard]] const std::vector<std::uint32_t>& tasks() const { return tasks_; }
    [[nodiscard]] std::size_t status(std::size_t m, Index i) const { return status_[m][i]; }
    /// With server m idle, after its task completed.
    [[nodiscard]] Index ended(std::size_t m, Index i) const { return ended_[m][i]; }
    /// After a start of starts(m); `none` where server m is busy or no such task waits.
    [[nodiscard]] Index started(std::size_t m, std::size_t start, Index i) const { return started_[m][start][i]; }
    /// After an outcome of a factor; `none` outside the box.
    [[nodiscard]] Index arrived(std::size_t factor, std::size_t outcome, Index i) const {
        return arrived_[factor][outcome][i];
    }
    /// Of a type, in the system, with preemption; and without one of them, `none` where there is none.
    [[nodiscard]] std::uint32_t present(std::size_t type, Index i) const { return present_[type][i]; }
    [[nodiscard]] Index left(std::size_t type, Index i) const { return left_[type][i]; }
    /// After the servers, in their order, took the tasks that they named; 0 names none, else a type + 1.
    [[nodiscard]] Index started_as_named(const std::vector<std::size_t>& names, Index i) const;
    /// Whether each server that names a type can serve it and gets a task, those before it served first. Without
    /// arrivals.
    [[nodiscard]] bool all_get(const std::vector<std::size_t>& names, Index i) const;

    /// Calls `use(next, weight)` for every joint outcome of the arrivals; weights sum to the product of the factors'
    /// common denominators, and `next` is `none` outside the box.
    template <class Use>
    void each_arrival(Index i, Use&& use) const {
        follow_arrivals(0, i, 1, use);
    }
    /// Calls `use()` with `names` set to each list of names that the servers may give: 0 for a busy one.
    template <class Use>
    void each_naming(Index i, std::vector<std::size_t>& names, Use&& use) const {
        names.assign(model_.servers(), 0);
        for (;;) {
            use();
            std::size_t m = 0;
            for (; m < names.size(); ++m) {
                if (status_[m][i] != 0) continue;
                if (++names[m] <= model_.types()) break;
                names[m] = 0;
            }
            if (m == names.size()) return;
        }
    }

    /// Calls `use(next, weight)` for every event, in continuous time; weights sum to common_of_step. `next` is `none`
    /// outside the box. With preemption the servers execute what `names` says, those of lowest index first.
    template <class Use>
    void each_event(Index i, const std::vector<std::size_t>& names, Use&& use) const {
        for (std::size_t o = 0; o < arrived_.front().size(); ++o)
            use(arrived_.front()[o][i], model_.arrivals().front().weights[o]);
        std::vector<std::uint32_t> taken(model_.preemptive() ? model_.types() : 0, 0);
        for (std::size_t m = 0; m < model_.servers(); ++m) {
            const auto [next, weight] = completion(m, i, names, taken);
            if (weight > 0) use(next, weight);
            if (weight < model_.fastest(m)) use(i, model_.fastest(m) - weight);
        }
    }

    /// At each state, times common_of_step: the least mean of `next` after a step, over all choices. Requires that
    /// `next` is `outside` at all states with more tasks than the radius less the layer, in the box and beyond: so no
    /// step that begins beyond the box matters. Throws LimitExceeded when a Fixed passes 127 bits.
    template <class N>
    [[nodiscard]] std::vector<N> least_mean(const std::vector<N>& next, N outside) const;
    /// The mean of `next` after what follows the choices of a step, times common_after_choices.
    template <class N>
    [[nodiscard]] std::vector<N> after_choices(std::vector<N> next, N outside) const;
    /// `outside`, as after_choices has it.
    template <class N>
    [[nodiscard]] N outside_after_choices(N outside) const;
    /// The mean of a step from a state by names, times common_of_step, where `after` and `outside` are as
    /// after_choices and outside_after_choices give them.
    template <class N>
    [[nodiscard]] N mean_as_named(const std::vector<std::size_t>& names, Index i, const std::vector<N>& after,
                                  N outside) const;

  private:
    template <class Use>
    void follow_arrivals(std::size_t factor, Index i, std::int64_t weight, Use& use) const {
        if (factor == arrived_.size()) return use(i, weight);
        const CentralModel::Factor& law = model_.arrivals()[factor];
        for (std::size_t o = 0; o < law.weights.size(); ++o)
            follow_arrivals(factor + 1, i == none ? none : arrived_[factor][o][i], weight * law.weights[o], use);
    }
    /// The completion at a server: where it leads, and its weight. `taken` counts the tasks of those before it.
    [[nodiscard]] std::pair<Index, std::int64_t> completion(std::size_t m, Index i,
                                                            const std::vector<std::size_t>& names,
                                                            std::vector<std::uint32_t>& taken) const;
    void set_state(std::size_t i, ExactState state, const StateBox& box);
    void set_server(std::size_t m, std::size_t i, ExactState& state, const StateBox& box);
    template <class N>
    [[nodiscard]] std::vector<N> after_services(std::vector<N> next) const;
    template <class N>
    [[nodiscard]] std::vector<N> after_event(const std::vector<N>& next, N outside) const;
    template <class N>
    [[nodiscard]] std::vector<N> least_after_starts(std::vector<N> value) const;
    template <class N>
    [[nodiscard]] std::vector<N> after_arrivals(std::vector<N> value, N outside) const;
    template <class N>
    [[nodiscard]] std::vector<N> least_as_named(const std::vector<N>& value, N outside) const;

    CentralModel model_;
    unsigned threads_;
    std::vector<std::uint32_t> tasks_;
    std::vector<std::vector<std::uint8_t>> status_;
    std::vector<std::vector<Index>> ended_;
    std::vector<std::vector<std::vector<Index>>> started_, arrived_;
    std::vector<std::vector<std::uint32_t>> present_;  // with preemption
    std::vector<std::vector<Index>> left_;
};

}  // namespace schedproof::queueing
