/// The part of `validate` that looks for the policy's worst case on small problems, over all numbers of a shape.
#include <fmt/core.h>

#include <filesystem>

#include "experiments/command/families/family_files.hpp"
#include "experiments/command/validate/validate.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

std::vector<std::string> validate_worst_case(const Validated& of, Journal& journal) {
    std::size_t count = 0;
    std::optional<Stopwatch> watch(std::in_place);
    journal.begin("worst case", "small problems");
    const auto add = [&](const WorstFound& found) {
        Remark remark{.part = "worst case", .about = found.problems, .verdict = "Unknown"};
        if (found.proved == explore::WorstCase::supremum) remark.verdict = "Proved";
        remark.says = found.sentence + (found.ended.empty() ? "" : "\n" + found.ended);
        ++count;
        if (!of.request.evidence.empty() && !found.certificate.empty()) {
            remark.evidence =
                (std::filesystem::path(of.request.evidence) / fmt::format("worst-{}.json", count)).string();
            write_text(remark.evidence, found.certificate);
        }
        remark.seconds = watch->seconds();
        journal.add(std::move(remark));
        watch.emplace();
    };
    try {
        return files_of(of.family).worst_cases(of.id, validation_budget(of), add);
    } catch (const InputError& error) {
        return {std::string("worst cases: ") + error.what()};
    } catch (const LimitExceeded& limit) {
        return {std::string("worst cases: ") + limit.what()};
    }
}

}  // namespace schedproof::cli
