/// The evaluator of rules on lengths that cannot be compared. Internal to `Implied`.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "model/queueing/view.hpp"
#include "proofs/queueing/theorems/summands/implied.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::queueing {

/// Keys of candidates as forms: the evaluator on lengths that cannot be compared.
class Implied::Keys {
  public:
    struct Incomparable {};
    using Number = explore::Affine;

    Keys(const Instance& instance, const Layout& layout, const PlanData* plan)
        : weights_(instance), decider_(space_), view_(instance, layout, weights_, lengths_, nobody_, memory_, plan) {
        for (const QueueId q : IdRange<QueueId>(layout.queues())) lengths_.emplace_back(length_of(q), &decider_);
        nobody_.assign(layout.queues(), 0);
    }
    Keys(const Keys&) = delete;
    Keys& operator=(const Keys&) = delete;

    /// Lengths stand for what `length` counts, and an idle server may choose any queue.
    class View : public queueing::View<explore::Affine> {
      public:
        using queueing::View<explore::Affine>::View;
        [[nodiscard]] static bool conserved() { return false; }
        [[nodiscard]] static bool has_work(QueueId) { throw Incomparable{}; }
    };
    using Quantity = language::Amount<explore::Affine>;
    using Values = std::map<std::size_t, Quantity>;  ///< by node: over a set, or of two keys
    struct Attained {
        const Values* values = nullptr;
        [[nodiscard]] static bool knows_set(std::size_t) { return false; }
        [[nodiscard]] static Ties set(std::size_t) { return {}; }
        [[nodiscard]] bool knows_value(std::size_t at) const { return values->contains(at); }
        [[nodiscard]] Quantity value(std::size_t at) const { return values->at(at); }
    };

    [[nodiscard]] Quantity amount(const language::Tree& tree, language::Asker asker, std::size_t at, const Candidate& c,
                                  const Values& attained) const {
        language::NoRandomness none;
        return language::Evaluation<View, language::NoRandomness, Attained>(tree, view_, asker, none, {&attained})
            .amount(at, c);
    }
    [[nodiscard]] Ties set(const language::Tree& tree, language::Asker asker, std::size_t at) const {
        language::NoRandomness none;
        return language::Evaluation<View, language::NoRandomness>(tree, view_, asker, none).set_at(at);
    }
    [[nodiscard]] const View& view() const { return view_; }

  private:
    class Refusal final : public explore::Decider {
      public:
        using Decider::Decider;

      private:
        [[nodiscard]] bool choose(const proof::Atom&) override { throw Incomparable{}; }
    };

    Weights<explore::Affine> weights_;
    proof::Space space_;
    Refusal decider_;
    Vector<explore::Affine> lengths_;
    Vector<std::uint32_t> nobody_;
    std::vector<explore::Affine> memory_;
    View view_;
};

/// Values of parts of a key, and what holds where they have them.
struct Implied::Ways : std::vector<std::pair<Premises, Keys::Values>> {
    using vector::vector;
};

}  // namespace schedproof::queueing
