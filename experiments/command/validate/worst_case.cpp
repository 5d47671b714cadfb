/// The part of `validate` that looks for the policy's worst case on small shapes, over all numbers of a shape.
#include <filesystem>

#include "experiments/command/families/family_files.hpp"
#include "experiments/command/validate/validate.hpp"
#include "experiments/command/worst/worst.hpp"
#include "model/core/errors.hpp"

namespace schedproof::command {

namespace {

/// The file for the proof of what is found on a shape, if evidence is asked for.
std::string certificate_file(const Validated& of, std::size_t shape) {
    if (of.request.evidence.empty()) return "";
    return (std::filesystem::path(of.request.evidence) / fmt::format("worst-{}.json", shape + 1)).string();
}

}  // namespace

void validate_worst_case(const Validated& of, Journal& journal) {
    const FamilyFiles& files = files_of(of.family);
    const std::vector<std::string> shapes = files.standard_shapes();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Stopwatch watch;
        WorstRequest request;
        request.policy = of.id;
        request.shape = shapes[i];
        request.certificate = certificate_file(of, i);
        request.budget = of.request.budget;
        Remark remark{.part = "worst case", .about = shapes[i], .verdict = "Unknown"};
        try {
            const WorstFound found = files.find_worst(request);
            if (found.proved == explore::WorstCase::supremum) remark.verdict = "Proved";
            remark.says = found.sentence + (found.ended.empty() ? "" : "\n" + found.ended);
            remark.evidence = found.certificate;
        } catch (const InputError& error) {
            remark.says = error.what();
        } catch (const LimitExceeded& limit) {
            remark.says = limit.what();
        }
        remark.seconds = watch.seconds();
        journal.add(std::move(remark));
    }
}

}  // namespace schedproof::command
