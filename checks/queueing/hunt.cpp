/// A hunt asks of each cluster only whether the policy is transient there, never whether it is stable: most clusters
/// are none on which it breaks, and must be left soon.
///
/// All clusters are asked first by what is cheap: a function that grows in every mode of arrivals, and functions that
/// grow in a cone. Both are linear programs over the rules' alternatives, of milliseconds. Where that finds nothing,
/// the clusters of few servers are asked by the cells of the joint state, too, at the greatest load. Either way the
/// first cluster with a proof is taken, so what is found is the smallest in the order of the search, and not of all
/// clusters.
///
/// Its load is below 1 by an exact solution before anything is asked: beyond that every policy is transient, which says
/// nothing about this one. Then the cluster is shrunk as the counterexamples of claims are (smaller.cpp), as long as
/// what found it proves it transient, and the load is below 1.
///
/// No simulation and no floating-point number decides what is skipped.
#include "checks/queueing/hunt.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "checks/core/shrink.hpp"
#include "checks/queueing/family.hpp"
#include "checks/queueing/hunted_clusters.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/queueing/transience/transience_search.hpp"

namespace schedproof::checks {

using namespace queueing;

namespace {

/// How much is asked of a cluster.
enum class Effort { terms, cells };
/// Cells multiply with the servers.
constexpr std::size_t most_servers_for_cells = 3;
/// Clusters that are asked at once; the first with a proof counts. By cells some take seconds.
constexpr std::size_t batch_of(Effort effort) { return effort == Effort::terms ? 32 : 8; }

struct Proof {
    TransienceProof transience;
    std::string by;
};

/// Nothing where no proof is found, or what is asked does not speak of the policy.
std::optional<Proof> prove(const SymbolicSystem& system, Effort effort, const explore::Budget& budget) {
    if (effort == Effort::terms) {
        std::optional<TransienceProof> proof = search_transience_by_terms(system);
        if (!proof) return std::nullopt;
        const char* by = proof->theorem.modes ? "modes" : "a cone";
        return Proof{std::move(*proof), by};
    }
    try {
        TransienceOutcome outcome = search_transience(system, budget);
        if (auto* proof = std::get_if<TransienceProof>(&outcome)) return Proof{std::move(*proof), "cells"};
    } catch (const InputError&) {
    } catch (const LimitExceeded&) {}
    return std::nullopt;
}

class Hunt {
  public:
    Hunt(const PolicyOfSize& policy, const HuntOptions& options) : policy_(policy), options_(options) {
        for (std::size_t servers = smallest_hunted(); servers <= largest_hunted(); ++servers)
            static_cast<void>(make_policy(policy(servers)));  // refuses what is unknown or follows a plan
    }

    HuntOutcome run() {
        if (!look(Effort::terms) && !outcome_.ended) (void)look(Effort::cells);
        if (outcome_.tried == 0 && refusal_) throw *refusal_;
        if (refusal_) outcome_.why_unfit = refusal_->what();
        return std::move(outcome_);
    }

  private:
    /// A cluster that was asked.
    struct Asked {
        InstancePtr instance;
        std::optional<Proof> proof;
        std::optional<InputError> refusal;
    };

    bool look(Effort effort) {
        for (const HuntStage& stage : hunt_stages()) {
            if (effort == Effort::cells && stage.servers > most_servers_for_cells) continue;
            const std::vector<HuntedCluster> clusters = clusters_of(stage);
            const std::size_t all = clusters.size() * loads(effort).size();
            const std::size_t batch = options_.threads == 1 ? 1 : batch_of(effort);
            for (std::size_t first = 0; first < all; first += batch) {
                if (!goes_on(effort, stage)) return false;
                if (look(effort, stage, clusters, first, std::min(batch, all - first))) return true;
            }
        }
        return false;
    }

    /// All loads, or where cells are asked the last alone.
    [[nodiscard]] std::span<const Rational> loads(Effort effort) const {
        const std::span<const Rational> all(options_.loads);
        return effort == Effort::terms ? all : all.last(1);
    }

    bool goes_on(Effort effort, const HuntStage& stage) {
        const std::string what = stage.in_words() + (effort == Effort::cells ? ", by cells" : "");
        outcome_.ended = options_.go_on && !options_.go_on(what, outcome_.tried);
        if (!outcome_.ended) outcome_.reached = what;
        return !outcome_.ended;
    }

    /// A batch of clusters; whether one was found.
    bool look(Effort effort, const HuntStage& stage, const std::vector<HuntedCluster>& clusters, std::size_t first,
              std::size_t count) {
        std::vector<Asked> asked(count);
        std::atomic<std::size_t> found = count;  // none behind it needs to be asked
        base::for_each_index(count, options_.threads, [&](std::size_t i) {
            if (i > found) return;
            const std::span<const Rational> all = loads(effort);
            const std::size_t at = first + i;
            asked[i].instance = at_load(stage, clusters[at / all.size()], all[at % all.size()]);
            ask(effort, asked[i]);
            std::size_t before = found;
            while (asked[i].proof && i < before && !found.compare_exchange_weak(before, i)) {}
        });
        for (Asked& one : asked) {
            if (one.refusal && !refusal_) refusal_ = one.refusal;
            if (!one.instance || (one.refusal && effort == Effort::cells)) continue;
            ++(one.refusal ? outcome_.unfit : effort == Effort::terms ? outcome_.tried : outcome_.by_cells);
            if (!one.proof) continue;
            minimise(one.instance, effort);
            return true;
        }
        return false;
    }

    /// Forgets an instance whose load is not below 1.
    void ask(Effort effort, Asked& asked) const {
        if (!asked.instance || !is_inside(*asked.instance)) {
            asked.instance = nullptr;
            return;
        }
        try {
            const AnyPolicy policy = make_policy(policy_(asked.instance->servers().size()));
            const SymbolicSystem system(*asked.instance, policy);
            if (system.layout().lists_tasks())
                throw InputError::at_key(
                    "policy",
                    "expected one whose queues need no list of their tasks: of others no transience is proved");
            asked.proof = prove(system, effort, options_.budget);
        } catch (const InputError& error) {  // the policy cannot run there
            asked.refusal = error;
        }
    }

    [[nodiscard]] static bool is_inside(const Instance& instance) {
        return capacity::solve(instance).upper < Rational(1);
    }

    [[nodiscard]] std::optional<Proof> proof_on(const Instance& instance, Effort effort) const {
        if (instance.servers().size() < smallest_hunted() || !is_inside(instance)) return std::nullopt;
        const AnyPolicy policy = make_policy(policy_(instance.servers().size()));
        return prove(SymbolicSystem(instance, policy), effort, options_.budget);
    }

    void minimise(const InstancePtr& found, Effort effort) {
        const std::string policy = policy_(found->servers().size());
        bool cut = false;
        const auto complaint = [&](const ClusterState& at) -> Violation {
            cut = cut || (options_.go_on && !options_.go_on("minimising", outcome_.tried));
            return !cut && proof_on(*at.instance, effort) ? Violation("transient") : Violation();
        };
        const ExactState empty = registered_exact(*found, policy).initial();
        HuntFind find{found, found, "", Unknown{}, "", false};
        if (!complaint({found, empty}).empty()) {
            auto shrunk = shrink<QueueingFamily>({found, empty}, policy, complaint);
            find.instance = std::move(shrunk.problem.instance);
            find.one_minimal = shrunk.minimal && !cut;
        }
        find.policy = policy_(find.instance->servers().size());
        Proof proof = proof_on(*find.instance, effort).value();
        find.by = proof.by;
        find.verdict = proved(Certificate{find.instance, find.policy, std::move(proof.transience.theorem),
                                          std::move(proof.transience.proofs)});
        outcome_.find = std::move(find);
    }

    const PolicyOfSize& policy_;
    const HuntOptions& options_;
    HuntOutcome outcome_;
    std::optional<InputError> refusal_;  // of a cluster on which the policy does not run
};

}  // namespace

const std::vector<Rational>& hunted_loads() {
    static const std::vector<Rational> loads{Rational(9, 10), Rational(39, 40)};
    return loads;
}

explore::Budget hunt_budget() {
    explore::Budget budget;
    budget.solver = 2'000'000;
    budget.paths = 300;
    return budget;
}

HuntOutcome hunt_transience(const PolicyOfSize& policy, const HuntOptions& options) {
    return Hunt(policy, options).run();
}

}  // namespace schedproof::checks
