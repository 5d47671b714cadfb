/// Inputs that are read once: their fingerprint is that of the bytes that were read.
#include "experiments/input/text/hashed_input.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::input {
namespace {

std::string written(const testing_support::TemporaryDirectory& root, const std::string& bytes) {
    std::string path = (root.path() / "file").string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

TEST(HashedInput, IsOfAllBytesHoweverManyWereAskedFor) {
    const testing_support::TemporaryDirectory root;
    for (const std::size_t size : {0U, 1U, 100U, 65535U, 65536U, 65537U, 300000U}) {
        std::string bytes(size, ' ');
        for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * i % 251);
        const std::string path = written(root, bytes);
        for (const std::size_t read : {std::size_t{0}, size / 2, size}) {
            HashedInput in(path);
            std::string got(read, ' ');
            in.stream().read(got.data(), static_cast<std::streamsize>(read));
            EXPECT_EQ(got, bytes.substr(0, read));
            EXPECT_EQ(in.file(), (InputFile{path, base::sha256(bytes)})) << size << " " << read;
        }
    }
    EXPECT_EQ(base::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(HashedInput, IsOfWhatWasReadAlthoughTheFileHasChanged) {
    const testing_support::TemporaryDirectory root;
    const std::string path = written(root, "before");
    HashedInput in(path);
    std::string word;
    in.stream() >> word;
    std::ofstream(path, std::ios::binary) << "after!";
    EXPECT_EQ(word, "before");
    EXPECT_EQ(in.file().sha256, base::sha256("before"));
}

TEST(HashedInput, ReadsAPipeOnce) {
    const testing_support::TemporaryDirectory root;
    const std::string path = (root.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path) << "one\ntwo\n"; });
    HashedInput in(path);
    std::string line;
    std::getline(in.stream(), line);
    EXPECT_EQ(line, "one");
    EXPECT_EQ(in.file().sha256, base::sha256("one\ntwo\n"));
    writer.join();
}

TEST(HashedInput, RefusesWhatCannotBeRead) {
    const testing_support::TemporaryDirectory root;
    EXPECT_THROW(HashedInput((root.path() / "nowhere").string()), InputError);
    EXPECT_THROW(HashedInput(root.path().string()), InputError);
}

}  // namespace
}  // namespace schedproof::input
