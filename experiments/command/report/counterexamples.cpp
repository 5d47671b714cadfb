/// Refutations on the page of a claim: what fails, the problem, pictures, and of the queueing family the way to it.
///
/// Everything stands in the page as text and tables; the scripts only fold it up: slots one at a time, pictures that
/// move and grow.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "experiments/command/report/pages.hpp"
#include "experiments/command/report/plates.hpp"
#include "model/base/cursor.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli::site {

namespace {

namespace fs = std::filesystem;
using base::Cursor;

/// Text that can be opened.
Html folded(const std::string& summary, const std::string& text) {
    if (text.empty()) return {};
    return element("details", element("summary", summary) + element("pre", {{"tabindex", "0"}}, element("code", text)));
}

Html pictures(const std::string& folder, const std::string& prefix) {
    std::vector<Picture> all;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".svg")
            all.push_back({entry.path().stem().string(), base::read_file(entry.path().string())});
    return plates(std::move(all), prefix);
}

std::string member_text(const Cursor& at, const char* key) { return at.require(key, "text").text("text"); }

std::string exact(const Cursor& at) { return member_text(at, "exact"); }

/// The values of a state in words, in the order of `names`.
std::vector<std::string> values(const Cursor& state, const char* key) {
    std::vector<std::string> out;
    for (const Cursor& at : state.require(key, "a list").items("a list"))
        out.push_back(at.is_text() ? at.text("text")
                                   : std::to_string(at.integer(0, std::int64_t{1} << 62U, "a length")));
    return out;
}

/// A row of the state: the name, and its value, marked where it is another than before.
Html state_rows(const std::vector<std::string>& names, const std::vector<std::string>& now,
                const std::vector<std::string>& before) {
    Html out;
    for (std::size_t i = 0; i < now.size() && i < names.size(); ++i) {
        const bool changed = i < before.size() && before[i] != now[i];
        const Html value = changed ? element("del", before[i]) + " " + element("ins", now[i]) : Html(now[i]);
        out += element("tr", element("th", {{"scope", "row"}}, names[i]) +
                                 element("td", {{"class", changed ? "changed" : ""}}, value));
    }
    return out;
}

/// The way to a counterexample, as steps.json tells it.
class Steps {
  public:
    Steps(const base::Node& document, const std::string& file, const std::string& policy_page)
        : root_(document, file), policy_page_(policy_page) {}

    Html html() const {
        const std::vector<Cursor> slots = root_.require("slots", "a list").items("a list of slots");
        const std::uint64_t fails = root_.require("fails_at", "a position").count(0, slots.size(), "a position");
        Html out;
        if (!root_.require("from_empty", "true or false").flag("true or false"))
            out += element("p", {{"class", "move"}},
                           "A search from the empty cluster did not reach this state, so the slots begin at it.");
        for (std::size_t t = 0; t < slots.size(); ++t) out += slot(slots, t, t == fails);
        return element("div", {{"class", "steps"}, {"data-start", std::to_string(fails)}}, out);
    }

  private:
    [[nodiscard]] Html slot(const std::vector<Cursor>& slots, std::size_t t, bool fails) const {
        const Cursor state = slots[t].require("state", "a state");
        const Cursor before = slots[t > 0 ? t - 1 : 0].require("state", "a state");
        const Html lengths = state_rows(root_.require("queue_names", "a list").texts("names"), values(state, "queues"),
                                        values(before, "queues"));
        const Html servers = state_rows(root_.require("servers", "a list").texts("names"), values(state, "serving"),
                                        values(before, "serving"));
        const Cursor probability = slots[t].require("probability", "a number or null");
        Html head = element("h4", fmt::format("Slot {}", t) + (fails ? ": here the claim fails" : ""));
        if (!probability.is_null())
            head += element("p", {{"class", "move"}},
                            "Reached from the slot before with probability " + exact(probability));
        if (fails) head += element("p", {{"class", "violation"}}, member_text(root_, "violation"));
        return element("section", {{"class", fails ? "slot fails" : "slot"}, {"data-slot", std::to_string(t)}},
                       head + element("div", {{"class", "columns"}},
                                      element("div", small_table("Queue", "Tasks", lengths) +
                                                         small_table("Server", "Does", servers)) +
                                          element("div", decisions(slots[t]) + functions(slots[t])) +
                                          element("div", invariants(slots[t]))));
    }
    static Html small_table(const char* first, const char* second, const Html& rows) {
        return element("table", {{"class", "small"}},
                       element("thead", element("tr", element("th", {{"scope", "col"}}, first) +
                                                          element("th", {{"scope", "col"}}, second))) +
                           element("tbody", rows));
    }
    /// What was chosen, of what was compared, and by which line of the policy.
    [[nodiscard]] Html decisions(const Cursor& slot) const {
        const Cursor all = slot.require("decisions", "decisions");
        return element("h5", "Choice") +
               element("ul", {{"class", "plain choices"}},
                       choices(all.require("route", "a list"), "type", "joins", "route") +
                           choices(all.require("serve", "a list"), "server", "turns to", "serve"));
    }
    [[nodiscard]] Html choices(const Cursor& list, const char* of, const char* verb, const char* rule) const {
        Html out;
        for (const Cursor& at : list.items("a list")) {
            std::string queues;
            for (const std::string& queue : at.require("queues", "a list").texts("a list of queues"))
                queues += (queues.empty() ? "" : " or ") + queue;
            Html said = code(member_text(at, of)) + fmt::format(" {} ", verb) +
                        (queues.empty() ? Html("nothing") : code(queues));
            // Bundles of earlier builds lack the numbers and the lines.
            if (const auto compared = at.find("compared"); compared && compared->is_text())
                said += Html("; compared: ") + compared->text("text");
            out += element("li", said + element("span", {{"class", "rule"}}, place(rule, at)));
        }
        return out;
    }
    /// The rule and its line, linked to the source on the page of the policy.
    [[nodiscard]] Html place(const char* rule, const Cursor& choice) const {
        const Cursor file = root_.require("file", "a file or null");
        const auto at = choice.find("line");
        if (file.is_null() || !at) return {};
        const std::string line = std::to_string(at->count(0, std::uint64_t{1} << 32U, "a line"));
        return code(rule) + Html(" at ") + link(policy_page_ + "#L" + line, file.text("text") + ":" + line);
    }
    static Html functions(const Cursor& slot) {
        Html rows;
        for (const Cursor& at : slot.require("functions", "a list").items("a list"))
            rows += element(
                "tr", element("th", {{"scope", "row"}, {"title", member_text(at, "formula")}}, member_text(at, "id")) +
                          element("td", exact(at.require("value", "a number"))) +
                          element("td", exact(at.require("drift", "a number"))));
        return element("h5", "Drift") +
               element("table", {{"class", "small"}},
                       element("thead", element("tr", element("th", {{"scope", "col"}}, "V") +
                                                          element("th", {{"scope", "col"}}, "Value") +
                                                          element("th", {{"scope", "col"}}, "Drift"))) +
                           element("tbody", rows));
    }
    static Html invariants(const Cursor& slot) {
        Html items;
        for (const Cursor& at : slot.require("invariants", "a list").items("a list")) {
            const bool holds = at.require("holds", "true or false").flag("true or false");
            Html text = element("b", holds ? "true" : "false") + " " +
                        element("span", {{"title", member_text(at, "sentence")}}, code(member_text(at, "name")));
            if (!holds) text += Html(": " + member_text(at, "breach"));
            items += element("li", {{"class", holds ? "true" : "false"}}, text);
        }
        return element("h5", "Invariants") + element("ul", {{"class", "plain invariants"}}, items);
    }

    Cursor root_;
    const std::string& policy_page_;
};

Html steps(const std::string& folder, const std::string& policy_page) {
    const std::string text = text_of(folder, "steps.json");
    if (text.empty()) return {};
    const std::string file = folder + "/steps.json";
    const base::Node document = base::parse_document(text, base::Format::json, file);
    return element("h3", "Slot by slot") + Steps(document, file, policy_page).html();
}

/// A counterexample under a heading that folds it up; the first of a page is open.
Html section(const std::string& id, const std::string& title, const Html& content, bool open) {
    Attributes attributes{{"class", "counterexample"}, {"id", id}};
    if (open) attributes.emplace_back("open", "");
    return element("details", attributes, element("summary", element("h2", title)) + content);
}

Html bundle(const Checked& row, const Finding& finding, bool open) {
    const std::string folder = row.folder + "/" + finding.evidence, id = counterexample_id(finding.evidence);
    const std::string policy = relative("claims/", policy_page(family_of(row.claim), row.policy));
    const std::string title = fmt::format("Counterexample: {}, {}", row.policy, row.instance);
    Html out = element("p", {{"class", "violation"}}, "As it was found: " + finding.detail);
    const std::string described = text_of(folder, "counterexample.json");
    if (described.empty())
        return section(id, title, out + paragraph("The bundle is not in the directory of the evidence."), open);
    out += element("p", Html("It was found again by exact enumeration, without a solver, and made smaller while it "
                             "failed in the same way: servers, tasks and rates may differ from those above. The "
                             "smaller case is shown here. To "
                             "check it again: ") +
                            code("sh " + finding.evidence + "/replay.sh"));
    out += steps(folder, policy) + pictures(folder, id + "-");
    for (const char* problem : {"instance.toml", "case.json"}) out += folded(problem, text_of(folder, problem));
    out += folded("counterexample.json", described) + folded("trace.txt", text_of(folder, "trace.txt")) +
           folded("As a test in C++", text_of(folder, "counterexample_test.cpp"));
    return section(id, title, out, open);
}

}  // namespace

std::string counterexample_id(std::string_view bundle) {
    std::string id = "case-";
    for (const char c : bundle) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        id += plain ? c : '_';
    }
    return id;
}

Html counterexamples(const std::vector<const Checked*>& rows, std::vector<std::string>& scripts) {
    Html out;
    std::set<std::string> shown;
    for (const Checked* row : rows)
        for (const Finding& finding : row->findings)
            if (finding.verdict == "Refuted" && !finding.evidence.empty() && shown.insert(finding.evidence).second)
                out += bundle(*row, finding, shown.size() == 1);
    if (!shown.empty()) scripts.insert(scripts.end(), {"assets/picture.js", "assets/stepper.js"});
    return out;
}

}  // namespace schedproof::cli::site
