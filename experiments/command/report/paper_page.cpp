/// The page of a paper: the ledger of its statements, beside the verdicts on the claims that examine them.
#include <algorithm>
#include <set>

#include "experiments/command/report/pages.hpp"

namespace schedproof::cli::site {

namespace {

std::string name_of(const Section& section) {
    std::string name;
    for (const std::string& key : section.keys) name += (name.empty() ? "" : ", ") + key;
    return name;
}

/// The verdicts on a claim of which the row speaks.
std::vector<const Checked*> rows_of(const Site& site, const LedgerRow& row, const std::string& id) {
    std::vector<const Checked*> rows = site.rows_of_claim(id);
    std::erase_if(rows, [&](const Checked* found) { return !row.speaks_of(found->policy); });
    return rows;
}

/// The claims of a row with what was found of each, and links to their evidence.
Html claims_cell(const Site& site, const std::string& path, const LedgerRow& row) {
    if (row.ids.empty()) return inline_markdown(row.claims, references(site, path));
    Html items;
    for (const std::string& id : row.ids)
        items += element("li", (site.claim(id) == nullptr ? code(id) : link(relative(path, claim_page(id)), code(id))) +
                                   " " + tally(rows_of(site, row, id)));
    Html policies;
    for (const std::string& policy : row.policies) policies += (policies.empty() ? "of " : ", ") + code(policy);
    return element("ul", {{"class", "plain"}}, items) + policies;
}

Html ledger_rows(const Site& site, const std::string& path, const Section& section) {
    Html out;
    for (const LedgerRow& row : section.rows) {
        const References refer = references(site, path);
        out += element("tr", element("th", {{"scope", "row"}}, inline_markdown(row.statement, refer)) +
                                 element("td", claims_cell(site, path, row)) +
                                 element("td", inline_markdown(row.printed, refer)) +
                                 element("td", inline_markdown(row.departure, refer)));
    }
    return out;
}

Html figure_list(const Site& site, const std::string& path, const Section& section) {
    Html items;
    for (const Figure& figure : site.figures) {
        if (std::find(section.keys.begin(), section.keys.end(), figure.paper) == section.keys.end()) continue;
        Html verdicts;
        for (const FigureClaim& claim : figure.claims) verdicts += " " + badge(claim.verdict);
        items += element(
            "li", link(relative(path, figure_page(figure.id)), number_of(figure) + ": " + figure.title) + verdicts);
    }
    return items.empty() ? items : element("h2", "Figures") + element("ul", {{"class", "plain"}}, items);
}

/// The verdicts of which the rows of a section speak, each once.
std::vector<const Checked*> rows_of(const Site& site, const Section& section) {
    std::set<const Checked*> found;
    for (const LedgerRow& row : section.rows)
        for (const std::string& id : row.ids)
            for (const Checked* verdict : rows_of(site, row, id)) found.insert(verdict);
    return {found.begin(), found.end()};
}

void add_paper(const Site& site, const Section& section, Files& files) {
    Page page{paper_page(section), name_of(section), "Papers", {}};
    for (const std::string& key : section.keys)
        for (const Work& work : site.works)
            if (work.key == key)
                page.main += element("div", {{"class", "entry"}},
                                     (section.keys.size() > 1 ? element("b", key) + ". " : Html()) +
                                         inline_markdown(work.text, references(site, page.path)));
    page.main += element("p", {{"class", "tally"}}, tally(rows_of(site, section))) + element("h2", "Ledger");
    page.main += table("Statements and what became of them",
                       {"Statement, place", "Claims", "As printed", "Repaired form, departure"},
                       ledger_rows(site, page.path, section), {{"class", "cards"}});
    page.main += figure_list(site, page.path, section);
    files[page.path] = document(page);
}

}  // namespace

void add_papers(const Site& site, Files& files) {
    Html rows;
    for (const Section& section : site.ledger) {
        add_paper(site, section, files);
        Html entry;
        for (const Work& work : site.works)
            if (work.key == section.keys.front())
                entry = inline_markdown(work.text.substr(0, work.text.find("\n\n")), references(site, "papers.html"));
        rows += element("tr", element("th", {{"scope", "row"}}, link(paper_page(section), name_of(section))) +
                                  element("td", {{"class", "said"}}, entry) +
                                  element("td", std::to_string(section.rows.size())) +
                                  element("td", tally(rows_of(site, section))));
    }
    Page page{"papers.html", "Papers", "Papers",
              element("p", {{"class", "lede"}},
                      "Statement by statement: which claims examine it, whether it holds as it is printed, and what it "
                      "became.") +
                  table("Papers", {"Paper", "Entry", "Statements", "Verdicts"}, rows, {{"class", "cards"}})};
    files[page.path] = document(page);
}

}  // namespace schedproof::cli::site
