/// New files of queueing policies, as C++ and as a text.
#pragma once

#include <string>
#include <string_view>

namespace schedproof::cli {

/// With the marks of FamilyFiles::policy_template.
[[nodiscard]] std::string queueing_header_template();
[[nodiscard]] std::string queueing_text_template();
/// The rules of another policy, a text or a header, under a new id, as a text or, with the name of its struct, in C++.
/// Throws InputError that names the file.
[[nodiscard]] std::string queueing_policy_from(const std::string& file, std::string_view id, std::string_view type,
                                               bool text);

}  // namespace schedproof::cli
