/// `schedproof report`: one site of what is proved, refuted and measured, that works without a server.
///
/// Verdicts are those that `check --evidence` has left, if they are of this version and of just the rows that it would
/// fill today; otherwise the check is run first. Pages are files of their own with relative links; what a page shows is
/// in it as text, and scripts only add to it.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <tuple>

#include "checks/core/run.hpp"
#include "checks/families.hpp"
#include "experiments/command/check/check.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/subcommand.hpp"
#include "experiments/command/families/bundle_text.hpp"
#include "experiments/command/families/policy_ids.hpp"
#include "experiments/command/report/pages.hpp"
#include "experiments/command/report/request.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

namespace fs = std::filesystem;
using namespace checks;

std::vector<Claim> selected(const std::vector<std::string>& patterns) {
    std::vector<Claim> all = all_claims();
    std::set<std::string> ids;
    for (const Claim* claim : select(all, patterns)) ids.insert(claim->id);
    std::erase_if(all, [&](const Claim& claim) { return !ids.contains(claim.id); });
    return all;
}

using RowName = std::tuple<std::string, std::string, std::string>;

/// Whether the verdicts of the directory are of this program: its version, and every row of the claims.
bool is_current(const std::vector<Claim>& claims, const std::string& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return false;
    const site::Verdicts verdicts = site::read_verdicts(file);
    if (verdicts.version != SCHEDPROOF_VERSION) return false;
    std::set<RowName> there, wanted;
    for (const site::Checked& row : verdicts.rows) there.emplace(row.claim, row.policy, row.instance);
    for (const Row& row : plan(claims, {}).rows) wanted.emplace(row.claim->id, row.line.policy, row.instance_name());
    return std::includes(there.begin(), there.end(), wanted.begin(), wanted.end());
}

/// Runs the check with the evidence in the directory. Its exit code says what the pages say as well; only what ends it
/// is of interest here, and is thrown.
void check_into(CheckRequest check, const std::string& evidence) {
    check.evidence = evidence;
    check.to.path = "/dev/null";
    (void)run(check);
}

/// The verdicts about all policies; whether they were there already.
bool take_all(const std::vector<Claim>& claims, const ReportRequest& request, site::Verdicts& to) {
    CheckRequest check;
    check.claims = request.claims;
    const std::string file = site::verdicts_file(request.evidence);
    const bool current = is_current(claims, file);
    if (!current) check_into(std::move(check), request.evidence);
    to = site::read_verdicts(file);
    return current;
}

/// Adds the verdicts about the policy of the site. They are always found anew, since its file may have changed.
void add_those_of_policy(const ReportRequest& request, site::Verdicts& to) {
    CheckRequest check;
    check.claims = request.claims;
    check.policy = request.policy;
    check.instances = request.instances;
    const std::string evidence = (fs::path(request.evidence) / file_name(request.policy)).string();
    check_into(std::move(check), evidence);
    site::Verdicts own = site::read_verdicts(site::verdicts_file(evidence));
    const auto name = [](const site::Checked& row) { return RowName(row.claim, row.policy, row.instance); };
    std::set<RowName> found;
    for (const site::Checked& row : own.rows) found.insert(name(row));
    std::erase_if(to.rows, [&](const site::Checked& row) { return found.contains(name(row)); });
    std::swap(to.rows, own.rows);
    to.rows.insert(to.rows.end(), std::make_move_iterator(own.rows.begin()), std::make_move_iterator(own.rows.end()));
    // Rows about one claim and policy stand together.
    const auto place = [&](const site::Checked& row) { return std::pair(row.claim, row.policy != request.policy); };
    std::stable_sort(to.rows.begin(), to.rows.end(),
                     [&](const site::Checked& a, const site::Checked& b) { return place(a) < place(b); });
    to.conflicts.insert(to.conflicts.end(), own.conflicts.begin(), own.conflicts.end());
    if (to.version.empty()) std::tie(to.version, to.seed, to.cases) = std::tuple(own.version, own.seed, own.cases);
}

/// Throws InputError unless the directory is new, empty, or holds the site of an earlier report.
void require_site(const fs::path& site) {
    if (!fs::exists(site)) return;
    if (!fs::is_directory(site)) throw InputError::in_file(site.string(), "expected a directory");
    if (!fs::is_empty(site) && (!fs::exists(site / "index.html") || !fs::exists(site / "assets/style.css")))
        throw InputError::in_file(site.string(), "expected a new or empty directory, or the site of an earlier report");
}

/// Removes the pages of an earlier report: folders that only a report makes.
void clear(const fs::path& site) {
    for (const char* folder : {"assets", "claims", "policies", "figures", "papers"}) fs::remove_all(site / folder);
}

std::uint64_t write(const fs::path& folder, const site::Files& files) {
    std::uint64_t bytes = 0;
    for (const auto& [path, text] : files) {
        fs::create_directories((folder / path).parent_path());
        base::write_file((folder / path).string(), text);
        bytes += text.size();
    }
    return bytes;
}

struct ReportAnswer {
    std::string site;
    std::size_t claims, rows, figures, files;
    std::uint64_t bytes;
    std::string evidence;  ///< where the verdicts are from; empty: checked now
    std::string policy;    ///< about which they were checked now in any case, or empty
    double seconds;
};

const Answer<ReportAnswer>& report_answer() {
    using A = ReportAnswer;
    static const Answer<A> answer{
        "report", "The site that was written. Answer of `schedproof report --format json`.",
        Record<A>{
            field("site", &A::site, "The first page."),
            field("claims", &A::claims, "Claims that have a page.").least(1),
            field("rows", &A::rows, "Claims, policies and instances of which verdicts are told.").least(1).hidden(),
            words("verdicts",
                  [](const A& a) {
                      if (a.evidence.empty()) return std::string("checked now");
                      return "of " + a.evidence + (a.policy.empty() ? "" : "; about " + a.policy + " checked now");
                  }),
            field("figures", &A::figures, "Figures of papers that have a page."),
            field(
                "checked", [](const A& a) { return a.evidence.empty(); },
                "Whether the claims were checked now, because no verdicts of this version were there.")
                .hidden(),
            words("files",
                  [](const A& a) { return fmt::format("{}, {:.1f} MB", a.files, static_cast<double>(a.bytes) / 1e6); }),
            field("bytes", &A::bytes, "Size of the site.").unit("bytes").least(1).hidden(),
            field("seconds", &A::seconds, "Time that the site took, without the check.")
                .unit("seconds")
                .least(0)
                .hidden()}
            .column(10)};
    return answer;
}

}  // namespace

int run(const ReportRequest& given) {
    ReportRequest request = given;
    if (!request.policy.empty()) request.policy = any_policy_id(request.policy);
    std::vector<Claim> claims = selected(request.claims);
    require_site(request.site);
    const bool alone = !request.policy.empty() && !request.beside;
    site::Verdicts verdicts;
    const bool current = !alone && take_all(claims, request, verdicts);
    if (!request.policy.empty()) add_those_of_policy(request, verdicts);
    const Stopwatch watch;
    if (alone) {
        std::set<std::string> asked;
        for (const site::Checked& row : verdicts.rows) asked.insert(row.claim);
        std::erase_if(claims, [&](const Claim& claim) { return !asked.contains(claim.id); });
    }
    site::Site found = with_progress("report", "read the evidence", [&] {
        return site::read_site(std::move(claims), std::move(verdicts), request.reproduced);
    });
    if (alone) found.keep_alone(request.policy);
    const site::Files files = with_progress("report", "draw the pages", [&] { return site::files_of(found); });
    clear(request.site);
    const std::uint64_t bytes = write(request.site, files);
    const std::string first = (fs::path(request.site) / "index.html").string();
    return write_answer({request.format, "-"}, report_answer(),
                        {first, found.claims.size(), found.verdicts.rows.size(), found.figures.size(), files.size(),
                         bytes, current ? request.evidence : "", request.policy, watch.seconds()});
}

namespace {

std::vector<std::string> ids_of_claims() {
    std::vector<std::string> ids;
    for (const Claim& claim : all_claims()) ids.push_back(claim.id);
    return ids;
}

OptionTable options(ReportRequest& r) {
    return {{.names = "CLAIM",
             .target = &r.claims,
             .meaning = "claims, prefixes or patterns with *; see `schedproof list claims` (all)",
             .offers = ids_of_claims},
            {.names = "-p,--policy",
             .value = "POLICY",
             .target = &r.policy,
             .meaning = "a site about this policy, whose claims are checked now",
             .offers = policy_ids()},
            {.names = "--instance",
             .value = "FILE",
             .target = &r.instances,
             .meaning = "instance on which the policy is asked, in place of the named ones; may be repeated",
             .repeated = true,
             .needs = {"--policy"}},
            {.names = "--beside",
             .target = &r.beside,
             .meaning = "show the verdicts about all other policies too",
             .needs = {"--policy"}},
            {.names = "--evidence",
             .value = "DIR",
             .target = &r.evidence,
             .meaning = "directory written by `schedproof check --evidence DIR`; if it is of another version, the "
                        "claims are checked first; what rests on --policy is in a folder of it",
             .show_default = true},
            {.names = "--reproduced",
             .value = "DIR",
             .target = &r.reproduced,
             .meaning = "directory of reproduced figures, a folder each with claims.json; it may be absent",
             .show_default = true},
            {.names = "-o,--output",
             .value = "DIR",
             .target = &r.site,
             .meaning = "directory of the site: new, empty, or of an earlier report, which it replaces",
             .show_default = true},
            {.names = "--format",
             .target = &r.format,
             .meaning = "text for people, json for programs",
             .show_default = true,
             .words = {"text", "json"}}};
}

}  // namespace

Subcommand report() {
    return make_subcommand<ReportRequest>("report", "write a web site of verdicts, figures and papers",
                                          "schedproof report assignment.exact-ratio -o site", options,
                                          forms(report_answer));
}

}  // namespace schedproof::cli
