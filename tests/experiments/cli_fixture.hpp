/// What the tests of the command speak of: an instance, one beyond its capacity, the program itself.
#pragma once

#include <string>

#include "tests/support/schema.hpp"

namespace schedproof::testing_support {

class CliTest : public SchemaTest {
  protected:
    inline static const std::string command = SCHEDPROOF_COMMAND, source = SCHEDPROOF_SOURCE_DIR,
                                    instances = "experiments/instances/", half = instances + "m2-half.toml";

    /// Both servers get a task in every slot.
    static std::string overloaded() {
        return replaced(slurp(source + "/" + half), "A = \"1/2\", B = \"1/2\"", "A = 1, B = 1");
    }
};

}  // namespace schedproof::testing_support
