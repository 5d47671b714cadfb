/// Answers of the command: described values (model/base/record.hpp) on their way out.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/requests.hpp"
#include "model/base/answer.hpp"
#include "model/base/record.hpp"

namespace schedproof::cli {

using base::aside;
using base::field;
using base::FieldOf;
using base::Json;
using base::lines;
using base::Record;
using base::to_text;
using base::words;

/// Every exact number of an answer.
[[nodiscard]] inline Json number(const Rational& value) { return value; }
[[nodiscard]] inline Json number(const std::optional<Rational>& value) { return value; }

/// Null for an empty text: a file that was not asked for.
[[nodiscard]] Json text_or_null(const std::string& text);

/// The same for a field.
[[nodiscard]] inline std::optional<std::string> if_any(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

/// An answer of the command, or a file that it writes: its name, which is that of its schema, and its fields.
template <class T>
struct Answer {
    std::string schema;
    std::string meaning;
    Record<T> record;
    bool lists_files = true;  ///< as answers do, and files beside them do not

    [[nodiscard]] base::Form form() const { return {schema, meaning, lists_files, record.shape()}; }
};

/// What a subcommand writes, as its schemas say it.
using Forms = std::vector<std::function<base::Form()>>;
template <class... Described>
[[nodiscard]] Forms forms(Described... described) {
    return {[described] {
        if constexpr (requires { described().form(); })
            return described().form();
        else
            return described();
    }...};
}

[[nodiscard]] inline Forms forms_of(std::initializer_list<Forms> lists) {
    Forms all;
    for (const Forms& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

/// Writes the answer in the form that was asked for and returns the exit code.
/// Throws InputError when the file cannot be written.
int write_answer(const Destination& to, std::string_view schema, const Json& json, const std::string& text,
                 int exit_code = 0);

/// The answer of a command in JSON: that of write_json, with the files that the command has written, its own included,
/// as `files`. So it is written last. Throws InputError when the file cannot be written.
void write_json_answer(const std::string& path, std::string_view schema, Json body);

/// A JSON file beside an answer, with its schema and the version of this program.
/// Throws InputError when the file cannot be written.
using base::write_json;

template <class T>
int write_answer(const Destination& to, const Answer<T>& form, const T& answer, int exit_code = 0) {
    return write_answer(to, form.schema, to.json() ? form.record.value(answer, false) : Json(),
                        to.json() ? "" : base::text_of(form.record.shape(), form.record.value(answer, true)),
                        exit_code);
}

template <class T>
void write_file(const std::string& path, const Answer<T>& form, const T& value) {
    write_json(path, form.schema, form.record.value(value, false));
}

}  // namespace schedproof::cli
