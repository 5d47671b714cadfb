/// Claims: statements of papers, and of this project, that can be checked.
///
/// A claim says something of every policy on its lines, on a family of instances. Its oracles each try to settle it in
/// a way of their own; its property decides one problem exactly, without a solver, and every refutation goes through
/// it. Mutants are seeded faults that an oracle of the claim must catch: a check that cannot fail is a defect. So is a
/// property that could be switched off unnoticed: what it refutes, a mutant of the system or a line that is false as
/// stated, must not be refuted without it. The witness shows that what the claim assumes does happen: no vacuous green.
///
/// A claim is written with the builder of claim_builder.hpp, in terms of its family's problems and policies
/// (family_claim.hpp). The drivers (run.hpp, the command) see every claim as this one type.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/core/claim_text.hpp"
#include "checks/core/domain.hpp"
#include "checks/core/family.hpp"

namespace schedproof::checks {

/// A policy on a domain, to which a claim's oracles can be put.
class AnyTrial {
  public:
    virtual ~AnyTrial() = default;
    /// A problem or number that meets the claim's assumptions, in words; empty when there is none.
    [[nodiscard]] virtual std::string witness() const = 0;
    /// Runs an oracle, by its position, and replays what it refutes. Limits become Unknown.
    /// Throws OracleConflict when the replay finds no violation, or when the certificate of a Proved is not accepted.
    [[nodiscard]] virtual Verdict ask(std::size_t oracle, const Settings& settings) const = 0;
    /// The same with the claim's property switched off. Throws OracleConflict where the oracle refutes all the same.
    [[nodiscard]] virtual Verdict ask_without_property(std::size_t oracle, const Settings& settings) const = 0;
};

struct Shrunk {
    Counterexample counterexample;
    std::size_t tried = 0;  ///< candidates looked at
    bool minimal = false;   ///< 1-minimal: none of its smaller variants fails in the same way
};

/// A picture as a graph.
struct Picture {
    std::string name;  ///< of its files
    std::string dot;
};

/// Why a claim does not speak of a problem.
struct Misfit {
    std::string key;       ///< of the problem as a file
    std::string expected;  ///< in words, after "expected"
};

/// A claim of some family, as drivers see it.
class AnyClaim {
  public:
    virtual ~AnyClaim() = default;
    [[nodiscard]] virtual const Family& family() const = 0;
    [[nodiscard]] virtual std::vector<std::string> oracles() const = 0;
    /// Whether the oracle at a position can be put on the domain.
    [[nodiscard]] virtual bool suits(std::size_t oracle, const Domain& domain) const = 0;
    /// Why the domain is not of those that the claim speaks of; empty when it is.
    [[nodiscard]] virtual std::string outside(const Domain& domain) const = 0;
    /// Requires a domain that is not outside. Throws InputError when there is no such policy, or it cannot run there.
    [[nodiscard]] virtual std::unique_ptr<AnyTrial> trial(const DomainPtr& domain, const std::string& policy) const = 0;
    /// Whether no single problem speaks against the claim, so that it has no property of problems.
    [[nodiscard]] virtual bool of_no_problem() const = 0;
    /// The mutants of the system that its property must refute, without `caught`.
    [[nodiscard]] virtual std::vector<Mutant> mutant_systems() const = 0;
    /// What their oracle says of one of them, by its position, with the claim's property or with that switched off.
    /// Throws OracleConflict when a refutation does not replay.
    [[nodiscard]] virtual Verdict ask_mutant(std::size_t which, bool with_property, const Settings& settings) const = 0;

    // Of a counterexample of the claim's family.
    /// How the claim fails there, by exact computation; empty when it does not.
    [[nodiscard]] virtual std::string violation(const Counterexample& found) const = 0;
    /// Why the claim does not speak of the problem; nothing when it does.
    [[nodiscard]] virtual std::optional<Misfit> misfit(const Counterexample& found) const = 0;
    /// The problem in a line.
    [[nodiscard]] virtual std::string describe(const Counterexample& found) const = 0;
    /// Pictures of the problem, under a title of some lines.
    [[nodiscard]] virtual std::vector<Picture> pictures(const Counterexample& found,
                                                        const std::vector<std::string>& title) const = 0;
    /// A smaller counterexample: the first smaller variant on which the claim still fails, again and again, until none
    /// does or `limit` variants, or as many as is usual in the family, were looked at. Deterministic.
    [[nodiscard]] virtual Shrunk shrink(Counterexample found, std::optional<std::size_t> limit = {}) const = 0;
};

template <class F>
struct FamilyClaim;
/// The claim for drivers; of family_claim.hpp, whose inclusion a call requires.
template <class F>
[[nodiscard]] std::shared_ptr<const AnyClaim> any_claim(FamilyClaim<F> claim);

struct Claim : ClaimText {
    template <class F>
    Claim(FamilyClaim<F> claim)  // NOLINT(google-explicit-constructor)
        : ClaimText(static_cast<const ClaimText&>(claim)), any(any_claim(std::move(claim))) {
        add_mutant_systems();
    }

    std::shared_ptr<const AnyClaim> any;

    [[nodiscard]] const Family& family() const { return any->family(); }

  private:
    /// Those of the system first among the mutants.
    void add_mutant_systems();
};

}  // namespace schedproof::checks
