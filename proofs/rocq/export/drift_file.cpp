/// Level 3 of a drift is for those that Foster's criterion makes stability of.
#include <fmt/core.h>

#include "proofs/rocq/export/gallina.hpp"
#include "proofs/rocq/export/level_three.hpp"

namespace schedproof::rocq {

using queueing::DriftTheorem;

namespace {

/// Where the measure is at least the threshold, in lowest terms.
Rational measure_scale(const DriftTheorem& theorem) {
    std::vector<Rational> numbers{theorem.measure.constant() - theorem.threshold};
    for (const auto& [x, c] : theorem.measure.terms()) numbers.push_back(c);
    const Rational scale(common_denominator(numbers));
    Integer divisor = 0;
    for (const Rational& number : numbers) divisor = gcd(divisor, (number * scale).numerator());
    return scale / Rational(divisor);
}

/// What the texts of slots and of events say differently.
struct Words {
    std::string step;      ///< of the chain, with its arguments but the last two
    std::string accepts;   ///< the acceptance, with its arguments before V
    std::string meant;     ///< the property of states
    std::string lemmas;    ///< what the names of lemmas begin with
    std::string unknowns;  ///< the arguments of lemmas before the acceptance
    std::string empty;     ///< the lemma about the empty state
};

Words words(const queueing::Instance& instance, const std::string& cluster, const std::string& policy) {
    const std::string both = cluster + " " + policy;
    if (!instance.continuous())
        return {"chain " + both,    "accepts " + both, "valid " + both + " statuses", "",
                " _ _ _ _ _ _ _ _", "empty_valid"};
    const std::string interrupts = instance.preemptive() ? "resume" : "no_preemption";
    const std::string with = cluster + " streams " + interrupts + " " + policy;
    return {"event_chain " + with,
            "event_accepts " + with,
            "between_events " + cluster + " " + interrupts + " " + policy + " statuses",
            "event_",
            " _ _ _ _ _ _ _ _ _ _",
            "event_empty_meant"};
}

/// The acceptance of the trees, and the theorem. `fall` and `threshold` are in the units of V and of the measure there.
std::string closed_drift(const queueing::Instance& instance, const std::string& cluster, const std::string& policy,
                         const std::string& fall, const std::string& threshold) {
    const Words of = words(instance, cluster, policy);
    std::string text = fmt::format(
        "Lemma accepted : {0} V statuses {1} {2} measure trees = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n\n",
        of.accepts, fall, threshold);
    if (instance.continuous())
        text += fmt::format(
            "(* The empty cluster is a state between events; the target, the states of measure below {1}, is a finite "
            "set;\n"
            "   from every state between events the mean of min(number of events until the target is reached, n) is "
            "at\n"
            "   most V / {0}, for every n. That is Foster's criterion: the chain is positive recurrent. *)\n",
            fall, threshold);
    else
        text += fmt::format(
            "(* The empty cluster is a valid state; the target, the states of measure below {1}, is a finite set; from "
            "every\n"
            "   valid state the mean of min(time until the target is reached, n) is at most V / {0}, for every n. That "
            "is\n"
            "   Foster's criterion: the chain is positive recurrent. *)\n",
            fall, threshold);
    return text + fmt::format(
                      "Theorem positive_recurrent :\n"
                      "  let target := measured_below measure {3} in\n"
                      "  {5} (empty_state {0} {1}) /\\\n"
                      "  (forall x, {5} x -> target x = true -> Forall (fun q => 0 <= q < {3}) (fst x)) /\\\n"
                      "  (forall n x, {5} x ->\n"
                      "     (mean_time ({4}) target n x * inject_Z {2} <= inject_Z (value_of V x))%Q).\n"
                      "Proof.\n"
                      "  split; [exact ({8}{7} accepted)|].\n"
                      "  split; [exact ({6}target_finite{7} accepted)|].\n"
                      "  exact ({6}mean_time_bounded{7} accepted).\nQed.\n",
                      cluster, policy, fall, threshold, of.step, of.meant, of.lemmas, of.unknowns, of.empty);
}

}  // namespace

LevelThree drift_file(const queueing::Certificate& certificate, const DriftTheorem& theorem,
                      const std::string& sentence) {
    if (!theorem.empty.empty()) return tl::unexpected<std::string>(stays_empty);
    if (theorem.summands) return tl::unexpected<std::string>("the theory has no proofs by summands");
    if (certificate.instance->batches())
        return tl::unexpected<std::string>("the theory has no batches: its streams bring one task at a time");
    const System system(certificate);
    if (std::string gap = stability_gap(system.symbolic, theorem); !gap.empty())
        return tl::unexpected<std::string>(gap);
    const Rational of_measure = measure_scale(theorem);
    if (!(theorem.threshold * of_measure).is_integer() || theorem.measure.constant().sign() < 0)
        return tl::unexpected<std::string>("the measure of the theorem has a negative or fractional constant");
    const queueing::Layout& layout = system.symbolic.layout();
    const auto v = lyapunov_term(theorem.v, theorem.delta, *certificate.instance, layout);
    if (!v) return tl::unexpected<std::string>(v.error());
    const Stream trees = leaf_trees(proofs_of(certificate, "drift"), {0, 1, of_measure});
    const queueing::Instance& instance = *certificate.instance;
    auto head = file_head(certificate, system, sentence, "positive_recurrent",
                          instance.continuous() ? " EventKernel EventDrift" : "", {{"words", trees}}, theorem.statuses);
    if (!head) return tl::unexpected<std::string>(head.error());
    TheoremFile& file = head->file;
    const Integer fall = (theorem.delta * Rational(v->scale)).numerator();
    const Integer threshold = (theorem.threshold * of_measure).numerator();
    const Term measure = form_term(theorem.measure, of_measure, layout.queues());
    if (instance.continuous()) {
        file.text += "(* The rates at which tasks of the types arrive. *)\n";
        define(file, "streams : list Q", streams_term(instance));
    }
    file.text += fmt::format("(* The Lyapunov function, times {}. *)\n", v->scale.str());
    define(file, "V : lyapunov", v->term);
    define(file, "measure : Z * list Z", measure);
    file.text += "Definition trees : list tree := Eval vm_compute in trees_of (stream words).\n\n";
    file.text +=
        closed_drift(instance, head->cluster, head->policy, fall.str(), threshold.str()) + shown(file.statement);
    if (instance.continuous()) {  // the extracted checker has statements about slots alone
        file.integers = {};
        return std::move(file);
    }
    v->term.put_into(file.integers);
    file.integers.append(trees);
    Term::constructor("Reached", 0, {Term::integer(fall), Term::integer(threshold), measure}).put_into(file.integers);
    return std::move(file);
}

}  // namespace schedproof::rocq
