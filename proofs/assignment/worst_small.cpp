/// Worst cases on small shapes: a first look at a policy of which nothing is known.
///
/// Two or three servers and tasks: there the policies of the papers differ already, and a look takes seconds. Shapes
/// are asked one kind after another, so that a budget which ends on one leaves what was found on the others.
#include <vector>

#include "model/core/errors.hpp"
#include "proofs/assignment/theorems/shape_range.hpp"
#include "proofs/assignment/worst.hpp"

namespace schedproof::assignment {

WorstCertificate usual_question(const std::string& policy, std::string shapes, Costs costs) {
    const AnyPolicy made = make_policy(policy);
    WorstTheorem theorem;
    theorem.shapes = std::move(shapes);
    theorem.costs = std::move(costs);
    theorem.wait = wait_of(made);
    theorem.counted = made.is_online() ? Counted::events : Counted::map;
    return {policy, std::move(theorem), {}};
}

namespace {

struct Asked {
    std::string shapes;  ///< one, or a range
    Costs costs;
};

/// One remote cost function for all servers: a symbol, or 1 + n.
std::vector<Asked> small_questions() {
    const Costs common{Costs::Kind::common, {}};
    const Costs affine{Costs::Kind::given, {CostFunction<Rational>({Rational(2)}, Rational(1))}};
    const auto range = [](const char* text) { return name(parse_shape_range(text)); };
    return {{range("servers=2 cores=1 tasks=2"), common},
            {range("servers=2 cores=1 tasks=3"), common},
            {range("servers=3 cores=1 tasks=2 replicas=1"), affine},
            {"2,1:0/0", affine}};
}

}  // namespace

SmallWorst worst_on_small_shapes(const std::string& policy, const explore::Budget& budget,
                                 const std::function<void(const CertifiedWorst&)>& found) {
    SmallWorst result;
    for (const auto& [shapes, costs] : small_questions()) {
        const WorstCertificate asked = usual_question(policy, shapes, costs);
        try {
            result.found.push_back(certified_worst(asked, Competitor::automatic, budget));
            if (found) found(result.found.back());
        } catch (const LimitExceeded& limit) {
            result.not_covered.push_back(shapes + ": " + limit.what());
        } catch (const InputError& error) {
            result.not_covered.push_back(shapes + ": " + error.what());
        }
    }
    result.not_covered.emplace_back("more than three servers, three tasks, or two cores of a server");
    result.not_covered.emplace_back("costs that differ between servers");
    return result;
}

}  // namespace schedproof::assignment
