#include "experiments/command/report/means.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "model/base/cursor.hpp"
#include "model/base/text.hpp"
#include "proofs/certifier/certify.hpp"
#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::cli::site {

namespace {

namespace fs = std::filesystem;
using base::Cursor;

/// Whether the file begins as a certificate of a mean does: most certificates are of other kinds, and long.
bool is_of_mean(const fs::path& file) {
    std::ifstream stream(file);
    std::string head(400, '\0');
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    return head.find("\"theorem\": \"mean\"") != std::string::npos;
}

/// The quantity of a certificate in words, with its unit.
std::string quantity_of(const Cursor& of) {
    constexpr std::uint64_t any = std::uint64_t{1} << 62U;
    const std::string kind = of.require("kind", "a kind").text("a kind");
    if (kind == "tasks") return "tasks in the system";
    if (kind == "waiting") return "waiting tasks";
    if (kind == "delay") return "time of a task in the system, in slots";
    if (kind == "busy") return "busy servers";
    if (kind == "tasks-squared") return "square of the tasks in the system";
    if (kind == "squares") return "weighted sum of squares of queues";
    if (kind == "queue")
        return fmt::format("tasks of queue {}", of.require("queue", "a queue").count(0, any, "a queue"));
    return fmt::format("probability of more than {} tasks", of.require("above", "a number").count(0, any, "a number"));
}

CertifiedMean mean_of(const Checked& row, const Finding& finding, const std::string& file) {
    const base::Node document =
        base::parse_document(base::read_text(file, certify::max_certificate_bytes), base::Format::json, file);
    const Cursor root(document, file);
    const Cursor statement = root.require("statement", "a statement");
    const auto bound = [&](const char* key) {  // nothing that a mean is of is ever negative
        return queueing::exact_decimal(std::max(statement.require(key, "a number").number(), Rational(0)));
    };
    return {row.claim,
            root.require("policy", "a policy").text("a policy"),
            root.require("instance", "an instance").require("name", "a name").text("a name"),
            quantity_of(statement.require("of", "a quantity")),
            bound("lower"),
            bound("upper"),
            finding.evidence};
}

}  // namespace

std::vector<CertifiedMean> certified_means(const Verdicts& verdicts) {
    std::vector<CertifiedMean> all;
    for (const Checked& row : verdicts.rows)
        for (const Finding& finding : row.findings) {
            const fs::path file = fs::path(row.folder) / finding.evidence;
            if (finding.verdict == "Proved" && finding.evidence.ends_with(".certificate.json") && is_of_mean(file))
                all.push_back(mean_of(row, finding, file.string()));
        }
    return all;
}

}  // namespace schedproof::cli::site
