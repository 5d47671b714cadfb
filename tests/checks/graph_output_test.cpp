#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "checks/pictures/dot.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::graph {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public ::testing::Test {
  protected:
    [[nodiscard]] std::string path(const char* name) const { return (directory_.path() / name).string(); }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(directory_.path()), fs::directory_iterator()));
    }
    /// The complaint of `write`.
    template <class Write>
    static std::string complaint(Write&& write) {
        try {
            write();
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

  private:
    testing_support::TemporaryDirectory directory_;
};

TEST_F(OutputFileTest, TakesItsPlaceOnCommitOnly) {
    base::write_file(path("x"), "old");
    {
        base::OutputFile file(path("x"));
        file.stream() << "half";
    }
    EXPECT_EQ(base::read_file(path("x")), "old");
    EXPECT_EQ(files(), 1u);
    base::OutputFile file(path("x"));
    file.stream() << "new";
    file.close();
    EXPECT_EQ(base::read_file(path("x")), "old");
    base::OutputFile moved(std::move(file));
    moved.commit();
    EXPECT_EQ(base::read_file(path("x")), "new");
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, LeavesNothingWhenTheWriterThrows) {
    try {
        base::OutputFile file(path("x"));
        file.stream() << "half";
        throw Error("interrupted");
    } catch (const Error&) {}
    EXPECT_EQ(files(), 0u);
}

TEST_F(OutputFileTest, SaysWhatIsWrongWithAPath) {
    EXPECT_NE(complaint([&] { base::write_file(path("no/x"), ""); }).find("expected an existing directory"),
              std::string::npos);
    EXPECT_NE(complaint([&] { base::write_file(path(""), ""); }).find("not a directory"), std::string::npos);
    EXPECT_NE(complaint([&] { base::write_file("", ""); }).find("expected the name of a file"), std::string::npos);
    EXPECT_NE(complaint([&] { base::write_file("/dev/full", "much"); }).find("expected room"), std::string::npos);
    EXPECT_NE(complaint([&] { write_dot({}, path("no/x.dot")); }).find(path("no/x.dot")), std::string::npos);
    EXPECT_NE(complaint([&] { (void)base::read_file(path("missing")); }).find("expected an existing file"),
              std::string::npos);
    EXPECT_NE(complaint([&] { (void)base::read_file(path("")); }).find("not a directory"), std::string::npos);
}

TEST_F(OutputFileTest, WritesDevicesDirectlyAndThroughSymbolicLinks) {
    base::write_file("/dev/null", "gone");
    EXPECT_FALSE(fs::is_regular_file("/dev/null"));
    base::write_file(path("target"), "old");
    fs::create_symlink(path("target"), path("link"));
    base::write_file(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(base::read_file(path("target")), "new");
}

TEST_F(OutputFileTest, ReadsAnEmptyFile) {
    base::write_file(path("empty"), "");
    EXPECT_EQ(base::read_file(path("empty")), "");
}

}  // namespace
}  // namespace schedproof::graph
