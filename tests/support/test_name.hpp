/// Names of parameterised tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace schedproof::testing_support {

/// The id of a policy or instance, in the letters that test names may have.
inline std::string test_name(std::string id) {
    std::replace_if(
        id.begin(), id.end(), [](char c) { return c == '-' || c == ':'; }, '_');
    return id;
}
/// For tests whose parameter is an id.
inline std::string named_by_id(const testing::TestParamInfo<std::string>& info) { return test_name(info.param); }

}  // namespace schedproof::testing_support
