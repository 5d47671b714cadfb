#include "model/base/output_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::graph {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& expected) {
    throw InputError({path, 0, ""}, expected);
}

std::string reason() { return errno == 0 ? std::string("unknown reason") : std::string(std::strerror(errno)); }

/// Where the bytes of `path` are to end up: behind symbolic links, which a rename would otherwise replace.
fs::path behind_links(const fs::path& path) {
    std::error_code error;
    if (!fs::is_symlink(path, error)) return path;
    fs::path real = fs::weakly_canonical(path, error);
    return error ? path : real;
}

fs::path unique_beside(const fs::path& target) {
    // Unique among the processes of a machine and the threads of a process, which is who writes to one directory.
    static std::atomic<unsigned> counter{0};
    return fs::path(fmt::format("{}.{}.{}.partial", target.string(), ::getpid(), counter++));
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(behind_links(path)) {
    std::error_code error;
    if (path.empty()) refuse(path, "expected the name of a file to write");
    const fs::path directory = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
    if (!fs::is_directory(directory, error))
        refuse(path, "expected an existing directory, not '" + directory.string() + "'");
    const fs::file_status status = fs::status(target_, error);
    if (fs::is_directory(status)) refuse(path, "expected the name of a file to write, not a directory");
    const bool direct = fs::exists(status) && !fs::is_regular_file(status);
    if (!direct) temporary_ = unique_beside(target_);
    errno = 0;
    out_.open(direct ? target_ : temporary_, std::ios::binary | std::ios::trunc);
    if (!out_) {
        const std::string why = reason();
        temporary_.clear();
        refuse(path, "expected a file that can be written: " + why);
    }
}

OutputFile::~OutputFile() {
    if (temporary_.empty()) return;
    out_.close();
    std::error_code ignored;
    fs::remove(temporary_, ignored);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, fs::path())),
      out_(std::move(other.out_)) {}

void OutputFile::close() {
    if (!out_.is_open()) return;
    errno = 0;
    out_.close();
    if (!out_) refuse(path_, "expected room for the whole file: " + reason());
}

void OutputFile::commit() {
    close();
    if (temporary_.empty()) return;
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error) refuse(path_, "expected a file that can be replaced: " + error.message());
    temporary_.clear();
}

void write_file(const std::string& path, std::string_view bytes) {
    OutputFile file(path);
    file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.commit();
}

std::string read_file(const std::string& path) {
    std::error_code error;
    if (!fs::exists(path, error)) refuse(path, "expected an existing file");
    if (fs::is_directory(path, error)) refuse(path, "expected a file, not a directory");
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    // Copying nothing at all sets failbit, so an empty file is told apart by peeking.
    if (in && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
    if (in.bad() || !in.is_open() || text.bad()) refuse(path, "expected a readable file: " + reason());
    return std::move(text).str();
}

}  // namespace schedproof::graph
