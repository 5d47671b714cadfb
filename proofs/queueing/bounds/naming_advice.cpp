#include "proofs/queueing/bounds/naming_advice.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

NamingAdvice::NamingAdvice(const Instance& instance, const AnyPolicyTheorem& theorem, unsigned threads)
    : NamingAdvice(CentralModel(instance, theorem.mode), theorem, threads) {}

NamingAdvice::NamingAdvice(const CentralModel& model, const AnyPolicyTheorem& theorem, unsigned threads)
    : box_(model, theorem.radius + model.layer(), StateBox::max_states, threads),
      numbered_(model.box(theorem.radius + model.layer())),
      outside_(static_cast<long double>(theorem.outside.approximate())),
      common_(static_cast<long double>(model.common_of_step())) {
    require(model.continuous() || theorem.mode == DecisionMode::names_types, "servers that name types");
    const auto unit = static_cast<long double>(Rational(theorem.scale()).approximate());
    std::vector<long double> h(box_.size(), outside_);
    std::size_t used = 0;
    for (std::size_t i = 0; i < h.size(); ++i)
        if (box_.tasks()[i] <= theorem.radius) h[i] = static_cast<long double>((*theorem.table)[used++]) / unit;
    after_ = box_.after_choices(std::move(h), outside_);
    outside_ = box_.outside_after_choices(outside_);
}

std::optional<CentralBox::Index> NamingAdvice::at(const std::vector<std::uint32_t>& waiting,
                                                  const std::vector<std::size_t>& status) const {
    // As CentralModel::box numbers them: tasks in execution are counted in the first queue.
    ExactState state;
    for (const std::uint32_t n : waiting) state.length.push_back(CheckedInt(std::int64_t{n}));
    state.serving.assign(box_.model().servers(), Service{});
    for (std::size_t m = 0; m < status.size(); ++m) {
        if (status[m] == 0) continue;
        state.serving[m] = {Service::Status::busy, Level(status[m] - 1), QueueId(std::size_t{0})};
        state.length[0] = state.length[0] + CheckedInt(1);
    }
    const auto index = numbered_.index(state);
    if (!index) return {};
    return static_cast<CentralBox::Index>(*index);
}

long double NamingAdvice::mean_of(CentralBox::Index i, const Names& names) const {
    return box_.mean_as_named(names, i, after_, outside_) / common_;
}

Names NamingAdvice::best(CentralBox::Index i) const {
    Names names, best;
    long double least = 0;
    const auto named = [](const Names& all) {
        return std::count_if(all.begin(), all.end(), [](std::size_t n) { return n > 0; });
    };
    box_.each_naming(i, names, [&] {
        if (model().continuous() && !box_.all_get(names, i)) return;
        const long double mean = mean_of(i, names), gain = least - mean;
        constexpr auto noise = static_cast<long double>(least_cost);
        if (!best.empty() && gain < noise && (gain < -noise || named(names) <= named(best))) return;
        best = names;
        least = mean;
    });
    return best;
}

double NamingAdvice::cost(CentralBox::Index i, const Names& names) const {
    return static_cast<double>(std::max(mean_of(i, names) - mean_of(i, best(i)), 0.0L));
}

}  // namespace schedproof::queueing
