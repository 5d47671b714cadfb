/// `schedproof validate`: everything that this program can say of one policy, as it comes in.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/core/family.hpp"
#include "checks/core/run.hpp"
#include "checks/suite/policy_proofs.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/validate/deadline.hpp"
#include "experiments/statistics/sample.hpp"
#include "model/queueing/any_policy.hpp"
#include "proofs/explore/explorer.hpp"

namespace schedproof::cli {

struct ValidateRequest {
    std::string policy;                  ///< a file, or the name of a registered policy
    std::vector<std::string> instances;  ///< files, beside the built-in instances
    std::vector<std::string> only;       ///< files, in place of all others
    std::string evidence;                ///< directory for certificates and counterexamples, or empty
    std::uint64_t seed = 1;
    std::uint64_t cases = 200;
    std::uint64_t slots = 20'000;             ///< of each simulation; 0: none
    std::optional<std::uint64_t> time_limit;  ///< none: 1200 of a policy that is code. Unit: seconds
    bool both_times = false;                  ///< each named instance also in the other time
    bool no_mutants = false;
    bool dry_run = false;  ///< say what would be asked, and ask nothing
    bool hunt = false;     ///< only look for a small cluster on which the policy breaks
    BudgetRequest budget;
    Destination to;
};

/// The smallest problem that was found on which a claim fails.
struct FoundProblem {
    std::string problem, violation;
    bool one_minimal = false;
};

/// Of suite::Standing, in its order.
inline constexpr std::array<const char*, 3> standing_names{"stable", "transient", "unknown"};

/// What one look at the policy came to.
struct Remark {
    std::string part;                              ///< what was looked at: `language`, `claim`, `stability`, ...
    std::string about;                             ///< the claim, the instance
    std::string verdict = {};                      ///< kinds of verdicts, or `Measured`
    std::optional<suite::Standing> standing = {};  ///< of a cluster under the policy, which the verdict is about
    std::string says = {};
    double seconds = 0;
    bool against = false;                             ///< speaks against the policy
    bool open = false;                                ///< the policy is held to it, and it is not settled
    bool built_in = false;                            ///< about a built-in instance, where the user named others
    std::string evidence = {};                        ///< a file or directory
    std::uint64_t cells = 0, cases = 0;               ///< of its proofs, and asked
    std::optional<FoundProblem> counterexample = {};  ///< for programs
};

/// The remarks in the order in which they come. Text for standard output is printed at once.
class Journal {
  public:
    Journal(const Destination& to, const Deadline& deadline)
        : streams_(to.format == "text" && to.path == "-"), deadline_(deadline) {}

    /// What is looked at now, for those who wait. Throws TimeIsOver, as `report` does.
    void begin(std::string_view part, std::string_view about);
    void report(std::string_view stage, std::size_t done, std::size_t all);
    /// What was begun last.
    [[nodiscard]] const std::string& now() const { return now_; }
    void add(Remark remark);
    /// A line of text, of which JSON has a form of its own.
    void say(const std::string& line);
    [[nodiscard]] const std::vector<Remark>& remarks() const { return remarks_; }
    /// What was not printed yet.
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t count(const std::string& verdict) const;
    [[nodiscard]] bool any_against() const;
    [[nodiscard]] bool any_open() const;

  private:
    bool streams_;
    Deadline deadline_;
    std::string now_;
    Progress progress_{"validate"};
    std::string text_;
    std::vector<Remark> remarks_;
};

/// The policy that is validated, and what it is asked about.
struct Validated {
    const ValidateRequest& request;
    const checks::Family& family;
    Deadline deadline;
    std::string id;
    /// Of queueing: those that the user or the policy's file names, then the built-in ones.
    std::vector<std::shared_ptr<const queueing::Instance>> instances;
    std::size_t named_instances = 0;  ///< how many of them are named
    checks::HeldTo held = {};         ///< what its file holds it to
    std::string lyapunov = {};        ///< the function that its file names, or empty

    /// Whether what is found there is beside the point: the user named other instances.
    [[nodiscard]] bool beside(std::size_t instance) const { return named_instances > 0 && instance >= named_instances; }
};

// The parts, in the order in which they run. Each adds its remarks. Stability and mutants are of queueing policies.
/// Whether all ways of running it agree. False: nothing more may be said of it.
[[nodiscard]] bool validate_language(const Validated& of, Journal& journal);
/// Throws InputError when the function that its file names is known on no instance.
void require_lyapunov(const Validated& of);
/// The claims to which its file holds it, on all the instances that they name; then those that speak of the policy,
/// unless the user keeps to instances.
void validate_claims(const Validated& of, Journal& journal);
/// What `validate_claims` and `validate_language` would ask, in words.
[[nodiscard]] std::string planned_claims(const Validated& of);
using suite::Standing;
/// Stability or transience on each instance, with certificates. `standings`, one for each instance, are filled in one
/// by one.
void validate_stability(const Validated& of, std::vector<Standing>& standings, Journal& journal);
/// Exact intervals of the mean number of tasks where the policy is stable, with boxes of some ten thousand states; with
/// more servers such boxes hold a few tasks only. Returns where none is given, and why.
[[nodiscard]] std::vector<std::string> validate_means(const Validated& of, const std::vector<Standing>& standings,
                                                      Journal& journal);
/// The drift argument for every number of servers, with two levels and with three, or with as many as the instances
/// have to which the user keeps; with which of them it is proved.
[[nodiscard]] std::vector<std::size_t> validate_every_cluster(const Validated& of, Journal& journal);
/// The worst ratio of its objective to the optimum on small problems, where the family has an objective; what was not
/// covered.
[[nodiscard]] std::vector<std::string> validate_worst_case(const Validated& of, Journal& journal);
/// A mean of the policy, and of others less it.
struct ObservedMean {
    std::string system, quantity, unit;
    std::optional<statistics::Estimate> mean;  ///< none: nothing was observed
    std::vector<std::pair<std::string, statistics::Estimate>> differences = {};
};
/// Means beside those of other policies, on the same random numbers; where stability is not settled, also whether the
/// number of tasks grows from the empty state and from a large one.
[[nodiscard]] std::vector<ObservedMean> validate_by_simulation(const Validated& of,
                                                               const std::vector<Standing>& standings,
                                                               Journal& journal);

/// Whether the mean delays of two policies on the same arrivals differ by more than the 99.9 % interval of their
/// difference.
[[nodiscard]] bool delays_differ(const Validated& of, const std::shared_ptr<const queueing::Instance>& instance,
                                 const queueing::AnyPolicy& policy, const queueing::AnyPolicy& other);

/// How many single changes of the rules the checks tell apart, on the instances on which the policy runs.
struct MutationScore {
    std::size_t mutants = 0;
    std::size_t alike = 0;            ///< move as the policy does from every state that was drawn
    std::size_t noticed = 0;          ///< of the others
    std::vector<std::string> missed;  ///< the changes that none of the checks told apart
};
/// `standings` and `levels` are what the policy's own proofs came to. No mutants where the policy runs on no instance.
/// Requires a policy that follows no plan.
[[nodiscard]] MutationScore validate_mutants(const Validated& of, const std::vector<Standing>& standings,
                                             const std::vector<std::size_t>& levels, Journal& journal);

/// What all parts came to, besides their remarks.
struct Outcome {
    std::vector<Standing> standings;
    std::vector<std::size_t> levels;
    std::vector<ObservedMean> means;
    MutationScore mutants;
    std::vector<std::string> not_covered = {};  ///< by the search for worst cases, or by the intervals of means
};

struct ValidateAnswer {
    const Validated& of;
    const Outcome& outcome;
    const Journal& journal;
    std::vector<std::string> not_covered;
    double seconds = 0;
};
[[nodiscard]] const Answer<ValidateAnswer>& validate_answer();

/// Kinds of verdicts, as remarks name them.
inline constexpr std::array<const char*, 6> remark_verdicts{"Proved",  "Exhausted", "Survived",
                                                            "Refuted", "Unknown",   "Measured"};

/// What all of these would do, in words; for `--dry-run`.
[[nodiscard]] std::string plan_of(const Validated& of);

/// Whether the rules of a queueing policy mean something on an instance only, by the plan that is made for it.
[[nodiscard]] bool follows_plan(const Validated& of);

/// The budget of one exploration, which throws TimeIsOver.
[[nodiscard]] explore::Budget validation_budget(const Validated& of);
/// Without `--max-cells` the search for a Lyapunov function has a limit of its own: it would take minutes.
[[nodiscard]] checks::StabilityOptions stability_options(const Validated& of);

int run(const ValidateRequest& request);

}  // namespace schedproof::cli
