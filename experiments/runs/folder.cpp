#include "experiments/runs/folder.hpp"

#include <algorithm>

#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace fs = std::filesystem;

namespace {

/// Names of a directory's entries. Throws InputError when it cannot be listed.
std::vector<std::string> entries(const fs::path& path) {
    std::error_code error;
    std::vector<std::string> list;
    for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
        list.push_back(at->path().filename().string());
    if (error) throw InputError::in_file(path.string(), "expected a directory that can be listed: " + error.message());
    return list;
}

/// The bytes under a temporary name, on the disk.
base::OutputFile written(const std::string& path, std::string_view bytes) {
    base::OutputFile file(path);
    file.leave_out_of_logs();
    file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.sync();
    return file;
}

}  // namespace

Folder Folder::existing(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error))
        throw InputError::in_file(path.string(), fs::exists(path, error) ? "expected a directory, not a file"
                                                                         : "expected an existing directory");
    return Folder(path);
}

Folder Folder::open(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (std::error_code ignored; error && !fs::is_directory(path, ignored))
        throw InputError::in_file(path.string(), "expected a directory that can be made: " + error.message());
    Folder folder = existing(path);
    for (const std::string& name : entries(path))
        if (base::is_abandoned(name)) fs::remove(path / name, error);
    return folder;
}

std::optional<std::string> Folder::read(const std::string& name) const {
    std::error_code error;
    if (!fs::exists(path_ / name, error)) {
        if (error) throw InputError::in_file(path(name), "expected a readable file: " + error.message());
        return std::nullopt;
    }
    return base::read_file(path(name));
}

void Folder::write(const std::string& name, std::string_view bytes) const { written(path(name), bytes).commit(); }

bool Folder::create(const std::string& name, std::string_view bytes) const {
    return written(path(name), bytes).commit_new();
}

std::vector<std::string> Folder::names(std::string_view ending) const {
    std::vector<std::string> list = entries(path_);
    std::erase_if(list, [&](const std::string& name) { return !name.ends_with(ending); });
    std::sort(list.begin(), list.end());
    return list;
}

}  // namespace schedproof::runs
