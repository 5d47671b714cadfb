/// The declaration of a figure: what a paper shows, what it says of it, and what it leaves out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/input/text/hashed_input.hpp"
#include "experiments/reproduction/figure_verdict.hpp"
#include "experiments/reproduction/fit.hpp"
#include "experiments/reproduction/measure.hpp"
#include "experiments/reproduction/statement.hpp"
#include "model/base/cursor.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

/// What is drawn.
enum class Drawing {
    curves,        ///< a measure against the key `x` of the grid
    distribution,  ///< the distribution function of a quantity
    bars,          ///< a measure of each curve, a column each
    series,        ///< a quantity over time
    schedules      ///< who runs what when on each core, a panel each curve; of the assignment family
};

struct FigurePanel {
    std::string measure;  ///< name of a measure, or of the quantity that is shown whole
    std::string label;    ///< of the y axis, with its unit; of a distribution of the x axis
    bool logarithmic = false;
    std::optional<double> from, to;  ///< range shown
};

/// Numbers that were not measured: printed in the paper, or of a formula.
struct ReferenceCurve {
    std::string name, measure;
    std::vector<std::pair<double, double>> points;
};

/// What the paper says, as statements that can be decided.
struct FigureClaim {
    std::string id;
    std::string place;           ///< in the paper
    std::string says;            ///< in words of this project
    std::string interpretation;  ///< how the words were made statements; may be empty
    std::vector<reproduction::Statement> statements;
    reproduction::Verdict expected = reproduction::Verdict::reproduced;
    std::optional<reproduction::Verdict> expected_quick;  ///< where that scale gives another
    std::optional<reproduction::Verdict> expected_fluid;  ///< where links shared as fluids give another
    std::size_t line = 0;
};

/// A choice of a parameter that the paper leaves out, in place of the one taken; or choices of several at once.
struct Alternative {
    std::string taken;
    bool cost_functions = false;  ///< what a figure takes whose links are not shared as fluids
    /// Whose options the file gives: the place of an assumption, and that of one of its alternatives.
    std::vector<std::pair<std::size_t, std::size_t>> choices = {};
};
struct Assumption {
    std::string parameter, taken;
    std::vector<Alternative> alternatives;
    std::vector<std::string> combined = {};  ///< parameters; not empty: the alternatives choose several of them at once
};

/// What a figure takes where `schedproof-links` is there to share links as fluids.
struct FluidVariant {
    std::string title;
    std::string network;  ///< in place of what the assumption `network` takes, which becomes an alternative
};

struct FigureDeclaration {
    std::string id;      ///< such as `xu2017-7`
    std::string paper;   ///< a key of the bibliography
    std::string number;  ///< in the paper, or what it is about
    std::string title, place, note;
    Drawing drawing = Drawing::curves;
    std::string x, x_label;
    bool logarithmic_x = false;
    double confidence = 0.95;
    std::vector<std::string> drawn;  ///< curves; empty: all
    std::vector<FigurePanel> panels;
    std::vector<reproduction::Measure> measures;
    std::vector<std::pair<std::string, std::string>> names;  ///< of curves, as the picture calls them
    std::vector<std::pair<std::string, double>> places;      ///< on the x axis, of values that are no numbers
    std::vector<ReferenceCurve> references;
    std::vector<reproduction::Fit> fits;
    std::vector<FigureClaim> claims;
    std::vector<Assumption> assumptions;
    std::optional<FluidVariant> fluid;
    bool fluid_taken = false;
    double quick_minutes = 0.1, full_minutes = 1;  ///< about, on two cores

    input::InputFile file;
    std::shared_ptr<const base::Node> document;  ///< what the options of the runs are read from

    /// Takes the variant with links shared as fluids, if there is one.
    void take_fluid();
    /// What is expected of a claim at this scale, of the variant taken.
    [[nodiscard]] reproduction::Verdict expected(const FigureClaim& claim, bool quick) const;
    /// The tables of options that replace those of `simulate` and `grid`: of the scale, of fluids, of an alternative.
    [[nodiscard]] std::vector<base::Cursor> options(bool quick, const Alternative* alternative) const;
    /// What the picture calls a curve.
    [[nodiscard]] std::string shown(const std::string& curve) const;
    /// Whether the picture shows a curve.
    [[nodiscard]] bool draws(const std::string& curve) const;
    /// A complaint about a statement at the line of its claim.
    [[nodiscard]] InputError located(const InputError& error, const FigureClaim& claim) const;
};

/// Reads a declaration; `path` names it in errors. Throws InputError with file, line and key, of an unknown key with
/// the nearest known one.
[[nodiscard]] FigureDeclaration read_declaration(const std::string& text, const std::string& path);

}  // namespace schedproof::cli
