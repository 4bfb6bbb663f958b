#include "runner/attempt_files.hpp"

#include "base/text.hpp"
#include "io/directory.hpp"
#include "io/unique_fd.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace runner {

namespace {

base::Error cannot_create(const std::string& path) {
    return base::system_error("cannot create " + path);
}

}  // namespace

AttemptFile::~AttemptFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
}

AttemptFiles::~AttemptFiles() {
    if (is_made_) ::rmdir(directory_.c_str());
}

base::Result<AttemptFile> AttemptFiles::create(workflow::TaskId attempt, std::string_view text) {
    if (auto made = make_directory(); !made) return made.error();
    std::string path = base::concat(directory_, "/", attempt.value, ".json");
    io::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd) return cannot_create(path);
    AttemptFile file(path);
    if (auto written = io::write_all(fd.get(), text); !written)
        return base::Error{written.error().code, base::concat(path, ": ", written.error().message)};
    return file;
}

base::Result<void> AttemptFiles::make_directory() {
    if (is_made_) return {};
    if (::mkdir(directory_.c_str(), 0700) != 0) return cannot_create(directory_);
    is_made_ = true;
    return {};
}

}  // namespace runner
