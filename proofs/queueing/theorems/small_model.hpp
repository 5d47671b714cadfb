/// Small clusters with symbolic rates: what a MaxWeight-type policy decides, read from its code.
/// The method stands at the head of small_model.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/symbolic/parametric_policy.hpp"
#include "proofs/queueing/theorems/fragment.hpp"
#include "proofs/queueing/theorems/small_clusters.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::queueing {

/// By how much a decision may miss the best, in numbers of tasks: what thresholds cost. For queues per server the
/// length joined exceeds the least by at most `routing`, and the greatest weight the chosen one by at most `serving`
/// times the local rate; for queues per server and level the workload over rate joined exceeds the least by at most
/// `routing` over the square of the remote rate. Queues of other arrangements miss nothing.
struct Slack {
    std::uint64_t routing = 0;
    std::uint64_t serving = 0;
    friend bool operator==(const Slack&, const Slack&) = default;
};

/// A small cluster on which to read a policy's decisions. Value; shares its instance.
class SmallModel {
  public:
    /// Without `rates`, rates and costs are symbols, rates at most 1 in slots; with them every cost is one half.
    /// Throws InputError when the policy cannot run on it, or no drift argument is known for it.
    SmallModel(ParametricPolicy policy, std::shared_ptr<const Instance> cluster, Slack slack = {}, Rates rates = {});
    /// On the cluster with two or three levels that shows all pairs of distances.
    SmallModel(ParametricPolicy policy, std::size_t levels, Slack slack = {}, const Rates& rates = {},
               Timing timing = Timing::slots);

    [[nodiscard]] const Instance& instance() const { return *instance_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] const proof::Space& space() const { return space_; }
    /// Queue lengths at a point of the space.
    [[nodiscard]] std::vector<Rational> lengths(const std::vector<Rational>& point) const;

    /// A queue and its value as the drift argument counts it: a polynomial in rates, costs and lengths.
    struct Valued {
        QueueId queue;
        proof::Polynomial value;
    };
    /// The queues that a type may join: length, or workload over rate for queues per server and level.
    [[nodiscard]] std::vector<Valued> admissible(TaskTypeId type) const;
    /// The queues that a server may serve: rate times length, or the workload of its own queues.
    [[nodiscard]] std::vector<Valued> servable(ServerId m) const;

    [[nodiscard]] explore::Question routing(TaskTypeId type) const;
    [[nodiscard]] explore::Question serving(ServerId m) const;
    [[nodiscard]] explore::Question price(TaskTypeId type, ServerId m) const;

  private:
    using Multiplier = explore::Parametric::Multiplier;
    static constexpr std::uint32_t price_symbol = 1000;
    [[nodiscard]] static proof::Polynomial polynomial(const Multiplier& multiplier) {
        return proof::Polynomial().add(multiplier.factor, multiplier.monomial);
    }
    [[nodiscard]] Multiplier rate(Level level) const;
    [[nodiscard]] Multiplier slowness(Level level) const;
    [[nodiscard]] Multiplier cost(TaskTypeId type) const;
    [[nodiscard]] proof::Polynomial length(QueueId q) const;
    /// Above 0 if a task waits: in slots the length, for a decision may take a task that is in execution there.
    [[nodiscard]] proof::Polynomial waiting(QueueId q) const;
    [[nodiscard]] proof::Polynomial workload(ServerId m) const;
    /// By what a chosen value may miss the best one.
    [[nodiscard]] proof::Polynomial routing_slack() const;
    [[nodiscard]] proof::Polynomial serving_slack() const;
    void add_symbol(const proof::Polynomial& p, const std::string& label);
    void add_symbols();
    void add_products(QueueId q, Level level, const std::string& r);
    void add_bounds_of_waiting();
    void add_orders();
    void add_orders_of_slowness();
    [[nodiscard]] bool has_thresholds_of_work() const;
    template <class Decide>
    [[nodiscard]] std::vector<explore::Forbidden> with_view(const std::vector<explore::Affine>& symbols,
                                                            Decide&& decide) const;
    [[nodiscard]] explore::Forbidden exceeds(const proof::Polynomial& a, const proof::Polynomial& b) const;
    [[nodiscard]] std::string name(TaskTypeId type) const;
    void find_own_queue(const std::vector<Candidate>& answer, ServerId m, std::vector<explore::Forbidden>& no) const;
    void find_greatest(const std::vector<Candidate>& answer, const std::vector<Valued>& allowed,
                       std::vector<explore::Forbidden>& no) const;

    ParametricPolicy policy_;
    std::size_t levels_;
    Slack slack_;
    Rates rates_;
    std::shared_ptr<const Instance> instance_;
    Layout layout_;
    proof::Space space_;
    std::shared_ptr<explore::Linearization> linearization_ = std::make_shared<explore::Linearization>();
};

/// One question of the drift argument, with the cluster that it is asked on.
struct Leaf {
    SmallModel model;
    explore::Question question;
};
/// All of them, on the clusters that speak for every cluster: those of the policy's reduction, or the one small cluster
/// where it has none.
[[nodiscard]] std::vector<Leaf> leaves(const ParametricPolicy& policy, std::size_t levels, Slack slack = {},
                                       const Rates& rates = {}, Timing timing = Timing::slots);

}  // namespace schedproof::queueing
