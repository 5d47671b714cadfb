/// The parts of a site: text that stays text, pictures that hold no script, Markdown, packed texts, arguments.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <map>
#include <set>

#include "checks/families.hpp"
#include "checks/queueing/family.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/policy_place.hpp"
#include "experiments/command/report/arguments.hpp"
#include "experiments/command/report/assets.hpp"
#include "experiments/command/report/curves.hpp"
#include "experiments/command/report/evidence.hpp"
#include "experiments/command/report/html.hpp"
#include "experiments/command/report/markdown.hpp"
#include "experiments/command/report/means.hpp"
#include "experiments/command/report/packed.hpp"
#include "experiments/command/report/plates.hpp"
#include "experiments/command/report/svg.hpp"
#include "experiments/command/reproduce/catalogue.hpp"
#include "model/base/output_file.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::cli::site {

namespace {

/// The text that a browser shows for escaped text.
std::string shown(std::string text) {
    for (const auto& [entity, character] :
         std::map<std::string, std::string>{{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}})
        for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at)
            text.replace(at, entity.size(), character);
    for (std::size_t at = 0; (at = text.find("&amp;", at)) != std::string::npos; ++at) text.replace(at, 5, "&");
    return text;
}

bool breaks_out(const std::string& escaped) { return escaped.find_first_of("<>\"'") != std::string::npos; }

RC_GTEST_PROP(ReportHtml, NoTextBreaksOut, (const std::string& text)) {
    const std::string safe = escaped(text);
    RC_ASSERT(!breaks_out(safe));
    RC_ASSERT(base::first_invalid_utf8(safe) == std::string::npos);
    const Html page = element("p", {{"title", text}}, Html(text));
    RC_ASSERT(page.markup() == "<p title=\"" + safe + "\">" + safe + "</p>");
}

RC_GTEST_PROP(ReportHtml, TextIsShownAsItIs, ()) {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("<>&\"'abc;#39 \n=/-!")));
    RC_ASSERT(shown(escaped(text)) == text);
}

RC_GTEST_PROP(ReportHtml, DataEndsNoScript, (const std::string& text)) {
    const std::string markup = data_script("d", text).markup();
    const std::string inner = markup.substr(0, markup.size() - std::string("</script>").size());
    RC_ASSERT(inner.find('<', 1) == std::string::npos);
}

TEST(ReportHtml, WhatIsNoTextIsReplaced) {
    EXPECT_EQ(escaped("a\x01\xFF\xC0z"), "a\uFFFD\uFFFD\uFFFDz");
    EXPECT_EQ(escaped("é < ü"), "é &lt; ü");
}

/// What every picture of a page must be free of.
bool is_harmless(const std::string& svg) {
    for (const char* wrong : {"<script", "<style", "<foreignObject", "<image", "<use",
                              "href=\"javascript:", " onclick=\"", " onload=\"", "<!"})
        if (svg.find(wrong) != std::string::npos) return false;
    return true;
}

TEST(ReportSvg, APictureKeepsWhatDraws) {
    const auto svg = inline_svg(
        "<?xml version=\"1.0\"?><!DOCTYPE svg><svg font-family=\"Helvetica,sans-Serif\" width=\"9pt\" viewBox=\"0 0 9 "
        "9\" onload=\"x()\"><g id=\"n1\" "
        "class=\"node\">"
        "<linearGradient id=\"g\"/>\n<title>s0&#45;&gt;s1</title><a xlink:title=\"p &lt; q\"><polygon fill=\"url(#g)\" "
        "points=\"0,0 1,1\"/></a>"
        "<a xlink:href=\"claims/x.html\"><text>a &amp; b</text></a></g></svg> tail",
        "p-");
    ASSERT_TRUE(svg);
    EXPECT_TRUE(is_harmless(*svg)) << *svg;
    for (const char* kept : {"id=\"p-g\"", "url(#p-g)", "s0-&gt;s1", "<title>p &lt; q</title>", "a &amp; b",
                             "href=\"claims/x.html\"", "viewBox=\"0 0 9 9\""})
        EXPECT_NE(svg->find(kept), std::string::npos) << kept << "\n" << *svg;
    for (const char* idle : {"n1", "Helvetica", "\n"})
        EXPECT_EQ(svg->find(idle), std::string::npos) << idle << "\n" << *svg;
    EXPECT_TRUE(svg->ends_with("</svg>"));
}

TEST(ReportSvg, WhatIsNoPictureIsRefused) {
    for (const char* wrong :
         {"", "text", "<svg", "<svg>", "<svg><script>alert(1)</script></svg>", "<svg><style>*{}</style></svg>",
          "<svg><foreignObject></foreignObject></svg>", "<svg><g></svg></g>", "<svg a=b></svg>", "<svg a=\"b></svg>",
          "<svg><image href=\"x\"/></svg>", "<svg><![CDATA[x]]></svg>", "<svg><use href=\"#a\"/></svg>"})
        EXPECT_FALSE(inline_svg(wrong, "p-")) << wrong;
    for (const char* scheme : {"javascript:alert(1)", "https://example.org", "//example.org/x", "data:text/html,x"}) {
        const auto svg = inline_svg(std::string("<svg><a href=\"") + scheme + "\"><text>x</text></a></svg>", "p-");
        ASSERT_TRUE(svg);
        EXPECT_EQ(svg->find("href"), std::string::npos) << *svg;
    }
}

RC_GTEST_PROP(ReportSvg, NothingHarmfulComesThrough, ()) {
    const auto parts = *rc::gen::container<std::vector<std::string>>(
        rc::gen::elementOf(std::vector<std::string>{"<svg>",
                                                    "</svg>",
                                                    "<g>",
                                                    "</g>",
                                                    "<script>",
                                                    "</script>",
                                                    "x",
                                                    "<a href=\"javascript:x\">",
                                                    "</a>",
                                                    "<",
                                                    ">",
                                                    "\"",
                                                    " onclick=\"x\"",
                                                    "<g onclick=\"x\">",
                                                    "<!--",
                                                    "-->",
                                                    "&lt;script&gt;",
                                                    "<text>",
                                                    "</text>",
                                                    "/>"}));
    std::string text = "<svg>";
    for (const std::string& part : parts) text += part;
    if (const auto svg = inline_svg(text + "</svg>", "p-")) RC_ASSERT(is_harmless(*svg));
}

TEST(ReportSvg, LinksLeadWhereTheyAreSent) {
    const auto svg =
        inline_svg("<svg><a xlink:href=\"a.1.svg\"><text>x</text></a><a xlink:href=\"b.svg\"><text>y</text></a></svg>",
                   "p-", {{"a.1.svg", "#p-a.1"}});
    ASSERT_TRUE(svg);
    EXPECT_NE(svg->find("href=\"#p-a.1\""), std::string::npos) << *svg;
    EXPECT_NE(svg->find("href=\"b.svg\""), std::string::npos) << *svg;
}

/// Levels stand folded up behind the picture that they are levels of, by number, and links lead to them.
TEST(ReportPlates, LevelsFollowTheirPictureAndLinksLeadToThem) {
    const std::string to_level = "<svg><a xlink:href=\"s.10.svg\"><text>x</text></a></svg>";
    const std::string html =
        plates({{"s.10", to_level}, {"path", "<svg></svg>"}, {"s.2", to_level}, {"s", to_level}, {"t", "no picture"}},
               "p-")
            .markup();
    std::size_t at = 0;
    for (const char* id : {"id=\"p-path\"", "<figure id=\"p-s\"", "<details class=\"level\" id=\"p-s.2\"",
                           "<details class=\"level\" id=\"p-s.10\""}) {
        const std::size_t found = html.find(id);
        ASSERT_NE(found, std::string::npos) << id << "\n" << html;
        EXPECT_GE(found, at) << id;
        at = found;
    }
    EXPECT_NE(html.find("href=\"#p-s.10\""), std::string::npos);
    EXPECT_EQ(html.find(".svg\""), std::string::npos);
    EXPECT_EQ(html.find("id=\"p-t\""), std::string::npos);
    EXPECT_EQ(plates({}, "p-").markup(), "");
    const std::string plot = plates({{"plot", "<svg><use href=\"#p\"/></svg>"}}, "p-").markup();
    EXPECT_NE(plot.find("<img src=\"data:image/svg+xml;base64,PHN2Zz48dXNl"), std::string::npos) << plot;
    EXPECT_EQ(plot.find("<use"), std::string::npos);
}

/// Every policy of the queueing family has a line for its route and one for its serve, of its own rules.
TEST(ReportPlaces, TheRulesOfEveryPolicyAreFound) {
    for (const checks::PolicyEntry& policy : checks::QueueingFamily::policies()) {
        if (cli::find_policy_file(policy.id) != nullptr) continue;
        const PolicyPlace name = policy_place("queueing", policy.id, ""),
                          route = policy_place("queueing", policy.id, "joins"),
                          serve = policy_place("queueing", policy.id, "turns to another queue");
        ASSERT_FALSE(name.file.empty()) << policy.id;
        EXPECT_EQ(route.file, name.file);
        EXPECT_EQ(serve.file, name.file);
        EXPECT_LE(name.line, route.line) << policy.id;
        EXPECT_LE(route.line, serve.line) << policy.id;
        const std::vector<std::string_view> lines = base::split(asset(name.file), '\n');
        ASSERT_GE(lines.size(), serve.line);
        EXPECT_NE(lines[name.line - 1].find('"' + std::string(policy.id) + '"'), std::string::npos) << policy.id;
        EXPECT_NE(lines[route.line - 1].find("route("), std::string::npos) << policy.id;
        EXPECT_NE(lines[serve.line - 1].find("serve("), std::string::npos) << policy.id;
        for (std::size_t line = name.line; line + 1 < route.line; ++line)
            EXPECT_EQ(lines[line].find("struct "), std::string::npos) << policy.id << ": rules of another policy";
    }
    EXPECT_EQ(policy_place("redundancy", "srpt", "joins").line, policy_place("redundancy", "srpt", "").line);
}

TEST(ReportCurves, ThePoliciesOfAFigureAreThoseOfItsRuns) {
    const auto of = [](const char* declaration, const char* paper) {
        Figure figure;
        figure.declaration = declaration;
        figure.paper = paper;
        return policies_of(figure);
    };
    using Names = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(of("experiments/reproduction/kavousi/heavy-traffic.toml", "kavousi"),
              (Names{{"queueing", "jsq-maxweight"}, {"queueing", "pandas:plain"}}));
    // Two families have a policy of this name; the figure is of the paper of one.
    EXPECT_EQ(of("experiments/reproduction/zaharia2010/choice-of-d.toml", "zaharia2010"),
              (Names{{"sharing", "delay"}}));
    EXPECT_EQ(of("", "kavousi"), Names());
    EXPECT_EQ(of("experiments/reproduction/none.toml", "kavousi"), Names());
    // Whatever figures the program brings along, each of their policies has a page.
    std::set<std::pair<std::string, std::string>> known;
    for (const checks::Family* family : checks::families())
        for (const checks::PolicyEntry& policy : family->policies()) known.emplace(family->id(), policy.id);
    for (const FigureDeclaration& figure : catalogue())
        for (const auto& policy : of(figure.file.path.c_str(), figure.paper.c_str()))
            EXPECT_TRUE(known.contains(policy)) << policy.second;
}

TEST(ReportMeans, AreReadFromCertificatesOfMeansAlone) {
    const testing_support::TemporaryDirectory folder;
    const auto certificate = [&](const std::string& name, const std::string& theorem, const std::string& of) {
        base::write_file(
            (folder.path() / name).string(),
            "{\n  \"schema\": \"certificate\",\n  \"theorem\": \"" + theorem +
                "\",\n  \"policy\": \"fifo\", \"instance\": {\"name\": \"m2\"},\n  \"statement\": {\"of\": " + of +
                R"(, "lower": "121/25", "upper": "487/100"}})");
    };
    certificate("a.certificate.json", "mean", R"({"kind": "tasks"})");
    certificate("b.certificate.json", "drift", R"({"kind": "tasks"})");
    certificate("c.certificate.json", "mean", R"({"kind": "tail", "above": 3})");
    Verdicts verdicts;
    for (const char* name : {"a", "b", "c", "gone"}) {
        Checked row;
        row.claim = std::string("queueing.") + name;
        Finding finding;
        finding.verdict = "Proved";
        finding.evidence = std::string(name) + ".certificate.json";
        row.findings = {finding};
        row.folder = folder.path().string();
        verdicts.rows.push_back(row);
    }
    verdicts.rows.back().findings.front().evidence = "";
    const std::vector<CertifiedMean> means = certified_means(verdicts);
    ASSERT_EQ(means.size(), 2U);
    EXPECT_EQ(means[0].claim, "queueing.a");
    EXPECT_EQ(means[0].policy, "fifo");
    EXPECT_EQ(means[0].instance, "m2");
    EXPECT_EQ(means[0].quantity, "tasks in the system");
    EXPECT_EQ(means[0].lower, "4.84");
    EXPECT_EQ(means[0].upper, "4.87");
    EXPECT_EQ(means[1].quantity, "probability of more than 3 tasks");
}

std::string html_of(std::string_view text) {
    const References none;
    return markdown(text, none).markup();
}

TEST(ReportMarkdown, BlocksAndLines) {
    EXPECT_EQ(html_of("# A\n\nb `c<d` **e** *f*\ng"),
              "<h1>A</h1><p>b <code>c&lt;d</code> <strong>e</strong> <em>f</em>\ng</p>");
    EXPECT_EQ(html_of("* a\n  b\n* c\n"), "<ul><li>a\nb</li><li>c</li></ul>");
    EXPECT_EQ(html_of("1. a\n2. b\n"), "<ol><li>a</li><li>b</li></ol>");
    EXPECT_EQ(html_of("```sh\n<x>\n```\n"), "<pre tabindex=\"0\"><code>&lt;x&gt;\n</code></pre>");
    EXPECT_EQ(
        html_of("| a | `b|c` |\n|---|---|\n| 1 | 2 |\n"),
        "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">a</th><th "
        "scope=\"col\"><code>b|c</code></th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>");
    EXPECT_EQ(html_of("2 * 3 * 4 and <b>&</b>"), "<p>2 * 3 * 4 and &lt;b&gt;&amp;&lt;/b&gt;</p>");
}

TEST(ReportMarkdown, LinksLeadToPagesOfTheSite) {
    const References some{
        [](std::string_view target) { return target == "x.md" ? std::optional<std::string>("x.html") : std::nullopt; },
        [](std::string_view name) { return name == "id" ? std::optional<std::string>("id.html") : std::nullopt; }};
    EXPECT_EQ(inline_markdown("[a](x.md) [b](y.md) `id` `no`", some).markup(),
              "<a href=\"x.html\">a</a> b <a href=\"id.html\"><code>id</code></a> <code>no</code>");
}

RC_GTEST_PROP(ReportMarkdown, NoTextBecomesATagOfItsOwn, ()) {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab<>\"'&`*#|-[]()\n 1.")));
    std::string markup = html_of(text);
    for (const char* tag : {"h1",   "h2",     "h3", "h4",    "h5",    "h6",    "p",  "ul", "ol",  "li",
                            "code", "strong", "em", "table", "thead", "tbody", "tr", "td", "div", "pre"})
        for (const std::string& mark : {"<" + std::string(tag) + ">", "</" + std::string(tag) + ">"})
            for (std::size_t at = 0; (at = markup.find(mark)) != std::string::npos;) markup.erase(at, mark.size());
    for (const std::string& mark : {std::string("<pre tabindex=\"0\">"), std::string("<th scope=\"col\">"),
                                    std::string("</th>"), std::string("<div class=\"scroll\" tabindex=\"0\">")})
        for (std::size_t at = 0; (at = markup.find(mark)) != std::string::npos;) markup.erase(at, mark.size());
    RC_ASSERT(!breaks_out(markup));
}

/// What a browser makes of a packed text.
std::string unpacked(const std::string& packed_text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char c : packed_text) {
        if (c == '=') break;
        bits = bits << 6U | static_cast<unsigned>(digits.find(c));
        if ((count += 6) >= 8) bytes += static_cast<char>(bits >> static_cast<unsigned>(count -= 8) & 255U);
    }
    z_stream stream{};
    EXPECT_EQ(::inflateInit2(&stream, 31), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text(1 << 16, '\0');
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
    text.resize(stream.total_out);
    ::inflateEnd(&stream);
    return text;
}

RC_GTEST_PROP(ReportPacked, ATextComesBack, (const std::string& text)) {
    RC_ASSERT(unpacked(packed(text)) == text);
    RC_ASSERT(packed(text).find_first_of("\"\\<\n") == std::string::npos);
}

TEST(ReportArguments, AreOfClaimsAndWithoutACycle) {
    std::map<std::string_view, std::set<std::string_view>> below;
    std::set<std::string> ids;
    for (const checks::Claim& claim : checks::all_claims()) ids.insert(claim.id);
    for (const Argument& argument : arguments()) {
        EXPECT_TRUE(ids.contains(std::string(argument.claim))) << argument.claim;
        EXPECT_FALSE(argument.rests_on.empty()) << argument.claim;
        EXPECT_TRUE(below.emplace(argument.claim, std::set<std::string_view>()).second) << argument.claim;
        for (const std::string_view used : argument.rests_on) {
            EXPECT_TRUE(ids.contains(std::string(used))) << used;
            EXPECT_TRUE(below[argument.claim].insert(used).second) << used;
        }
    }
    // What rests on nothing that is left is taken away until nothing changes.
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& [claim, used] : below)
            changed = std::erase_if(
                          used, [&](std::string_view id) { return !below.contains(id) || below.at(id).empty(); }) > 0 ||
                      changed;
    }
    for (const auto& [claim, used] : below) EXPECT_TRUE(used.empty()) << claim << " is in a cycle";
}

}  // namespace

}  // namespace schedproof::cli::site
