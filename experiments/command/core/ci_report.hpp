/// Verdicts in the forms that build servers read: SARIF 2.1.0, JUnit XML, Markdown.
///
/// Commands say what a verdict is about, whether it is as it should be, and where the policy that it speaks of stands;
/// how each form says that is decided here, once. No form holds a time unless the verdict does, so two runs give the
/// same bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/option_table.hpp"
#include "experiments/command/core/policy_place.hpp"

namespace schedproof::cli {

enum class CiOutcome {
    passed,
    noted,   ///< a refutation of which nothing was expected: to be looked at, no failure
    failed,  ///< not as expected, or it speaks against the policy
    open,    ///< not settled
    error    ///< nothing was asked: an input is wrong, or a limit was reached
};

/// A line of a file with what is said of it.
struct CiStep {
    PolicyPlace place;
    std::string text;
};

struct CiVerdict {
    std::string rule = {};       ///< id of what was asked, such as that of a claim
    std::string statement = {};  ///< of the rule, in words
    std::string policy = {};     ///< or empty
    std::string about = {};      ///< such as the instance
    CiOutcome outcome = CiOutcome::passed;
    std::string word = {};   ///< how it came out, such as `unexpected`
    std::string found = {};  ///< in lines
    PolicyPlace place = {};
    std::vector<CiStep> steps = {};                             ///< of a counterexample
    std::vector<std::pair<std::string, Json>> properties = {};  ///< for SARIF
    std::optional<double> seconds = {};
};

/// The words of `--format` besides text and json.
inline const std::vector<std::string> ci_formats{"junit", "sarif", "markdown"};
[[nodiscard]] bool is_ci_format(std::string_view format);

/// The report in one of these forms. Verdicts of one rule stand together. `command` is the name of what asked.
/// SARIF: a rule for each that was asked, a result for each verdict that somebody should look at; the others are
/// counted in the run's properties alone, since code scanning shows every result as an alert, whatever its kind.
/// JUnit: a suite per rule, a case per verdict, each verdict once.
[[nodiscard]] std::string ci_report(const std::string& format, const std::string& command,
                                    const std::vector<CiVerdict>& verdicts);

/// `--format` with text, json and these forms, and `-o,--output`.
[[nodiscard]] OptionTable ci_destination_options(Destination& to);

/// Writes the answer of a question that has one verdict: in a form of build servers that verdict alone, with the lines
/// of the text but for what they cost. Returns the exit code, from which the outcome follows.
template <class T>
int write_verdict(const Destination& to, const Answer<T>& form, const T& answer, const CiVerdict& asked, int exit_code);

/// Where a command was to write a report in one of these forms into a file, and ended with an error in its place: the
/// file with the error as its only verdict. Does nothing for other commands, and where the file cannot be written.
void report_error(const std::string& command, const OptionTable& given, const std::exception& error) noexcept;

namespace ci {
/// `asked` with what was found, from text and exit code.
[[nodiscard]] CiVerdict settled(CiVerdict asked, std::string_view text, int exit_code);
}  // namespace ci

template <class T>
int write_verdict(const Destination& to, const Answer<T>& form, const T& answer, const CiVerdict& asked,
                  int exit_code) {
    if (!is_ci_format(to.format)) return write_answer(to, form, answer, exit_code);
    const std::string text = base::text_of(form.record.shape(), form.record.value(answer, true));
    base::write_text(to.path, ci_report(to.format, asked.rule, {ci::settled(asked, text, exit_code)}));
    return exit_code;
}

}  // namespace schedproof::cli
