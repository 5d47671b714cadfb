/// The page of a claim: what it says, who says so, what it rests on, and every verdict with what it rests on.
///
/// A row of the table is what one oracle said of one policy on one instance, in the words of the check: nothing is put
/// together here, since verdicts of different kinds allow different sentences. Certificates are too long for the page
/// and too many for a file each, so they stand compressed in one script beside it, which is loaded when one is asked
/// for: pages that are opened from a disk may load scripts, and no other files.
#include <fmt/core.h>

#include <algorithm>

#include "checks/core/run.hpp"
#include "experiments/command/report/arguments.hpp"
#include "experiments/command/report/packed.hpp"
#include "experiments/command/report/pages.hpp"

namespace schedproof::cli::site {

namespace {

constexpr std::string_view certificate_end = ".certificate.json";

Html claim_list(const Site& site, const std::string& from, const std::vector<std::string>& ids) {
    Html items;
    for (const std::string& id : ids)
        items += element("li", (site.claim(id) == nullptr ? code(id) : link(relative(from, claim_page(id)), code(id))) +
                                   " " + tally(site.rows_of_claim(id)));
    return element("ul", {{"class", "plain"}}, items);
}

std::vector<std::string> rests_on(const std::string& id) {
    for (const Argument& argument : arguments())
        if (argument.claim == id) return {argument.rests_on.begin(), argument.rests_on.end()};
    return {};
}

std::vector<std::string> used_by(const std::string& id) {
    std::vector<std::string> ids;
    for (const Argument& argument : arguments())
        if (std::find(argument.rests_on.begin(), argument.rests_on.end(), id) != argument.rests_on.end())
            ids.emplace_back(argument.claim);
    return ids;
}

/// The entries of the works that a source names.
Html entries(const Site& site, const std::string& from, const std::string& source) {
    Html out;
    for (const std::string& key : cited(source))
        for (const Work& work : site.works)
            if (work.key == key)
                out += element("div", {{"class", "entry"}},
                               element("b", key) + ". " + inline_markdown(work.text, references(site, from)));
    return out;
}

Html about(const Site& site, const std::string& path, const checks::Claim& claim) {
    Html mutants;
    for (const checks::Mutant& mutant : claim.mutants)
        mutants +=
            element("li", code(mutant.name) + ": " + mutant.change + ", which " + code(mutant.oracle) + " must catch");
    std::string oracles;
    for (const std::string& oracle : claim.any->oracles()) oracles += (oracles.empty() ? "" : ", ") + oracle;
    Html list = described("Source", source_text(site, path, claim.source) + entries(site, path, claim.source)) +
                described("Speaks of", claim.instances) + described("Oracles", oracles);
    if (!claim.mutants.empty()) list += described("Seeded faults", element("ul", {{"class", "plain"}}, mutants));
    if (const auto ids = rests_on(claim.id); !ids.empty())
        list += described("Its argument uses", claim_list(site, path, ids));
    if (const auto ids = used_by(claim.id); !ids.empty()) list += described("Used by", claim_list(site, path, ids));
    if (!claim.left_out.empty()) {
        Html out;
        for (const auto& [policy, why] : claim.left_out) out += element("li", code(policy) + ": " + why);
        list += described("Not asked of", element("ul", {{"class", "plain"}}, out));
    }
    return element("dl", {{"class", "about"}}, list);
}

/// What a verdict rests on, as a cell.
Html evidence_cell(const Finding& finding) {
    if (finding.evidence.empty()) return finding.numbers;
    if (!finding.evidence.ends_with(certificate_end))
        return link("#" + counterexample_id(finding.evidence), "counterexample");
    const auto button = [&](const char* kind, const char* text) {
        return element("button",
                       {{"type", "button"}, {"class", kind}, {"data-certificate", finding.evidence}, {"hidden", ""}},
                       text);
    };
    return Html(finding.numbers) +
           element("span", {{"class", "buttons"}},
                   button("check-here", "check here") + button("show", "show certificate")) +
           element("code", {{"class", "command"}}, "schedproof certify " + finding.evidence) +
           element("output", {{"class", "checked"}}, "");
}

Html row_of(const Checked& row, const Finding& finding, bool first, const std::string& policy_target) {
    Html where =
        first ? link(policy_target, row.policy) + Html(" ") + element("span", {{"class", "instance"}}, row.instance)
              : Html("");
    return element(
        "tr", {{"class", first ? "first" : ""}},
        element("th", {{"scope", "row"}}, where) +
            element("td", badge(finding.verdict) + element("span", {{"class", "by"}}, " by " + finding.oracle) +
                              (finding.expected.empty() || finding.expected == finding.verdict
                                   ? Html()
                                   : element("span", {{"class", "by"}}, "; expected " + finding.expected))) +
            element("td", {{"class", "said"}}, finding.detail) + element("td", evidence_cell(finding)) +
            element("td", {{"class", "time"}}, duration(finding.seconds)));
}

Html verdict_rows(const Site& site, const std::string& path, const std::vector<const Checked*>& rows) {
    Html out;
    for (const Checked* row : rows) {
        const std::string target = relative(path, policy_page(family_of(row->claim), row->policy));
        for (const Finding& finding : row->findings)
            out += row_of(*row, finding, &finding == &row->findings.front(), target) + Html("\n");
        if (row->outcome != "expected")
            out += element("tr", element("td", {{"colspan", "5"}}, outcome_badge(outcome_of(*row))));
    }
    (void)site;
    return out;
}

/// The file of tables that a certificate names, beside it; empty where it names none.
std::string table_of(std::string_view certificate) {
    constexpr std::string_view mark = "\"table\": \"";
    const std::size_t at = certificate.find(mark);
    if (at == std::string_view::npos) return "";
    const std::string_view digest = certificate.substr(at + mark.size(), 64);
    const bool named = digest.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    return named ? std::string(digest) + ".table" : "";
}

/// The certificates of a page, and the tables that they name, as a script: packed texts by their names.
std::string certificates_script(const std::vector<const Checked*>& rows) {
    std::map<std::string, std::string> texts;
    for (const Checked* row : rows)
        for (const Finding& finding : row->findings)
            if (finding.evidence.ends_with(certificate_end))
                if (std::string text = text_of(row->folder, finding.evidence); !text.empty()) {
                    if (const std::string table = table_of(text); !table.empty())
                        texts[table] = text_of(row->folder, table);
                    texts[finding.evidence] = std::move(text);
                }
    std::string entries;
    for (const auto& [name, text] : texts) entries += fmt::format("\"{}\": \"{}\",\n", name, packed(text));
    return entries.empty() ? "" : "SchedproofCertificates.take({\n" + entries + "});\n";
}

void add_claim(const Site& site, const checks::Claim& claim, Files& files) {
    const std::vector<const Checked*> rows = site.rows_of_claim(claim.id);
    Page page{claim_page(claim.id), claim.id, "Claims", {}};
    page.above = element("p", {{"class", "kind"}}, "Claim of the " + family_of(claim.id) + " family");
    page.main = element("p", {{"class", "statement"}}, claim.statement) +
                element("p", {{"class", "tally"}}, tally(rows)) + about(site, page.path, claim) +
                element("h2", "Verdicts");
    const std::string certificates = certificates_script(rows);
    if (!certificates.empty()) {
        const std::string script = "claims/" + page.path.substr(7, page.path.size() - 12) + ".js";
        files[script] = certificates;
        page.scripts.emplace_back("assets/certificates.js");
        page.scripts.emplace_back("assets/certificate.js");
        page.main += element("div", {{"id", "certificates"}, {"data-script", script.substr(7)}}, {});
    }
    page.main +=
        table("Verdicts by policy and instance", {"Policy, instance", "Verdict", "What was found", "Evidence", "Time"},
              verdict_rows(site, page.path, rows), {{"class", "verdicts cards"}});
    page.main += counterexamples(rows, page.scripts);
    files[page.path] = document(page);
}

}  // namespace

void add_claims(const Site& site, Files& files) {
    for (const checks::Claim& claim : site.claims) add_claim(site, claim, files);
}

}  // namespace schedproof::cli::site
