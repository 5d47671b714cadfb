#include "experiments/runs/folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view half_written = ".partial";

[[noreturn]] void refuse(const std::string& path, std::string_view expected, int error) {
    throw InputError({path, 0, ""}, fmt::format("{}: {}", expected, std::strerror(error)));
}

std::string host() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "host";
    return name.data();
}

/// Ends with what tells writers apart: machine, process, a count within it, and random bits, since machines that share
/// a directory may share a name and a process number too, containers most of all.
std::string temporary_name(const std::string& name) {
    static std::atomic<unsigned> count{0};
    static const unsigned random = std::random_device()();
    return fmt::format("{}.{}.{}.{}.{:08x}{}", name, host(), ::getpid(), count++, random, half_written);
}

/// Whether a temporary name is that of a process of this machine which has ended.
bool is_orphan(const std::string& name) {
    const std::string mark = "." + host() + ".";
    const std::size_t at = name.rfind(mark);
    if (at == std::string::npos || !name.ends_with(half_written)) return false;
    pid_t process = 0;
    const char* first = name.data() + at + mark.size();
    const auto [end, error] = std::from_chars(first, name.data() + name.size(), process);
    return error == std::errc() && end != first && *end == '.' && ::kill(process, 0) != 0 && errno == ESRCH;
}

/// Names of a directory's entries. Throws InputError when it cannot be listed.
std::vector<std::string> entries(const fs::path& path) {
    std::error_code error;
    std::vector<std::string> list;
    for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
        list.push_back(at->path().filename().string());
    if (error) throw InputError({path.string(), 0, ""}, "expected a directory that can be listed: " + error.message());
    return list;
}

/// A descriptor that is closed, and a file that is removed, unless `done`.
class TemporaryFile {
  public:
    TemporaryFile(std::string path, const std::string& shown)
        : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
        if (descriptor_ < 0) refuse(shown, "expected a file that can be written", errno);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (!path_.empty()) ::unlink(path_.c_str());
    }
    /// 0, or what went wrong.
    [[nodiscard]] int write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
            if (n < 0 && errno != EINTR) return errno;
            if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
        }
        return ::fsync(descriptor_) == 0 || errno == EINVAL ? 0 : errno;
    }
    [[nodiscard]] int rename(const std::string& target) {
        const int closed = ::close(std::exchange(descriptor_, -1));
        if (closed != 0 || ::rename(path_.c_str(), target.c_str()) != 0) return errno;
        path_.clear();
        return 0;
    }

    /// The same unless the target is there (EEXIST). Where the file system has no links, two writers may still meet.
    [[nodiscard]] int link(const std::string& target) {
        if (::link(path_.c_str(), target.c_str()) == 0) return 0;
        if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return errno;
        return ::access(target.c_str(), F_OK) == 0 ? EEXIST : rename(target);
    }

  private:
    std::string path_;
    int descriptor_;
};

}  // namespace

Folder Folder::existing(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error))
        throw InputError({path.string(), 0, ""}, fs::exists(path, error) ? "expected a directory, not a file"
                                                                         : "expected an existing directory");
    return Folder(path);
}

Folder Folder::open(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (std::error_code ignored; error && !fs::is_directory(path, ignored))
        throw InputError({path.string(), 0, ""}, "expected a directory that can be made: " + error.message());
    Folder folder = existing(path);
    for (const std::string& name : entries(path))
        if (is_orphan(name)) fs::remove(path / name, error);
    return folder;
}

std::optional<std::string> Folder::read(const std::string& name) const {
    std::error_code error;
    if (!fs::exists(path_ / name, error)) {
        if (error) throw InputError({path(name), 0, ""}, "expected a readable file: " + error.message());
        return std::nullopt;
    }
    if (fs::is_directory(path_ / name, error))
        throw InputError({path(name), 0, ""}, "expected a file, not a directory");
    std::ifstream in(path_ / name, std::ios::binary);
    std::ostringstream text;
    if (in && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
    if (!in.is_open() || in.bad() || text.bad()) throw InputError({path(name), 0, ""}, "expected a readable file");
    return std::move(text).str();
}

void Folder::write(const std::string& name, std::string_view bytes) const {
    const std::string shown = path(name);
    TemporaryFile file(path(temporary_name(name)), shown);
    if (const int error = file.write(bytes); error != 0) refuse(shown, "expected room for the whole file", error);
    if (const int error = file.rename(shown); error != 0) refuse(shown, "expected a file that can be replaced", error);
}

bool Folder::create(const std::string& name, std::string_view bytes) const {
    const std::string shown = path(name);
    TemporaryFile file(path(temporary_name(name)), shown);
    if (const int error = file.write(bytes); error != 0) refuse(shown, "expected room for the whole file", error);
    const int error = file.link(shown);
    if (error != 0 && error != EEXIST) refuse(shown, "expected a file that can be made", error);
    return error == 0;
}

std::vector<std::string> Folder::names(std::string_view ending) const {
    std::vector<std::string> list = entries(path_);
    std::erase_if(list, [&](const std::string& name) { return !name.ends_with(ending); });
    std::sort(list.begin(), list.end());
    return list;
}

}  // namespace schedproof::runs
