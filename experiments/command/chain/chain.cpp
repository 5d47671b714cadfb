/// `chain`: the exact stationary law of a truncated instance, and the means that follow from it.
///
/// All probabilities and means are rational. The law is printed only after its weights times (P - I) were found to be
/// zero in integers; then identities that every chain in equilibrium satisfies are checked with residual exactly zero.
/// The mean delay is E sum Q over throughput, by Little's law. A truncated chain is always stable, so nothing here
/// speaks of stability, nor, without a certificate of the untruncated mean, of how far a mean is from that. Without
/// truncation the states may not end, and the error at the limit names the options that end them. Source: [schedproof],
/// docs/models/queueing.md, A slot.
#include <fmt/core.h>

#include "checks/queueing/chain_analysis.hpp"
#include "experiments/command/core/certified_mean.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/certifier/certificate_codec.hpp"
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

Json to_json(const ChainMeans& means) {
    Json length = Json::array();
    for (const Rational& mean : means.length) length.push_back(number(mean));
    return {{"length", length},
            {"tasks", number(means.tasks)},
            {"arrival_rate", number(means.arrival_rate)},
            {"blocked_rate", number(means.blocked_rate)},
            {"throughput", number(means.throughput)},
            {"delay", number(means.delay)}};
}

std::string to_text(const ExactSystem& system, const ChainMeans& means) {
    std::string text = "means in equilibrium\n";
    for (const QueueId q : IdRange<QueueId>(means.length.size()))
        text += fmt::format("  E Q[{}]{:>{}} {}   tasks\n", system.layout().name(system.instance(), q), "",
                            14 - std::min<std::size_t>(13, system.layout().name(system.instance(), q).size()),
                            display(means.length[q.index()]));
    text += fmt::format("  E sum Q           {}   tasks\n", display(means.tasks));
    text += fmt::format("  arrival rate      {}   tasks a slot\n", display(means.arrival_rate));
    text += fmt::format("  blocked           {}   tasks a slot\n", display(means.blocked_rate));
    text += fmt::format("  throughput        {}   tasks a slot\n", display(means.throughput));
    text += fmt::format("  mean delay        {}   slots (Little: E sum Q / throughput)\n",
                        means.delay ? display(*means.delay) : "none: no throughput");
    return text;
}

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

    [[nodiscard]] Rational probability(std::size_t state) const {
        return analysis.law.probability(static_cast<markov::StateIndex>(state));
    }
};

Json to_json(const Solved& solved, bool whole_law) {
    const auto& [loaded, chain, analysis, untruncated] = solved;
    Json identities = Json::array();
    for (const Identity& identity : analysis.identities)
        identities.push_back({{"statement", identity.statement}, {"residual", number(identity.residual)}});
    Json answer{{"instance", loaded.instance->name()},
                {"policy", loaded.system.info().id},
                {"definition", definition(loaded.system.info().id)},
                {"truncation", describe(chain.truncation)},
                {"queue_names", queue_names(*loaded.instance, loaded.system.layout())},
                {"states", chain.states.size()},
                {"transitions", chain.matrix.transitions()},
                {"recurrent", analysis.recurrent},
                {"period", analysis.period},
                {"method", analysis.law.method},
                {"means", to_json(analysis.means)},
                {"identities", identities}};
    if (untruncated)
        answer["untruncated"] = {{"lower", number(untruncated->first)}, {"upper", number(untruncated->second)}};
    if (!whole_law) return answer;
    Json law = Json::array();
    for (std::size_t s = 0; s < chain.states.size(); ++s) {
        law.push_back(
            {{"state", state_json(loaded.system, chain.states[s])}, {"probability", number(solved.probability(s))}});
    }
    answer["stationary"] = std::move(law);
    return answer;
}

std::string to_text(const Solved& solved, bool whole_law) {
    const auto& [loaded, chain, analysis, untruncated] = solved;
    std::string text = fmt::format(
        "instance    {}\npolicy      {}\ntruncation  {}\nchain       {} reachable states, {} transitions; {} recurrent "
        "in one class of period {}\nsolved      the whole stationary vector, verified exactly: weights times (P - I) "
        "is zero in integers\n            {}\n",
        loaded.instance->name(), loaded.system.info().id, describe(chain.truncation), chain.states.size(),
        chain.matrix.transitions(), analysis.recurrent, analysis.period, analysis.law.method);
    text += to_text(loaded.system, analysis.means);
    if (untruncated) {
        const auto& [lower, upper] = *untruncated;
        text += fmt::format(
            "untruncated\n  E sum Q           [{}, {}]   tasks: {} to {} more than the truncated chain's\n",
            exact_decimal(lower), exact_decimal(upper), exact_decimal(rounded_down(lower - analysis.means.tasks, 6)),
            exact_decimal(rounded_up(upper - analysis.means.tasks, 6)));
    }
    text += fmt::format("checked     {} identities hold with residual exactly zero:\n", analysis.identities.size());
    for (const Identity& identity : analysis.identities) text += fmt::format("  {}\n", identity.statement);
    if (!whole_law) return text;
    text += "stationary law\n";
    for (std::size_t s = 0; s < chain.states.size(); ++s)
        text += fmt::format("  {:<34} {}\n", display(solved.probability(s)),
                            to_words(loaded.system, chain.states[s]).line());
    return text;
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
    const Chain chain = [&] {
        try {
            return system.chain(limits);
        } catch (const LimitExceeded& limit) {
            if (system.truncation().rule != Truncation::Rule::none || limit.limit() != "states") throw;
            throw LimitExceeded(
                "states", fmt::format("more than {} reachable states; give --cap-total or --cap-queue", limits.states));
        }
    }();
    markov::StationaryOptions options;
    options.progress = [&](std::string_view stage, double done) { progress.report(stage, done, 1); };
    const ChainAnalysis analysis = analyse(system, chain, options);

    const Solved solved{loaded, chain, analysis, untruncated};
    if (request.to.json())
        write_json_answer(request.to.path, "chain", to_json(solved, request.whole_law));
    else
        write_text(request.to.path, to_text(solved, request.whole_law));
    return 0;
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
        "schedproof chain experiments/instances/m2-half.toml -p wang-jsq-maxweight --cap-queue 3", options);
}

}  // namespace schedproof::cli
