/// A bundle's counterexample.json, as it is read back; names of files and tests.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace schedproof::command {

/// A member of a bundle's counterexample.json.
class BundleText {
  public:
    /// Reads DIRECTORY/counterexample.json. Throws InputError when there is none, or it is no JSON object.
    explicit BundleText(std::string directory);

    [[nodiscard]] const std::string& directory() const { return directory_; }
    [[nodiscard]] bool has(const char* key) const;
    /// Throw InputError unless there is such a text, or object.
    [[nodiscard]] std::string text(const char* key) const;
    [[nodiscard]] BundleText member(const char* key) const;
    [[nodiscard]] std::string file() const { return directory_ + "/counterexample.json"; }

  private:
    BundleText(std::string directory, std::shared_ptr<const nlohmann::ordered_json> object);

    std::string directory_;
    std::shared_ptr<const nlohmann::ordered_json> object_;
};

/// An id as the name of a file, and of a GoogleTest case.
[[nodiscard]] std::string file_name(std::string id);
[[nodiscard]] std::string test_name(std::string id);

}  // namespace schedproof::command
