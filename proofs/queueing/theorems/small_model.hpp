/// Small clusters with symbolic rates: what a MaxWeight-type policy decides, read from its code.
///
/// The drift argument for such a policy needs three facts, none of which mentions the number of servers:
///   routing   a task joins a queue of least value among those admissible to its type,
///   serving   an idle server turns to a queue of greatest value among those it may serve,
///   prices    mu(L,m) v_L <= w_m, where v_L is the least admissible value and w_m the greatest servable one.
/// Each speaks of one task type or one server and of the queues that the policy compares, which it names through sets
/// and never by position. So a cluster that shows every pair of distances at which two queues can stand shows every
/// case: a violation in a large cluster involves a chosen and a better queue, and is one in the small cluster that
/// keeps these, up to the names of the servers. That leaving out other candidates does not change the choice between
/// two, and that policies do not look at names, holds of arg min and arg max over named sets, of which the registered
/// policies are made; it is not checked here for any other code.
///
/// Rates are symbols r_0 > r_1 > ... > 0 and costs c_t > 0, or, to find real counterexamples, given numbers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/symbolic/parametric_policy.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::queueing {

/// A small cluster on which to read a policy's decisions. Value; shares its instance.
class SmallModel {
  public:
    /// A cluster with two or three levels. With `rates`, one per level, strictly decreasing in (0,1], and
    /// every cost one half; otherwise rates and costs are symbols.
    /// Throws InputError when the policy cannot run on it, or no drift argument is known for it.
    SmallModel(ParametricPolicy policy, std::size_t levels, std::optional<std::vector<Rational>> rates = {});

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
    /// All of them.
    [[nodiscard]] std::vector<explore::Question> questions() const;

  private:
    using Multiplier = explore::Parametric::Multiplier;
    [[nodiscard]] Multiplier rate(Level level) const;
    [[nodiscard]] Multiplier slowness(Level level) const;
    [[nodiscard]] Multiplier cost(TaskTypeId type) const;
    [[nodiscard]] proof::Polynomial length(QueueId q) const;
    [[nodiscard]] proof::Polynomial workload(ServerId m) const;
    void add_symbols();
    void add_orders();
    template <class Decide>
    [[nodiscard]] std::vector<explore::Forbidden> with_view(const std::vector<explore::Affine>& symbols,
                                                            Decide&& decide) const;
    [[nodiscard]] explore::Forbidden exceeds(const proof::Polynomial& a, const proof::Polynomial& b) const;
    [[nodiscard]] std::string name(TaskTypeId type) const;
    void find_own_queue(const std::vector<Candidate>& answer, ServerId m, std::vector<explore::Forbidden>& no) const;

    ParametricPolicy policy_;
    std::size_t levels_;
    std::optional<std::vector<Rational>> rates_;
    std::shared_ptr<const Instance> instance_;
    Layout layout_;
    proof::Space space_;
    std::shared_ptr<explore::Linearization> linearization_ = std::make_shared<explore::Linearization>();
};

}  // namespace schedproof::queueing
