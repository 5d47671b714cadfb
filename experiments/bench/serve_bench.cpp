/// Verdicts of `schedproof serve` beside a process for each question.
///
/// Targets, by the clock on two cores: 20 verdicts a second about stability on two workers; the first answer 0.2 s
/// after the service is started. The baseline is the command, started for each question. What bounds it: the copy of
/// the process that settles a question takes two milliseconds, the smallest linear programs some more.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/bench/support.hpp"
#include "model/base/json.hpp"
#include "model/base/output_file.hpp"
#include "model/base/process.hpp"
#include "model/base/temporary_directory.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace {

using namespace schedproof;

const std::string experiments = SCHEDPROOF_SOURCE_DIR "/experiments";
constexpr int times = 40, single_times = 8;

std::string instance_file(std::string_view name) { return fmt::format("{}/instances/{}.toml", experiments, name); }
std::string rule_file(std::string_view name) { return fmt::format("{}/zoo/{}.policy", experiments, name); }

std::string question(const std::string& rule, const std::string& instance) {
    return to_text(
               base::Json{{"ask", "stable"}, {"policy", base::read_file(rule_file(rule))}, {"instance", instance}}) +
           "\n";
}

/// Seconds by the clock in which a service answers these lines.
double seconds_of(const std::string& lines) {
    const base::TemporaryDirectory folder;
    const std::string file = (folder.path() / "questions").string();
    base::write_file(file, lines);
    const std::string words = fmt::format("{} serve --stdio --instance {} --instance {} < {}", SCHEDPROOF_COMMAND,
                                          instance_file("router-t2"), instance_file("unlike"), file);
    return bench::wall_seconds([&] {
        const base::ProcessEnd end = base::run_process("/bin/sh", {"-c", words});
        const auto settled = std::count(end.out.begin(), end.out.end(), '\n');
        if (!end.good() || settled != std::count(lines.begin(), lines.end(), '\n')) throw Error(end.err);
    });
}

/// The command, started for one question.
double seconds_alone(const std::string& rule, const std::string& instance) {
    return bench::wall_seconds([&] {
        const base::ProcessEnd end =
            base::run_process(SCHEDPROOF_COMMAND, {"zoo", rule_file(rule), "--table", "--slots", "0", "--threads", "1",
                                                   "--instance", instance_file(instance)});
        if (!end.good()) throw Error(end.err);
    });
}

}  // namespace

int main() {
    constexpr double first_target = 0.2, rate_target = 20;
    bool met = true;
    const double first = seconds_of(question("gate", "router-t2"));
    met = met && first <= first_target;
    fmt::print("first answer {:.3f} s after the start (target {} s)\n", first, first_target);
    fmt::print("{:<12} {:<10} {:>12} {:>14} {:>7}\n", "rule", "cluster", "serve, 1/s", "started, 1/s", "ratio");
    for (const auto& [rule, instance] : std::vector<std::pair<std::string, std::string>>{
             {"gate", "router-t2"}, {"shortest", "router-t2"}, {"gate", "unlike"}, {"lmetric", "unlike"}}) {
        std::string lines;
        for (int i = 0; i < times; ++i) lines += question(rule, instance);
        const double rate = times / seconds_of(lines);
        double alone = 0;
        for (int i = 0; i < single_times; ++i) alone += seconds_alone(rule, instance) / single_times;
        const double ratio = rate * alone;
        met = met && rate >= rate_target;
        fmt::print("{:<12} {:<10} {:>12.1f} {:>14.1f} {:>7.1f}\n", rule, instance, rate, 1 / alone, ratio);
    }
    fmt::print("target       {:>23.0f}\n", rate_target);
    return met ? 0 : 1;
}
