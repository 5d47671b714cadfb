/// Feeds every file of a folder, and every prefix of a power-of-two length of it, to a fuzz target: the part of fuzzing
/// that needs no fuzzer. A target that finds a fault aborts.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** arguments) {
    std::size_t files = 0;
    for (int i = 1; i < count; ++i)
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
            std::ifstream in(entry.path(), std::ios::binary);
            const std::string bytes(std::istreambuf_iterator<char>(in), {});
            const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
            for (std::size_t size = 1; size < bytes.size(); size *= 2) LLVMFuzzerTestOneInput(data, size);
            LLVMFuzzerTestOneInput(data, bytes.size());
            ++files;
        }
    std::printf("%zu files\n", files);
    return files > 0 ? 0 : 1;
}
