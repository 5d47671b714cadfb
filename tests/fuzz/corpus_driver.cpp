/// corpus_tests TARGET FOLDER...: feeds every file of the folders, and every prefix of a power-of-two length of it, to
/// a fuzz target: the part of fuzzing that needs no fuzzer. A target that finds a violation aborts.
///
/// All targets are linked into one program, each compiled with its entry point renamed to fuzz_TARGET; the build writes
/// their list, fuzz_targets.def.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#define X(target) extern "C" int fuzz_##target(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.def"
#undef X

int main(int count, char** arguments) {
#define X(target) {#target, fuzz_##target},
    const std::map<std::string, int (*)(const std::uint8_t*, std::size_t)> targets{
#include "fuzz_targets.def"
    };
#undef X
    const auto target = targets.find(count > 1 ? arguments[1] : "");
    if (target == targets.end()) {
        std::fprintf(stderr, "usage: corpus_tests TARGET FOLDER...\n");
        return 2;
    }
    std::size_t files = 0;
    for (int i = 2; i < count; ++i)
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
            std::ifstream in(entry.path(), std::ios::binary);
            const std::string bytes(std::istreambuf_iterator<char>(in), {});
            const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
            for (std::size_t size = 1; size < bytes.size(); size *= 2) target->second(data, size);
            target->second(data, bytes.size());
            ++files;
        }
    std::printf("%zu files\n", files);
    return files > 0 ? 0 : 1;
}
