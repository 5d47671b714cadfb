/// The largest ratio of a policy's makespan to the least one, on all problems of some shapes: what a certificate of
/// `schedproof worst` holds.
///
/// Its upper side is a question about the policy's code for each shape: on every path, no problem lets a finish time of
/// the policy exceed `ratio` times every active core of a competitor. Its lower side is an approach: a line of problems
/// on which the ratio to a named competitor tends to `ratio`. The policy is run again on symbols for both.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proofs/assignment/theorems/ratio_space.hpp"
#include "proofs/assignment/theorems/system_under_test.hpp"
#include "proofs/certificate/explored_proof.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::certify {
class Certifiable;
}  // namespace schedproof::certify

namespace schedproof::assignment {

/// The problems `from + t direction`, in which a local task costs 1, and an assignment for all of them.
struct Approach {
    std::string shape;                ///< as `parse_family` reads it
    bool far = false;                 ///< t grows without end; otherwise t > 0 tends to 0
    std::vector<Rational> from;       ///< by symbol of the shape's RatioSpace
    std::vector<Rational> direction;  ///< by symbol; all 0: one problem, which attains the ratio
    Assignment competitor;
};

struct WorstTheorem {
    std::string shapes;            ///< a shape, or a range of sizes as `name(ShapeRange)` writes it
    Costs costs;                   ///< of remote tasks, in parts of a local one
    std::optional<Rational> wait;  ///< of a policy that waits
    Counted counted = Counted::map;
    std::optional<Rational> ratio;     ///< none: nothing bounds it
    std::optional<Approach> approach;  ///< none: an upper bound alone is stated

    [[nodiscard]] bool attained() const;
};

struct WorstCertificate {
    std::string policy;  ///< id of the policy in the registry
    WorstTheorem theorem;
    std::vector<proof::ExploredProof> proofs;  ///< one per question, in their order
};

/// The shapes that a text names: one, or those of a range. Throws InputError with what was expected.
[[nodiscard]] std::vector<std::shared_ptr<const Shape>> shapes_of(const std::string& text);

/// One question per shape; none when nothing bounds the ratio. An approach that never ends forbids equality too.
/// Throws LimitExceeded when the competitors are too many to enumerate.
[[nodiscard]] std::vector<explore::Question> questions(const SystemUnderTest& system_under_test,
                                                       const WorstTheorem& theorem);

/// Empty when the policy's ratio to the competitor tends to the theorem's along the approach, or when there is none;
/// otherwise what is wrong. Asks no solver.
[[nodiscard]] std::string approach_rejection(const SystemUnderTest& system_under_test, const WorstTheorem& theorem);

/// The policy with its parameters and the makespan that counts: `the makespan of the event loop of delay (W = 3, pick
/// lowest)`.
[[nodiscard]] std::string makespan_text(const std::string& policy, const std::optional<Rational>& wait,
                                        Counted counted);
/// `remote tasks that cost 1 + 1/2 n`, or which costs are symbols.
[[nodiscard]] std::string costs_text(const Costs& costs);
/// `servers with 1, 1 cores, tasks with replicas on {0}, {1}`, or all shapes of a range.
[[nodiscard]] std::string shapes_text(const std::string& shapes);

/// The theorem in words, without the approach.
[[nodiscard]] std::string statement(const WorstCertificate& certificate);
/// The theorem in words, with every number of the approach.
[[nodiscard]] std::string sentence(const WorstCertificate& certificate);

/// Empty when the certificate proves its theorem of the registered policy, otherwise the first reason to reject it.
/// Asks no solver. Cost: one run of the code per leaf and one along the approach, and the multiplications of the
/// proofs.
[[nodiscard]] std::string rejection(const WorstCertificate& certificate);

/// For the certifier: see theorem.hpp.
[[nodiscard]] std::shared_ptr<const certify::Certifiable> certifiable(WorstCertificate certificate);

}  // namespace schedproof::assignment
