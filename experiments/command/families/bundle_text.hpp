/// A bundle's counterexample.json, as it is read back; names of files and tests.
#pragma once

#include <memory>
#include <string>

#include "model/base/cursor.hpp"

namespace schedproof::cli {

/// The members of a bundle's counterexample.json. A copy reads the same document.
class BundleText {
  public:
    /// Reads DIRECTORY/counterexample.json. Throws InputError when there is none, or it is not of the
    /// form counterexample_form().
    explicit BundleText(std::string directory);

    [[nodiscard]] const std::string& directory() const { return directory_; }
    /// Whether the document has the member.
    [[nodiscard]] bool has(const char* key) const;
    [[nodiscard]] std::string file() const { return directory_ + "/counterexample.json"; }
    /// Throw InputError with file, line and key unless there is such a text, or member. The cursor must not outlive
    /// the bundle.
    [[nodiscard]] std::string text(const char* key) const;
    [[nodiscard]] base::Cursor member(const char* key) const;

  private:
    struct Document {
        std::string file;
        base::Node root;
    };

    std::string directory_;
    std::shared_ptr<const Document> document_;
};

/// An id as the name of a file, and of a GoogleTest case.
[[nodiscard]] std::string file_name(std::string id);
[[nodiscard]] std::string test_name(std::string id);
/// A text as a literal of C++, line by line as it is. Requires: the text does not hold `)text"`.
[[nodiscard]] std::string text_literal(const std::string& text);

}  // namespace schedproof::cli
