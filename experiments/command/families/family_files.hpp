/// What the commands ask of a family: instances of users, what a bundle of a counterexample holds, and the search for
/// a policy's worst case.
///
/// The commands know no family; they ask these interfaces. A family implements FamilyFiles in a file of its own and is
/// listed in checks/families.hpp.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/core/claim.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/families/bundle_text.hpp"
#include "experiments/command/policy_header/code_family.hpp"
#include "experiments/simulators/core/observation.hpp"
#include "model/base/cursor.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/explore/worst_case.hpp"

namespace schedproof::cli {

struct WorstRequest;
class FamilySimulation;

/// An instance that a file holds.
class InstanceFile {
  public:
    virtual ~InstanceFile() = default;
    /// For people, in some lines.
    [[nodiscard]] virtual std::string summary() const = 0;
    [[nodiscard]] virtual std::string toml() const = 0;
    [[nodiscard]] virtual std::string json() const = 0;
    /// As what claims are checked on.
    [[nodiscard]] virtual checks::DomainPtr domain() const = 0;
    /// The same in slots of this length, or in continuous time without one. Throws InputError of a family that has one
    /// time, and of an instance that has no such form.
    [[nodiscard]] virtual std::unique_ptr<InstanceFile> in_time(const std::optional<Rational>& slot) const;
};

/// A counterexample as the body of a test, which reads no file.
struct TestCode {
    std::vector<std::string> includes;  ///< paths besides those of claims
    std::string setup;                  ///< lines that make what `problem` names
    std::string problem;                ///< an expression: the family's Case
    std::string traits;                 ///< the family's traits: `SharingFamily`
};

/// A system on which policies are simulated side by side, on the same random numbers.
struct Comparison {
    std::string system;    ///< its name
    std::string quantity;  ///< of the observations, that is compared
    std::vector<std::pair<std::string, std::unique_ptr<const simulation::Experiment>>> policies;  ///< by id
};

/// What a policy does on a small problem, drawn: for its page, whether or not a claim about it fails.
struct PolicyPicture {
    std::string heading;                                        ///< `Its chain on a small cluster`
    std::string words;                                          ///< what is drawn
    std::vector<std::string> command;                           ///< that draws it too; may be empty
    std::vector<std::pair<std::string, std::string>> pictures;  ///< name of the file without its ending; SVG
};

/// What a search for a policy's worst case on some small problems came to.
struct WorstFound {
    std::string problems;  ///< name of the shape
    explore::WorstCase proved = explore::WorstCase::lower_bound;
    std::string sentence;
    std::string ended;        ///< which budget, of a lower bound
    std::string certificate;  ///< of a supremum: the text that shows that it is not exceeded
};

/// What `schedproof list` shows of a family besides policies and claims.
struct Listed {
    std::string id, summary;
    std::vector<std::pair<std::string, std::string>> values = {};  ///< of an option, with meanings, the default first
};

/// A claim and those that its argument uses, as the papers and docs/models give it. No verdict depends on it: every
/// claim is checked by itself, whatever it rests on.
struct Argument {
    std::string_view claim;
    std::vector<std::string_view> rests_on;
};

class FamilyFiles : public CodeFamily {
  public:
    /// Whether users describe instances of the family in files.
    [[nodiscard]] virtual bool has_instance_files() const { return true; }
    /// The instance that a document of the family holds. Requires a family with instance files.
    /// Throws InputError with file, line, key path and what was expected.
    [[nodiscard]] virtual std::unique_ptr<InstanceFile> decode(const base::Cursor& document) const = 0;

    // A bundle: files in its folder.
    /// Writes the problem on which the claim fails, so that read_problem reads it.
    virtual void write_problem(const std::string& folder, const std::string& claim,
                               const checks::Counterexample& shrunk) const = 0;
    /// Writes the problem as it was found, before it was shrunk; returns the name under which it is known.
    [[nodiscard]] virtual std::string write_found(const std::string& folder, const std::string& claim,
                                                  const checks::Counterexample& found) const = 0;
    /// What the policy of this id is on the problem: its rules, or the values of its parameters.
    [[nodiscard]] virtual std::string definition(const checks::Counterexample& at) const = 0;
    /// Makes the policy of a bundle known where it was the user's own and the bundle holds what it is.
    virtual void know_policy(const BundleText& bundle) const;
    /// Reads the problem of a bundle, with the policy by its id.
    [[nodiscard]] virtual checks::Counterexample read_problem(const BundleText& bundle,
                                                              const std::string& policy) const = 0;
    /// The file that write_problem writes.
    [[nodiscard]] virtual std::string problem_file() const { return "instance.toml"; }
    /// The line of a member of that file, or 0 when it is not known.
    [[nodiscard]] virtual std::size_t line_of(const std::string& path, const std::string& key) const;
    /// Whether problems lie at states of their instance.
    [[nodiscard]] virtual bool has_states() const { return false; }
    /// Where in its instance a problem lies, as members of a JSON object: none, or, with states, queue_names, state and
    /// direction.
    [[nodiscard]] virtual Json place(const checks::Counterexample& at) const;
    /// Writes pictures and traces besides those of the claim.
    virtual void illustrate(const std::string& folder, const std::string& claim,
                            const checks::Counterexample& shrunk) const;
    /// Requires a counterexample as read_problem reads it.
    [[nodiscard]] virtual TestCode test_code(const checks::Counterexample& shrunk) const = 0;

    /// The file of a new policy in C++: one of the literature, which compiles, to be changed. In place of its id, the
    /// name of its struct and that of the file stand @ID@, @TYPE@ and @FILE@.
    [[nodiscard]] virtual std::string policy_template() const = 0;
    /// The same as a text that needs no compiler; empty in a family whose policies are code.
    [[nodiscard]] virtual std::string policy_text_template() const { return {}; }
    /// The file of a new policy that begins with the rules of another, as a text or in C++. Requires a family whose
    /// policies are data. Throws InputError that names the other's file.
    [[nodiscard]] virtual std::string policy_from(const std::string& file, std::string_view id, std::string_view type,
                                                  bool text) const;

    /// `lyapunov`: named functions of the state; `options`: interpretations of the model.
    [[nodiscard]] virtual std::vector<Listed> listed(std::string_view) const { return {}; }
    /// Without a cycle; each claim once, and claims that rest on no other are left out.
    [[nodiscard]] virtual std::vector<Argument> arguments() const { return {}; }

    [[nodiscard]] std::string refusal(const std::string& policy) const override;

    /// How `schedproof worst` searches for the worst case of the family's policies: answers the request and returns the
    /// exit code. Null when the family has no objective with an optimum to compare with.
    using Worst = int (*)(const WorstRequest&);
    [[nodiscard]] virtual Worst worst() const { return nullptr; }

    /// What the policy does on a small problem of the family, always the same one. None where it cannot run there.
    [[nodiscard]] virtual std::optional<PolicyPicture> pictured(const std::string& policy) const;

    /// How `schedproof simulate` runs the family's policies, with options of its own; null when nothing runs them.
    [[nodiscard]] virtual std::shared_ptr<FamilySimulation> simulation() const { return nullptr; }

    // What `validate` looks at.
    /// Ids of claims that compare the ways of running a policy; none where the family itself compares them (`refusal`).
    [[nodiscard]] virtual std::vector<std::string> language_claims() const { return {}; }
    /// The problem of a counterexample in full, as text.
    [[nodiscard]] virtual std::string shown(const checks::Counterexample& at) const = 0;
    /// Looks for the policy's worst case on small problems and tells of each as it is found. Returns what was not
    /// covered, in words; nothing where the family has no `worst`.
    [[nodiscard]] virtual std::vector<std::string> worst_cases(
        const std::string& policy, const explore::Budget& budget,
        const std::function<void(const WorstFound&)>& found) const;
    /// Standard systems for the policy, which comes first, and the policies that a new one is set against.
    /// `length` is that of a run, in the systems' units of time.
    [[nodiscard]] virtual std::vector<Comparison> comparisons(const std::string& policy, std::uint64_t length) const;
};

/// The files of every family, in the order of checks::families().
[[nodiscard]] const std::vector<std::unique_ptr<const FamilyFiles>>& family_files();
/// Those of them whose policies are code.
[[nodiscard]] CodeFamilies code_families();
/// Requires a registered family.
[[nodiscard]] const FamilyFiles& files_of(const checks::Family& family);
/// Throws OracleConflict with the reason when a policy of the family is refused. Every subcommand that runs a policy
/// calls it first. Requires the ids of a family and of a policy in it.
void require_agreement(std::string_view family, const std::string& policy);

}  // namespace schedproof::cli
