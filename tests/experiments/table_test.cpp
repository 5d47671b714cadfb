/// Tables as text, Markdown and LaTeX.
#include "experiments/command/core/table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedproof::cli {
namespace {

const Table example{"means",
                    {{"policy"}, {"mean", true, "task"}},
                    {{"fifo", "12.3 +- 0.4"}, {"a|b_50%", "(1.2 +- 0.3)e-09"}, {"x", "[-0.25, 0.75]"}, {"y"}}};

TEST(Table, AlignsText) {
    EXPECT_EQ(as_text(example),
              "policy        mean (task)\nfifo          12.3 +- 0.4\na|b_50%  (1.2 +- 0.3)e-09\nx           [-0.25, "
              "0.75]\ny\n");
}

TEST(Table, IsMarkdown) {
    EXPECT_EQ(as_tables("markdown", "schedproof gap --loads 1", {example}),
              "<!-- schedproof gap -\\-loads 1 -->\n\nmeans\n\n| policy | mean (task) |\n|---|---:|\n"
              "| fifo | 12.3 ± 0.4 |\n| a\\|b_50% | (1.2 ± 0.3)e-09 |\n| x | [-0.25, 0.75] |\n| y |  |\n");
}

TEST(Table, IsLatex) {
    EXPECT_EQ(
        as_tables("latex", "schedproof gap", {example}),
        "% schedproof gap\n% In the preamble: \\usepackage{booktabs}\n\n% means\n\\begin{tabular}{lr}\n\\toprule\n"
        "policy & mean (task) \\\\\n\\midrule\nfifo & $12.3 \\pm 0.4$ \\\\\n"
        "a$|$b\\_50\\% & $(1.2 \\pm 0.3) \\cdot 10^{-9}$ \\\\\nx & $[-0.25, 0.75]$ \\\\\ny &  \\\\\n"
        "\\bottomrule\n\\end{tabular}\n");
}

/// What looks like a number at first and is none is set as text, in which nothing means anything to LaTeX.
TEST(Table, SetsNumbersAlone) {
    const auto set = [](const std::string& cell) {
        const std::string table = as_tables("latex", "", {{"", {{"h"}}, {{cell}}}});
        const std::size_t begin = table.find("\\midrule\n") + 9;
        return table.substr(begin, table.find(" \\\\\n\\bottomrule") - begin);
    };
    EXPECT_EQ(set("7"), "$7$");
    EXPECT_EQ(set("-0.5"), "$-0.5$");
    EXPECT_EQ(set("1.5e+300"), "$1.5 \\cdot 10^{300}$");
    EXPECT_EQ(set("-"), "-");
    for (const char* text :
         {"2 levels", "3, 4", "(1 +- 2", "[1, 2", "[1 +- 2]", "(1, 2)", "1 +- x", "1e", "1ex", "5+-3"})
        EXPECT_EQ(set(text), text);
    EXPECT_EQ(set("50%"), "50\\%");
    EXPECT_EQ(set("a & b #1 {c} \\d ~^ <e>"), "a \\& b \\#1 \\{c\\} \\textbackslash{}d \\~{}\\^{} $<$e$>$");
    EXPECT_EQ(set("load rho*"), "load $\\rho^*$");
}

}  // namespace
}  // namespace schedproof::cli
