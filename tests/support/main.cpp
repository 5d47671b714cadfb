/// The main of every test program.
///
/// RapidCheck reads its seed and effort from the environment variable RC_PARAMS and silently ignores what it does not
/// know, so a misspelt seed would look fixed and be random. Here every key is checked, a fixed seed is the default,
/// and the parameters in force are printed: a failure is replayed by setting RC_PARAMS to that line.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

int main(int argc, char** argv) {
    constexpr const char* fixed = "seed=20261121 max_success=100";
    constexpr std::array<const char*, 8> known{"seed",     "max_success", "max_size",         "max_discard_ratio",
                                               "noshrink", "reproduce",   "verbose_progress", "verbose_shrinking"};
    setenv("RC_PARAMS", fixed, 0);
    const char* set = std::getenv("RC_PARAMS");
    const std::string parameters = set == nullptr ? fixed : set;
    std::istringstream words(parameters);
    for (std::string word; words >> word;) {
        const std::string name = word.substr(0, word.find('='));
        if (std::none_of(known.begin(), known.end(), [&](const char* k) { return name == k; })) {
            std::fprintf(stderr, "RC_PARAMS: unknown parameter '%s'\n", name.c_str());
            return 2;
        }
    }
    std::printf("RC_PARAMS=\"%s\"\n", parameters.c_str());
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
