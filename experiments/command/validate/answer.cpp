/// What `validate` answers in JSON; its text is printed remark by remark, since the parts come minutes apart.
///
/// Each part of the answer (claims, proofs, mutants, simulations, worst cases) is a list of records of its own, and
/// says in `skipped` why it is not there. What only some families have is left out for the others.
#include "checks/families.hpp"
#include "experiments/command/validate/validate.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::cli {

namespace {

using A = ValidateAnswer;

/// The instances of which this is known.
auto named(Standing which) {
    return [which](const A& a) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < a.outcome.standings.size(); ++i)
            if (a.outcome.standings[i] == which) names.push_back(a.of.instances[i]->name());
        return names;
    };
}

std::uint64_t spent(const Journal& journal, std::uint64_t Remark::*what) {
    std::uint64_t sum = 0;
    for (const Remark& remark : journal.remarks()) sum += remark.*what;
    return sum;
}

const Record<Remark>& remark_record() {
    const Record<FoundProblem> problem{
        field("problem", &FoundProblem::problem, "As an instance file, or in lines; of clusters with the state."),
        field("violation", &FoundProblem::violation, "What fails there, with the numbers compared."),
        field("one_minimal", &FoundProblem::one_minimal,
              "Whether no single step of shrinking leaves a counterexample.")};
    static const Record<Remark> record{
        field("part", &Remark::part, "What was looked at.")
            .words({"language", "hope", "claim", "stability", "every cluster", "mean", "worst case", "simulation",
                    "mutants", "hunt", "time"}),
        field("about", &Remark::about, "The claim, the instance, the shape of problems, or the system."),
        field("verdict", &Remark::verdict,
              "Kinds of verdicts with their numbers, of several oracles separated by commas; Measured: sampled, "
              "decides nothing.")
            .pattern("^(Proved|Exhausted|Survived|Refuted|Unknown|Measured)"),
        field(
            "standing",
            [](const Remark& r) {
                return r.standing ? std::optional(standing_names[static_cast<std::size_t>(*r.standing)]) : std::nullopt;
            },
            "What is the case on a cluster, by that verdict; null of remarks that are not about stability.")
            .words(std::vector<std::string>(standing_names.begin(), standing_names.end())),
        field("says", &Remark::says, "What was found, in words; reasons on lines of their own.").or_empty(),
        field("against", &Remark::against, "Whether it speaks against the policy."),
        field("built_in", &Remark::built_in,
              "Whether it is about a built-in instance where the user named others, so that it decides nothing."),
        field("open", &Remark::open, "Whether the policy's file holds it to this, and it is not settled."),
        field("cells", &Remark::cells, "Cells of the proofs that were found."),
        field("cases", &Remark::cases, "Cases asked without a refutation."),
        field("counterexample", &Remark::counterexample,
              "Of the first refutation, the smallest that was found; null where none is.", problem),
        field("seconds", &Remark::seconds, "Time taken. Unit: seconds.").least(0),
        field(
            "evidence", [](const Remark& r) { return if_any(r.evidence); },
            "Certificate, or directory of a counterexample; null where none was written.")};
    return record;
}

template <class T, class Get>
std::vector<FieldOf<T>> estimate_fields(Get get, const char* of) {
    std::vector<FieldOf<T>> fields;
    fields.push_back(field(
        "mean", [get](const T& t) { return get(t).mean; }, of));
    fields.push_back(field(
                         "half_width", [get](const T& t) { return get(t).half_width; },
                         "Of the 95 % Student-t interval; null where there is none.")
                         .least(0));
    return fields;
}

const Record<ObservedMean>& mean_record() {
    using Difference = std::pair<std::string, statistics::Estimate>;
    const Record<statistics::Estimate> estimate(
        estimate_fields<statistics::Estimate>([](const statistics::Estimate& e) { return e; }, "The mean."));
    std::vector<FieldOf<Difference>> of_other{field("policy", &Difference::first, "The other policy.")};
    for (auto& part : estimate_fields<Difference>([](const Difference& d) { return d.second; }, "Of the difference."))
        of_other.push_back(std::move(part));
    static const Record<ObservedMean> record{
        field("system", &ObservedMean::system, "What was simulated, such as an instance."),
        field("quantity", &ObservedMean::quantity, "What was observed, such as the delay of a task."),
        field("unit", &ObservedMean::unit, "Its unit."),
        field("mean", &ObservedMean::mean, "Under the validated policy; null where nothing was observed.", estimate),
        field("differences", &ObservedMean::differences,
              "Means of other policies less that of the validated one, on the same random numbers.",
              Record<Difference>(of_other))};
    return record;
}

const Record<Journal>& verdicts_record() {
    static const Record<Journal> record = [] {
        std::vector<FieldOf<Journal>> fields;
        for (const char* verdict : remark_verdicts)
            fields.push_back(field(
                verdict, [verdict](const Journal& j) { return j.count(verdict); }, "Of remarks."));
        return Record<Journal>(fields);
    }();
    return record;
}

const Record<A>& score_record() {
    const Record<MutationScore> mutants{
        field("all", &MutationScore::mutants, "Single changes of the rules."),
        field("alike", &MutationScore::alike, "Those that move as the policy does from every state drawn."),
        field("noticed", &MutationScore::noticed, "Those of the others that a check tells from the policy."),
        field("missed", &MutationScore::missed, "The changes that none tells apart.")};
    static const Record<A> record{
        field(
            "verdicts", [](const A& a) -> const Journal& { return a.journal; },
            "Remarks with at least one verdict of the kind, those on stability left out.", verdicts_record()),
        field(
            "against", [](const A& a) { return a.journal.any_against(); },
            "Whether any remark speaks against the policy."),
        field("stable", named(Standing::stable), "Instances on which stability is proved."),
        field("transient", named(Standing::transient), "Instances on which transience is proved."),
        field("unknown", named(Standing::unknown), "Instances on which neither is proved."),
        field(
            "every_cluster_levels", [](const A& a) { return a.outcome.levels; },
            "Numbers of levels with which the policy is proved throughput optimal for every number of servers.")
            .least(2),
        field(
            "means", [](const A& a) { return a.outcome.means; }, "By simulated system.", mean_record()),
        field(
            "mutants", [](const A& a) { return a.outcome.mutants; },
            "Whether a slip in the rules would be noticed; all 0 where that was not asked.", mutants)};
    return record;
}

const Record<A>& budget_record() {
    const Record<Journal> all_spent{
        field(
            "cells", [](const Journal& j) { return spent(j, &Remark::cells); }, "Cells of the proofs that were found."),
        field(
            "cases", [](const Journal& j) { return spent(j, &Remark::cases); }, "Cases asked without a refutation.")};
    static const Record<A> record{
        field(
            "solver_units", [](const A& a) { return validation_budget(a.of).solver; },
            "Resource units of the solver per question.")
            .least(1),
        field(
            "cells", [](const A& a) { return validation_budget(a.of).paths; }, "Cells per question.")
            .least(1),
        field(
            "cases", [](const A& a) { return a.of.request.cases; }, "Random cases per claim and instance.")
            .least(1),
        field(
            "slots", [](const A& a) { return a.of.request.slots; }, "Slots of each simulation."),
        field(
            "seed", [](const A& a) { return a.of.request.seed; }, "Seed of random cases and simulations."),
        field(
            "spent", [](const A& a) -> const Journal& { return a.journal; }, "Over all remarks.", all_spent)};
    return record;
}

}  // namespace

const Answer<ValidateAnswer>& validate_answer() {
    const auto itself = [](const A& a) -> const A& { return a; };
    static const Answer<A> answer{
        "validate", "What was found out about one policy. Answer of `schedproof validate --format json`.",
        Record<A>{field(
                      "policy", [](const A& a) { return a.of.id; }, "Id of the policy."),
                  field(
                      "family", [](const A& a) { return std::string(a.of.family.id()); }, "Family of the policy.")
                      .words(checks::family_ids()),
                  field(
                      "definition",
                      [](const A& a) {
                          return queueing::find_rules(a.of.id) == nullptr
                                     ? std::nullopt
                                     : std::optional(queueing::definition(a.of.id));
                      },
                      "Rules of a policy that is data; null of one that is code."),
                  field(
                      "remarks", [](const A& a) -> const std::vector<Remark>& { return a.journal.remarks(); },
                      "In the order in which they came in.", remark_record())
                      .items(1),
                  field("score", itself, "What it comes to.", score_record()),
                  field("not_covered", &A::not_covered, "What was not looked at, in words."),
                  field("budget", itself, "What the verdicts may cost.", budget_record()),
                  field("seconds", &A::seconds, "Time taken. Unit: seconds.").least(0)}
            .told_by([](const A& a) { return a.journal.text(); })};
    return answer;
}

}  // namespace schedproof::cli
