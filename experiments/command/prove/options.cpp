/// Options of `prove`.
#include "experiments/command/core/options.hpp"

namespace schedproof::command {

namespace {

void add_evidence(CLI::App& command, EvidenceRequest& evidence) {
    command.add_option("--certificate", evidence.certificate, "write the proof to this file; see `schedproof certify`");
    command.add_option("--smtlib", evidence.smtlib,
                       "write every step as SMT-LIB 2 into this directory, for other solvers to repeat");
}

void add_prove_drift(CLI::App& prove, ProveDriftRequest& request, int& exit_code) {
    CLI::App& drift = add_command(prove, request, exit_code, "drift",
                                  "the drift of a function of the state is at most -delta outside a finite set",
                                  "schedproof prove drift experiments/instances/m2-half.toml -p wang-jsq-maxweight "
                                  "--lyapunov regret --certificate drift.json");
    add_instance_and_policy(drift, request.system);
    drift.add_option("--lyapunov", request.lyapunov,
                     "a function of `schedproof list lyapunov` or of the instance file");
    drift.add_flag("--find-lyapunov", request.find_lyapunov,
                   "look for a function instead: a quadratic one with terms of the statuses");
    drift.add_flag("--above", request.above, "prove instead that the drift is at least delta there");
    drift.add_option("--delta", request.delta, "bound of the drift, an exact number above 0 (default 1)");
    drift.add_option("--threshold", request.threshold,
                     "sum of the queues from which on it holds, an exact number (default: the least)");
    add_budget(drift, request.budget);
    add_evidence(drift, request.evidence);
    add_destination(drift, request.to);
}

void add_prove_throughput(CLI::App& prove, ProveThroughputRequest& request, int& exit_code) {
    CLI::App& throughput = add_command(prove, request, exit_code, "throughput-optimal",
                                       "negative drift for any number of servers, from lemmas about the policy's code",
                                       "schedproof prove throughput-optimal -p jsq-maxweight --for-all --levels 3");
    throughput.add_option("FILE", request.instance, "instance whose load and constants to use");
    throughput.add_option("-p,--policy", request.policy, "a policy of `schedproof list policies`")->required();
    throughput.add_flag("--for-all", request.for_all, "for every cluster, arrival law inside the region, and rates");
    throughput.add_option("--levels", request.levels, "levels of locality of --for-all, 2 or 3 (default 2)");
    throughput.add_option("--counterexample", request.counterexample,
                          "where a leaf fails, write the small cluster that shows it to this file");
    add_budget(throughput, request.budget);
    add_evidence(throughput, request.evidence);
    add_destination(throughput, request.to);
}

void add_prove_transience(CLI::App& prove, ProveTransienceRequest& request, int& exit_code) {
    CLI::App& transience = add_command(
        prove, request, exit_code, "transience", "started empty, the cluster may never empty again: its queues grow",
        "schedproof prove transience experiments/instances/n2-pandas.toml -p pandas --picture cells.svg");
    add_instance_and_policy(transience, request.system);
    transience.add_option("--picture", request.picture, "draw the cells and their drifts (.dot, .svg or .png)");
    add_budget(transience, request.budget);
    add_evidence(transience, request.evidence);
    add_destination(transience, request.to);
}

void add_prove_steps(CLI::App& prove, ProveStepsRequest& request, int& exit_code) {
    CLI::App& steps = add_command(prove, request, exit_code, "steps",
                                  "the least number of slots over which the sum of squared queues drifts downwards",
                                  "schedproof prove steps experiments/instances/m2-half.toml -p wang-jsq-maxweight");
    steps.add_option("INSTANCE", request.instance, "instance file (TOML or JSON), - for standard input")->required();
    steps.add_option("-p,--policy", request.policy, "a MaxWeight-type policy; see `schedproof list policies`")
        ->required();
    steps.add_option("--max-steps", request.max_steps, "give up beyond this many slots")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    add_destination(steps, request.to);
}

}  // namespace

void add_prove(CLI::App& app, ProveRequests& r, int& exit_code) {
    CLI::App& prove = *app.add_subcommand("prove", "prove or refute a statement about ALL states, with a certificate");
    prove.require_subcommand(1);
    prove.footer(
        "Example:\n  schedproof prove drift experiments/instances/m2-half.toml -p balanced-pandas --lyapunov "
        "workload-squares --certificate drift.json");
    add_prove_drift(prove, r.drift, exit_code);
    add_prove_throughput(prove, r.throughput, exit_code);
    add_prove_transience(prove, r.transience, exit_code);
    add_prove_steps(prove, r.steps, exit_code);
}

}  // namespace schedproof::command
