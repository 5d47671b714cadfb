/// The table is written in the order of the states in EveryPolicy.v, which is that of its box: by what the servers do,
/// idle first, then the fastest rate, then by the waiting tasks.
#include <fmt/core.h>

#include <algorithm>

#include "proofs/queueing/theorems/central_model.hpp"
#include "proofs/rocq/export/gallina.hpp"
#include "proofs/rocq/export/level_three.hpp"

namespace schedproof::rocq {

using queueing::AnyPolicyTheorem;

namespace {

/// The numbers of the theorem in units of the table, made finer so that all are integers.
struct BoundNumbers {
    Integer unit, lower, outside, largest;
    Stream table;
};

BoundNumbers bound_numbers(const AnyPolicyTheorem& theorem) {
    const Rational scale(theorem.scale());
    const Rational lower = theorem.lower * scale, outside = theorem.outside * scale;
    const Integer refinement = common_denominator(std::vector<Rational>{lower, outside});
    const auto refined = [&](const Rational& q) { return (q * Rational(refinement)).numerator(); };
    BoundNumbers of{refined(scale), refined(lower), refined(outside), refined(outside), {}};
    for (const queueing::Fixed entry : *theorem.table) {
        const Integer value = refined(queueing::rational(entry));
        of.largest = std::max(of.largest, value);
        of.table.put(value);
    }
    return of;
}

Term speeds_term(const queueing::CentralModel& model) {
    std::vector<Term> speeds;
    for (std::size_t m = 0; m < model.servers(); ++m) {
        std::vector<Term> own;
        for (const Rational& rate : model.rates(m)) own.push_back(Term::fraction(rate));
        speeds.push_back(Term::list(std::move(own)));
    }
    return Term::list(std::move(speeds));
}

std::string closed_bound(const std::string& cluster, const BoundNumbers& of, const AnyPolicyTheorem& theorem) {
    return fmt::format(
        "Lemma accepted : bounded_by_table {0} speeds {1} {2} ({3}) ({4}) ({5}) table = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        "(* Whoever chooses, by the whole past, at random, and knowing the arrivals of a slot, what idle servers start "
        "in it:\n"
        "   from every valid state, for every eps > 0, the averages over time of the mean number of tasks are at "
        "least\n"
        "   {6} / {7} - eps from some time on. *)\n"
        "Theorem no_policy_below : forall choose, permitted (central_valid {0} speeds) (allowed {0}) choose ->\n"
        "  forall x eps, central_valid {0} speeds x -> (0 < eps)%Q -> exists N, forall n, (N <= n)%nat ->\n"
        "    (({6} # {7}) - eps <= total_under (central_step {0}) number_of_tasks choose n [] x / inject_Z (Z.of_nat "
        "n))%Q.\n"
        "Proof. exact (no_policy_below_it _ _ _ _ _ _ _ _ accepted ({6} # {7}) eq_refl). Qed.\n",
        cluster, of.unit.str(), theorem.radius, of.lower.str(), of.outside.str(), of.largest.str(),
        theorem.lower.numerator().str(), theorem.lower.denominator().str());
}

}  // namespace

LevelThree any_policy_file(const queueing::Certificate& certificate, const AnyPolicyTheorem& theorem,
                           const std::string& sentence) {
    if (theorem.mode != queueing::DecisionMode::knows_arrivals)
        return tl::unexpected<std::string>("the theory has no scheduler whose servers name types before tasks arrive");
    const queueing::Instance& instance = *certificate.instance;
    if (instance.continuous())
        return tl::unexpected<std::string>("the theory has no continuous time: its step is a slot");
    if (instance.rates_at_servers())
        return tl::unexpected<std::string>("the theory has no rates at servers: its levels are distances");
    const BoundNumbers of = bound_numbers(theorem);
    const std::string cluster = identifier(instance.name(), "cluster");
    TheoremFile file{3, "", "no_policy_below", comment(sentence) + "\n", {}};
    file.text +=
        "From Coq Require Import ZArith QArith List Uint63 PArray.\n"
        "From Schedproof Require Import Law Affine Program Cluster Words Means EveryPolicy.\n\n"
        "(* The table, which needs no trust: one that does not fit is refused. *)\n";
    file.text += fmt::format("Definition words : array int := ({})%uint63.\n", of.table.words());
    file.text += "\nImport ListNotations.\nOpen Scope Z_scope.\n\n";
    define(file, cluster + " : cluster", cluster_term(instance));
    file.text += "(* Of each server, the rates at which it may work. *)\n";
    define(file, "speeds : list (list Q)", speeds_term(queueing::CentralModel(instance, theorem.mode)));
    file.text += "Definition table : list Z := Eval vm_compute in stream words.\n\n";
    file.text += closed_bound(cluster, of, theorem) + shown(file.statement);
    return file;
}

}  // namespace schedproof::rocq
