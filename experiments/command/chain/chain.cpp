/// `chain`: the exact stationary law of a truncated instance, and the means that follow from it.
///
/// All probabilities and means are rational. The law is printed only after its weights times (P - I) were found to be
/// zero in integers; then identities that every chain in equilibrium satisfies are checked with residual exactly zero.
/// The mean delay is E sum Q over throughput, by Little's law. A truncated chain is always stable, so nothing here
/// speaks of stability, nor, without a certificate of the untruncated mean, of how far a mean is from that. Without
/// truncation the states may not end, and the error at the limit names the options that end them. Source: [schedproof],
/// docs/models/queueing.md, A slot.
#include <fmt/core.h>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/certified_mean.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/queueing/chains/chain_analysis.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::cli {

struct ChainRequest {
    SystemRequest system;
    bool whole_law = false;
    std::string mean;  ///< file of a certificate
    std::uint64_t max_states = queueing::default_max_states;
    Destination to;
};

namespace {

using namespace queueing;

/// The interval of the mean number of tasks without truncation that a certificate proves.
/// Throws InputError unless the file is an accepted certificate of just this mean.
std::pair<Rational, Rational> untruncated_mean(const std::string& file, const LoadedSystem& loaded) {
    const CertifiedMean mean = read_certified_mean(file, "--mean");
    if (mean.of.kind != StateFunction::Kind::tasks)
        throw InputError::at_key("--mean", "expected a certificate of a mean number of tasks (--of tasks)");
    if (mean.policy != loaded.system.info().id || mean.digest != certify::digest_of(*loaded.instance))
        throw InputError::at_key("--mean",
                                 fmt::format("expected a mean of this instance under {}, not one of '{}' under {}",
                                             loaded.system.info().id, mean.instance, mean.policy));
    return {mean.lower, mean.upper};
}

/// What is printed of a chain that has been solved.
struct Solved {
    const LoadedSystem& loaded;
    const Chain& chain;
    const ChainAnalysis& analysis;
    std::optional<std::pair<Rational, Rational>> untruncated;  ///< interval of the mean number of tasks
    bool whole_law;

    [[nodiscard]] Rational probability(std::size_t state) const {
        return analysis.law.probability(static_cast<markov::StateIndex>(state));
    }
};

struct Untruncated {
    Rational lower, upper;
    Rational truncated;  ///< mean number of tasks of the chain
};

struct Weighted {
    StateOf state;
    Rational probability;
};

std::string lengths_text(const Solved& solved) {
    std::string text;
    const std::vector<Rational>& length = solved.analysis.means.length;
    for (const QueueId q : IdRange<QueueId>(length.size()))
        text += fmt::format("  {:<18}{}   tasks\n",
                            "E Q[" + solved.loaded.system.layout().name(*solved.loaded.instance, q) + "]",
                            display(length[q.index()]));
    return text;
}

Record<Solved> means_record() {
    const auto mean = [](const char* name, auto ChainMeans::*of, const char* meaning) {
        return field(
            name, [of](const Solved& s) { return s.analysis.means.*of; }, meaning);
    };
    const auto rate = [&](const char* name, auto ChainMeans::*of, const char* meaning) {
        return mean(name, of, meaning).unit("tasks a slot, or per unit of time").form("{}   tasks {per_time}");
    };
    return Record<Solved>{
        mean("length", &ChainMeans::length, "Mean number of tasks in each queue, in the order of `queue_names`.")
            .items(1)
            .unit("tasks")
            .hidden(),
        lines("lengths", lengths_text),
        mean("tasks", &ChainMeans::tasks, "Sum of the mean lengths.").unit("tasks").label("E sum Q"),
        aside("per_time", [](const Solved& s) { return per_time(*s.loaded.instance); }),
        aside("times", [](const Solved& s) { return units_of_time(*s.loaded.instance); }),
        rate("arrival_rate", &ChainMeans::arrival_rate, "Before truncation."),
        rate("blocked_rate", &ChainMeans::blocked_rate, "Lost to truncation.").label("blocked"),
        rate("throughput", &ChainMeans::throughput, "Completions."),
        mean("delay", &ChainMeans::delay, "tasks / throughput (Little), or null without throughput.")
            .unit("slots, or the unit of time")
            .label("mean delay")
            .form("{}   {times} (Little: E sum Q / throughput)")
            .none("none: no throughput")}
        .column(18);
}

std::vector<Weighted> stationary(const Solved& solved) {
    std::vector<Weighted> law;
    for (std::size_t s = 0; s < solved.chain.states.size(); ++s)
        law.push_back({{solved.loaded.system, solved.chain.states[s]}, solved.probability(s)});
    return law;
}

/// Long: a line or two for each field of the answer.
const Answer<Solved>& chain_answer() {
    using S = Solved;
    const Record<Identity> identity{
        field("statement", &Identity::statement, "The equation."),
        field("residual", &Identity::residual,
              "Left side minus right side; another value would have ended the run with exit code 4.")
            .words({"0"})};
    const Record<Untruncated> untruncated{
        field("lower", &Untruncated::lower, "The mean is at least this.").hidden(),
        field("upper", &Untruncated::upper, "And at most this.").hidden(),
        words("E sum Q         ", [](const Untruncated& u) {
            return fmt::format("[{}, {}]   tasks: {} to {} more than the truncated chain's", exact_decimal(u.lower),
                               exact_decimal(u.upper), exact_decimal(rounded_down(u.lower - u.truncated, 6)),
                               exact_decimal(rounded_up(u.upper - u.truncated, 6)));
        })};
    const Record<Weighted> weighted{
        field("state", &Weighted::state, "", state_record()),
        field("probability", &Weighted::probability, "Range: 0 to 1; 0 for a transient state.").least(0)};
    static const Answer<S> answer{
        "chain", "Exact stationary law and means of a truncated instance. Answer of `schedproof chain --format json`.",
        Record<S>{
            instance_field([](const S& s) { return s.loaded.instance->name(); }),
            policy_field([](const S& s) { return s.loaded.system.info().id; }),
            definition_field([](const S& s) { return definition(s.loaded.system.info().id); }),
            truncation_field([](const S& s) { return describe(s.chain.truncation, *s.loaded.instance); }),
            queue_names_field([](const S& s) { return queue_names(*s.loaded.instance, s.loaded.system.layout()); }),
            field(
                "states", [](const S& s) { return s.chain.states.size(); }, "Reachable states.")
                .least(1)
                .label("chain")
                .form("{} reachable states, {transitions} transitions; {recurrent} recurrent in one class of period "
                      "{period}"),
            field(
                "transitions", [](const S& s) { return s.chain.matrix.transitions(); },
                "Pairs of states with positive probability.")
                .least(1)
                .hidden(),
            field(
                "recurrent", [](const S& s) { return s.analysis.recurrent; },
                "States of the one closed class; all others are transient.")
                .least(1)
                .hidden(),
            field(
                "period", [](const S& s) { return s.analysis.period; },
                "Period of that class; 1 when the chain converges to the law from every state.")
                .least(1)
                .hidden(),
            field(
                "method", [](const S& s) { return s.analysis.law.method; },
                "How the law was found; it is verified exactly, whatever the method.")
                .label("solved")
                .form("the whole stationary vector, verified exactly: weights times (P - I) is zero in integers\n"
                      "            {}"),
            field(
                "means", [](const S& s) -> const S& { return s; }, "Means in equilibrium.", means_record())
                .label("means in equilibrium"),
            field(
                "untruncated",
                [](const S& s) {
                    return s.untruncated ? std::optional(Untruncated{s.untruncated->first, s.untruncated->second,
                                                                     s.analysis.means.tasks})
                                         : std::nullopt;
                },
                "Only with --mean: an interval that holds the mean number of tasks without truncation.", untruncated)
                .unit("tasks")
                .optional(),
            field(
                "identities", [](const S& s) { return s.analysis.identities; },
                "Balance equations that the law was checked against.", identity)
                .items(1)
                .label("checked")
                .below("{#} identities hold with residual exactly zero:", "{statement}"),
            field(
                "stationary", [](const S& s) { return s.whole_law ? std::optional(stationary(s)) : std::nullopt; },
                "Only with --law: every state; the probabilities sum to 1.", weighted)
                .items(1)
                .optional()
                .label("stationary law")
                .below("", "{probability:<34} {state.line}")}
            .column(12)};
    return answer;
}

}  // namespace

int run(const ChainRequest& request) {
    require_writable({request.to.path});
    const LoadedSystem loaded = load(request.system);
    const ExactSystem& system = loaded.system;
    std::optional<std::pair<Rational, Rational>> untruncated;
    if (!request.mean.empty()) untruncated = untruncated_mean(request.mean, loaded);
    Progress progress("chain");
    ChainLimits limits;
    limits.states = request.max_states;
    limits.progress = [&](std::size_t done, std::size_t) {
        progress.report("states expanded", static_cast<double>(done), 0);
    };
    const Chain chain = chain_of(system, limits);
    markov::StationaryOptions options;
    options.progress = [&](std::string_view stage, double done) { progress.report(stage, done, 1); };
    const ChainAnalysis analysis = analyse(system, chain, options);

    return write_answer(request.to, chain_answer(), {loaded, chain, analysis, untruncated, request.whole_law});
}

namespace {

OptionTable options(ChainRequest& r) {
    return joined(
        {system_options(r.system),
         {{.names = "--law", .target = &r.whole_law, .meaning = "print the probability of every state"},
          max_states_option(r.max_states),
          {.names = "--mean",
           .value = "FILE",
           .target = &r.mean,
           .meaning =
               "certificate of the mean number of tasks without truncation; the answer states the distance from it"}},
         destination_options(r.to)});
}

}  // namespace

Subcommand chain() {
    return make_subcommand<ChainRequest>(
        "chain", "exact stationary law and means of a truncated instance",
        "schedproof chain experiments/instances/m2-half.toml -p wang-jsq-maxweight --cap-queue 3", options,
        forms(chain_answer));
}

}  // namespace schedproof::cli
