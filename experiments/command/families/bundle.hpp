/// What the evidence of every family shares: a bundle's counterexample.json, names of files and tests.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace schedproof::command {

/// What a bundle says when it is checked again.
struct Replay {
    std::string claim, policy, state, violation;  ///< the violation in words, or empty when the claim does not fail
};

/// A member of a bundle's counterexample.json.
class BundleText {
  public:
    /// Reads DIRECTORY/counterexample.json. Throws InputError when there is none, or it is no JSON object.
    explicit BundleText(std::string directory);

    [[nodiscard]] const std::string& directory() const { return directory_; }
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
