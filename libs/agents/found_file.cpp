#include "agents/found_file.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace agents {

namespace {

std::string through_proc(const io::UniqueFd& file) {
    return base::concat("/proc/self/fd/", file.get());
}

}  // namespace

base::Result<FoundFile> FoundFile::find(const std::string& path) {
    io::UniqueFd file(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!file) return base::system_error("it cannot be opened");
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return base::system_error("it cannot be read");
    return FoundFile(std::move(file), S_ISREG(status.st_mode));
}

std::filesystem::path FoundFile::real_path() const {
    std::error_code error;
    return std::filesystem::read_symlink(through_proc(fd_), error);
}

base::Result<std::string> FoundFile::beginning(std::size_t bytes) const {
    io::UniqueFd file(::open(through_proc(fd_).c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file) return base::system_error("it cannot be opened");
    std::string text(bytes, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t count = ::read(file.get(), text.data() + size, text.size() - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return base::system_error("it cannot be read");
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    text.resize(size);
    return text;
}

bool is_below(const std::filesystem::path& top, const std::filesystem::path& path) {
    return std::mismatch(top.begin(), top.end(), path.begin(), path.end()).first == top.end();
}

}  // namespace agents
