/// The specification of a sweep: fixed options of `simulate`, and lists whose combinations are the points.
///
///     [simulate]                  # options by their long names, without dashes; `instance` is the argument
///     instance = "cluster.toml"
///     policy = ["wang-jsq-maxweight", "fifo"]      # a list: the option is repeated
///     horizon = 10000
///     [grid]                      # a list each; the first key varies slowest, in the order of the file
///     load = ["1/2", "0.9"]
///
/// A key may also be a parameter of the policies that `policy-file` names: `abs = [8, 16]` in the grid varies it, and a
/// picture draws the curve against it.
///
/// Values are text, integers, decimals (taken as they are written) or, of options without a value, true and false.
/// Paths are relative to where the command runs, as on the command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/command/simulate/simulate.hpp"
#include "model/base/cursor.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

struct SweepPoint {
    std::vector<std::pair<std::string, std::string>> variables;
    SimulateRequest request;
};

class SweepSpec {
  public:
    /// Throws InputError with file, line and key; of an unknown key with the nearest known one.
    explicit SweepSpec(const std::string& path);
    /// Of the tables `simulate` and `grid` of a document that may hold more. Each table of `over` in turn replaces what
    /// stands there under its keys: options that are fixed, and lists of the grid, which a single value takes out of
    /// it. Throws as above.
    SweepSpec(const base::Cursor& root, input::InputFile file, const std::vector<base::Cursor>& over);

    /// Every combination, the first key varying slowest.
    [[nodiscard]] const std::vector<SweepPoint>& points() const { return points_; }
    /// The specification itself, with the fingerprint of what was read.
    [[nodiscard]] const input::InputFile& file() const { return file_; }
    /// A complaint about an option of `simulate`, at the line where the specification gives it.
    [[nodiscard]] InputError located(const InputError& error, const SweepPoint* point) const;

  private:
    struct Entry {
        std::string name, path;
        std::size_t line = 0;
        bool flag = false;
        bool parameter = false;  ///< of the policies of files, not an option
        std::vector<std::string> values;
    };
    struct Reader;
    void read(const base::Cursor& root, const std::vector<base::Cursor>& over);
    void expand();
    /// The command line of a point.
    [[nodiscard]] static std::vector<std::string> words_of(
        const std::vector<std::pair<const Entry*, std::string>>& given);

    input::InputFile file_;
    std::vector<Entry> fixed_, grid_;
    std::vector<SweepPoint> points_;
};

}  // namespace schedproof::cli
