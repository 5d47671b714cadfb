/// print_policies FILE NUMBER: writes the policies of one file as their author would write them.
#include <fmt/core.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "tests/printed/drawn_rules.hpp"

int main(int argc, char** argv) {
    using namespace schedproof;
    if (argc != 3) {
        std::fputs("usage: print_policies FILE NUMBER\n", stderr);
        return 2;
    }
    const std::size_t file = std::stoul(argv[2]);
    std::ofstream out(argv[1]);
    out << "#include <array>\n\n#include \"model/queueing/any_policy.hpp\"\n\n"
           "using namespace schedproof::queueing;\nusing namespace schedproof::queueing::language;\n\nnamespace {\n";
    for (std::size_t k = 0; k < printed::policies_of_file; ++k)
        out << fmt::format(
            "struct Printed{} {{\n    static constexpr PolicyInfo info{{\"printed-{}\", \"test\", \"drawn at "
            "random\"}};\n"
            "    static constexpr Rules rules{{{}}};\n}};\n",
            k, k, to_string(printed::drawn_rules(file, k)));
    out << fmt::format("}}  // namespace\n\nextern const std::array<AnyPolicy, {}> printed_policies_{};\n",
                       printed::policies_of_file, file);
    out << fmt::format("const std::array<AnyPolicy, {}> printed_policies_{}{{", printed::policies_of_file, file);
    for (std::size_t k = 0; k < printed::policies_of_file; ++k) out << (k == 0 ? "" : ", ") << "Printed" << k << "{}";
    out << "};\n";
    return out.flush() ? 0 : 1;
}
