/// Files that take their place in one rename.
///
/// POSIX makes a rename within one directory atomic, so the bytes go to a temporary file beside the target first. A
/// hard link in place of the rename gives the name to the first of several writers, as it fails where a file exists.
/// Temporary names end with the writer's machine and process: whoever opens the directory next can tell what a dead
/// writer left.
#include "model/base/output_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <mutex>
#include <random>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::base {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& expected) {
    throw InputError::in_file(path, expected);
}

std::string reason() { return errno == 0 ? std::string("unknown reason") : std::string(std::strerror(errno)); }

/// Where the bytes of `path` are to end up: behind symbolic links, which a rename would otherwise replace.
fs::path behind_links(const fs::path& path) {
    std::error_code error;
    if (!fs::is_symlink(path, error)) return path;
    fs::path real = fs::weakly_canonical(path, error);
    return error ? path : real;
}

constexpr std::string_view half_written = ".partial";

std::string host() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "host";
    return name.data();
}

/// A name beside the target that ends with what tells writers apart: machine, process, a count within it, and random
/// bits, since machines that share a directory may share a name and a process number too, containers most of all. Only
/// the beginning of a long name is kept, for the length of a file's name is bounded.
fs::path unique_beside(const fs::path& target) {
    static std::atomic<unsigned> count{0};
    static const unsigned random = std::random_device()();
    return target.parent_path() / fmt::format("{}.{}.{}.{}.{:08x}{}", target.filename().string().substr(0, 120), host(),
                                              ::getpid(), count++, random, half_written);
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
      logged_(other.logged_),
      out_(std::move(other.out_)) {}

void OutputFile::close() {
    if (!out_.is_open()) return;
    if (out_) errno = 0;  // else it says why writing failed
    out_.close();
    if (!out_) refuse(path_, "expected room for the whole file: " + reason());
}

void OutputFile::sync() {
    close();
    if (temporary_.empty()) return;
    const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
    // Some file systems cannot wait (EINVAL).
    const bool done = descriptor >= 0 && (::fsync(descriptor) == 0 || errno == EINVAL);
    const std::string why = reason();
    if (descriptor >= 0) ::close(descriptor);
    if (!done) refuse(path_, "expected room for the whole file: " + why);
}

void OutputFile::commit() {
    close();
    if (temporary_.empty()) return;
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error) refuse(path_, "expected a file that can be replaced: " + error.message());
    temporary_.clear();
    if (logged_) FileLog::add(path_);
}

bool OutputFile::commit_new() {
    close();
    require(!temporary_.empty(), "a device or a pipe cannot be created");
    if (::link(temporary_.c_str(), target_.c_str()) == 0) {
        if (logged_) FileLog::add(path_);
        return true;
    }
    if (errno == EEXIST) return false;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK)
        refuse(path_, "expected a file that can be made: " + reason());
    if (::access(target_.c_str(), F_OK) == 0) return false;
    commit();
    return true;
}

namespace {

std::mutex log_mutex;
FileLog* innermost_log = nullptr;

}  // namespace

FileLog::FileLog(std::string inside) : inside_(std::move(inside)) {
    if (!inside_.empty()) inside_ += '/';
    const std::lock_guard lock(log_mutex);
    outer_ = std::exchange(innermost_log, this);
}

FileLog::~FileLog() {
    const std::lock_guard lock(log_mutex);
    innermost_log = outer_;
}

void FileLog::add(const std::string& path) {
    const std::lock_guard lock(log_mutex);
    for (FileLog* log = innermost_log; log != nullptr; log = log->outer_) log->paths_.insert(log->named(path));
}

std::string FileLog::named(const std::string& path) const {
    return path.starts_with(inside_) ? path.substr(inside_.size()) : path;
}

std::string FileLog::name(const std::string& path) {
    const std::lock_guard lock(log_mutex);
    return innermost_log == nullptr ? path : innermost_log->named(path);
}

std::vector<std::string> FileLog::paths() {
    const std::lock_guard lock(log_mutex);
    if (innermost_log == nullptr) return {};
    return {innermost_log->paths_.begin(), innermost_log->paths_.end()};
}

void write_file(const std::string& path, std::string_view bytes) {
    OutputFile file(path);
    file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.commit();
}

void make_directory(const std::string& path) {
    std::error_code failure;
    fs::create_directories(path, failure);
    if (failure || !fs::is_directory(path, failure))
        throw InputError::in_file(path, "expected a directory, or a place where one can be made");
}

bool is_abandoned(const std::string& name) {
    const std::string mark = "." + host() + ".";
    const std::size_t at = name.rfind(mark);
    if (at == std::string::npos || !name.ends_with(half_written)) return false;
    pid_t process = 0;
    const char* first = name.data() + at + mark.size();
    const auto [end, error] = std::from_chars(first, name.data() + name.size(), process);
    return error == std::errc() && end != first && *end == '.' && ::kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace schedproof::base
