/// The page of the documentation that says on which evidence the verdicts on each policy rest: of every policy of every
/// family at least one of each kind, without an exception.
///
/// Counts are of the run of all claims that a test of the suite leaves behind. Beyond that, this test runs each policy
/// in its family's simulator and draws it, certifies a certificate of it or replays a counterexample. With
/// SCHEDPROOF_UPDATE_DOCS=1 in the environment the page is written anew, for a person to look at.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "checks/families.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/report/curves.hpp"
#include "experiments/command/report/evidence.hpp"
#include "experiments/command/reproduce/catalogue.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "tests/support/command.hpp"

namespace schedproof::cli::site {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

/// What was found of a policy, by the way in which it was found.
struct Found {
    std::size_t explored = 0, exact = 0, enumerated = 0, random = 0, simulated = 0;
    std::vector<fs::path> certificates, counterexamples;  ///< of explored verdicts; of all verdicts
};

class EvidencePage : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        const char* directory = std::getenv("SCHEDPROOF_EVIDENCE");
        if (directory == nullptr) throw InputError("expected the directory of `schedproof check --evidence`");
        evidence_ = directory;
        verdicts_ = read_verdicts(verdicts_file(directory));
    }

    [[nodiscard]] Found found(const std::string& family, const std::string& policy) const;
    /// Whether the checker accepts a certificate of an explored verdict, or a counterexample is replayed where there is
    /// none.
    void expect_accepted(const Found& of) const;
    /// In how many figures the policy runs, and once more in its family's simulator.
    [[nodiscard]] std::size_t runs(const std::string& family, const std::string& policy) const;

    fs::path evidence_;
    Verdicts verdicts_;
};

Found EvidencePage::found(const std::string& family, const std::string& policy) const {
    Found of;
    const std::map<std::string, std::size_t Found::*> column{{"bounds", &Found::exact},
                                                             {"certificate", &Found::exact},
                                                             {"exhaustive", &Found::enumerated},
                                                             {"sampled", &Found::random},
                                                             {"simulation", &Found::simulated}};
    for (const Checked& row : verdicts_.rows) {
        if (row.policy != policy || !row.claim.starts_with(family + ".")) continue;
        for (const Finding& finding : row.findings) {
            if (finding.verdict == "Unknown") continue;
            const fs::path left = evidence_ / finding.evidence;
            const bool is_certificate = finding.evidence.ends_with(".certificate.json"),
                       is_bundle = fs::exists(left / "counterexample.json");
            if (is_bundle) of.counterexamples.push_back(left);
            if (finding.oracle == "explore") {
                EXPECT_TRUE(is_certificate || is_bundle) << row.claim << " of " << policy << " rests on nothing";
                if (is_certificate) of.certificates.push_back(left);
                ++of.explored;
            } else {
                const auto at = column.find(finding.oracle);
                EXPECT_TRUE(at != column.end()) << finding.oracle << " is in no column";
                if (at != column.end()) ++(of.*at->second);
            }
        }
    }
    return of;
}

void EvidencePage::expect_accepted(const Found& of) const {
    if (of.certificates.empty()) {
        ASSERT_FALSE(of.counterexamples.empty());
        static_cast<void>(good("check --replay '" + of.counterexamples.front().string() + "'"));
        return;
    }
    const auto smaller = [](const fs::path& a, const fs::path& b) { return fs::file_size(a) < fs::file_size(b); };
    const fs::path least = *std::min_element(of.certificates.begin(), of.certificates.end(), smaller);
    EXPECT_TRUE(good("certify '" + least.string() + "'").starts_with("accepted"));
}

std::size_t EvidencePage::runs(const std::string& family, const std::string& policy) const {
    const std::map<std::string, std::string> command{
        {"queueing", "simulate experiments/instances/m2-half.toml --horizon 2000 --replications 1 --quiet -p "},
        {"sharing", "simulate --nodes 20 --horizon 500 --replications 1 --quiet -p "},
        {"redundancy", "simulate --rate 1/2 --horizon 500 --replications 1 --quiet -p "},
        {"assignment", "assign experiments/instances/assignment/dyndl-example.toml --quiet -p "}};
    static_cast<void>(good(command.at(family) + policy));
    std::size_t figures = 0;
    for (const FigureDeclaration& declaration : catalogue()) {
        Figure figure;
        figure.declaration = declaration.file.path;
        figure.paper = declaration.paper;
        const auto shown = policies_of(figure);
        figures += std::find(shown.begin(), shown.end(), std::pair(family, policy)) != shown.end() ? 1 : 0;
    }
    return figures + 1;
}

/// How many pictures of counterexamples of the policy there are, and of what it does on a small problem.
std::size_t pictures(const checks::Family& family, const std::string& policy, const Found& of) {
    const std::optional<PolicyPicture> small = cli::files_of(family).pictured(policy);
    std::size_t count = 0;
    if (small)
        for (const auto& [name, svg] : small->pictures) count += svg.find("</svg>") != std::string::npos ? 1 : 0;
    EXPECT_GT(count, 0U) << policy << " is not drawn";
    const std::set<fs::path> bundles(of.counterexamples.begin(), of.counterexamples.end());
    for (const fs::path& bundle : bundles)
        for (const fs::directory_entry& file : fs::directory_iterator(bundle))
            count += file.path().extension() == ".svg" ? 1 : 0;
    return count;
}

constexpr const char* introduction =
    R"(# What the verdicts on each policy rest on

The policies that are registered, and the evidence on each that `schedproof check` and `simulate` leave. A test writes
this page from the run of all claims, and demands at least one of every kind but "exact" of every policy.

| column | what it counts |
|---|---|
| explored | verdicts by symbolic execution and a solver. Each has a certificate, which `certify` checks without a solver, or a counterexample, which was replayed without one; the test has one of each policy checked again |
| exact | verdicts by other exact arguments, such as linear programs and tables, which not every claim has |
| enumerated | verdicts on all cases within stated bounds |
| random | verdicts of property tests on random cases |
| simulated | figures of `reproduce` in which the policy runs, verdicts of simulations, and the run in its family's simulator, of maps in `assign`, that the test makes |
| pictures | pictures of counterexamples, and of what the policy does on a small problem, which stand on its page of `report` |

A counterexample is a picture of what a policy gets wrong, so a policy about which every claim holds has none. What a
user wants to see of any policy is what it does; so every policy is drawn on the same small problem of its family: its
chain on two servers, its loads in the example of [jin2018], its schedule of three jobs, its answers to three offers.

[jin2018]: bibliography.md#jin2018
)";

TEST_F(EvidencePage, EveryPolicyRestsOnEvidenceOfEachKind) {
    std::string text = introduction;
    for (const checks::Family* family : checks::families()) {
        const std::string name(family->id());
        text += fmt::format(
            "\n## {}\n\n| policy | explored | exact | enumerated | random | simulated | pictures "
            "|\n|---|---:|---:|---:|---:|---:|---:|\n",
            name);
        for (const checks::PolicyEntry& policy : family->policies()) {
            SCOPED_TRACE(name + ", " + std::string(policy.id));
            const std::string id(policy.id);
            const Found of = found(name, id);
            EXPECT_GT(of.explored, 0U);
            EXPECT_GT(of.enumerated, 0U);
            EXPECT_GT(of.random, 0U);
            expect_accepted(of);
            text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", id, of.explored, of.exact, of.enumerated,
                                of.random, of.simulated + runs(name, id), pictures(*family, id, of));
        }
    }
    const std::string path = SCHEDPROOF_SOURCE_DIR "/docs/evidence.md";
    if (std::getenv("SCHEDPROOF_UPDATE_DOCS") != nullptr) base::write_file(path, text);
    EXPECT_EQ(base::read_text(path, std::size_t{1} << 20U), text);
}

}  // namespace
}  // namespace schedproof::cli::site
