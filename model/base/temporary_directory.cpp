#include "model/base/temporary_directory.hpp"

#include <stdlib.h>

#include <string>
#include <system_error>

#include "model/core/errors.hpp"

namespace schedproof::base {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    std::string pattern = (parent / "schedproof-XXXXXX").string();
    if (error || ::mkdtemp(pattern.data()) == nullptr)
        throw InputError::in_file(error ? "TMPDIR" : parent.string(),
                                  "expected a directory for temporary files that can be written");
    path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace schedproof::base
