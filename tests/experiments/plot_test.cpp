/// Plots: what gnuplot is told, what it draws, and how it fails.
#include "experiments/figures/plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "experiments/figures/gnuplot.hpp"
#include "model/core/errors.hpp"

namespace schedproof::figures {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
    return n;
}

Plot three_panels() {
    const double gap = std::numeric_limits<double>::quiet_NaN();
    Plot plot{"It's alpha_j & {beta}", {}};
    plot.panels.push_back({"", "", "alpha_j / p_j", {{"alpha", {{0, 1}, {1, 2}, {4, 0.5}}, Style::impulses}}, {}, {}});
    plot.panels.push_back({"", "", "beta(t)", {{"beta", {{0, 0.1}, {2, 0.3}, {5, 0}}, Style::steps}}, {}, {}});
    plot.panels.push_back(
        {"", "time", "slack", {{"job 1", {{0, 1}, {1, gap}, {2, 3}}}, {"", {{0, 0}, {5, 0}}}}, Range{0, 5}, {}});
    return plot;
}

TEST(Plot, TellsGnuplotTheDataAndTakesTextLiterally) {
    const std::string script = gnuplot_script(three_panels(), Picture::svg);
    EXPECT_NE(script.find("set multiplot layout 3,1 title 'It''s alpha_j & {beta}'"), std::string::npos);
    EXPECT_NE(script.find("noenhanced"), std::string::npos);
    EXPECT_NE(script.find("$d0_0 << EOD\n0 1\n1 2\n4 0.5\nEOD\n"), std::string::npos);
    EXPECT_NE(script.find("$d2_0 << EOD\n0 1\n\n2 3\nEOD\n"), std::string::npos);
    EXPECT_NE(script.find("set xrange [0:5]"), std::string::npos);
    EXPECT_NE(script.find("$d1_0 using 1:2 with steps"), std::string::npos);
}

TEST(Plot, IsASvgWithEveryCurveAndTheSameEveryTime) {
    const std::string svg = draw(three_panels(), Picture::svg);
    EXPECT_EQ(svg.substr(0, 5), "<?xml");
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    for (const char* text : {"alpha_j / p_j", "beta(t)", "slack", "job 1", "It's alpha_j &amp; {beta}"})
        EXPECT_EQ(count(svg, text), 1U) << text;
    EXPECT_EQ(draw(three_panels(), Picture::svg), svg);
}

TEST(Plot, MarksAndBarsWithRoomForLongNames) {
    Plot plot{"",
              {{"",
                "load",
                "delay",
                {{"a policy of a long name, load 1/2", {{1, 2, 0.5}, {2, 3, 0.25}}, Style::error_bars}},
                {},
                {}}}};
    plot.panels.push_back({"", "time", "delay", {{"a", {{0, 1}, {1, 2}}}}, {}, {}, false, false, {0.5}});
    const std::string script = gnuplot_script(plot, Picture::svg);
    EXPECT_NE(script.find("$d0_0 << EOD\n1 2 0.5\n2 3 0.25\nEOD\n"), std::string::npos);
    EXPECT_NE(script.find("$d0_0 using 1:2:3 with yerrorbars"), std::string::npos);
    EXPECT_NE(script.find("set arrow from first 0.5, graph 0 to first 0.5, graph 1 nohead dt 2"), std::string::npos);
    EXPECT_NE(script.find("size 960,520"), std::string::npos) << "20 characters more than usual, 8 pixels each";
    EXPECT_EQ(count(script, "unset offsets"), 1U);
    EXPECT_NE(draw(plot, Picture::svg).find("a policy of a long name, load 1/2"), std::string::npos);
}

TEST(Plot, IsAPng) {
    const std::string png = draw(three_panels(), Picture::png);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    EXPECT_EQ(draw(three_panels(), Picture::png), png);
    EXPECT_EQ(picture_kind("a/b.png"), Picture::png);
    EXPECT_EQ(picture_kind("a.svg"), Picture::svg);
    EXPECT_THROW(static_cast<void>(picture_kind("a.gif")), InputError);
}

/// Three curves with bars and one of columns, for print.
Plot printed() {
    Plot plot{"50% & more", {}};
    plot.panels.push_back({"", "", "a_b", {}, {}, {}});
    for (const char* name : {"first", "second", "third"})
        plot.panels.back().curves.push_back({name, {{1, 2, 0.5}, {2, 3, 0.25}}, Style::error_bars});
    plot.panels.push_back({"", "policy", "mean", {{"", {{1, 2, 0.5}}, Style::bars}}, {}, {}});
    plot.panels.back().categories = {"one"};
    plot.print = Print{60, 7};
    return plot;
}

TEST(Plot, TellsCurvesApartWithoutColourInPrint) {
    const std::string script = gnuplot_script(printed(), Picture::png);
    EXPECT_NE(script.find("size 709,"), std::string::npos) << "60 mm at 300 dots an inch";
    for (const char* part : {"pt 7 ps", "pt 5 ps", "pt 9 ps", "dt 1 ", "dt '-' ", "dt '.' "})
        EXPECT_NE(script.find(part), std::string::npos) << part;
    EXPECT_NE(script.find("with boxerrorbars"), std::string::npos);
    EXPECT_NE(script.find("set xtics ('one' 1)"), std::string::npos);
    EXPECT_EQ(count(script, "title 'first'"), 1U) << "one legend for all panels";
}

TEST(Plot, LabelsThePlacesThatItIsGivenAndLongNamesOnTwoLines) {
    Plot plot = printed();
    plot.panels[0].places = {1, 2.5};
    plot.panels[1].categories = {"a very long name of a policy", "another one of such a length"};
    plot.panels[1].curves[0].points.push_back({2, 3, 0.5});
    const std::string script = gnuplot_script(plot, Picture::svg);
    EXPECT_NE(script.find("set xtics (1, 2.5)"), std::string::npos);
    EXPECT_NE(script.find("set xtics ('a very long name of a policy' 1, \"\\n\".'another one of such a length' 2)"),
              std::string::npos)
        << script;
    EXPECT_NE(draw(plot, Picture::svg).find("another one of such a length"), std::string::npos);
}

TEST(Plot, LongNumbersHaveRoomForFew) {
    Plot plot = printed();
    EXPECT_NE(gnuplot_script(plot, Picture::svg).find("set xtics autofreq"), std::string::npos);
    plot.panels[0].curves[0].points.push_back({99000, 1, 0});
    EXPECT_NE(gnuplot_script(plot, Picture::svg).find("set xtics 20000\n"), std::string::npos);
    plot.panels[0].curves[0].points.push_back({250000, 1, 0});
    EXPECT_NE(gnuplot_script(plot, Picture::svg).find("set xtics 60000\n"), std::string::npos);
}

TEST(Plot, DrawsRowsOfNamedBoxes) {
    Plot plot{"", {}};
    plot.panels.push_back({"a schedule", "time", "core", {}, {}, {}});
    plot.panels.back().rows = {"s1.1", "s1.2"};
    plot.panels.back().curves = {{"local", {{0, 1, 2}, {2, 2, 1.5}}, Style::spans, {}, {"t1", "a \"t\""}},
                                 {"load", {{0, 2, 1}}, Style::spans, 7, {}}};
    plot.print = Print{60, 7};
    const std::string script = gnuplot_script(plot, Picture::svg);
    EXPECT_NE(script.find("$d0_0 << EOD\n0 2 1 \"t1\"\n2 3.5 2 \"a 't'\"\nEOD\n"), std::string::npos) << script;
    EXPECT_NE(script.find("set ytics ('s1.1' 1, 's1.2' 2)"), std::string::npos);
    EXPECT_NE(script.find("set yrange [2.6:0.4]"), std::string::npos) << "from the top down";
    EXPECT_NE(script.find("with boxxyerror fs"), std::string::npos);
    const std::string svg = draw(plot, Picture::svg);
    for (const char* text : {"s1.1", "t1", "a schedule", "load"}) EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(Plot, DrawsALineInTheColourOfItsPoints) {
    Plot plot{"", {{"", "x", "y", {{"points", {{1, 2, 0.5}}, Style::error_points}}, {}, {}}}};
    plot.panels[0].curves.push_back({"", {{1, 2}, {2, 3}}, Style::lines, 0});
    plot.print = Print{};
    const std::string script = gnuplot_script(plot, Picture::svg);
    EXPECT_EQ(count(script, "lc rgb '#0072b2'"), 3U) << "points, line and legend\n" << script;
    EXPECT_EQ(count(script, "with yerrorbars"), 1U);
}

TEST(Plot, IsTheSamePdfAndTikzEveryTime) {
    const std::string pdf = draw(printed(), Picture::pdf);
    EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
    EXPECT_EQ(pdf.find("CreationDate (D:2"), std::string::npos) << "a date would change";
    const std::string tikz = draw(printed(), Picture::tikz);
    EXPECT_TRUE(tikz.starts_with("% In the preamble: \\usepackage{gnuplot-lua-tikz}. ")) << tikz.substr(0, 80);
    EXPECT_NE(tikz.find("\n\\begin{tikzpicture}"), std::string::npos);
    EXPECT_NE(tikz.find("a\\_b"), std::string::npos) << "read by TeX";
    EXPECT_NE(tikz.find("50\\% \\& more"), std::string::npos);
    EXPECT_EQ(tikz, draw(printed(), Picture::tikz));
    EXPECT_EQ(picture_kind("a.pdf"), Picture::pdf);
    EXPECT_EQ(picture_kind("a.tikz"), Picture::tikz);
}

TEST(Plot, IsAFrameWithoutPoints) {
    EXPECT_NE(draw({"", {{"empty", "x", "y", {{"none", {}}}, {}, {}}}}, Picture::svg).find("</svg>"),
              std::string::npos);
    EXPECT_THROW(static_cast<void>(draw({}, Picture::svg)), ContractViolation);
}

TEST(Plot, SaysWhatGnuplotSays) {
    try {
        static_cast<void>(run_gnuplot("plott sin(x)\n"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("invalid command"), std::string::npos) << error.what();
    }
}

TEST(Plot, SaysWhichPackageIsMissing) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nonexistent", 1);
    try {
        static_cast<void>(run_gnuplot("plot sin(x)\n"));
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("gnuplot-nox"), std::string::npos);
    }
    ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace schedproof::figures
